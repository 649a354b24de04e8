/* SPDX-License-Identifier: BSD-3-Clause */
#include "prometheus.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_BYTES = 2 * MONITOR_NAME_BYTES };

char *monitor_label(const char *text, char *out, size_t out_bytes)
{
	size_t at = 0;

	for (const char *s = text; *s != '\0';) {
		const bool escape = *s == '\\' || *s == '"' || *s == '\n';
		const size_t printable = app_printable_bytes(s), n = printable > 0 ? printable : 1;

		if (at + n + escape >= out_bytes) {
			break;
		}
		if (escape) {
			out[at++] = '\\';
		}
		memcpy(out + at, s, n);
		if (*s == '\n') {
			out[at] = 'n';
		}
		at += n;
		s += n;
	}
	out[at] = '\0';
	return out;
}

enum value_kind { COUNT, BYTES, US, BPS };

/* A field of a structure. */
struct metric {
	const char *name, *type, *help;
	enum value_kind kind;
	size_t offset, bytes;
};

#define FIELD(type, field) offsetof(type, field), sizeof(((const type *)NULL)->field)
#define OF_PATH(field)     FIELD(struct sctp_cmt_path_stats, field)
#define OF_ASSOC(field)    FIELD(struct monitor_reading, field)

static const struct metric path_metrics[] = {
    {"sent_bytes_total", "counter", "DATA chunk bytes sent, retransmissions included", BYTES,
     OF_PATH(sent_bytes)},
    {"sent_packets_total", "counter", "Packets with DATA sent", COUNT, OF_PATH(sent_pkts)},
    {"acked_bytes_total", "counter", "DATA chunk bytes that the peer acknowledged", BYTES,
     OF_PATH(acked_bytes)},
    {"received_bytes_total", "counter", "DATA chunk bytes received, duplicates not counted", BYTES,
     OF_PATH(received_bytes)},
    {"lost_bytes_total", "counter", "DATA chunk bytes declared lost", BYTES, OF_PATH(lost_bytes)},
    {"lost_chunks_total", "counter", "DATA chunks declared lost", COUNT, OF_PATH(lost_chunks)},
    {"spurious_chunks_total", "counter", "DATA chunks declared lost that had arrived (spurious losses)",
     COUNT, OF_PATH(spurious_chunks)},
    {"retransmits_total", "counter", "Chunks retransmitted", COUNT, OF_PATH(retransmits)},
    {"probes_total", "counter", "Tail loss probes", COUNT, OF_PATH(probes)},
    {"timeouts_total", "counter", "Retransmission timeouts (T3-rtx)", COUNT, OF_PATH(timeouts)},
    {"failures_total", "counter", "Times that the path became potentially failed", COUNT, OF_PATH(failures)},
    {"undone_total", "counter", "Congestion window reductions that were undone", COUNT, OF_PATH(undone)},
    {"cwnd_bytes", "gauge", "Congestion window", BYTES, OF_PATH(cwnd_bytes)},
    {"flight_bytes", "gauge", "Bytes sent and not acknowledged", BYTES, OF_PATH(flight_bytes)},
    {"mtu_bytes", "gauge", "Largest packet", BYTES, OF_PATH(mtu_bytes)},
    {"delivery_rate_bytes_per_second", "gauge", "Delivery rate; absent until measured", BPS,
     OF_PATH(rate_bps)},
    {"srtt_seconds", "gauge", "Smoothed round-trip time", US, OF_PATH(srtt_us)},
    {"forward_delay_seconds", "gauge",
     "Latest one-way delay, with the clock offset estimated; absent until measured", US,
     OF_PATH(fwd_delay_us)},
    {"forward_delay_base_seconds", "gauge", "Base one-way delay, without queueing; absent until measured", US,
     OF_PATH(fwd_delay_base_us)},
    {"queue_seconds", "gauge", "Predicted queueing delay of the path; absent until measured", US,
     OF_PATH(queue_us)},
};

