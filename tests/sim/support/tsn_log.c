/* SPDX-License-Identifier: BSD-3-Clause */
#include "tsn_log.h"

#include "packet.h"

static void count(uint8_t *counter)
{
	if (*counter < UINT8_MAX)
		(*counter)++;
}

void tsn_log_packet(struct tsn_log *log, const struct usrsctp_cmt_sim_packet *packet)
{
	uint8_t *counters[3] = {log->sent, log->arrived, log->dropped};
	size_t offset = 0;
	struct chunk c;
	bool data = false;

	if (packet->direction != 0)
		return;
	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		uint32_t index;

		if (c.type == CHUNK_INIT && !log->started) {
			log->first_tsn = packet_get32(c.bytes + 16);
			log->started = true;
		}
		if (!chunk_is_data(&c))
			continue;
		data = true;
		index = chunk_tsn(&c) - log->first_tsn;
		if (index < TSN_LOG_MAX)
			count(&counters[packet->event][index]);
	}
	if (data && packet->event == USRSCTP_CMT_SIM_SENT)
		log->data_pkts++;
}

uint32_t tsn_log_spurious(const struct tsn_log *log)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < TSN_LOG_MAX; i++)
		n += log->arrived[i] > 1 && log->dropped[i] == 0;
	return n;
}

uint32_t tsn_log_retransmissions(const struct tsn_log *log)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < TSN_LOG_MAX; i++)
		n += log->sent[i] > 1 ? log->sent[i] - 1u : 0;
	return n;
}

uint32_t tsn_log_losses(const struct tsn_log *log)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < TSN_LOG_MAX; i++)
		n += log->dropped[i];
	return n;
}
