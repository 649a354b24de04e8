/* SPDX-License-Identifier: BSD-3-Clause */
#include "rivals/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/samples.h"

#define LAB_FLOW_WINDOW 16384u
#define HEADER_BYTES    12u /* SCTP's */
#define IP_HEADER_BYTES 20u
#define NUMBER_OFFSET   12u
#define TIME_OFFSET     20u
#define ACK_BYTES       32u /* 52 with IP: TCP's with time stamps */
#define DATA_BYTES      (LAB_LAW_PACKET_BYTES - IP_HEADER_BYTES)
#define REORDERING_PKTS 3
#define LEAST_RTO_US    200000u
#define FIRST_RTO_US    1000000u
#define MAX_BACKOFF     64u

static void pump(struct lab_flow *f);

static struct lab_flow_packet *packet(const struct lab_flow *f, uint64_t number)
{
	return &f->packets[number % LAB_FLOW_WINDOW];
}

static uint64_t now_us(const struct lab_flow *f)
{
	return usrsctp_cmt_sim_now_us(f->sim);
}

static void put_port(uint8_t *out, unsigned port)
{
	out[0] = (uint8_t)(port >> 8);
	out[1] = (uint8_t)port;
}

/* The sender's port tells the flow, 1 more on the other side. */
static void emit(struct lab_flow *f, int from_host, uint64_t number, uint64_t time_us, size_t bytes)
{
	uint8_t wire[DATA_BYTES] = {0};
	const unsigned port = LAB_FLOW_PORT + 2u * f->number;

	put_port(wire, from_host == f->from_host ? port : port + 1);
	put_port(wire + 2, from_host == f->from_host ? port + 1 : port);
	memcpy(wire + NUMBER_OFFSET, &number, sizeof(number));
	memcpy(wire + TIME_OFFSET, &time_us, sizeof(time_us));
	/* A link without memory for it loses it. */
	(void)usrsctp_cmt_sim_inject(f->sim, f->path, from_host, wire, bytes);
}

/* --- timer --- */

static void on_timer(struct usrsctp_cmt_sim *sim, void *arg);

static uint64_t rto_us(const struct lab_flow *f)
{
	uint64_t rto = f->srtt_us == 0 ? FIRST_RTO_US : f->srtt_us + 4 * f->rttvar_us;

	return (rto < LEAST_RTO_US ? LEAST_RTO_US : rto) * f->backoff;
}

static void ask_timer(struct lab_flow *f)
{
	if (!f->timer_asked) {
		f->timer_asked = usrsctp_cmt_sim_at(f->sim, f->deadline_us, on_timer, f) == 0;
	}
}

static void set_timer(struct lab_flow *f)
{
	f->deadline_us = now_us(f) + rto_us(f);
	ask_timer(f);
}

static void lose(struct lab_flow *f, struct lab_flow_packet *p)
{
	p->fate = LAB_FLOW_LOST;
	f->in_flight_pkts--;
	f->left_pkts += f->left_pkts != LAB_FLOW_ENDLESS;
}

static void on_timer(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct lab_flow *f = arg;

	(void)sim;
	f->timer_asked = false;
	if (!f->running || f->in_flight_pkts == 0) {
		return;
	}
	if (now_us(f) < f->deadline_us) {
		ask_timer(f);
		return;
	}
	for (uint64_t n = f->first_out; n < f->next; n++) {
		if (packet(f, n)->fate == LAB_FLOW_OUT) {
			lose(f, packet(f, n));
		}
	}
	f->first_out = f->recovered_from = f->next;
	f->backoff = f->backoff < MAX_BACKOFF ? 2 * f->backoff : f->backoff;
	f->law->timed_out(&f->state, now_us(f));
	pump(f);
}

/* --- sending --- */

static void on_pacer(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct lab_flow *f = arg;

	(void)sim;
	f->pacer_asked = false;
	pump(f);
}

static void send_one(struct lab_flow *f)
{
	const uint64_t number = f->next++, now = now_us(f);

	*packet(f, number) = (struct lab_flow_packet){
	    .sent_us = now, .delivered_pkts = f->delivered_pkts, .delivered_us = f->delivered_us};
	if (f->in_flight_pkts++ == 0) {
		/* After a pause rates are counted from now on. */
		packet(f, number)->delivered_us = f->delivered_us = now;
		set_timer(f);
	}
	f->left_pkts -= f->left_pkts != LAB_FLOW_ENDLESS;
	if (f->state.pacing_bps > 0) {
		f->next_send_us = (f->next_send_us > now ? f->next_send_us : now) +
		                  (uint64_t)(LAB_LAW_PACKET_BYTES * 8e6 / f->state.pacing_bps);
	}
	emit(f, f->from_host, number, now, DATA_BYTES);
}

static void pump(struct lab_flow *f)
{
	while (f->running && f->left_pkts > 0 && (double)f->in_flight_pkts + 1 <= f->state.cwnd_pkts + 1e-9 &&
	       f->next - f->first_out < LAB_FLOW_WINDOW) {
		if (f->state.pacing_bps > 0 && f->next_send_us > now_us(f)) {
			if (!f->pacer_asked) {
				f->pacer_asked =
				    usrsctp_cmt_sim_at(f->sim, f->next_send_us, on_pacer, f) == 0;
			}
			return;
		}
		send_one(f);
	}
}

/* --- acknowledgments --- */

