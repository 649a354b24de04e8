/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A NAT gives one of two paths to our address another public address, and the first packet from there says
 * nothing of its path: the one that moves there is the one that is silent since, however shortly the other
 * was heard afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <string.h>

#include "support/isolate.h"
#include "support/raw.h"

enum { HOME, OTHER, ELSEWHERE, N_PLACES, MS = 1000 };

static struct raw r;

static void share_our_address(struct socket *so)
{
	(void)so;
	for (int path = OTHER; path < N_PLACES; path++)
		REQUIRE(usrsctp_cmt_sim_share_address(r.sim, path, 0, HOME) == 0);
}

/* It arrives when the simulation goes on, behind what was said before. */
static void say_data(int path)
{
	struct packet_draft d;

	raw_begin(&r, &d);
	raw_add_data(&r, &d, 1, (uint16_t)(r.tsn - RAW_TSN), 100);
	packet_finish(&d);
	REQUIRE(usrsctp_cmt_sim_inject(r.sim, path, 1, d.bytes, d.len) == 0);
}

static void join(int path)
{
	static const uint8_t information[8] = {0, 1, 0, 8, 'm', 'i', 'n', 'e'};
	const unsigned since = r.n_heard;
	struct packet_draft d;

	raw_begin(&r, &d);
	packet_add(&d, CHUNK_HEARTBEAT, 4 + sizeof(information), information, sizeof(information));
	raw_send(&r, path, &d);
	raw_run(&r, MS);
	raw_answer_heartbeats(&r, since);
}

/* Which places the stack's paths lead to, as bits. */
static unsigned places(void)
{
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS] = {{.size = sizeof(paths[0])}};
	socklen_t bytes = sizeof(paths);
	unsigned found = 0;

	REQUIRE(usrsctp_getsockopt(r.so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths, &bytes) == 0);
	for (size_t i = 0; i < bytes / sizeof(paths[0]); i++) {
		struct sockaddr_in remote;

		memcpy(&remote, &paths[i].remote, sizeof(remote));
		found |= 1U << ((ntohl(remote.sin_addr.s_addr) >> 16 & 0xff) - 1);
	}
	return found;
}

struct job {
	int moves, stays;
};

static void run(const void *what, void *out)
{
	static const struct raw_options options = {.n_paths = N_PLACES,
	                                           .parameters = {RAW_SPEAKS_OURS},
	                                           .parameters_bytes = RAW_SPEAKS_OURS_BYTES,
	                                           .configure = share_our_address};
	const struct job *const job = what;
	unsigned since;

	raw_accepted(&r, &options);
	join(OTHER);
	raw_run(&r, 100 * MS);
	say_data(job->stays);
	raw_run(&r, 10 * MS);
	say_data(job->moves);
	raw_run(&r, 10 * MS);
	since = r.n_heard;
	say_data(ELSEWHERE);
	say_data(job->stays);
	raw_run(&r, MS);
	raw_answer_heartbeats(&r, since);
	raw_run(&r, MS);
	*(unsigned *)out = places();
	raw_close(&r);
}

static void the_path_that_was_heard_in_the_same_millisecond_stays(void **state)
{
	static const struct job jobs[] = {{.moves = HOME, .stays = OTHER}, {.moves = OTHER, .stays = HOME}};

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		unsigned found;

		isolate_run(run, &jobs[i], &found, sizeof(found));
		assert_int_equal(found, 1U << ELSEWHERE | 1U << jobs[i].stays);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_path_that_was_heard_in_the_same_millisecond_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
