/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The path that answers an INIT first carries the handshake and the first data: a slow, dead or refusing
 * address in front of a fast one costs nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/content.h"
#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"
#include "support/policy.h"

enum {
	MS = 1000,
	BYTES = 10000,
	AT_ONCE_BYTES = 500,
	FAST_MS = 10,
	SLOW_MS = 150,
	WAIT_US = 5000 * MS,
	N_PATHS_MAX = 2
};

/* STALE: answers an INIT, says that the cookie is stale, and is silent from then on. */
enum path { FAST, SLOW, DEAD, REFUSES, STALE };

struct job {
	enum path paths[N_PATHS_MAX];
	int n_paths;
	bool plain; /* no scheduler */
	uint64_t seed;
};

struct outcome {
	bool complete, ended, data_behind_cookie;
	unsigned inits[N_PATHS_MAX], cookies[N_PATHS_MAX];
	uint64_t done_us;
	int primary; /* path of the client's */
};

static const struct job *job;
static struct outcome *outcome;
static uint32_t client_tag;

static void configure(struct socket *so, int host, void *arg)
{
	(void)host;
	(void)arg;
	policy_choose(so, SCTP_CMT_SCHEDULER, job->plain ? NULL : "auto");
}

static void answer(struct usrsctp_cmt_sim *sim, int path, uint8_t type, const void *body, size_t body_bytes)
{
	struct packet_draft d;

	packet_begin(&d, PAIR_SERVER_PORT, PAIR_CLIENT_PORT, client_tag);
	packet_add(&d, type, (uint16_t)(4 + body_bytes), body, body_bytes);
	packet_finish(&d);
	REQUIRE(usrsctp_cmt_sim_inject(sim, path, PAIR_SERVER, d.bytes, d.len) == 0);
}

static void fall_silent(struct usrsctp_cmt_sim *sim, int path)
{
	struct usrsctp_cmt_sim_link link;

	REQUIRE(usrsctp_cmt_sim_get_link(sim, path, PAIR_CLIENT, &link) == 0);
	link.down = true;
	REQUIRE(usrsctp_cmt_sim_set_link(sim, path, PAIR_CLIENT, &link) == 0);
}

/* RFC 9260, section 3.3.10.3. */
static void say_stale(struct usrsctp_cmt_sim *sim, int path)
{
	static const uint8_t cause[] = {0, 3, 0, 8, 0, 0, 0, 0};

	answer(sim, path, CHUNK_ERROR, cause, sizeof(cause));
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p, void *arg)
{
	struct chunk init;

	(void)arg;
	if (job->paths[p->path] == STALE && p->event == USRSCTP_CMT_SIM_SENT) {
		if (packet_has(p->packet, p->packet_bytes, CHUNK_INIT_ACK))
			fall_silent(sim, p->path);
		if (packet_has(p->packet, p->packet_bytes, CHUNK_COOKIE_ECHO)) {
			outcome->data_behind_cookie |= packet_has(p->packet, p->packet_bytes, CHUNK_DATA);
			say_stale(sim, p->path);
		}
	}
	if (p->direction != PAIR_CLIENT || p->event != USRSCTP_CMT_SIM_SENT)
		return;
	outcome->cookies[p->path] += packet_has(p->packet, p->packet_bytes, CHUNK_COOKIE_ECHO);
	if (!packet_find(p->packet, p->packet_bytes, CHUNK_INIT, &init))
		return;
	outcome->inits[p->path]++;
	client_tag = packet_get32(init.bytes + 4);
	/* As who has no listener there (RFC 9260, section 8.4). */
	if (job->paths[p->path] == REFUSES)
		answer(sim, p->path, CHUNK_ABORT, NULL, 0);
}

static struct usrsctp_cmt_sim_link link_of(enum path kind)
{
	return (struct usrsctp_cmt_sim_link){.rate_bps = 10000000,
	                                     .delay_us = (kind == SLOW ? SLOW_MS : FAST_MS) * MS,
	                                     .queue_pkts = 100,
	                                     .down = kind == DEAD || kind == REFUSES};
}

static int primary_path(struct socket *so)
{
	struct sctp_status status = {.sstat_assoc_id = SCTP_FUTURE_ASSOC};
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	socklen_t bytes = sizeof(status);
	const int n = pair_path_stats(so, paths);
	int at = -1;

	REQUIRE(usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_STATUS, &status, &bytes) == 0);
	for (int i = 0; i < n; i++) {
		const struct sockaddr_in *remote = (const struct sockaddr_in *)&paths[i].remote;

		if (remote->sin_addr.s_addr ==
		    ((const struct sockaddr_in *)&status.sstat_primary.spinfo_address)->sin_addr.s_addr)
			at = i;
	}
	return at;
}

