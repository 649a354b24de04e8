/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench_associations.c - many senders at one cmt-recv: bench_associations CMT_RECV [COUNT...]
 *
 * For each COUNT (100, 1000, 10000) opens that many associations that say nothing, measures how fast they
 * come, by the receiver's processor time, how much the receiver grows by each and how much processor time it
 * takes while nothing is said, and then, up to 1000, sends a small file over each. Prints the numbers. Exit
 * status 1 when an idle association costs the receiver more than 32 KiB or 1 in 10000 of a processor, or when
 * not every file arrives verified; 3 when set-up at the last COUNT is less than half as fast as at the first
 * (times.h). */
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <event2/event.h>

#include "loop/wall_clock.h"
#include "options/shared_options.h"
#include "options/transport_options.h"
#include "sender.h"
#include "times.h"

#define FILE_BYTES   20000
#define FILES_MAX    1000
#define IDLE_MAX_KIB 32
#define IDLE_MAX_CPU 1e-4 /* of one processor */
#define SETTLE_S     2    /* heartbeats confirm the paths */
#define IDLE_S       5
#define IDLE_LONG_S  35 /* of many: as long as the interval between heartbeats */
#define WATCHDOG_S   300
#define COUNTS_MAX   8
#define ATTEMPTS     4 /* of the set-up rate */

static const unsigned usual_counts[] = {100, 1000, 10000};

/* Shared with the process that measures one count. */
struct outcome {
	double per_s; /* of processor time */
	long kib;     /* of the receiver with all idle */
	bool good;
};

struct bench {
	struct event_base *base;
	unsigned count, connected, ended, verified;
	struct entries *entries;
	struct sender **senders;
	char folder[64];
	pid_t receiver;
	bool only_set_up; /* measure nothing else */
};

static struct bench bench;

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void clean_up(void)
{
	if (bench.receiver > 0) {
		kill(bench.receiver, SIGTERM);
		waitpid(bench.receiver, NULL, 0);
	}
	if (bench.folder[0] != '\0') {
		nftw(bench.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	}
}

static void fail(const char *what)
{
	fprintf(stderr, "bench_associations: %s\n", what);
	exit(1);
}

static void on_alarm(int number)
{
	(void)number;
	kill(bench.receiver, SIGKILL);
	_exit(1);
}

/* Of the receiver, from /proc. */
static long resident_kib(void)
{
	char path[64], line[200];
	long kib = -1;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)bench.receiver);
	status = fopen(path, "r");
	while (status != NULL && fgets(line, sizeof(line), status) != NULL) {
		if (sscanf(line, "VmRSS: %ld kB", &kib) == 1) {
			break;
		}
	}
	if (status != NULL) {
		fclose(status);
	}
	return kib;
}

/* Processor time of a process, s. */
static double cpu_s(pid_t pid)
{
	struct timespec t;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) {
		fail("the receiver is gone");
	}
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Returns when it listens. */
static void start_receiver(char *program, char *addresses)
{
	char *const argv[] = {program,
	                      (char *)"--insecure", /* bench_idle has both */
	                      (char *)"--bind",
	                      addresses,
	                      (char *)"-d",
	                      bench.folder,
	                      (char *)"--timeout",
	                      (char *)"600s",
	                      NULL};
	char line[200] = "";
	int ends[2];
	FILE *errors;

	if (pipe(ends) != 0 || (bench.receiver = fork()) < 0) {
		fail("cannot start a process");
	}
	if (bench.receiver == 0) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		execv(program, argv);
		_exit(127);
	}
	close(ends[1]);
	errors = fdopen(ends[0], "r");
	while (errors != NULL && strstr(line, "listening") == NULL &&
	       fgets(line, sizeof(line), errors) != NULL) {
	}
	if (strstr(line, "listening") == NULL) {
		fail(line[0] != '\0' ? line : "cmt-recv does not start");
	}
	/* What it says about every transfer goes nowhere, without stopping it. */
	if (fork() == 0) {
		while (fgets(line, sizeof(line), errors) != NULL) {
		}
		_exit(0);
	}
	fclose(errors);
}

static void on_connected(struct sender *sender, void *arg)
{
	(void)sender;
	(void)arg;
	if (++bench.connected == bench.count) {
		event_base_loopexit(bench.base, &(struct timeval){SETTLE_S, 0});
	}
}

static void on_say(const char *text, void *arg)
{
	(void)arg;
	fprintf(stderr, "bench_associations: %s\n", text);
}

static void on_ended(struct sender *sender, void *arg)
{
	const struct transfer_report *report = sender_report(sender);

	(void)arg;
	bench.verified += report->error.text[0] == '\0' && report->files == 1 && report->bytes == FILE_BYTES;
	if (++bench.ended == bench.count) {
		event_base_loopbreak(bench.base);
	}
}

