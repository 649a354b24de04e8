/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One-to-many sockets: each association has keys of its own, named by its id; one of them goes on in the
 * clear where both ends allow that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include <usrsctp_cmt_dtls.h>
#include <usrsctp_cmt_sim.h>

#include "support/isolate.h"
#include "support/packet.h"

enum {
	S = 1000000,
	N_CLIENTS = 3,
	CLEAR_CLIENT = 2,
	SERVER_PORT = 5001,
	FIRST_PORT = 5010,
	KEY_BYTES = 16,
	IV_BYTES = 12
};
enum { MESSAGE_BYTES = 500 };

static struct socket *server, *clients[N_CLIENTS];
static sctp_assoc_t served[N_CLIENTS]; /* by client */
static unsigned echoed[N_CLIENTS], records[N_CLIENTS], in_the_clear[N_CLIENTS];

static void offer(struct socket *so, uint16_t flags)
{
	union {
		struct sctp_dtls_config config;
		uint8_t bytes[sizeof(struct sctp_dtls_config) + 1];
	} u;

	memset(&u, 0, sizeof(u));
	u.config.sdc_flags = flags;
	u.config.sdc_nr_kmids = 1;
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_DTLS_LOCAL_CONFIG, &u, sizeof(u)) == 0);
}

static void give_key(struct socket *so, sctp_assoc_t id, int option, int client, int direction)
{
	union {
		struct sctp_dtls_keys keys;
		uint8_t bytes[sizeof(struct sctp_dtls_keys) + 2 * KEY_BYTES + IV_BYTES];
	} u;

	memset(&u, 1 + 2 * client + direction, sizeof(u));
	u.keys = (struct sctp_dtls_keys){.sdk_assoc_id = id,
	                                 .sdk_cipher_suite = {0x13, 0x01},
	                                 .sdk_epoch = SCTP_DTLS_FIRST_EPOCH,
	                                 .sdk_key_len = KEY_BYTES,
	                                 .sdk_iv_len = IV_BYTES,
	                                 .sdk_sn_key_len = KEY_BYTES};
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, option, &u, sizeof(u)) == 0);
}

static int enforce(struct socket *so, sctp_assoc_t id)
{
	const struct sctp_assoc_value on = {.assoc_id = id, .assoc_value = 1};

	return usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_DTLS_ENFORCE_PROTECTION, &on, sizeof(on)) == 0
	           ? 0
	           : errno;
}

static unsigned agreed_methods(sctp_assoc_t id)
{
	union {
		struct sctp_dtls_config config;
		uint8_t bytes[sizeof(struct sctp_dtls_config) + SCTP_DTLS_KM_MAX];
	} u = {.config = {.sdc_assoc_id = id}};
	socklen_t len = sizeof(u);

	REQUIRE(usrsctp_getsockopt(server, IPPROTO_SCTP, SCTP_DTLS_GET_CONFIG, &u, &len) == 0);
	return u.config.sdc_nr_kmids;
}

static void read_server(void)
{
	static union {
		union sctp_notification note;
		uint8_t bytes[4096];
	} buffer;

	while ((usrsctp_get_events(server) & SCTP_EVENT_READ) != 0) {
		struct sockaddr_in from = {.sin_family = AF_INET};
		socklen_t from_len = sizeof(from), info_len = sizeof(struct sctp_rcvinfo);
		struct sctp_rcvinfo info;
		unsigned kind = 0;
		int flags = 0;
		const ssize_t n = usrsctp_recvv(server, &buffer, sizeof(buffer), (struct sockaddr *)&from,
		                                &from_len, &info, &info_len, &kind, &flags);
		const unsigned client = (unsigned)(ntohs(from.sin_port) - FIRST_PORT);

		if (n <= 0)
			return;
		REQUIRE(client < N_CLIENTS);
		if ((flags & MSG_NOTIFICATION) != 0) {
			if (buffer.note.sn_assoc_change.sac_state == SCTP_COMM_UP)
				served[client] = buffer.note.sn_assoc_change.sac_assoc_id;
			REQUIRE(buffer.note.sn_assoc_change.sac_state != SCTP_COMM_LOST);
			continue;
		}
		REQUIRE(n == MESSAGE_BYTES && buffer.bytes[0] == client &&
		        info.rcv_assoc_id == served[client]);
		echoed[client]++;
	}
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p, void *arg)
{
	const unsigned client =
	    (unsigned)(packet_get16(p->packet + (p->direction == 0 ? 0 : 2)) - FIRST_PORT);

	(void)sim;
	(void)arg;
	if (p->event != USRSCTP_CMT_SIM_SENT)
		return;
	records[client] += p->packet[COMMON_HEADER_BYTES] == CHUNK_DTLS;
	in_the_clear[client] += packet_has(p->packet, p->packet_bytes, CHUNK_DATA);
}

