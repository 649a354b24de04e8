/* SPDX-License-Identifier: BSD-3-Clause */
#include "transfer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isolate.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LEAKS_ARE_WATCHED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LEAKS_ARE_WATCHED 1
#endif
#ifdef LEAKS_ARE_WATCHED
#include <sanitizer/lsan_interface.h>
#endif

enum { CLIENT_PORT = 5000, SERVER_PORT = 5001, READ_BYTES = 65536 };

static const uint64_t LIMIT_DEFAULT_US = 600000000;

static uint8_t content(int host, uint32_t index, uint32_t at)
{
	return (uint8_t)((uint32_t)host * 101 + index * 59 + at * 131 + (at >> 8) * 17);
}

static void note_wrong(struct transfer *t, int from, uint32_t index, const char *what)
{
	if (t->outcome->wrong++ == 0)
		snprintf(t->outcome->first_wrong, sizeof(t->outcome->first_wrong), "message %u of host %d: %s",
		         index, from, what);
}

static void sample_statistics(struct transfer *t)
{
	struct transfer_outcome *o = t->outcome;
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS] = {{.size = sizeof(paths[0])}};
	socklen_t len;

	for (int host = 0; host < 2; host++) {
		struct sctp_cmt_stats stats = {.size = sizeof(stats)};

		len = sizeof(stats);
		/* Fails once the association is gone: what was seen last stays. */
		if (t->sides[host].so != NULL && usrsctp_getsockopt(t->sides[host].so, IPPROTO_SCTP,
		                                                    SCTP_CMT_STATS, &stats, &len) == 0)
			o->stats[host] = stats;
	}
	len = sizeof(paths);
	if (usrsctp_getsockopt(t->sides[TRANSFER_CLIENT].so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths, &len) ==
	    0) {
		o->n_paths = (int)(len / sizeof(paths[0]));
		memcpy(o->paths, paths, sizeof(paths));
	}
}

static void shut_when_due(struct transfer *t)
{
	const struct transfer_job *job = t->job;
	bool handed = t->sides[0].next == job->n_messages[0] && t->sides[1].next == job->n_messages[1];
	bool arrived = t->must_arrive[0] == 0 && t->must_arrive[1] == 0;

	if (t->shut || !handed || (!arrived && !job->shutdown_at_once))
		return;
	t->shut = true;
	sample_statistics(t);
	usrsctp_shutdown(t->sides[TRANSFER_CLIENT].so, SHUT_WR);
}

static void end_side(struct transfer *t, int host, enum transfer_end end)
{
	if (t->outcome->end[host] == TRANSFER_OPEN)
		t->outcome->end[host] = end;
	if (t->outcome->end[1 - host] != TRANSFER_OPEN)
		usrsctp_cmt_sim_stop(t->sim);
}

static const uint8_t *message_bytes(struct transfer_side *side, uint32_t len)
{
	if (side->filled != side->next + 1) {
		for (uint32_t i = 0; i < len; i++)
			side->message[i] = content(side->host, side->next, i);
		side->filled = side->next + 1;
	}
	return side->message;
}

