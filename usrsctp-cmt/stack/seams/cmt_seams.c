/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The installed table of seams and the system's own behaviour behind empty slots. Knows no type of the stack.
 */
#include "cmt_seams.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static struct cmt_seams seams;
static void *seams_ctx;

void cmt_seams_install(const struct cmt_seams *table, void *ctx)
{
	if (table == NULL) {
		memset(&seams, 0, sizeof(seams));
		seams_ctx = NULL;
	} else {
		seams = *table;
		seams_ctx = ctx;
	}
}

uint64_t cmt_seam_now_us(void)
{
	struct timespec ts;

	if (seams.now_us != NULL)
		return seams.now_us(seams_ctx);
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000u + (uint64_t)ts.tv_nsec / 1000u;
}

int cmt_seam_gettimeofday(struct timeval *tv)
{
	uint64_t now_us = cmt_seam_now_us();

	tv->tv_sec = (time_t)(now_us / 1000000u);
	tv->tv_usec = (suseconds_t)(now_us % 1000000u);
	return 0;
}

void cmt_seam_read_random(void *buf, size_t len)
{
	uint8_t *at = buf;

	if (seams.random != NULL) {
		seams.random(seams_ctx, buf, len);
		return;
	}
	while (len > 0) {
		ssize_t n = getrandom(at, len, 0);

		if (n > 0) {
			at += n;
			len -= (size_t)n;
		}
	}
}

/* The address that the kernel would send from, found by connecting a datagram socket: no packet leaves. */
static bool source_of_route(const struct sockaddr *dst, struct sockaddr_storage *src)
{
	socklen_t len = dst->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	struct sockaddr_storage to;
	socklen_t src_len = sizeof(*src);
	int fd = socket(dst->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool found;

	if (fd < 0)
		return false;
	memset(&to, 0, sizeof(to));
	memcpy(&to, dst, len);
	if (to.ss_family == AF_INET6)
		((struct sockaddr_in6 *)&to)->sin6_port = htons(9);
	else
		((struct sockaddr_in *)&to)->sin_port = htons(9);
	found = connect(fd, (struct sockaddr *)&to, len) == 0 &&
	        getsockname(fd, (struct sockaddr *)src, &src_len) == 0;
	close(fd);
	return found;
}

static bool same_address(const struct sockaddr *a, const struct sockaddr *b)
{
	if (a->sa_family != b->sa_family)
		return false;
	if (a->sa_family == AF_INET6)
		return memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr,
		              &((const struct sockaddr_in6 *)b)->sin6_addr, sizeof(struct in6_addr)) == 0;
	return a->sa_family == AF_INET && ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
	                                      ((const struct sockaddr_in *)b)->sin_addr.s_addr;
}

uint32_t cmt_seam_if_index(const struct sockaddr *dst)
{
	struct sockaddr_storage src;
	struct ifaddrs *list;
	uint32_t index = 0;

	/* Packets to other addresses (AF_CONN) leave through no interface. */
	if (dst->sa_family != AF_INET && dst->sa_family != AF_INET6)
		return 0;
	if (seams.if_index != NULL)
		return seams.if_index(seams_ctx, dst);
	if (!source_of_route(dst, &src) || getifaddrs(&list) != 0)
		return 0;
	for (const struct ifaddrs *i = list; i != NULL && index == 0; i = i->ifa_next) {
		if (i->ifa_addr != NULL && same_address(i->ifa_addr, (struct sockaddr *)&src))
			index = if_nametoindex(i->ifa_name);
	}
	freeifaddrs(list);
	return index;
}

bool cmt_seam_has_reaches(void)
{
	return seams.reaches != NULL;
}

bool cmt_seam_reaches(const struct sockaddr *src, const struct sockaddr *dst)
{
	return seams.reaches != NULL && seams.reaches(seams_ctx, src, dst);
}

uint32_t cmt_seam_path_mtu(const struct sockaddr *src, const struct sockaddr *dst)
{
	return seams.mtu != NULL && src != NULL ? seams.mtu(seams_ctx, src, dst) : 0;
}

uint32_t cmt_seam_mtu(const struct sockaddr *src, uint32_t upstream_mtu)
{
	uint32_t mtu = cmt_seam_path_mtu(src, NULL);

	return mtu != 0 ? mtu : upstream_mtu;
}

uint64_t cmt_seam_stamp_us(uint16_t local_port, uint64_t now_us)
{
	return seams.stamp_us != NULL ? seams.stamp_us(seams_ctx, local_port, now_us) : now_us;
}

bool cmt_seam_single_threaded(void)
{
	return seams.single_threaded;
}

uint32_t cmt_seam_late_ms(void)
{
	return seams.late_ms != NULL ? seams.late_ms(seams_ctx) : 0;
}

void cmt_seam_timer_sooner(void)
{
	if (seams.timer_sooner != NULL)
		seams.timer_sooner(seams_ctx);
}

bool cmt_seam_has_output(void)
{
	return seams.output != NULL;
}

int cmt_seam_output(const struct cmt_seam_packet *packet)
{
	return seams.output(seams_ctx, packet);
}

int cmt_seam_getifaddrs(struct ifaddrs **list)
{
	if (seams.no_system_interfaces) {
		*list = NULL;
		return 0;
	}
	return getifaddrs(list);
}

void cmt_seam_freeifaddrs(struct ifaddrs *list)
{
	if (list != NULL)
		freeifaddrs(list);
}
