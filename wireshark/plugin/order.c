/* SPDX-License-Identifier: BSD-3-Clause */
#include "order.h"

#include "util/cmt_serial.h"

struct record {
	uint64_t number, arrival;
};

static void start(struct cmt_order *order, uint32_t number)
{
	order->records = wmem_array_new(wmem_file_scope(), sizeof(struct record));
	order->newest = (UINT64_C(1) << 32) + number; /* numbers may go down from here */
	order->place = order->newest;
}

/* Records rise: the first one above `number`, by halves. There is one. */
static uint64_t first_above(const struct cmt_order *order, uint64_t number)
{
	const struct record *records = wmem_array_get_raw(order->records);
	unsigned low = 0, high = wmem_array_get_count(order->records) - 1;

	while (low < high) {
		unsigned mid = low + (high - low) / 2;

		if (records[mid].number > number) {
			high = mid;
		} else {
			low = mid + 1;
		}
	}
	return records[low].arrival;
}

struct cmt_order_result cmt_order_add(struct cmt_order *order, uint32_t number)
{
	struct cmt_order_result result = {.extent = 0};
	uint64_t wide;

	if (order->arrivals == 0) {
		start(order, number);
	}
	wide = order->newest + (uint64_t)(int64_t)cmt_serial_diff(number, (uint32_t)order->newest);
	if (order->arrivals == 0 || wide > order->newest) {
		struct record record = {.number = wide, .arrival = order->arrivals};

		wmem_array_append_one(order->records, record);
		order->newest = wide;
	} else {
		result.extent = (uint32_t)(order->arrivals - first_above(order, wide));
	}
	result.displacement = (int32_t)(order->place - wide);
	order->place++;
	order->arrivals++;
	return result;
}

void cmt_order_lost(struct cmt_order *order, uint32_t n)
{
	order->place += n;
}
