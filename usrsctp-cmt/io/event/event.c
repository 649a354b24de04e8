/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/cmt_time.h"
#include "zone.h"

#define QUEUE_CHUNKS   65536 /* the send buffer bounds what is queued, not the number of chunks */
#define FINISH_STEPS   1000
#define FINISH_STEP_MS 10

static struct usrsctp_cmt_event *the_back_end;

/* --- time --- */

static uint64_t clock_us(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void evio_refresh_time(struct usrsctp_cmt_event *ev)
{
	ev->now_us = clock_us();
}

/* The stack asks ten times a packet. What it does between two refreshments counts as one moment: the packets
 * that come of it leave together anyway. */
static uint64_t now_us(void *ctx)
{
	const struct usrsctp_cmt_event *ev = ctx;

	return ev->depth > 0 ? ev->now_us : clock_us();
}

static uint64_t elapsed_ms(const struct usrsctp_cmt_event *ev)
{
	return (cmt_seam_now_us() - ev->ticked_us) / CMT_TICK_US;
}

static uint32_t late_ms(void *ctx)
{
	uint64_t ms = elapsed_ms(ctx);

	return ms > UINT32_MAX ? UINT32_MAX : (uint32_t)ms;
}

static void run_timers(struct usrsctp_cmt_event *ev)
{
	uint32_t ms = late_ms(ev);

	ev->ticked_us += (uint64_t)ms * CMT_TICK_US;
	usrsctp_handle_timers(ms);
}

/* Starting a timer that is pending, or has just fired, needs no memory. So both always are pending. */
static int rest(struct event *timer)
{
	static const struct timeval long_time = {.tv_sec = 86400};

	return event_add(timer, &long_time);
}

static void set_timer(struct usrsctp_cmt_event *ev)
{
	int64_t timeout_ms = usrsctp_cmt_next_timeout();
	uint64_t at_us = clock_us();
	uint64_t due_us, wait_us;
	struct timeval wait;

	if (timeout_ms < 0) {
		(void)rest(ev->timer);
		return;
	}
	due_us = ev->ticked_us + (uint64_t)timeout_ms * CMT_TICK_US;
	wait_us = due_us > at_us ? due_us - at_us : 0;
	wait = (struct timeval){.tv_sec = (time_t)(wait_us / 1000000),
	                        .tv_usec = (suseconds_t)(wait_us % 1000000)};
	event_add(ev->timer, &wait);
}

/* --- entering the stack --- */

void evio_schedule(struct usrsctp_cmt_event *ev)
{
	/* Not event_active(): what is active is run before the loop polls again, and the sockets would
	 * starve. */
	static const struct timeval at_once = {0, 0};

	if (ev->depth == 0 && !ev->work_due) {
		ev->work_due = true;
		event_add(ev->work, &at_once);
	}
}

void evio_enter(struct usrsctp_cmt_event *ev)
{
	evio_refresh_time(ev);
	ev->depth++;
	run_timers(ev);
}

static void tell_too_big(struct usrsctp_cmt_event *ev)
{
	for (unsigned i = 0; i < ev->n_too_big; i++) {
		const struct evio_too_big *t = &ev->too_big[i];

		cmt_seam_too_big(&(struct cmt_seam_too_big){.src = &t->local->address.any,
		                                            .dst = &t->to.any,
		                                            .bytes = t->quote,
		                                            .len = sizeof(t->quote),
		                                            .mtu_bytes = t->mtu_bytes});
	}
	ev->n_too_big = 0;
}

void evio_leave(struct usrsctp_cmt_event *ev)
{
	tell_too_big(ev);
	if (ev->refresh_due) {
		ev->refresh_due = false;
		evio_conns_refresh(ev);
	}
	evio_serve_listeners(ev);
	evio_serve_ready(ev);
	evio_flush(ev);
	set_timer(ev);
	ev->depth--;
	if (!TAILQ_EMPTY(&ev->ready) || ev->refresh_due || ev->n_too_big > 0) {
		evio_schedule(ev);
	}
}

static void timer_sooner(void *ctx)
{
	evio_schedule(ctx);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct usrsctp_cmt_event *ev = arg;

	(void)fd;
	(void)what;
	(void)rest(ev->timer);
	evio_enter(ev);
	evio_leave(ev);
}

static void on_work(evutil_socket_t fd, short what, void *arg)
{
	struct usrsctp_cmt_event *ev = arg;

	(void)fd;
	(void)what;
	ev->work_due = false;
	(void)rest(ev->work);
	evio_enter(ev);
	evio_leave(ev);
}

/* --- life cycle --- */

static const struct cmt_seams evio_seams = {.now_us = now_us,
                                            .output = evio_output,
                                            .if_index = evio_if_index,
                                            .mtu = evio_mtu,
                                            .reaches = evio_reaches,
                                            .no_system_interfaces = true,
                                            .single_threaded = true,
                                            .late_ms = late_ms,
                                            .timer_sooner = timer_sooner};

static int fail(char *error, size_t error_bytes, int code, const char *text)
{
	if (error != NULL) {
		snprintf(error, error_bytes, "%s", text);
	}
	errno = code;
	return -1;
}

static int check_config(const struct usrsctp_cmt_event_config *config, char *error, size_t error_bytes)
{
	if (the_back_end != NULL) {
		return fail(error, error_bytes, EBUSY, "one event back end exists already");
	}
	if (config == NULL || config->size != sizeof(*config)) {
		return fail(error, error_bytes, EINVAL,
		            "the configuration's size is not that of this version");
	}
	if (config->n_addresses > EVIO_ADDRESSES_MAX) {
		return fail(error, error_bytes, EINVAL, "more local addresses than 32");
	}
	if (config->transport != USRSCTP_CMT_EVENT_UDP && config->transport != USRSCTP_CMT_EVENT_RAW) {
		return fail(error, error_bytes, EINVAL, "no such transport");
	}
	if (config->mtu_max_bytes != 0 &&
	    (config->mtu_max_bytes < EVIO_MTU_MIN_BYTES || config->mtu_max_bytes > 65535)) {
		return fail(error, error_bytes, EINVAL, "mtu_max_bytes is not in 576 .. 65535");
	}
	for (size_t i = 0; i < config->n_addresses; i++) {
		if (config->addresses[i].ss_family != AF_INET && config->addresses[i].ss_family != AF_INET6) {
			return fail(error, error_bytes, EINVAL, "a local address is neither IPv4 nor IPv6");
		}
	}
	return 0;
}

static void start_stack(struct usrsctp_cmt_event *ev)
{
	cmt_seams_install(&evio_seams, ev);
	usrsctp_init_nothreads(0, NULL, ev->config.debug_printf);
	usrsctp_sysctl_set_sctp_max_chunks_on_queue(QUEUE_CHUNKS);
	/* Each packet is checked: what looks like the loopback interface may be another process. */
	usrsctp_sysctl_set_sctp_no_csum_on_loopback(0);
}

/* The stack's endpoints outlive their sockets by a timer or two. */
static void stop_stack(void)
{
	for (int step = 0; usrsctp_finish() != 0 && step < FINISH_STEPS; step++) {
		usrsctp_handle_timers(FINISH_STEP_MS);
	}
	cmt_zone_drain();
	cmt_seams_install(NULL, NULL);
}

static void free_back_end(struct usrsctp_cmt_event *ev)
{
	evio_addresses_close(ev);
	if (ev->timer != NULL) {
		event_free(ev->timer);
	}
	if (ev->work != NULL) {
		event_free(ev->work);
	}
	free(ev->receive);
	free(ev);
	the_back_end = NULL;
}

struct usrsctp_cmt_event *usrsctp_cmt_event_new(struct event_base *base,
                                                const struct usrsctp_cmt_event_config *config, char *error,
                                                size_t error_bytes)
{
	struct usrsctp_cmt_event *ev;

	if (check_config(config, error, error_bytes) != 0) {
		return NULL;
	}
	ev = calloc(1, sizeof(*ev));
	if (ev == NULL) {
		(void)fail(error, error_bytes, ENOMEM, "out of memory");
		return NULL;
	}
	the_back_end = ev;
	ev->base = base;
	ev->config = *config;
	ev->config.addresses = NULL;
	if (ev->config.mtu_max_bytes == 0) {
		ev->config.mtu_max_bytes = USRSCTP_CMT_EVENT_MTU_MAX_BYTES;
	}
	for (size_t i = 0; i < config->n_addresses; i++) {
		evio_address_copy(&ev->wanted[i], (const struct sockaddr *)&config->addresses[i], 0);
	}
	ev->n_wanted = config->n_addresses;
	ev->netlink_fd = -1;
	ev->stats.size = sizeof(ev->stats);
	ev->stats.gso = ev->stats.gro = !config->no_offload && config->transport == USRSCTP_CMT_EVENT_UDP;
	TAILQ_INIT(&ev->conns);
	TAILQ_INIT(&ev->ready);
	TAILQ_INIT(&ev->listeners);
	ev->ticked_us = clock_us();
	ev->timer = evtimer_new(base, on_timer, ev);
	ev->work = evtimer_new(base, on_work, ev);
	start_stack(ev);
	if (ev->timer == NULL || ev->work == NULL || rest(ev->timer) != 0 || rest(ev->work) != 0) {
		(void)fail(error, error_bytes, ENOMEM, "out of memory");
	} else if (evio_addresses_open(ev, error, error_bytes) == 0) {
		usrsctp_sysctl_set_sctp_udp_tunneling_port(ev->udp_port);
		set_timer(ev);
		return ev;
	}
	{
		int code = errno;

		ev->depth++; /* nothing is scheduled any more */
		stop_stack();
		free_back_end(ev);
		errno = code;
	}
	return NULL;
}

void usrsctp_cmt_event_free(struct usrsctp_cmt_event *ev)
{
	if (ev == NULL) {
		return;
	}
	ev->depth++; /* nothing is scheduled any more */
	evio_listeners_free_all(ev);
	evio_conns_free_all(ev);
	evio_flush(ev);
	stop_stack();
	free_back_end(ev);
}

uint16_t usrsctp_cmt_event_udp_port(const struct usrsctp_cmt_event *ev)
{
	return ev->udp_port;
}

int usrsctp_cmt_event_get_stats(const struct usrsctp_cmt_event *ev, struct usrsctp_cmt_event_stats *out)
{
	size_t size = out != NULL ? out->size : 0;

	if (size == 0) {
		errno = EINVAL;
		return -1;
	}
	if (size > sizeof(ev->stats)) {
		size = sizeof(ev->stats);
	}
	memcpy(out, &ev->stats, size);
	out->size = size;
	return 0;
}