static const struct metric assoc_metrics[] = {
    {"send_queue_bytes", "gauge", "Bytes written by the program and not acknowledged", BYTES,
     OF_ASSOC(stats.all.send_queue_bytes)},
    {"send_buffer_bytes", "gauge", "Size of the send buffer", BYTES, OF_ASSOC(send_buffer_bytes)},
    {"receive_queue_bytes", "gauge", "Bytes received in order and not read by the program", BYTES,
     OF_ASSOC(stats.all.receive_queue_bytes)},
    {"held_bytes", "gauge", "Bytes received out of order, waiting for earlier ones", BYTES,
     OF_ASSOC(stats.all.held_bytes)},
    {"receive_buffer_bytes", "gauge", "Size of the receive buffer", BYTES, OF_ASSOC(receive_buffer_bytes)},
    {"peer_window_bytes", "gauge", "Receive window of the peer", BYTES, OF_ASSOC(peer_window_bytes)},
    {"copies_total", "counter",
     "Chunks also sent on another path: reinjected, or sent redundantly by the scheduler", COUNT,
     OF_ASSOC(stats.all.copies)},
    {"decisions_total", "counter", "Decisions asked of the scheduler", COUNT, OF_ASSOC(stats.all.decisions)},
    {"illegal_decisions_total", "counter", "Decisions of the scheduler that were illegal", COUNT,
     OF_ASSOC(stats.all.illegal_decisions)},
};

