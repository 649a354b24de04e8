/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A peer with one address that does not know our extension leaves nothing to schedule: with each scheduler it
 * hears, packet by packet, what it hears without one, where RFC 9260 says what that is. With two addresses it
 * does so, but for the path, where nothing is lost and no packet is full.
 *
 * cost: 3 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/policy.h"
#include "support/raw.h"

enum { I_BIT = 8, TEXT_BYTES = 60000 };

typedef void script(struct raw *r);

struct job {
	script *play;
	const char *scheduler;
	bool connects, default_rto, two_addresses;
	bool unsettled; /* the second address is not confirmed */
};

struct heard {
	char text[TEXT_BYTES];
};

static const struct job *current; /* of the child */

static void configure(struct socket *so)
{
	const struct sctp_rtoinfo rto = {.srto_initial = 100, .srto_max = 800, .srto_min = 100};
	const int on = 1;

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof(on)) == 0);
	if (!current->default_rto)
		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_RTOINFO, &rto, sizeof(rto)) == 0);
	policy_choose(so, SCTP_CMT_SCHEDULER, current->scheduler);
}

static void print_heard(const struct raw *r, unsigned from, char *text)
{
	size_t used = 0;

	for (unsigned i = from; i < r->n_heard; i++) {
		const struct raw_packet *p = &r->heard[i];
		size_t offset = 0;
		struct chunk c;

		used += (size_t)snprintf(text + used, TEXT_BYTES - used,
		                         "%llu us:", (unsigned long long)p->at_us);
		while (packet_next_chunk(p->bytes, p->len, &offset, &c) && used < TEXT_BYTES) {
			used += (size_t)snprintf(text + used, TEXT_BYTES - used, " %u/%02x/%zu", c.type,
			                         c.bytes[1], c.len);
			if (chunk_is_data(&c))
				used += (size_t)snprintf(text + used, TEXT_BYTES - used, "#%u",
				                         chunk_tsn(&c) - r->stack_tsn);
		}
		REQUIRE(used < TEXT_BYTES - 2);
		text[used++] = '\n';
	}
	text[used] = '\0';
}

/* HEARTBEATs are packets of their own. */
static void check_shutdowns(const struct raw *r)
{
	struct chunk c;

	for (unsigned i = 0; i < r->n_heard; i++)
		REQUIRE(!packet_find(r->heard[i].bytes, r->heard[i].len, CHUNK_SHUTDOWN, &c) ||
		        !packet_find(r->heard[i].bytes, r->heard[i].len, CHUNK_HEARTBEAT, &c));
}

/* Until both addresses are confirmed. */
static void settle(struct raw *r)
{
	unsigned since = r->heard_before;

	for (unsigned i = 0; i < 20; i++) {
		raw_run(r, 100000);
		raw_answer_heartbeats(r, since);
		since = r->n_heard;
	}
}

static void play(const void *job, void *outcome)
{
	struct raw_options options = {
	    .configure = configure, .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1)}, .n_paths = 1};
	struct heard *heard = outcome;
	unsigned from;
	struct raw r;

	current = job;
	if (current->two_addresses) {
		options.n_paths = 2;
		options.parameters_bytes = 16;
	}
	if (current->connects) {
		raw_connect(&r, &options);
		raw_establish(&r);
	} else {
		raw_accepted(&r, &options);
	}
	if (current->two_addresses && !current->unsettled)
		settle(&r);
	from = r.n_heard;
	current->play(&r);
	print_heard(&r, from, heard->text);
	check_shutdowns(&r);
	raw_close(&r);
}

static uint64_t ms(uint64_t n)
{
	return n * 1000;
}

/* Acknowledges the first `n` TSNs of the stack, and those from `gap` to `gap_end` - 1. */
static void acknowledge(struct raw *r, uint32_t n, uint32_t gap, uint32_t gap_end, uint32_t window_bytes)
{
	const struct raw_gap block = {(uint16_t)(gap - n + 1), (uint16_t)(gap_end - n)};

	raw_sack(r, r->stack_tsn + n - 1, window_bytes, &block, gap_end > gap);
}

static void one_message_acknowledged_late(struct raw *r)
{
	for (uint32_t i = 1; i <= 5; i++) {
		raw_write(r, 1000);
		raw_run(r, ms(50));
		acknowledge(r, i, 0, 0, RAW_WINDOW_BYTES);
		raw_run(r, ms(300));
	}
}

static void one_message_never_acknowledged(struct raw *r)
{
	raw_write(r, 1000);
	raw_run(r, ms(3000));
}

static void a_message_answered_after_its_timeouts(struct raw *r)
{
	raw_write(r, 1000);
	raw_run(r, ms(450));
	acknowledge(r, 1, 0, 0, RAW_WINDOW_BYTES);
	raw_write(r, 500);
	raw_run(r, ms(40));
	acknowledge(r, 2, 0, 0, RAW_WINDOW_BYTES);
	raw_run(r, ms(1000));
}

