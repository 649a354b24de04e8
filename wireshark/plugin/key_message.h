/* SPDX-License-Identifier: BSD-3-Clause
 *
 * key_message.h - the messages of key management, PPID 4242: the low byte of an epoch, then TLS records
 * (draft-porfiri-tsvwg-sctp-dtls-handshake), which Wireshark's own dissector shows. */
#ifndef CMT_WS_KEY_MESSAGE_H
#define CMT_WS_KEY_MESSAGE_H

/* With cmt_proto and its fields registered. */
void cmt_key_message_register(void);
void cmt_key_message_handoff(void);

#endif
