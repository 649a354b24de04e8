/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What usrsctp_cmt_packets.h refuses, and with which errno. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "support/carrier.h"
#include "support/isolate.h"

enum { BYTES = 100000, LIMIT_US = 60000000 };

#define REFUSED(call, error) REQUIRE((errno = 0, (call)) == -1 && errno == (error))
#define NONE(call, error)    REQUIRE((errno = 0, (call)) == NULL && errno == (error))

static void in_a_process(isolate_scenario *scenario)
{
	uint8_t nothing;

	isolate_run(scenario, NULL, &nothing, sizeof(nothing));
}

static size_t take(void *arg, const struct usrsctp_cmt_packet *packets, size_t n)
{
	(void)arg, (void)packets;
	return n;
}

static int take_now(void *arg, const struct usrsctp_cmt_packet *packet)
{
	(void)arg, (void)packet;
	return 0;
}

static uint64_t now_us(void *arg)
{
	(void)arg;
	return 1000000;
}

static void random_bytes(void *arg, void *buffer, size_t bytes)
{
	(void)arg;
	memset(buffer, 7, bytes);
}

static uint64_t stamp_us(void *arg, uint16_t port, uint64_t at_us)
{
	(void)arg, (void)port;
	return at_us;
}

static struct usrsctp_cmt_packets_config plain(void)
{
	return (struct usrsctp_cmt_packets_config){.size = sizeof(struct usrsctp_cmt_packets_config),
	                                           .output = take};
}

/* --- back ends --- */

static void *make_elsewhere(void *arg)
{
	const struct usrsctp_cmt_packets_config config = plain();

	(void)arg;
	NONE(usrsctp_cmt_packets_new(&config), EBUSY);
	return NULL;
}

static void make_back_ends(const void *job, void *outcome)
{
	struct usrsctp_cmt_packets *all[USRSCTP_CMT_PACKETS_MAX];
	struct usrsctp_cmt_packets_config config = plain();
	pthread_t thread;

	(void)job, (void)outcome;
	NONE(usrsctp_cmt_packets_new(NULL), EINVAL);
	config.size--;
	NONE(usrsctp_cmt_packets_new(&config), EINVAL);
	config.size += 2;
	NONE(usrsctp_cmt_packets_new(&config), EINVAL);
	config = plain();
	config.output_now = take_now;
	NONE(usrsctp_cmt_packets_new(&config), EINVAL);
	config = plain();
	for (unsigned i = 0; i < USRSCTP_CMT_PACKETS_MAX; i++) {
		all[i] = usrsctp_cmt_packets_new(&config);
		REQUIRE(all[i] != NULL);
	}
	NONE(usrsctp_cmt_packets_new(&config), ENOSPC);
	REQUIRE(pthread_create(&thread, NULL, make_elsewhere, NULL) == 0);
	REQUIRE(pthread_join(thread, NULL) == 0);
	config.now_us = now_us;
	NONE(usrsctp_cmt_packets_new(&config), EBUSY);
	config = plain();
	config.random = random_bytes;
	NONE(usrsctp_cmt_packets_new(&config), EBUSY);
	config = plain();
	config.stamp_us = stamp_us;
	NONE(usrsctp_cmt_packets_new(&config), EBUSY);
	REQUIRE(usrsctp_cmt_packets_free(NULL) == 0);
	for (unsigned i = 0; i < USRSCTP_CMT_PACKETS_MAX; i++)
		REQUIRE(usrsctp_cmt_packets_free(all[i]) == 0);
	/* And all of it can be had again, by another thread too. */
	all[0] = usrsctp_cmt_packets_new(&config);
	REQUIRE(all[0] != NULL);
	config = plain();
	NONE(usrsctp_cmt_packets_new(&config), EBUSY);
	REQUIRE(usrsctp_cmt_packets_free(all[0]) == 0);
}

static void back_ends_that_cannot_be_are_not_made(void **state)
{
	(void)state;
	in_a_process(make_back_ends);
}

static void make_beside_threads(const void *job, void *outcome)
{
	const struct usrsctp_cmt_packets_config config = plain();

	(void)job, (void)outcome;
	usrsctp_init(0, NULL, NULL);
	NONE(usrsctp_cmt_packets_new(&config), EBUSY);
	REQUIRE(usrsctp_finish() == 0);
	REQUIRE(usrsctp_cmt_packets_free(usrsctp_cmt_packets_new(&config)) == 0);
}

