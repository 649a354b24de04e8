/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both ends of a path are shown with their UDP ports: two uplinks behind one public address are told apart by
 * what statistics and events say, also after the NAT has given out other ports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <string.h>
#include <usrsctp_cmt_trace.h>

#include "support/isolate.h"
#include "support/pair.h"

enum { S = 1000000, REBIND_US = 2 * S, LOOK_BEFORE_US = REBIND_US - S / 10, LOOK_AFTER_US = REBIND_US + S };
enum { N_PATHS = 2, EVENTS_MAX = 64, BYTES = 2000000 };

struct ends {
	uint32_t local, remote; /* host order */
	uint16_t local_port, remote_port;
};

struct outcome {
	struct ends server[2][N_PATHS], client[N_PATHS]; /* server: before and after */
	struct ends told[EVENTS_MAX];                    /* of the server's paths */
	uint64_t told_us[EVENTS_MAX];
	unsigned n_told;
	bool complete;
};

static const bool *in_udp;
static struct outcome *outcome;
static struct pair pair;

static void build(struct usrsctp_cmt_sim *sim, void *arg)
{
	const struct usrsctp_cmt_sim_nat nat = {.mapping = USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT,
	                                        .filtering = USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT};

	(void)arg;
	if (!*in_udp)
		return;
	REQUIRE(usrsctp_cmt_sim_share_address(sim, 1, PAIR_SERVER, 0) == 0);
	REQUIRE(usrsctp_cmt_sim_add_nat(sim, PAIR_CLIENT, &nat) == 0);
	for (int path = 0; path < N_PATHS; path++)
		REQUIRE(usrsctp_cmt_sim_behind(sim, path, 0) == 0);
}

static void configure(struct socket *so, int host, void *arg)
{
	const struct sctp_assoc_value none = {.assoc_value = SCTP_CMT_INIT_ADDRESSES_NONE};

	(void)arg;
	if (!*in_udp)
		return;
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_INIT_ADDRESSES, &none, sizeof(none)) == 0);
	REQUIRE(usrsctp_cmt_sim_encapsulate(pair.sim, so, PAIR_SERVER, host == PAIR_SERVER ? -1 : 0) == 0);
}

static struct ends ends_of(const struct sockaddr *local, const struct sockaddr *remote)
{
	const struct sockaddr_in *from = (const struct sockaddr_in *)(const void *)local;
	const struct sockaddr_in *to = (const struct sockaddr_in *)(const void *)remote;

	return (struct ends){.local = ntohl(from->sin_addr.s_addr),
	                     .remote = ntohl(to->sin_addr.s_addr),
	                     .local_port = ntohs(from->sin_port),
	                     .remote_port = ntohs(to->sin_port)};
}

static void look(struct socket *so, struct ends out[N_PATHS])
{
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	const int n = pair_path_stats(so, paths);

	REQUIRE(n == N_PATHS);
	for (int i = 0; i < n; i++) {
		REQUIRE(paths[i].path_id >= 1 && paths[i].path_id <= N_PATHS);
		out[paths[i].path_id - 1] =
		    ends_of((struct sockaddr *)&paths[i].local, (struct sockaddr *)&paths[i].remote);
	}
}

static void look_before(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim, (void)arg;
	look(pair.server, outcome->server[0]);
	look(pair.client, outcome->client);
}

static void look_after(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim, (void)arg;
	look(pair.server, outcome->server[1]);
}

static void rebind(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)arg;
	REQUIRE(usrsctp_cmt_sim_rebind_nat(sim, 0, false) == 0);
}

static void on_event(const struct usrsctp_cmt_trace *e, void *arg)
{
	(void)arg;
	if (e->local_port != PAIR_SERVER_PORT || e->of.path.local == NULL || e->of.path.remote == NULL)
		return;
	REQUIRE(outcome->n_told < EVENTS_MAX);
	outcome->told_us[outcome->n_told] = usrsctp_cmt_sim_now_us(pair.sim);
	outcome->told[outcome->n_told++] = ends_of(e->of.path.local, e->of.path.remote);
}

