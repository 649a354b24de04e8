/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/device.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

int tun_device_open(struct tun_device *d, const char *name, struct app_error *error)
{
	struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
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
	return 0;
}

void tun_device_close(struct tun_device *d)
{
	if (d->fd >= 0) {
		(void)close(d->fd);
	}
	d->fd = -1;
}

ssize_t tun_device_read(const struct tun_device *d, uint8_t *bytes, size_t size)
{
	return read(d->fd, bytes, size);
}

void tun_device_write(const struct tun_device *d, const uint8_t *bytes, size_t len)
{
	const ssize_t written = write(d->fd, bytes, len);

	(void)written;
}