static ssize_t hand_over(struct transfer *t, struct transfer_side *side, const struct transfer_message *m)
{
	uint32_t left = m->bytes - side->offset_bytes;
	uint32_t piece = t->job->piece_bytes != 0 && t->job->piece_bytes < left ? t->job->piece_bytes : left;
	struct sockaddr_storage to;
	struct sctp_sendv_spa spa = {
	    .sendv_flags = SCTP_SEND_SNDINFO_VALID,
	    .sendv_sndinfo = {.snd_sid = m->stream, .snd_ppid = htonl(side->next)}};

	if (m->pr_policy != SCTP_PR_SCTP_NONE) {
		spa.sendv_flags |= SCTP_SEND_PRINFO_VALID;
		spa.sendv_prinfo = (struct sctp_prinfo){.pr_policy = m->pr_policy, .pr_value = m->pr_value};
	}
	if (m->unordered)
		spa.sendv_sndinfo.snd_flags |= SCTP_UNORDERED;
	if (t->job->piece_bytes != 0 && piece == left)
		spa.sendv_sndinfo.snd_flags |= SCTP_EOR;
	if (m->to_path != 0) {
		spa.sendv_sndinfo.snd_flags |= SCTP_ADDR_OVER;
		REQUIRE(usrsctp_cmt_sim_address(t->sim, 1 - side->host, m->to_path - 1,
		                                side->host == TRANSFER_CLIENT ? SERVER_PORT : CLIENT_PORT,
		                                &to) == 0);
	}
	return usrsctp_sendv(side->so, message_bytes(side, m->bytes) + side->offset_bytes, piece,
	                     m->to_path != 0 ? (struct sockaddr *)&to : NULL, m->to_path != 0, &spa,
	                     sizeof(spa), SCTP_SENDV_SPA, 0);
}

static void send_messages(struct transfer *t, struct transfer_side *side);

static void send_client(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	(void)sim;
	t->sides[TRANSFER_CLIENT].due_asked = false;
	send_messages(t, &t->sides[TRANSFER_CLIENT]);
}

static void send_server(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	(void)sim;
	t->sides[TRANSFER_SERVER].due_asked = false;
	send_messages(t, &t->sides[TRANSFER_SERVER]);
}

/* Whether the next message may be handed over now; asks to be called again when it is early. */
static bool is_due(struct transfer *t, struct transfer_side *side)
{
	uint64_t due_us = t->outcome->up_us + side->next * t->job->interval_us;

	if (due_us <= usrsctp_cmt_sim_now_us(t->sim))
		return true;
	if (!side->due_asked)
		usrsctp_cmt_sim_at(t->sim, due_us,
		                   side->host == TRANSFER_CLIENT ? send_client : send_server, t);
	side->due_asked = true;
	return false;
}

static void send_messages(struct transfer *t, struct transfer_side *side)
{
	while (t->outcome->end[side->host] == TRANSFER_OPEN && side->next < t->job->n_messages[side->host] &&
	       (usrsctp_get_events(side->so) & SCTP_EVENT_WRITE) != 0 && is_due(t, side)) {
		struct transfer_message m = t->job->message(side->host, side->next);
		uint32_t index = side->next;
		ssize_t n = hand_over(t, side, &m);

		if (n <= 0) {
			REQUIRE(errno == EWOULDBLOCK || errno == ENOBUFS || errno == ECONNRESET ||
			        errno == EPIPE || errno == ENOTCONN);
			break;
		}
		if (side->offset_bytes == 0)
			side->handed_us[index] = usrsctp_cmt_sim_now_us(t->sim);
		side->offset_bytes += (uint32_t)n;
		if (side->offset_bytes < m.bytes)
			continue;
		side->offset_bytes = 0;
		side->next++;
		t->outcome->handed[side->host] = side->next;
		if (t->job->on_handed != NULL)
			t->job->on_handed(t, side->host, index);
	}
	shut_when_due(t);
}

static void complete_message(struct transfer *t, struct transfer_side *side, uint32_t index,
                             const struct transfer_message *m)
{
	int from = 1 - side->host;

	if (side->got_bytes[index] != m->bytes)
		note_wrong(t, from, index, "cut");
	if (side->arrived_us[index] != 0)
		note_wrong(t, from, index, "twice");
	if (!m->unordered) {
		if (index < side->next_in_stream[m->stream])
			note_wrong(t, from, index, "out of order");
		side->next_in_stream[m->stream] = index + 1;
	}
	side->arrived_us[index] = usrsctp_cmt_sim_now_us(t->sim);
	t->outcome->last_us = side->arrived_us[index];
	t->outcome->arrived[from]++;
	if (m->pr_policy == SCTP_PR_SCTP_NONE)
		t->must_arrive[from]--;
}

