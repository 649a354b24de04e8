/* SPDX-License-Identifier: BSD-3-Clause */
#include "repair_message.h"

#include <endian.h>
#include <string.h>

int repair_message_decode(const uint8_t *bytes, size_t len, struct repair_message *out)
{
	if (len <= REPAIR_FIELDS_BYTES + REPAIR_PREFIX_BYTES ||
	    len > REPAIR_FIELDS_BYTES + REPAIR_MAX_SYMBOL_BYTES) {
		return -1;
	}
	memcpy(&out->first, bytes, sizeof(out->first));
	memcpy(&out->time_us, bytes + 4, sizeof(out->time_us));
	out->first = be32toh(out->first);
	out->time_us = be64toh(out->time_us);
	out->k = bytes[12];
	out->i = bytes[13];
	out->symbol = bytes + REPAIR_FIELDS_BYTES;
	out->symbol_bytes = len - REPAIR_FIELDS_BYTES;
	return out->k >= 1 && out->k <= REPAIR_MAX_DATAGRAMS && out->i < REPAIR_MAX_SYMBOLS &&
	               out->time_us <= REPAIR_MAX_TIME_US
	           ? 0
	           : -1;
}

void repair_message_encode(const struct repair_message *message, uint8_t out[REPAIR_FIELDS_BYTES])
{
	const uint32_t first = htobe32(message->first);
	const uint64_t time_us = htobe64(message->time_us);

	memcpy(out, &first, sizeof(first));
	memcpy(out + 4, &time_us, sizeof(time_us));
	out[12] = message->k;
	out[13] = message->i;
	out[14] = out[15] = 0;
}

void repair_symbol_write(const struct repair_datagram *datagram, uint64_t time_us, uint8_t *out,
                         size_t symbol_bytes)
{
	const uint16_t bytes = htobe16((uint16_t)datagram->bytes);
	const uint32_t later_us = htobe32((uint32_t)(datagram->time_us - time_us));

	memcpy(out, &bytes, sizeof(bytes));
	memcpy(out + 2, &later_us, sizeof(later_us));
	memcpy(out + REPAIR_PREFIX_BYTES, datagram->payload, datagram->bytes);
	memset(out + REPAIR_PREFIX_BYTES + datagram->bytes, 0,
	       symbol_bytes - REPAIR_PREFIX_BYTES - datagram->bytes);
}

int repair_symbol_read(const uint8_t *symbol, size_t symbol_bytes, uint64_t time_us,
                       struct repair_datagram *out)
{
	uint16_t bytes;
	uint32_t later_us;

	memcpy(&bytes, symbol, sizeof(bytes));
	memcpy(&later_us, symbol + 2, sizeof(later_us));
	out->bytes = be16toh(bytes);
	out->time_us = time_us + be32toh(later_us);
	out->payload = symbol + REPAIR_PREFIX_BYTES;
	return out->bytes >= 1 && out->bytes <= symbol_bytes - REPAIR_PREFIX_BYTES &&
	               out->time_us <= REPAIR_MAX_TIME_US
	           ? 0
	           : -1;
}
