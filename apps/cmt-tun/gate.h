/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gate.h - the TUN device on the program's loop: what comes out of it is read in batches and given away,
 * packet by packet. */
#ifndef TUN_GATE_H
#define TUN_GATE_H

#include <event2/event.h>

#include "host/device.h"
#include "inner/packet.h"

struct tun_gate_events {
	void (*on_packet)(uint8_t *bytes, const struct inner_packet *p, uint64_t now_us, void *arg);
	/* Behind the last one of a batch. */
	void (*on_batch)(uint64_t now_us, void *arg);
	void *arg;
};

struct tun_gate {
	struct tun_device device;
	struct tun_gate_events events;
	struct event *readable;
	uint64_t malformed_pkts;
	uint8_t bytes[INNER_MAX_BYTES + 1];
};

/* Makes the device and begins to read; `joined` as for tun_device_open(). 0, or -1 with the reason;
 * tun_gate_close() in any case. */
int tun_gate_open(struct tun_gate *g, struct event_base *base, const char *name, bool joined,
                  const struct tun_gate_events *events, struct app_error *error);
void tun_gate_close(struct tun_gate *g);

#endif