static void take(struct transfer *t, struct transfer_side *side, const uint8_t *bytes, uint32_t n,
                 const struct sctp_rcvinfo *info, bool end_of_record)
{
	uint32_t index = ntohl(info->rcv_ppid);
	int from = 1 - side->host;
	struct transfer_message m;
	uint32_t at;

	if (index >= t->job->n_messages[from]) {
		note_wrong(t, from, index, "never sent");
		return;
	}
	m = t->job->message(from, index);
	at = side->got_bytes[index];
	if (info->rcv_sid != m.stream || ((info->rcv_flags & SCTP_UNORDERED) != 0) != m.unordered)
		note_wrong(t, from, index, "on another stream");
	if (n > m.bytes - at) {
		note_wrong(t, from, index, "too long, or twice");
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (bytes[i] != content(from, index, at + i)) {
			note_wrong(t, from, index, "altered");
			break;
		}
	}
	side->got_bytes[index] += n;
	if (end_of_record)
		complete_message(t, side, index, &m);
}

static void take_notification(struct transfer *t, struct transfer_side *side,
                              const union sctp_notification *note)
{
	if (note->sn_header.sn_type != SCTP_ASSOC_CHANGE)
		return;
	switch (note->sn_assoc_change.sac_state) {
	case SCTP_COMM_UP:
		if (side->host == TRANSFER_CLIENT) {
			t->outcome->up_us = t->read_us = usrsctp_cmt_sim_now_us(t->sim);
			if (t->job->on_up != NULL)
				t->job->on_up(t);
		}
		break;
	case SCTP_SHUTDOWN_COMP: end_side(t, side->host, TRANSFER_CLOSED); break;
	case SCTP_COMM_LOST:
	case SCTP_CANT_STR_ASSOC: end_side(t, side->host, TRANSFER_FAILED); break;
	default: break;
	}
}

static void note_gap(struct transfer *t)
{
	uint64_t now_us = usrsctp_cmt_sim_now_us(t->sim);

	if (now_us - t->read_us > t->outcome->longest_gap_us)
		t->outcome->longest_gap_us = now_us - t->read_us;
	t->read_us = now_us;
}

/* One read; false when there is nothing more. */
static bool read_once(struct transfer *t, struct transfer_side *side)
{
	static union {
		uint8_t bytes[READ_BYTES];
		union sctp_notification note;
	} buffer;
	struct sctp_rcvinfo info = {.rcv_sid = 0};
	struct sockaddr_storage from;
	socklen_t from_len = sizeof(from), info_len = sizeof(info);
	unsigned kind = 0;
	int flags = 0;
	ssize_t n = usrsctp_recvv(side->so, &buffer, sizeof(buffer), (struct sockaddr *)&from, &from_len,
	                          &info, &info_len, &kind, &flags);

	if (n < 0 && errno != EWOULDBLOCK && errno != ENOTCONN)
		end_side(t, side->host, TRANSFER_FAILED);
	if (n <= 0)
		return false;
	if ((flags & MSG_NOTIFICATION) != 0) {
		take_notification(t, side, &buffer.note);
		return true;
	}
	REQUIRE(kind == SCTP_RECVV_RCVINFO);
	if (side->host == TRANSFER_SERVER)
		note_gap(t);
	take(t, side, buffer.bytes, (uint32_t)n, &info, (flags & MSG_EOR) != 0);
	return true;
}

static void serve(struct transfer *t, struct transfer_side *side)
{
	while (!side->paused && (usrsctp_get_events(side->so) & SCTP_EVENT_READ) != 0 && read_once(t, side))
		;
	send_messages(t, side);
}

static void on_client(struct socket *so, void *arg, int flags)
{
	struct transfer *t = arg;

	(void)so;
	(void)flags;
	serve(t, &t->sides[TRANSFER_CLIENT]);
}