static void small_messages_share_packets(struct raw *r)
{
	raw_write(r, 1000);
	raw_write(r, 1000);
	raw_write(r, 1000);
	for (int i = 0; i < 30; i++)
		raw_write(r, 100);
	raw_run(r, ms(20));
	acknowledge(r, 3, 0, 0, RAW_WINDOW_BYTES);
	raw_run(r, ms(20));
	acknowledge(r, 33, 0, 0, RAW_WINDOW_BYTES);
	raw_run(r, ms(1000));
}

static void a_window_of_nothing_is_probed(struct raw *r)
{
	raw_write(r, 1000);
	raw_run(r, ms(10));
	acknowledge(r, 1, 0, 0, 0);
	raw_write(r, 1000);
	raw_run(r, ms(2000));
	acknowledge(r, 2, 0, 0, RAW_WINDOW_BYTES);
	raw_run(r, ms(1000));
}

/* The second of nine packets is missing. */
static void one_of_nine_is_lost(struct raw *r)
{
	for (int i = 0; i < 9; i++)
		raw_write(r, 1400);
	raw_run(r, ms(20));
	for (uint32_t end = 3; end <= 9; end++) {
		acknowledge(r, 1, 2, end, RAW_WINDOW_BYTES);
		raw_run(r, ms(5));
	}
	raw_run(r, ms(10));
	acknowledge(r, 9, 0, 0, RAW_WINDOW_BYTES);
	raw_run(r, ms(500));
}

static void large_messages_are_cut(struct raw *r)
{
	for (uint32_t i = 0; i < 3; i++)
		raw_write(r, 8000);
	for (uint32_t acked = 2; acked <= 18; acked += 2) {
		raw_run(r, ms(20));
		acknowledge(r, acked, 0, 0, RAW_WINDOW_BYTES);
	}
	raw_run(r, ms(500));
}

static void the_end_at_once(struct raw *r)
{
	usrsctp_shutdown(r->so, SHUT_WR);
	raw_run(r, ms(1000));
}

static void the_end_behind_data(struct raw *r)
{
	raw_write(r, 1000);
	usrsctp_shutdown(r->so, SHUT_WR);
	raw_run(r, ms(30));
	acknowledge(r, 1, 0, 0, RAW_WINDOW_BYTES);
	raw_run(r, ms(500));
}

static void nothing_for_two_minutes(struct raw *r)
{
	for (int i = 0; i < 120; i++) {
		const unsigned since = r->n_heard;

		raw_run(r, ms(1000));
		raw_answer_heartbeats(r, since);
	}
}

static const struct {
	script *play;
	const char *name;
} scripts[] = {{one_message_acknowledged_late, "one message, acknowledged late"},
               {one_message_never_acknowledged, "one message, never acknowledged"},
               {a_message_answered_after_its_timeouts, "a message, answered after timeouts"},
               {small_messages_share_packets, "small messages"},
               {a_window_of_nothing_is_probed, "window 0"},
               {one_of_nine_is_lost, "a loss"},
               {large_messages_are_cut, "large messages"},
               {the_end_at_once, "SHUTDOWN at once"},
               {the_end_behind_data, "SHUTDOWN behind DATA"},
               {nothing_for_two_minutes, "nothing"}};

/* How many schedulers say something else than none. */
static unsigned compare(struct job job, const char *name)
{
	static struct heard none, with;
	const char *scheduler;
	unsigned differ = 0;

	isolate_run(play, &job, &none, sizeof(none));
	for (unsigned i = 0; (scheduler = usrsctp_cmt_scheduler_name(i)) != NULL; i++) {
		job.scheduler = scheduler;
		isolate_run(play, &job, &with, sizeof(with));
		if (strcmp(none.text, with.text) == 0)
			continue;
		differ++;
		printf("%s, %s:\n%swithout a scheduler:\n%s", name, scheduler, with.text, none.text);
	}
	return differ;
}

static void check(bool connects, bool default_rto)
{
	unsigned differ = 0;

	for (size_t s = 0; s < sizeof(scripts) / sizeof(scripts[0]); s++)
		differ += compare(
		    (struct job){.play = scripts[s].play, .connects = connects, .default_rto = default_rto},
		    scripts[s].name);
	assert_int_equal(differ, 0);
}

static void whom_we_call_hears_what_it_hears_without_a_scheduler(void **state)
{
	(void)state;
	check(true, false);
	check(true, true);
}

static void who_calls_hears_what_it_hears_without_a_scheduler(void **state)
{
	(void)state;
	check(false, false);
	check(false, true);
}

