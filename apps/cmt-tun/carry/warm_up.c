/* SPDX-License-Identifier: BSD-3-Clause */
#include "carry/warm_up.h"

#include "tun_message.h"

#define MESSAGE_BYTES 1200u
#define MESSAGES      80u
#define LIFETIME_MS   300u

void tun_warm_up(struct usrsctp_cmt_conn *conn)
{
	static const uint8_t nothing[MESSAGE_BYTES];
	const struct usrsctp_cmt_message header = {
	    .flags = USRSCTP_CMT_MESSAGE_UNORDERED, .ppid = TUN_PPID_PADDING, .lifetime_ms = LIFETIME_MS};

	for (unsigned i = 0; i < MESSAGES; i++) {
		if (usrsctp_cmt_conn_write(conn, nothing, sizeof(nothing), &header) != 0) {
			return;
		}
	}
}