static void on_server(struct socket *so, void *arg, int flags)
{
	struct transfer *t = arg;

	(void)so;
	(void)flags;
	serve(t, &t->sides[TRANSFER_SERVER]);
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
	serve(t, &t->sides[TRANSFER_SERVER]);
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
	struct sctp_event changes = {.se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = SCTP_ASSOC_CHANGE, .se_on = 1};
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
	transfer_set_scheduler(t, host, job->scheduler);
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
	side->message = malloc(TRANSFER_MESSAGE_MAX_BYTES);
	side->handed_us = calloc(job->n_messages[host] + 1, sizeof(*side->handed_us));
	side->got_bytes = calloc(job->n_messages[1 - host] + 1, sizeof(*side->got_bytes));
	side->arrived_us = calloc(job->n_messages[1 - host] + 1, sizeof(*side->arrived_us));
	REQUIRE(side->message != NULL && side->handed_us != NULL && side->got_bytes != NULL &&
	        side->arrived_us != NULL);
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

static uint64_t latency_p95_us(const struct transfer *t)
{
	const struct transfer_side *from = &t->sides[TRANSFER_CLIENT], *to = &t->sides[TRANSFER_SERVER];
	uint64_t *all = calloc(t->job->n_messages[TRANSFER_CLIENT] + 1, sizeof(*all)), p95;
	size_t n = 0;

	REQUIRE(all != NULL);
	for (uint32_t i = 0; i < t->job->n_messages[TRANSFER_CLIENT]; i++) {
		if (to->arrived_us[i] != 0)
			all[n++] = to->arrived_us[i] - from->handed_us[i];
	}
	qsort(all, n, sizeof(*all), compare_us);
	p95 = n > 0 ? all[n * 95 / 100] : 0;
	free(all);
	return p95;
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
		free(t->sides[host].message);
		free(t->sides[host].handed_us);
		free(t->sides[host].got_bytes);
		free(t->sides[host].arrived_us);
	}
	*t = (struct transfer){.job = NULL};
#ifdef LEAKS_ARE_WATCHED
	REQUIRE(__lsan_do_recoverable_leak_check() == 0);
#endif
}

void transfer_in_process(const void *job_arg, void *outcome)
{
	const struct transfer_job *job = job_arg;
	struct usrsctp_cmt_sim_config config = {
	    .size = sizeof(config), .seed = job->seed, .family = job->family};
	struct transfer t = {.job = job, .outcome = outcome, .sim = usrsctp_cmt_sim_new(&config)};

	REQUIRE(t.sim != NULL);
	for (int path = 0; path < job->n_paths; path++)
		REQUIRE(usrsctp_cmt_sim_add_path(t.sim, &job->links[path], &job->links[path]) == path);
	prepare_side(&t, TRANSFER_CLIENT);
	prepare_side(&t, TRANSFER_SERVER);
	t.listener = open_socket(&t, TRANSFER_SERVER, SERVER_PORT, on_listener);
	t.sides[TRANSFER_SERVER].so = NULL;
	REQUIRE(usrsctp_listen(t.listener, 1) == 0);
	open_socket(&t, TRANSFER_CLIENT, CLIENT_PORT, on_client);
	REQUIRE(usrsctp_cmt_sim_connect(t.sim, t.sides[TRANSFER_CLIENT].so, TRANSFER_SERVER, SERVER_PORT,
	                                -1) == 0);
	usrsctp_cmt_sim_run(t.sim, job->limit_us != 0 ? job->limit_us : LIMIT_DEFAULT_US);
	if (!t.shut)
		sample_statistics(&t);
	count_missing(&t);
	t.outcome->latency_p95_us = latency_p95_us(&t);
	t.outcome->hash = usrsctp_cmt_sim_trace_hash(t.sim);
	close_all(&t);
}

struct transfer_outcome transfer_run(const struct transfer_job *job)
{
	struct transfer_outcome outcome;

	isolate_run(transfer_in_process, job, &outcome, sizeof(outcome));
	return outcome;
}
