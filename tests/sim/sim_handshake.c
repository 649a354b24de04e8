/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What encryption adds until the first byte arrives: one round trip, with certificates of 2 kB at both ends.
 * Where packets are lost every handshake ends well all the same.
 *
 * cost: 6 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include <usrsctp_cmt_dtls.h>
#include <usrsctp_cmt_sim.h>

#include "keys/ends.h"
#include "support/isolate.h"
#include "support/policy.h"
#include "support/tls.h"

enum { CLIENT_PORT = 5000, SERVER_PORT = 5001 };
enum { MS = 1000, LIMIT_US = 60000 * MS };
enum { CERTIFICATE_BYTES = 2000, READ_BYTES = 65536 };
enum { FAST_MS = 10, SLOW_MS = 60, RATE_BPS = 100000000, SEEDS = 100 };

struct job {
	int n_paths; /* the first one is fast */
	bool encrypted;
	double loss;
	uint64_t seed;
};

struct outcome {
	uint64_t up_us;    /* the client's association, and what it has with it */
	uint64_t first_us; /* 0 = nothing came */
};

struct end {
	struct tls_end tls;
	bool is_encrypted;
	uint8_t message[READ_BYTES];
	size_t bytes;
};

static struct usrsctp_cmt_sim *sim;
static struct end ends[BOTH];
static struct outcome *outcome;
static char certificates[BOTH][128];

/* --- certificates --- */

static int make_certificates(void **state)
{
	const int failed = made_begin(state);

	for (int i = CLIENT; i < BOTH && failed == 0; i++) {
		struct made_config config = {.name = "somebody", .from_days = -1, .to_days = 1};
		struct made made = made_new(&config);
		const int bare_bytes = i2d_X509(made.certificate, NULL);

		made_free(&made);
		config.pad_bytes = (size_t)(CERTIFICATE_BYTES - bare_bytes);
		made = made_new(&config);
		assert_in_range(i2d_X509(made.certificate, NULL), CERTIFICATE_BYTES, CERTIFICATE_BYTES + 100);
		snprintf(certificates[i], sizeof(certificates[i]), "%s",
		         made_write(i == CLIENT ? "client.pem" : "server.pem", &made, 1, true));
		made_free(&made);
	}
	return failed;
}

static struct usrsctp_cmt_keys *own_keys(int i)
{
	const struct usrsctp_cmt_keys_config config = {
	    .size = sizeof(config), .cert_file = certificates[i], .key_file = certificates[i]};
	struct usrsctp_cmt_keys *keys = usrsctp_cmt_keys_new(&config, NULL, 0);

	REQUIRE(keys != NULL);
	return keys;
}

/* --- ends --- */

/* The client says something as soon as it may. */
static void speak(const struct end *e)
{
	REQUIRE(usrsctp_sendv(e->tls.so, "x", 1, NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) == 1);
	outcome->up_us = usrsctp_cmt_sim_now_us(sim);
}

static void on_ready(const struct end *e)
{
	if (e == &ends[CLIENT])
		speak(e);
}

static void on_notification(struct end *e)
{
	struct sctp_assoc_change change;

	REQUIRE(e->bytes >= sizeof(change));
	memcpy(&change, e->message, sizeof(change));
	REQUIRE(change.sac_type == SCTP_ASSOC_CHANGE && change.sac_state == SCTP_COMM_UP);
	if (e->is_encrypted)
		tls_begin(&e->tls);
	else
		on_ready(e);
}

static void on_message(struct end *e, uint32_t ppid)
{
	if (ppid == SCTP_DTLS_PPID) {
		tls_take(&e->tls, e->message, e->bytes);
		if (e->tls.is_done)
			on_ready(e);
		return;
	}
	outcome->first_us = usrsctp_cmt_sim_now_us(sim);
	usrsctp_cmt_sim_stop(sim);
}

static void on_readable(struct socket *so, void *arg, int flags)
{
	struct end *e = arg;

	(void)flags;
	while ((usrsctp_get_events(so) & SCTP_EVENT_READ) != 0) {
		struct sctp_rcvinfo info = {.rcv_ppid = 0};
		socklen_t info_bytes = sizeof(info);
		unsigned kind = 0;
		int is = 0;
		const ssize_t n = usrsctp_recvv(so, e->message + e->bytes, sizeof(e->message) - e->bytes,
		                                NULL, NULL, &info, &info_bytes, &kind, &is);

		REQUIRE(n > 0);
		e->bytes += (size_t)n;
		if ((is & MSG_EOR) == 0)
			continue;
		if ((is & MSG_NOTIFICATION) != 0)
			on_notification(e);
		else
			on_message(e, ntohl(info.rcv_ppid));
		e->bytes = 0;
	}
}

static void on_listener(struct socket *so, void *arg, int flags)
{
	struct socket *accepted = usrsctp_accept(so, NULL, NULL);

	(void)flags;
	if (accepted == NULL)
		return;
	ends[SERVER].tls.so = accepted;
	usrsctp_set_non_blocking(accepted, 1);
	usrsctp_set_upcall(accepted, on_readable, arg);
	on_readable(accepted, arg, 0);
}

static void set_int(struct socket *so, int option, int value)
{
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, option, &value, sizeof(value)) == 0);
}

