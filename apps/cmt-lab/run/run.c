/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <usrsctp_cmt_trace.h>

#include "measure/measure.h"
#include "run/competitors.h"
#include "run/endpoints.h"
#include "run/result.h"
#include "scenario/ceiling.h"
#include "scenario/link_keys.h"

/* A transfer gets this many times the time that its best path would need, and no less than the second number:
 * enough for upstream's worst case, retransmission timers that double to a minute. */
#define TIME_LIMIT_FACTOR 60.0
#define TIME_LIMIT_US     300e6

/* Upstream refuses messages beyond this many chunks on the queue; its default of 512 is less than one
 * look-ahead. */
#define MAX_CHUNKS_ON_QUEUE 1000000u

static json_t *start_error(const char *text, int status)
{
	return json_pack("{s:s, s:i}", "error", text, "exit", status);
}

/* With --only-path the network keeps all its paths, so that addresses and path numbers stay the same. */
static void apply_change(struct usrsctp_cmt_sim *sim, void *arg)
{
	const struct lab_change *c = arg;
	struct usrsctp_cmt_sim_link link;
	char why[400];

	for (int d = 0; d < 2; d++) {
		if (c->direction[d] && usrsctp_cmt_sim_get_link(sim, c->link, d, &link) == 0 &&
		    lab_link_set(&link, c->key, c->value, why, sizeof(why)) == 0) {
			usrsctp_cmt_sim_set_link(sim, c->link, d, &link);
		}
	}
}

/* The simulation numbers links as scenarios do. */
static int add_links(struct usrsctp_cmt_sim *sim, const struct lab_run *run)
{
	const struct lab_scenario *s = &run->scenario;

	for (int p = 0; p < s->n_paths; p++) {
		struct usrsctp_cmt_sim_link links[2];

		lab_run_links(run, p, links);
		if (usrsctp_cmt_sim_add_path(sim, &links[0], &links[1]) != p) {
			return -1;
		}
	}
	for (int i = 0; i < s->n_shared; i++) {
		const struct usrsctp_cmt_sim_link *links = s->links[USRSCTP_CMT_SIM_MAX_PATHS + i];

		if (usrsctp_cmt_sim_add_shared_link(sim, &links[0], &links[1]) !=
		    USRSCTP_CMT_SIM_MAX_PATHS + i) {
			return -1;
		}
	}
	for (int p = 0; p < s->n_paths; p++) {
		if (s->via[p] != 0 && usrsctp_cmt_sim_via(sim, p, s->via[p]) != 0) {
			return -1;
		}
	}
	return 0;
}

static int add_nat(struct usrsctp_cmt_sim *sim, const struct lab_scenario *s, int nat)
{
	int number = -1;

	for (int p = 0; p < s->n_paths; p++) {
		for (int host = 0; host < 2; host++) {
			if (s->ends[p][host].nat != nat + 1) {
				continue;
			}
			if (number < 0) {
				number = usrsctp_cmt_sim_add_nat(sim, host, &s->nats[nat].config);
				if (number != nat ||
				    (s->nats[nat].forward != 0 &&
				     (usrsctp_cmt_sim_behind(sim, p, nat) != 0 ||
				      usrsctp_cmt_sim_forward(sim, nat, s->nats[nat].forward, p) != 0))) {
					return -1;
				}
			}
			if (usrsctp_cmt_sim_behind(sim, p, nat) != 0) {
				return -1;
			}
		}
	}
	return 0;
}

/* Addresses that paths share, and what stands in front of them. */
static int add_ends(struct usrsctp_cmt_sim *sim, const struct lab_scenario *s)
{
	for (int p = 0; p < s->n_paths; p++) {
		for (int host = 0; host < 2; host++) {
			int other = lab_end_path(s, p, host);

			if (other != p && usrsctp_cmt_sim_share_address(sim, p, host, other) != 0) {
				return -1;
			}
		}
	}
	for (int nat = 0; nat < s->n_nats; nat++) {
		if (add_nat(sim, s, nat) != 0) {
			return -1;
		}
	}
	return 0;
}

