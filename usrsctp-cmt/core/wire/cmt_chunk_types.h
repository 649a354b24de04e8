/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_chunk_types.h - the types of SCTP chunks that anything of ours names: RFC 9260 and its extensions, and
 * our two (docs/wire-format.md). Shared with lab, tests and Wireshark plugin. */
#ifndef CMT_CHUNK_TYPES_H
#define CMT_CHUNK_TYPES_H

enum {
	CHUNK_DATA = 0x00,
	CHUNK_INIT = 0x01,
	CHUNK_INIT_ACK = 0x02,
	CHUNK_SACK = 0x03,
	CHUNK_HEARTBEAT = 0x04,
	CHUNK_HEARTBEAT_ACK = 0x05,
	CHUNK_ABORT = 0x06,
	CHUNK_SHUTDOWN = 0x07,
	CHUNK_SHUTDOWN_ACK = 0x08,
	CHUNK_ERROR = 0x09,
	CHUNK_COOKIE_ECHO = 0x0a,
	CHUNK_COOKIE_ACK = 0x0b,
	CHUNK_ECNE = 0x0c,
	CHUNK_CWR = 0x0d,
	CHUNK_SHUTDOWN_COMPLETE = 0x0e,
	CHUNK_AUTH = 0x0f,
	CHUNK_NR_SACK = 0x10,
	CHUNK_IDATA = 0x40,
	CHUNK_DTLS = 0x41,
	CHUNK_ASCONF_ACK = 0x80,
	CHUNK_PACKET_DROPPED = 0x81,
	CHUNK_RECONFIG = 0x82,
	CHUNK_PAD = 0x84,
	CHUNK_TIMESTAMP = 0x9e, /* CMT-TIMESTAMP */
	CHUNK_ECHO = 0x9f,      /* CMT-ECHO */
	CHUNK_FORWARD_TSN = 0xc0,
	CHUNK_ASCONF = 0xc1,
	CHUNK_IFORWARD_TSN = 0xc2
};

#endif
