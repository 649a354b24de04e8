/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Coded repair of cmt-live, over the simulated network: its messages, blocks and playout, as its sender and
 * receiver have them. Where what is lost comes too late when it is sent again, less than 10^-4 of the
 * datagrams are missing for at most 15 % of repair; nothing is sent where nothing is lost, or where sending
 * again is enough.
 *
 * cost: 70 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include <usrsctp_cmt_sim.h>

#include "backlog.h"
#include "live_message.h"
#include "release.h"
#include "repair_in.h"
#include "repair_out.h"
#include "support/content.h"
#include "support/isolate.h"
#include "support/policy.h"
#include "time_base.h"

enum { CLIENT_PORT = 5000, DATAGRAM_BYTES = 1316, BUFFER_BYTES = 4 << 20, STATUS_US = 200000, TICK_US = 500 };

struct job {
	uint64_t seed;
	uint64_t delay_us[2]; /* one way, of both paths */
	double loss;
	uint64_t budget_us;
	uint64_t media_bps;
	uint64_t warm_up_us; /* until the paths' windows are open */
	uint64_t seconds;    /* behind the warm-up */
	bool without;        /* no repair */
};

/* Behind the warm-up. */
struct outcome {
	uint64_t sent, expired, missing, media_bytes;
	uint64_t repair_messages, repair_bytes;
	uint64_t restored;       /* and not come itself */
	struct repair_loss loss; /* as measured last */
	bool intact;
};

struct run {
	const struct job *job;
	struct outcome *outcome;
	struct usrsctp_cmt_sim *sim;
	struct socket *listener, *server, *client;
	struct repair_out *out;
	struct repair_in *in;
	struct repair_out_counts before; /* at the end of the warm-up */
	uint32_t first_counted;          /* datagram */
	struct backlog backlog;
	uint64_t sent, restored, expired_before, restored_before;
	struct live_status peer; /* what the receiver told last */
	bool told;
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	size_t n_paths;
	uint64_t up_us, due_us;
	uint8_t *delivered;
	struct time_base base;
	struct release release;
};

static uint64_t interval_us(const struct run *r)
{
	return DATAGRAM_BYTES * 8 * UINT64_C(1000000) / r->job->media_bps;
}

/* As link_send() has it: at least what SCTP needs to repair. */
static bool send_message(const struct run *r, struct socket *so, const void *bytes, size_t len,
                         uint64_t lifetime_us)
{
	struct sctp_sendv_spa spa = {
	    .sendv_flags = SCTP_SEND_SNDINFO_VALID | SCTP_SEND_PRINFO_VALID,
	    .sendv_sndinfo = {.snd_flags = SCTP_UNORDERED, .snd_ppid = htonl(LIVE_PPID)},
	    .sendv_prinfo = {.pr_policy = SCTP_PR_SCTP_TTL}};

	for (size_t i = 0; i < r->n_paths; i++) {
		if (3 * r->paths[i].srtt_us > lifetime_us) {
			lifetime_us = 3 * r->paths[i].srtt_us;
		}
	}
	spa.sendv_prinfo.pr_value = (uint32_t)(lifetime_us / 1000);
	return usrsctp_sendv(so, bytes, len, NULL, 0, &spa, sizeof(spa), SCTP_SENDV_SPA, 0) > 0;
}

/* As link_load() and sender.c have it. */
static size_t stack_room(struct run *r)
{
	struct sctp_cmt_stats all = {.size = sizeof(all)};
	socklen_t len = sizeof(all);
	uint64_t rate_bps = 0, limit_bytes;

	REQUIRE(usrsctp_getsockopt(r->client, IPPROTO_SCTP, SCTP_CMT_STATS, &all, &len) == 0);
	for (size_t i = 0; i < r->n_paths; i++) {
		rate_bps += r->paths[i].rate_bps;
	}
	REQUIRE(all.unsent_bytes <= all.send_queue_bytes);
	limit_bytes = rate_bps / 8 * r->job->budget_us / 1000000 / 4;
	limit_bytes = limit_bytes > 32768 ? limit_bytes : 32768;
	return limit_bytes > all.unsent_bytes ? limit_bytes - all.unsent_bytes : 0;
}

