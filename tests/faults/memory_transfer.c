/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory_transfer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <usrsctp_cmt_sim.h>

#include "isolate.h"
#include "packet.h"
#include "scarce.h"
#include "variant.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

enum { CLIENT, SERVER };
/* Missing in usrsctp.h. */
enum { OPTION_INTERLEAVING_SUPPORTED = 0x1206 };
enum {
	CLIENT_PORT = 5000,
	SERVER_PORT = 5001,
	N_PATHS = 2,
	MESSAGE_MAX_BYTES = 6000,
	RETRY_US = 20000,
	ANSWER_US = 10000000
};

/* Of each end; the server answers a few. */
static const uint32_t n_messages[2] = {150, 20};
static const uint64_t LIMIT_US = UINT64_C(3600000000);

static const uint16_t rich_events[] = {SCTP_PEER_ADDR_CHANGE,      SCTP_SENDER_DRY_EVENT,
                                       SCTP_ADAPTATION_INDICATION, SCTP_STREAM_RESET_EVENT,
                                       SCTP_ASSOC_RESET_EVENT,     SCTP_STREAM_CHANGE_EVENT,
                                       SCTP_SEND_FAILED_EVENT,     SCTP_REMOTE_ERROR,
                                       SCTP_AUTHENTICATION_EVENT,  SCTP_PARTIAL_DELIVERY_EVENT};

static struct run {
	const struct memory_job *job;
	struct usrsctp_cmt_sim *sim;
	struct socket *listener, *so[2];
	uint32_t sent[2], got[2]; /* by host */
	bool retry_asked[2];
	bool shut, answer_awaited, keyed;
	uint64_t all_there_us; /* when every message was; 0 = not yet */
	struct memory_outcome *outcome;
	struct {
		uint32_t n, serial; /* different ones that came; the last one's */
		bool answered;
	} asconf;
} run;

static uint32_t message_bytes(uint32_t index)
{
	static const uint32_t sizes[5] = {1000, 1452, 50, 5000, 300};

	return sizes[index % 5];
}

static void fill(uint8_t *message, int host, uint32_t index)
{
	for (uint32_t i = 0; i < message_bytes(index); i++)
		message[i] = (uint8_t)((uint32_t)host * 101 + index * 59 + i * 131);
}

/* --- sending ----------------------------------------------------------------------------------------------
 */

static void write_some(int host);

static void retry(struct usrsctp_cmt_sim *sim, void *arg)
{
	int host = arg != NULL ? SERVER : CLIENT;

	(void)sim;
	run.retry_asked[host] = false;
	write_some(host);
}

/* What had no memory now may have some later. */
static void ask_retry(int host)
{
	if (run.retry_asked[host])
		return;
	run.retry_asked[host] = true;
	scarce_pause();
	REQUIRE(usrsctp_cmt_sim_at(run.sim, usrsctp_cmt_sim_now_us(run.sim) + RETRY_US, retry,
	                           host == SERVER ? &run : NULL) == 0);
	scarce_go_on();
}

static bool has_ended(int host)
{
	return run.outcome->closed[host] || run.outcome->told[host];
}

static void shut_when_all_is_there(void);

static void look_again(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	(void)arg;
	run.answer_awaited = false;
	shut_when_all_is_there();
}

/* Gives an ASCONF that found no memory the time to come again. */
static bool waits_for_answer(void)
{
	const uint64_t now_us = usrsctp_cmt_sim_now_us(run.sim);

	if (run.all_there_us == 0)
		run.all_there_us = now_us;
	if (run.job->again || run.outcome->unanswered == 0 || now_us > run.all_there_us + ANSWER_US)
		return false;
	if (!run.answer_awaited) {
		run.answer_awaited = true;
		scarce_pause();
		REQUIRE(usrsctp_cmt_sim_at(run.sim, now_us + RETRY_US, look_again, NULL) == 0);
		scarce_go_on();
	}
	return true;
}

static void shut_when_all_is_there(void)
{
	if (run.shut || run.so[CLIENT] == NULL || run.got[SERVER] < n_messages[CLIENT] ||
	    run.got[CLIENT] < n_messages[SERVER] || waits_for_answer())
		return;
	run.shut = run.outcome->delivered = true;
	(void)usrsctp_shutdown(run.so[CLIENT], SHUT_WR);
}

