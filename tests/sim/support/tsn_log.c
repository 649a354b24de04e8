/* SPDX-License-Identifier: BSD-3-Clause */
#include "tsn_log.h"

#include "packet.h"

static void count(uint8_t *counter)
{
	if (*counter < UINT8_MAX)
		(*counter)++;
}

static void note_chunk(struct tsn_log *log, const struct chunk *c, enum usrsctp_cmt_sim_event event)
{
	uint8_t *counters[3] = {log->sent, log->arrived, log->dropped};
	uint32_t tsn = chunk_tsn(c), index = tsn - log->first_tsn;

	if (!chunk_is_data(c)) {
		if (event == USRSCTP_CMT_SIM_SENT && (int32_t)(tsn - log->forwarded_tsn) > 0)
			log->forwarded_tsn = tsn;
		return;
	}
	if (index >= TSN_LOG_MAX)
		return;
	if (event == USRSCTP_CMT_SIM_SENT && log->sent[index] == 0 &&
	    (int32_t)(log->forwarded_tsn - tsn) >= 0)
		log->passed_unsent++;
	count(&counters[event][index]);
}

void tsn_log_packet(struct tsn_log *log, const struct usrsctp_cmt_sim_packet *packet)
{
	size_t offset = 0;
	struct chunk c;
	bool data = false;

	if (packet->direction != 0)
		return;
	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		if (c.type == CHUNK_INIT && !log->started) {
			log->first_tsn = packet_get32(c.bytes + 16);
			log->forwarded_tsn = log->first_tsn - 1;
			log->started = true;
		}
		if (chunk_is_data(&c) || c.type == CHUNK_FORWARD_TSN || c.type == CHUNK_IFORWARD_TSN)
			note_chunk(log, &c, packet->event);
		data = data || chunk_is_data(&c);
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