static void skip(const char *text, bool wanted, void *arg)
{
	(void)wanted;
	(void)arg;
	fail(text);
}

static void open_all(struct usrsctp_cmt_event *ev, const struct app_addresses *peer,
                     const struct usrsctp_cmt_conn_config *conn, const char *source)
{
	struct app_error error;
	char name[32];

	bench.entries = calloc(bench.count, sizeof(*bench.entries));
	bench.senders = calloc(bench.count, sizeof(struct sender *));
	if (bench.entries == NULL || bench.senders == NULL) {
		fail("no memory");
	}
	for (unsigned i = 0; i < bench.count; i++) {
		const struct sender_config config = {.base = bench.base,
		                                     .ev = ev,
		                                     .peer = peer,
		                                     .conn = conn,
		                                     .entries = &bench.entries[i],
		                                     .hold = true,
		                                     .msg_bytes = 1400,
		                                     .timeout_us = 60000000,
		                                     .connected = on_connected,
		                                     .say = on_say,
		                                     .ended = on_ended};

		snprintf(name, sizeof(name), "file-%u", i);
		if (entries_add(&bench.entries[i], source, name, skip, NULL, &error) != 0 ||
		    entries_complete(&bench.entries[i], &error) != 0 ||
		    (bench.senders[i] = sender_new(&config, &error)) == NULL) {
			fail(error.text);
		}
	}
}

static void make_source(char *path, size_t path_bytes)
{
	FILE *file;

	snprintf(bench.folder, sizeof(bench.folder), "/tmp/bench-associations-XXXXXX");
	if (mkdtemp(bench.folder) == NULL) {
		bench.folder[0] = '\0';
		fail("cannot make a folder");
	}
	snprintf(path, path_bytes, "%s/source", bench.folder);
	file = fopen(path, "w");
	for (int i = 0; file != NULL && i < FILE_BYTES; i++) {
		putc(i * 31 >> 3 & 0xff, file);
	}
	if (file == NULL || fclose(file) != 0) {
		fail("cannot write the source");
	}
}

static void addresses_of_this_process(char *local, char *remote, size_t bytes)
{
	int net = (int)getpid() / 200 % 128, host = 1 + (int)getpid() % 200;

	snprintf(local, bytes, "127.%d.%d.1,127.%d.%d.3", 64 + net, host, 64 + net, host);
	snprintf(remote, bytes, "127.%d.%d.2,127.%d.%d.4", 64 + net, host, 64 + net, host);
}

static void send_files(void)
{
	const uint64_t from_us = app_wall_clock_us();

	for (unsigned i = 0; i < bench.count; i++) {
		sender_go(bench.senders[i]);
	}
	event_base_dispatch(bench.base);
	printf("files verified         %u of %u in %.2f s\n", bench.verified, bench.count,
	       (double)(app_wall_clock_us() - from_us) / 1e6);
}

static struct outcome run(struct usrsctp_cmt_event *ev, const struct app_addresses *peer,
                          const struct usrsctp_cmt_conn_config *conn, const char *source)
{
	const uint64_t started_us = app_wall_clock_us();
	const double before_s = cpu_s(bench.receiver);
	const int idle_s = bench.count > FILES_MAX ? IDLE_LONG_S : IDLE_S;
	const long before_kib = resident_kib();
	struct outcome o = {.good = false};
	double connected_s, connected_cpu_s, each_kib, each_cpu;
	long idle_kib;

	open_all(ev, peer, conn, source);
	event_base_dispatch(bench.base);
	connected_s = (double)(app_wall_clock_us() - started_us) / 1e6 - SETTLE_S;
	idle_kib = resident_kib();
	o.kib = idle_kib;
	each_kib = (double)(idle_kib - before_kib) / bench.count;
	connected_cpu_s = cpu_s(bench.receiver);
	o.per_s = bench.connected / (connected_cpu_s - before_s);
	if (bench.only_set_up) {
		o.good = bench.connected == bench.count;
		return o;
	}
	event_base_loopexit(bench.base, &(struct timeval){idle_s, 0});
	event_base_dispatch(bench.base);
	each_cpu = (cpu_s(bench.receiver) - connected_cpu_s) / idle_s / bench.count;
	printf("associations           %u of %u in %.2f s, %.0f per second of processor time\n",
	       bench.connected, bench.count, connected_s, o.per_s);
	printf("receiver when empty    %ld KiB\n", before_kib);
	printf("receiver with all idle %ld KiB: %.1f KiB each\n", idle_kib, each_kib);
	printf("processor time idle    %.1f us per second and association, at most %.0f\n", each_cpu * 1e6,
	       IDLE_MAX_CPU * 1e6);
	if (bench.count <= FILES_MAX) {
		send_files();
	}
	o.good = bench.connected == bench.count && each_cpu <= IDLE_MAX_CPU &&
	         (bench.count > FILES_MAX || bench.verified == bench.count);
	return o;
}

