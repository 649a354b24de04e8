/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/device.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "inner/checksum.h"
#include "inner/segments.h"

#define NODE "/dev/net/tun"

static int explain(const char *name, int code, struct app_error *error)
{
	switch (code) {
	case EPERM:
	case EACCES:
		return app_error_set(
		    error, "cannot make the device %s: no permission; run as root or with CAP_NET_ADMIN",
		    name);
	case EBUSY:
		return app_error_set(
		    error,
		    "cannot make the device %s: another program has it; choose another name with "
		    "--dev",
		    name);
	case ENOENT:
	case ENODEV:
		return app_error_set(error,
		                     "cannot make the device %s: this kernel has no %s; load the module tun",
		                     name, NODE);
	default: return app_error_set(error, "cannot make the device %s: %s", name, strerror(code));
	}
}

int tun_device_open(struct tun_device *d, const char *name, bool joined, struct app_error *error)
{
	struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR};
	int code;

	*d = (struct tun_device){.fd = open(NODE, O_RDWR | O_NONBLOCK | O_CLOEXEC)};
	if (d->fd < 0) {
		return explain(name, errno, error);
	}
	(void)snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	if (ioctl(d->fd, TUNSETIFF, &request) != 0) {
		code = errno;
		tun_device_close(d);
		return explain(name, code, error);
	}
	(void)snprintf(d->name, sizeof(d->name), "%s", request.ifr_name);
	d->index = if_nametoindex(d->name);
	/* A kernel that cannot gives one packet after the other. */
	if (joined) {
		(void)ioctl(d->fd, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6);
	}
	return 0;
}

void tun_device_close(struct tun_device *d)
{
	if (d->fd >= 0) {
		(void)close(d->fd);
	}
	d->fd = -1;
}

/* What the kernel left for a network card to do. */
static void finish(const struct virtio_net_hdr *header, uint8_t *bytes, size_t len)
{
	if ((header->flags & VIRTIO_NET_HDR_F_NEEDS_CSUM) != 0 &&
	    (size_t)header->csum_start + header->csum_offset + sizeof(uint16_t) <= len) {
		inner_complete_checksum(bytes, len, header->csum_start, header->csum_offset);
	}
}

ssize_t tun_device_read(const struct tun_device *d, uint8_t *bytes, size_t size, uint16_t *segment_bytes)
{
	struct virtio_net_hdr header;
	struct iovec parts[] = {{.iov_base = &header, .iov_len = sizeof(header)},
	                        {.iov_base = bytes, .iov_len = size}};
	const ssize_t len = readv(d->fd, parts, 2) - (ssize_t)sizeof(header);

	*segment_bytes = 0;
	if (len < 0) {
		return -1;
	}
	if (header.gso_type != VIRTIO_NET_HDR_GSO_NONE) {
		*segment_bytes = header.gso_size;
	} else {
		finish(&header, bytes, (size_t)len);
	}
	return len;
}

void tun_device_write(const struct tun_device *d, const uint8_t *bytes, size_t len,
                      const struct inner_packet *joined)
{
	struct virtio_net_hdr header = {.gso_type = VIRTIO_NET_HDR_GSO_NONE};
	const struct iovec parts[] = {{.iov_base = &header, .iov_len = sizeof(header)},
	                              {.iov_base = (void *)(uintptr_t)bytes, .iov_len = len}};
	ssize_t written;

	if (joined != NULL) {
		header = (struct virtio_net_hdr){.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM,
		                                 .gso_type = joined->version == INNER_IPV4
		                                                 ? VIRTIO_NET_HDR_GSO_TCPV4
		                                                 : VIRTIO_NET_HDR_GSO_TCPV6,
		                                 .hdr_len = joined->headers_bytes,
		                                 .gso_size = joined->segment_bytes,
		                                 .csum_start = (uint16_t)joined->transport_at,
		                                 .csum_offset = INNER_TCP_CHECKSUM_AT};
	}
	written = writev(d->fd, parts, 2);
	(void)written;
}
