/* SPDX-License-Identifier: BSD-3-Clause */
#include "meddle.h"

#include "isolate.h"
#include "packet.h"

/* Whether the packet carries one of the chunks, for one of the first `times` times. */
static bool is_chosen(const struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	const struct meddle *m = t->job->arg;
	size_t offset = 0;
	struct chunk c;

	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		uint32_t i = chunk_is_data(&c) ? chunk_tsn(&c) - t->log.first_tsn : UINT32_MAX;

		if (i - m->first < m->n && t->log.sent[i] <= m->times)
			return true;
	}
	return false;
}

static void meet(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	const struct meddle *m = t->job->arg;
	bool chosen = is_chosen(t, packet);
	struct usrsctp_cmt_sim_link link;

	REQUIRE(usrsctp_cmt_sim_get_link(t->sim, packet->path, 0, &link) == 0);
	link.down = chosen && m->lose;
	link.reorder = chosen && m->hold_us > 0 ? 1 : 0;
	link.reorder_us = m->hold_us;
	REQUIRE(usrsctp_cmt_sim_set_link(t->sim, packet->path, 0, &link) == 0);
	if (chosen && t->outcome->marks[MEDDLE_SENT] == 0)
		t->outcome->marks[MEDDLE_SENT] = packet->at_us;
}

static bool all_arrived(const struct transfer *t)
{
	const struct meddle *m = t->job->arg;

	for (uint32_t i = m->first; i < m->first + m->n; i++) {
		if (t->log.arrived[i] == 0)
			return false;
	}
	return true;
}

void meddle_tap(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	if (packet->direction != 0)
		return;
	switch (packet->event) {
	case USRSCTP_CMT_SIM_SENT: meet(t, packet); break;
	case USRSCTP_CMT_SIM_DELIVERED:
		if (t->outcome->marks[MEDDLE_ARRIVED] == 0 && all_arrived(t))
			t->outcome->marks[MEDDLE_ARRIVED] = packet->at_us;
		break;
	case USRSCTP_CMT_SIM_DROPPED: break;
	}
}