/* What the client does beside sending; whatever fails is left out. */
static void do_more(uint32_t index)
{
	struct sctp_add_streams more = {.sas_outstrms = 5};
	struct {
		struct sctp_reset_streams request;
		uint16_t streams[1];
	} reset = {.request = {.srs_flags = SCTP_STREAM_RESET_OUTGOING, .srs_number_streams = 1},
	           .streams = {3}};
	struct sockaddr_storage address;

	if (usrsctp_cmt_sim_address(run.sim, CLIENT, 1, CLIENT_PORT, &address) != 0)
		return;
	switch (index) {
	case 30:
		(void)usrsctp_bindx(run.so[CLIENT], (struct sockaddr *)&address, 1, SCTP_BINDX_REM_ADDR);
		break;
	case 50:
		(void)usrsctp_setsockopt(run.so[CLIENT], IPPROTO_SCTP, SCTP_ADD_STREAMS, &more, sizeof(more));
		break;
	case 70:
		(void)usrsctp_bindx(run.so[CLIENT], (struct sockaddr *)&address, 1, SCTP_BINDX_ADD_ADDR);
		break;
	case 90:
		(void)usrsctp_setsockopt(run.so[CLIENT], IPPROTO_SCTP, SCTP_RESET_STREAMS, &reset,
		                         sizeof(reset));
		break;
	default: break;
	}
}

static void note_end(int host, bool told)
{
	if (has_ended(host))
		return;
	*(told ? &run.outcome->told[host] : &run.outcome->closed[host]) = true;
	if (has_ended(1 - host))
		usrsctp_cmt_sim_stop(run.sim);
}

static void end_at_once(int host)
{
	const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
	struct socket *so = run.so[host];

	if (so == NULL)
		return;
	run.so[host] = NULL;
	note_end(host, true);
	usrsctp_set_upcall(so, NULL, NULL);
	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) == 0);
	usrsctp_close(so);
}

/* Both ends are in this process. The event that says that there is an association may have had no memory. */
static void protect_when_up(void)
{
	struct sctp_status status = {.sstat_assoc_id = 0};
	socklen_t bytes = sizeof(status);

	if (!run.job->protect || run.keyed || run.so[CLIENT] == NULL ||
	    usrsctp_getsockopt(run.so[CLIENT], IPPROTO_SCTP, SCTP_STATUS, &status, &bytes) != 0 ||
	    status.sstat_state != SCTP_ESTABLISHED)
		return;
	run.keyed = true;
	if (CMT_TEST_FIXED && run.so[SERVER] != NULL &&
	    usrsctp_cmt_sim_install_keys(run.sim, run.so[CLIENT], run.so[SERVER]) == 0)
		return;
	end_at_once(CLIENT);
	end_at_once(SERVER);
}

static void write_some(int host)
{
	static uint8_t message[MESSAGE_MAX_BYTES];

	protect_when_up();
	while (run.so[host] != NULL && !has_ended(host) && run.sent[host] < n_messages[host] &&
	       (usrsctp_get_events(run.so[host]) & SCTP_EVENT_WRITE) != 0) {
		uint32_t bytes = message_bytes(run.sent[host]);
		ssize_t n;

		fill(message, host, run.sent[host]);
		n = usrsctp_sendv(run.so[host], message, bytes, NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0);
		if (n < 0) {
			if (errno != EWOULDBLOCK || (run.job->protect && !run.keyed))
				ask_retry(host);
			return;
		}
		REQUIRE((uint32_t)n == bytes);
		run.sent[host]++;
		if (host == CLIENT && run.job->rich)
			do_more(run.sent[host]);
	}
}

/* --- receiving --------------------------------------------------------------------------------------------
 */

/* Without the partial delivery of large messages: each read is a whole one. */
static void take(int host, const uint8_t *bytes, size_t n, int flags)
{
	static uint8_t expected[MESSAGE_MAX_BYTES];
	uint32_t index = run.got[host];

	if (index >= n_messages[1 - host] || (flags & MSG_EOR) == 0 || n != message_bytes(index)) {
		run.outcome->wrong++;
		return;
	}
	fill(expected, 1 - host, index);
	run.outcome->wrong += memcmp(bytes, expected, n) != 0;
	run.got[host]++;
}

static void take_event(int host, const union sctp_notification *event)
{
	if (event->sn_header.sn_type != SCTP_ASSOC_CHANGE)
		return;
	switch (event->sn_assoc_change.sac_state) {
	case SCTP_SHUTDOWN_COMP: note_end(host, false); break;
	case SCTP_COMM_LOST:
	case SCTP_CANT_STR_ASSOC: note_end(host, true); break;
	default: break;
	}
}

