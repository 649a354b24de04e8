/* SPDX-License-Identifier: BSD-3-Clause */
#include "transfer_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "isolate.h"
#include "packet.h"
#include "policy.h"

#if ISOLATE_WATCHES_MEMORY
#include <sanitizer/lsan_interface.h>
#endif

static const uint64_t LIMIT_DEFAULT_US = 600000000;

void transfer_sample_statistics(struct transfer *t)
{
	struct transfer_outcome *o = t->outcome;
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS] = {{.size = sizeof(paths[0])}};
	socklen_t len;

	for (int host = 0; host < 2; host++) {
		struct sctp_cmt_stats stats = {.size = sizeof(stats)};

		len = sizeof(stats);
		/* Fails once the association is gone: what was seen last stays. */
		if (t->sides[host].so != NULL &&
		    usrsctp_getsockopt(t->sides[host].so, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len) == 0)
			o->stats[host] = stats;
	}
	len = sizeof(paths);
	if (t->sides[TRANSFER_CLIENT].so != NULL &&
	    usrsctp_getsockopt(t->sides[TRANSFER_CLIENT].so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths,
	                       &len) == 0) {
		o->n_paths = (int)(len / sizeof(paths[0]));
		memcpy(o->paths, paths, sizeof(paths));
	}
}

static void on_client(struct socket *so, void *arg, int flags)
{
	struct transfer *t = arg;

	(void)so;
	(void)flags;
	transfer_serve(t, &t->sides[TRANSFER_CLIENT]);
}

static void on_server(struct socket *so, void *arg, int flags)
{
	struct transfer *t = arg;

	(void)so;
	(void)flags;
	transfer_serve(t, &t->sides[TRANSFER_SERVER]);
}

static void on_listener(struct socket *so, void *arg, int flags)
{
	struct transfer *t = arg;
	struct socket *accepted = usrsctp_accept(so, NULL, NULL);

	(void)flags;
	if (accepted == NULL)
		return;
	REQUIRE(t->sides[TRANSFER_SERVER].so == NULL);
	t->sides[TRANSFER_SERVER].so = accepted;
	usrsctp_set_non_blocking(accepted, 1);
	usrsctp_set_upcall(accepted, on_server, t);
	transfer_serve(t, &t->sides[TRANSFER_SERVER]);
}

static void count_chunks(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	struct chunk chunk;
	size_t offset = 0;

	if (packet->event != USRSCTP_CMT_SIM_SENT)
		return;
	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &chunk))
		t->outcome->chunks[chunk.type]++;
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct transfer *t = arg;

	(void)sim;
	count_chunks(t, packet);
	tsn_log_packet(&t->log, packet);
	if (t->job->tap != NULL)
		t->job->tap(t, packet);
}

static void set_int(struct socket *so, int level, int option, int value)
{
	REQUIRE(usrsctp_setsockopt(so, level, option, &value, sizeof(value)) == 0);
}

static struct socket *open_socket(struct transfer *t, int host, uint16_t port,
                                  void (*upcall)(struct socket *, void *, int))
{
	const struct transfer_job *job = t->job;
	int family = job->family != 0 ? job->family : AF_INET;
	struct socket *so = usrsctp_socket(family, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	struct sctp_event changes = {
	    .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = SCTP_ASSOC_CHANGE, .se_on = 1};
	struct sctp_initmsg init = {.sinit_num_ostreams = TRANSFER_STREAMS_MAX,
	                            .sinit_max_instreams = TRANSFER_STREAMS_MAX};

	REQUIRE(so != NULL);
	REQUIRE(usrsctp_set_non_blocking(so, 1) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_EVENT, &changes, sizeof(changes)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_INITMSG, &init, sizeof(init)) == 0);
	set_int(so, IPPROTO_SCTP, SCTP_RECVRCVINFO, 1);
	if (!job->nagle)
		set_int(so, IPPROTO_SCTP, SCTP_NODELAY, 1);
	if (job->piece_bytes != 0)
		set_int(so, IPPROTO_SCTP, SCTP_EXPLICIT_EOR, 1);
	if (job->sndbuf_bytes != 0)
		set_int(so, SOL_SOCKET, SO_SNDBUF, job->sndbuf_bytes);
	if (job->rcvbuf_bytes != 0)
		set_int(so, SOL_SOCKET, SO_RCVBUF, job->rcvbuf_bytes);
	t->sides[host].so = so;
	policy_choose(so, SCTP_CMT_SCHEDULER, job->scheduler);
	policy_choose(so, SCTP_CMT_CC, job->cc);
	policy_choose(so, SCTP_CMT_RECOVERY, job->recovery);
	if (job->protect)
		REQUIRE(usrsctp_cmt_sim_protect(t->sim, so, host) == 0);
	if (job->configure != NULL)
		job->configure(so);
	REQUIRE(usrsctp_cmt_sim_bind(t->sim, so, host, port, -1) == 0);
	usrsctp_set_upcall(so, upcall, t);
	return so;
}