static void a_stack_that_runs_already_is_not_taken_over(void **state)
{
	(void)state;
	in_a_process(make_beside_threads);
}

/* --- addresses, paths, sockets --- */

static void name_addresses(const void *job, void *outcome)
{
	const struct usrsctp_cmt_packets_config config = plain();
	struct usrsctp_cmt_packets *packets = usrsctp_cmt_packets_new(&config);
	const struct sockaddr_in here = carrier_address(0, 0), there = carrier_address(1, 0);
	const struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	const struct sockaddr *local = (const struct sockaddr *)&here;
	const struct sockaddr *remote = (const struct sockaddr *)&there;
	const struct sockaddr unknown = {.sa_family = AF_UNIX};

	(void)job, (void)outcome;
	REFUSED(usrsctp_cmt_packets_add_address(NULL, local), EINVAL);
	REFUSED(usrsctp_cmt_packets_add_address(packets, NULL), EINVAL);
	REFUSED(usrsctp_cmt_packets_add_address(packets, &unknown), EINVAL);
	REFUSED(usrsctp_cmt_packets_remove_address(packets, local), ENOENT);
	REQUIRE(usrsctp_cmt_packets_add_address(packets, local) == 0);
	REFUSED(usrsctp_cmt_packets_add_address(packets, local), EEXIST);
	REQUIRE(usrsctp_cmt_packets_add_address(packets, (const struct sockaddr *)&six) == 0);
	REFUSED(usrsctp_cmt_packets_remove_address(NULL, local), EINVAL);
	REFUSED(usrsctp_cmt_packets_address_down(NULL, local), EINVAL);
	REFUSED(usrsctp_cmt_packets_address_down(packets, &unknown), EINVAL);
	REFUSED(usrsctp_cmt_packets_remove_address(packets, &unknown), EINVAL);
	REFUSED(usrsctp_cmt_packets_add_path(NULL, local, remote, 0), EINVAL);
	REFUSED(usrsctp_cmt_packets_add_path(packets, NULL, remote, 0), EINVAL);
	REFUSED(usrsctp_cmt_packets_add_path(packets, local, NULL, 0), EINVAL);
	REFUSED(usrsctp_cmt_packets_add_path(packets, &unknown, &unknown, 0), EINVAL);
	REFUSED(usrsctp_cmt_packets_add_path(packets, local, (const struct sockaddr *)&six, 0), EINVAL);
	REQUIRE(usrsctp_cmt_packets_add_path(packets, local, remote, 0) == 0);
	REFUSED(usrsctp_cmt_packets_remove_path(packets, local, (const struct sockaddr *)&six), EINVAL);
	REQUIRE(usrsctp_cmt_packets_remove_path(packets, local, remote) == 0);
	REFUSED(usrsctp_cmt_packets_remove_path(packets, local, remote), ENOENT);
	REQUIRE(usrsctp_cmt_packets_remove_address(packets, local) == 0);
	REFUSED(usrsctp_cmt_packets_remove_address(packets, local), ENOENT);
	REQUIRE(usrsctp_cmt_packets_free(packets) == 0);
}

static void what_is_no_address_or_path_is_told(void **state)
{
	(void)state;
	in_a_process(name_addresses);
}

