/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <stdio.h>

void tun_report_add(struct tun_carrier_stats *sum, const struct tun_carrier_stats *one)
{
	sum->sent_pkts += one->sent_pkts;
	sum->sent_bytes += one->sent_bytes;
	sum->received_pkts += one->received_pkts;
	sum->received_bytes += one->received_bytes;
	sum->malformed_pkts += one->malformed_pkts;
	sum->foreign_pkts += one->foreign_pkts;
	sum->too_big_pkts += one->too_big_pkts;
	sum->clamped_pkts += one->clamped_pkts;
	sum->queue.dropped_pkts += one->queue.dropped_pkts;
	sum->queue.marked_pkts += one->queue.marked_pkts;
}

json_t *tun_report_figures(const struct tun_carrier_stats *s)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "sent_packets",
	                 (json_int_t)s->sent_pkts, "sent_bytes", (json_int_t)s->sent_bytes,
	                 "received_packets", (json_int_t)s->received_pkts, "received_bytes",
	                 (json_int_t)s->received_bytes, "queue_dropped", (json_int_t)s->queue.dropped_pkts,
	                 "queue_marked", (json_int_t)s->queue.marked_pkts, "too_big",
	                 (json_int_t)s->too_big_pkts, "mss_clamped", (json_int_t)s->clamped_pkts, "malformed",
	                 (json_int_t)s->malformed_pkts, "foreign", (json_int_t)s->foreign_pkts);
}

void tun_report_print(const struct tun_report *report)
{
	struct tun_carrier_stats sum = report->sum;
	json_t *const all =
	    json_pack("{s:s, s:I}", "role", report->role, "tunnels", (json_int_t)report->tunnels);
	json_t *figures;

	sum.malformed_pkts += report->malformed_pkts;
	figures = tun_report_figures(&sum);
	(void)json_object_update(all, figures);
	if (all != NULL && json_dumpf(all, stdout, JSON_COMPACT) == 0) {
		(void)fputc('\n', stdout);
	}
	(void)fflush(stdout);
	json_decref(figures);
	json_decref(all);
}
