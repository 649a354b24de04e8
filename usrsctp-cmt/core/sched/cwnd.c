/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cwnd - the lowest unsent TSN goes to path i with probability cwnd_i / sum_j cwnd_j (LS-SCTP: Saadawi, Lee
 * 2004; the baseline "CWND-aware" of OSIA, section 5.1), or in these proportions by deficit.
 *
 * The packet waits until the path that was drawn has congestion window left, so a path with a long round trip
 * holds up the others; option wait=0 draws among those that have. The draw is a function of the state, which
 * changes when a packet was sent. */
#include "../cmt_sched.h"
#include "../util/cmt_options.h"
#include "../util/cmt_random.h"

enum { DEFICIT_MAX_BYTES = 65536 };

struct cwnd {
	bool by_deficit;
	bool waits; /* for the path drawn */
	uint64_t seed;
	uint32_t cwnd_bytes[CMT_SCHED_MAX_PATHS];   /* by path id, of usable paths, as planned; else 0 */
	int64_t deficit_bytes[CMT_SCHED_MAX_PATHS]; /* of its share that the path was not given yet */
};

static int cwnd_init(void *st, const char *text)
{
	struct cwnd *c = st;
	uint64_t deficit = 0, seed = 1, wait = 1;
	const struct cmt_option options[] = {
	    {"deficit", &deficit, 0, 1}, {"seed", &seed, 0, UINT32_MAX}, {"wait", &wait, 0, 1}};
	int error = cmt_options_parse(text, options, sizeof(options) / sizeof(options[0]));

	if (error == 0) {
		c->by_deficit = deficit != 0;
		c->seed = seed;
		c->waits = wait != 0;
	}
	return error;
}

static void cwnd_plan(void *st, const struct cmt_view *v)
{
	struct cwnd *c = st;

	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++)
		c->cwnd_bytes[i] = 0;
	for (unsigned i = 0; i < v->n_paths; i++)
		c->cwnd_bytes[v->paths[i].id] = v->paths[i].usable ? v->paths[i].cwnd_bytes : 0;
}

/* What a path has in flight makes room; with nothing in flight nobody waits for room. */
static bool takes(const struct cwnd *c, const struct cmt_view *v, const struct cmt_path_view *p)
{
	return p->usable && (p->room_bytes > 0 || (c->waits && v->total_flight_bytes > 0));
}

static uint64_t weight(const struct cwnd *c, const struct cmt_view *v, const struct cmt_path_view *p)
{
	return takes(c, v, p) ? (uint64_t)p->cwnd_bytes + 1 : 0;
}

static const struct cmt_path_view *drawn(const struct cwnd *c, const struct cmt_view *v)
{
	uint64_t sum = 0, point;

	for (unsigned i = 0; i < v->n_paths; i++)
		sum += weight(c, v, &v->paths[i]);
	point = sum > 0 ? cmt_random_peek(c->seed) % sum : 0;
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (point < weight(c, v, &v->paths[i]))
			return &v->paths[i];
		point -= weight(c, v, &v->paths[i]);
	}
	return NULL;
}

static const struct cmt_path_view *most_in_deficit(const struct cwnd *c, const struct cmt_view *v)
{
	const struct cmt_path_view *most = NULL;

	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *p = &v->paths[i];

		if (takes(c, v, p) && (most == NULL || c->deficit_bytes[p->id] > c->deficit_bytes[most->id]))
			most = p;
	}
	return most;
}

static struct cmt_decision cwnd_next(const void *st, const struct cmt_view *v)
{
	const struct cwnd *c = st;
	const struct cmt_path_view *p = c->by_deficit ? most_in_deficit(c, v) : drawn(c, v);

	if (p == NULL || p->room_bytes == 0)
		return (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = CMT_NEVER_US};
	return (struct cmt_decision){
	    .verdict = CMT_SEND, .path_id = p->id, .tsn = cmt_units_first(v->units), .wake_us = CMT_NEVER_US};
}

/* Each path gets its share of the packet to its credit; the one that carried it pays. What a path cannot make
 * use of for long is forgotten. */
static void settle(struct cwnd *c, const struct cmt_sent *e)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++)
		sum += c->cwnd_bytes[i];
	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++) {
		int64_t *deficit = &c->deficit_bytes[i];

		if (sum > 0)
			*deficit += (int64_t)((uint64_t)e->bytes * c->cwnd_bytes[i] / sum);
		if (i == e->path_id)
			*deficit -= e->bytes;
		if (*deficit < -DEFICIT_MAX_BYTES)
			*deficit = -DEFICIT_MAX_BYTES;
		if (*deficit > DEFICIT_MAX_BYTES)
			*deficit = DEFICIT_MAX_BYTES;
	}
}

static void cwnd_on_sent(void *st, const struct cmt_sent *e)
{
	struct cwnd *c = st;

	if (e->retransmission)
		return;
	(void)cmt_random_take(&c->seed);
	settle(c, e);
}

const struct cmt_sched_ops cmt_sched_cwnd = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "cwnd",
    .summary = "head of the queue, path drawn in proportion to its congestion window (LS-SCTP)",
    .option_help =
        "deficit=0 [0..1]: 1 keeps to the proportions instead of drawing; "
        "seed=1 [0..4294967295]: of the draws; wait=1 [0..1]: 0 draws among the paths that have window left",
    .state_bytes = sizeof(struct cwnd),
    .init = cwnd_init,
    .plan = cwnd_plan,
    .next = cwnd_next,
    .on_sent = cwnd_on_sent,
};
