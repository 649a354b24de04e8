/* SPDX-License-Identifier: BSD-3-Clause */
#include "setup/describe.h"

#include <stdlib.h>
#include <sys/socket.h>

#include "scenario/ceiling.h"
#include "scenario/changes.h"
#include "scenario/link_keys.h"
#include "scenario/medium_keys.h"

static json_t *integer(uint64_t value)
{
	return json_integer((json_int_t)value);
}

/* 0 stands for "not given" in the scenario. */
static json_t *integer_or_null(uint64_t value)
{
	return value == 0 ? json_null() : integer(value);
}

static json_t *jitter(const struct usrsctp_cmt_sim_link *l)
{
	const char *kind = NULL;

	switch (l->jitter) {
	case USRSCTP_CMT_SIM_JITTER_NONE: return json_null();
	case USRSCTP_CMT_SIM_JITTER_NORMAL: kind = "normal"; break;
	case USRSCTP_CMT_SIM_JITTER_EXPONENTIAL: kind = "exp"; break;
	case USRSCTP_CMT_SIM_JITTER_PARETO: kind = "pareto"; break;
	}
	return json_pack("{s:s, s:o, s:b}", "kind", kind, "us", integer(l->jitter_us), "reorder",
	                 (int)l->jitter_reorders);
}

static json_t *cross(const struct usrsctp_cmt_sim_cross *c)
{
	if (c->kind == USRSCTP_CMT_SIM_CROSS_NONE) {
		return json_null();
	}
	return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:o}", "kind",
	                 c->kind == USRSCTP_CMT_SIM_CROSS_CBR ? "cbr" : "pareto", "packet_bytes",
	                 (int)c->packet_bytes, "interval_us", integer(c->interval_us), "on_us",
	                 integer(c->on_us), "off_us", integer(c->off_us), "from_us", integer(c->from_us),
	                 "until_us", integer_or_null(c->until_us));
}

/* NULL stands for what the link has not. */
static json_t *policer(const struct usrsctp_cmt_sim_policer *p)
{
	return p->rate_bps == 0 ? json_null()
	                        : json_pack("{s:o, s:o}", "rate_bps", integer(p->rate_bps), "burst_bytes",
	                                    integer(p->burst_bytes));
}

static json_t *grants(const struct usrsctp_cmt_sim_grants *g)
{
	return g->interval_us == 0 ? json_null()
	                           : json_pack("{s:o, s:f}", "interval_us", integer(g->interval_us),
	                                       "block_failure", g->block_failure);
}

static json_t *wifi(const struct usrsctp_cmt_sim_wifi *w)
{
	return w->burst_pkts == 0
	           ? json_null()
	           : json_pack("{s:o, s:o, s:o}", "burst_pkts", integer(w->burst_pkts), "burst_us",
	                       integer(w->burst_us), "overhead_us", integer(w->overhead_us));
}

static json_t *aqm(enum usrsctp_cmt_sim_aqm a)
{
	return a == USRSCTP_CMT_SIM_AQM_NONE ? json_null() : json_string(lab_aqm_name(a));
}

static json_t *link_state(const struct usrsctp_cmt_sim_link *l)
{
	return json_pack("{s:o, s:b, s:o, s:b, s:o, s:o, s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:f, "
	                 "s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:b, s:o}",
	                 "rate_bps", integer(l->rate_bps), "trace", (int)(l->rates != NULL), "delay_us",
	                 integer(l->delay_us), "delay_trace", (int)(l->delays != NULL), "jitter", jitter(l),
	                 "queue_pkts", integer_or_null(l->queue_pkts), "queue_bytes",
	                 integer_or_null(l->queue_bytes), "loss", l->loss, "ge_enter", l->ge_bad, "ge_leave",
	                 l->ge_good, "ge_loss", l->ge_loss_bad, "bit_error", l->bit_error, "duplicate",
	                 l->duplicate, "reorder", l->reorder, "reorder_us", integer(l->reorder_us), "corrupt",
	                 l->corrupt, "mtu_bytes", integer_or_null(l->mtu_bytes), "black_hole_bytes",
	                 integer_or_null(l->black_hole_bytes), "down", (int)l->down, "cross",
	                 cross(&l->cross), "policer", policer(&l->policer), "lte", grants(&l->grants), "aqm",
	                 aqm(l->aqm), "ecn", (int)l->ecn, "wifi", wifi(&l->wifi));
}

