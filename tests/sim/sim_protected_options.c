/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The options of the DTLS chunk: what they refuse and how they say so, that messages wait for protection, and a peer that
 * restarts before and after it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "support/isolate.h"
#include "support/keyed.h"

enum { S = 1000000, USER_PPID = 7, UNKNOWN_ASSOC = 77777, MESSAGE_BYTES = 100 };

static const struct keyed_options both_strict = {
    .seed = 1,
    .offers = {{SCTP_DTLS_CLIENT | SCTP_DTLS_REQUIRED, 1, {SCTP_DTLS_KM_PRESHARED}},
               {SCTP_DTLS_SERVER | SCTP_DTLS_REQUIRED, 1, {SCTP_DTLS_KM_PRESHARED}}}};
static const uint8_t message[MESSAGE_BYTES] = {1};

static int set(struct socket *so, int option, const void *value, size_t bytes)
{
	return usrsctp_setsockopt(so, IPPROTO_SCTP, option, value, (socklen_t)bytes) == 0 ? 0 : errno;
}

static int get(struct socket *so, int option, void *value, size_t bytes)
{
	socklen_t len = (socklen_t)bytes;

	return usrsctp_getsockopt(so, IPPROTO_SCTP, option, value, &len) == 0 ? 0 : errno;
}

static void open_up(struct keyed *k, const struct keyed_options *o)
{
	keyed_open(k, o);
	keyed_run(k, S);
	REQUIRE(k->up[0] && k->up[1]);
}

/* --- configuration --- */

static void configurations(const void *unused, void *unused_too)
{
	const struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = 1};
	struct usrsctp_cmt_sim *sim = usrsctp_cmt_sim_new(&config);
	struct socket *so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	struct {
		struct sctp_dtls_config c;
		uint8_t methods[16];
	} v = {.c = {.sdc_flags = SCTP_DTLS_CLIENT, .sdc_nr_kmids = 2}}, back;
	const uint8_t methods[2] = {192, 0};
	socklen_t len = sizeof(back);

	(void)unused;
	(void)unused_too;
	REQUIRE(sim != NULL && so != NULL);
	memcpy((uint8_t *)&v + sizeof(v.c), methods, sizeof(methods));
	REQUIRE(set(so, SCTP_DTLS_LOCAL_CONFIG, &v, sizeof(v.c) - 1) == EINVAL);
	REQUIRE(set(so, SCTP_DTLS_LOCAL_CONFIG, &v, sizeof(v.c) + 1) == EINVAL);
	REQUIRE(set(so, SCTP_DTLS_LOCAL_CONFIG, &v, sizeof(v.c) + 2) == 0);
	REQUIRE(usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_DTLS_LOCAL_CONFIG, &back, &len) == 0);
	REQUIRE(len == sizeof(v.c) + 2 && back.c.sdc_flags == SCTP_DTLS_CLIENT && back.c.sdc_nr_kmids == 2);
	REQUIRE(get(so, SCTP_DTLS_LOCAL_CONFIG, &back, sizeof(v.c) + 1) == EINVAL);
	v.c.sdc_flags = SCTP_DTLS_CLIENT | SCTP_DTLS_RESTART;
	REQUIRE(set(so, SCTP_DTLS_LOCAL_CONFIG, &v, sizeof(v.c) + 2) == EOPNOTSUPP);
	v.c.sdc_flags = 0x4000 | SCTP_DTLS_CLIENT;
	REQUIRE(set(so, SCTP_DTLS_LOCAL_CONFIG, &v, sizeof(v.c) + 2) == EINVAL);
	v.c.sdc_flags = SCTP_DTLS_REQUIRED;
	REQUIRE(set(so, SCTP_DTLS_LOCAL_CONFIG, &v, sizeof(v.c) + 2) == EINVAL);
	v.c = (struct sctp_dtls_config){.sdc_flags = SCTP_DTLS_CLIENT, .sdc_nr_kmids = SCTP_DTLS_KM_MAX + 1};
	REQUIRE(set(so, SCTP_DTLS_LOCAL_CONFIG, &v, sizeof(v)) == EINVAL);
	v.c = (struct sctp_dtls_config){.sdc_flags = 0};
	REQUIRE(set(so, SCTP_DTLS_LOCAL_CONFIG, &v, sizeof(v.c)) == 0);
	usrsctp_close(so);
	REQUIRE(usrsctp_cmt_sim_free(sim) == 0);
}

/* --- an association without, and none --- */

