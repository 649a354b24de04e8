/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "sched_model.h"
#include "util/cmt_serial.h"

enum { RING = 1024, INDEX_CAPACITY = 4096, TSNS_AHEAD = 4000 };
/* The first TSN; they wrap soon. */
static const uint32_t FIRST_TSN = 0xffffff00u;

struct packet {
	uint32_t first, units; /* counted from 0 */
	uint64_t arrival_us;
	bool arrived;
	bool again;
};

struct sack {
	uint64_t here_us, built_us;
	uint32_t cumulative; /* first unit not received */
	uint32_t window_bytes;
};

struct path {
	bool up;
	uint64_t free_us;
	uint32_t flight_bytes;
	struct packet packets[RING]; /* sent and not acknowledged, oldest first */
	unsigned oldest, next_arrival, newest;
	struct sack sacks[RING];
	unsigned oldest_sack, newest_sack;
};

struct model {
	const struct model_config *c;
	struct model_result r;
	uint64_t now_us, wake_us;
	struct path paths[CMT_SCHED_MAX_PATHS];
	unsigned changes_done;
	bool replan;
	/* sender */
	uint64_t state[CMT_SCHED_STATE_MAX / sizeof(uint64_t)],
	    before[CMT_SCHED_STATE_MAX / sizeof(uint64_t)];
	struct cmt_units units;
	uint32_t index_memory[INDEX_CAPACITY * 2];
	uint32_t added;
	uint64_t added_us[MODEL_UNITS_MAX];
	struct sack newest_sack;
	struct packet lost[MODEL_UNITS_MAX];
	unsigned oldest_lost, newest_lost;
	/* receiver */
	bool received[MODEL_UNITS_MAX + 1];
	uint32_t cumulative, held_bytes, arrivals;
};

static void fail(struct model *m, const char *why)
{
	if (m->r.failure == NULL)
		m->r.failure = why;
}

static uint32_t total_flight(const struct model *m)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < m->c->n_paths; i++)
		sum += m->paths[i].flight_bytes;
	return sum;
}

static void fill_path(const struct model *m, unsigned i, const struct cmt_view *v, struct cmt_path_view *out)
{
	const struct model_path *c = &m->c->paths[i];
	const struct path *p = &m->paths[i];
	uint64_t waiting_us = p->free_us > m->now_us ? p->free_us - m->now_us : 0;
	bool window = v->total_flight_bytes == 0 || v->peer_rwnd_bytes >= v->window_unit_bytes;
	uint32_t min_rtt_us =
	    c->delay_us + c->return_us + (uint32_t)cmt_transmission_us(v->wire_bytes, c->rate_bps);

	*out = (struct cmt_path_view){
	    .id = (uint8_t)i,
	    .usable = p->up,
	    .cwnd_bytes = c->cwnd_pkts * v->packet_bytes,
	    .flight_bytes = p->flight_bytes,
	    .srtt_us = min_rtt_us,
	    .min_rtt_us = min_rtt_us,
	    .rate_bps = c->rate_bps,
	    .rate_measured = true,
	    .base_us = c->delay_us + m->c->offset_us,
	    .start_us = (int64_t)(m->now_us + waiting_us) + c->delay_us + m->c->offset_us,
	    .queue_us = (int64_t)waiting_us,
	    .delay_us = c->delay_us,
	};
	if (p->up && window && p->flight_bytes < out->cwnd_bytes)
		out->room_bytes = v->packet_bytes;
}

