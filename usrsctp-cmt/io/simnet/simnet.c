/* SPDX-License-Identifier: BSD-3-Clause */
#include "simnet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "watch/cmt_silence.h"
#include "util/cmt_time.h"

#define FNV_OFFSET     UINT64_C(0xcbf29ce484222325)
#define SKEW_MAX_PPM   100000
#define OFFSET_MAX_US  (INT64_C(1) << 60)
#define LINGER_US      UINT64_C(720000000) /* Association.Max.Retrans + 1 times RTO.Max are eleven minutes */
#define LINGER_STEP_US UINT64_C(10000)
#define TICK_CHUNK_MS  UINT64_C(1000000000)

struct simnet_call {
	usrsctp_cmt_sim_fn *fn;
	void *arg;
};

static struct usrsctp_cmt_sim *the_simulation;

/* --- what the stack asks --- */

static uint64_t stack_now_us(void *ctx)
{
	const struct usrsctp_cmt_sim *sim = ctx;

	return SIMNET_EPOCH_US + sim->now_us;
}

static void stack_random(void *ctx, void *buf, size_t len)
{
	struct usrsctp_cmt_sim *sim = ctx;

	simnet_rng_bytes(&sim->stack_rng, buf, len);
}

static struct usrsctp_cmt_packets *start_stack(struct usrsctp_cmt_sim *sim)
{
	const struct usrsctp_cmt_packets_config config = {.size = sizeof(config),
	                                                  .arg = sim,
	                                                  .output_now = simnet_wire_output,
	                                                  .route = simnet_route,
	                                                  .reaches = simnet_reaches,
	                                                  .mtu = simnet_mtu,
	                                                  .now_us = stack_now_us,
	                                                  .random = stack_random,
	                                                  .stamp_us = simnet_stamp_us,
	                                                  .debug_printf = sim->config.debug_printf};

	return usrsctp_cmt_packets_new(&config);
}

/* --- life cycle --- */

static bool offset_is_valid(int64_t offset_us)
{
	return offset_us >= -OFFSET_MAX_US && offset_us <= OFFSET_MAX_US;
}

static bool config_is_valid(const struct usrsctp_cmt_sim_config *config)
{
	if (config == NULL || config->size < sizeof(*config)) {
		return false;
	}
	if (config->family != 0 && config->family != AF_INET && config->family != AF_INET6) {
		return false;
	}
	for (int host = 0; host < 2; host++) {
		if (config->clock_skew_ppm[host] < -SKEW_MAX_PPM ||
		    config->clock_skew_ppm[host] > SKEW_MAX_PPM ||
		    !offset_is_valid(config->clock_offset_us[host])) {
			return false;
		}
	}
	return true;
}

struct usrsctp_cmt_sim *usrsctp_cmt_sim_new(const struct usrsctp_cmt_sim_config *config)
{
	struct usrsctp_cmt_sim *sim;