/* As the event back end opens them. */
static struct socket *open_socket(int host, uint16_t port, bool is_encrypted)
{
	const struct sctp_event changes = {
	    .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = SCTP_ASSOC_CHANGE, .se_on = 1};
	const struct sctp_rtoinfo rto = {.srto_assoc_id = SCTP_FUTURE_ASSOC, .srto_initial = 1000};
	struct socket *so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);

	REQUIRE(so != NULL && usrsctp_set_non_blocking(so, 1) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_EVENT, &changes, sizeof(changes)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_RTOINFO, &rto, sizeof(rto)) == 0);
	set_int(so, SCTP_NODELAY, 1);
	set_int(so, SCTP_RECVRCVINFO, 1);
	policy_choose(so, SCTP_CMT_SCHEDULER, "auto");
	if (is_encrypted)
		tls_offer(so, host == SERVER);
	REQUIRE(usrsctp_cmt_sim_bind(sim, so, host, port, -1) == 0);
	return so;
}

static void run(const void *what, void *out)
{
	const struct job *job = what;
	const struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = job->seed};
	struct socket *listener;

	outcome = out;
	sim = usrsctp_cmt_sim_new(&config);
	REQUIRE(sim != NULL);
	for (int path = 0; path < job->n_paths; path++) {
		const struct usrsctp_cmt_sim_link link = {.rate_bps = RATE_BPS,
		                                          .delay_us = (path == 0 ? FAST_MS : SLOW_MS) * MS,
		                                          .loss = job->loss};

		REQUIRE(usrsctp_cmt_sim_add_path(sim, &link, &link) == path);
	}
	for (int i = CLIENT; i < BOTH; i++)
		ends[i] = (struct end){.is_encrypted = job->encrypted,
		                       .tls = {.is_server = i == SERVER, .keys = own_keys(i)}};
	listener = open_socket(SERVER, SERVER_PORT, job->encrypted);
	REQUIRE(usrsctp_listen(listener, 1) == 0);
	usrsctp_set_upcall(listener, on_listener, &ends[SERVER]);
	ends[CLIENT].tls.so = open_socket(CLIENT, CLIENT_PORT, job->encrypted);
	usrsctp_set_upcall(ends[CLIENT].tls.so, on_readable, &ends[CLIENT]);
	REQUIRE(usrsctp_cmt_sim_connect(sim, ends[CLIENT].tls.so, SERVER, SERVER_PORT, -1) == 0);
	(void)usrsctp_cmt_sim_run(sim, LIMIT_US);
	for (int i = CLIENT; i < BOTH; i++) {
		if (ends[i].tls.so != NULL) {
			usrsctp_set_upcall(ends[i].tls.so, NULL, NULL);
			usrsctp_close(ends[i].tls.so);
		}
		tls_free(&ends[i].tls);
		usrsctp_cmt_keys_free(ends[i].tls.keys);
	}
	usrsctp_close(listener);
	REQUIRE(usrsctp_cmt_sim_free(sim) == 0);
}

static struct outcome outcome_of(struct job job)
{
	struct outcome o;

	isolate_run(run, &job, &o, sizeof(o));
	return o;
}

/* --- without loss --- */

/* Certificates, twice, and what is beside them. */
static uint64_t transmission_us(void)
{
	return UINT64_C(2) * (CERTIFICATE_BYTES + 1500) * 8 * 1000000 / RATE_BPS;
}

static void costs_a_round_trip(int n_paths)
{
	const struct outcome clear = outcome_of((struct job){.n_paths = n_paths, .seed = 1}),
	                     encrypted =
	                         outcome_of((struct job){.n_paths = n_paths, .encrypted = true, .seed = 1});

	print_message("%d path(s), round trip %d ms: first byte after %.1f ms, encrypted %.1f ms\n", n_paths,
	              2 * FAST_MS, (double)clear.first_us / MS, (double)encrypted.first_us / MS);
	assert_in_range(clear.first_us, 1, 3 * 2 * FAST_MS * MS);
	assert_in_range(encrypted.first_us, clear.first_us + 1,
	                clear.first_us + 2 * FAST_MS * MS + transmission_us());
}

static void encryption_costs_a_round_trip_on_one_path(void **state)
{
	(void)state;
	costs_a_round_trip(1);
}

static void encryption_costs_a_round_trip_of_the_fast_path_of_two(void **state)
{
	(void)state;
	costs_a_round_trip(2);
}

/* --- with loss --- */

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void all_end_well(int n_paths)
{
	static const double LOSS = 0.05;
	uint64_t clear_us[SEEDS], encrypted_us[SEEDS];

	for (unsigned i = 0; i < SEEDS; i++) {
		struct job job = {.n_paths = n_paths, .loss = LOSS, .seed = i + 1};

		clear_us[i] = outcome_of(job).first_us;
		job.encrypted = true;
		encrypted_us[i] = outcome_of(job).first_us;
		if (encrypted_us[i] == 0)
			fail_msg("seed %u: nothing arrives", i + 1);
	}
	qsort(clear_us, SEEDS, sizeof(clear_us[0]), by_value);
	qsort(encrypted_us, SEEDS, sizeof(encrypted_us[0]), by_value);
	print_message("%d path(s), seeds 1 to %d: first byte after %.1f ms (worst %.1f), encrypted %.1f ms "
	              "(worst %.1f)\n",
	              n_paths, SEEDS, (double)clear_us[SEEDS / 2] / MS, (double)clear_us[SEEDS - 1] / MS,
	              (double)encrypted_us[SEEDS / 2] / MS, (double)encrypted_us[SEEDS - 1] / MS);
}

static void all_handshakes_end_well_where_packets_are_lost(void **state)
{
	(void)state;
	all_end_well(1);
	all_end_well(2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(encryption_costs_a_round_trip_on_one_path),
	    cmocka_unit_test(encryption_costs_a_round_trip_of_the_fast_path_of_two),
	    cmocka_unit_test(all_handshakes_end_well_where_packets_are_lost),
	};

	return cmocka_run_group_tests(tests, make_certificates, made_end);
}