static const char *shared_name(const struct lab_scenario *s, int link)
{
	return s->shared_names[link - USRSCTP_CMT_SIM_MAX_PATHS];
}

/* Where a path ends: the path whose address that is, the NAT in front of it, when the address is not there.
 */
static json_t *end_state(const struct lab_scenario *s, int path, int host)
{
	const struct lab_end *end = &s->ends[path][host];
	const int nat = lab_end_nat(s, path, host);

	return json_pack("{s:i, s:o, s:o, s:o}", "address", lab_end_path(s, path, host) + 1, "nat",
	                 nat == 0 ? json_null() : json_string(s->nats[nat - 1].name), "absent_from_us",
	                 integer(end->absent_from_us), "absent_until_us", integer(end->absent_until_us));
}

static json_t *paths(const struct lab_run *run)
{
	const struct lab_scenario *s = &run->scenario;
	struct usrsctp_cmt_sim_link links[2];
	json_t *out = json_array();

	for (int p = 0; p < s->n_paths; p++) {
		json_t *path;

		lab_run_links(run, p, links);
		path = json_pack("{s:i, s:o, s:f, s:f, s:o, s:o}", "id", p + 1, "via",
		                 s->via[p] == 0 ? json_null() : json_string(shared_name(s, s->via[p])),
		                 "ceiling_bps", lab_path_ceiling_bps(s, p, false), "ceiling_extension_bps",
		                 lab_path_ceiling_bps(s, p, true), "forward", link_state(&links[0]), "back",
		                 link_state(&links[1]));
		json_object_set_new(path, "from", end_state(s, p, 0));
		json_object_set_new(path, "to", end_state(s, p, 1));
		json_array_append_new(out, path);
	}
	return out;
}

static json_t *nats(const struct lab_scenario *s)
{
	static const char *const kinds[] = {"independent", "address", "port"};
	json_t *out = json_array();

	for (int i = 0; i < s->n_nats; i++) {
		const struct lab_nat *n = &s->nats[i];

		json_array_append_new(out, json_pack("{s:s, s:s, s:s, s:o, s:o, s:b, s:i}", "name", n->name,
		                                     "mapping", kinds[n->config.mapping], "filtering",
		                                     kinds[n->config.filtering], "timeout_us",
		                                     integer(n->config.timeout_us), "rebind_us",
		                                     integer(n->rebind_us), "new_address",
		                                     (int)n->new_address, "forward", (int)n->forward));
	}
	return out;
}

static json_t *shared_links(const struct lab_scenario *s)
{
	json_t *out = json_array();

	for (int i = 0; i < s->n_shared; i++) {
		const struct usrsctp_cmt_sim_link *links = s->links[USRSCTP_CMT_SIM_MAX_PATHS + i];

		json_array_append_new(out, json_pack("{s:s, s:o, s:o}", "name", s->shared_names[i], "forward",
		                                     link_state(&links[0]), "back", link_state(&links[1])));
	}
	return out;
}

static json_t *competitors(const struct lab_scenario *s)
{
	char cc[APP_POLICY_TEXT_BYTES], recovery[APP_POLICY_TEXT_BYTES];
	json_t *out = json_array();

	for (unsigned i = 0; i < s->n_competitors; i++) {
		const struct lab_competitor *c = &s->competitors[i];

		json_array_append_new(
		    out, json_pack("{s:i, s:s, s:s, s:s, s:o, s:s, s:b, s:o}", "path", c->path + 1,
		                   "scheduler", c->scheduler, "cc", app_policy_text(&c->cc, cc), "recovery",
		                   app_policy_text(&c->recovery, recovery), "start_us", integer(c->start_us),
		                   "law", lab_law_name(c->law), "back", (int)c->back, "flows_bps",
		                   integer(c->flows_bps)));
	}
	return out;
}