static void prepare_side(struct transfer *t, int host)
{
	const struct transfer_job *job = t->job;
	struct transfer_side *side = &t->sides[host];

	side->host = host;
	side->handed_us = calloc(job->n_messages[host] + 1, sizeof(*side->handed_us));
	side->got_bytes = calloc(job->n_messages[1 - host] + 1, sizeof(*side->got_bytes));
	side->arrived_us = calloc(job->n_messages[1 - host] + 1, sizeof(*side->arrived_us));
	REQUIRE(side->handed_us != NULL && side->got_bytes != NULL && side->arrived_us != NULL);
	for (uint32_t i = 0; i < job->n_messages[host]; i++) {
		struct transfer_message m = job->message(host, i);

		REQUIRE(m.bytes > 0 && m.bytes <= TRANSFER_MESSAGE_MAX_BYTES &&
		        m.stream < TRANSFER_STREAMS_MAX);
		t->must_arrive[host] += m.pr_policy == SCTP_PR_SCTP_NONE;
	}
}

static int compare_us(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Ascending, of the client's messages on this stream, -1: on all; how many. */
static size_t latencies(const struct transfer *t, int stream, uint64_t *out)
{
	const struct transfer_side *from = &t->sides[TRANSFER_CLIENT], *to = &t->sides[TRANSFER_SERVER];
	size_t n = 0;

	for (uint32_t i = 0; i < t->job->n_messages[TRANSFER_CLIENT]; i++) {
		if (to->arrived_us[i] != 0 &&
		    (stream < 0 || t->job->message(TRANSFER_CLIENT, i).stream == stream))
			out[n++] = to->arrived_us[i] - from->handed_us[i];
	}
	qsort(out, n, sizeof(*out), compare_us);
	return n;
}

static void take_latencies(struct transfer *t)
{
	uint64_t *us = calloc(t->job->n_messages[TRANSFER_CLIENT] + 1, sizeof(*us));
	size_t n;

	REQUIRE(us != NULL);
	n = latencies(t, 1, us);
	t->outcome->stream_1_median_us = us[n / 2];
	n = latencies(t, -1, us);
	t->outcome->latency_p95_us = us[n * 95 / 100];
	t->outcome->latency_p99_us = us[n * 99 / 100];
	t->outcome->latency_max_us = n > 0 ? us[n - 1] : 0;
	free(us);
}

static void count_missing(struct transfer *t)
{
	for (int host = 0; host < 2; host++) {
		for (uint32_t i = 0; i < t->sides[host].next; i++) {
			if (t->sides[1 - host].arrived_us[i] == 0 &&
			    t->job->message(host, i).pr_policy == SCTP_PR_SCTP_NONE)
				t->outcome->missing[host]++;
		}
	}
}

static void close_all(struct transfer *t)
{
	struct socket *sockets[3] = {t->sides[0].so, t->sides[1].so, t->listener};

	for (unsigned i = 0; i < 3; i++) {
		if (sockets[i] == NULL)
			continue;
		usrsctp_set_upcall(sockets[i], NULL, NULL);
		usrsctp_close(sockets[i]);
	}
	REQUIRE(usrsctp_cmt_sim_free(t->sim) == 0);
	for (int host = 0; host < 2; host++) {
		free(t->sides[host].handed_us);
		free(t->sides[host].got_bytes);
		free(t->sides[host].arrived_us);
	}
	*t = (struct transfer){.job = NULL};
#if ISOLATE_WATCHES_MEMORY
	REQUIRE(__lsan_do_recoverable_leak_check() == 0);
#endif
}

/* Redundant transmissions are neither spurious nor retransmissions. */
static uint32_t beside_copies(const struct transfer_outcome *o, uint32_t transmissions)
{
	uint64_t copies = o->stats[TRANSFER_CLIENT].planned_copies;

	return transmissions > copies ? transmissions - (uint32_t)copies : 0;
}

void transfer_in_process(const void *job_arg, void *outcome)
{
	const struct transfer_job *job = job_arg;
	struct usrsctp_cmt_sim_config config = {
	    .size = sizeof(config),
	    .seed = job->seed,
	    .family = job->family,
	    .clock_skew_ppm = {job->clock_skew_ppm[0], job->clock_skew_ppm[1]}};
	struct transfer t = {.job = job, .outcome = outcome, .sim = usrsctp_cmt_sim_new(&config)};
	struct sctpstat stat;

	REQUIRE(t.sim != NULL);
	for (int path = 0; path < job->n_paths; path++)
		REQUIRE(usrsctp_cmt_sim_add_path(t.sim, &job->links[path], &job->links[path]) == path);
	for (int path = 1; path < job->n_paths; path++) {
		for (int host = 0; host < 2; host++)
			REQUIRE(!job->one_address[host] ||
			        usrsctp_cmt_sim_share_address(t.sim, path, host, 0) == 0);
	}
	if (job->build != NULL)
		job->build(&t);
	if (getenv("SIM_PCAP") != NULL)
		REQUIRE(usrsctp_cmt_sim_pcap(t.sim, getenv("SIM_PCAP")) == 0);
	usrsctp_cmt_sim_tap(t.sim, watch, &t);
	prepare_side(&t, TRANSFER_CLIENT);
	prepare_side(&t, TRANSFER_SERVER);
	t.listener = open_socket(&t, TRANSFER_SERVER, TRANSFER_SERVER_PORT, on_listener);
	t.sides[TRANSFER_SERVER].so = NULL;
	REQUIRE(usrsctp_listen(t.listener, 1) == 0);
	open_socket(&t, TRANSFER_CLIENT, TRANSFER_CLIENT_PORT, on_client);
	REQUIRE(usrsctp_cmt_sim_connect(t.sim, t.sides[TRANSFER_CLIENT].so, TRANSFER_SERVER,
	                                TRANSFER_SERVER_PORT, -1) == 0);
	usrsctp_cmt_sim_run(t.sim, job->limit_us != 0 ? job->limit_us : LIMIT_DEFAULT_US);
	if (!t.shut)
		transfer_sample_statistics(&t);
	count_missing(&t);
	take_latencies(&t);
	t.outcome->hash = usrsctp_cmt_sim_trace_hash(t.sim);
	usrsctp_get_stat(&stat);
	t.outcome->timeouts = stat.sctps_timodata;
	t.outcome->data_pkts = t.log.data_pkts;
	t.outcome->spurious = beside_copies(t.outcome, tsn_log_spurious(&t.log));
	t.outcome->retransmissions = beside_copies(t.outcome, tsn_log_retransmissions(&t.log));
	t.outcome->losses = tsn_log_losses(&t.log);
	t.outcome->passed_unsent = t.log.passed_unsent;
	close_all(&t);
}

struct transfer_outcome transfer_run(const struct transfer_job *job)
{
	struct transfer_outcome outcome;

	fprintf(stderr, "seed %llu\n", (unsigned long long)job->seed);
	isolate_run(transfer_in_process, job, &outcome, sizeof(outcome));
	return outcome;
}

void transfer_assert_arrived(const struct transfer_job *job, const struct transfer_outcome *o)
{
	if (o->wrong != 0)
		fail_msg("%u wrong, the first: %s", o->wrong, o->first_wrong);
	assert_int_equal(o->passed_unsent, 0);
	for (int host = 0; host < 2; host++) {
		if (o->missing[host] != 0 || o->handed[host] != job->n_messages[host])
			fail_msg("host %d: %u of %u messages handed over, %u arrived, %u missing", host,
			         o->handed[host], job->n_messages[host], o->arrived[host], o->missing[host]);
		if (o->stats[host].illegal_decisions != 0)
			fail_msg("host %d: %llu illegal decisions", host,
			         (unsigned long long)o->stats[host].illegal_decisions);
	}
}

static bool is_sound(const struct transfer_job *job)
{
	for (int path = 0; path < job->n_paths; path++) {
		const struct usrsctp_cmt_sim_link *l = &job->links[path];

		if (l->loss > 0 || l->ge_bad > 0 || l->corrupt > 0 || l->reorder > 0 || l->duplicate > 0)
			return false;
	}
	return job->on_up == NULL;
}

/* The client leaves with SHUTDOWN-COMPLETE. When that is lost, or overtaken by a late SACK or HEARTBEAT-ACK
 * of the server, which the client answers by ABORT because it knows the association no more (RFC 9260,
 * section 8.4), the server sees a loss after the last byte. */
void transfer_assert_delivered(const struct transfer_job *job, const struct transfer_outcome *o)
{
	transfer_assert_arrived(job, o);
	assert_int_equal(o->end[TRANSFER_CLIENT], TRANSFER_CLOSED);
	assert_int_not_equal(o->end[TRANSFER_SERVER], TRANSFER_OPEN);
	if (is_sound(job))
		assert_int_equal(o->end[TRANSFER_SERVER], TRANSFER_CLOSED);
}

void transfer_pause(struct transfer *t, int host)
{
	t->sides[host].paused = true;
}

void transfer_resume(struct transfer *t, int host)
{
	t->sides[host].paused = false;
	transfer_serve(t, &t->sides[host]);
}

void transfer_set_scheduler(struct transfer *t, int host, const char *name)
{
	policy_choose(t->sides[host].so, SCTP_CMT_SCHEDULER, name);
}

void transfer_set_down(struct transfer *t, int path, bool down)
{
	for (int direction = 0; direction < 2; direction++) {
		struct usrsctp_cmt_sim_link link;

		REQUIRE(usrsctp_cmt_sim_get_link(t->sim, path, direction, &link) == 0);
		link.down = down;
		REQUIRE(usrsctp_cmt_sim_set_link(t->sim, path, direction, &link) == 0);
	}
}

void transfer_kill(struct transfer *t, int host)
{
	const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
	struct socket *so = t->sides[host].so;

	REQUIRE(so != NULL);
	transfer_sample_statistics(t);
	t->sides[host].so = NULL;
	t->outcome->end[host] = TRANSFER_KILLED;
	usrsctp_set_upcall(so, NULL, NULL);
	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) == 0);
	usrsctp_close(so);
}

