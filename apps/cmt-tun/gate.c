/* SPDX-License-Identifier: BSD-3-Clause */
#include "gate.h"

#include "inner/segments.h"
#include "loop/loop_events.h"
#include "loop/wall_clock.h"

#define BATCH_PKTS 64u /* then others have their turn */

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct tun_gate *const g = arg;
	const uint64_t now_us = app_wall_clock_us();

	(void)fd;
	(void)what;
	for (unsigned i = 0; i < BATCH_PKTS; i++) {
		uint16_t segment_bytes;
		const ssize_t len = tun_device_read(&g->device, g->bytes, sizeof(g->bytes), &segment_bytes);
		struct inner_packet p;

		if (len < 0) {
			break;
		}
		if (inner_parse(g->bytes, (size_t)len, &p) == 0 &&
		    (segment_bytes == 0 || inner_set_segments(g->bytes, &p, segment_bytes) == 0)) {
			g->events.on_packet(g->bytes, &p, now_us, g->events.arg);
		} else {
			g->malformed_pkts++;
		}
	}
	g->events.on_batch(now_us, g->events.arg);
}

int tun_gate_open(struct tun_gate *g, struct event_base *base, const char *name, bool joined,
                  const struct tun_gate_events *events, struct app_error *error)
{
	g->events = *events;
	g->readable = NULL;
	if (tun_device_open(&g->device, name, joined, error) != 0) {
		return -1;
	}
	g->readable = event_new(base, g->device.fd, EV_READ | EV_PERSIST, on_readable, g);
	if (g->readable == NULL || event_add(g->readable, NULL) != 0) {
		return app_error_set(error, "no memory");
	}
	return 0;
}

void tun_gate_close(struct tun_gate *g)
{
	app_event_free(g->readable);
	g->readable = NULL;
	tun_device_close(&g->device);
}
