/* SPDX-License-Identifier: BSD-3-Clause */
#include "faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "isolate.h"

/* An end that only listens finds out by ten HEARTBEATs, each up to a minute and a half apart. */
static const uint64_t DEAD_LIMIT_US = UINT64_C(3600000000);

/* Cases that have begun and not passed: at most one. */
static struct fault_case running;
static bool is_running;

static void lose_1_percent(struct usrsctp_cmt_sim_link *l)
{
	l->loss = 0.01;
}

static void lose_5_percent(struct usrsctp_cmt_sim_link *l)
{
	l->loss = 0.05;
}

static void duplicate(struct usrsctp_cmt_sim_link *l)
{
	l->duplicate = 0.1;
}

static void reorder(struct usrsctp_cmt_sim_link *l)
{
	l->reorder = 0.1;
	l->reorder_us = 30000;
}

static void corrupt(struct usrsctp_cmt_sim_link *l)
{
	l->corrupt = 0.01;
}

static void everything(struct usrsctp_cmt_sim_link *l)
{
	lose_5_percent(l);
	duplicate(l);
	reorder(l);
	corrupt(l);
}

static void lose_in_bursts(struct usrsctp_cmt_sim_link *l)
{
	l->ge_bad = 0.01;
	l->ge_good = 0.2;
	l->ge_loss_bad = 0.7;
}

/* --- faults under way; `marks[0]` counts steps ------------------------------------------------------------
 */

static void flap(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;
	uint64_t turn = t->outcome->marks[0]++;

	(void)sim;
	if (turn >= 12)
		return;
	transfer_set_down(t, (int)(turn / 2) % t->job->n_paths, turn % 2 == 0);
	transfer_after(t, 150000 + turn * 20000, flap);
}

static void start_flapping(struct transfer *t)
{
	transfer_after(t, 50000, flap);
}

static void set_mtu(struct transfer *t, uint32_t mtu_bytes)
{
	for (int path = 0; path < t->job->n_paths; path++) {
		struct usrsctp_cmt_sim_link link;

		REQUIRE(usrsctp_cmt_sim_get_link(t->sim, path, 0, &link) == 0);
		link.mtu_bytes = mtu_bytes;
		REQUIRE(usrsctp_cmt_sim_set_link(t->sim, path, 0, &link) == 0);
	}
}

/* The first path only: with one path nothing of full size gets through any more. */
static void drop_mtu(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;
	struct usrsctp_cmt_sim_link link;

	REQUIRE(usrsctp_cmt_sim_get_link(sim, 0, 0, &link) == 0);
	link.mtu_bytes = 900;
	REQUIRE(usrsctp_cmt_sim_set_link(sim, 0, 0, &link) == 0);
	t->outcome->marks[0]++;
}

static void drop_mtu_soon(struct transfer *t)
{
	transfer_after(t, 60000, drop_mtu);
}

static void restore_mtu(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	set_mtu(arg, 0);
}

static void drop_mtu_for_a_while(struct transfer *t)
{
	drop_mtu_soon(t);
	transfer_after(t, 2500000, restore_mtu);
}

static void resume(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_resume(arg, TRANSFER_SERVER);
}

static void stall(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_pause(arg, TRANSFER_SERVER);
	transfer_after(arg, 5000000, resume);
}

static void stall_the_reader(struct transfer *t)
{
	transfer_after(t, 60000, stall);
}

static void set_all_down(struct transfer *t, bool down)
{
	for (int path = 0; path < t->job->n_paths; path++)
		transfer_set_down(t, path, down);
}

static void all_down(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	set_all_down(arg, true);
}

static void all_up(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	set_all_down(arg, false);
}

static void fail_all_for_3_s(struct transfer *t)
{
	transfer_after(t, 60000, all_down);
	transfer_after(t, 3060000, all_up);
}

static void fail_all_for_good(struct transfer *t)
{
	transfer_after(t, 60000, all_down);
}

/* --- the list ---------------------------------------------------------------------------------------------
 */

static const struct fault {
	const char *name;
	void (*links)(struct usrsctp_cmt_sim_link *link);
	void (*on_up)(struct transfer *t);
	bool is_fatal; /* no association survives it */
	int rcvbuf_bytes;
} faults[] = {
    {.name = "loss1", .links = lose_1_percent},
    {.name = "loss5", .links = lose_5_percent},
    {.name = "duplicate", .links = duplicate},
    {.name = "reorder", .links = reorder},
    {.name = "corrupt", .links = corrupt},
    {.name = "all", .links = everything},
    {.name = "bursts", .links = lose_in_bursts},
    {.name = "flapping", .on_up = start_flapping},
    {.name = "mtu", .on_up = drop_mtu_for_a_while},
    {.name = "stall", .on_up = stall_the_reader, .rcvbuf_bytes = 20000},
    {.name = "stall-loss", .links = lose_5_percent, .on_up = stall_the_reader, .rcvbuf_bytes = 20000},
    {.name = "outage", .on_up = fail_all_for_3_s},
    {.name = "dead", .on_up = fail_all_for_good, .is_fatal = true},
};
enum { N_FAULTS = sizeof(faults) / sizeof(faults[0]) };

