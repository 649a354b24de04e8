/* SPDX-License-Identifier: BSD-3-Clause
 *
 * repair_message.h - what REPAIR says (docs/live-protocol.md), behind the four bytes that every message
 * begins with; and the symbols that datagrams become.
 *
 * Pure. What is decoded is within the limits below, anything else is refused. */
#ifndef REPAIR_MESSAGE_H
#define REPAIR_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#define REPAIR_MAX_DATAGRAMS      160u /* of a block */
#define REPAIR_MAX_SYMBOLS        96u  /* that repair one; together below REPAIR_CODE_MAX_SYMBOLS */
#define REPAIR_PREFIX_BYTES       6u   /* of a symbol, before the datagram */
#define REPAIR_MAX_DATAGRAM_BYTES 2042u
#define REPAIR_MAX_SYMBOL_BYTES   (REPAIR_PREFIX_BYTES + REPAIR_MAX_DATAGRAM_BYTES)
#define REPAIR_FIELDS_BYTES       16u
#define REPAIR_MAX_TIME_US        ((UINT64_C(1) << 62) - 1)

/* A block is the datagrams `first` to `first + k - 1`. */
struct repair_message {
	uint32_t first;
	uint64_t time_us; /* of its first datagram, at most REPAIR_MAX_TIME_US */
	uint8_t k;        /* 1 to REPAIR_MAX_DATAGRAMS */
	uint8_t i;        /* which repair symbol: below REPAIR_MAX_SYMBOLS */
	const uint8_t *symbol;
	size_t symbol_bytes; /* REPAIR_PREFIX_BYTES + 1 to REPAIR_MAX_SYMBOL_BYTES */
};

/* 0 or -1. `symbol` points into `bytes`. */
int repair_message_decode(const uint8_t *bytes, size_t len, struct repair_message *out);
/* All but the symbol, which follows. */
void repair_message_encode(const struct repair_message *message, uint8_t out[REPAIR_FIELDS_BYTES]);

/* A datagram of a stream; `payload` is not its own. */
struct repair_datagram {
	uint32_t seq;
	uint64_t time_us;
	const uint8_t *payload;
	size_t bytes;
};

/* Its symbol, filled up with zeros to `symbol_bytes`, in a block whose first datagram is of `time_us`. */
void repair_symbol_write(const struct repair_datagram *datagram, uint64_t time_us, uint8_t *out,
                         size_t symbol_bytes);
/* The other way round; `seq` stays as it is. -1: no symbol is like that. */
int repair_symbol_read(const uint8_t *symbol, size_t symbol_bytes, uint64_t time_us,
                       struct repair_datagram *out);

#endif
