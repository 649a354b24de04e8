/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connections that are encrypted: data under keys that change meanwhile, and every way not to get keys, with
 * a sentence at each end.
 *
 * cost: 6 s */
#include "support/traffic.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <usrsctp_cmt_dtls.h>

#define END_MS 10000

static struct usrsctp_cmt_keys *make_keys(const struct usrsctp_cmt_keys_config *config)
{
	char error[USRSCTP_CMT_REASON_BYTES] = "";
	struct usrsctp_cmt_keys *keys = usrsctp_cmt_keys_new(config, error, sizeof(error));

	if (keys == NULL) {
		fail_msg("%s", error);
	}
	return keys;
}

static struct usrsctp_cmt_keys *some_keys(void)
{
	return make_keys(&(struct usrsctp_cmt_keys_config){.size = sizeof(struct usrsctp_cmt_keys_config)});
}

static struct sctp_dtls_stats stats_of(const struct usrsctp_cmt_conn *conn)
{
	struct sctp_dtls_stats stats = {.sds_assoc_id = 0};
	socklen_t len = sizeof(stats);

	assert_int_equal(usrsctp_getsockopt(usrsctp_cmt_conn_socket(conn), IPPROTO_SCTP, SCTP_DTLS_GET_STATS,
	                                    &stats, &len),
	                 0);
	return stats;
}

/* --- data under changing keys --- */

#define REKEYS 5

static void serve_encrypted(struct two *t)
{
	struct traffic f = {.two = t};

	t->connection.keys = some_keys();
	traffic_serve(t, &f);
	usrsctp_cmt_keys_free(t->connection.keys);
}

static void send_under_changing_keys(struct two *t)
{
	struct traffic f = {.two = t, .total = 3000000};
	struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};
	struct sctp_dtls_stats stats;

	t->connection.keys = some_keys();
	traffic_start(t, &f, TWO_ADDRESSES);
	traffic_send_some(&f, 100000);
	assert_int_equal(usrsctp_cmt_conn_peer(f.conn, &peer), 0);
	assert_false(peer.passphrase);
	assert_string_equal(peer.suite, "TLS_AES_128_GCM_SHA256");
	for (unsigned i = 0; i < REKEYS; i++) {
		assert_int_equal(usrsctp_cmt_conn_rekey(f.conn), 0);
		assert_int_equal(usrsctp_cmt_conn_rekey(f.conn), -1);
		assert_int_equal(errno, EALREADY);
		traffic_send_some(&f, 100000 * (i + 2));
		for (unsigned n = 0;
		     n < 100 && stats_of(f.conn).sds_recv_epoch < SCTP_DTLS_FIRST_EPOCH + i + 1; n++) {
			(void)two_run(t, TRAFFIC_LOOK_MS);
		}
	}
	stats = stats_of(f.conn);
	print_message("epoch %llu, %llu packets out, %llu in\n", (unsigned long long)stats.sds_send_epoch,
	              (unsigned long long)stats.sds_sent_protected,
	              (unsigned long long)stats.sds_recv_protected);
	assert_int_equal(stats.sds_send_epoch, SCTP_DTLS_FIRST_EPOCH + REKEYS);
	assert_int_equal(stats.sds_recv_epoch, SCTP_DTLS_FIRST_EPOCH + REKEYS);
	assert_int_equal(stats.sds_unknown_epoch + stats.sds_aead_failures + stats.sds_replayed, 0);
	traffic_send_rest(&f);
	assert_true(two_run(t, END_MS));
	assert_int_equal(f.count[USRSCTP_CMT_CONN_CLOSED], 1);
	traffic_finish(&f);
	usrsctp_cmt_keys_free(t->connection.keys);
}

static void keys_change_under_load(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_encrypted, send_under_changing_keys);
}

/* --- who is refused, and what both ends hear of it --- */

