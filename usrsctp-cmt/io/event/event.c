/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define QUEUE_CHUNKS   65536 /* the send buffer bounds what is queued, not the number of chunks */
#define FINISH_STEPS   1000
#define FINISH_STEP_MS 10
/* The configuration in the first release. */
#define FIRST_CONFIG_BYTES offsetof(struct usrsctp_cmt_event_config, except_interface)

/* --- time --- */

/* What the stack does between two refreshments counts as one moment: the packets that come of it leave
 * together anyway. */
void evio_refresh_time(const struct usrsctp_cmt_event *ev)
{
	if (ev->depth > 0) {
		usrsctp_cmt_packets_hold_clock(true);
	}
}

/* Starting a timer that is pending, or has just fired, needs no memory. So both always are pending. */
static int rest(struct event *timer)
{
	static const struct timeval long_time = {.tv_sec = 86400};

	return event_add(timer, &long_time);
}

static void set_timer(struct usrsctp_cmt_event *ev)
{
	const int64_t wait_us = usrsctp_cmt_packets_timeout_us(ev->packets);
	struct timeval wait;

	if (wait_us < 0) {
		(void)rest(ev->timer);
		return;
	}
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
	ev->depth++;
	evio_refresh_time(ev);
	(void)usrsctp_cmt_packets_run(ev->packets);
}

static void tell_too_big(struct usrsctp_cmt_event *ev)
{
	for (unsigned i = 0; i < ev->n_too_big; i++) {
		const struct evio_too_big *t = &ev->too_big[i];

		(void)usrsctp_cmt_packets_too_big(
		    ev->packets, &(struct usrsctp_cmt_too_big){.size = sizeof(struct usrsctp_cmt_too_big),
		                                               .local = &t->local->address.any,
		                                               .remote = &t->to.any,
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
	if (ev->depth == 0) {
		usrsctp_cmt_packets_hold_clock(false);
	}
	if (!TAILQ_EMPTY(&ev->ready) || ev->refresh_due || ev->n_too_big > 0) {
		evio_schedule(ev);
	}
}

static void sooner(void *ctx)
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

static int fail(char *error, size_t error_bytes, int code, const char *text)
{
	if (error != NULL) {
		snprintf(error, error_bytes, "%s", text);
	}
	errno = code;
	return -1;
}

static const char *why_not(int code)
{
	switch (code) {
	case EBUSY:
		return "the stack of this process runs in another thread, on usrsctp_init(), or in virtual "
		       "time";
	case ENOSPC: return "too many back ends in this process";
	default: return "out of memory";
	}
}

static int check_config(const struct usrsctp_cmt_event_config *config, char *error, size_t error_bytes)
{
	if (config == NULL || (config->size != sizeof(*config) && config->size != FIRST_CONFIG_BYTES)) {
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

static int start_stack(struct usrsctp_cmt_event *ev, char *error, size_t error_bytes)
{
	const struct usrsctp_cmt_packets_config config = {.size = sizeof(config),
	                                                  .arg = ev,
	                                                  .output_now = evio_output,
	                                                  .route = evio_find_route,
	                                                  .reaches = evio_reaches,
	                                                  .mtu = evio_mtu,
	                                                  .sooner = sooner,
	                                                  .debug_printf = ev->config.debug_printf};

	ev->packets = usrsctp_cmt_packets_new(&config);
	if (ev->packets == NULL) {
		return fail(error, error_bytes, errno, why_not(errno));
	}
	usrsctp_sysctl_set_sctp_max_chunks_on_queue(QUEUE_CHUNKS);
	return 0;
}

/* The stack's endpoints outlive their sockets by a timer or two: those of the last back end alone. */
static bool stop_stack(struct usrsctp_cmt_event *ev)
{
	for (int step = 0; usrsctp_cmt_packets_free(ev->packets) != 0; step++) {
		if (step == FINISH_STEPS || errno != EBUSY) {
			return false;
		}
		usrsctp_handle_timers(FINISH_STEP_MS);
	}
	return true;
}

/* What the stack may still call is kept. */
static void free_back_end(struct usrsctp_cmt_event *ev)
{
	const bool stopped = stop_stack(ev);

	evio_addresses_close(ev);
	if (ev->timer != NULL) {
		event_free(ev->timer);
	}
	if (ev->work != NULL) {
		event_free(ev->work);
	}
	free(ev->receive);
	if (stopped) {
		free(ev);
	}
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
	ev->base = base;
	memcpy(&ev->config, config, config->size);
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
	ev->timer = evtimer_new(base, on_timer, ev);
	ev->work = evtimer_new(base, on_work, ev);
	if (start_stack(ev, error, error_bytes) != 0) {
		int code = errno;

		free_back_end(ev);
		errno = code;
		return NULL;
	}
	if (ev->timer == NULL || ev->work == NULL || rest(ev->timer) != 0 || rest(ev->work) != 0) {
		(void)fail(error, error_bytes, ENOMEM, "out of memory");
	} else if (evio_addresses_open(ev, error, error_bytes) == 0) {
		set_timer(ev);
		return ev;
	}
	{
		int code = errno;

		ev->depth++; /* nothing is scheduled any more */
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