/* What happens to ends of paths, and when; it outlives the simulation. */
struct end_change {
	const struct lab_scenario *s;
	int path, host, nat; /* nat -1: an address */
	bool present;
};

static void apply_end_change(struct usrsctp_cmt_sim *sim, void *arg)
{
	const struct end_change *c = arg;

	if (c->nat >= 0) {
		usrsctp_cmt_sim_rebind_nat(sim, c->nat, c->s->nats[c->nat].new_address);
	} else {
		usrsctp_cmt_sim_set_address(sim, c->host, c->path, c->present);
	}
}

static int schedule(struct usrsctp_cmt_sim *sim, struct end_change *slot, struct end_change c, uint64_t at_us)
{
	*slot = c;
	if (at_us == 0) {
		apply_end_change(sim, slot);
		return 0;
	}
	return usrsctp_cmt_sim_at(sim, at_us, apply_end_change, slot);
}

static int schedule_ends(struct usrsctp_cmt_sim *sim, const struct lab_scenario *s)
{
	static struct end_change changes[LAB_MAX_NATS + 4 * USRSCTP_CMT_SIM_MAX_PATHS];
	unsigned n = 0;

	for (int nat = 0; nat < s->n_nats; nat++) {
		if (s->nats[nat].rebind_us != 0 &&
		    schedule(sim, &changes[n++], (struct end_change){.s = s, .nat = nat},
		             s->nats[nat].rebind_us) != 0) {
			return -1;
		}
	}
	for (int p = 0; p < s->n_paths; p++) {
		for (int host = 0; host < 2; host++) {
			const struct lab_end *end = &s->ends[p][host];
			struct end_change c = {.s = s, .path = p, .host = host, .nat = -1};

			if (end->absent_until_us == 0) {
				continue;
			}
			if (schedule(sim, &changes[n++], c, end->absent_from_us) != 0) {
				return -1;
			}
			c.present = true;
			if (schedule(sim, &changes[n++], c, end->absent_until_us) != 0) {
				return -1;
			}
		}
	}
	return 0;
}

static struct usrsctp_cmt_sim *build_network(const struct lab_run *run)
{
	const struct lab_scenario *s = &run->scenario;
	struct usrsctp_cmt_sim_config config = {
	    .size = sizeof(config), .seed = run->seed, .family = s->family};
	struct usrsctp_cmt_sim *sim = usrsctp_cmt_sim_new(&config);

	if (sim == NULL) {
		return NULL;
	}
	if (add_links(sim, run) != 0 || add_ends(sim, s) != 0 || schedule_ends(sim, s) != 0) {
		return NULL;
	}
	for (unsigned i = 0; i < s->n_changes; i++) {
		/* The run outlives the simulation, and apply_change() only reads. */
		void *change = (void *)(uintptr_t)&s->changes[i];

		if (usrsctp_cmt_sim_at(sim, s->changes[i].at_us, apply_change, change) != 0) {
			return NULL;
		}
	}
	usrsctp_sysctl_set_sctp_max_chunks_on_queue(MAX_CHUNKS_ON_QUEUE);
	return sim;
}

static uint64_t time_limit_us(const struct lab_run *run)
{
	const struct lab_scenario *s = &run->scenario;
	double rate = run->only_path >= 0 ? lab_path_ceiling_bps(s, run->only_path, true)
	                                  : lab_best_path_ceiling_bps(s, true, NULL);
	double ideal = (double)lab_run_bytes(s) * 8e6 / rate;

	if (s->source.kind == LAB_SOURCE_CBR) {
		double paced = (double)s->bytes * 8e6 / (double)s->source.cbr_bps;

		ideal = paced > ideal ? paced : ideal;
	}
	return (uint64_t)((ideal + (double)s->duration_us) * TIME_LIMIT_FACTOR + TIME_LIMIT_US);
}

static json_t *transfer(struct lab_endpoints *e, struct lab_measure *m, struct lab_competitors *c)
{
	json_t *result;

	usrsctp_cmt_sim_run(e->sim, time_limit_us(e->run));
	lab_measure_stop(m);
	if (!e->finished && e->failure.text[0] == '\0') {
		if (e->corrupt) {
			snprintf(e->failure.text, sizeof(e->failure.text),
			         "a byte that was not sent was delivered");
		} else {
			snprintf(e->failure.text, sizeof(e->failure.text),
			         "not finished within the time limit of %.0f s",
			         (double)time_limit_us(e->run) / 1e6);
		}
	}
	result = lab_result(e, m, c);
	lab_competitors_abort(c);
	lab_endpoints_close(e);
	lab_competitors_free(c);
	return result;
}