static void fill_view(const struct model *m, struct cmt_view *v, struct cmt_path_view *paths)
{
	uint32_t flight = total_flight(m);
	uint32_t packet_bytes = m->c->units_per_packet * MODEL_UNIT_BYTES;

	*v = (struct cmt_view){
	    .now_us = m->now_us,
	    .units = &m->units,
	    .n_paths = (uint8_t)m->c->n_paths,
	    .paths = paths,
	    .packet_bytes = packet_bytes,
	    .wire_bytes = packet_bytes + MODEL_HEADER_BYTES,
	    .limit_tsn = FIRST_TSN + m->newest_sack.cumulative - 1 + TSNS_AHEAD,
	    .peer_rwnd_bytes =
	        m->newest_sack.window_bytes > flight ? m->newest_sack.window_bytes - flight : 0,
	    .total_flight_bytes = flight,
	    .window_packet_bytes = packet_bytes,
	    .window_unit_bytes = MODEL_UNIT_BYTES,
	    .window_reserve_bytes = packet_bytes,
	    .more_follows = m->added < m->c->units,
	};
	for (unsigned i = 0; i < m->c->n_paths; i++)
		fill_path(m, i, v, &paths[i]);
}

static void transmit(struct model *m, unsigned i, uint32_t first, uint32_t units, bool again)
{
	struct path *p = &m->paths[i];
	uint32_t bytes = units * MODEL_UNIT_BYTES;

	if (p->newest - p->oldest == RING) {
		fail(m, "more packets in flight than the model holds");
		return;
	}
	p->free_us = (p->free_us > m->now_us ? p->free_us : m->now_us) +
	             (uint64_t)cmt_transmission_us(bytes + MODEL_HEADER_BYTES, m->c->paths[i].rate_bps);
	p->packets[p->newest++ % RING] = (struct packet){.first = first,
	                                                 .units = units,
	                                                 .arrival_us = p->free_us + m->c->paths[i].delay_us,
	                                                 .again = again};
	p->flight_bytes += bytes;
	m->r.sent_on[i] += again ? 0 : 1;
	if (m->c->ops->on_sent != NULL)
		m->c->ops->on_sent(m->state, &(struct cmt_sent){.now_us = m->now_us,
		                                                .path_id = (uint8_t)i,
		                                                .first_tsn = FIRST_TSN + first,
		                                                .chunks = units,
		                                                .bytes = bytes,
		                                                .retransmission = again});
}

/* The oldest lost packet goes out again; false when it has to wait. */
static bool retransmit(struct model *m, const struct cmt_view *v)
{
	const struct packet *lost = &m->lost[m->oldest_lost % MODEL_UNITS_MAX];
	int path = cmt_sched_first_arrival(v, false);

	if (m->c->ops->retransmit != NULL) {
		struct cmt_decision d = m->c->ops->retransmit(m->state, v, 0);

		path = d.verdict == CMT_SEND ? d.path_id : -1;
	}
	if (path < 0 || v->paths[path].room_bytes == 0)
		return false;
	m->oldest_lost++;
	transmit(m, (unsigned)path, lost->first, lost->units, true);
	return true;
}

/* Units that the application has handed over enter the index while the scheduler can use them. */
static void top_up(struct model *m)
{
	const struct model_config *c = m->c;
	uint64_t available = c->source_gap_us == 0 ? c->units : m->now_us / c->source_gap_us + 1;
	struct cmt_path_view paths[CMT_SCHED_MAX_PATHS];
	struct cmt_view v;
	uint64_t wanted_bytes = (uint64_t)c->units_per_packet * MODEL_UNIT_BYTES;

	if (available > c->units)
		available = c->units;
	if (cmt_units_count(&m->units) > 0 && c->ops->look_ahead != NULL) {
		fill_view(m, &v, paths);
		wanted_bytes = c->ops->look_ahead(m->state, &v);
	}
	while (m->added < available &&
	       (cmt_units_total_bytes(&m->units) < wanted_bytes ||
	        cmt_units_count(&m->units) < c->units_per_packet) &&
	       cmt_units_add(&m->units, FIRST_TSN + m->added, MODEL_UNIT_BYTES) == 0)
		m->added_us[m->added++] = m->now_us;
}