static uint64_t field_of(const void *structure, const struct metric *m)
{
	const uint8_t *const at = (const uint8_t *)structure + m->offset;
	uint64_t wide;
	uint32_t narrow;

	if (m->bytes == sizeof(wide)) {
		memcpy(&wide, at, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, at, sizeof(narrow));
	return narrow;
}

static bool is_known(const struct metric *m, uint64_t value)
{
	switch (m->kind) {
	case COUNT:
	case BYTES: return true;
	case US: return (int64_t)value != SCTP_CMT_UNKNOWN_US;
	case BPS: return value != 0;
	}
	return true;
}

static void put_value(struct evbuffer *out, const struct metric *m, uint64_t value)
{
	switch (m->kind) {
	case COUNT:
	case BYTES: (void)evbuffer_add_printf(out, " %" PRIu64 "\n", value); break;
	case US: (void)evbuffer_add_printf(out, " %.6f\n", (double)(int64_t)value / 1e6); break;
	case BPS: (void)evbuffer_add_printf(out, " %.0f\n", (double)value / 8); break;
	}
}

static void put_head(struct evbuffer *out, const char *group, const char *name, const char *type,
                     const char *help)
{
	(void)evbuffer_add_printf(out, "# HELP cmt_%s%s %s.\n# TYPE cmt_%s%s %s\n", group, name, help, group,
	                          name, type);
}

/* The labels of one path, or with path SIZE_MAX of the association, without the brackets. */
static char *labels(const struct monitor_assoc *a, size_t path, char *out, size_t out_bytes)
{
	char name[LABEL_BYTES], local[APP_ENDPOINT_TEXT_BYTES] = "", remote[APP_ENDPOINT_TEXT_BYTES];
	const int n = snprintf(out, out_bytes, "association=\"%" PRIu64 "\",name=\"%s\"", a->id,
	                       monitor_label(a->name, name, sizeof(name)));

	if (path < a->now.stats.n_paths) {
		const struct sctp_cmt_path_stats *const p = &a->now.stats.paths[path];

		if (p->local.ss_family != AF_UNSPEC) {
			(void)app_endpoint_text(&p->local, local);
		}
		(void)snprintf(out + n, out_bytes - (size_t)n, ",path=\"%u\",local=\"%s\",remote=\"%s\"",
		               p->path_id, local, app_endpoint_text(&p->remote, remote));
	}
	return out;
}

enum { LABELS_BYTES = LABEL_BYTES + 2 * APP_ENDPOINT_TEXT_BYTES + 100 };

struct shown {
	const struct monitor_assoc **list;
	size_t n;
};

static void put_assocs(struct evbuffer *out, const struct shown *shown)
{
	char text[LABELS_BYTES];

	for (size_t k = 0; k < sizeof(assoc_metrics) / sizeof(assoc_metrics[0]); k++) {
		const struct metric *const m = &assoc_metrics[k];

		put_head(out, "association_", m->name, m->type, m->help);
		for (size_t i = 0; i < shown->n; i++) {
			(void)evbuffer_add_printf(out, "cmt_association_%s{%s}", m->name,
			                          labels(shown->list[i], SIZE_MAX, text, sizeof(text)));
			put_value(out, m, field_of(&shown->list[i]->now, m));
		}
	}
	put_head(out, "association_", "info", "gauge", "Policies of the association; always 1");
	for (size_t i = 0; i < shown->n; i++) {
		const struct sctp_cmt_stats *const s = &shown->list[i]->now.stats.all;

		(void)evbuffer_add_printf(
		    out,
		    "cmt_association_info{%s,scheduler=\"%s\",cc=\"%s\",recovery=\"%s\",suite=\"%s\"} 1\n",
		    labels(shown->list[i], SIZE_MAX, text, sizeof(text)), s->scheduler, s->cc, s->recovery,
		    shown->list[i]->encryption.peer.suite);
	}
}

static void put_path_metric(struct evbuffer *out, const struct metric *m, const struct monitor_assoc *a)
{
	char text[LABELS_BYTES];

	for (size_t i = 0; i < a->now.stats.n_paths; i++) {
		const uint64_t value = field_of(&a->now.stats.paths[i], m);

		if (is_known(m, value)) {
			(void)evbuffer_add_printf(out, "cmt_path_%s{%s}", m->name,
			                          labels(a, i, text, sizeof(text)));
			put_value(out, m, value);
		}
	}
}

static void put_states(struct evbuffer *out, const struct monitor_assoc *a)
{
	char text[LABELS_BYTES];

	for (size_t i = 0; i < a->now.stats.n_paths; i++) {
		const uint16_t state = a->now.stats.paths[i].state;

		(void)labels(a, i, text, sizeof(text));
		for (uint16_t s = SCTP_CMT_PATH_UNCONFIRMED; s <= SCTP_CMT_PATH_STANDBY; s++) {
			(void)evbuffer_add_printf(out, "cmt_path_state{%s,state=\"%s\"} %d\n", text,
			                          app_path_state_name(s), s == state);
		}
	}
}

static void put_paths(struct evbuffer *out, const struct shown *shown)
{
	for (size_t k = 0; k < sizeof(path_metrics) / sizeof(path_metrics[0]); k++) {
		const struct metric *const m = &path_metrics[k];

		put_head(out, "path_", m->name, m->type, m->help);
		for (size_t i = 0; i < shown->n; i++) {
			put_path_metric(out, m, shown->list[i]);
		}
	}
	put_head(out, "path_", "state", "gauge", "1 for the current state of the path, 0 for the others");
	for (size_t i = 0; i < shown->n; i++) {
		put_states(out, shown->list[i]);
	}
}

static void put_program(struct evbuffer *out, const struct monitor_board *b, size_t shown)
{
	uint64_t sent = b->ended_sent_bytes, received = b->ended_received_bytes;
	char name[LABEL_BYTES];

	for (const struct monitor_assoc *a = b->assocs; a != NULL; a = a->next) {
		sent += monitor_sent_bytes(&a->now);
		received += monitor_received_bytes(&a->now);
	}
	put_head(out, "", "program_info", "gauge", "The program and its version; always 1");
	(void)evbuffer_add_printf(out, "cmt_program_info{program=\"%s\",version=\"%d.%d.%d\"} 1\n",
	                          monitor_label(b->program, name, sizeof(name)), USRSCTP_CMT_VERSION_MAJOR,
	                          USRSCTP_CMT_VERSION_MINOR, USRSCTP_CMT_VERSION_PATCH);
	put_head(out, "", "associations", "gauge", "Associations that exist now");
	(void)evbuffer_add_printf(out, "cmt_associations %zu\n", b->n_assocs);
	put_head(out, "", "associations_shown", "gauge", "Associations that have metrics of their own");
	(void)evbuffer_add_printf(out, "cmt_associations_shown %zu\n", shown);
	put_head(out, "", "associations_opened_total", "counter", "Associations opened since the start");
	(void)evbuffer_add_printf(out, "cmt_associations_opened_total %" PRIu64 "\n", b->n_opened);
	put_head(out, "", "sent_bytes_total", "counter",
	         "DATA chunk bytes sent by all associations, including ended ones");
	(void)evbuffer_add_printf(out, "cmt_sent_bytes_total %" PRIu64 "\n", sent);
	put_head(out, "", "received_bytes_total", "counter",
	         "DATA chunk bytes received by all associations, including ended ones");
	(void)evbuffer_add_printf(out, "cmt_received_bytes_total %" PRIu64 "\n", received);
}

void monitor_prometheus(const struct monitor_board *b, struct evbuffer *out)
{
	struct shown shown = {.list = calloc(b->n_assocs + 1, sizeof(*shown.list))};
	size_t skip = b->n_assocs > MONITOR_PROMETHEUS_ASSOCS ? b->n_assocs - MONITOR_PROMETHEUS_ASSOCS : 0;

	for (const struct monitor_assoc *a = b->assocs; a != NULL && shown.list != NULL; a = a->next) {
		if (skip > 0) {
			skip--; /* the newest come first */
		} else if (a->now.at_us != 0) {
			shown.list[shown.n++] = a;
		}
	}
	put_program(out, b, shown.n);
	put_assocs(out, &shown);
	put_paths(out, &shown);
	free(shown.list);
}
