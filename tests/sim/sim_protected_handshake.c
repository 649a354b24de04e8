/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What two ends agree on about the DTLS chunk, whatever either offers, whoever connects, and whatever somebody on the path
 * does to the parameters of INIT and INIT-ACK.
 *
 * cost: 3 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/keyed.h"
#include "wire/cmt_km.h"

enum { S = 1000000, MESSAGE_BYTES = 100 };
enum { INIT_FIXED_BYTES = 20, NO_CAUSE = 0 };

enum meddling { NOTHING, STRIPS_INIT, STRIPS_INIT_ACK, STRIPS_BOTH, CHANGES_METHODS, CHANGES_TIE, EQUAL_TIE };

struct job {
	struct keyed_offer offers[2];
	bool both_connect;
	enum meddling meddling;
};

struct outcome {
	bool up[2], lost[2], delivered[2];
	uint16_t cause, flags[2];
	uint8_t method[2];
	unsigned n_methods[2];
	int protect_error;
	uint32_t n_records;
	bool parameters_match;
};

static const struct job *job;
static struct outcome *outcome;

static bool takes(uint8_t chunk_type)
{
	switch (job->meddling) {
	case NOTHING: return false;
	case STRIPS_INIT: return chunk_type == CHUNK_INIT;
	case STRIPS_BOTH:
	case CHANGES_METHODS: return chunk_type == CHUNK_INIT || chunk_type == CHUNK_INIT_ACK;
	case STRIPS_INIT_ACK:
	case CHANGES_TIE:
	case EQUAL_TIE: return chunk_type == CHUNK_INIT_ACK;
	}
	return false;
}

/* The parameter goes, and what stands behind it moves up. */
static size_t strip(uint8_t *packet, size_t len, uint8_t *parameter)
{
	const size_t bytes = (packet_get16(parameter + 2) + 3u) & ~3u;
	uint8_t *const end = packet + len;
	const uint16_t chunk_bytes = packet_get16(packet + COMMON_HEADER_BYTES + 2);

	if (parameter + bytes >= end) { /* the last one, whose padding the chunk's length does not count */
		packet_put16(packet + COMMON_HEADER_BYTES + 2, (uint16_t)(parameter - packet - COMMON_HEADER_BYTES));
		return (size_t)(parameter - packet);
	}
	memmove(parameter, parameter + bytes, (size_t)(end - parameter) - bytes);
	packet_put16(packet + COMMON_HEADER_BYTES + 2, (uint16_t)(chunk_bytes - bytes));
	return len - bytes;
}

static size_t forge(struct keyed *k, const struct usrsctp_cmt_sim_packet *p, uint8_t *out)
{
	struct chunk init = {.type = 0}, parameter;
	size_t offset = 0;
	uint8_t *at;

	if (!packet_next_chunk(p->packet, p->packet_bytes, &offset, &init) || !takes(init.type) ||
	    !packet_find_parameter(&init, CMT_KM_TYPE, &parameter))
		return 0;
	memcpy(out, p->packet, p->packet_bytes);
	at = out + (parameter.bytes - p->packet);
	switch (job->meddling) {
	case NOTHING: return 0;
	case STRIPS_INIT:
	case STRIPS_INIT_ACK:
	case STRIPS_BOTH: return strip(out, p->packet_bytes, at);
	case CHANGES_METHODS: at[CMT_KM_FIXED_BYTES] = SCTP_DTLS_KM_PRESHARED; break;
	case CHANGES_TIE: at[7] ^= 1; break;
	case EQUAL_TIE: packet_put32(at + 4, k->tags[0]); break;
	}
	return p->packet_bytes;
}

static void receive(struct keyed *k, int host, uint32_t ppid, const uint8_t *bytes, size_t n)
{
	(void)k;
	outcome->delivered[host] |= ppid == 7 && n == MESSAGE_BYTES && bytes[0] == 1 + (1 - host);
}

static bool parameters_match(struct keyed *k)
{
	uint8_t own[SCTP_DTLS_KMP_MAX], peers[SCTP_DTLS_KMP_MAX];
	size_t own_bytes, peers_bytes;
	bool match = true;

	for (int host = 0; host < 2; host++) {
		if (keyed_parameter(k, host, SCTP_DTLS_GET_LOCAL_KM_PARAM, own, &own_bytes) != 0 ||
		    keyed_parameter(k, 1 - host, SCTP_DTLS_GET_PEER_KM_PARAM, peers, &peers_bytes) != 0)
			return false;
		match &= own_bytes == peers_bytes && memcmp(own, peers, own_bytes) == 0;
	}
	return match;
}

