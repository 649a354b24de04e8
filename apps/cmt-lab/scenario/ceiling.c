/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenario/ceiling.h"

#include <math.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "rates.h"
#include "scenario/changes.h"
#include "scenario/link_keys.h"
#include "scenario/medium_keys.h"

#define SCTP_HEADER_BYTES   12u
#define UDP_HEADER_BYTES    8u
#define DATA_HEADER_BYTES   16u
#define CMT_TIMESTAMP_BYTES 16u
#define DTLS_CHUNK_BYTES    28u /* with its padding */
#define DEFAULT_MTU_BYTES   1500u
#define LEAST_SNDBUF_BYTES  4000000.0
#define SNDBUF_PER_NEED     4.0
#define BPT_PERIODS         500     /* packets of the slowest path, to see what their times make together */
#define MATHIS              1.22    /* sqrt(3/2) */
#define SLICE_US            100000u /* of a trace: within, its mean */

static uint64_t padded(uint64_t bytes)
{
	return (bytes + 3) & ~UINT64_C(3);
}

static bool used(int only_path, int path)
{
	return only_path < 0 || only_path == path;
}

uint64_t lab_path_delay_us(const struct lab_scenario *s, int path, int direction)
{
	return s->links[path][direction].delay_us +
	       (s->via[path] == 0 ? 0 : s->links[s->via[path]][direction].delay_us);
}

static uint64_t link_mtu_bytes(const struct lab_scenario *s, int link)
{
	return s->links[link][0].mtu_bytes == 0 ? DEFAULT_MTU_BYTES : s->links[link][0].mtu_bytes;
}

static uint64_t path_mtu_bytes(const struct lab_scenario *s, int path)
{
	uint64_t own = link_mtu_bytes(s, path),
	         shared = s->via[path] == 0 ? own : link_mtu_bytes(s, s->via[path]);

	return shared < own ? shared : own;
}

/* A full packet: as many messages as fit, or on average one of the fragments of a larger one. */
struct full_packet {
	double payload_bytes, wire_bytes;
};

static struct full_packet full_packet(const struct lab_scenario *s, int path, bool extension)
{
	uint64_t mtu = path_mtu_bytes(s, path);
	uint64_t head = (s->family == AF_INET6 ? 40u : 20u) + (lab_is_in_udp(s) ? UDP_HEADER_BYTES : 0u) +
	                SCTP_HEADER_BYTES + (s->encrypted ? DTLS_CHUNK_BYTES : 0u) +
	                (extension ? CMT_TIMESTAMP_BYTES : 0u);
	uint64_t room = (mtu - head) & ~UINT64_C(3), chunk = DATA_HEADER_BYTES + padded(s->msg_bytes);

	if (chunk <= room) {
		uint64_t messages = room / chunk;

		return (struct full_packet){(double)(messages * s->msg_bytes),
		                            (double)(head + messages * chunk)};
	}
	uint64_t fragment = room - DATA_HEADER_BYTES;
	uint64_t fragments = (s->msg_bytes + fragment - 1) / fragment;

	return (struct full_packet){(double)s->msg_bytes / (double)fragments,
	                            (double)(head + DATA_HEADER_BYTES) +
	                                (double)padded(s->msg_bytes) / (double)fragments};
}

/* What a policer and the medium leave of a link's rate for full packets of a path. */
static double link_rate_bps(const struct lab_scenario *s, int link, int path)
{
	return lab_medium_bps(&s->links[link][0], full_packet(s, path, true).wire_bytes);
}

/* What path `path` can have when the used paths fill their links: its own rate, or as much less as the link
 * that it shares with others has less than they have together. */
static double path_rate_bps(const struct lab_scenario *s, int only_path, int path)
{
	double own_bps = link_rate_bps(s, path, path), shared_bps, together_bps = 0;

	if (s->via[path] == 0) {
		return own_bps;
	}
	shared_bps = link_rate_bps(s, s->via[path], path);
	for (int p = 0; p < s->n_paths; p++) {
		if (used(only_path, p) && s->via[p] == s->via[path]) {
			together_bps += link_rate_bps(s, p, p);
		}
	}
	return together_bps <= shared_bps ? own_bps : own_bps / together_bps * shared_bps;
}

