/* SPDX-License-Identifier: BSD-3-Clause */
#include "repair_out.h"

#include <stdlib.h>
#include <string.h>

#include "repair_code.h"

/* Of the budget, less what the slowest path is behind: a block gathers for two thirds, the rest is for its
 * repair to leave and arrive. However slow a path is, an eighth. */
#define GATHER_PARTS    3
#define GATHERED_PARTS  2
#define LEAST_SHARE     8
#define QUEUED_MESSAGES 256u

struct repair_out {
	uint64_t budget_us;
	struct repair_measure measure;
	unsigned n; /* datagrams of the block; 0 = there is none */
	struct repair_message block;
	struct repair_out_message *list, **tail;
	unsigned queued;
	struct repair_out_counts counts;
	uint8_t symbols[REPAIR_MAX_DATAGRAMS][REPAIR_MAX_SYMBOL_BYTES];
};

struct repair_out *repair_out_new(void)
{
	struct repair_out *const o = repair_code_available() ? calloc(1, sizeof(*o)) : NULL;

	if (o != NULL) {
		o->tail = &o->list;
	}
	return o;
}

void repair_out_free(struct repair_out *o)
{
	if (o != NULL) {
		repair_out_begin(o, 0);
		free(o);
	}
}

void repair_out_take(struct repair_out *o, bool sent)
{
	struct repair_out_message *const first = o->list;

	o->list = first->next;
	o->tail = o->list != NULL ? o->tail : &o->list;
	o->queued--;
	if (sent) {
		o->counts.messages++;
		o->counts.bytes += first->len;
	} else {
		o->counts.dropped++;
	}
	free(first);
}

void repair_out_begin(struct repair_out *o, uint64_t budget_us)
{
	while (o->list != NULL) {
		repair_out_take(o, false);
	}
	o->n = 0;
	o->budget_us = budget_us;
	memset(&o->measure, 0, sizeof(o->measure));
	o->counts.loss = (struct repair_loss){.missed = 0};
}

void repair_out_look(struct repair_out *o, const struct repair_seen *seen, uint64_t now_us)
{
	repair_measure_look(&o->measure, seen, now_us);
	o->counts.loss.missed = repair_measure_missed(&o->measure);
	o->counts.loss.lost = repair_measure_lost(&o->measure);
}

/* Of the budget, what the slowest path leaves. */
static uint64_t left_us(const struct repair_out *o)
{
	return o->measure.spread_us < o->budget_us ? o->budget_us - o->measure.spread_us : 0;
}

uint64_t repair_out_wake_us(const struct repair_out *o)
{
	const uint64_t wanted_us = left_us(o) * GATHERED_PARTS / GATHER_PARTS;
	const uint64_t least_us = o->budget_us / LEAST_SHARE;

	return o->n > 0 ? o->block.time_us + (wanted_us > least_us ? wanted_us : least_us) : UINT64_MAX;
}

static struct repair_out_message *message_of(struct repair_out *o, unsigned i)
{
	const size_t len = REPAIR_FIELDS_BYTES + o->block.symbol_bytes;
	struct repair_out_message *const message = malloc(sizeof(*message) + len);

	if (message != NULL) {
		*message =
		    (struct repair_out_message){.dead_us = o->block.time_us + o->budget_us, .len = len};
		o->block.i = (uint8_t)i;
		repair_message_encode(&o->block, message->bytes);
	}
	return message;
}

static void append(struct repair_out *o, struct repair_out_message *message)
{
	*o->tail = message;
	o->tail = &message->next;
	o->queued++;
}

static void make_messages(struct repair_out *o, unsigned m)
{
	struct repair_out_message *messages[REPAIR_MAX_SYMBOLS];
	uint8_t *data[REPAIR_MAX_DATAGRAMS], *repair[REPAIR_MAX_SYMBOLS];
	unsigned made = 0;

	for (unsigned i = 0; i < o->n; i++) {
		data[i] = o->symbols[i];
	}
	for (; made < m && o->queued + made < QUEUED_MESSAGES; made++) {
		messages[made] = message_of(o, made);
		if (messages[made] == NULL) {
			break;
		}
		repair[made] = messages[made]->bytes + REPAIR_FIELDS_BYTES;
	}
	o->counts.dropped += m - made;
	if (made == 0) {
		return;
	}
	if (repair_code_make(o->n, made, o->block.symbol_bytes, data, repair) != 0) {
		o->counts.dropped += made;
		while (made > 0) {
			free(messages[--made]);
		}
	}
	for (unsigned i = 0; i < made; i++) {
		append(o, messages[i]);
	}
}

void repair_out_end(struct repair_out *o)
{
	if (o->n > 0) {
		o->block.k = (uint8_t)o->n;
		make_messages(o, repair_rate_symbols(o->n, &o->counts.loss));
		o->n = 0;
	}
}

static bool fits(const struct repair_out *o, const struct repair_datagram *d)
{
	return d->seq == o->block.first + o->n && d->time_us >= o->block.time_us &&
	       d->time_us - o->block.time_us <= UINT32_MAX;
}

void repair_out_add(struct repair_out *o, const struct repair_datagram *datagram)
{
	const bool protected = datagram->bytes <= REPAIR_MAX_DATAGRAM_BYTES && o->counts.loss.missed > 0 &&
	                       !repair_measure_overloaded(&o->measure);

	if (o->n > 0 && (!protected || !fits(o, datagram))) {
		repair_out_end(o);
	}
	if (!protected) {
		return;
	}
	if (o->n == 0) {
		o->block = (struct repair_message){.first = datagram->seq, .time_us = datagram->time_us};
	}
	/* Zeros up to the largest symbol: how long those of this block are is not known before its end. */
	repair_symbol_write(datagram, o->block.time_us, o->symbols[o->n++], REPAIR_MAX_SYMBOL_BYTES);
	if (o->block.symbol_bytes < REPAIR_PREFIX_BYTES + datagram->bytes) {
		o->block.symbol_bytes = REPAIR_PREFIX_BYTES + datagram->bytes;
	}
	if (o->n == REPAIR_MAX_DATAGRAMS) {
		repair_out_end(o);
	}
}

void repair_out_run(struct repair_out *o, uint64_t now_us)
{
	if (now_us >= repair_out_wake_us(o)) {
		repair_out_end(o);
	}
}

const struct repair_out_message *repair_out_first(const struct repair_out *o)
{
	return o->list;
}

struct repair_out_counts repair_out_counts(const struct repair_out *o)
{
	return o->counts;
}