static void without(const void *unused, void *unused_too)
{
	const struct keyed_options o = {.seed = 1};
	struct sctp_dtls_stats stats = {.sds_assoc_id = 0};
	uint8_t parameter[SCTP_DTLS_KMP_MAX], method;
	unsigned n = 1;
	uint16_t flags;
	size_t bytes;
	struct keyed k;

	(void)unused;
	(void)unused_too;
	open_up(&k, &o);
	REQUIRE(keyed_agreed(&k, 0, &flags, &method, &n) == 0 && n == 0);
	REQUIRE(keyed_parameter(&k, 0, SCTP_DTLS_GET_PEER_KM_PARAM, parameter, &bytes) == EOPNOTSUPP);
	REQUIRE(keyed_keys(&k, 0, SCTP_DTLS_ADD_RECV_KEYS, 3, 1) == EOPNOTSUPP);
	REQUIRE(keyed_keys(&k, 0, SCTP_DTLS_SET_SEND_KEYS, 3, 0) == EOPNOTSUPP);
	REQUIRE(keyed_enforce(&k, 0) == EOPNOTSUPP);
	REQUIRE(keyed_value(&k, 0, SCTP_DTLS_REPLAY_WINDOW, 64) == EOPNOTSUPP);
	REQUIRE(get(k.so[0], SCTP_DTLS_GET_STATS, &stats, sizeof(stats)) == EOPNOTSUPP);
	REQUIRE(keyed_keys(&k, 0, SCTP_DTLS_GET_STATS, 3, 0) != 0);
	REQUIRE(get(k.listener, SCTP_DTLS_GET_STATS, &stats, sizeof(stats)) != 0);
	keyed_close(&k);
}

/* --- keys --- */

struct keys {
	struct sctp_dtls_keys k;
	uint8_t bytes[SCTP_DTLS_KEYS_MAX];
};

static struct keys good_keys(uint64_t epoch)
{
	return (struct keys){.k = {.sdk_cipher_suite = {0x13, 0x01},
	                           .sdk_epoch = epoch,
	                           .sdk_key_len = 16,
	                           .sdk_iv_len = 12,
	                           .sdk_sn_key_len = 16}};
}

static void require_bad_keys(struct socket *so, int option)
{
	struct keys v = good_keys(3);

	REQUIRE(set(so, option, &v, sizeof(v.k) - 1) == EINVAL);
	REQUIRE(set(so, option, &v, sizeof(v.k) + 43) == EINVAL);
	v.k.sdk_cipher_suite[1] = 4;
	REQUIRE(set(so, option, &v, sizeof(v)) == EINVAL);
	v = good_keys(3);
	v.k.sdk_key_len = 32;
	REQUIRE(set(so, option, &v, sizeof(v)) == EINVAL);
	v = good_keys(3);
	v.k.sdk_iv_len = 11;
	REQUIRE(set(so, option, &v, sizeof(v)) == EINVAL);
	v = good_keys(3);
	v.k.sdk_sn_key_len = 0xffff;
	REQUIRE(set(so, option, &v, sizeof(v)) == EINVAL);
	v = good_keys(3);
	v.k.sdk_restart = 1;
	REQUIRE(set(so, option, &v, sizeof(v)) == EOPNOTSUPP);
	for (uint64_t epoch = 0; epoch < 6; epoch++) {
		v = good_keys(epoch == 5 ? UINT64_MAX : epoch);
		REQUIRE(epoch == 3 || set(so, option, &v, sizeof(v)) == EINVAL);
	}
}

static int delete_keys(struct keyed *k, int host, uint64_t epoch, uint32_t restart)
{
	const struct sctp_dtls_keys_id id = {.sdki_epoch = epoch, .sdki_restart = restart};

	return set(k->so[host], SCTP_DTLS_DEL_RECV_KEYS, &id, sizeof(id));
}

