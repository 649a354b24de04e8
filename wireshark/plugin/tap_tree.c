/* SPDX-License-Identifier: BSD-3-Clause */
#include "taps.h"

#include <epan/to_str.h>

static const char *direction_name(const struct cmt_packet *p)
{
	return wmem_strdup_printf(NULL, "Association %u, port %u to %u", p->half->assoc->number,
	                          p->half->source_port, p->half->destination_port);
}

/* A node with children, counted. */
static int tick(stats_tree *st, const char *name, int parent)
{
	return tick_stat_node(st, name, parent, TRUE);
}

static int tick_and_free(stats_tree *st, const char *name, int parent)
{
	int id = tick(st, name, parent);

	wmem_free(NULL, (void *)(uintptr_t)name);
	return id;
}

static int find_and_free(stats_tree *st, const char *name, int parent)
{
	int id = increase_stat_node(st, name, parent, TRUE, 0);

	wmem_free(NULL, (void *)(uintptr_t)name);
	return id;
}

static const char *path_name(const struct cmt_path *path)
{
	char *src = cmt_ends_source_name(&path->ends), *dst = cmt_ends_destination_name(&path->ends);
	const char *name = wmem_strdup_printf(NULL, "Path %u: %s to %s", path->number, src, dst);

	wmem_free(NULL, src);
	wmem_free(NULL, dst);
	return name;
}

/* The power of two that bounds a number from above, as the name of a class. */
static void tick_class(stats_tree *st, int parent, int64_t value)
{
	uint64_t size = (uint64_t)(value < 0 ? -value : value), bound = 1;
	const char *sign = value < 0 ? "-" : "";
	char *name;

	while (bound < size) {
		bound *= 2;
	}
	if (size <= 1) {
		name = wmem_strdup_printf(NULL, "%s%u", sign, (unsigned)size);
	} else if (bound == 2) {
		name = wmem_strdup_printf(NULL, "%s2", sign);
	} else {
		name =
		    wmem_strdup_printf(NULL, "%s%" PRIu64 " to %s%" PRIu64, sign, bound / 2 + 1, sign, bound);
	}
	tick_stat_node(st, name, parent, FALSE);
	wmem_free(NULL, name);
}

static void add_order(stats_tree *st, int direction, const struct cmt_packet *p, const struct cmt_tx *tx)
{
	bool arrival = p->copy_of != NULL;
	int node;

	if (tx->first != tx) {
		return;
	}
	node =
	    tick(st, arrival ? "Reordering density of arrivals (RFC 5236)" : "Reordering density (RFC 5236)",
	         direction);
	tick_class(st, node, tx->order.displacement);
	if (tx->order.extent > 0) {
		node = tick(
		    st, arrival ? "Reordering extent of arrivals (RFC 4737)" : "Reordering extent (RFC 4737)",
		    direction);
		tick_class(st, node, tx->order.extent);
	}
	if (tx->sent_ahead > 0) {
		tick_class(st, tick(st, "Sent ahead", direction), tx->sent_ahead);
	}
}

static void add_samples(stats_tree *st, const struct cmt_packet *p)
{
	for (uint32_t i = 0; i < p->n_samples; i++) {
		const struct cmt_sample *s = &p->samples[i];
		struct cmt_packet data = {.half = p->half->peer};
		int path;

		if (!s->valid) {
			continue;
		}
		path = find_and_free(st, path_name(s->path), find_and_free(st, direction_name(&data), 0));
		avg_stat_node_add_value_int(st, "Forward delay above minimum, us", path, FALSE,
		                            (int)s->above_us);
		avg_stat_node_add_value_int(st, "Jitter, us", path, FALSE, (int)s->jitter_us);
	}
}

static tap_packet_status on_packet(stats_tree *st, packet_info *pinfo, epan_dissect_t *edt, const void *data,
                                   tap_flags_t flags)
{
	const struct cmt_packet *p = data;
	int direction = tick_and_free(st, direction_name(p), 0);
	int path = tick_and_free(st, path_name(p->path), direction);

	(void)pinfo;
	(void)edt;
	(void)flags;
	tick_stat_node(st, p->copy_of == NULL ? "Packets" : "Seen a second time", path, FALSE);
	if (cmt_is_sealed(p) && p->copy_of == NULL) {
		tick_stat_node(st, "Encrypted, no key", path, FALSE);
	}
	if (p->path_gap > 0) {
		increase_stat_node(st, "Numbers left out", path, FALSE, (int)p->path_gap);
	}
	if (p->path_late > 0) {
		tick_stat_node(st, "Late on the path", path, FALSE);
	}
	for (uint32_t i = 0; i < p->n_txs; i++) {
		const struct cmt_tx *tx = &p->txs[i];

		if (p->copy_of == NULL && tx->first != NULL) {
			tick_stat_node(st, tx->first == tx ? "Chunks sent" : "Chunks sent again", path,
			               FALSE);
		}
		add_order(st, direction, p, tx);
	}
	for (uint32_t i = 0; i < p->n_spurious; i++) {
		const struct cmt_packet *again = p->spurious[i]->packet;
		int node =
		    find_and_free(st, path_name(again->path), find_and_free(st, direction_name(again), 0));

		tick_stat_node(st, "Chunks sent again spuriously", node, FALSE);
	}
	add_samples(st, p);
	return TAP_PACKET_REDRAW;
}

/* Wireshark's window calls this without asking whether there is one. */
static void init(stats_tree *st)
{
	(void)st;
}

void cmt_tap_tree_register(void)
{
	/* Wireshark puts trees of plugins into the menu Statistics. */
	stats_tree_register_plugin(CMT_TAP, "sctp-cmt", "SCTP Multipath: Delay and Order", 0, on_packet, init,
	                           NULL);
}