static void assign_sockets(const void *job, void *outcome)
{
	const struct usrsctp_cmt_packets_config config = plain();
	struct usrsctp_cmt_packets *first = usrsctp_cmt_packets_new(&config),
	                           *second = usrsctp_cmt_packets_new(&config);
	struct sockaddr_in here = carrier_address(0, 0);
	struct socket *so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);

	(void)job, (void)outcome;
	REQUIRE(usrsctp_cmt_packets_add_address(second, (struct sockaddr *)&here) == 0);
	REFUSED(usrsctp_cmt_packets_assign(NULL, so), EINVAL);
	REFUSED(usrsctp_cmt_packets_assign(second, NULL), EINVAL);
	here.sin_port = htons(CARRIER_SCTP_PORT);
	/* It is the first one's, which has no such address. */
	REQUIRE(usrsctp_bindx(so, (struct sockaddr *)&here, 1, SCTP_BINDX_ADD_ADDR) == -1);
	usrsctp_close(so);
	so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	REQUIRE(usrsctp_cmt_packets_assign(second, so) == 0);
	REQUIRE(usrsctp_bindx(so, (struct sockaddr *)&here, 1, SCTP_BINDX_ADD_ADDR) == 0);
	REFUSED(usrsctp_cmt_packets_assign(first, so), EINVAL);
	REFUSED(usrsctp_cmt_packets_free(second), ENOTEMPTY);
	REQUIRE(usrsctp_cmt_packets_free(first) == 0);
	REFUSED(usrsctp_cmt_packets_free(second), ENOTEMPTY);
	usrsctp_close(so);
	REQUIRE(usrsctp_cmt_packets_free(second) == 0);
}

static void sockets_are_assigned_before_they_are_bound(void **state)
{
	(void)state;
	in_a_process(assign_sockets);
}

/* --- packets --- */

static const uint8_t packet[70000];

static struct usrsctp_cmt_arrival an_arrival(const struct sockaddr_in *local,
                                             const struct sockaddr_in *remote)
{
	return (struct usrsctp_cmt_arrival){.size = sizeof(struct usrsctp_cmt_arrival),
	                                    .local = (const struct sockaddr *)local,
	                                    .remote = (const struct sockaddr *)remote,
	                                    .bytes = packet,
	                                    .len = 100};
}

static void give_wrong_packets(const void *job, void *outcome)
{
	const struct usrsctp_cmt_packets_config config = plain();
	struct usrsctp_cmt_packets *packets = usrsctp_cmt_packets_new(&config);
	const struct sockaddr_in here = carrier_address(0, 0), there = carrier_address(1, 0);
	const struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	const struct sockaddr unknown = {.sa_family = AF_UNIX};
	const struct usrsctp_cmt_arrival good = an_arrival(&here, &there);
	struct usrsctp_cmt_arrival bad = good;

	(void)job, (void)outcome;
	REQUIRE(usrsctp_cmt_packets_input(packets, &good) == 0);
	REFUSED(usrsctp_cmt_packets_input(NULL, &good), EINVAL);
	REFUSED(usrsctp_cmt_packets_input(packets, NULL), EINVAL);
	bad.size = 0;
	REFUSED(usrsctp_cmt_packets_input(packets, &bad), EINVAL);
	bad = good;
	bad.bytes = NULL;
	REFUSED(usrsctp_cmt_packets_input(packets, &bad), EINVAL);
	bad = good;
	bad.local = NULL;
	REFUSED(usrsctp_cmt_packets_input(packets, &bad), EINVAL);
	bad = good;
	bad.remote = NULL;
	REFUSED(usrsctp_cmt_packets_input(packets, &bad), EINVAL);
	bad.remote = (const struct sockaddr *)&six;
	REFUSED(usrsctp_cmt_packets_input(packets, &bad), EINVAL);
	bad.local = bad.remote = &unknown;
	REFUSED(usrsctp_cmt_packets_input(packets, &bad), EINVAL);
	for (bad = good, bad.len = 0; bad.len < 16; bad.len++)
		REFUSED(usrsctp_cmt_packets_input(packets, &bad), EBADMSG);
	REQUIRE(usrsctp_cmt_packets_input(packets, &bad) == 0);
	bad.len = 65535;
	REQUIRE(usrsctp_cmt_packets_input(packets, &bad) == 0);
	bad.len = 65536;
	REFUSED(usrsctp_cmt_packets_input(packets, &bad), EMSGSIZE);
	REFUSED(usrsctp_cmt_packets_run(NULL), EINVAL);
	REQUIRE(usrsctp_cmt_packets_free(packets) == 0);
}

static void what_is_no_packet_is_told(void **state)
{
	(void)state;
	in_a_process(give_wrong_packets);
}

