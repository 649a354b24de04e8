/* SPDX-License-Identifier: BSD-3-Clause
 *
 * link.c - link NAMESPACE DEVICE NAMESPACE DEVICE RATE_BPS DELAY_US QUEUE_US [LOSS_PPM]: a link with a rate,
 * a delay, a queue and losses, where the kernel has no netem. A TUN device in each of two namespaces of
 * ip-netns(8); what enters the one leaves the other. Prints a line when both are there, and runs until it is
 * killed. Losses are independent, and others in every run. A number on a line of standard input is the rate
 * from then on. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define SLOTS       16384u
#define FRAME_BYTES 2048u
#define BATCH       64

struct packet {
	uint64_t due_ns;
	size_t len;
	uint8_t bytes[FRAME_BYTES];
};

struct direction {
	int from, to;
	uint64_t free_ns; /* when the link has sent all that it took */
	size_t first, n;
	struct packet *packets;
};

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static int open_in(const char *namespace, const char *device)
{
	struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
	char path[128];
	int ns, fd;

	snprintf(path, sizeof(path), "/run/netns/%s", namespace);
	ns = open(path, O_RDONLY | O_CLOEXEC);
	if (ns < 0 || setns(ns, CLONE_NEWNET) != 0)
		fail(path);
	close(ns);
	fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", device);
	if (fd < 0 || ioctl(fd, TUNSETIFF, &request) != 0)
		fail(device);
	return fd;
}

struct settings {
	uint64_t rate_bps, delay_ns, queue_ns;
	double loss;
};

/* A packet leaves when those before it have, unless that would take longer than the queue is. */
static void take(struct direction *d, const struct settings *s)
{
	for (int i = 0; i < BATCH && d->n < SLOTS; i++) {
		struct packet *const p = &d->packets[(d->first + d->n) % SLOTS];
		const ssize_t len = read(d->from, p->bytes, sizeof(p->bytes));
		const uint64_t now = now_ns();

		if (len <= 0)
			return;
		if (d->free_ns > now + s->queue_ns)
			continue;
		d->free_ns =
		    (d->free_ns > now ? d->free_ns : now) + (uint64_t)len * 8000000000u / s->rate_bps;
		if (drand48() < s->loss)
			continue;
		p->due_ns = d->free_ns + s->delay_ns;
		p->len = (size_t)len;
		d->n++;
	}
}

/* False at the end of the input. */
static bool read_rate(struct settings *s)
{
	char text[64];
	const ssize_t len = read(STDIN_FILENO, text, sizeof(text) - 1);

	if (len <= 0)
		return false;
	text[len] = '\0';
	if (strtoull(text, NULL, 10) > 0)
		s->rate_bps = strtoull(text, NULL, 10);
	return true;
}

/* Returns when the next one is due. */
static uint64_t give(struct direction *d)
{
	const uint64_t now = now_ns();

	while (d->n > 0 && d->packets[d->first].due_ns <= now) {
		const ssize_t sent = write(d->to, d->packets[d->first].bytes, d->packets[d->first].len);

		(void)sent;
		d->first = (d->first + 1) % SLOTS;
		d->n--;
	}
	return d->n > 0 ? d->packets[d->first].due_ns : UINT64_MAX;
}

int main(int argc, char **argv)
{
	struct pollfd rates = {.fd = STDIN_FILENO, .events = POLLIN};
	struct direction d[2];
	struct settings s;

	if (argc != 8 && argc != 9) {
		fputs("usage: link NAMESPACE DEVICE NAMESPACE DEVICE RATE_BPS DELAY_US QUEUE_US [LOSS_PPM]\n",
		      stderr);
		return 2;
	}
	s = (struct settings){.rate_bps = strtoull(argv[5], NULL, 10),
	                      .delay_ns = strtoull(argv[6], NULL, 10) * 1000,
	                      .queue_ns = strtoull(argv[7], NULL, 10) * 1000,
	                      .loss = argc > 8 ? strtod(argv[8], NULL) / 1e6 : 0};
	srand48((long)now_ns());
	d[0] = (struct direction){.from = open_in(argv[1], argv[2]), .to = open_in(argv[3], argv[4])};
	d[1] = (struct direction){.from = d[0].to, .to = d[0].from};
	for (int i = 0; i < 2; i++) {
		d[i].packets = calloc(SLOTS, sizeof(struct packet));
		if (d[i].packets == NULL)
			fail("link");
	}
	puts("ready");
	fflush(stdout);
	for (;;) {
		struct pollfd fds[3] = {
		    {.fd = d[0].from, .events = POLLIN}, {.fd = d[1].from, .events = POLLIN}, rates};
		const uint64_t a = give(&d[0]), b = give(&d[1]), next = a < b ? a : b, now = now_ns();
		const uint64_t wait_ns = next > now ? next - now : 0;
		const struct timespec timeout = {.tv_sec = (time_t)(wait_ns / 1000000000u),
		                                 .tv_nsec = (long)(wait_ns % 1000000000u)};

		if (ppoll(fds, 3, next == UINT64_MAX ? NULL : &timeout, NULL) < 0 && errno != EINTR)
			fail("ppoll");
		if (fds[2].revents != 0 && !read_rate(&s))
			rates.fd = -1;
		for (int i = 0; i < 2; i++)
			take(&d[i], &s);
	}
}