/* Sends the packet that begins with `tsn`, filled up with the units behind it as far as the window goes. */
static void send_units(struct model *m, unsigned path, uint32_t tsn, uint32_t window_bytes)
{
	uint32_t first = tsn - FIRST_TSN, n = 0;

	while (n < m->c->units_per_packet && (n == 0 || window_bytes >= (n + 1) * MODEL_UNIT_BYTES) &&
	       cmt_units_remove(&m->units, tsn + n) == 0) {
		uint64_t waited_us = m->now_us - m->added_us[first + n];

		m->r.longest_wait_us = waited_us > m->r.longest_wait_us ? waited_us : m->r.longest_wait_us;
		n++;
	}
	transmit(m, path, first, n, false);
}

/* Asks twice; the answers and the state must be the same. */
static struct cmt_decision ask(struct model *m, const struct cmt_view *v)
{
	struct cmt_decision d, again;

	if (m->replan && m->c->ops->plan != NULL)
		m->c->ops->plan(m->state, v);
	m->replan = false;
	memcpy(m->before, m->state, sizeof(m->before));
	d = m->c->ops->next(m->state, v);
	again = m->c->ops->next(m->state, v);
	if (memcmp(m->before, m->state, sizeof(m->before)) != 0)
		fail(m, "next() changed the state");
	if (d.verdict != again.verdict || d.path_id != again.path_id || d.tsn != again.tsn ||
	    d.wake_us != again.wake_us)
		fail(m, "asked twice, answered differently");
	if (!cmt_sched_legal(v, &d))
		fail(m, "illegal decision");
	return d;
}

static void send_all(struct model *m)
{
	struct cmt_path_view paths[CMT_SCHED_MAX_PATHS];
	struct cmt_view v;
	struct cmt_decision d;

	m->wake_us = CMT_NEVER_US;
	while (m->r.failure == NULL) {
		top_up(m);
		fill_view(m, &v, paths);
		if (m->oldest_lost != m->newest_lost) {
			if (!retransmit(m, &v))
				return;
			continue;
		}
		if (cmt_units_count(&m->units) == 0)
			return;
		d = ask(m, &v);
		if (d.verdict == CMT_WAIT) {
			if (d.wake_us != CMT_NEVER_US)
				m->wake_us = d.wake_us > m->now_us ? d.wake_us : m->now_us + 1;
			return;
		}
		if (m->r.failure == NULL)
			send_units(m, d.path_id, d.tsn, v.peer_rwnd_bytes);
	}
}

static void arrive(struct model *m, unsigned i)
{
	struct path *p = &m->paths[i];
	struct packet *packet = &p->packets[p->next_arrival++ % RING];

	packet->arrived = true;
	m->arrivals++;
	if (packet->first > m->cumulative && !packet->again && m->arrivals > m->c->warmup_pkts)
		m->r.early_pkts++;
	for (uint32_t k = packet->first; k < packet->first + packet->units; k++) {
		if (!m->received[k])
			m->held_bytes += MODEL_UNIT_BYTES;
		m->received[k] = true;
	}
	while (m->received[m->cumulative]) {
		m->held_bytes -= MODEL_UNIT_BYTES;
		m->cumulative++;
	}
	if (m->arrivals > m->c->warmup_pkts && m->held_bytes > m->r.held_bytes)
		m->r.held_bytes = m->held_bytes;
	if (m->held_bytes > m->c->window_bytes)
		fail(m, "the receiver's buffer overflows");
	p->sacks[p->newest_sack++ % RING] = (struct sack){.here_us = m->now_us + m->c->paths[i].return_us,
	                                                  .built_us = m->now_us,
	                                                  .cumulative = m->cumulative,
	                                                  .window_bytes = m->c->window_bytes - m->held_bytes};
}

static void take_sack(struct model *m, unsigned i)
{
	const struct sack sack = m->paths[i].sacks[m->paths[i].oldest_sack++ % RING];

	if (sack.built_us < m->newest_sack.built_us)
		return;
	m->newest_sack = sack;
	m->replan = true;
	for (unsigned k = 0; k < m->c->n_paths; k++) {
		struct path *p = &m->paths[k];

		while (p->oldest != p->next_arrival &&
		       p->packets[p->oldest % RING].arrival_us <= sack.built_us) {
			const struct packet *packet = &p->packets[p->oldest++ % RING];
			const struct cmt_acked acked = {.now_us = m->now_us,
			                                .path_id = (uint8_t)k,
			                                .tsn = FIRST_TSN + packet->first,
			                                .bytes = packet->units * MODEL_UNIT_BYTES};

			p->flight_bytes -= acked.bytes;
			if (m->c->ops->on_acked != NULL)
				m->c->ops->on_acked(m->state, &acked);
		}
	}
}