static void read_all(int host)
{
	static union {
		uint8_t bytes[65536];
		union sctp_notification event;
	} buffer;

	while (run.so[host] != NULL && (usrsctp_get_events(run.so[host]) & SCTP_EVENT_READ) != 0) {
		struct sctp_rcvinfo info;
		socklen_t info_bytes = sizeof(info);
		unsigned kind = 0;
		int flags = 0;
		ssize_t n = usrsctp_recvv(run.so[host], &buffer, sizeof(buffer), NULL, NULL, &info,
		                          &info_bytes, &kind, &flags);

		if (n < 0 && errno != EWOULDBLOCK)
			note_end(host, true);
		/* The notification of the end may have had no memory. */
		if (n == 0)
			note_end(host, false);
		if (n <= 0)
			return;
		if ((flags & MSG_NOTIFICATION) != 0)
			take_event(host, &buffer.event);
		else
			take(host, buffer.bytes, (size_t)n, flags);
	}
}

static void on_upcall(struct socket *so, void *arg, int flags)
{
	int host = arg != NULL ? SERVER : CLIENT;

	(void)so;
	(void)flags;
	read_all(host);
	write_some(host);
	shut_when_all_is_there();
}

static void on_listener(struct socket *so, void *arg, int flags)
{
	struct socket *accepted = usrsctp_accept(so, NULL, NULL);

	(void)arg;
	(void)flags;
	if (accepted == NULL)
		return;
	REQUIRE(usrsctp_set_non_blocking(accepted, 1) == 0);
	/* The client's cookie came again, since memory failed behind accepting the first. */
	if (run.so[SERVER] != NULL)
		usrsctp_close(run.so[SERVER]);
	run.so[SERVER] = accepted;
	run.outcome->accepted = true;
	run.outcome->closed[SERVER] = run.outcome->told[SERVER] = false;
	usrsctp_set_upcall(accepted, on_upcall, &run);
	on_upcall(accepted, &run, 0);
}

/* --- the network ------------------------------------------------------------------------------------------
 */

static uint32_t serial_of(const struct chunk *asconf)
{
	return packet_get32(asconf->bytes + 4);
}

static void note_asconf(const struct chunk *asconf)
{
	if (run.asconf.n == 0 || serial_of(asconf) != run.asconf.serial) {
		if (run.asconf.n < MEMORY_ASCONFS)
			run.outcome->asconf_at[run.asconf.n] = scarce_count();
		run.asconf.n++;
		run.asconf.serial = serial_of(asconf);
		run.asconf.answered = false;
		run.outcome->unanswered = 0;
	}
	run.outcome->unanswered += !run.asconf.answered;
}

static void watch_packets(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	const uint8_t *bytes = packet->packet;
	struct chunk c;

	(void)sim;
	(void)arg;
	run.outcome->wrong += run.job->protect && packet_has(bytes, packet->packet_bytes, CHUNK_DATA);
	if (packet->direction == 0 && packet->event == USRSCTP_CMT_SIM_DELIVERED &&
	    packet_find(bytes, packet->packet_bytes, CHUNK_ASCONF, &c))
		note_asconf(&c);
	if (packet->direction == 1 && packet->event == USRSCTP_CMT_SIM_SENT &&
	    packet_find(bytes, packet->packet_bytes, CHUNK_ASCONF_ACK, &c) &&
	    serial_of(&c) == run.asconf.serial) {
		run.asconf.answered = true;
		run.outcome->unanswered = 0;
	}
}

/* --- the application --------------------------------------------------------------------------------------
 */

static bool set(struct socket *so, int option, const void *value, socklen_t bytes)
{
	return usrsctp_setsockopt(so, IPPROTO_SCTP, option, value, bytes) == 0;
}

static bool configure_richly(struct socket *so)
{
	const struct sctp_assoc_value yes = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};
	const struct sctp_assoc_value resets = {.assoc_id = SCTP_FUTURE_ASSOC,
	                                        .assoc_value = SCTP_ENABLE_RESET_STREAM_REQ |
	                                                       SCTP_ENABLE_CHANGE_ASSOC_REQ};
	const struct sctp_assoc_value no_extension = {.assoc_value = 0};
	const struct sctp_authchunk data = {.sauth_chunk = 0x40}; /* I-DATA */
	const int interleave = 2;
	bool good = set(so, SCTP_FRAGMENT_INTERLEAVE, &interleave, sizeof(interleave)) &&
	            set(so, OPTION_INTERLEAVING_SUPPORTED, &yes, sizeof(yes)) &&
	            set(so, SCTP_ENABLE_STREAM_RESET, &resets, sizeof(resets)) &&
	            set(so, SCTP_AUTH_CHUNK, &data, sizeof(data)) &&
	            set(so, SCTP_CMT_EXTENSION, &no_extension, sizeof(no_extension));

	for (unsigned i = 0; good && i < sizeof(rich_events) / sizeof(rich_events[0]); i++) {
		struct sctp_event event = {
		    .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = rich_events[i], .se_on = 1};

		good = set(so, SCTP_EVENT, &event, sizeof(event));
	}
	return good;
}

