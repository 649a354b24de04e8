/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the stack asks, from the back ends, or from the system where there is none. Knows no type of the
 * stack.
 */
#include "packets.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static uint64_t held_us; /* 0: the clock runs */

uint64_t cmt_packets_clock_us(void)
{
	const struct usrsctp_cmt_packets *alone = cmt_back_ends.alone;
	struct timespec ts;

	if (alone != NULL && alone->config.now_us != NULL)
		return alone->config.now_us(alone->config.arg);
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000u + (uint64_t)ts.tv_nsec / 1000u;
}

uint64_t cmt_packets_held_us(void)
{
	return held_us;
}

void usrsctp_cmt_packets_hold_clock(bool hold)
{
	held_us = hold && cmt_back_ends.n > 0 ? cmt_packets_clock_us() : 0;
}

uint64_t cmt_seam_now_us(void)
{
	return held_us != 0 ? held_us : cmt_packets_clock_us();
}

uint64_t usrsctp_cmt_packets_now_us(void)
{
	return cmt_seam_now_us();
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
	const struct usrsctp_cmt_packets *alone = cmt_back_ends.alone;
	uint8_t *at = buf;

	if (alone != NULL && alone->config.random != NULL) {
		alone->config.random(alone->config.arg, buf, len);
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

/* The system's answer. */
static uint32_t if_index_of_route(const struct sockaddr *dst)
{
	struct sockaddr_storage src;
	struct ifaddrs *list;
	uint32_t index = 0;

	if (!source_of_route(dst, &src) || getifaddrs(&list) != 0)
		return 0;
	for (const struct ifaddrs *i = list; i != NULL && index == 0; i = i->ifa_next) {
		if (i->ifa_addr != NULL && cmt_address_is_ip(i->ifa_addr) &&
		    cmt_address_equal(i->ifa_addr, (struct sockaddr *)&src))
			index = if_nametoindex(i->ifa_name);
	}
	freeifaddrs(list);
	return index;
}

/* --- paths of a back end --- */

static bool find_route(const struct usrsctp_cmt_packets *packets, const struct sockaddr *remote,
                       struct sockaddr_storage *local)
{
	const struct cmt_way *way;
	bool found;

	if (packets->config.route != NULL) {
		cmt_packets_call_begin();
		found = packets->config.route(packets->config.arg, remote, local);
		cmt_packets_call_end();
		return found;
	}
	way = cmt_ways_to(&packets->ways, remote);
	if (way != NULL)
		memcpy(local, &way->local, sizeof(way->local));
	return way != NULL;
}

uint32_t cmt_seam_if_index(uint32_t vrf_id, const struct sockaddr *dst)
{
	const struct usrsctp_cmt_packets *packets = cmt_packets_of(vrf_id);
	struct sockaddr_storage local;

	/* Packets to other addresses (AF_CONN) leave through no interface. */
	if (!cmt_address_is_ip(dst))
		return 0;
	if (packets == NULL)
		return cmt_back_ends.n == 0 ? if_index_of_route(dst) : 0;
	return find_route(packets, dst, &local)
	           ? cmt_packets_if_index(packets, (const struct sockaddr *)&local)
	           : 0;
}

bool cmt_seam_has_reaches(void)
{
	return cmt_back_ends.n > 0;
}

uint16_t cmt_seam_udp_port(uint32_t vrf_id, const struct sockaddr *local)
{
	const struct usrsctp_cmt_packets *packets = cmt_packets_of(vrf_id);

	return packets != NULL ? cmt_packets_udp_port(packets, local) : 0;
}

bool cmt_seam_reaches(uint32_t vrf_id, const struct sockaddr *src, const struct sockaddr *dst)
{
	const struct usrsctp_cmt_packets *packets = cmt_packets_of(vrf_id);
	bool does;

	if (packets == NULL || !cmt_address_is_ip(src) || !cmt_address_is_ip(dst))
		return false;
	if (packets->config.reaches == NULL)
		return cmt_ways_find(&packets->ways, src, dst) != NULL;
	cmt_packets_call_begin();
	does = packets->config.reaches(packets->config.arg, src, dst);
	cmt_packets_call_end();
	return does;
}

static uint32_t mtu_of_way(const struct usrsctp_cmt_packets *packets, const struct sockaddr *src,
                           const struct sockaddr *dst)
{
	const struct cmt_way *way = dst != NULL ? cmt_ways_find_named(&packets->ways, src, dst) : NULL;

	return way != NULL && way->mtu_bytes != 0 ? way->mtu_bytes : USRSCTP_CMT_PACKETS_MTU_BYTES;
}

uint32_t cmt_seam_path_mtu(uint32_t vrf_id, const struct sockaddr *src, const struct sockaddr *dst)
{
	const struct usrsctp_cmt_packets *packets = cmt_packets_of(vrf_id);
	uint32_t mtu_bytes;

	if (packets == NULL || src == NULL || !cmt_address_is_ip(src))
		return 0;
	if (packets->config.mtu == NULL)
		return packets->config.route == NULL ? mtu_of_way(packets, src, dst) : 0;
	cmt_packets_call_begin();
	mtu_bytes = packets->config.mtu(packets->config.arg, src, dst);
	cmt_packets_call_end();
	return mtu_bytes;
}

uint32_t cmt_seam_mtu(uint32_t vrf_id, const struct sockaddr *src, uint32_t upstream_mtu)
{
	uint32_t mtu = cmt_seam_path_mtu(vrf_id, src, NULL);

	return mtu != 0 ? mtu : upstream_mtu;
}

/* --- time and threads --- */

uint64_t cmt_seam_stamp_us(uint16_t local_port, uint64_t now_us)
{
	const struct usrsctp_cmt_packets *alone = cmt_back_ends.alone;

	return alone != NULL && alone->config.stamp_us != NULL
	           ? alone->config.stamp_us(alone->config.arg, local_port, now_us)
	           : now_us;
}

bool cmt_seam_single_threaded(void)
{
	return cmt_back_ends.n > 0;
}

void cmt_seam_timer_sooner(void)
{
	const struct usrsctp_cmt_packets *packets;

	for (unsigned i = 0; (packets = cmt_packets_at(i)) != NULL; i++) {
		if (packets->config.sooner == NULL)
			continue;
		cmt_packets_call_begin();
		packets->config.sooner(packets->config.arg);
		cmt_packets_call_end();
	}
}

bool cmt_seam_has_output(void)
{
	const struct usrsctp_cmt_packets *packets;

	for (unsigned i = 0; (packets = cmt_packets_at(i)) != NULL; i++) {
		if (packets->config.output != NULL || packets->config.output_now != NULL)
			return true;
	}
	return false;
}

/* --- interfaces --- */

int cmt_seam_getifaddrs(struct ifaddrs **list)
{
	if (cmt_back_ends.n > 0) {
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