/* What waits when the cookie goes leaves with it. */
static void send_at_once(struct pair *pair)
{
	REQUIRE(usrsctp_sendv(pair->client, content_of_stream(0, AT_ONCE_BYTES), AT_ONCE_BYTES, NULL, 0, NULL, 0,
	                      SCTP_SENDV_NOINFO, 0) == AT_ONCE_BYTES);
	pair->sent_bytes = AT_ONCE_BYTES;
}

static void run(const void *what, void *out)
{
	struct pair_options o = {.bytes = BYTES, .configure = configure, .tap = watch};
	struct pair pair;

	job = what;
	outcome = out;
	o.seed = job->seed;
	o.n_paths = job->n_paths;
	for (int i = 0; i < job->n_paths; i++) {
		o.forward[i] = o.backward[i] = link_of(job->paths[i]);
		o.backward[i].down = job->paths[i] == DEAD;
	}
	pair_open(&pair, &o);
	if (job->paths[0] == STALE)
		send_at_once(&pair);
	pair_run(&pair, WAIT_US);
	outcome->complete = pair.complete && pair.intact;
	outcome->ended = pair.ended;
	outcome->done_us = pair.done_us;
	outcome->primary = pair.ended ? -1 : primary_path(pair.client);
	pair_close(&pair);
}

static struct outcome run_isolated(struct job what)
{
	struct outcome o;

	isolate_run(run, &what, &o, sizeof(o));
	print_message("paths %d, %d: INIT %u and %u, COOKIE-ECHO %u and %u, %.1f ms\n", (int)what.paths[0],
	              (int)what.paths[1], o.inits[0], o.inits[1], o.cookies[0], o.cookies[1],
	              (double)o.done_us / MS);
	return o;
}

static void assert_as_the_fast_one_alone(const struct outcome *o, int fast)
{
	const struct outcome alone = run_isolated((struct job){.paths = {FAST}, .n_paths = 1, .seed = 1});

	assert_true(o->complete && alone.complete);
	assert_false(o->ended);
	assert_in_range(o->done_us, 0, alone.done_us * 102 / 100);
	assert_int_equal(o->inits[0], 1);
	assert_int_equal(o->inits[1], 1);
	assert_int_equal(o->cookies[fast], 1);
	assert_int_equal(o->cookies[1 - fast], 0);
	assert_int_equal(o->primary, fast);
}

static void a_slow_or_dead_path_in_front_costs_nothing(void **state)
{
	static const enum path kinds[] = {SLOW, DEAD};

	(void)state;
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct outcome o =
		    run_isolated((struct job){.paths = {kinds[i], FAST}, .n_paths = 2, .seed = 2 + i});

		assert_as_the_fast_one_alone(&o, 1);
	}
}

/* Another address may be another host's. */
static void a_further_address_that_refuses_ends_nothing(void **state)
{
	const struct outcome o =
	    run_isolated((struct job){.paths = {FAST, REFUSES}, .n_paths = 2, .seed = 4});

	(void)state;
	assert_as_the_fast_one_alone(&o, 0);
}

static void the_first_address_that_refuses_ends_it(void **state)
{
	const struct outcome o =
	    run_isolated((struct job){.paths = {REFUSES, DEAD}, .n_paths = 2, .seed = 5});

	(void)state;
	assert_false(o.complete);
	assert_true(o.ended);
	assert_int_equal(o.inits[0], 1);
}

/* Section 5.2.6: the handshake begins again. The peer discarded what went with the first cookie. */
static void a_stale_cookie_whose_path_falls_silent_holds_nothing_up(void **state)
{
	const struct outcome o = run_isolated((struct job){.paths = {STALE, FAST}, .n_paths = 2, .seed = 7});

	(void)state;
	assert_true(o.complete && o.data_behind_cookie);
	assert_false(o.ended);
	assert_int_equal(o.cookies[0], 1);
	assert_int_equal(o.inits[1], 2);
	assert_in_range(o.done_us, 0, 12 * FAST_MS * MS);
}

static void without_a_scheduler_addresses_are_asked_one_after_the_other(void **state)
{
	const struct outcome o =
	    run_isolated((struct job){.paths = {SLOW, FAST}, .n_paths = 2, .plain = true, .seed = 6});

	(void)state;
	assert_true(o.complete);
	assert_int_equal(o.inits[0], 1);
	assert_int_equal(o.inits[1], 0);
	assert_int_equal(o.primary, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_slow_or_dead_path_in_front_costs_nothing),
	    cmocka_unit_test(a_further_address_that_refuses_ends_nothing),
	    cmocka_unit_test(the_first_address_that_refuses_ends_it),
	    cmocka_unit_test(a_stale_cookie_whose_path_falls_silent_holds_nothing_up),
	    cmocka_unit_test(without_a_scheduler_addresses_are_asked_one_after_the_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