/* Payload that `rate_bps` on this path carries. */
static double payload_bps(const struct lab_scenario *s, int path, double rate_bps, bool extension)
{
	struct full_packet p = full_packet(s, path, extension);

	return rate_bps * p.payload_bytes / p.wire_bytes;
}

double lab_path_ceiling_bps(const struct lab_scenario *s, int path, bool extension)
{
	return payload_bps(s, path, path_rate_bps(s, path, path), extension);
}

double lab_ceiling_bps(const struct lab_scenario *s, int only_path, bool extension)
{
	double sum = 0;

	for (int p = 0; p < s->n_paths; p++) {
		sum += used(only_path, p) ? payload_bps(s, p, path_rate_bps(s, only_path, p), extension) : 0;
	}
	return sum;
}

/* Paths an end of which is absent at at_us carry nothing. When that changes next, until_us at the latest. */
static uint64_t take_absences(struct lab_scenario *now, const struct lab_scenario *s, uint64_t at_us,
                              uint64_t until_us)
{
	for (int p = 0; p < s->n_paths; p++) {
		for (int host = 0; host < 2; host++) {
			const struct lab_end *end = &s->ends[lab_end_path(s, p, host)][host];
			const uint64_t next_us =
			    at_us < end->absent_from_us ? end->absent_from_us : end->absent_until_us;

			if (at_us >= end->absent_from_us && at_us < end->absent_until_us) {
				now->links[p][0].rate_bps = 0;
			}
			if (next_us > at_us && next_us < until_us) {
				until_us = next_us;
			}
		}
	}
	return until_us;
}

/* Gives links with a trace the mean of what it can carry in the slice that begins at at_us, and those that
 * are down nothing. The end of the slice; an empty one has the mean of the whole trace. */
static uint64_t take_slice(struct lab_scenario *now, const struct lab_scenario *s, uint64_t at_us,
                           uint64_t until_us)
{
	uint64_t end_us = until_us - at_us > SLICE_US ? at_us + SLICE_US : until_us;
	bool traced = false;

	for (int link = 0; link < LAB_MAX_LINKS; link++) {
		const struct usrsctp_cmt_sim_link *config = &s->links[link][0];
		uint64_t *bps = &now->links[link][0].rate_bps;

		*bps = config->rate_bps;
		if (config->rates != NULL && end_us > at_us) {
			*bps = (uint64_t)(simnet_rates_bits(config->rates, at_us, end_us) * 1e6 /
			                  (double)(end_us - at_us));
			traced = true;
		}
		if (config->down) {
			*bps = 0;
		}
	}
	return traced ? end_us : until_us;
}

/* The sum over the time, bit/s x us, while nothing changes but what traces say. */
static double ceiling_between(const struct lab_scenario *s, int only_path, bool extension,
                              struct lab_span span)
{
	struct lab_scenario now = *s;
	double sum = 0;

	for (uint64_t at_us = span.from_us, end_us; at_us < span.until_us; at_us = end_us) {
		end_us = take_slice(&now, s, at_us, span.until_us);
		end_us = take_absences(&now, s, at_us, end_us);
		sum += lab_ceiling_bps(&now, only_path, extension) * (double)(end_us - at_us);
	}
	return sum;
}

