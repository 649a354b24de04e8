/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Before an association is protected, somebody on the path asks for a cookie with which it could be
 * restarted. He keeps it, and echoes it later from wherever he likes: once it is protected, the association
 * goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <string.h>

#include "support/isolate.h"
#include "support/keyed.h"

enum {
	S = 1000000,
	HIS_TAG = 0x11223344,
	HIS_TSN = 5000,
	USER_PPID = 7,
	PARAMETER_COOKIE = 7,
	COOKIE_MAX = 1300
};

struct job {
	bool is_protected, elsewhere;
};

static uint8_t cookie[COOKIE_MAX];
static size_t cookie_bytes;
static uint32_t his_cookie_tag;
static unsigned n_read;

/* The answer to his INIT. */
static void look(struct keyed *k, const struct usrsctp_cmt_sim_packet *p)
{
	struct chunk init_ack, c;

	(void)k;
	if (p->event != USRSCTP_CMT_SIM_SENT || packet_get32(p->packet + 4) != HIS_TAG ||
	    !packet_find(p->packet, p->packet_bytes, CHUNK_INIT_ACK, &init_ack) ||
	    !packet_find_parameter(&init_ack, PARAMETER_COOKIE, &c))
		return;
	cookie_bytes = c.len - 4;
	REQUIRE(cookie_bytes <= sizeof(cookie));
	memcpy(cookie, c.bytes + 4, cookie_bytes);
	his_cookie_tag = packet_get32(init_ack.bytes + 4);
}

static void receive(struct keyed *k, int host, uint32_t ppid, const uint8_t *bytes, size_t n)
{
	(void)k;
	(void)bytes;
	n_read += host == 1 && ppid == USER_PPID && n == 100;
}

static void ask_for_cookie(struct keyed *k)
{
	static const uint8_t parameter[] = {
	    0x80, 0x06, 0, 10, 1, 2, 3, 4, SCTP_DTLS_CLIENT, SCTP_DTLS_KM_PRESHARED, 0, 0};
	uint8_t body[16 + sizeof(parameter)] = {0};
	struct packet_draft d;

	packet_put32(body, HIS_TAG);
	packet_put32(body + 4, 100000);
	packet_put16(body + 8, 10);
	packet_put16(body + 10, 10);
	packet_put32(body + 12, HIS_TSN);
	memcpy(body + 16, parameter, sizeof(parameter));
	packet_begin(&d, KEYED_CLIENT_PORT, KEYED_SERVER_PORT, 0);
	packet_add(&d, CHUNK_INIT, 4 + 16 + 10, body, sizeof(body));
	keyed_inject(k, 1, d.bytes, d.len);
	keyed_run(k, S);
	REQUIRE(cookie_bytes > 0);
}

static void echo_cookie(struct keyed *k, bool elsewhere)
{
	struct sockaddr_storage from;
	struct packet_draft d;

	packet_begin(&d, KEYED_CLIENT_PORT, KEYED_SERVER_PORT, his_cookie_tag);
	packet_add(&d, CHUNK_COOKIE_ECHO, (uint16_t)(4 + cookie_bytes), cookie, cookie_bytes);
	packet_finish(&d);
	REQUIRE(usrsctp_cmt_sim_address(k->sim, 0, 0, 0, &from) == 0);
	((struct sockaddr_in *)&from)->sin_port = 0;
	if (elsewhere)
		((struct sockaddr_in *)&from)->sin_addr.s_addr = htonl(0xc6120001);
	REQUIRE(usrsctp_cmt_sim_arrive(k->sim, 1, 0, &from, d.bytes, d.len) == 0);
}

static void run(const void *what, void *restarted)
{
	static const uint8_t message[100];
	const struct keyed_options o = {
	    .seed = 1,
	    .offers = {{SCTP_DTLS_CLIENT | SCTP_DTLS_REQUIRED, 1, {SCTP_DTLS_KM_PRESHARED}},
	               {SCTP_DTLS_SERVER | SCTP_DTLS_REQUIRED, 1, {SCTP_DTLS_KM_PRESHARED}}},
	    .look = look,
	    .receive = receive};
	const struct job *job = what;
	struct keyed k;

	keyed_open(&k, &o);
	keyed_run(&k, S);
	ask_for_cookie(&k);
	if (job->is_protected)
		REQUIRE(keyed_protect(&k) == 0);
	keyed_run(&k, S);
	echo_cookie(&k, job->elsewhere);
	keyed_run(&k, S);
	*(bool *)restarted = k.restarted[1];
	if (job->is_protected) {
		REQUIRE(keyed_send(&k, 0, USER_PPID, message, sizeof(message)) == 0);
		keyed_run(&k, S);
		REQUIRE(n_read == 1 && !k.lost[0] && !k.lost[1]);
	}
	keyed_close(&k);
}

static bool restarts(bool is_protected, bool elsewhere)
{
	const struct job job = {is_protected, elsewhere};
	bool restarted;

	isolate_run(run, &job, &restarted, sizeof(restarted));
	return restarted;
}

static void a_cookie_of_before_restarts_nothing(void **state)
{
	(void)state;
	assert_true(restarts(false, false));
	assert_false(restarts(true, false));
	assert_false(restarts(true, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_cookie_of_before_restarts_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
