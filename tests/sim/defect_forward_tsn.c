/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A sender that abandons messages in every way that RFC 3758 allows, at random: lost fragments, FORWARD-TSN
 * with and without DATA behind it, retransmissions of what is not abandoned. No ABORT may answer it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { SEEDS = 300, STREAMS = 3, ROUNDS = 30, TSNS_MAX = 600, FRAGMENT_BYTES = 100 };
enum { LAST = 1, FIRST = 2, UNORDERED = 4 };

struct fragment {
	uint16_t stream, number, message;
	uint8_t flags;
	bool arrived, abandoned;
};

struct outcome {
	bool aborted;
	char reason[64]; /* of the ABORT */
	unsigned forwards;
};

static struct raw r;
static struct raw_options options = {.parameters = {0xc0, 0, 0, 4}, .parameters_bytes = 4};
static struct fragment sent[TSNS_MAX];
static unsigned n_sent;
static uint64_t rng;

static unsigned any(unsigned below)
{
	rng = rng * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(rng >> 33) % below;
}

static void compose(uint16_t numbers[STREAMS])
{
	unsigned n = any(3) == 0 ? 2 + any(3) : 1;
	uint16_t stream = (uint16_t)any(STREAMS);
	bool unordered = any(2) == 0;
	static uint16_t message;

	message++;
	for (unsigned i = 0; i < n && n_sent < TSNS_MAX; i++)
		sent[n_sent++] =
		    (struct fragment){.stream = stream,
		                      .number = unordered ? 0 : numbers[stream],
		                      .message = message,
		                      .flags = (uint8_t)((i == 0 ? FIRST : 0) | (i == n - 1 ? LAST : 0) |
		                                         (unordered ? UNORDERED : 0))};
	if (!unordered)
		numbers[stream]++;
}

static void add(struct packet_draft *d, unsigned i)
{
	uint8_t body[12 + FRAGMENT_BYTES] = {0};
	uint8_t *at = d->bytes + d->len;

	packet_put32(body, RAW_TSN + i);
	packet_put16(body + 4, sent[i].stream);
	packet_put16(body + 6, sent[i].number);
	packet_add(d, CHUNK_DATA, 16 + FRAGMENT_BYTES, body, sizeof(body));
	at[1] = sent[i].flags;
	sent[i].arrived = true;
}

static unsigned acknowledged(void)
{
	unsigned n = 0;

	while (n < n_sent && sent[n].arrived)
		n++;
	return n;
}

/* RFC 3758, section 3.5, C2 to C5. */
static bool add_forward(struct packet_draft *d, unsigned from)
{
	uint8_t body[4 + 4 * STREAMS * 100] = {0};
	size_t len = 4;
	unsigned to = from;

	while (to < n_sent && sent[to].abandoned)
		to++;
	if (to == from)
		return false;
	for (unsigned i = from; i < to; i++) {
		if (!sent[i].abandoned || (sent[i].flags & UNORDERED) != 0 || len + 4 > sizeof(body) / 2)
			continue;
		packet_put16(body + len, sent[i].stream);
		packet_put16(body + len + 2, sent[i].number);
		len += 4;
	}
	packet_put32(body, RAW_TSN + to - 1);
	packet_add(d, CHUNK_FORWARD_TSN, (uint16_t)(4 + len), body, len);
	for (unsigned i = from; i < to; i++)
		sent[i].arrived = true;
	return true;
}

static void abandon_messages(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	uint16_t numbers[STREAMS] = {0};
	struct packet_draft d;
	unsigned since = 0;
	struct chunk c;

	rng = *(const uint64_t *)job;
	raw_accepted(&r, &options);
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned before = n_sent, cumulative;

		/* New messages, of which half get lost, each in a packet of its own. */
		for (unsigned i = 0; i < 4; i++)
			compose(numbers);
		for (unsigned i = before; i < n_sent; i++) {
			if (any(2) == 0)
				continue;
			raw_begin(&r, &d);
			add(&d, i);
			raw_send(&r, 0, &d);
		}
		/* Of those that lack something some are given up, unless they are complete at the receiver.
		 */
		for (unsigned i = 0; i < n_sent; i++) {
			if (sent[i].arrived || sent[i].abandoned || any(3) != 0)
				continue;
			for (unsigned k = 0; k < n_sent; k++)
				sent[k].abandoned |= sent[k].message == sent[i].message;
		}
		cumulative = acknowledged();
		raw_begin(&r, &d);
		if (add_forward(&d, cumulative)) {
			o->forwards++;
			if (any(2) == 0) {
				raw_send(&r, 0, &d);
				raw_begin(&r, &d);
			}
		}
		/* Retransmissions, maybe behind it. */
		for (unsigned i = 0; i < n_sent; i++) {
			if (!sent[i].arrived && !sent[i].abandoned && any(2) == 0 && d.len < 1000)
				add(&d, i);
		}
		if (d.len > COMMON_HEADER_BYTES)
			raw_send(&r, 0, &d);
		if (r.ended)
			break;
	}
	o->aborted = raw_hear(&r, &since, CHUNK_ABORT, &c);
	if (o->aborted && c.len > 8)
		memcpy(o->reason, c.bytes + 8,
		       c.len - 8 < sizeof(o->reason) ? c.len - 8 : sizeof(o->reason) - 1);
	raw_close(&r);
}

static void a_sender_that_keeps_to_the_rules_is_not_aborted(void **state)
{
	unsigned aborted = 0, forwards = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct outcome o;

		isolate_run(abandon_messages, &seed, &o, sizeof(o));
		if (o.aborted)
			printf("seed %llu: %s\n", (unsigned long long)seed, o.reason);
		aborted += o.aborted;
		forwards += o.forwards;
	}
	printf("%u of %u aborted, %u FORWARD-TSNs\n", aborted, SEEDS, forwards);
	assert_true(forwards > SEEDS);
	assert_int_equal(aborted > 0, !CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_sender_that_keeps_to_the_rules_is_not_aborted)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
