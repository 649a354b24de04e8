/* SPDX-License-Identifier: BSD-3-Clause */
#include "batch/jobs.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/samples.h"
#include "loop/progress.h"
#include "loop/wall_clock.h"

#define PARALLEL_RUNS 2
#define POLL_MS       100
#define WATCHDOG_US   (UINT64_C(900) * 1000000) /* of wall time; a slow sanitizer build needs some */

struct worker {
	struct lab_job *job; /* NULL = idle */
	pid_t pid;
	int fd;
	uint64_t started_us;
	char *text; /* what the child wrote so far */
	size_t text_bytes;
	lab_progress *progress;
};

static json_t *failed(const char *why)
{
	return json_pack("{s:s, s:i}", "error", why, "exit", 1);
}

static void run_in_child(const struct lab_run *run, int fd, lab_progress *progress)
{
	json_t *result = lab_run_here(run, progress);
	FILE *out = fdopen(fd, "w");

	if (out == NULL || json_dumpf(result, out, JSON_COMPACT) != 0 || fclose(out) != 0) {
		exit(1);
	}
	exit(0);
}

static void start(struct worker *w, struct lab_job *job)
{
	int fds[2];

	*w->progress = 0;
	w->text = NULL;
	w->text_bytes = 0;
	w->started_us = app_wall_clock_us();
	fflush(NULL);
	if (pipe(fds) != 0) {
		job->result = failed(strerror(errno));
		return;
	}
	w->pid = fork();
	if (w->pid < 0) {
		close(fds[0]);
		close(fds[1]);
		job->result = failed(strerror(errno));
		return;
	}
	if (w->pid == 0) {
		close(fds[0]);
		run_in_child(&job->run, fds[1], w->progress);
	}
	close(fds[1]);
	w->fd = fds[0];
	w->job = job;
}

static void finish(struct worker *w)
{
	json_error_t why;
	char text[160];
	int status = 0;

	close(w->fd);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) {
	}
	w->job->result = w->text_bytes == 0 ? NULL : json_loadb(w->text, w->text_bytes, 0, &why);
	if (w->job->result == NULL) {
		if (WIFSIGNALED(status)) {
			snprintf(text, sizeof(text), "the run of %.64s ended by signal %d",
			         w->job->run.scheduler, WTERMSIG(status));
		} else {
			snprintf(text, sizeof(text), "the run of %.64s ended with status %d and no result",
			         w->job->run.scheduler, WEXITSTATUS(status));
		}
		w->job->result = failed(text);
	}
	free(w->text);
	w->job = NULL;
}

static void read_some(struct worker *w)
{
	char piece[65536];
	ssize_t n = read(w->fd, piece, sizeof(piece));

	if (n > 0) {
		w->text = lab_grow(w->text, w->text_bytes + (size_t)n, 1);
		memcpy(w->text + w->text_bytes, piece, (size_t)n);
		w->text_bytes += (size_t)n;
	} else if (n == 0 || errno != EINTR) {
		finish(w);
	}
}

static void wait_for_workers(struct worker *workers)
{
	struct pollfd fds[PARALLEL_RUNS];

	for (int i = 0; i < PARALLEL_RUNS; i++) {
		fds[i] = (struct pollfd){.fd = workers[i].job == NULL ? -1 : workers[i].fd, .events = POLLIN};
	}
	poll(fds, PARALLEL_RUNS, POLL_MS);
	for (int i = 0; i < PARALLEL_RUNS; i++) {
		if (workers[i].job == NULL) {
			continue;
		}
		if (app_wall_clock_us() - workers[i].started_us > WATCHDOG_US) {
			kill(workers[i].pid, SIGKILL);
		}
		if ((fds[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
			read_some(&workers[i]);
		}
	}
}

void lab_jobs_run(struct lab_job *jobs, size_t n, const char *title)
{
	struct worker workers[PARALLEL_RUNS] = {{.job = NULL}};
	struct app_progress_bar bar = app_progress_bar_start(title);
	lab_progress *shared = mmap(NULL, PARALLEL_RUNS * sizeof(*shared), PROT_READ | PROT_WRITE,
	                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	size_t next = 0, busy;

	if (shared == MAP_FAILED) {
		perror("cmt-lab: mmap");
		exit(1);
	}
	do {
		double done = (double)next;

		busy = 0;
		for (int i = 0; i < PARALLEL_RUNS; i++) {
			workers[i].progress = &shared[i];
			while (next < n && jobs[next].result != NULL) {
				next++;
			}
			if (workers[i].job == NULL && next < n) {
				start(&workers[i], &jobs[next++]);
			}
			if (workers[i].job != NULL) {
				busy++;
				done -= 1.0 - *workers[i].progress / 1000.0;
			}
		}
		app_progress_bar_show(&bar, done / (double)n, "");
		if (busy > 0) {
			wait_for_workers(workers);
		}
	} while (busy > 0 || next < n);
	app_progress_bar_end(&bar);
	munmap((void *)(uintptr_t)shared, PARALLEL_RUNS * sizeof(*shared));
}

int lab_jobs_error(const struct lab_job *jobs, size_t n, struct lab_error *error)
{
	for (size_t i = 0; i < n; i++) {
		const char *why = json_string_value(json_object_get(jobs[i].result, "error"));

		if (why != NULL) {
			snprintf(error->text, sizeof(error->text), "%s", why);
			return (int)json_integer_value(json_object_get(jobs[i].result, "exit"));
		}
	}
	return 0;
}

bool lab_result_intact(const json_t *result)
{
	const char *integrity = json_string_value(json_object_get(result, "integrity"));

	return integrity != NULL && strcmp(integrity, "ok") == 0;
}

void lab_jobs_free(struct lab_job *jobs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		json_decref(jobs[i].result);
	}
	free(jobs);
}