static void give_wrong_reports(const void *job, void *outcome)
{
	const struct usrsctp_cmt_packets_config config = plain();
	struct usrsctp_cmt_packets *packets = usrsctp_cmt_packets_new(&config);
	const struct sockaddr_in here = carrier_address(0, 0), there = carrier_address(1, 0);
	const struct usrsctp_cmt_too_big good = {.size = sizeof(good),
	                                         .local = (const struct sockaddr *)&here,
	                                         .remote = (const struct sockaddr *)&there,
	                                         .bytes = packet,
	                                         .len = USRSCTP_CMT_QUOTE_BYTES,
	                                         .mtu_bytes = 1000};
	struct usrsctp_cmt_too_big bad = good;

	(void)job, (void)outcome;
	REQUIRE(usrsctp_cmt_packets_too_big(packets, &good) == 0);
	REFUSED(usrsctp_cmt_packets_too_big(NULL, &good), EINVAL);
	REFUSED(usrsctp_cmt_packets_too_big(packets, NULL), EINVAL);
	bad.size--;
	REFUSED(usrsctp_cmt_packets_too_big(packets, &bad), EINVAL);
	bad = good;
	bad.bytes = NULL;
	REFUSED(usrsctp_cmt_packets_too_big(packets, &bad), EINVAL);
	bad = good;
	bad.local = NULL;
	REFUSED(usrsctp_cmt_packets_too_big(packets, &bad), EINVAL);
	bad = good;
	bad.len--;
	REFUSED(usrsctp_cmt_packets_too_big(packets, &bad), EBADMSG);
	REQUIRE(usrsctp_cmt_packets_free(packets) == 0);
}

static void what_is_no_report_is_told(void **state)
{
	(void)state;
	in_a_process(give_wrong_reports);
}

/* --- from within itself --- */

static struct carrier c;
static unsigned calls_back, upcalls, batches;

/* Everything that enters the stack. */
static void try_to_enter(void)
{
	const struct sockaddr_in here = carrier_address(0, 0), there = carrier_address(1, 0);
	const struct sockaddr *local = (const struct sockaddr *)&here;
	const struct sockaddr *remote = (const struct sockaddr *)&there;
	const struct usrsctp_cmt_arrival arrival = an_arrival(&here, &there);
	const struct usrsctp_cmt_too_big report = {.size = sizeof(report),
	                                           .local = local,
	                                           .remote = remote,
	                                           .bytes = packet,
	                                           .len = USRSCTP_CMT_QUOTE_BYTES};

	REFUSED(usrsctp_cmt_packets_input(c.hosts[0].packets, &arrival), EDEADLK);
	REFUSED(usrsctp_cmt_packets_too_big(c.hosts[0].packets, &report), EDEADLK);
	REFUSED(usrsctp_cmt_packets_run(c.hosts[0].packets), EDEADLK);
	REFUSED(usrsctp_cmt_packets_free(c.hosts[0].packets), EDEADLK);
}

static void try_to_change(void)
{
	const struct sockaddr_in here = carrier_address(0, 3), there = carrier_address(1, 3);
	const struct sockaddr *local = (const struct sockaddr *)&here;
	const struct sockaddr *remote = (const struct sockaddr *)&there;

	REFUSED(usrsctp_cmt_packets_add_address(c.hosts[0].packets, local), EDEADLK);
	REFUSED(usrsctp_cmt_packets_remove_address(c.hosts[0].packets, local), EDEADLK);
	REFUSED(usrsctp_cmt_packets_address_down(c.hosts[0].packets, local), EDEADLK);
	REFUSED(usrsctp_cmt_packets_add_path(c.hosts[0].packets, local, remote, 0), EDEADLK);
	REFUSED(usrsctp_cmt_packets_remove_path(c.hosts[0].packets, local, remote), EDEADLK);
}

static bool enter_from_output_now(struct carrier *carrier, const struct carrier_packet *out)
{
	(void)carrier, (void)out;
	try_to_enter();
	try_to_change();
	calls_back++;
	return true;
}

static void on_socket(struct socket *so, void *arg, int flags)
{
	(void)so, (void)arg, (void)flags;
	try_to_enter();
	upcalls++;
}

static void watch(struct socket *so, const struct carrier_host *host)
{
	(void)host;
	usrsctp_set_upcall(so, on_socket, NULL);
}