static void take_round_trip(struct lab_flow *f, uint64_t rtt_us)
{
	uint64_t off_us = rtt_us > f->srtt_us ? rtt_us - f->srtt_us : f->srtt_us - rtt_us;

	if (f->srtt_us == 0) {
		f->srtt_us = rtt_us;
		f->rttvar_us = rtt_us / 2;
		return;
	}
	f->rttvar_us = (3 * f->rttvar_us + off_us) / 4;
	f->srtt_us = (7 * f->srtt_us + rtt_us) / 8;
}

/* What had arrived by at_us, to `last`, is acknowledged. How much that is new. */
static unsigned acknowledge(struct lab_flow *f, uint64_t last, uint64_t at_us)
{
	unsigned n = 0;

	for (uint64_t i = f->first_out; i <= last; i++) {
		struct lab_flow_packet *p = packet(f, i);

		if (p->fate == LAB_FLOW_OUT && p->arrived_us != 0 && p->arrived_us <= at_us) {
			p->fate = LAB_FLOW_ACKED;
			f->in_flight_pkts--;
			n++;
		}
	}
	return n;
}

static void find_losses(struct lab_flow *f, uint64_t last)
{
	bool lost = false;

	for (uint64_t i = f->first_out; i + REORDERING_PKTS <= last; i++) {
		if (packet(f, i)->fate == LAB_FLOW_OUT) {
			lose(f, packet(f, i));
			lost = lost || i >= f->recovered_from;
		}
	}
	while (f->first_out < f->next && packet(f, f->first_out)->fate != LAB_FLOW_OUT) {
		f->first_out++;
	}
	if (lost) {
		f->recovered_from = f->next;
		f->law->lost(&f->state, now_us(f));
	}
}

static void on_acknowledgment(struct lab_flow *f, uint64_t last, uint64_t at_us)
{
	const struct lab_flow_packet *p = packet(f, last);
	struct lab_law_ack ack = {.now_us = now_us(f)};
	unsigned n;

	if (last < f->first_out || (n = acknowledge(f, last, at_us)) == 0) {
		return;
	}
	f->delivered_pkts += n;
	f->delivered_us = ack.now_us;
	f->backoff = 1;
	ack.rtt_us = ack.now_us - p->sent_us;
	take_round_trip(f, ack.rtt_us);
	ack.new_round = p->delivered_pkts >= f->round_ends_pkts;
	f->round_ends_pkts = ack.new_round ? f->delivered_pkts : f->round_ends_pkts;
	if (ack.now_us > p->delivered_us) {
		ack.delivery_bps = (double)(f->delivered_pkts - p->delivered_pkts) * LAB_LAW_PACKET_BYTES *
		                   8e6 / (double)(ack.now_us - p->delivered_us);
	}
	ack.acked_pkts = n;
	find_losses(f, last);
	ack.in_flight_pkts = (double)f->in_flight_pkts;
	f->law->acked(&f->state, &ack);
	if (f->in_flight_pkts > 0) {
		set_timer(f);
	}
	if (f->left_pkts == 0 && f->in_flight_pkts == 0) {
		f->running = false;
	}
	pump(f);
}

bool lab_flow_packet(struct lab_flow *f, const struct usrsctp_cmt_sim_packet *p)
{
	const unsigned port = LAB_FLOW_PORT + 2u * f->number;
	const unsigned from = (unsigned)p->packet[0] << 8 | p->packet[1];
	uint64_t number, at_us;

	if (p->path != f->path || from != (p->direction == f->from_host ? port : port + 1)) {
		return false;
	}
	memcpy(&number, p->packet + NUMBER_OFFSET, sizeof(number));
	memcpy(&at_us, p->packet + TIME_OFFSET, sizeof(at_us));
	/* A flow's number is used again; what is older than its window has had its fate. */
	if (p->event != USRSCTP_CMT_SIM_DELIVERED || !f->running || number >= f->next ||
	    f->next - number > LAB_FLOW_WINDOW) {
		return true;
	}
	if (p->direction == f->from_host) {
		if (packet(f, number)->arrived_us == 0 && packet(f, number)->sent_us == at_us) {
			packet(f, number)->arrived_us = p->at_us;
			f->arrived(f->arg, LAB_FLOW_PAYLOAD_BYTES);
		}
		emit(f, 1 - f->from_host, number, p->at_us, ACK_BYTES);
	} else {
		on_acknowledgment(f, number, at_us);
	}
	return true;
}

void lab_flow_start(struct lab_flow *f, uint64_t pkts)
{
	if (f->packets == NULL) {
		f->packets = lab_grow(NULL, LAB_FLOW_WINDOW, sizeof(*f->packets));
	}
	/* Numbers go on, so that what is still under way of an earlier transfer is not taken for this one's.
	 */
	f->first_out = f->recovered_from = f->next;
	f->in_flight_pkts = f->srtt_us = f->rttvar_us = 0;
	f->backoff = 1;
	f->left_pkts = pkts;
	f->running = true;
	f->round_ends_pkts = f->delivered_pkts;
	f->next_send_us = now_us(f);
	f->law->start(&f->state, now_us(f));
	pump(f);
}

void lab_flow_stop(struct lab_flow *f)
{
	f->running = false;
}

void lab_flow_free(struct lab_flow *f)
{
	free(f->packets);
	f->packets = NULL;
}