const char *faults_name(unsigned i)
{
	return i < N_FAULTS ? faults[i].name : NULL;
}

/* Fragments, whole packets and small messages on four streams. */
static struct transfer_message mixed(int host, uint32_t index)
{
	const uint32_t sizes[6] = {1000, 1452, 100, 3000, 1000, 20};

	(void)host;
	return (struct transfer_message){
	    .bytes = sizes[index % 6], .stream = (uint16_t)(index % 4), .unordered = index % 5 == 0};
}

/* Upstream counts the errors of all paths together and gives up after ten: eight paths that fail at once
 * would end an association within two timeouts. */
static void be_patient(struct socket *so)
{
	struct sctp_assocparams params = {.sasoc_asocmaxrxt = 40};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_ASSOCINFO, &params, sizeof(params)) == 0);
}

static struct transfer_job job_of(const struct fault_case *c, const struct fault *f)
{
	struct transfer_job job = {.scheduler = c->scheduler,
	                           .family = c->family,
	                           .seed = c->seed,
	                           .n_paths = c->n_paths,
	                           .message = mixed,
	                           .n_messages = {60, 10},
	                           .on_up = f->on_up,
	                           .rcvbuf_bytes = f->rcvbuf_bytes};

	if (f->on_up != NULL)
		job.n_messages[TRANSFER_CLIENT] = 400;
	if (!f->is_fatal)
		job.configure = be_patient;
	else
		job.limit_us = DEAD_LIMIT_US;
	for (int p = 0; p < c->n_paths; p++) {
		job.links[p] = (struct usrsctp_cmt_sim_link){.rate_bps = 4000000u / (1u + (unsigned)p),
		                                             .delay_us = 5000u + 15000u * (unsigned)p,
		                                             .queue_pkts = 100};
		if (f->links != NULL)
			f->links(&job.links[p]);
	}
	return job;
}

static void assert_both_told(const struct transfer_outcome *o)
{
	assert_int_equal(o->wrong, 0);
	assert_int_equal(o->end[TRANSFER_CLIENT], TRANSFER_FAILED);
	assert_int_equal(o->end[TRANSFER_SERVER], TRANSFER_FAILED);
}

void faults_run(const struct fault_case *c)
{
	const struct fault *f = faults;
	struct transfer_outcome o;
	struct transfer_job job;

	while (strcmp(f->name, c->fault) != 0)
		f++;
	running = *c;
	is_running = true;
	job = job_of(c, f);
	/* The seed is part of the line that a failure prints. */
	isolate_run(transfer_in_process, &job, &o, sizeof(o));
	if (f->is_fatal)
		assert_both_told(&o);
	else
		transfer_assert_delivered(&job, &o);
	is_running = false;
}

void faults_run_matrix(const struct fault_matrix *m)
{
	const int families[2] = {AF_INET, AF_INET6};

	for (unsigned f = m->first_fault; f < m->first_fault + m->n_faults; f++) {
		for (const char *const *s = m->schedulers; *s != NULL; s++) {
			for (const int *n = m->path_counts; *n != 0; n++) {
				for (uint64_t i = 0; i < 2 * m->n_seeds; i++)
					faults_run(&(struct fault_case){.scheduler = *s,
					                                .fault = faults[f].name,
					                                .family = families[i % 2],
					                                .n_paths = *n,
					                                .seed = 1 + i / 2});
			}
		}
	}
}

int faults_report(void **state)
{
	(void)state;
	if (is_running)
		print_error("seed %llu failed; reproduce by the arguments: %s %s %d %d %llu\n",
		            (unsigned long long)running.seed, running.scheduler, running.fault,
		            running.family == AF_INET6 ? 6 : 4, running.n_paths,
		            (unsigned long long)running.seed);
	is_running = false;
	return 0;
}

static struct fault_case argument;

static void the_case_of_the_command_line(void **state)
{
	(void)state;
	faults_run(&argument);
}

int faults_run_arguments(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(the_case_of_the_command_line, faults_report)};
	unsigned f = 0;

	while (argc == 6 && f < N_FAULTS && strcmp(faults[f].name, argv[2]) != 0)
		f++;
	if (argc != 6 || f == N_FAULTS || atoi(argv[4]) < 1 || atoi(argv[4]) > USRSCTP_CMT_SIM_MAX_PATHS) {
		fprintf(stderr, "%s: arguments are SCHEDULER FAULT 4|6 PATHS SEED; faults:", argv[0]);
		for (f = 0; f < N_FAULTS; f++)
			fprintf(stderr, " %s", faults[f].name);
		fprintf(stderr, "\n");
		return 2;
	}
	argument = (struct fault_case){.scheduler = argv[1],
	                               .fault = faults[f].name,
	                               .family = argv[3][0] == '6' ? AF_INET6 : AF_INET,
	                               .n_paths = atoi(argv[4]),
	                               .seed = strtoull(argv[5], NULL, 10)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