/* What each end has: keys of its own (NULL: none), and what it is to hear ("": nothing, it is taken). */
struct meeting {
	const struct usrsctp_cmt_keys_config *server, *client;
	bool server_optional, client_optional;
	const char *server_hears, *client_hears;
	bool client_is_up_first; /* the server refuses it only then */
	bool in_clear;
};

static const struct meeting *meeting;

struct end {
	struct two *two;
	struct usrsctp_cmt_conn *conn;
	bool is_up, is_over, has_read;
	int error;
	char heard[USRSCTP_CMT_REASON_BYTES];
};

static void take_byte(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct end *e = arg;
	char byte;

	if (usrsctp_cmt_conn_read(conn, &byte, 1, NULL) == 1) {
		e->has_read = true;
		event_base_loopbreak(e->two->base);
	}
}

static void give_byte(struct usrsctp_cmt_conn *conn, void *arg)
{
	(void)arg;
	(void)usrsctp_cmt_conn_write(conn, "x", 1, NULL);
}

static void note_end(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	const char *reason = usrsctp_cmt_conn_reason(conn);
	struct end *e = arg;

	e->is_up = e->is_up || event->type == USRSCTP_CMT_CONN_UP;
	if (event->type == USRSCTP_CMT_CONN_FAILED || event->type == USRSCTP_CMT_CONN_LOST) {
		e->is_over = true;
		e->error = event->error;
		snprintf(e->heard, sizeof(e->heard), "%s", reason != NULL ? reason : "");
		event_base_loopbreak(e->two->base);
	}
}

static void note_refused(struct usrsctp_cmt_listener *listener, const struct sockaddr *from,
                         const char *reason, void *arg)
{
	struct end *e = arg;

	(void)listener;
	assert_non_null(from);
	snprintf(e->heard, sizeof(e->heard), "%s", reason);
	e->is_over = true;
	event_base_loopbreak(e->two->base);
}

static void note_accepted(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct end *e = arg;

	(void)listener;
	e->conn = conn;
	e->is_up = true;
	usrsctp_cmt_conn_setcb(conn, take_byte, give_byte, note_end, e);
}

static void assert_heard(const struct end *e, const char *expected)
{
	print_message("%s\n", e->heard);
	if (strstr(e->heard, expected) == NULL) {
		fail_msg("heard \"%s\", and should \"%s\"", e->heard, expected);
	}
}

static void serve_meeting(struct two *t)
{
	struct usrsctp_cmt_listener *listener;
	struct end e = {.two = t};
	const bool is_taken = meeting->server_hears[0] == '\0' && meeting->client_hears[0] == '\0';

	t->connection.keys = meeting->server != NULL ? make_keys(meeting->server) : NULL;
	t->connection.keys_optional = meeting->server_optional;
	two_open(t);
	listener = usrsctp_cmt_listen(t->ev, TWO_PORT, &t->connection, note_accepted, &e);
	assert_non_null(listener);
	usrsctp_cmt_listener_setcb(listener, note_refused);
	two_tell(t);
	if (is_taken || meeting->server_hears[0] != '\0') {
		assert_true(two_run(t, END_MS));
	}
	two_wait(t);
	assert_int_equal(e.is_up, is_taken);
	assert_int_equal(e.has_read, is_taken);
	assert_heard(&e, meeting->server_hears);
	two_close(t);
	usrsctp_cmt_keys_free(t->connection.keys);
}

static void call_meeting(struct two *t)
{
	struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};
	struct end e = {.two = t};

	t->connection.keys = meeting->client != NULL ? make_keys(meeting->client) : NULL;
	t->connection.keys_optional = meeting->client_optional;
	two_open(t);
	two_wait(t);
	e.conn = usrsctp_cmt_conn_connect(t->ev, t->peer, TWO_ADDRESSES, &t->connection);
	assert_non_null(e.conn);
	usrsctp_cmt_conn_setcb(e.conn, take_byte, give_byte, note_end, &e);
	assert_true(two_run(t, END_MS));
	assert_int_equal(e.is_over, meeting->client_hears[0] != '\0');
	assert_int_equal(e.is_up, !e.is_over || meeting->client_is_up_first);
	assert_heard(&e, meeting->client_hears);
	if (!e.is_over) {
		assert_int_equal(usrsctp_cmt_conn_peer(e.conn, &peer), meeting->in_clear ? -1 : 0);
	}
	(void)two_run(t, TRAFFIC_LOOK_MS);
	two_tell(t);
	usrsctp_cmt_conn_free(e.conn);
	two_close(t);
	usrsctp_cmt_keys_free(t->connection.keys);
}

