/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/path_stats.h"

#include <stdio.h>
#include <string.h>

#include "net/addresses.h"

char *app_assoc_peer_text(struct socket *so, char *out, size_t out_bytes)
{
	struct sockaddr *peers = NULL;
	struct sockaddr_storage first = {0};

	if (usrsctp_getpaddrs(so, 0, &peers) > 0) {
		memcpy(&first, peers,
		       peers->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
		                                    : sizeof(struct sockaddr_in));
		usrsctp_freepaddrs(peers);
	}
	return app_address_text(&first, out, out_bytes);
}

void app_assoc_stats_read(struct socket *so, struct app_assoc_stats *out)
{
	socklen_t len = sizeof(out->paths);

	memset(out, 0, sizeof(*out));
	out->paths[0].size = sizeof(out->paths[0]);
	if (usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, out->paths, &len) == 0) {
		out->n_paths = len / sizeof(out->paths[0]);
	}
	for (size_t i = 0; i < out->n_paths; i++) {
		(void)app_interface_of(&out->paths[i].local); /* while it is there */
	}
	len = sizeof(out->all);
	out->all.size = sizeof(out->all);
	if (usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_STATS, &out->all, &len) != 0) {
		memset(&out->all, 0, sizeof(out->all));
	}
}

uint64_t app_assoc_stats_retransmits(const struct app_assoc_stats *stats)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < stats->n_paths; i++) {
		sum += stats->paths[i].retransmits;
	}
	return sum;
}

static void put_int(json_t *o, const char *key, uint64_t value)
{
	json_object_set_new(o, key, json_integer((json_int_t)value));
}

static json_t *address_json(const struct sockaddr_storage *address)
{
	char text[APP_ADDRESS_TEXT_BYTES];

	return address->ss_family == AF_INET || address->ss_family == AF_INET6
	           ? json_string(app_address_text(address, text, sizeof(text)))
	           : json_null();
}

static json_t *port_json(const struct sockaddr_storage *address)
{
	const uint16_t port = app_address_port(address);

	return port != 0 ? json_integer(port) : json_null();
}

static json_t *delay_json(int64_t us)
{
	return us == SCTP_CMT_UNKNOWN_US ? json_null() : json_integer(us);
}

const char *app_path_state_name(uint16_t state)
{
	switch ((enum sctp_cmt_path_state)state) {
	case SCTP_CMT_PATH_UNCONFIRMED: return "unconfirmed";
	case SCTP_CMT_PATH_ACTIVE: return "active";
	case SCTP_CMT_PATH_FAILED: return "failed";
	case SCTP_CMT_PATH_STANDBY: return "standby";
	}
	return "unknown";
}

static bool is_named_before(const struct app_assoc_stats *stats, size_t path)
{
	char text[APP_ENDPOINT_TEXT_BYTES], before[APP_ENDPOINT_TEXT_BYTES];

	(void)app_endpoint_text(&stats->paths[path].remote, text);
	for (size_t i = 0; i < path; i++) {
		if (strcmp(app_endpoint_text(&stats->paths[i].remote, before), text) == 0) {
			return true;
		}
	}
	return false;
}

char *app_assoc_stats_peer(const struct app_assoc_stats *stats, char *out, size_t out_bytes)
{
	char end[APP_ENDPOINT_TEXT_BYTES];
	size_t at = 0;

	snprintf(out, out_bytes, "?");
	for (size_t i = 0; i < stats->n_paths && at < out_bytes; i++) {
		if (!is_named_before(stats, i)) {
			at += (size_t)snprintf(out + at, out_bytes - at, "%s%s", at == 0 ? "" : ", ",
			                       app_endpoint_text(&stats->paths[i].remote, end));
		}
	}
	return out;
}

/* Whether the interface says which path it is. */
static bool is_alone_on(const struct app_assoc_stats *stats, size_t path, const char *interface)
{
	for (size_t i = 0; i < stats->n_paths; i++) {
		if (i != path && strcmp(app_interface_of(&stats->paths[i].local), interface) == 0) {
			return false;
		}
	}
	return true;
}