double lab_ceiling_over_bps(const struct lab_scenario *s, int only_path, bool extension, struct lab_span span)
{
	const struct lab_change **by_time = lab_changes_by_time(s);
	struct lab_scenario now = *s, then;
	uint64_t at_us = span.from_us;
	double sum = 0;
	char why[400];

	for (unsigned i = 0; i < s->n_changes; i++) {
		const struct lab_change *c = by_time[i];

		if (c->at_us > at_us && c->at_us >= span.until_us) {
			break;
		}
		if (c->at_us > at_us) {
			sum +=
			    ceiling_between(&now, only_path, extension, (struct lab_span){at_us, c->at_us});
			at_us = c->at_us;
		}
		if (c->direction[0]) {
			(void)lab_link_set(&now.links[c->link][0], c->key, c->value, why, sizeof(why));
		}
	}
	free(by_time);
	if (span.until_us <= span.from_us) {
		then = now;
		take_slice(&then, &now, at_us, at_us);
		return lab_ceiling_bps(&then, only_path, extension);
	}
	sum += ceiling_between(&now, only_path, extension, (struct lab_span){at_us, span.until_us});
	return sum / (double)(span.until_us - span.from_us);
}

double lab_best_path_ceiling_bps(const struct lab_scenario *s, bool extension, int *best)
{
	double most = 0;

	for (int p = 0; p < s->n_paths; p++) {
		double bps = lab_path_ceiling_bps(s, p, extension);

		if (bps > most) {
			most = bps;
			if (best != NULL) {
				*best = p;
			}
		}
	}
	return most;
}

static double path_loss(const struct lab_scenario *s, int path)
{
	double shared = s->via[path] == 0 ? 0 : s->links[s->via[path]][0].loss;

	return 1 - (1 - s->links[path][0].loss) * (1 - shared);
}

double lab_loss_bound_bps(const struct lab_scenario *s, bool extension)
{
	double sum = 0;

	for (int p = 0; p < s->n_paths; p++) {
		struct full_packet packet = full_packet(s, p, extension);
		double rtt_s = (double)(lab_path_delay_us(s, p, 0) + lab_path_delay_us(s, p, 1)) / 1e6 +
		               packet.wire_bytes * 8 / path_rate_bps(s, p, p);
		double ceiling_bps = payload_bps(s, p, path_rate_bps(s, -1, p), extension);
		double bps = MATHIS * packet.payload_bytes * 8 / (rtt_s * sqrt(path_loss(s, p)));

		sum += bps < ceiling_bps ? bps : ceiling_bps; /* without loss: infinite */
	}
	return sum;
}

double lab_capacity_bps(const struct lab_scenario *s, int only_path)
{
	double sum = 0;

	for (int p = 0; p < s->n_paths; p++) {
		sum += used(only_path, p) ? path_rate_bps(s, only_path, p) : 0;
	}
	return sum;
}

double lab_w_min_bytes(const struct lab_scenario *s, int only_path)
{
	double sum = 0;

	for (int p = 0; p < s->n_paths; p++) {
		double rtt_us = (double)(lab_path_delay_us(s, p, 0) + lab_path_delay_us(s, p, 1));

		sum += used(only_path, p) ? path_rate_bps(s, only_path, p) * rtt_us / 8e6 : 0;
	}
	return sum;
}

double lab_look_ahead_bytes(const struct lab_scenario *s, int only_path)
{
	double latest_us = 0, sum = 0;

	for (int p = 0; p < s->n_paths; p++) {
		double delay_us = (double)lab_path_delay_us(s, p, 0);

		latest_us = used(only_path, p) && delay_us > latest_us ? delay_us : latest_us;
	}
	for (int p = 0; p < s->n_paths; p++) {
		double ahead_us = latest_us - (double)lab_path_delay_us(s, p, 0);

		sum += used(only_path, p) ? path_rate_bps(s, only_path, p) * ahead_us / 8e6 : 0;
	}
	return sum;
}

/* Of the first message, alone in its packets, until its last bit is there. */
static double first_message_us(const struct lab_scenario *s, int only_path, int path)
{
	struct full_packet packet = full_packet(s, path, true);
	double wire_bytes = packet.wire_bytes;

	if (packet.payload_bytes > (double)s->msg_bytes) {
		wire_bytes -= (packet.payload_bytes / (double)s->msg_bytes - 1) *
		              (double)(DATA_HEADER_BYTES + padded(s->msg_bytes));
	} else {
		wire_bytes *= (double)s->msg_bytes / packet.payload_bytes;
	}
	return (double)lab_path_delay_us(s, path, 0) + wire_bytes * 8e6 / path_rate_bps(s, only_path, path);
}

