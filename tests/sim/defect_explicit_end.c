/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whose messages end where the application says (SCTP_EXPLICIT_EOR) may write more than the send buffer
 * holds: a full one is a reason to wait, not to give up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { BUFFER_BYTES = 10000, PIECE_BYTES = 2 * BUFFER_BYTES };

static void end_explicitly(struct socket *so)
{
	const int on = 1, bytes = BUFFER_BYTES;

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_EXPLICIT_EOR, &on, sizeof(on)) == 0);
	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes)) == 0);
}

static void fill(const void *job, void *outcome)
{
	static struct raw r;
	static const uint8_t piece[PIECE_BYTES];
	const struct raw_options options = {.n_paths = 1, .configure = end_explicitly};
	ssize_t n;

	(void)job;
	raw_accepted(&r, &options);
	do {
		n = usrsctp_sendv(r.so, piece, sizeof(piece), NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0);
		REQUIRE(n < PIECE_BYTES);
	} while (n > 0);
	*(int *)outcome = errno;
	raw_close(&r);
}

static void a_full_buffer_asks_to_wait(void **state)
{
	int error;

	(void)state;
	isolate_run(fill, NULL, &error, sizeof(error));
	assert_int_equal(error, CMT_TEST_FIXED ? EWOULDBLOCK : EMSGSIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_full_buffer_asks_to_wait)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