static void read_paths(struct run *r)
{
	socklen_t len = sizeof(r->paths);

	r->paths[0].size = sizeof(r->paths[0]);
	REQUIRE(usrsctp_getsockopt(r->client, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, r->paths, &len) == 0);
	r->n_paths = len / sizeof(r->paths[0]);
}

static void look(struct run *r, uint64_t now_us)
{
	struct sctp_prstatus status = {.sprstat_policy = SCTP_PR_SCTP_TTL};
	socklen_t len = sizeof(status);

	REQUIRE(usrsctp_getsockopt(r->client, IPPROTO_SCTP, SCTP_PR_ASSOC_STATUS, &status, &len) == 0);
	repair_out_look(r->out,
	                &(struct repair_seen){.sent = r->sent,
	                                      .unsent = r->backlog.dropped + status.sprstat_abandoned_unsent,
	                                      .told = r->told,
	                                      .missed = r->peer.lost + r->peer.restored,
	                                      .paths = r->paths,
	                                      .n_paths = r->n_paths},
	                now_us);
}

static void send_repair(struct run *r, size_t room, uint64_t now_us)
{
	const struct repair_out_message *first;
	uint8_t message[LIVE_MAX_REPAIR_BYTES];

	while ((first = repair_out_first(r->out)) != NULL) {
		const size_t len = live_repair_encode(first->bytes, first->len, message);
		const bool dead = r->job->without || first->dead_us <= now_us;

		if (!dead &&
		    (room < len || !send_message(r, r->client, message, len, first->dead_us - now_us))) {
			return;
		}
		room -= dead ? 0 : len;
		repair_out_take(r->out, !dead);
	}
}

/* As sender.c has it: datagrams, then their repair. */
static void pump(struct run *r, uint64_t now_us)
{
	struct backlog_entry *entry;
	size_t room;

	read_paths(r);
	look(r, now_us);
	backlog_expire(&r->backlog, r->job->budget_us, now_us);
	repair_out_run(r->out, now_us);
	for (room = stack_room(r); (entry = backlog_first(&r->backlog)) != NULL;) {
		const size_t bytes = entry->bytes;

		if (room < bytes || !send_message(r, r->client, entry->message, bytes,
		                                  r->job->budget_us - (now_us - entry->time_us))) {
			return;
		}
		room -= bytes;
		r->sent++;
		repair_out_add(r->out,
		               &(struct repair_datagram){.seq = entry->seq,
		                                         .time_us = entry->time_us,
		                                         .payload = entry->message + LIVE_DATA_HEADER_BYTES,
		                                         .bytes = bytes - LIVE_DATA_HEADER_BYTES});
		backlog_take(&r->backlog, entry);
	}
	send_repair(r, room, now_us);
}

static void begin_to_count(struct run *r)
{
	r->first_counted = r->backlog.next_seq;
	r->before = repair_out_counts(r->out);
	r->expired_before = r->backlog.dropped;
	r->restored_before = r->restored;
}

static void on_tick(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct run *const r = arg;
	const uint64_t now_us = usrsctp_cmt_sim_now_us(sim);
	const uint64_t end_us = r->up_us + r->job->warm_up_us + r->job->seconds * 1000000;

	for (; r->due_us <= now_us && r->due_us < end_us; r->due_us += interval_us(r)) {
		backlog_add(&r->backlog, content_of_message(0, r->backlog.next_seq, 0, DATAGRAM_BYTES),
		            DATAGRAM_BYTES, now_us);
	}
	if (r->first_counted == 0 && now_us >= r->up_us + r->job->warm_up_us) {
		begin_to_count(r);
	}
	pump(r, now_us);
	if (r->due_us >= end_us && backlog_first(&r->backlog) == NULL) {
		repair_out_end(r->out);
	}
	usrsctp_cmt_sim_at(sim, now_us + TICK_US, on_tick, r);
}