static int say(struct socket *so, sctp_assoc_t id, unsigned client)
{
	const struct sctp_sndinfo info = {.snd_assoc_id = id};
	uint8_t message[MESSAGE_BYTES] = {(uint8_t)client};

	return usrsctp_sendv(so, message, sizeof(message), NULL, 0, (void *)(uintptr_t)&info, sizeof(info),
	                     SCTP_SENDV_SNDINFO, 0) > 0
	           ? 0
	           : errno;
}

static void run_for(struct usrsctp_cmt_sim *sim, uint64_t us)
{
	usrsctp_cmt_sim_run(sim, usrsctp_cmt_sim_now_us(sim) + us);
	read_server();
}

static void protect(unsigned i)
{
	give_key(server, served[i], SCTP_DTLS_ADD_RECV_KEYS, (int)i, 0);
	give_key(server, served[i], SCTP_CMT_DTLS_NEXT_SEND_KEYS, (int)i, 1);
	give_key(clients[i], 0, SCTP_DTLS_ADD_RECV_KEYS, (int)i, 1);
	give_key(clients[i], 0, SCTP_DTLS_SET_SEND_KEYS, (int)i, 0);
	REQUIRE(enforce(server, served[i]) == 0 && enforce(clients[i], 0) == 0);
}

static struct socket *open_socket(struct usrsctp_cmt_sim *sim, int type, int host, uint16_t port,
                                  uint16_t flags)
{
	const struct sctp_event changes = {
	    .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = SCTP_ASSOC_CHANGE, .se_on = 1};
	struct socket *so = usrsctp_socket(AF_INET, type, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	const int on = 1;

	REQUIRE(so != NULL && usrsctp_set_non_blocking(so, 1) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_EVENT, &changes, sizeof(changes)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_RECVRCVINFO, &on, sizeof(on)) == 0);
	if (flags != 0)
		offer(so, flags);
	REQUIRE(usrsctp_cmt_sim_bind(sim, so, host, port, -1) == 0);
	return so;
}

static void run(const void *unused, void *unused_too)
{
	const struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = 1};
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 10000000, .delay_us = 10000, .queue_pkts = 100};
	struct usrsctp_cmt_sim *sim = usrsctp_cmt_sim_new(&config);

	(void)unused;
	(void)unused_too;
	REQUIRE(sim != NULL && usrsctp_cmt_sim_add_path(sim, &link, &link) == 0);
	usrsctp_cmt_sim_tap(sim, watch, NULL);
	server = open_socket(sim, SOCK_SEQPACKET, 1, SERVER_PORT, SCTP_DTLS_SERVER);
	REQUIRE(usrsctp_listen(server, N_CLIENTS) == 0);
	for (unsigned i = 0; i < N_CLIENTS; i++) {
		clients[i] = open_socket(sim, SOCK_STREAM, 0, (uint16_t)(FIRST_PORT + i),
		                         i == CLEAR_CLIENT ? 0 : SCTP_DTLS_CLIENT);
		REQUIRE(usrsctp_cmt_sim_connect(sim, clients[i], 1, SERVER_PORT, -1) == 0);
	}
	run_for(sim, S);
	REQUIRE(enforce(server, 12345) == ENOENT);
	protect(0);
	run_for(sim, S);
	/* The second one's keys are not there yet, and are none of the first's. */
	REQUIRE(agreed_methods(served[0]) == 1 && agreed_methods(served[1]) == 1 &&
	        agreed_methods(served[CLEAR_CLIENT]) == 0);
	REQUIRE(say(clients[0], 0, 0) == 0 && say(server, served[0], 0) == 0);
	REQUIRE(say(clients[1], 0, 1) == EAGAIN && say(server, served[1], 1) == EAGAIN);
	REQUIRE(say(clients[CLEAR_CLIENT], 0, CLEAR_CLIENT) == 0 &&
	        say(server, served[CLEAR_CLIENT], CLEAR_CLIENT) == 0);
	run_for(sim, S);
	protect(1);
	run_for(sim, S);
	REQUIRE(say(clients[1], 0, 1) == 0 && say(server, served[1], 1) == 0);
	run_for(sim, S);
	for (unsigned i = 0; i < N_CLIENTS; i++) {
		REQUIRE(echoed[i] == 1);
		REQUIRE((records[i] > 0) == (i != CLEAR_CLIENT) &&
		        (in_the_clear[i] > 0) == (i == CLEAR_CLIENT));
	}
	usrsctp_cmt_sim_tap(sim, NULL, NULL);
	for (unsigned i = 0; i < N_CLIENTS; i++)
		usrsctp_close(clients[i]);
	usrsctp_close(server);
	REQUIRE(usrsctp_cmt_sim_free(sim) == 0);
}

static void associations_of_one_socket_have_keys_of_their_own(void **state)
{
	char nothing;

	(void)state;
	isolate_run(run, NULL, &nothing, sizeof(nothing));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(associations_of_one_socket_have_keys_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
