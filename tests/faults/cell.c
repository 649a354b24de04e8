/* SPDX-License-Identifier: BSD-3-Clause */
#include "cell.h"

#include <stdarg.h>

#include "isolate.h"
#include "transfer_parts.h"

/* An end that only listens finds out by ten HEARTBEATs, each up to a minute and a half apart. */
static const uint64_t TOLD_LIMIT_US = UINT64_C(3600000000);

enum { MESSAGES = 400, MESSAGES_UNDER_WAY = 1500, ANSWERS = 10, SAMPLES = 40, SAMPLE_US = 500000 };

/* Of the child process. */
static const struct cell *running;

/* Fragments, whole packets and small messages on four streams. */
static struct transfer_message mixed(int host, uint32_t index)
{
	const uint32_t sizes[6] = {1000, 1452, 100, 3000, 1000, 20};

	(void)host;
	return (struct transfer_message){
	    .bytes = sizes[index % 6], .stream = (uint16_t)(index % 4), .unordered = index % 5 == 0};
}

/* What happens under way must meet a transfer that lasts. */
static uint32_t messages_of(const struct fault *f)
{
	return f->links != NULL && f->on_up == NULL ? MESSAGES : MESSAGES_UNDER_WAY;
}

static void configure(struct socket *so)
{
	/* Upstream counts the errors of all paths together and gives up after ten. */
	struct sctp_assocparams params = {.sasoc_asocmaxrxt = 40};
	struct sctp_assoc_value extension = {.assoc_value = running->extension};

	if (running->fault->end == FAULT_DELIVERS)
		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_ASSOCINFO, &params, sizeof(params)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_EXTENSION, &extension, sizeof(extension)) == 0);
}

/* The statistics end with the association: illegal decisions have to be seen before. `marks[1]` counts. */
static void sample(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	(void)sim;
	if (!t->shut)
		transfer_sample_statistics(t);
	if (++t->outcome->marks[1] < SAMPLES)
		transfer_after(t, SAMPLE_US, sample);
}

static void start(struct transfer *t)
{
	if (running->fault->on_up != NULL)
		running->fault->on_up(t);
	transfer_after(t, SAMPLE_US, sample);
}

static void transfer_with_fault(const void *job, void *outcome)
{
	const struct cell *c = job;
	const struct fault *f = c->fault;
	struct transfer_job transfer = {.scheduler = c->scheduler,
	                                .family = c->family,
	                                .seed = c->seed,
	                                .n_paths = c->n_paths,
	                                .message = mixed,
	                                .n_messages = {messages_of(f), ANSWERS},
	                                .configure = configure,
	                                .on_up = start,
	                                .rcvbuf_bytes = f->rcvbuf_bytes,
	                                .limit_us = TOLD_LIMIT_US,
	                                .clock_skew_ppm = {0, f->server_skew_ppm}};

	running = c;
	for (int p = 0; p < c->n_paths; p++) {
		transfer.links[p] = (struct usrsctp_cmt_sim_link){.rate_bps = 4000000u / (1u + (unsigned)p),
		                                                  .delay_us = 5000u + 15000u * (unsigned)p,
		                                                  .queue_pkts = 100};
		if (f->links != NULL)
			f->links(&transfer.links[p]);
	}
	transfer_in_process(&transfer, outcome);
}

void cell_name(const struct cell *c, char *out, size_t out_bytes)
{
	(void)snprintf(out, out_bytes, "%s/%d/%s/%d/%s/%llu", c->fault->name, c->n_paths,
	               c->extension ? "on" : "off", c->family == AF_INET6 ? 6 : 4, c->scheduler,
	               (unsigned long long)c->seed);
}

__attribute__((format(printf, 2, 3))) static void blame(struct cell_verdict *v, const char *format, ...)
{
	va_list arguments;

	if (!v->passed)
		return;
	v->passed = false;
	va_start(arguments, format);
	(void)vsnprintf(v->why, sizeof(v->why), format, arguments);
	va_end(arguments);
}

static const char *end_name(enum transfer_end end)
{
	switch (end) {
	case TRANSFER_OPEN: return "was told nothing";
	case TRANSFER_CLOSED: return "read an orderly end";
	case TRANSFER_FAILED: return "read an error";
	case TRANSFER_KILLED: return "was killed";
	}
	return "?";
}

static bool is_complete(const struct fault *f, const struct transfer_outcome *o)
{
	return o->missing[0] == 0 && o->missing[1] == 0 && o->handed[0] == messages_of(f) &&
	       o->handed[1] == ANSWERS;
}

/* To the only address of a peer without the extension upstream's recovery and limits are in force. */
static bool is_plain(const struct cell *c)
{
	return !c->extension && c->n_paths == 1;
}

static void judge_end(struct cell_verdict *v, const struct cell *c, const struct transfer_outcome *o)
{
	const struct fault *const f = c->fault;
	const enum transfer_end client = o->end[TRANSFER_CLIENT], server = o->end[TRANSFER_SERVER];
	bool good = false;

	switch (f->end) {
	case FAULT_DELIVERS:
		if (f->outlasts_plain && is_plain(c) && client == TRANSFER_FAILED &&
		    server == TRANSFER_FAILED)
			return;
		if (!is_complete(f, o))
			blame(v, "handed over %u and %u, missing %u and %u", o->handed[0], o->handed[1],
			      o->missing[0], o->missing[1]);
		/* Who sends SHUTDOWN-COMPLETE is gone when that is lost; the other one then finds nobody. */
		good = client == TRANSFER_CLOSED && server != TRANSFER_OPEN;
		break;
	case FAULT_TELLS_BOTH: good = client == TRANSFER_FAILED && server == TRANSFER_FAILED; break;
	case FAULT_TELLS_CLIENT: good = client == TRANSFER_FAILED; break;
	case FAULT_TELLS_SERVER: good = server == TRANSFER_FAILED; break;
	}
	if (!good)
		blame(v, "the client %s, the server %s", end_name(client), end_name(server));
}

static void judge(struct cell_verdict *v, const struct cell *c, const struct transfer_outcome *o)
{
	const struct fault *f = c->fault;

	if (o->wrong != 0)
		blame(v, "%u wrong, the first: %s", o->wrong, o->first_wrong);
	if (o->passed_unsent != 0)
		blame(v, "FORWARD-TSN passed %u TSNs before they were sent", o->passed_unsent);
	for (int host = 0; host < 2; host++) {
		if (o->stats[host].illegal_decisions != 0)
			blame(v, "%llu illegal decisions of host %d",
			      (unsigned long long)o->stats[host].illegal_decisions, host);
		if (o->end[host] == TRANSFER_CLOSED && !is_complete(f, o))
			blame(v, "host %d read an orderly end of an incomplete transfer", host);
	}
	judge_end(v, c, o);
	if (f->gap_bound_from != 0 && c->n_paths >= f->gap_bound_from && o->longest_gap_us > FAULT_GAP_MAX_US)
		blame(v, "nothing was delivered for %.3f s", (double)o->longest_gap_us / 1e6);
}

struct cell_verdict cell_run(const struct cell *c)
{
	struct cell_verdict v = {.passed = true};
	struct transfer_outcome o;

	if (!isolate_ends_well(transfer_with_fault, c, &o, sizeof(o), CELL_HANGS_SECONDS))
		blame(&v, "crashed, leaked, hung, or said above what does not hold");
	else
		judge(&v, c, &o);
	v.gap_us = o.longest_gap_us;
	v.finish_us = c->fault->end == FAULT_DELIVERS ? o.last_us : o.ended_us;
	return v;
}
