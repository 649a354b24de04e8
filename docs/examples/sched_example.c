/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched_example.c - a scheduler of one's own: the path that arrives first carries the head of the queue; any
 * other path carries the unit that the first one will not have sent before. Then one transfer under it. */
#include <usrsctp_cmt.h>
#include <usrsctp_cmt_sched.h>

/* Bytes that `first` delivers before the next packet of `p` arrives. */
static uint64_t ahead_bytes(const struct cmt_path_view *first, const struct cmt_path_view *p)
{
	if (first->start_us == CMT_UNKNOWN_US || p->start_us == CMT_UNKNOWN_US ||
	    p->start_us <= first->start_us)
		return 0;
	return first->rate_bps / 8 * (uint64_t)(p->start_us - first->start_us) / 1000000;
}

static struct cmt_decision next(const void *st, const struct cmt_view *v)
{
	struct cmt_decision wait = {.verdict = CMT_WAIT, .wake_us = CMT_NEVER_US};
	const struct cmt_path_view *first = NULL;

	(void)st;
	for (unsigned i = 0; i < v->n_paths; i++)
		first = v->paths[i].id == cmt_sched_first_arrival(v, false) ? &v->paths[i] : first;
	for (unsigned i = 0; i < v->n_paths && first != NULL; i++) {
		const struct cmt_path_view *p = &v->paths[i];
		struct cmt_decision send = {.verdict = CMT_SEND, .path_id = p->id, .wake_us = CMT_NEVER_US};
		uint64_t before;

		if (p->queue_us > 20000)
			wait.wake_us = v->now_us + 1000;
		else if (cmt_units_at(v->units, ahead_bytes(first, p), &send.tsn, &before) &&
		         cmt_sched_legal(v, &send))
			return send;
	}
	return wait;
}

static uint64_t look_ahead(const void *st, const struct cmt_view *v)
{
	uint64_t most = 0;

	(void)st;
	for (unsigned i = 0; i < v->n_paths; i++)
		for (unsigned j = 0; j < v->n_paths; j++)
			if (ahead_bytes(&v->paths[j], &v->paths[i]) > most)
				most = ahead_bytes(&v->paths[j], &v->paths[i]);
	return most + 4 * (uint64_t)v->packet_bytes;
}

static const struct cmt_sched_ops first_first = {
    .size = CMT_SCHED_CONTRACT_BYTES, .name = "first-first", .next = next, .look_ahead = look_ahead};

int sim_hello(const char *scheduler); /* sim_hello.c */

int main(void)
{
	return usrsctp_cmt_register_scheduler(&first_first) != 0 || sim_hello("first-first") != 0;
}
