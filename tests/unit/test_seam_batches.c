/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "batches.h"
#include "util/cmt_random.h"

enum { PATHS = 100, NUMBER_BYTES = 4, CALLS = 4096, ALL = 1 << 20 };

/* Path p: from one of two addresses to 10.1.0.p, port 9000 + p. */
static struct sockaddr_in end_of(unsigned path, bool remote)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
	                            .sin_port = htons((uint16_t)(remote ? 9000 + path : 77)),
	                            .sin_addr.s_addr =
	                                htonl(remote ? 0x0a010000u + path : 0x0a000000u + path % 2)};
}

/* A packet with a number in front; whether there was room. */
static bool add(struct cmt_batches *b, unsigned path, uint32_t number, size_t len)
{
	const struct sockaddr_in local = end_of(path, false), remote = end_of(path, true);
	uint8_t *bytes =
	    cmt_batches_add(b, &(struct usrsctp_cmt_packet){.local = (const struct sockaddr *)&local,
	                                                    .remote = (const struct sockaddr *)&remote,
	                                                    .len = len,
	                                                    .tos = (uint8_t)number,
	                                                    .fragment_bytes = number % 3,
	                                                    .dont_fragment = number % 2 == 0,
	                                                    .is_probe = number % 3 == 0});

	if (bytes == NULL)
		return false;
	memset(bytes, (int)(uint8_t)number, len);
	memcpy(bytes, &number, NUMBER_BYTES);
	return true;
}

/* What `fn` was called with, and what it says. */
static struct {
	struct call {
		unsigned path;
		size_t n;
		uint32_t first;
	} calls[CALLS];
	unsigned n_calls;
	uint32_t due[PATHS];           /* number of the path's next packet, where all are expected */
	size_t room[PATHS], room_left; /* packets that are taken, of a path and of all */
	struct cmt_batches *add_to;    /* a packet with every call, on the path behind */
	bool boasts;                   /* takes more than it was given */
} seen;

static uint32_t number_of(const struct usrsctp_cmt_packet *packet)
{
	const uint8_t *body = (const uint8_t *)packet->bytes + NUMBER_BYTES;
	uint32_t number;

	memcpy(&number, packet->bytes, NUMBER_BYTES);
	if (packet->len > NUMBER_BYTES) {
		assert_int_equal(body[0], (uint8_t)number);
		assert_true(memcmp(body, body + 1, packet->len - NUMBER_BYTES - 1) == 0);
	}
	assert_int_equal(packet->tos, (uint8_t)number);
	assert_int_equal(packet->fragment_bytes, number % 3);
	assert_int_equal(packet->dont_fragment, number % 2 == 0);
	assert_int_equal(packet->is_probe, number % 3 == 0);
	assert_int_equal(packet->size, sizeof(*packet));
	return number;
}

static unsigned path_of(const struct usrsctp_cmt_packet *packet)
{
	const struct sockaddr_in *local = (const struct sockaddr_in *)(const void *)packet->local;
	const struct sockaddr_in *remote = (const struct sockaddr_in *)(const void *)packet->remote;
	const unsigned path = ntohl(remote->sin_addr.s_addr) & 0xffff;

	assert_int_equal(local->sin_port, 0);
	assert_int_equal(ntohl(local->sin_addr.s_addr), 0x0a000000u + path % 2);
	assert_int_equal(ntohs(remote->sin_port), 9000 + path);
	return path;
}

static size_t take(void *arg, const struct usrsctp_cmt_packet *packets, size_t n)
{
	const unsigned path = path_of(&packets[0]);
	size_t taken = n < seen.room[path] ? n : seen.room[path];

	assert_ptr_equal(arg, &seen);
	if (taken > seen.room_left)
		taken = seen.room_left;
	seen.room[path] -= taken;
	seen.room_left -= taken;
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(path_of(&packets[i]), path);
		assert_int_equal(number_of(&packets[i]), seen.due[path] + i);
	}
	seen.due[path] += (uint32_t)taken;
	assert_true(seen.n_calls < CALLS);
	seen.calls[seen.n_calls++] = (struct call){path, n, number_of(&packets[0])};
	if (seen.add_to != NULL && seen.n_calls < 3)
		assert_true(add(seen.add_to, path + 1, 0, 500));
	return seen.boasts ? n + 7 : taken;
}

