/* SPDX-License-Identifier: BSD-3-Clause */
#include "transfer_parts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "isolate.h"

enum { READ_BYTES = 65536 };

static void note_wrong(struct transfer *t, int from, uint32_t index, const char *what)
{
	if (t->outcome->wrong++ == 0)
		snprintf(t->outcome->first_wrong, sizeof(t->outcome->first_wrong),
		         "message %u of host %d: %s", index, from, what);
}

static void end_side(struct transfer *t, int host, enum transfer_end end)
{
	if (t->outcome->end[host] == TRANSFER_OPEN) {
		t->outcome->end[host] = end;
		t->outcome->ended_us = usrsctp_cmt_sim_now_us(t->sim);
	}
	if (t->outcome->end[1 - host] != TRANSFER_OPEN)
		usrsctp_cmt_sim_stop(t->sim);
}

static void complete_message(struct transfer *t, struct transfer_side *side, uint32_t index,
                             const struct transfer_message *m)
{
	int from = 1 - side->host;

	if (side->got_bytes[index] != m->bytes)
		note_wrong(t, from, index, "cut");
	if (side->arrived_us[index] != 0)
		note_wrong(t, from, index, "twice");
	if (!m->unordered) {
		if (index < side->next_in_stream[m->stream])
			note_wrong(t, from, index, "out of order");
		side->next_in_stream[m->stream] = index + 1;
	}
	side->arrived_us[index] = usrsctp_cmt_sim_now_us(t->sim);
	t->outcome->last_us = side->arrived_us[index];
	t->outcome->arrived[from]++;
	if (m->pr_policy == SCTP_PR_SCTP_NONE)
		t->must_arrive[from]--;
}

static void take(struct transfer *t, struct transfer_side *side, const uint8_t *bytes, uint32_t n,
                 const struct sctp_rcvinfo *info, bool end_of_record)
{
	uint32_t index = ntohl(info->rcv_ppid);
	int from = 1 - side->host;
	struct transfer_message m;
	uint32_t at;

	if (index >= t->job->n_messages[from]) {
		note_wrong(t, from, index, "never sent");
		return;
	}
	m = t->job->message(from, index);
	at = side->got_bytes[index];
	if (info->rcv_sid != m.stream || ((info->rcv_flags & SCTP_UNORDERED) != 0) != m.unordered)
		note_wrong(t, from, index, "on another stream");
	if (n > m.bytes - at) {
		note_wrong(t, from, index, "too long, or twice");
		return;
	}
	if (memcmp(bytes, content_of_message(from, index, at, n), n) != 0)
		note_wrong(t, from, index, "altered");
	side->got_bytes[index] += n;
	if (end_of_record)
		complete_message(t, side, index, &m);
}

static void take_notification(struct transfer *t, struct transfer_side *side,
                              const union sctp_notification *note)
{
	if (note->sn_header.sn_type != SCTP_ASSOC_CHANGE) {
		if (t->job->on_event != NULL)
			t->job->on_event(t, side->host, note);
		return;
	}
	switch (note->sn_assoc_change.sac_state) {
	case SCTP_COMM_UP:
		if (side->host == TRANSFER_CLIENT) {
			t->outcome->up_us = t->read_us = usrsctp_cmt_sim_now_us(t->sim);
			if (t->job->protect)
				REQUIRE(usrsctp_cmt_sim_install_keys(t->sim, t->sides[TRANSFER_CLIENT].so,
				                                     t->sides[TRANSFER_SERVER].so) == 0);
			if (t->job->on_up != NULL)
				t->job->on_up(t);
		}
		break;
	case SCTP_SHUTDOWN_COMP: end_side(t, side->host, TRANSFER_CLOSED); break;
	case SCTP_COMM_LOST:
	case SCTP_CANT_STR_ASSOC: end_side(t, side->host, TRANSFER_FAILED); break;
	default: break;
	}
}

static void note_gap(struct transfer *t)
{
	uint64_t now_us = usrsctp_cmt_sim_now_us(t->sim);

	if (now_us - t->read_us > t->outcome->longest_gap_us)
		t->outcome->longest_gap_us = now_us - t->read_us;
	t->read_us = now_us;
}

/* One read; false when there is nothing more. */
static bool read_once(struct transfer *t, struct transfer_side *side)
{
	static union {
		uint8_t bytes[READ_BYTES];
		union sctp_notification note;
	} buffer;
	struct sctp_rcvinfo info = {.rcv_sid = 0};
	struct sockaddr_storage from;
	socklen_t from_len = sizeof(from), info_len = sizeof(info);
	unsigned kind = 0;
	int flags = 0;
	ssize_t n = usrsctp_recvv(side->so, &buffer, sizeof(buffer), (struct sockaddr *)&from, &from_len,
	                          &info, &info_len, &kind, &flags);

	if (n < 0 && errno != EWOULDBLOCK && errno != ENOTCONN)
		end_side(t, side->host, TRANSFER_FAILED);
	if (n <= 0)
		return false;
	if ((flags & MSG_NOTIFICATION) != 0) {
		take_notification(t, side, &buffer.note);
		return true;
	}
	REQUIRE(kind == SCTP_RECVV_RCVINFO);
	if (side->host == TRANSFER_SERVER)
		note_gap(t);
	take(t, side, buffer.bytes, (uint32_t)n, &info, (flags & MSG_EOR) != 0);
	return true;
}

void transfer_serve(struct transfer *t, struct transfer_side *side)
{
	while (!side->paused && (usrsctp_get_events(side->so) & SCTP_EVENT_READ) != 0 && read_once(t, side))
		;
	transfer_send(t, side);
}
