/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An application that subscribed to events (RFC 6458, section 6.1) has closed its socket while data are out.
 * Whatever then happens that it would have been told of, nobody is told, and nothing breaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/raw.h"

#define EVENT(type)                                                                                          \
	{                                                                                                    \
		type, #type                                                                                  \
	}
/* All but SCTP_NOTIFICATIONS_STOPPED_EVENT, which the stack does not have. */
static const struct {
	uint16_t type;
	const char *name;
} events[] = {EVENT(SCTP_ASSOC_CHANGE),           EVENT(SCTP_PEER_ADDR_CHANGE),
              EVENT(SCTP_REMOTE_ERROR),           EVENT(SCTP_SEND_FAILED),
              EVENT(SCTP_SHUTDOWN_EVENT),         EVENT(SCTP_ADAPTATION_INDICATION),
              EVENT(SCTP_PARTIAL_DELIVERY_EVENT), EVENT(SCTP_AUTHENTICATION_EVENT),
              EVENT(SCTP_STREAM_RESET_EVENT),     EVENT(SCTP_SENDER_DRY_EVENT),
              EVENT(SCTP_ASSOC_RESET_EVENT),      EVENT(SCTP_STREAM_CHANGE_EVENT),
              EVENT(SCTP_SEND_FAILED_EVENT)};
enum { N_EVENTS = sizeof(events) / sizeof(events[0]), ALL = N_EVENTS };

/* What the peer does, or does not. */
enum cause {
	ABORTS,
	REPORTS_AN_ERROR,
	ENDS,
	ACKNOWLEDGES,
	GOES_SILENT, /* one address after the other fails, then the association */
	SENDS_A_PART,
	GIVES_UP_A_PART, /* that the application had begun to read */
	CHANGES_THE_KEY,
	RESETS_STREAMS,
	RESETS_TSNS,
	ADDS_STREAMS,
	RESTARTS,
	N_CAUSES
};

struct job {
	unsigned event; /* subscribed to: index into `events`, or ALL of them */
	enum cause cause;
	bool one_to_many;
};

/* RFC 6525, section 4; RFC 4895, section 4.1. */
enum { OUTGOING_RESET_REQUEST = 13, SSN_TSN_RESET_REQUEST = 15, ADD_OUTGOING_STREAMS_REQUEST = 17 };
enum { KEY = 1, HMAC_SHA1 = 1, SHA1_BYTES = 20 };
enum { RESTARTED_TAG = 0x0badcafe, MESSAGE_BYTES = 1000, PATIENCE_US = 600000000 };

static const struct job *current; /* of the child */
static struct raw r;

static void subscribe(struct socket *so, uint16_t type)
{
	const struct sctp_event event = {.se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = type, .se_on = 1};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_EVENT, &event, sizeof(event)) == 0);
}

static void configure(struct socket *so)
{
	const struct sctp_assoc_value all = {.assoc_value = SCTP_ENABLE_VALUE_MASK};
	const uint32_t a_byte = 1;
	uint8_t memory[sizeof(struct sctp_authkey) + 4] = {0};
	struct sctp_authkey *key = (struct sctp_authkey *)memory;

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_ENABLE_STREAM_RESET, &all, sizeof(all)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_PARTIAL_DELIVERY_POINT, &a_byte, sizeof(a_byte)) ==
	        0);
	key->sca_keynumber = KEY;
	key->sca_keylength = 4;
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_AUTH_KEY, memory, sizeof(memory)) == 0);
	for (unsigned i = 0; i < N_EVENTS; i++) {
		if (current->event == i || current->event == ALL)
			subscribe(so, events[i].type);
	}
}

/* FORWARD-TSN, an adaptation layer, RE-CONFIG and AUTH: all that events tell of. */
static struct raw_options options = {.n_paths = 2,
                                     .parameters = {RAW_ADDRESS(0),
                                                    RAW_ADDRESS(1),
                                                    0xc0,
                                                    0,
                                                    0,
                                                    4,
                                                    0xc0,
                                                    0x06,
                                                    0,
                                                    8,
                                                    0,
                                                    0,
                                                    0,
                                                    7,
                                                    /* extensions */ 0x80,
                                                    0x08,
                                                    0,
                                                    7,
                                                    CHUNK_RECONFIG,
                                                    CHUNK_FORWARD_TSN,
                                                    CHUNK_AUTH,
                                                    0,
                                                    /* HMAC algorithms */ 0x80,
                                                    0x04,
                                                    0,
                                                    6,
                                                    0,
                                                    HMAC_SHA1,
                                                    0,
                                                    0,
                                                    /* a number of 32 octets */ 0x80,
                                                    0x02,
                                                    0,
                                                    36,
                                                    1,
                                                    2,
                                                    3,
                                                    4},
                                     .parameters_bytes = 16 + 4 + 8 + 8 + 8 + 36,
                                     .configure = configure};