static struct cmt_batches *begin(size_t room)
{
	struct cmt_batches *b = cmt_batches_new();

	assert_non_null(b);
	memset(&seen, 0, sizeof(seen));
	for (unsigned p = 0; p < PATHS; p++)
		seen.room[p] = room;
	seen.room_left = ALL;
	return b;
}

static void assert_call(unsigned i, unsigned path, size_t n, uint32_t first)
{
	assert_true(i < seen.n_calls);
	assert_int_equal(seen.calls[i].path, path);
	assert_int_equal(seen.calls[i].n, n);
	assert_int_equal(seen.calls[i].first, first);
}

static void each_path_has_its_batch_in_order(void **state)
{
	struct cmt_batches *b = begin(ALL);

	(void)state;
	assert_false(cmt_batches_are_ready(b));
	for (uint32_t i = 0; i < 6; i++)
		assert_true(add(b, i % 2, i / 2, 100 + i));
	assert_true(cmt_batches_are_ready(b));
	cmt_batches_give(b, take, &seen);
	assert_int_equal(seen.n_calls, 2);
	assert_call(0, 0, 3, 0);
	assert_call(1, 1, 3, 0);
	assert_false(cmt_batches_are_ready(b));
	cmt_batches_give(b, take, &seen);
	assert_int_equal(seen.n_calls, 2);
	cmt_batches_free(b);
}

static size_t count(void *arg, const struct usrsctp_cmt_packet *packets, size_t n)
{
	(void)packets;
	*(unsigned *)arg += 1;
	return n;
}

static void another_port_of_the_peer_is_another_path(void **state)
{
	struct cmt_batches *b = begin(ALL);
	struct sockaddr_in local = end_of(1, false), remote = end_of(1, true);
	const struct usrsctp_cmt_packet packet = {
	    .local = (const struct sockaddr *)&local, .remote = (const struct sockaddr *)&remote, .len = 1};
	unsigned batches = 0;

	(void)state;
	assert_non_null(cmt_batches_add(b, &packet));
	local.sin_port = htons(1); /* one of ours is not */
	assert_non_null(cmt_batches_add(b, &packet));
	remote.sin_port = htons(1);
	assert_non_null(cmt_batches_add(b, &packet));
	cmt_batches_give(b, count, &batches);
	assert_int_equal(batches, 2);
	cmt_batches_free(b);
}

static void what_is_refused_is_offered_again_with_what_came_behind_it(void **state)
{
	struct cmt_batches *b = begin(ALL);

	(void)state;
	seen.room[0] = 2;
	for (uint32_t i = 0; i < 5; i++)
		assert_true(add(b, 0, i, 700));
	assert_true(add(b, 1, 0, 100));
	cmt_batches_give(b, take, &seen);
	assert_int_equal(seen.n_calls, 2);
	assert_call(0, 0, 5, 0);
	assert_call(1, 1, 1, 0);
	/* Nothing that would be taken waits. */
	assert_false(cmt_batches_are_ready(b));
	assert_true(add(b, 0, 5, 90));
	assert_false(cmt_batches_are_ready(b));
	assert_true(add(b, 1, 1, 90));
	assert_true(cmt_batches_are_ready(b));
	seen.room[0] = ALL;
	cmt_batches_give(b, take, &seen);
	assert_int_equal(seen.n_calls, 4);
	assert_call(2, 0, 4, 2);
	assert_call(3, 1, 1, 1);
	assert_false(cmt_batches_are_ready(b));
	cmt_batches_free(b);
}

static void who_takes_more_than_there_is_gets_no_more(void **state)
{
	struct cmt_batches *b = begin(ALL);

	(void)state;
	seen.boasts = true;
	assert_true(add(b, 0, 0, 100));
	assert_true(add(b, 1, 0, 100));
	cmt_batches_give(b, take, &seen);
	assert_int_equal(seen.n_calls, 2);
	assert_false(cmt_batches_are_ready(b));
	assert_true(add(b, 0, 1, 100));
	cmt_batches_give(b, take, &seen);
	assert_call(2, 0, 1, 1);
	cmt_batches_free(b);
}