/* Of all rates; 0 for a path that is not used. */
static double share(const struct lab_scenario *s, int only_path, int path)
{
	return used(only_path, path) ? path_rate_bps(s, only_path, path) / lab_capacity_bps(s, only_path) : 0;
}

double lab_bpt_bound_us(const struct lab_scenario *s, int only_path)
{
	double sum = 0;

	for (int p = 0; p < s->n_paths; p++) {
		sum += share(s, only_path, p) * first_message_us(s, only_path, p);
	}
	return sum;
}

/* The packet that is the n-th of all to leave, or to arrive; each path's are tx_time_us apart. */
struct packet_clock {
	double at_us[USRSCTP_CMT_SIM_MAX_PATHS], tx_time_us[USRSCTP_CMT_SIM_MAX_PATHS];
};

static double next_packet_at_us(struct packet_clock *c, int n_paths)
{
	int first = 0;
	double us;

	for (int p = 1; p < n_paths; p++) {
		first = c->at_us[p] < c->at_us[first] ? p : first;
	}
	us = c->at_us[first];
	c->at_us[first] += c->tx_time_us[first];
	return us;
}

double lab_bpt_packets_us(const struct lab_scenario *s)
{
	struct packet_clock sent, arrived;
	double latest_us = 0, end_us = 0, most_us = 0, left_us;

	for (int p = 0; p < s->n_paths; p++) {
		double tx_time_us = full_packet(s, p, true).wire_bytes * 8e6 / path_rate_bps(s, -1, p);

		sent.tx_time_us[p] = arrived.tx_time_us[p] = tx_time_us;
		sent.at_us[p] = 0;
		arrived.at_us[p] = (double)lab_path_delay_us(s, p, 0) + tx_time_us;
		latest_us = arrived.at_us[p] > latest_us ? arrived.at_us[p] : latest_us;
		end_us = tx_time_us > end_us ? tx_time_us : end_us;
	}
	/* The pattern repeats, or nearly. */
	end_us = 2 * latest_us + BPT_PERIODS * end_us;
	do {
		double us;

		left_us = next_packet_at_us(&sent, s->n_paths);
		us = next_packet_at_us(&arrived, s->n_paths);
		/* Before all paths have delivered there is nothing to keep in order. */
		most_us = left_us > latest_us && us - left_us > most_us ? us - left_us : most_us;
	} while (left_us < end_us);
	return most_us;
}

double lab_round_trip_us(const struct lab_scenario *s, int only_path)
{
	double sum = 0;

	for (int p = 0; p < s->n_paths; p++) {
		sum += share(s, only_path, p) *
		       (double)(lab_path_delay_us(s, p, 0) + lab_path_delay_us(s, p, 1));
	}
	return sum;
}

uint64_t lab_sndbuf_bytes(const struct lab_scenario *s, int only_path)
{
	double need = SNDBUF_PER_NEED * (lab_look_ahead_bytes(s, only_path) + lab_w_min_bytes(s, only_path));
	double message = 2.0 * (double)s->msg_bytes;

	if (s->sndbuf_bytes != 0) {
		return s->sndbuf_bytes;
	}
	need = need > message ? need : message;
	return (uint64_t)(need > LEAST_SNDBUF_BYTES ? need : LEAST_SNDBUF_BYTES);
}

double lab_path_round_trip_us(const struct lab_scenario *s, int path)
{
	return (double)(lab_path_delay_us(s, path, 0) + lab_path_delay_us(s, path, 1));
}

double lab_shortest_round_trip_us(const struct lab_scenario *s)
{
	double shortest_us = lab_path_round_trip_us(s, 0);

	for (int p = 1; p < s->n_paths; p++) {
		shortest_us = fmin(shortest_us, lab_path_round_trip_us(s, p));
	}
	return shortest_us;
}