static void send_chunk(uint8_t type, const void *body, size_t bytes)
{
	struct packet_draft d;

	raw_begin(&r, &d);
	packet_add(&d, type, (uint16_t)(4 + bytes), body, bytes);
	raw_send(&r, 0, &d);
}

static void send_number(uint8_t type, uint32_t number)
{
	uint8_t body[4];

	packet_put32(body, number);
	send_chunk(type, body, sizeof(body));
}

static void send_reconfig(uint16_t type, const uint32_t *numbers, unsigned n)
{
	uint8_t parameter[4 + 16];

	packet_put16(parameter, type);
	packet_put16(parameter + 2, (uint16_t)(4 + 4 * n));
	for (unsigned i = 0; i < n; i++)
		packet_put32(parameter + 4 + 4 * i, numbers[i]);
	send_chunk(CHUNK_RECONFIG, parameter, 4 + 4 * n);
}

/* The first fragment of a message. */
static void send_part(void)
{
	struct packet_draft d;

	raw_begin(&r, &d);
	raw_add_data(&r, &d, 0, 0, MESSAGE_BYTES);
	d.bytes[COMMON_HEADER_BYTES + 1] = 2;
	raw_send(&r, 0, &d);
}

static void change_the_key(void)
{
	uint8_t body[4 + SHA1_BYTES] = {0, KEY, 0, HMAC_SHA1};

	send_chunk(CHUNK_AUTH, body, sizeof(body));
}

static void restart(void)
{
	struct packet_draft d;

	raw_begin_cookie_echo(&r, &d);
	raw_send(&r, 0, &d);
	REQUIRE(raw_count(&r, r.heard_before, CHUNK_COOKIE_ACK) == 1);
}

static void happen(enum cause cause)
{
	const uint8_t error[] = {0, 13, 0, 8, 'w', 'h', 'a', 't'};
	const uint32_t reset[] = {RAW_TSN, 0, r.tsn - 1}, more[] = {RAW_TSN, 5 << 16};

	switch (cause) {
	case ABORTS: send_chunk(CHUNK_ABORT, NULL, 0); break;
	case REPORTS_AN_ERROR: send_chunk(CHUNK_ERROR, error, sizeof(error)); break;
	case ENDS: send_number(CHUNK_SHUTDOWN, r.stack_tsn - 1); break;
	case ACKNOWLEDGES: raw_acknowledge(&r); break;
	case GOES_SILENT: break;
	case SENDS_A_PART: send_part(); break;
	case GIVES_UP_A_PART: send_number(CHUNK_FORWARD_TSN, r.tsn); break;
	case CHANGES_THE_KEY: change_the_key(); break;
	case RESETS_STREAMS: send_reconfig(OUTGOING_RESET_REQUEST, reset, 3); break;
	case RESETS_TSNS: send_reconfig(SSN_TSN_RESET_REQUEST, more, 1); break;
	case ADDS_STREAMS: send_reconfig(ADD_OUTGOING_STREAMS_REQUEST, more, 2); break;
	case RESTARTS: restart(); break;
	case N_CAUSES: break;
	}
}

static void close_before(const void *job, void *outcome)
{
	bool *over = outcome;

	current = job;
	options.one_to_many = current->one_to_many;
	raw_accepted(&r, &options);
	if (current->cause == GIVES_UP_A_PART)
		send_part();
	if (current->cause != RESETS_TSNS) /* which is denied while data are outstanding */
		raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, 1000);
	if (current->cause == RESTARTS) { /* who has closed its socket sends no INIT-ACK */
		r.tag = RESTARTED_TAG;
		raw_ask_cookie(&r);
	}
	raw_close_socket(&r);
	happen(current->cause);
	raw_run(&r, PATIENCE_US);
	*over = r.stack_tag != 0;
	raw_close(&r);
}

static void nobody_is_told_and_nothing_breaks(void **state)
{
	unsigned broken = 0;

	(void)state;
	for (unsigned event = 0; event <= ALL; event++) {
		for (unsigned n = 0; n < 2 * N_CAUSES; n++) {
			const struct job job = {
			    .event = event, .cause = (enum cause)(n / 2), .one_to_many = n % 2 != 0};

			bool over;

			if (isolate_survives(close_before, &job, &over, sizeof(over)) && over)
				continue;
			broken++;
			printf("%s, cause %u, one-to-many %d: did not survive\n",
			       event < ALL ? events[event].name : "all", n / 2, job.one_to_many);
		}
	}
	assert_int_equal(broken, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_is_told_and_nothing_breaks)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
