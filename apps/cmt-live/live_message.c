/* SPDX-License-Identifier: BSD-3-Clause */
#include "live_message.h"

#include <endian.h>
#include <string.h>

#define FLAG_REPAIR 1u

static uint32_t get32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return be32toh(value);
}

static uint64_t get64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return be64toh(value);
}

static void put32(uint8_t *at, uint32_t value)
{
	value = htobe32(value);
	memcpy(at, &value, sizeof(value));
}

static void put64(uint8_t *at, uint64_t value)
{
	value = htobe64(value);
	memcpy(at, &value, sizeof(value));
}

static size_t put_common(uint8_t *out, enum live_type type)
{
	out[0] = (uint8_t)type;
	out[1] = LIVE_VERSION;
	out[2] = out[3] = 0;
	return LIVE_COMMON_BYTES;
}

/* Counters in their order on the wire. */
enum { PLAIN_COUNTERS = 6, COUNTERS = 7 };
static void list_counters(struct live_status *status, uint64_t *list[COUNTERS])
{
	list[0] = &status->sent;
	list[1] = &status->expired;
	list[2] = &status->delivered;
	list[3] = &status->lost;
	list[4] = &status->late;
	list[5] = &status->twice;
	list[6] = &status->restored;
}

static int decode_data(const uint8_t *bytes, size_t len, struct live_message *out)
{
	if (len <= LIVE_DATA_HEADER_BYTES || len > LIVE_MAX_MESSAGE_BYTES) {
		return -1;
	}
	out->seq = get32(bytes + 4);
	out->time_us = get64(bytes + 8);
	out->payload = bytes + LIVE_DATA_HEADER_BYTES;
	out->payload_bytes = len - LIVE_DATA_HEADER_BYTES;
	return out->time_us <= LIVE_MAX_TIME_US ? 0 : -1;
}

static int latency_is_valid(uint32_t latency_ms)
{
	return latency_ms >= LIVE_MIN_LATENCY_MS && latency_ms <= LIVE_MAX_LATENCY_MS ? 0 : -1;
}

static int decode_hello(const uint8_t *bytes, size_t len, struct live_message *out)
{
	if (len != LIVE_COMMON_BYTES + 16) {
		return -1;
	}
	out->seq = get32(bytes + 4);
	out->latency_ms = get32(bytes + 8);
	out->stream = get64(bytes + 12);
	return latency_is_valid(out->latency_ms);
}

static int decode_welcome(const uint8_t *bytes, size_t len, struct live_message *out)
{
	if (len != LIVE_COMMON_BYTES + 4) {
		return -1;
	}
	out->latency_ms = get32(bytes + 4);
	return latency_is_valid(out->latency_ms);
}

static int decode_status(const uint8_t *bytes, size_t len, struct live_message *out)
{
	const size_t n = len == LIVE_COMMON_BYTES + 8u * COUNTERS ? COUNTERS : PLAIN_COUNTERS;
	uint64_t *list[COUNTERS];

	if (len != LIVE_COMMON_BYTES + 8u * n) {
		return -1;
	}
	out->repair = n == COUNTERS;
	list_counters(&out->status, list);
	for (size_t i = 0; i < n; i++) {
		*list[i] = get64(bytes + LIVE_COMMON_BYTES + 8 * i);
	}
	return 0;
}

static int decode_end(const uint8_t *bytes, size_t len, struct live_message *out)
{
	if (len != LIVE_COMMON_BYTES + 4) {
		return -1;
	}
	out->seq = get32(bytes + 4);
	return 0;
}

static int decode_refuse(const uint8_t *bytes, size_t len, struct live_message *out)
{
	if (len > LIVE_MAX_CONTROL_BYTES) {
		return -1;
	}
	memcpy(out->text, bytes + LIVE_COMMON_BYTES, len - LIVE_COMMON_BYTES);
	out->text[len - LIVE_COMMON_BYTES] = '\0';
	return 0;
}

int live_message_decode(const uint8_t *bytes, size_t len, struct live_message *out)
{
	memset(out, 0, sizeof(*out));
	if (len < LIVE_COMMON_BYTES || bytes[1] != LIVE_VERSION) {
		return -1;
	}
	out->type = (enum live_type)bytes[0];
	out->repair = (bytes[0] == LIVE_HELLO || bytes[0] == LIVE_WELCOME) && (bytes[2] & FLAG_REPAIR) != 0;
	switch (bytes[0]) {
	case LIVE_DATA: return decode_data(bytes, len, out);
	case LIVE_HELLO: return decode_hello(bytes, len, out);
	case LIVE_WELCOME: return decode_welcome(bytes, len, out);
	case LIVE_STATUS: return decode_status(bytes, len, out);
	case LIVE_END: return decode_end(bytes, len, out);
	case LIVE_REFUSE: return decode_refuse(bytes, len, out);
	case LIVE_REPAIR:
		return repair_message_decode(bytes + LIVE_COMMON_BYTES, len - LIVE_COMMON_BYTES,
		                             &out->of_repair);
	default: return -1;
	}
}

static size_t encode_status(const struct live_message *message, uint8_t *out)
{
	const size_t n = message->repair ? COUNTERS : PLAIN_COUNTERS;
	struct live_status copy = message->status;
	uint64_t *list[COUNTERS];

	list_counters(&copy, list);
	for (size_t i = 0; i < n; i++) {
		put64(out + 8 * i, *list[i]);
	}
	return 8u * n;
}

static size_t encode_text(const char *text, uint8_t *out)
{
	const size_t len = strnlen(text, LIVE_MAX_TEXT_BYTES);

	memcpy(out, text, len);
	return len;
}

size_t live_message_encode(const struct live_message *message, uint8_t out[LIVE_MAX_CONTROL_BYTES])
{
	const size_t at = put_common(out, message->type);

	out[2] = message->repair && message->type != LIVE_STATUS ? FLAG_REPAIR : 0;
	switch (message->type) {
	case LIVE_DATA:
	case LIVE_REPAIR: return 0;
	case LIVE_HELLO:
		put32(out + at, message->seq);
		put32(out + at + 4, message->latency_ms);
		put64(out + at + 8, message->stream);
		return at + 16;
	case LIVE_WELCOME: put32(out + at, message->latency_ms); return at + 4;
	case LIVE_STATUS: return at + encode_status(message, out + at);
	case LIVE_END: put32(out + at, message->seq); return at + 4;
	case LIVE_REFUSE: return at + encode_text(message->text, out + at);
	}
	return 0;
}

void live_data_header(uint32_t seq, uint64_t time_us, uint8_t out[LIVE_DATA_HEADER_BYTES])
{
	const size_t at = put_common(out, LIVE_DATA);

	put32(out + at, seq);
	put64(out + at + 4, time_us);
}

size_t live_repair_encode(const uint8_t *bytes, size_t len, uint8_t out[LIVE_MAX_REPAIR_BYTES])
{
	const size_t at = put_common(out, LIVE_REPAIR);

	memcpy(out + at, bytes, len);
	return at + len;
}
