/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sim_hello.c - two hosts, two unequal paths, one transfer, in virtual time: where to start with a simulation
 * of your own application. docs/getting-started.md walks through it.
 *
 *     sim_hello [SCHEDULER]        exit status 0: every byte arrived, in order */
#include <usrsctp_cmt_sim.h>

#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

enum { SENDER, RECEIVER };
enum { SENDER_PORT = 5000, RECEIVER_PORT = 5001, MESSAGE_BYTES = 1000, TOTAL_BYTES = 1000000 };

static struct usrsctp_cmt_sim *sim;
static struct socket *receiver;
static struct sctp_cmt_stats stats = {.size = sizeof(stats)};
static uint32_t sent_bytes, received_bytes;
static bool intact = true, ended;

static uint8_t content(uint32_t at)
{
	return (uint8_t)(at * 7 + at / 251);
}

/* Upcall of the sender: connected, or there is room in the send buffer. */
static void on_sender(struct socket *so, void *arg, int flags)
{
	uint8_t message[MESSAGE_BYTES];
	socklen_t len = sizeof(stats);

	(void)arg;
	(void)flags;
	while (sent_bytes < TOTAL_BYTES && (usrsctp_get_events(so) & SCTP_EVENT_WRITE) != 0) {
		for (uint32_t i = 0; i < MESSAGE_BYTES; i++)
			message[i] = content(sent_bytes + i);
		if (usrsctp_sendv(so, message, sizeof(message), NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) < 0)
			return;
		sent_bytes += MESSAGE_BYTES;
		if (sent_bytes == TOTAL_BYTES)
			usrsctp_shutdown(so, SHUT_WR);
	}
	usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len);
}

/* Upcall of the receiver: something to read, or the end. */
static void on_receiver(struct socket *so, void *arg, int flags)
{
	uint8_t buffer[4 * MESSAGE_BYTES];

	(void)arg;
	(void)flags;
	while ((usrsctp_get_events(so) & SCTP_EVENT_READ) != 0) {
		socklen_t info_len = 0;
		unsigned info_type = 0;
		int msg_flags = 0;
		ssize_t n = usrsctp_recvv(so, buffer, sizeof(buffer), NULL, NULL, NULL, &info_len, &info_type,
		                          &msg_flags);

		for (ssize_t i = 0; i < n; i++)
			intact &= buffer[i] == content(received_bytes++);
		if (n == 0 && !ended) {
			ended = true;
			usrsctp_cmt_sim_stop(sim);
		}
		if (n <= 0)
			return;
	}
}

static void on_listener(struct socket *so, void *arg, int flags)
{
	(void)arg;
	(void)flags;
	receiver = usrsctp_accept(so, NULL, NULL);
	if (receiver == NULL)
		return;
	usrsctp_set_non_blocking(receiver, 1);
	usrsctp_set_upcall(receiver, on_receiver, NULL);
}

/* A socket of one host, bound to its addresses on all paths. */
static struct socket *open_socket(int host, uint16_t port, void (*upcall)(struct socket *, void *, int))
{
	struct socket *so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);

	if (so == NULL || usrsctp_set_non_blocking(so, 1) != 0 ||
	    usrsctp_cmt_sim_bind(sim, so, host, port, -1) != 0)
		return NULL;
	usrsctp_set_upcall(so, upcall, NULL);
	return so;
}

/* One transfer under `scheduler`, once per process; 0 when every byte arrived in its place. */
int sim_hello(const char *scheduler);
int sim_hello(const char *scheduler)
{
	struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = 1};
	struct usrsctp_cmt_sim_link fast = {.rate_bps = 1600000, .delay_us = 10000, .queue_pkts = 100};
	struct usrsctp_cmt_sim_link slow = {.rate_bps = 400000, .delay_us = 100000, .queue_pkts = 100};
	struct sctp_cmt_policy policy = {.size = sizeof(policy), .assoc_id = SCTP_FUTURE_ASSOC};
	struct socket *listener, *sender;

	snprintf(policy.name, sizeof(policy.name), "%s", scheduler);
	sim = usrsctp_cmt_sim_new(&config); /* in place of usrsctp_init() */
	if (sim == NULL || usrsctp_cmt_sim_add_path(sim, &fast, &fast) != 0 ||
	    usrsctp_cmt_sim_add_path(sim, &slow, &slow) != 1)
		return 1;
	listener = open_socket(RECEIVER, RECEIVER_PORT, on_listener);
	sender = open_socket(SENDER, SENDER_PORT, on_sender);
	if (listener == NULL || sender == NULL || usrsctp_listen(listener, 1) != 0)
		return 1;
	if (usrsctp_setsockopt(sender, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy)) != 0) {
		perror(scheduler);
		return 1;
	}
	if (usrsctp_cmt_sim_connect(sim, sender, RECEIVER, RECEIVER_PORT, -1) != 0)
		return 1;
	usrsctp_cmt_sim_run(sim, 60000000); /* until on_receiver() stops it, or a virtual minute is over */

	printf("%s: %" PRIu32 " of %d bytes in %.3f s; %" PRIu64 " chunks sent ahead, "
	       "%" PRIu64 " illegal decisions\n",
	       stats.scheduler, received_bytes, TOTAL_BYTES, (double)usrsctp_cmt_sim_now_us(sim) / 1e6,
	       stats.sent_ahead_units, stats.illegal_decisions);
	usrsctp_close(sender);
	usrsctp_close(listener);
	if (receiver != NULL)
		usrsctp_close(receiver);
	if (usrsctp_cmt_sim_free(sim) != 0)
		return 1;
	return ended && intact && received_bytes == TOTAL_BYTES && stats.illegal_decisions == 0 ? 0 : 1;
}

#ifndef SIM_HELLO_NO_MAIN
int main(int argc, char **argv)
{
	return sim_hello(argc > 1 ? argv[1] : "arrival");
}
#endif