static void enter_from_callbacks(const void *job, void *outcome)
{
	(void)job, (void)outcome;
	c = (struct carrier){.in_virtual_time = true,
	                     .delay_us = 1000,
	                     .at_once = true,
	                     .passes = enter_from_output_now,
	                     .configure = watch};
	REQUIRE(carrier_open(&c) == 0);
	carrier_connect(&c, 0, BYTES);
	REQUIRE(carrier_run(&c, 0, BYTES, LIMIT_US));
	REQUIRE(calls_back > 0 && upcalls > 0);
	carrier_close(&c);
}

/* From `output` all is allowed but these. */
static bool enter_from_output(struct carrier *carrier, const struct carrier_packet *out)
{
	(void)out;
	REFUSED(usrsctp_cmt_packets_run(carrier->hosts[0].packets), EDEADLK);
	REFUSED(usrsctp_cmt_packets_free(carrier->hosts[0].packets), EDEADLK);
	if (batches++ == 0) {
		carrier->n_paths = 2;
		carrier_add_address(carrier, 0, 1);
		carrier_add_address(carrier, 1, 1);
		carrier_add_path(carrier, 0, 1);
	}
	return true;
}

/* And packets may be carried to the other side at once. */
static bool hand_over(struct carrier *carrier, const struct carrier_packet *out)
{
	const struct usrsctp_cmt_arrival arrival = {.size = sizeof(arrival),
	                                            .local = (const struct sockaddr *)&out->local,
	                                            .remote = (const struct sockaddr *)&out->remote,
	                                            .bytes = out->bytes,
	                                            .len = out->len};

	(void)enter_from_output(carrier, out);
	REQUIRE(usrsctp_cmt_packets_input(out->to->packets, &arrival) == 0);
	return false;
}

static void enter_from_batches(const void *job, void *outcome)
{
	(void)job, (void)outcome;
	c = (struct carrier){.in_virtual_time = true, .passes = hand_over};
	REQUIRE(carrier_open(&c) == 0);
	carrier_connect(&c, 0, BYTES);
	REQUIRE(carrier_run(&c, 0, BYTES, LIMIT_US));
	REQUIRE(batches > 0 && c.hosts[1].intact);
	carrier_close(&c);
}

static void nothing_enters_the_stack_from_within_it(void **state)
{
	(void)state;
	in_a_process(enter_from_callbacks);
}

static void batches_are_given_out_without_locks(void **state)
{
	(void)state;
	in_a_process(enter_from_batches);
}

/* --- the end --- */

static void end_while_shutting_down(const void *job, void *outcome)
{
	(void)job, (void)outcome;
	c = (struct carrier){.in_virtual_time = true, .delay_us = 1000};
	REQUIRE(carrier_open(&c) == 0);
	carrier_connect(&c, 0, BYTES);
	REQUIRE(carrier_run(&c, 0, BYTES / 2, LIMIT_US));
	REFUSED(usrsctp_cmt_packets_free(c.hosts[0].packets), ENOTEMPTY);
	usrsctp_close(c.hosts[0].so);
	c.hosts[0].so = NULL;
	usrsctp_close(c.hosts[1].listener);
	c.hosts[1].listener = NULL;
	REFUSED(usrsctp_cmt_packets_free(c.hosts[0].packets), ENOTEMPTY);
	usrsctp_close(c.hosts[1].so);
	c.hosts[1].so = NULL;
	REFUSED(usrsctp_cmt_packets_free(c.hosts[0].packets), EBUSY);
	carrier_close(&c);
}

static void the_last_one_waits_for_what_shuts_down(void **state)
{
	(void)state;
	in_a_process(end_while_shutting_down);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(back_ends_that_cannot_be_are_not_made),
	    cmocka_unit_test(a_stack_that_runs_already_is_not_taken_over),
	    cmocka_unit_test(what_is_no_address_or_path_is_told),
	    cmocka_unit_test(sockets_are_assigned_before_they_are_bound),
	    cmocka_unit_test(what_is_no_packet_is_told),
	    cmocka_unit_test(what_is_no_report_is_told),
	    cmocka_unit_test(nothing_enters_the_stack_from_within_it),
	    cmocka_unit_test(batches_are_given_out_without_locks),
	    cmocka_unit_test(the_last_one_waits_for_what_shuts_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
