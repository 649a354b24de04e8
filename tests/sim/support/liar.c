/* SPDX-License-Identifier: BSD-3-Clause */
#include "liar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "impostor.h"
#include "isolate.h"
#include "packet.h"
#include "pair.h"
#include "policy.h"
#include "wire/cmt_wire.h"

enum {
	SACK_FIXED_BYTES = 16, /* chunk header, cumulative TSN, window, numbers of blocks and duplicates */
	BLOCK_BYTES = 4,
	JUMBO_BYTES = 9000,
	RECENT_TSNS = 1000,
	RECENT_ECHOES = 64
};

struct liar {
	const struct liar_job *job;
	struct liar_outcome *o;
	uint32_t tsns[RECENT_TSNS]; /* arrived lately, the newest at n_tsns - 1, modulo the size */
	uint32_t n_tsns;
	uint32_t newest_sent;
	struct liar_echo {
		uint8_t bytes[CMT_ECHO_MAX_BYTES];
		size_t len;
	} echoes[RECENT_ECHOES];
	uint32_t n_echoes;
	struct impostor impostor;
};

struct jumbo {
	uint8_t bytes[JUMBO_BYTES];
	size_t len;
};

static void note_arrival(struct liar *l, const struct usrsctp_cmt_sim_packet *packet)
{
	size_t offset = 0;
	struct chunk c;

	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		if (chunk_is_data(&c))
			l->tsns[l->n_tsns++ % RECENT_TSNS] = chunk_tsn(&c);
	}
}

static void note_sent(struct liar *l, const struct usrsctp_cmt_sim_packet *packet)
{
	size_t offset = 0;
	struct chunk c;

	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		if (chunk_is_data(&c) &&
		    (l->newest_sent == 0 || (int32_t)(chunk_tsn(&c) - l->newest_sent) > 0))
			l->newest_sent = chunk_tsn(&c);
	}
}

static void append(struct jumbo *d, const void *bytes, size_t len)
{
	memcpy(d->bytes + d->len, bytes, len);
	d->len += (len + 3) & ~(size_t)3;
}

static uint32_t duplicates_wanted(const struct liar *l)
{
	switch (l->job->lie) {
	case LIE_DUPLICATES:
	case LIE_BOTH: return l->n_tsns < 100 ? l->n_tsns : 100;
	case LIE_MANY_DUPLICATES: return RECENT_TSNS;
	case HONEST:
	case LIE_STALE:
	case LIE_OLD:
	case LIE_SILENT:
	case LIE_UNSENT:
	case LIE_UNSENT_BLOCKS: break;
	}
	return 0;
}

static void append_sack(struct liar *l, struct jumbo *d, const struct chunk *sack)
{
	uint8_t *at = d->bytes + d->len;
	uint32_t n_blocks = packet_get16(sack->bytes + 12), n = duplicates_wanted(l);
	size_t kept = n > 0 ? SACK_FIXED_BYTES + n_blocks * BLOCK_BYTES : sack->len;

	append(d, sack->bytes, kept);
	if (n > 0) {
		for (uint32_t i = 0; i < n; i++)
			packet_put32(at + kept + i * 4, l->tsns[(l->n_tsns - 1 - i) % RECENT_TSNS]);
		packet_put16(at + 14, (uint16_t)n);
		packet_put16(at + 2, (uint16_t)(kept + n * 4));
		d->len += n * 4;
	}
	if (l->job->lie == LIE_UNSENT)
		packet_put32(at + 4, l->newest_sent + l->job->ahead);
	if (l->job->lie == LIE_UNSENT_BLOCKS && n_blocks > 0)
		packet_put16(at + SACK_FIXED_BYTES + n_blocks * BLOCK_BYTES - 2, UINT16_MAX);
}

/* Echoes of another SACK; their Te grows with the time since, as long as they lie. */
static void append_echo(struct liar *l, struct jumbo *d, const struct chunk *echo, bool gaps)
{
	struct liar_echo *mine = &l->echoes[l->n_echoes % RECENT_ECHOES];
	uint32_t age = l->job->lie == LIE_OLD ? RECENT_ECHOES - 1 : 1;
	const struct liar_echo *other = &l->echoes[(l->n_echoes - age) % RECENT_ECHOES];

	memcpy(mine->bytes, echo->bytes, echo->len);
	mine->len = echo->len;
	switch (l->job->lie) {
	case LIE_STALE:
	case LIE_OLD:
	case LIE_BOTH:
		if (l->n_echoes >= age)
			append(d, other->bytes, other->len);
		break;
	case LIE_SILENT:
		if (!gaps)
			append(d, echo->bytes, echo->len);
		break;
	case HONEST:
	case LIE_DUPLICATES:
	case LIE_MANY_DUPLICATES:
	case LIE_UNSENT:
	case LIE_UNSENT_BLOCKS: append(d, echo->bytes, echo->len); break;
	}
	l->n_echoes++;
}