static struct outcome measure(char *receiver, unsigned count)
{
	struct app_transport transport;
	struct usrsctp_cmt_conn_config conn;
	struct usrsctp_cmt_event *ev;
	struct app_addresses peer = {.n = 0};
	struct app_error error;
	char source[128], local[80], remote[80];
	struct outcome o;

	bench.count = count;
	atexit(clean_up);
	signal(SIGALRM, on_alarm);
	alarm(WATCHDOG_S);
	app_raise_descriptor_limit();
	make_source(source, sizeof(source));
	addresses_of_this_process(local, remote, sizeof(local));
	start_receiver(receiver, remote);
	app_transport_init(&transport);
	bench.base = event_base_new();
	if (app_addresses_add(&transport.bind, local, 0, false, &error) != 0 ||
	    app_addresses_add(&peer, remote, transport.port, false, &error) != 0 ||
	    (ev = app_transport_open(&transport, bench.base, &error)) == NULL) {
		fail(error.text);
	}
	conn = app_transport_conn_config(&transport);
	o = run(ev, &peer, &conn, source);
	for (unsigned i = 0; i < bench.count; i++) {
		sender_free(bench.senders[i]);
		entries_free(&bench.entries[i]);
	}
	free(bench.senders);
	free(bench.entries);
	usrsctp_cmt_event_free(ev);
	event_base_free(bench.base);
	return o;
}

/* Each count in a process of its own: what one leaves in memory does not help the next. */
static struct outcome measure_apart(char *receiver, unsigned count)
{
	struct outcome o = {.good = false};
	int ends[2];
	pid_t child;

	fflush(NULL);
	if (pipe(ends) != 0 || (child = fork()) < 0) {
		fail("cannot start a process");
	}
	if (child == 0) {
		o = measure(receiver, count);
		exit(write(ends[1], &o, sizeof(o)) == sizeof(o) ? 0 : 1);
	}
	close(ends[1]);
	if (read(ends[0], &o, sizeof(o)) != sizeof(o)) {
		o.good = false;
	}
	close(ends[0]);
	waitpid(child, NULL, 0);
	return o;
}

/* Who else uses the machine empties its caches and cuts batches short: a rate comes out too low, never too
 * high. */
static void measure_set_up_again(char *receiver, unsigned count, struct outcome *o)
{
	struct outcome again;

	bench.only_set_up = true;
	again = measure_apart(receiver, count);
	bench.only_set_up = false;
	printf("set-up of %u again: %.0f per second of processor time\n", count, again.per_s);
	o->good &= again.good;
	if (again.good && again.per_s > o->per_s) {
		o->per_s = again.per_s;
	}
}

static bool is_set_up_fast(char *receiver, unsigned n_first, struct outcome *first, unsigned n_last,
                           struct outcome *last)
{
	for (int left = ATTEMPTS - 1; left > 0 && last->per_s * 2 < first->per_s; left--) {
		measure_set_up_again(receiver, n_first, first);
		measure_set_up_again(receiver, n_last, last);
	}
	printf("set-up rate, last to first: %.2f, at least 0.5\n", last->per_s / first->per_s);
	return last->per_s * 2 >= first->per_s;
}

int main(int argc, char **argv)
{
	struct outcome o, first = {.good = false};
	unsigned counts[COUNTS_MAX], n = 0;
	bool good = true, fast = true;

	if (argc < 2 || argc - 2 > COUNTS_MAX) {
		fail("usage: bench_associations CMT_RECV [COUNT...]");
	}
	for (int i = 2; i < argc; i++) {
		counts[n++] = (unsigned)strtoul(argv[i], NULL, 10);
	}
	for (; argc == 2 && n < sizeof(usual_counts) / sizeof(usual_counts[0]); n++) {
		counts[n] = usual_counts[n];
	}
	for (unsigned i = 0; i < n; i++) {
		o = measure_apart(argv[1], counts[i]);
		good &= o.good;
		if (i == 0) {
			first = o;
		}
	}
	if (n > 1) {
		/* What the receiver has but once does not count. */
		double each_kib = (double)(o.kib - first.kib) / (counts[n - 1] - counts[0]);

		printf("each further one       %.1f KiB, at most %d\n", each_kib, IDLE_MAX_KIB);
		good &= each_kib <= IDLE_MAX_KIB;
		fast = is_set_up_fast(argv[1], counts[0], &first, counts[n - 1], &o);
		good &= first.good && o.good;
	}
	return good ? report_times(fast) : 1;
}