char *app_path_label(const struct app_assoc_stats *stats, size_t path, char out[APP_PATH_LABEL_BYTES])
{
	const struct sctp_cmt_path_stats *const p = &stats->paths[path];
	char interface[APP_INTERFACE_BYTES], end[APP_ENDPOINT_TEXT_BYTES];

	snprintf(interface, sizeof(interface), "%s", app_interface_of(&p->local));
	if (interface[0] != '\0' && !is_alone_on(stats, path, interface)) {
		snprintf(out, APP_PATH_LABEL_BYTES, "path %u (%s -> %s)", p->path_id, interface,
		         app_endpoint_text(&p->remote, end));
	} else {
		snprintf(out, APP_PATH_LABEL_BYTES, interface[0] != '\0' ? "path %u (%s)" : "path %u",
		         p->path_id, interface);
	}
	return out;
}

json_t *app_path_stats_json(const struct sctp_cmt_path_stats *p)
{
	const char *interface = app_interface_of(&p->local);
	json_t *o = json_object();

	put_int(o, "id", p->path_id);
	json_object_set_new(o, "local", address_json(&p->local));
	json_object_set_new(o, "local_port", port_json(&p->local));
	json_object_set_new(o, "interface", interface[0] != '\0' ? json_string(interface) : json_null());
	json_object_set_new(o, "remote", address_json(&p->remote));
	json_object_set_new(o, "remote_port", port_json(&p->remote));
	json_object_set_new(o, "state", json_string(app_path_state_name(p->state)));
	put_int(o, "srtt_us", p->srtt_us);
	put_int(o, "cwnd_bytes", p->cwnd_bytes);
	put_int(o, "mtu_bytes", p->mtu_bytes);
	put_int(o, "bottleneck", p->bottleneck);
	put_int(o, "rate_bps", p->rate_bps);
	json_object_set_new(o, "fwd_delay_us", delay_json(p->fwd_delay_us));
	json_object_set_new(o, "fwd_delay_base_us", delay_json(p->fwd_delay_base_us));
	put_int(o, "sent_packets", p->sent_pkts);
	put_int(o, "sent_bytes", p->sent_bytes);
	json_object_set_new(o, "share", json_real((double)p->share_ppm / 1e6));
	put_int(o, "acked_bytes", p->acked_bytes);
	put_int(o, "lost_bytes", p->lost_bytes);
	put_int(o, "retransmits", p->retransmits);
	put_int(o, "spurious_chunks", p->spurious_chunks);
	return o;
}

void app_assoc_stats_json(const struct app_assoc_stats *stats, json_t *object)
{
	json_t *paths = json_array();

	for (size_t i = 0; i < stats->n_paths; i++) {
		json_array_append_new(paths, app_path_stats_json(&stats->paths[i]));
	}
	json_object_set_new(object, "scheduler", json_string(stats->all.scheduler));
	put_int(object, "retransmits", app_assoc_stats_retransmits(stats));
	put_int(object, "illegal_decisions", stats->all.illegal_decisions);
	json_object_set_new(object, "paths", paths);
}

char *app_assoc_stats_shares(const struct app_assoc_stats *stats, char *out, size_t out_bytes)
{
	size_t at = 0;
	uint64_t sent_bytes = 0;

	out[0] = '\0';
	for (size_t i = 0; i < stats->n_paths; i++) {
		sent_bytes += stats->paths[i].sent_bytes;
	}
	for (size_t i = 0; sent_bytes > 0 && i < stats->n_paths && at < out_bytes; i++) {
		at += (size_t)snprintf(out + at, out_bytes - at, "%s%u", i == 0 ? "" : "/",
		                       (stats->paths[i].share_ppm + 5000) / 10000);
	}
	if (at > 0 && at < out_bytes) {
		snprintf(out + at, out_bytes - at, " %%");
	}
	return out;
}