static void run(const void *what, void *out)
{
	struct keyed_options o = {.seed = 1, .receive = receive, .forge = forge};
	uint8_t message[MESSAGE_BYTES];
	struct keyed k;

	job = what;
	outcome = out;
	o.both_connect = job->both_connect;
	o.offers[0] = job->offers[0];
	o.offers[1] = job->offers[1];
	keyed_open(&k, &o);
	keyed_run(&k, 5 * S);
	for (int host = 0; host < 2 && k.up[0] && k.up[1]; host++)
		(void)keyed_agreed(&k, host, &outcome->flags[host], &outcome->method[host], &outcome->n_methods[host]);
	if (k.up[0] && k.up[1] && outcome->n_methods[0] > 0) {
		outcome->parameters_match = parameters_match(&k);
		outcome->protect_error = keyed_protect(&k);
		keyed_run(&k, S);
	}
	for (int round = 0; round < 2 && k.up[0] && k.up[1]; round++) {
		for (int host = 0; host < 2; host++) {
			memset(message, 1 + host, sizeof(message));
			(void)keyed_send(&k, host, 7, message, sizeof(message));
		}
		keyed_run(&k, S);
	}
	for (int host = 0; host < 2; host++) {
		outcome->up[host] = k.up[host];
		outcome->lost[host] = k.lost[host];
	}
	outcome->cause = k.abort_cause;
	outcome->n_records = k.n_records;
	keyed_close(&k);
}

static struct outcome negotiate(struct job what)
{
	struct outcome o;

	isolate_run(run, &what, &o, sizeof(o));
	return o;
}

static void assert_refused(const struct outcome *o, uint16_t cause)
{
	assert_false(o->up[0] && !o->lost[0]);
	assert_false(o->delivered[0] || o->delivered[1]);
	assert_int_equal(o->cause, cause);
	assert_int_equal(o->n_records, 0);
}

static void assert_clear(const struct outcome *o)
{
	assert_true(o->up[0] && o->up[1]);
	assert_false(o->lost[0] || o->lost[1]);
	assert_true(o->delivered[0] && o->delivered[1]);
	assert_int_equal(o->n_methods[0] + o->n_methods[1], 0);
	assert_int_equal(o->n_records, 0);
}

static void assert_protected(const struct outcome *o, bool client_serves)
{
	assert_true(o->up[0] && o->up[1]);
	assert_false(o->lost[0] || o->lost[1]);
	assert_int_equal(o->n_methods[0], 1);
	assert_int_equal(o->n_methods[1], 1);
	assert_int_equal(o->method[0], o->method[1]);
	assert_int_equal(o->flags[0], client_serves ? SCTP_DTLS_SERVER : SCTP_DTLS_CLIENT);
	assert_int_equal(o->flags[1], client_serves ? SCTP_DTLS_CLIENT : SCTP_DTLS_SERVER);
	assert_true(o->parameters_match);
	assert_int_equal(o->protect_error, 0);
	assert_true(o->delivered[0] && o->delivered[1]);
	assert_in_range(o->n_records, 4, 1000);
}

/* --- offers --- */

enum mode { NONE, LOOSE, STRICT, N_MODES };
enum { BOTH_ROLES = SCTP_DTLS_CLIENT | SCTP_DTLS_SERVER };

static struct keyed_offer offer(enum mode mode, uint16_t roles)
{
	if (mode == NONE)
		return (struct keyed_offer){.n_methods = 0};
	return (struct keyed_offer){.flags = (uint16_t)(roles | (mode == STRICT ? SCTP_DTLS_REQUIRED : 0)),
	                            .n_methods = 1,
	                            .methods = {SCTP_DTLS_KM_TLS}};
}

static void assert_as_agreed(enum mode client, uint16_t of_client, enum mode server, uint16_t of_server, bool both_connect)
{
	const struct outcome o = negotiate(
	    (struct job){.offers = {offer(client, of_client), offer(server, of_server)}, .both_connect = both_connect});
	const bool is_strict = client == STRICT || server == STRICT;

	print_message("%d %x with %d %x%s: up %d %d, cause %u, %u records\n", client, of_client, server, of_server,
	              both_connect ? ", both connect" : "", o.up[0], o.up[1], o.cause, o.n_records);
	if (client == NONE || server == NONE) {
		if (is_strict)
			assert_refused(&o, CMT_KM_CAUSE_MISSING);
		else
			assert_clear(&o);
	} else if (of_client == of_server && of_client != BOTH_ROLES) {
		if (is_strict)
			assert_refused(&o, CMT_KM_CAUSE_ROLES);
		else
			assert_clear(&o);
	} else if (of_client == BOTH_ROLES && of_server == BOTH_ROLES) {
		assert_protected(&o, o.flags[0] == SCTP_DTLS_SERVER);
	} else {
		assert_protected(&o, of_client == SCTP_DTLS_SERVER || of_server == SCTP_DTLS_CLIENT);
	}
}