static void keys(const void *unused, void *unused_too)
{
	struct sctp_dtls_stats stats = {.sds_assoc_id = 0};
	struct keyed k;

	(void)unused;
	(void)unused_too;
	open_up(&k, &both_strict);
	REQUIRE(keyed_enforce(&k, 0) == EINVAL); /* nothing could come in any more */
	REQUIRE(delete_keys(&k, 0, 3, 0) == ENOENT);
	require_bad_keys(k.so[0], SCTP_DTLS_ADD_RECV_KEYS);
	require_bad_keys(k.so[0], SCTP_DTLS_SET_SEND_KEYS);
	require_bad_keys(k.so[1], SCTP_CMT_DTLS_NEXT_SEND_KEYS);
	REQUIRE(keyed_value(&k, 0, SCTP_DTLS_REPLAY_WINDOW, 63) == EINVAL);
	REQUIRE(keyed_value(&k, 0, SCTP_DTLS_REPLAY_WINDOW, 32769) == EINVAL);
	REQUIRE(keyed_value(&k, 0, SCTP_DTLS_REPLAY_WINDOW, 64) == 0);
	REQUIRE(keyed_value(&k, 0, SCTP_DTLS_ENFORCE_PROTECTION, 0) == EINVAL);
	REQUIRE(keyed_send(&k, 0, USER_PPID, message, sizeof(message)) == EAGAIN);
	REQUIRE(keyed_send(&k, 1, USER_PPID, message, sizeof(message)) == EAGAIN);
	REQUIRE(keyed_keys(&k, 0, SCTP_DTLS_ADD_RECV_KEYS, 3, 1) == 0);
	REQUIRE(keyed_send(&k, 0, USER_PPID, message, sizeof(message)) == EAGAIN);
	REQUIRE(keyed_keys(&k, 0, SCTP_DTLS_ADD_RECV_KEYS, 3, 1) == EINVAL);
	REQUIRE(keyed_keys(&k, 0, SCTP_DTLS_ADD_RECV_KEYS, 4, 1) == 0);
	REQUIRE(keyed_keys(&k, 0, SCTP_DTLS_ADD_RECV_KEYS, 5, 1) == EOVERFLOW);
	REQUIRE(delete_keys(&k, 0, 4, 0) == EBUSY);
	REQUIRE(delete_keys(&k, 0, 7, 0) == ENOENT);
	REQUIRE(delete_keys(&k, 0, 3, 1) == EOPNOTSUPP);
	REQUIRE(delete_keys(&k, 0, 3, 0) == 0);
	REQUIRE(keyed_keys(&k, 0, SCTP_DTLS_SET_SEND_KEYS, 3, 0) == 0);
	REQUIRE(keyed_keys(&k, 0, SCTP_DTLS_SET_SEND_KEYS, 3, 0) == EINVAL);
	REQUIRE(keyed_send(&k, 0, USER_PPID, message, sizeof(message)) == EAGAIN);
	REQUIRE(keyed_enforce(&k, 0) == 0 && keyed_enforce(&k, 0) == 0);
	REQUIRE(keyed_send(&k, 0, USER_PPID, message, sizeof(message)) == 0);
	REQUIRE(get(k.so[0], SCTP_DTLS_GET_STATS, &stats, sizeof(stats) - 1) == EINVAL);
	REQUIRE(get(k.so[0], SCTP_DTLS_GET_STATS, &stats, sizeof(stats)) == 0);
	REQUIRE(stats.sds_recv_epoch == 4 && stats.sds_send_epoch == 3);
	keyed_close(&k);
}

/* --- the server waits for keys that its peer reads --- */

static unsigned n_read[2];

static void count(struct keyed *k, int host, uint32_t ppid, const uint8_t *bytes, size_t n)
{
	(void)k;
	n_read[host] += ppid == USER_PPID && n == sizeof(message) && memcmp(bytes, message, n) == 0;
}

static void waiting(const void *unused, void *unused_too)
{
	struct keyed_options o = both_strict;
	struct keyed k;

	(void)unused;
	(void)unused_too;
	o.receive = count;
	open_up(&k, &o);
	REQUIRE(keyed_keys(&k, 1, SCTP_DTLS_ADD_RECV_KEYS, 3, 0) == 0);
	REQUIRE(keyed_keys(&k, 1, SCTP_CMT_DTLS_NEXT_SEND_KEYS, 3, 1) == 0);
	REQUIRE(keyed_enforce(&k, 1) == 0);
	REQUIRE(keyed_send(&k, 1, USER_PPID, message, sizeof(message)) == EAGAIN);
	keyed_run(&k, S);
	REQUIRE(k.n_records == 0 && keyed_send(&k, 1, USER_PPID, message, sizeof(message)) == EAGAIN);
	REQUIRE(keyed_keys(&k, 0, SCTP_DTLS_ADD_RECV_KEYS, 3, 1) == 0);
	REQUIRE(keyed_keys(&k, 0, SCTP_DTLS_SET_SEND_KEYS, 3, 0) == 0 && keyed_enforce(&k, 0) == 0);
	/* The client has nothing to say, and lets itself be heard all the same. */
	keyed_run(&k, S);
	REQUIRE(keyed_send(&k, 1, USER_PPID, message, sizeof(message)) == 0);
	keyed_run(&k, S);
	REQUIRE(n_read[0] == 1 && !k.lost[0] && !k.lost[1]);
	keyed_close(&k);
}

/* --- restart --- */

static void set_path(struct keyed *k, bool down)
{
	for (int direction = 0; direction < 2; direction++) {
		struct usrsctp_cmt_sim_link link;

		REQUIRE(usrsctp_cmt_sim_get_link(k->sim, 0, direction, &link) == 0);
		link.down = down;
		REQUIRE(usrsctp_cmt_sim_set_link(k->sim, 0, direction, &link) == 0);
	}
}