static void more_packets_than_there_is_room_for_are_refused(void **state)
{
	struct cmt_batches *b = begin(ALL);

	(void)state;
	for (uint32_t i = 0; i < CMT_BATCHES_PACKETS; i++)
		assert_true(add(b, i % PATHS, i / PATHS, 100));
	assert_false(add(b, 0, 0, 100));
	cmt_batches_give(b, take, &seen);
	assert_true(add(b, 0, seen.due[0], 100));
	cmt_batches_free(b);
}

static void more_bytes_than_there_is_room_for_are_refused(void **state)
{
	struct cmt_batches *b = begin(0);
	const uint32_t fit = CMT_BATCHES_BYTES / 65535;

	(void)state;
	for (uint32_t i = 0; i < fit; i++)
		assert_true(add(b, 0, i, 65535));
	assert_false(add(b, 0, fit, 65535));
	assert_true(add(b, 0, fit, CMT_BATCHES_BYTES - fit * 65535));
	assert_false(add(b, 0, fit + 1, NUMBER_BYTES));
	seen.room[0] = 1;
	cmt_batches_give(b, take, &seen);
	assert_true(add(b, 0, fit + 1, 65535));
	seen.room[0] = ALL;
	cmt_batches_give(b, take, &seen);
	assert_int_equal(seen.due[0], fit + 2);
	cmt_batches_free(b);
}

static void what_is_added_meanwhile_is_given_out_too(void **state)
{
	struct cmt_batches *b = begin(ALL);

	(void)state;
	seen.add_to = b;
	assert_true(add(b, 0, 0, 100));
	cmt_batches_give(b, take, &seen);
	assert_int_equal(seen.n_calls, 3);
	assert_call(1, 1, 1, 0);
	assert_call(2, 2, 1, 0);
	assert_false(cmt_batches_are_ready(b));
	cmt_batches_free(b);
}

/* Room for anything between nothing and everything, paths and lengths at random: take() sees that each path's
 * packets come whole, in order, and once. */
static void nothing_is_lost_or_mixed_up_at_random(void **state)
{
	uint64_t random = 20261126;
	struct cmt_batches *b = begin(0);
	uint32_t next[PATHS] = {0};

	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		const unsigned n = (unsigned)(cmt_random_take(&random) % 200);

		for (unsigned i = 0; i < n; i++) {
			const unsigned path = (unsigned)(cmt_random_take(&random) % (1 + round % PATHS));
			const size_t len = (size_t)(NUMBER_BYTES + cmt_random_take(&random) % 3000);

			next[path] += add(b, path, next[path], len);
		}
		for (unsigned p = 0; p < PATHS; p++)
			seen.room[p] =
			    cmt_random_take(&random) % 2 == 0 ? 0 : (size_t)(cmt_random_take(&random) % 100);
		seen.room_left = (size_t)(cmt_random_take(&random) % 300);
		seen.n_calls = 0;
		cmt_batches_give(b, take, &seen);
	}
	for (unsigned p = 0; p < PATHS; p++)
		seen.room[p] = ALL;
	seen.room_left = ALL;
	cmt_batches_give(b, take, &seen);
	for (unsigned p = 0; p < PATHS; p++) {
		assert_true(next[p] > 0);
		assert_int_equal(seen.due[p], next[p]);
	}
	cmt_batches_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_path_has_its_batch_in_order),
	    cmocka_unit_test(another_port_of_the_peer_is_another_path),
	    cmocka_unit_test(what_is_refused_is_offered_again_with_what_came_behind_it),
	    cmocka_unit_test(who_takes_more_than_there_is_gets_no_more),
	    cmocka_unit_test(more_packets_than_there_is_room_for_are_refused),
	    cmocka_unit_test(more_bytes_than_there_is_room_for_are_refused),
	    cmocka_unit_test(what_is_added_meanwhile_is_given_out_too),
	    cmocka_unit_test(nothing_is_lost_or_mixed_up_at_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
