/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device.h - a TUN device: IP packets of the host, read and written. Needs CAP_NET_ADMIN. It goes with the
 * process, however that ends, and with it go its addresses and routes. */
#ifndef TUN_DEVICE_H
#define TUN_DEVICE_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "inner/packet.h"
#include "text/message.h"

struct tun_device {
	int fd; /* -1 = closed; does not block */
	char name[IF_NAMESIZE];
	unsigned index; /* of the interface */
};

/* Makes the device. `joined`: it may give packets that stand for several, where the kernel can. 0, or -1 with
 * the reason. */
int tun_device_open(struct tun_device *d, const char *name, bool joined, struct app_error *error);
void tun_device_close(struct tun_device *d);

/* One packet. Its length, or -1 when none waits; `*segment_bytes`: it stands for several (inner/segments.h),
 * 0 = for itself. */
ssize_t tun_device_read(const struct tun_device *d, uint8_t *bytes, size_t size, uint16_t *segment_bytes);

/* One packet; `joined`: what inner_set_segments() says of it, NULL = it stands for itself. What the kernel
 * does not take is lost. */
void tun_device_write(const struct tun_device *d, const uint8_t *bytes, size_t len,
                      const struct inner_packet *joined);

#endif
