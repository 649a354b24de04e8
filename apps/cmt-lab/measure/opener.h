/* SPDX-License-Identifier: BSD-3-Clause
 *
 * opener.h - what is in the DTLS chunks that a network's observer sees: the lab knows the keys.
 *
 * A packet is opened when it is sent, and what the lab measures of it is kept until others have taken its
 * place: so it is known of copies, of damaged ones and of late ones, too. Single threaded. One at a time: the
 * stack tells its keys to one listener. */
#ifndef LAB_OPENER_H
#define LAB_OPENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/packet.h"

/* Packets whose content is known; more than any scenario has in flight. */
#define LAB_OPENED_PKTS 65536

struct lab_opener {
	FILE *key_log; /* NULL = none */
	struct lab_direction_key *keys;
	size_t n_keys;
	struct lab_opened {
		uint64_t serial;
		bool has_timestamp;
		unsigned n, room;
		struct lab_data_chunk *data;
	} * packets; /* by serial */
};

/* Hears of every key of the stack from now on. `key_log` may be NULL; the caller closes it. */
void lab_opener_start(struct lab_opener *o, FILE *key_log);

/* A key as usrsctp_cmt_dtls.h writes it. It becomes a line of the log, once: both ends install it. */
void lab_opener_key(struct lab_opener *o, const char *line);

/* A packet is sent, and is the next one with its verification tag. */
void lab_opener_sent(struct lab_opener *o, uint64_t serial, const uint8_t *packet, size_t len);

/* As lab_packet_data() and lab_packet_has_timestamp(); nothing of a packet that had no DTLS chunk. */
unsigned lab_opener_data(const struct lab_opener *o, uint64_t serial,
                         void (*fn)(void *arg, const struct lab_data_chunk *chunk), void *arg);
bool lab_opener_has_timestamp(const struct lab_opener *o, uint64_t serial);

void lab_opener_stop(struct lab_opener *o);

#endif