static bool configure(struct socket *so, int host)
{
	struct sctp_event changes = {
	    .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = SCTP_ASSOC_CHANGE, .se_on = 1};
	struct sctp_cmt_policy policy = {
	    .size = sizeof(policy), .assoc_id = SCTP_FUTURE_ASSOC, .name = "arrival"};

	if (usrsctp_set_non_blocking(so, 1) != 0 || !set(so, SCTP_EVENT, &changes, sizeof(changes)))
		return false;
	/* The pristine release knows none of the rest. */
	if (!CMT_TEST_FIXED)
		return true;
	return set(so, SCTP_CMT_SCHEDULER, &policy, sizeof(policy)) && (!run.job->rich || configure_richly(so)) &&
	       (!run.job->protect || usrsctp_cmt_sim_protect(run.sim, so, host) == 0);
}

/* NULL when it was refused. */
static struct socket *open_socket(int host, uint16_t port)
{
	struct socket *so = usrsctp_socket(run.job->rich ? AF_INET6 : AF_INET, SOCK_STREAM, IPPROTO_SCTP,
	                                   NULL, NULL, 0, NULL);

	if (so != NULL && (!configure(so, host) || usrsctp_cmt_sim_bind(run.sim, so, host, port, -1) != 0)) {
		usrsctp_close(so);
		return NULL;
	}
	return so;
}

static bool open_all(void)
{
	run.listener = open_socket(SERVER, SERVER_PORT);
	if (run.listener == NULL || usrsctp_listen(run.listener, 1) != 0)
		return false;
	usrsctp_set_upcall(run.listener, on_listener, NULL);
	run.so[CLIENT] = open_socket(CLIENT, CLIENT_PORT);
	if (run.so[CLIENT] == NULL)
		return false;
	usrsctp_set_upcall(run.so[CLIENT], on_upcall, NULL);
	return usrsctp_cmt_sim_connect(run.sim, run.so[CLIENT], SERVER, SERVER_PORT, -1) == 0;
}

static void close_all(void)
{
	struct socket *sockets[3] = {run.so[CLIENT], run.so[SERVER], run.listener};

	for (unsigned i = 0; i < 3; i++) {
		if (sockets[i] == NULL)
			continue;
		usrsctp_set_upcall(sockets[i], NULL, NULL);
		usrsctp_close(sockets[i]);
	}
}

void memory_transfer(const void *job_arg, void *outcome)
{
	const struct memory_job *job = job_arg;
	const struct usrsctp_cmt_sim_link links[N_PATHS] = {
	    {.rate_bps = 8000000, .delay_us = 10000, .queue_pkts = 20, .loss = 0.02},
	    {.rate_bps = 2000000, .delay_us = 50000, .queue_pkts = 20, .loss = 0.02}};
	struct usrsctp_cmt_sim_config config = {
	    .size = sizeof(config), .seed = 7, .family = job->rich ? AF_INET6 : AF_INET};
	int64_t before = scarce_blocks();

	run = (struct run){.job = job, .sim = usrsctp_cmt_sim_new(&config), .outcome = outcome};
	REQUIRE(run.sim != NULL);
	usrsctp_cmt_sim_tap(run.sim, watch_packets, NULL);
	for (int path = 0; path < N_PATHS; path++)
		REQUIRE(usrsctp_cmt_sim_add_path(run.sim, &links[path], &links[path]) == path);
	scarce_begin(job->fail_at, job->again, job->tell);
	run.outcome->refused = !open_all();
	if (!run.outcome->refused)
		usrsctp_cmt_sim_run(run.sim, LIMIT_US);
	run.outcome->allocations = scarce_count();
	run.outcome->failures = scarce_failures();
	scarce_pause();
	close_all();
	REQUIRE(usrsctp_cmt_sim_free(run.sim) == 0);
	run.outcome->leaked_blocks = scarce_blocks() - before;
#if defined(__SANITIZE_ADDRESS__)
	REQUIRE(__lsan_do_recoverable_leak_check() == 0);
#endif
}