/* --- a peer with two addresses: which of them hears it may differ --- */

static void single_messages(struct raw *r)
{
	for (uint32_t i = 1; i <= 10; i++) {
		raw_write(r, 1000);
		raw_run(r, ms(20));
		acknowledge(r, i, 0, 0, RAW_WINDOW_BYTES);
		raw_run(r, ms(30));
	}
}

static void answer_shutdown(struct raw *r)
{
	struct packet_draft d;

	raw_run(r, ms(10));
	raw_begin(r, &d);
	packet_add(&d, CHUNK_SHUTDOWN_ACK, 4, NULL, 0);
	raw_send(r, 0, &d);
	raw_run(r, ms(1000));
}

static void the_end_of_nothing(struct raw *r)
{
	usrsctp_shutdown(r->so, SHUT_WR);
	answer_shutdown(r);
}

static void the_end_of_messages(struct raw *r)
{
	single_messages(r);
	the_end_of_nothing(r);
}

static void the_end_behind_a_message(struct raw *r)
{
	raw_write(r, 1000);
	usrsctp_shutdown(r->so, SHUT_WR);
	raw_run(r, ms(10));
	acknowledge(r, 1, 0, 0, RAW_WINDOW_BYTES);
	answer_shutdown(r);
}

static const struct {
	script *play;
	const char *name;
} two_scripts[] = {{single_messages, "single messages"},
                   {the_end_of_nothing, "SHUTDOWN at once"},
                   {the_end_of_messages, "SHUTDOWN after messages"},
                   {the_end_behind_a_message, "SHUTDOWN behind DATA"}};

static void who_has_two_addresses_hears_what_it_hears_without_a_scheduler(void **state)
{
	unsigned differ = 0;

	(void)state;
	for (size_t s = 0; s < sizeof(two_scripts) / sizeof(two_scripts[0]); s++) {
		for (int connects = 0; connects < 2; connects++)
			differ += compare((struct job){.play = two_scripts[s].play,
			                               .connects = connects,
			                               .default_rto = true,
			                               .two_addresses = true},
			                  two_scripts[s].name);
	}
	assert_int_equal(differ, 0);
}

static void no_heartbeat_shares_a_packet_with_shutdown(void **state)
{
	static script *const ends[] = {the_end_at_once, the_end_behind_data};
	static struct heard heard;
	const char *scheduler;

	(void)state;
	for (unsigned i = 0; (scheduler = usrsctp_cmt_scheduler_name(i)) != NULL; i++) {
		/* The second address is confirmed, or still asked. */
		for (unsigned n = 0; n < 8; n++) {
			const struct job job = {.play = ends[n / 4],
			                        .scheduler = scheduler,
			                        .connects = n % 2 != 0,
			                        .two_addresses = true,
			                        .unsettled = n / 2 % 2 != 0};

			isolate_run(play, &job, &heard, sizeof(heard));
		}
	}
}

/* --- a peer that knows the extension --- */

static bool is_asked_for_a_sack(bool sysctl)
{
	static const struct job job = {.scheduler = "arrival"};
	const struct raw_options options = {.parameters = {RAW_SPEAKS_OURS},
	                                    .parameters_bytes = RAW_SPEAKS_OURS_BYTES,
	                                    .configure = configure};
	unsigned since;
	struct chunk c;
	struct raw r;

	current = &job;
	raw_listen(&r, &options);
	REQUIRE(usrsctp_sysctl_set_sctp_enable_sack_immediately(sysctl) == 0);
	raw_establish(&r);
	since = r.n_heard;
	raw_write(&r, 1000);
	raw_run(&r, ms(10));
	REQUIRE(raw_hear(&r, &since, CHUNK_DATA, &c));
	raw_close(&r);
	return (c.bytes[1] & I_BIT) != 0;
}

static void ask_for_sacks(const void *job, void *outcome)
{
	*(bool *)outcome = is_asked_for_a_sack(*(const bool *)job);
}

static void who_knows_the_extension_is_asked_for_sacks_as_the_sysctl_allows(void **state)
{
	(void)state;
	for (int allowed = 0; allowed < 2; allowed++) {
		const bool sysctl = allowed;
		bool asked;

		isolate_run(ask_for_sacks, &sysctl, &asked, sizeof(asked));
		assert_int_equal(asked, sysctl);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(whom_we_call_hears_what_it_hears_without_a_scheduler),
	    cmocka_unit_test(who_calls_hears_what_it_hears_without_a_scheduler),
	    cmocka_unit_test(who_has_two_addresses_hears_what_it_hears_without_a_scheduler),
	    cmocka_unit_test(no_heartbeat_shares_a_packet_with_shutdown),
	    cmocka_unit_test(who_knows_the_extension_is_asked_for_sacks_as_the_sysctl_allows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