/* The packet with other SACKs and echoes; 0 when it has none, or too little has happened to lie about. */
static size_t forge(const struct usrsctp_cmt_sim_packet *packet, uint8_t *out, size_t size, void *arg)
{
	struct jumbo jumbo = {.len = 0}, *d = &jumbo;
	struct liar *l = arg;
	size_t offset = 0;
	struct chunk c;
	bool any = false, gaps = false;

	if (l->n_tsns < 50)
		return 0;
	append(d, packet->packet, COMMON_HEADER_BYTES);
	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		if (c.type == CHUNK_SACK) {
			any = true;
			gaps = packet_get16(c.bytes + 12) > 0;
			append_sack(l, d, &c);
		} else if (c.type == CHUNK_ECHO) {
			append_echo(l, d, &c, gaps);
		} else {
			append(d, c.bytes, c.len);
		}
	}
	REQUIRE(d->len <= size);
	memcpy(out, d->bytes, d->len);
	return any ? d->len : 0;
}

static void lie(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct liar *l = arg;

	if (packet->event == USRSCTP_CMT_SIM_DELIVERED && packet->direction == 0)
		note_arrival(l, packet);
	if (packet->event != USRSCTP_CMT_SIM_SENT)
		return;
	if (packet->direction == 0)
		note_sent(l, packet);
	l->o->aborts += packet_has(packet->packet, packet->packet_bytes, CHUNK_ABORT);
	if (l->job->lie != HONEST)
		impostor_meet(&l->impostor, sim, packet);
}

static void choose(struct socket *so, int host, void *arg)
{
	const struct liar_job *job = ((struct liar *)arg)->job;
	const int buffer_bytes = 1000000;

	(void)host;
	policy_choose(so, SCTP_CMT_CC, job->cc);
	policy_choose(so, SCTP_CMT_RECOVERY, job->recovery);
	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof(buffer_bytes)) == 0);
}

static void transfer(const void *job, void *outcome)
{
	static struct liar l;
	struct usrsctp_cmt_sim_link forward = {.rate_bps = 20000000, .delay_us = 20000, .queue_pkts = 100};
	struct usrsctp_cmt_sim_link backward = forward;
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	struct pair_options options = {.n_paths = 2,
	                               .bytes = 4000000,
	                               .scheduler = "auto",
	                               .rcvbuf_bytes = 1000000,
	                               .configure = choose,
	                               .tap = lie,
	                               .arg = &l};
	struct pair p;

	l = (struct liar){.job = job, .o = outcome, .impostor = {.forge = forge, .arg = &l}};
	options.seed = l.job->seed;
	forward.loss = l.job->loss;
	backward.mtu_bytes = JUMBO_BYTES;
	for (int path = 0; path < 2; path++) {
		options.forward[path] = forward;
		options.backward[path] = backward;
	}
	if (l.job->unequal)
		options.forward[1].delay_us = options.backward[1].delay_us = 100000;
	pair_open(&p, &options);
	pair_run(&p, UINT64_C(600000000));
	l.o->forged = l.impostor.forged;
	l.o->delivered = p.complete;
	l.o->intact = p.intact;
	l.o->ended = p.ended;
	l.o->received_bytes = p.received_bytes;
	l.o->done_us = p.done_us;
	if (!p.ended) {
		l.o->illegal = (uint32_t)pair_stats(p.client).illegal_decisions;
		for (int i = 0, n = pair_path_stats(p.client, paths); i < n; i++) {
			l.o->spurious += paths[i].spurious_chunks;
			l.o->undone += paths[i].undone;
		}
	}
	pair_close(&p);
}

struct liar_outcome liar_run(struct liar_job job)
{
	struct liar_outcome o;

	isolate_run(transfer, &job, &o, sizeof(o));
	printf("lie %d, %s, %s, loss %.3f, seed %llu: %u forged, %llu us, %llu spurious, %llu undone, %u "
	       "ABORTs\n",
	       (int)job.lie, job.cc != NULL ? job.cc : "default",
	       job.recovery != NULL ? job.recovery : "default", job.loss, (unsigned long long)job.seed,
	       o.forged, (unsigned long long)o.done_us, (unsigned long long)o.spurious,
	       (unsigned long long)o.undone, o.aborts);
	assert_true(o.intact);
	assert_int_equal(o.illegal, 0);
	return o;
}