struct sctp_cmt_stats transfer_stats(struct transfer *t, int host)
{
	struct sctp_cmt_stats stats = {.size = sizeof(stats)};
	socklen_t len = sizeof(stats);

	REQUIRE(usrsctp_getsockopt(t->sides[host].so, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len) == 0);
	return stats;
}

int transfer_path_stats(struct transfer *t, struct sctp_cmt_path_stats *out)
{
	socklen_t len = USRSCTP_CMT_SIM_MAX_PATHS * sizeof(*out);

	memset(out, 0, len);
	out->size = sizeof(*out);
	REQUIRE(usrsctp_getsockopt(t->sides[TRANSFER_CLIENT].so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, out,
	                           &len) == 0);
	return (int)(len / sizeof(*out));
}

void transfer_end_loss(struct transfer *t)
{
	for (int path = 0; path < t->job->n_paths; path++) {
		for (int direction = 0; direction < 2; direction++) {
			struct usrsctp_cmt_sim_link link;

			REQUIRE(usrsctp_cmt_sim_get_link(t->sim, path, direction, &link) == 0);
			link.loss = 0;
			REQUIRE(usrsctp_cmt_sim_set_link(t->sim, path, direction, &link) == 0);
		}
	}
}

void transfer_after(struct transfer *t, uint64_t delay_us, usrsctp_cmt_sim_fn *fn)
{
	REQUIRE(usrsctp_cmt_sim_at(t->sim, usrsctp_cmt_sim_now_us(t->sim) + delay_us, fn, t) == 0);
}

void transfer_take_many_chunks(struct socket *so)
{
	(void)so;
	usrsctp_sysctl_set_sctp_max_chunks_on_queue(10000);
}

struct transfer_job transfer_two_paths(const char *scheduler, uint64_t seed)
{
	return (struct transfer_job){
	    .scheduler = scheduler,
	    .seed = seed,
	    .n_paths = 2,
	    .links = {{.rate_bps = 8000000, .delay_us = 10000, .queue_pkts = 100},
	              {.rate_bps = 2000000, .delay_us = 50000, .queue_pkts = 100}},
	};
}