static void assert_all_modes(bool both_connect)
{
	static const uint16_t roles[] = {SCTP_DTLS_CLIENT, SCTP_DTLS_SERVER, BOTH_ROLES};

	for (unsigned i = 0; i < N_MODES * N_MODES * 9; i++)
		assert_as_agreed((enum mode)(i % N_MODES), roles[i / 9 % 3], (enum mode)(i / N_MODES % N_MODES), roles[i / 27],
		                 both_connect);
}

static void every_two_offers_end_as_the_draft_says(void **state)
{
	(void)state;
	assert_all_modes(false);
}

static void so_do_ends_that_both_connect(void **state)
{
	(void)state;
	assert_all_modes(true);
}

static void the_method_is_one_of_both_or_there_is_none(void **state)
{
	const struct keyed_offer one = {SCTP_DTLS_CLIENT | SCTP_DTLS_REQUIRED, 2, {0, 192}},
	                         other = {SCTP_DTLS_SERVER | SCTP_DTLS_REQUIRED, 3, {77, 192, 0}},
	                         stranger = {SCTP_DTLS_SERVER, 1, {200}};
	struct outcome o = negotiate((struct job){.offers = {one, other}});

	(void)state;
	assert_protected(&o, false);
	assert_int_equal(o.method[0], 192); /* the server's preference */
	o = negotiate((struct job){.offers = {one, stranger}});
	assert_refused(&o, CMT_KM_CAUSE_NO_COMMON_METHOD);
}

/* --- on the way --- */

static void without_the_parameter_nothing_goes_in_strict_mode_and_all_in_the_clear_in_loose(void **state)
{
	static const enum meddling strips[] = {STRIPS_INIT, STRIPS_INIT_ACK, STRIPS_BOTH};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct outcome o = negotiate((struct job){.offers = {offer(STRICT, SCTP_DTLS_CLIENT), offer(STRICT, SCTP_DTLS_SERVER)},
		                                          .meddling = strips[i]});

		assert_refused(&o, CMT_KM_CAUSE_MISSING);
		o = negotiate((struct job){.offers = {offer(STRICT, SCTP_DTLS_CLIENT), offer(LOOSE, SCTP_DTLS_SERVER)},
		                           .meddling = strips[i]});
		assert_refused(&o, CMT_KM_CAUSE_MISSING);
		if (strips[i] == STRIPS_INIT_ACK)
			continue;
		o = negotiate((struct job){.offers = {offer(LOOSE, SCTP_DTLS_CLIENT), offer(LOOSE, SCTP_DTLS_SERVER)},
		                           .meddling = strips[i]});
		assert_clear(&o);
	}
}

static void changed_parameters_give_other_keys(void **state)
{
	const struct keyed_offer client = {SCTP_DTLS_CLIENT | SCTP_DTLS_REQUIRED, 2, {192, 0}},
	                         server = {SCTP_DTLS_SERVER | SCTP_DTLS_REQUIRED, 2, {192, 0}};
	static const enum meddling changes[] = {CHANGES_METHODS, CHANGES_TIE};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const struct outcome o = negotiate((struct job){.offers = {client, server}, .meddling = changes[i]});

		assert_true(o.up[0] && o.up[1]);
		assert_false(o.parameters_match);
	}
}

static void equal_tie_breakers_are_refused(void **state)
{
	const struct outcome o = negotiate(
	    (struct job){.offers = {offer(STRICT, BOTH_ROLES), offer(STRICT, BOTH_ROLES)}, .meddling = EQUAL_TIE});

	(void)state;
	assert_refused(&o, CMT_KM_CAUSE_TIE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_two_offers_end_as_the_draft_says),
	    cmocka_unit_test(so_do_ends_that_both_connect),
	    cmocka_unit_test(the_method_is_one_of_both_or_there_is_none),
	    cmocka_unit_test(without_the_parameter_nothing_goes_in_strict_mode_and_all_in_the_clear_in_loose),
	    cmocka_unit_test(changed_parameters_give_other_keys),
	    cmocka_unit_test(equal_tie_breakers_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
