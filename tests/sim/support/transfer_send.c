/* SPDX-License-Identifier: BSD-3-Clause */
#include "transfer_parts.h"

#include <arpa/inet.h>
#include <errno.h>

#include "isolate.h"

static void shut_when_due(struct transfer *t)
{
	const struct transfer_job *job = t->job;
	bool handed = t->sides[0].next == job->n_messages[0] && t->sides[1].next == job->n_messages[1];
	bool arrived = t->must_arrive[0] == 0 && t->must_arrive[1] == 0;

	if (t->shut || t->outcome->end[TRANSFER_CLIENT] != TRANSFER_OPEN || !handed ||
	    (!arrived && !job->shutdown_at_once))
		return;
	t->shut = true;
	transfer_sample_statistics(t);
	usrsctp_shutdown(t->sides[TRANSFER_CLIENT].so, SHUT_WR);
}

static ssize_t hand_over(struct transfer *t, struct transfer_side *side, const struct transfer_message *m)
{
	uint32_t left = m->bytes - side->offset_bytes;
	uint32_t piece = t->job->piece_bytes != 0 && t->job->piece_bytes < left ? t->job->piece_bytes : left;
	struct sockaddr_storage to;
	struct sctp_sendv_spa spa = {.sendv_flags = SCTP_SEND_SNDINFO_VALID,
	                             .sendv_sndinfo = {.snd_sid = m->stream, .snd_ppid = htonl(side->next)}};

	if (m->pr_policy != SCTP_PR_SCTP_NONE) {
		spa.sendv_flags |= SCTP_SEND_PRINFO_VALID;
		spa.sendv_prinfo = (struct sctp_prinfo){.pr_policy = m->pr_policy, .pr_value = m->pr_value};
	}
	if (m->unordered)
		spa.sendv_sndinfo.snd_flags |= SCTP_UNORDERED;
	if (t->job->piece_bytes != 0 && piece == left)
		spa.sendv_sndinfo.snd_flags |= SCTP_EOR;
	if (m->to_path != 0) {
		spa.sendv_sndinfo.snd_flags |= SCTP_ADDR_OVER;
		REQUIRE(usrsctp_cmt_sim_address(t->sim, 1 - side->host, m->to_path - 1,
		                                side->host == TRANSFER_CLIENT ? TRANSFER_SERVER_PORT
		                                                              : TRANSFER_CLIENT_PORT,
		                                &to) == 0);
	}
	return usrsctp_sendv(side->so,
	                     content_of_message(side->host, side->next, side->offset_bytes, piece), piece,
	                     m->to_path != 0 ? (struct sockaddr *)&to : NULL, m->to_path != 0, &spa,
	                     sizeof(spa), SCTP_SENDV_SPA, 0);
}

static void send_client(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	(void)sim;
	t->sides[TRANSFER_CLIENT].due_asked = false;
	transfer_send(t, &t->sides[TRANSFER_CLIENT]);
}

static void send_server(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	(void)sim;
	t->sides[TRANSFER_SERVER].due_asked = false;
	transfer_send(t, &t->sides[TRANSFER_SERVER]);
}

/* Whether the next message may be handed over now; asks to be called again when it is early. */
static bool is_due(struct transfer *t, struct transfer_side *side)
{
	uint64_t due_us = t->outcome->up_us + side->next * t->job->interval_us;

	if (due_us <= usrsctp_cmt_sim_now_us(t->sim))
		return true;
	if (!side->due_asked)
		usrsctp_cmt_sim_at(t->sim, due_us, side->host == TRANSFER_CLIENT ? send_client : send_server,
		                   t);
	side->due_asked = true;
	return false;
}

void transfer_send(struct transfer *t, struct transfer_side *side)
{
	while (t->outcome->end[side->host] == TRANSFER_OPEN && side->next < t->job->n_messages[side->host] &&
	       (usrsctp_get_events(side->so) & SCTP_EVENT_WRITE) != 0 && is_due(t, side)) {
		struct transfer_message m = t->job->message(side->host, side->next);
		uint32_t index = side->next;
		ssize_t n = hand_over(t, side, &m);

		if (n <= 0) {
			REQUIRE(errno == EWOULDBLOCK || errno == ENOBUFS || errno == ECONNRESET ||
			        errno == EPIPE || errno == ENOTCONN);
			break;
		}
		if (side->offset_bytes == 0)
			side->handed_us[index] = usrsctp_cmt_sim_now_us(t->sim);
		side->offset_bytes += (uint32_t)n;
		if (side->offset_bytes < m.bytes)
			continue;
		side->offset_bytes = 0;
		side->next++;
		t->outcome->handed[side->host] = side->next;
		if (t->job->on_handed != NULL)
			t->job->on_handed(t, side->host, index);
	}
	shut_when_due(t);
}