/* What the receiver tells the sender. */
static void on_client_read(struct run *r)
{
	struct live_message message;
	uint8_t buffer[LIVE_MAX_CONTROL_BYTES];
	socklen_t info_bytes = 0;
	unsigned kind = 0;
	int flags = 0;
	const ssize_t n =
	    usrsctp_recvv(r->client, buffer, sizeof(buffer), NULL, NULL, NULL, &info_bytes, &kind, &flags);

	if (n > 0) {
		REQUIRE(live_message_decode(buffer, (size_t)n, &message) == 0 && message.type == LIVE_STATUS);
		r->peer = message.status;
		r->told = true;
	}
}

static void on_status(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct run *const r = arg;
	uint8_t bytes[LIVE_MAX_CONTROL_BYTES];
	const struct live_message message = {
	    .type = LIVE_STATUS,
	    .repair = true,
	    .status = {.lost = r->release.counts.lost, .restored = r->restored}};

	(void)send_message(r, r->server, bytes, live_message_encode(&message, bytes), 1000000);
	usrsctp_cmt_sim_at(sim, usrsctp_cmt_sim_now_us(sim) + STATUS_US, on_status, r);
}

static void on_client(struct socket *so, void *arg, int flags)
{
	struct run *const r = arg;

	(void)flags;
	while ((usrsctp_get_events(so) & SCTP_EVENT_READ) != 0) {
		on_client_read(r);
	}
	if (r->up_us == 0 && (usrsctp_get_events(so) & SCTP_EVENT_WRITE) != 0) {
		r->up_us = r->due_us = usrsctp_cmt_sim_now_us(r->sim);
		repair_out_begin(r->out, r->job->budget_us);
		on_tick(r->sim, r);
	}
}

static void give_out(struct run *r, const struct release_item *item)
{
	const uint32_t seq = (uint32_t)(uintptr_t)item->data;

	r->delivered[seq] = 1;
	r->restored += repair_in_is_restored(r->in, seq);
}

static void play(struct run *r)
{
	const uint64_t due_us = time_base_due_us(&r->base, usrsctp_cmt_sim_now_us(r->sim), r->job->budget_us);
	struct release_item item;

	while (release_take(&r->release, due_us, &item)) {
		give_out(r, &item);
	}
}

static void hold(const struct repair_datagram *datagram, void *arg)
{
	struct run *const r = arg;

	r->outcome->intact &=
	    datagram->seq < r->backlog.next_seq && datagram->bytes == DATAGRAM_BYTES &&
	    memcmp(datagram->payload, content_of_message(0, datagram->seq, 0, DATAGRAM_BYTES),
	           DATAGRAM_BYTES) == 0;
	if (r->outcome->intact) {
		(void)release_put(&r->release, datagram->seq, datagram->time_us,
		                  (void *)(uintptr_t)datagram->seq);
	}
}

static void take(struct run *r, const uint8_t *bytes, size_t len)
{
	struct live_message message;

	REQUIRE(live_message_decode(bytes, len, &message) == 0);
	if (message.type == LIVE_REPAIR) {
		repair_in_message(r->in, &message.of_repair);
	} else {
		const struct repair_datagram datagram = {.seq = message.seq,
		                                         .time_us = message.time_us,
		                                         .payload = message.payload,
		                                         .bytes = message.payload_bytes};

		time_base_add(&r->base, usrsctp_cmt_sim_now_us(r->sim), message.time_us);
		hold(&datagram, r);
		repair_in_datagram(r->in, &datagram);
	}
}

static void on_server(struct socket *so, void *arg, int flags)
{
	struct run *const r = arg;
	uint8_t buffer[LIVE_MAX_REPAIR_BYTES];

	(void)flags;
	while ((usrsctp_get_events(so) & SCTP_EVENT_READ) != 0) {
		socklen_t info_bytes = 0;
		unsigned kind = 0;
		int msg_flags = 0;
		const ssize_t n = usrsctp_recvv(so, buffer, sizeof(buffer), NULL, NULL, NULL, &info_bytes,
		                                &kind, &msg_flags);

		if (n <= 0) {
			break;
		}
		/* What is due now is due without what has just come. */
		play(r);
		take(r, buffer, (size_t)n);
	}
}