/* Everything after the network stands. */
static json_t *run_on(struct usrsctp_cmt_sim *sim, const struct lab_run *run, lab_progress *progress,
                      const struct lab_measure_files *files)
{
	static struct lab_endpoints endpoints;
	static struct lab_measure measure;
	struct lab_competitors competitors = {.n = 0};
	struct lab_error error = {.text = ""};
	char why[400];
	json_t *result = NULL;

	if (run->pcap[0] != '\0' && usrsctp_cmt_sim_pcap(sim, run->pcap) != 0) {
		snprintf(why, sizeof(why), "--pcap %s: %s", run->pcap, strerror(errno));
		return start_error(why, 2);
	}
	endpoints = (struct lab_endpoints){.sim = sim, .run = run, .measure = &measure, .progress = progress};
	usrsctp_cmt_sim_on_address(sim, lab_endpoints_on_address, &endpoints);
	lab_measure_start(&measure, sim, run, files);
	if (lab_endpoints_open(&endpoints) != 0) {
		error = endpoints.failure;
	} else if (lab_competitors_open(&competitors, sim, run, &measure, &error) == 0) {
		result = transfer(&endpoints, &measure, &competitors);
	}
	if (error.text[0] != '\0') {
		lab_measure_stop(&measure);
		lab_competitors_abort(&competitors);
		lab_endpoints_close(&endpoints);
		lab_competitors_free(&competitors);
		result = start_error(error.text, 2);
	}
	lab_measure_free(&measure);
	return result;
}

/* NULL where no name is given, or, with a reason, on failure. */
static FILE *open_output(const char *name, const char *option, char *why, size_t why_bytes)
{
	FILE *file = name[0] == '\0' ? NULL : fopen(name, "w");

	if (name[0] != '\0' && file == NULL) {
		snprintf(why, why_bytes, "%s %s: %s", option, name, strerror(errno));
	}
	return file;
}

static void close_output(FILE *file, const char *name, const char *option)
{
	if (file != NULL && fclose(file) != 0) {
		fprintf(stderr, "cmt-lab: %s %s: %s\n", option, name, strerror(errno));
	}
}

json_t *lab_run_here(const struct lab_run *run, lab_progress *progress)
{
	struct usrsctp_cmt_sim *sim;
	char why[400] = "", keys_file[LAB_KEYS_FILE_BYTES];
	struct lab_measure_files files = {.trace = open_output(run->trace, "--trace", why, sizeof(why)),
	                                  .packets = open_output(run->packets, "-d", why, sizeof(why))};
	json_t *result;

	lab_run_keys_file(run, keys_file);
	files.keys = open_output(keys_file, "--pcap", why, sizeof(why));
	if (why[0] != '\0') {
		result = start_error(why, 2);
	} else if (run->qlog[0] != '\0' && usrsctp_cmt_qlog_open(run->qlog, run->scenario.name) != 0) {
		snprintf(why, sizeof(why), "--qlog %s: %s", run->qlog, strerror(errno));
		result = start_error(why, 2);
	} else if ((sim = build_network(run)) == NULL) {
		snprintf(why, sizeof(why), "cannot set up the network: %s", strerror(errno));
		result = start_error(why, 2);
	} else {
		result = run_on(sim, run, progress, &files);
		usrsctp_cmt_sim_on_address(sim, NULL, NULL);
		usrsctp_cmt_sim_free(sim);
	}
	if (usrsctp_cmt_qlog_close() != 0) {
		fprintf(stderr, "cmt-lab: --qlog %s: %s\n", run->qlog, strerror(errno));
	}
	close_output(files.trace, run->trace, "--trace");
	close_output(files.packets, run->packets, "-d");
	close_output(files.keys, keys_file, "--pcap");
	return result;
}
