/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ABORTs of a stock peer, or of whoever sits at one of its addresses, that bring the tag back with which they
 * were asked (RFC 9260, section 8.5.1): nobody knows the association there. From an address that never
 * answered that ends the path, from one that has answered the association. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/policy.h"
#include "support/raw.h"

enum { HOME, OTHER, N_ADDRESSES };
enum { T_BIT = 1, WRITTEN_BYTES = 4000, SECONDS = 5, S = 1000000 };

struct job {
	const char *scheduler; /* NULL = none */
	bool listens;          /* the stack does */
	bool confirmed;        /* the other address has answered before */
	int from;              /* where the ABORTs come from */
};

struct outcome {
	bool alive;
	unsigned asked, data; /* HEARTBEATs and DATA to the other address */
};

static const struct job *job;
static struct raw r;

static void configure(struct socket *so)
{
	if (job->scheduler != NULL)
		policy_choose(so, SCTP_CMT_SCHEDULER, job->scheduler);
}

static void answer(unsigned *since, bool everywhere)
{
	struct packet_draft d;
	struct chunk c;

	while (raw_hear(&r, since, CHUNK_HEARTBEAT, &c)) {
		if (r.heard[*since - 1].path != HOME && !everywhere)
			continue;
		raw_begin(&r, &d);
		packet_add(&d, CHUNK_HEARTBEAT_ACK, (uint16_t)c.len, c.bytes + 4, c.len - 4);
		raw_send(&r, r.heard[*since - 1].path, &d);
	}
}

/* As raw_establish(), but that HEARTBEATs are left to answer(). */
static void establish(void)
{
	struct packet_draft d;

	if (job->listens) {
		raw_ask_cookie(&r);
		raw_begin_cookie_echo(&r, &d);
		raw_send(&r, HOME, &d);
		return;
	}
	r.heard_before = r.n_heard;
	raw_begin(&r, &d);
	raw_add_init(&r, &d, CHUNK_INIT_ACK, "cookie!", 8);
	raw_send(&r, HOME, &d);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_COOKIE_ACK, 4, NULL, 0);
	raw_send(&r, HOME, &d);
}

static void abort_reflected(void)
{
	struct packet_draft d;

	raw_begin_tagged(&r, &d, r.tag);
	packet_add(&d, CHUNK_ABORT, 4, NULL, 0);
	d.bytes[d.len - 3] = T_BIT;
	raw_send(&r, job->from, &d);
}

static unsigned count_to_other(uint8_t type)
{
	struct chunk c;
	unsigned n = 0;

	for (unsigned i = 0; i < r.n_heard; i++)
		n += r.heard[i].path == OTHER && packet_find(r.heard[i].bytes, r.heard[i].len, type, &c);
	return n;
}

static void run(const void *what, void *out)
{
	static const struct raw_options options = {.n_paths = N_ADDRESSES,
	                                           .parameters = {RAW_ADDRESS(HOME), RAW_ADDRESS(OTHER)},
	                                           .parameters_bytes = 16,
	                                           .configure = configure};
	struct outcome *o = out;
	unsigned since;

	job = what;
	if (job->listens)
		raw_listen(&r, &options);
	else
		raw_connect(&r, &options);
	establish();
	since = r.heard_before;
	for (unsigned i = 0; i < SECONDS && !r.ended; i++) {
		raw_run(&r, S);
		answer(&since, job->confirmed);
		if (job->confirmed && i < 2)
			continue;
		abort_reflected();
		if (!r.ended) {
			raw_write(&r, WRITTEN_BYTES);
			raw_acknowledge(&r);
		}
	}
	o->asked = count_to_other(CHUNK_HEARTBEAT);
	o->data = count_to_other(CHUNK_DATA);
	o->alive = !r.ended && raw_alive(&r);
	raw_close(&r);
}

static struct outcome run_isolated(struct job what)
{
	struct outcome o;

	isolate_run(run, &what, &o, sizeof(o));
	print_message("%s, %s, %s, ABORT from %s: %s, %u HEARTBEATs and %u DATA there\n",
	              what.scheduler != NULL ? what.scheduler : "no scheduler",
	              what.listens ? "listens" : "connects", what.confirmed ? "confirmed" : "not confirmed",
	              what.from == HOME ? "the first" : "the other", o.alive ? "alive" : "ended", o.asked,
	              o.data);
	return o;
}

static const char *const schedulers[] = {NULL, "auto"};

static void from_an_address_that_never_answered_it_ends_that_path_only(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct outcome o = run_isolated(
		    (struct job){.scheduler = schedulers[i / 2], .listens = i % 2 != 0, .from = OTHER});

		assert_true(o.alive);
		assert_true(o.asked > 0);
		assert_int_equal(o.data, 0);
	}
}

static void from_one_that_answered_it_ends_the_association(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		struct outcome o = run_isolated((struct job){.scheduler = schedulers[i / 4],
		                                             .listens = i % 2 != 0,
		                                             .confirmed = i / 2 % 2 != 0,
		                                             .from = i / 2 % 2 != 0 ? OTHER : HOME});

		assert_false(o.alive);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(from_an_address_that_never_answered_it_ends_that_path_only),
	    cmocka_unit_test(from_one_that_answered_it_ends_the_association),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