static void meet(const struct meeting *m)
{
	meeting = m;
	two_hosts(TWO_LOOPBACK, serve_meeting, call_meeting);
}

static const uint8_t somebody[1][USRSCTP_CMT_FINGERPRINT_BYTES] = {{1, 2, 3}};
static const struct usrsctp_cmt_keys_config any = {.size = sizeof(any)},
                                            choosy = {.size = sizeof(choosy),
                                                      .fingerprints = somebody,
                                                      .n_fingerprints = 1},
                                            knows = {.size = sizeof(knows),
                                                     .passphrase = "a long passphrase of several words"},
                                            guesses = {.size = sizeof(guesses), .passphrase = "another one"};

static void who_has_keys_is_taken(void **state)
{
	(void)state;
	meet(&(struct meeting){.server = &any, .client = &any, .server_hears = "", .client_hears = ""});
	meet(&(struct meeting){.server = &knows, .client = &knows, .server_hears = "", .client_hears = ""});
}

static void another_server_than_was_asked_for_is_refused(void **state)
{
	(void)state;
	meet(&(struct meeting){.server = &any,
	                       .client = &choosy,
	                       .server_hears = "the peer refuses our certificate",
	                       .client_hears = "the peer is sha256:"});
}

static void a_client_that_the_server_does_not_know_is_refused(void **state)
{
	(void)state;
	meet(&(struct meeting){.server = &choosy,
	                       .client = &any,
	                       .server_hears = "the peer is sha256:",
	                       .client_hears = "the peer refuses our certificate",
	                       .client_is_up_first = true});
}

static void a_wrong_passphrase_is_told_at_both_ends(void **state)
{
	(void)state;
	meet(&(struct meeting){.server = &knows,
	                       .client = &guesses,
	                       .server_hears = "passphrase",
	                       .client_hears = "passphrase"});
}

static void who_insists_refuses_who_has_no_keys(void **state)
{
	(void)state;
	meet(&(struct meeting){.server = &any,
	                       .client = NULL,
	                       .server_hears = "",
	                       .client_hears = "takes encrypted connections only"});
	meet(&(struct meeting){
	    .server = NULL, .client = &any, .server_hears = "", .client_hears = "offers no encryption"});
}

static void who_does_not_insist_goes_on_in_the_clear(void **state)
{
	(void)state;
	meet(&(struct meeting){.server = &any,
	                       .server_optional = true,
	                       .client = NULL,
	                       .server_hears = "",
	                       .client_hears = "",
	                       .in_clear = true});
	meet(&(struct meeting){.server = NULL,
	                       .client = &any,
	                       .client_optional = true,
	                       .server_hears = "",
	                       .client_hears = "",
	                       .in_clear = true});
	meet(&(struct meeting){.server = &any,
	                       .server_optional = true,
	                       .client = &any,
	                       .client_optional = true,
	                       .server_hears = "",
	                       .client_hears = ""});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(keys_change_under_load),
	    cmocka_unit_test(who_has_keys_is_taken),
	    cmocka_unit_test(another_server_than_was_asked_for_is_refused),
	    cmocka_unit_test(a_client_that_the_server_does_not_know_is_refused),
	    cmocka_unit_test(a_wrong_passphrase_is_told_at_both_ends),
	    cmocka_unit_test(who_insists_refuses_who_has_no_keys),
	    cmocka_unit_test(who_does_not_insist_goes_on_in_the_clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