/* The client forgets all, and connects again from the same port on a path; all its addresses are in its INIT. */
static void restart(struct keyed *k, bool is_protected, int path)
{
	const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
	struct socket *so;
	const struct keyed_offer *offer = &k->options->offers[0];
	struct {
		struct sctp_dtls_config c;
		uint8_t method;
	} v = {.c = {.sdc_flags = offer->flags, .sdc_nr_kmids = 1}};

	if (is_protected)
		REQUIRE(keyed_protect(k) == 0);
	keyed_run(k, S);
	set_path(k, true);
	REQUIRE(usrsctp_setsockopt(k->so[0], SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) == 0);
	usrsctp_close(k->so[0]);
	if (path == 0)
		set_path(k, false);
	so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	REQUIRE(so != NULL && usrsctp_set_non_blocking(so, 1) == 0);
	memcpy((uint8_t *)&v + sizeof(v.c), offer->methods, 1);
	REQUIRE(set(so, SCTP_DTLS_LOCAL_CONFIG, &v, sizeof(v.c) + 1) == 0);
	REQUIRE(usrsctp_cmt_sim_bind(k->sim, so, 0, KEYED_CLIENT_PORT, -1) == 0);
	REQUIRE(usrsctp_cmt_sim_connect(k->sim, so, 1, KEYED_SERVER_PORT, path) == 0);
	k->so[0] = so;
	k->up[0] = k->lost[0] = false;
}

static void restart_before(const void *unused, void *unused_too)
{
	struct keyed_options o = both_strict;
	struct keyed k;

	(void)unused;
	(void)unused_too;
	o.receive = count;
	open_up(&k, &o);
	restart(&k, false, 0);
	keyed_run(&k, 2 * S);
	REQUIRE(k.restarted[1] && !k.lost[1]);
	REQUIRE(keyed_protect(&k) == 0);
	REQUIRE(keyed_send(&k, 0, USER_PPID, message, sizeof(message)) == 0);
	keyed_run(&k, S);
	REQUIRE(n_read[1] == 1);
	keyed_close(&k);
}

static void require_unheard(const struct keyed_options *o, int path)
{
	struct keyed k;

	open_up(&k, o);
	restart(&k, true, path);
	keyed_run(&k, 20 * S);
	REQUIRE(!k.restarted[1] && !k.up[0]);
	/* The old association has something to say, and ends when nobody answers. */
	if (!k.lost[1])
		REQUIRE(keyed_send(&k, 1, USER_PPID, message, sizeof(message)) == 0);
	keyed_run(&k, 600 * UINT64_C(1000000));
	REQUIRE(k.lost[1] && !k.restarted[1]);
	keyed_close(&k);
}

static void restart_after(const void *unused, void *unused_too)
{
	(void)unused;
	(void)unused_too;
	require_unheard(&both_strict, 0);
}

static void restart_elsewhere(const void *unused, void *unused_too)
{
	struct keyed_options o = both_strict;

	(void)unused;
	(void)unused_too;
	o.n_paths = 2;
	o.from_one_address = true;
	require_unheard(&o, 1);
}

static void run(isolate_scenario *scenario)
{
	char nothing;

	isolate_run(scenario, NULL, &nothing, sizeof(nothing));
}

#define TEST(name, scenario)                                                                                              \
	static void name(void **state)                                                                                    \
	{                                                                                                                 \
		(void)state;                                                                                              \
		run(scenario);                                                                                            \
	}
TEST(configurations_that_make_no_sense_are_refused, configurations)
TEST(an_association_without_the_dtls_chunk_takes_no_keys, without)
TEST(keys_come_in_order_and_fit_their_suite, keys)
TEST(the_server_sends_nothing_that_its_peer_cannot_read, waiting)
TEST(a_peer_that_restarts_before_it_is_protected_begins_anew, restart_before)
TEST(a_peer_that_restarts_afterwards_is_not_heard, restart_after)
TEST(nor_is_who_names_its_addresses_elsewhere, restart_elsewhere)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(configurations_that_make_no_sense_are_refused),
	    cmocka_unit_test(an_association_without_the_dtls_chunk_takes_no_keys),
	    cmocka_unit_test(keys_come_in_order_and_fit_their_suite),
	    cmocka_unit_test(the_server_sends_nothing_that_its_peer_cannot_read),
	    cmocka_unit_test(a_peer_that_restarts_before_it_is_protected_begins_anew),
	    cmocka_unit_test(a_peer_that_restarts_afterwards_is_not_heard),
	    cmocka_unit_test(nor_is_who_names_its_addresses_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