static void change_path(struct model *m, const struct model_change *change)
{
	struct path *p = &m->paths[change->path];

	p->up = change->up;
	p->free_us = 0;
	while (p->newest != p->next_arrival) {
		const struct packet *packet = &p->packets[p->next_arrival % RING];

		m->lost[m->newest_lost++ % MODEL_UNITS_MAX] = *packet;
		p->flight_bytes -= packet->units * MODEL_UNIT_BYTES;
		/* Takes the packet out of the ring: those behind it move up. */
		p->newest--;
		for (unsigned k = p->next_arrival; k != p->newest; k++)
			p->packets[k % RING] = p->packets[(k + 1) % RING];
	}
	m->replan = true;
	if (m->c->ops->on_path != NULL)
		m->c->ops->on_path(m->state, change->path, change->up, m->now_us);
}

/* When the next thing happens. `kind`: 0 arrival, 1 SACK (of `path`), 2 change, 3 source or wake-up. */
static uint64_t next_event(const struct model *m, unsigned *kind, unsigned *path)
{
	uint64_t at_us = m->wake_us, source_us;

	*kind = 3;
	source_us = (uint64_t)m->added * m->c->source_gap_us;
	if (m->added < m->c->units && source_us > m->now_us && source_us < at_us)
		at_us = source_us;
	if (m->changes_done < m->c->n_changes && m->c->changes[m->changes_done].at_us < at_us) {
		at_us = m->c->changes[m->changes_done].at_us;
		*kind = 2;
	}
	for (unsigned i = 0; i < m->c->n_paths; i++) {
		const struct path *p = &m->paths[i];

		if (p->next_arrival != p->newest && p->packets[p->next_arrival % RING].arrival_us < at_us) {
			at_us = p->packets[p->next_arrival % RING].arrival_us;
			*kind = 0;
			*path = i;
		}
		if (p->oldest_sack != p->newest_sack && p->sacks[p->oldest_sack % RING].here_us < at_us) {
			at_us = p->sacks[p->oldest_sack % RING].here_us;
			*kind = 1;
			*path = i;
		}
	}
	return at_us;
}

static void step(struct model *m)
{
	unsigned kind, path = 0;
	uint64_t at_us = next_event(m, &kind, &path);

	if (at_us == CMT_NEVER_US) {
		fail(m, "stalled: nothing in flight and no time to wake");
		return;
	}
	if (at_us > m->c->limit_us) {
		fail(m, "took too long");
		return;
	}
	m->now_us = at_us;
	if (kind == 0)
		arrive(m, path);
	else if (kind == 1)
		take_sack(m, path);
	else if (kind == 2)
		change_path(m, &m->c->changes[m->changes_done++]);
	if (kind != 0)
		send_all(m);
}

struct model_result model_run(const struct model_config *config)
{
	static struct model m;

	memset(&m, 0, sizeof(m));
	m.c = config;
	m.replan = true;
	m.newest_sack.window_bytes = config->window_bytes;
	for (unsigned i = 0; i < config->n_paths; i++)
		m.paths[i].up = true;
	if (cmt_units_bytes_needed(INDEX_CAPACITY) > sizeof(m.index_memory) ||
	    config->units > MODEL_UNITS_MAX)
		abort();
	cmt_units_init(&m.units, INDEX_CAPACITY, FIRST_TSN, m.index_memory);
	if (config->ops->init != NULL && config->ops->init(m.state, config->options) != 0)
		fail(&m, "init() refused its options");
	send_all(&m);
	while (m.cumulative < config->units && m.r.failure == NULL)
		step(&m);
	m.r.end_us = m.now_us;
	return m.r;
}