static void on_listener(struct socket *so, void *arg, int flags)
{
	struct run *const r = arg;
	struct socket *const accepted = usrsctp_accept(so, NULL, NULL);

	(void)flags;
	if (accepted != NULL) {
		REQUIRE(r->server == NULL);
		r->server = accepted;
		usrsctp_set_non_blocking(accepted, 1);
		usrsctp_set_upcall(accepted, on_server, r);
		usrsctp_cmt_sim_at(r->sim, usrsctp_cmt_sim_now_us(r->sim) + STATUS_US, on_status, r);
	}
}

static struct socket *open_socket(struct run *r, int host, uint16_t port)
{
	struct socket *const so = policy_socket(SOCK_STREAM);
	const int on = 1, bytes = BUFFER_BYTES;

	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)) == 0);
	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof(on)) == 0);
	policy_choose(so, SCTP_CMT_SCHEDULER, "auto");
	REQUIRE(usrsctp_cmt_sim_bind(r->sim, so, host, port, -1) == 0);
	return so;
}

static void open_network(struct run *r)
{
	struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = r->job->seed};

	r->sim = usrsctp_cmt_sim_new(&config);
	REQUIRE(r->sim != NULL);
	for (int path = 0; path < 2; path++) {
		const struct usrsctp_cmt_sim_link link = {.rate_bps = 60000000,
		                                          .delay_us = r->job->delay_us[path],
		                                          .queue_pkts = 400,
		                                          .loss = r->job->loss};

		REQUIRE(usrsctp_cmt_sim_add_path(r->sim, &link, &link) == path);
	}
	r->listener = open_socket(r, 1, LIVE_PORT);
	usrsctp_set_upcall(r->listener, on_listener, r);
	REQUIRE(usrsctp_listen(r->listener, 1) == 0);
	r->client = open_socket(r, 0, CLIENT_PORT);
	usrsctp_set_upcall(r->client, on_client, r);
	REQUIRE(usrsctp_cmt_sim_connect(r->sim, r->client, 1, LIVE_PORT, -1) == 0);
}

static void close_network(struct run *r)
{
	struct socket *const sockets[] = {r->client, r->server, r->listener};

	for (unsigned i = 0; i < 3; i++) {
		REQUIRE(sockets[i] != NULL);
		usrsctp_set_upcall(sockets[i], NULL, NULL);
		usrsctp_close(sockets[i]);
	}
	REQUIRE(usrsctp_cmt_sim_free(r->sim) == 0);
}

static void scenario(const void *job, void *outcome)
{
	struct run *const r = calloc(1, sizeof(*r));
	uint64_t end_us;
	struct repair_out_counts after;

	REQUIRE(r != NULL);
	r->job = job;
	r->outcome = outcome;
	r->outcome->intact = true;
	r->out = repair_out_new();
	r->in = repair_in_new(hold, r);
	end_us = r->job->warm_up_us + r->job->seconds * 1000000 + 2000000;
	r->delivered = calloc(1, end_us / interval_us(r));
	REQUIRE(r->out != NULL && r->in != NULL && r->delivered != NULL);
	backlog_init(&r->backlog);
	release_init(&r->release, 0, false);
	time_base_init(&r->base);
	open_network(r);
	usrsctp_cmt_sim_run(r->sim, end_us);
	while (r->release.n_held > 0) {
		struct release_item item;

		REQUIRE(release_take(&r->release, RELEASE_NEVER_US - 1, &item));
		give_out(r, &item);
	}
	for (uint32_t seq = r->first_counted; seq < r->backlog.next_seq; seq++) {
		r->outcome->missing += r->delivered[seq] == 0;
	}
	after = repair_out_counts(r->out);
	r->outcome->sent = r->backlog.next_seq - r->first_counted;
	r->outcome->media_bytes = r->outcome->sent * DATAGRAM_BYTES;
	r->outcome->repair_messages = after.messages - r->before.messages;
	r->outcome->repair_bytes = after.bytes - r->before.bytes;
	r->outcome->expired = r->backlog.dropped - r->expired_before;
	r->outcome->loss = after.loss;
	r->outcome->restored = r->restored - r->restored_before;
	close_network(r);
	backlog_free(&r->backlog);
	repair_out_free(r->out);
	repair_in_free(r->in);
	free(r->delivered);
	free(r);
}

static struct outcome run(const struct job *job)
{
	struct outcome o;