static json_t *change_state(const struct lab_scenario *s, const struct lab_change *c, int direction,
                            const struct usrsctp_cmt_sim_link *link)
{
	bool of_path = c->link < USRSCTP_CMT_SIM_MAX_PATHS;

	return json_pack("{s:o, s:o, s:o, s:s, s:o}", "at_us", integer(c->at_us), "path",
	                 of_path ? json_integer(c->link + 1) : json_null(), "shared",
	                 of_path ? json_null() : json_string(shared_name(s, c->link)), "direction",
	                 direction == 0 ? "forward" : "back", "link", link_state(link));
}

static json_t *changes(const struct lab_run *run)
{
	const struct lab_scenario *s = &run->scenario;
	struct usrsctp_cmt_sim_link links[LAB_MAX_LINKS][2];
	const struct lab_change **by_time = lab_changes_by_time(s);
	json_t *out = json_array();
	char why[400];

	for (int link = 0; link < LAB_MAX_LINKS; link++) {
		lab_run_links(run, link, links[link]);
	}
	for (unsigned i = 0; i < s->n_changes; i++) {
		const struct lab_change *c = by_time[i];

		for (int d = 0; d < 2; d++) {
			if (c->direction[d] &&
			    lab_link_set(&links[c->link][d], c->key, c->value, why, sizeof(why)) == 0) {
				json_array_append_new(out, change_state(s, c, d, &links[c->link][d]));
			}
		}
	}
	free(by_time);
	return out;
}

static const char *source_name(const struct lab_source *source)
{
	switch (source->kind) {
	case LAB_SOURCE_BULK: break;
	case LAB_SOURCE_CBR: return "cbr";
	case LAB_SOURCE_FILE: return "file";
	case LAB_SOURCE_PAGE: return "page";
	case LAB_SOURCE_ENCODER: return "encoder";
	}
	return "bulk";
}

json_t *lab_describe(const struct lab_run *run)
{
	const struct lab_scenario *s = &run->scenario;
	json_t *o =
	    json_pack("{s:s, s:s, s:s, s:s}", "scenario", s->name, "description", s->description, "family",
	              s->family == AF_INET6 ? "ipv6" : "ipv4", "source", source_name(&s->source));

	json_object_set_new(o, "seed", integer(run->seed));
	json_object_set_new(o, "msg_bytes", integer(s->msg_bytes));
	json_object_set_new(o, "rcvbuf_bytes", integer(s->rcvbuf_bytes));
	json_object_set_new(o, "sndbuf_bytes", integer(lab_sndbuf_bytes(s, -1)));
	json_object_set_new(o, "bytes", integer_or_null(lab_run_bytes(s)));
	json_object_set_new(o, "duration_us", integer_or_null(s->duration_us));
	json_object_set_new(o, "play_bps", integer_or_null(s->play_bps));
	json_object_set_new(o, "play_buffer_us", integer(s->play_buffer_us));
	json_object_set_new(o, "play_told", json_boolean(s->play_told));
	json_object_set_new(o, "capacity_bps", json_real(lab_capacity_bps(s, -1)));
	json_object_set_new(o, "w_min_bytes", json_real(lab_w_min_bytes(s, -1)));
	json_object_set_new(o, "bpt_bound_us", json_real(lab_bpt_bound_us(s, -1)));
	json_object_set_new(o, "paths", paths(run));
	json_object_set_new(o, "shared_links", shared_links(s));
	json_object_set_new(o, "nats", nats(s));
	json_object_set_new(o, "in_udp", json_boolean(lab_is_in_udp(s)));
	json_object_set_new(o, "encrypted", json_boolean(s->encrypted));
	json_object_set_new(o, "changes", changes(run));
	json_object_set_new(o, "competitors", competitors(s));
	return o;
}