static void run(const void *what, void *out)
{
	static const struct usrsctp_cmt_sim_link link = {
	    .rate_bps = 2000000, .delay_us = 20000, .queue_pkts = 60};
	const struct pair_options o = {.seed = 1,
	                               .bytes = BYTES,
	                               .scheduler = "auto",
	                               .n_paths = N_PATHS,
	                               .forward = {link, link},
	                               .backward = {link, link},
	                               .build = build,
	                               .configure = configure};

	in_udp = what;
	outcome = out;
	REQUIRE(usrsctp_cmt_trace_add(on_event, NULL, USRSCTP_CMT_TRACE_MASK(USRSCTP_CMT_TRACE_PATH)) == 0);
	pair_open(&pair, &o);
	REQUIRE(usrsctp_cmt_sim_at(pair.sim, LOOK_BEFORE_US, look_before, NULL) == 0);
	if (*in_udp)
		REQUIRE(usrsctp_cmt_sim_at(pair.sim, REBIND_US, rebind, NULL) == 0);
	REQUIRE(usrsctp_cmt_sim_at(pair.sim, LOOK_AFTER_US, look_after, NULL) == 0);
	pair_run(&pair, 60 * (uint64_t)S);
	outcome->complete = pair.complete && pair.intact;
	pair_close(&pair);
	usrsctp_cmt_trace_remove(on_event, NULL);
}

static struct outcome run_isolated(bool udp)
{
	struct outcome o;

	isolate_run(run, &udp, &o, sizeof(o));
	assert_true(o.complete);
	return o;
}

static bool is_told(const struct outcome *o, const struct ends *ends, uint64_t from_us)
{
	for (unsigned i = 0; i < o->n_told; i++) {
		if (o->told_us[i] >= from_us && memcmp(&o->told[i], ends, sizeof(*ends)) == 0)
			return true;
	}
	return false;
}

static void two_uplinks_behind_one_public_address_have_ports_of_their_own(void **state)
{
	const struct outcome o = run_isolated(true);

	(void)state;
	for (unsigned when = 0; when < 2; when++) {
		const struct ends *const p = o.server[when];

		assert_int_equal(p[0].remote, p[1].remote);
		assert_int_not_equal(p[0].remote_port, p[1].remote_port);
		for (unsigned i = 0; i < N_PATHS; i++) {
			assert_int_equal(p[i].local_port, USRSCTP_CMT_SIM_UDP_PORT);
			assert_int_not_equal(p[i].remote_port, USRSCTP_CMT_SIM_UDP_PORT);
			assert_int_not_equal(p[i].remote_port, 0);
		}
	}
	for (unsigned i = 0; i < N_PATHS; i++) {
		assert_int_equal(o.client[i].local_port, USRSCTP_CMT_SIM_UDP_PORT);
		assert_int_equal(o.client[i].remote_port, USRSCTP_CMT_SIM_UDP_PORT);
	}
	assert_int_not_equal(o.client[0].local, o.client[1].local);
}

static void a_path_that_a_nat_has_moved_is_told_of_anew(void **state)
{
	const struct outcome o = run_isolated(true);

	(void)state;
	for (unsigned i = 0; i < N_PATHS; i++) {
		assert_int_not_equal(o.server[0][i].remote_port, o.server[1][i].remote_port);
		assert_true(is_told(&o, &o.server[0][i], 0));
		assert_true(is_told(&o, &o.server[1][i], REBIND_US));
	}
}

static void without_udp_there_are_no_ports(void **state)
{
	const struct outcome o = run_isolated(false);

	(void)state;
	for (unsigned i = 0; i < N_PATHS; i++) {
		assert_int_equal(o.server[0][i].local_port, 0);
		assert_int_equal(o.server[0][i].remote_port, 0);
		assert_int_equal(o.client[i].local_port, 0);
		assert_int_equal(o.client[i].remote_port, 0);
		assert_int_not_equal(o.client[i].remote, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(two_uplinks_behind_one_public_address_have_ports_of_their_own),
	    cmocka_unit_test(a_path_that_a_nat_has_moved_is_told_of_anew),
	    cmocka_unit_test(without_udp_there_are_no_ports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