	isolate_run(scenario, job, &o, sizeof(o));
	assert_true(o.intact);
	print_message(
	    "seed %llu, %.1f Mbit/s, %llu and %llu ms, loss %.3f, budget %llu ms: %llu datagrams, missing "
	    "%llu "
	    "(%.2e), expired %llu; measured: missed %.4f, lost %.4f, repair %llu messages, %.2f %%, restored "
	    "%llu\n",
	    (unsigned long long)job->seed, (double)job->media_bps / 1e6,
	    (unsigned long long)job->delay_us[0] / 1000, (unsigned long long)job->delay_us[1] / 1000,
	    job->loss, (unsigned long long)job->budget_us / 1000, (unsigned long long)o.sent,
	    (unsigned long long)o.missing, (double)o.missing / (double)o.sent, (unsigned long long)o.expired,
	    o.loss.missed, o.loss.lost, (unsigned long long)o.repair_messages,
	    (double)o.repair_bytes * 100 / (double)o.media_bytes, (unsigned long long)o.restored);
	return o;
}

static struct job job_of(uint64_t seed)
{
	return (struct job){.seed = seed,
	                    .delay_us = {50000, 50000},
	                    .loss = 0.05,
	                    .budget_us = 60000,
	                    .media_bps = 40000000,
	                    .warm_up_us = 30000000,
	                    .seconds = 20};
}

/* What is missing comes in bursts, in one of several seeds. */
enum { N_SEEDS = 6 };

static void what_both_paths_lose_is_repaired_in_time(void **state)
{
	uint64_t sent = 0, missing = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
		const struct job job = job_of(seed);
		const struct outcome o = run(&job);

		assert_in_range(o.restored, o.sent / 25, o.sent / 16);
		assert_in_range(o.repair_bytes * 1000 / o.media_bytes, 100, 150);
		sent += o.sent;
		missing += o.missing;
	}
	assert_in_range(missing * 10000, 0, sent);
}

static void without_repair_it_is_missing(void **state)
{
	struct job job = job_of(1);
	struct outcome o;

	(void)state;
	job.without = true;
	job.seconds = 2;
	o = run(&job);
	assert_in_range(o.missing, o.sent / 25, o.sent / 16);
}

/* As documented: longer blocks take less. */
static void repair_follows_loss_and_rate(void **state)
{
	struct job little = job_of(1), slow = job_of(1);
	struct outcome of_little, of_slow;

	(void)state;
	little.loss = 0.01;
	slow.media_bps = 10000000;
	little.seconds = slow.seconds = 10;
	of_little = run(&little);
	of_slow = run(&slow);
	assert_in_range(of_little.repair_bytes * 1000 / of_little.media_bytes, 20, 70);
	assert_in_range(of_slow.repair_bytes * 1000 / of_slow.media_bytes, 180, 300);
	assert_in_range(of_little.missing * 10000, 0, of_little.sent);
	assert_in_range(of_slow.missing * 10000, 0, of_slow.sent);
}

static void where_nothing_is_lost_no_repair_is_sent(void **state)
{
	struct job job = job_of(1);
	struct outcome o;

	(void)state;
	job.loss = 0;
	job.warm_up_us = 6000000;
	job.seconds = 4;
	o = run(&job);
	assert_int_equal(o.repair_messages, 0);
	assert_int_equal(o.missing, 0);
}

static void what_is_sent_again_in_time_takes_little_repair(void **state)
{
	struct job job = job_of(1);
	struct outcome o;

	(void)state;
	job.delay_us[0] = job.delay_us[1] = 8000;
	job.warm_up_us = 6000000;
	job.seconds = 4;
	o = run(&job);
	assert_in_range(o.repair_bytes * 1000 / o.media_bytes, 0, 20);
	assert_in_range(o.missing * 10000, 0, o.sent);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_both_paths_lose_is_repaired_in_time),
	    cmocka_unit_test(without_repair_it_is_missing),
	    cmocka_unit_test(repair_follows_loss_and_rate),
	    cmocka_unit_test(where_nothing_is_lost_no_repair_is_sent),
	    cmocka_unit_test(what_is_sent_again_in_time_takes_little_repair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