	if (the_simulation != NULL) {
		errno = EBUSY;
		return NULL;
	}
	if (!config_is_valid(config)) {
		errno = EINVAL;
		return NULL;
	}
	sim = calloc(1, sizeof(*sim));
	if (sim == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	sim->config = *config;
	if (sim->config.family == 0) {
		sim->config.family = AF_INET;
	}
	sim->trace_hash = FNV_OFFSET;
	memset(sim->host_of_port, SIMNET_NO_HOST, sizeof(sim->host_of_port));
	simnet_event_queue_init(&sim->events);
	simnet_rng_seed(&sim->stack_rng, config->seed, SIMNET_STREAM_STACK);
	simnet_rng_seed(&sim->application_rng, config->seed, SIMNET_STREAM_APPLICATION);
	sim->packets = start_stack(sim);
	if (sim->packets == NULL) {
		free(sim);
		return NULL;
	}
	the_simulation = sim;
	return sim;
}

static uint64_t run_until(struct usrsctp_cmt_sim *sim, uint64_t until_us);

/* Associations that are shutting down hold their endpoint until the handshake is over or given up. */
static int finish_stack(struct usrsctp_cmt_sim *sim)
{
	uint64_t deadline_us = sim->now_us + LINGER_US;

	while (usrsctp_cmt_packets_free(sim->packets) != 0) {
		uint64_t next_us = sim->now_us + LINGER_STEP_US;

		if (next_us > deadline_us) {
			return -EBUSY;
		}
		if (run_until(sim, next_us) < next_us) {
			/* Nothing is left that could let it go later. */
			return usrsctp_cmt_packets_free(sim->packets) == 0 ? 0 : -EBUSY;
		}
	}
	return 0;
}

int usrsctp_cmt_sim_free(struct usrsctp_cmt_sim *sim)
{
	struct simnet_event event;

	if (sim == NULL) {
		return 0;
	}
	simnet_event_queue_remove_kind(&sim->events, SIMNET_EVENT_CALL, free);
	usrsctp_cmt_sim_tap(sim, NULL, NULL);
	if (finish_stack(sim) != 0) {
		errno = EBUSY;
		return -1;
	}
	while (simnet_event_queue_pop(&sim->events, &event)) {
		if (event.kind != SIMNET_EVENT_LINK) {
			free(event.payload);
		}
	}
	simnet_event_queue_free(&sim->events);
	for (int path = 0; path < sim->n_paths; path++) {
		simnet_link_free(&sim->paths[path].links[0]);
		simnet_link_free(&sim->paths[path].links[1]);
	}
	for (int i = 0; i < sim->n_shared; i++) {
		simnet_link_free(&sim->shared[i].links[0]);
		simnet_link_free(&sim->shared[i].links[1]);
	}
	if (simnet_pcap_close(sim->pcap) != 0 && sim->config.debug_printf != NULL) {
		sim->config.debug_printf("usrsctp_cmt_sim: the capture file is incomplete\n");
	}
	free(sim);
	the_simulation = NULL;
	return 0;
}

/* --- the stack's timers --- */

/* When the stack next has something to do, or SIMNET_NEVER_US. */
#ifdef CMT_SIM_TICK_1MS
/* This stack cannot be asked. It gets every millisecond, and is taken to be idle after two minutes without a
 * packet: twice the longest retransmission timeout, four times the heartbeat interval. */
#define QUIET_US UINT64_C(120000000)

static uint64_t next_timer_us(const struct usrsctp_cmt_sim *sim, uint64_t until_us)
{
	if (until_us == USRSCTP_CMT_SIM_FOREVER && sim->now_us - sim->quiet_since_us > QUIET_US) {
		return SIMNET_NEVER_US;
	}
	return sim->timers_us + CMT_TICK_US;
}
#else
static uint64_t next_timer_us(const struct usrsctp_cmt_sim *sim, uint64_t until_us)
{
	int64_t timeout_ms = usrsctp_cmt_next_timeout();

	(void)until_us;
	/* The stack counts from the tick that it saw last. */
	return timeout_ms < 0 ? SIMNET_NEVER_US : sim->timers_us + (uint64_t)timeout_ms * CMT_TICK_US;
}
#endif

/* Moves time on and gives the stack the whole milliseconds that have passed. The stack must see them before
 * anything else happens: a timer that it starts counts from its last tick. */
static void advance_to(struct usrsctp_cmt_sim *sim, uint64_t at_us)
{
	uint64_t elapsed_ms;

	if (at_us > sim->now_us) {
		sim->now_us = at_us;
	}
	elapsed_ms = (sim->now_us - sim->timers_us) / CMT_TICK_US;
	sim->timers_us += elapsed_ms * CMT_TICK_US;
	while (elapsed_ms > TICK_CHUNK_MS) {
		usrsctp_handle_timers((uint32_t)TICK_CHUNK_MS);
		elapsed_ms -= TICK_CHUNK_MS;
	}
	usrsctp_handle_timers((uint32_t)elapsed_ms);
}

/* --- the run loop --- */

/* The stack must not stand still, whatever the network did to it. */
static void expect_no_silence(const struct usrsctp_cmt_sim *sim)
{
#ifndef CMT_SIM_TICK_1MS
	if (cmt_tell_silence(stderr)) {
		fprintf(stderr, "at %.6f s of virtual time\n", (double)sim->now_us / 1e6);
		abort();
	}
#else
	(void)sim;
#endif
}

static void fire(struct usrsctp_cmt_sim *sim, const struct simnet_event *event)
{
	if (event->kind == SIMNET_EVENT_ARRIVAL) {
		simnet_wire_arrive(sim, event->payload);
	} else if (event->kind == SIMNET_EVENT_LINK) {
		simnet_flights_look(sim, event->payload);
	} else {
		struct simnet_call call = *(struct simnet_call *)event->payload;

		free(event->payload);
		sim->quiet_since_us = sim->now_us;
		call.fn(sim, call.arg);
	}
}

static uint64_t run_until(struct usrsctp_cmt_sim *sim, uint64_t until_us)
{
	sim->running = true;
	sim->stopped = false;
	while (!sim->stopped) {
		const struct simnet_event *event = simnet_event_queue_peek(&sim->events);
		uint64_t event_us = event != NULL ? event->at_us : SIMNET_NEVER_US;
		uint64_t timer_us = next_timer_us(sim, until_us);
		struct simnet_event due;

		if (event == NULL && timer_us == SIMNET_NEVER_US) {
			break;
		}
		if (event_us > until_us && timer_us > until_us) {
			if (until_us > sim->now_us) {
				advance_to(sim, until_us);
			}
			break;
		}
		if (timer_us <= event_us) {
			advance_to(sim, timer_us);
			expect_no_silence(sim);
			continue;
		}
		if (event_us / CMT_TICK_US > sim->timers_us / CMT_TICK_US) {
			/* No timer is due on the way, but the stack's clock has to follow. */
			advance_to(sim, event_us);
		} else if (event_us > sim->now_us) {
			sim->now_us = event_us;
		}
		if (!sim->stopped && simnet_event_queue_pop(&sim->events, &due)) {
			fire(sim, &due);
		}
		expect_no_silence(sim);
	}
	for (int path = 0; path < sim->n_paths; path++) {
		simnet_link_advance(&sim->paths[path].links[0], sim->now_us);
		simnet_link_advance(&sim->paths[path].links[1], sim->now_us);
	}
	for (int i = 0; i < sim->n_shared; i++) {
		simnet_link_advance(&sim->shared[i].links[0], sim->now_us);
		simnet_link_advance(&sim->shared[i].links[1], sim->now_us);
	}
	sim->running = false;
	return sim->now_us;
}

uint64_t usrsctp_cmt_sim_run(struct usrsctp_cmt_sim *sim, uint64_t until_us)
{
	return sim->running ? sim->now_us : run_until(sim, until_us);
}

void usrsctp_cmt_sim_stop(struct usrsctp_cmt_sim *sim)
{
	sim->stopped = true;
}

uint64_t usrsctp_cmt_sim_now_us(const struct usrsctp_cmt_sim *sim)
{
	return sim->now_us;
}

int usrsctp_cmt_sim_shift_clock(struct usrsctp_cmt_sim *sim, int host, int64_t by_us)
{
	if (host < 0 || host > 1 || by_us < -OFFSET_MAX_US || by_us > OFFSET_MAX_US ||
	    !offset_is_valid(sim->config.clock_offset_us[host] + by_us)) {
		errno = EINVAL;
		return -1;
	}
	sim->config.clock_offset_us[host] += by_us;
	return 0;
}

uint64_t usrsctp_cmt_sim_random(struct usrsctp_cmt_sim *sim)
{
	return simnet_rng_next(&sim->application_rng);
}

int usrsctp_cmt_sim_at(struct usrsctp_cmt_sim *sim, uint64_t at_us, usrsctp_cmt_sim_fn *fn, void *arg)
{
	struct simnet_call *call = malloc(sizeof(*call));

	if (call != NULL) {
		*call = (struct simnet_call){.fn = fn, .arg = arg};
		if (simnet_event_queue_push(&sim->events, at_us > sim->now_us ? at_us : sim->now_us,
		                            SIMNET_EVENT_CALL, call) == 0) {
			return 0;
		}
		free(call);
	}
	errno = ENOMEM;
	return -1;
}
