/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_seams.h - where the stack meets the system: time, randomness, packets and interfaces come in through
 * this table.
 *
 * A back end (io/simnet, io/event) installs its table once, before usrsctp_init(). A NULL slot is the
 * system's own behaviour. Slots are called with locks of the stack held: they must not call back into
 * usrsctp; `output` copies the packet and returns. Included by upstream's sources through the shadow headers
 * in this folder, so it names no type of the stack. */
#ifndef CMT_SEAMS_H
#define CMT_SEAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/time.h>

#define CMT_SEAM_NEVER_US UINT64_MAX

/* A packet that the stack hands out: complete SCTP packet, without IP or UDP header. */
struct cmt_seam_packet {
	const struct sockaddr *src, *dst; /* AF_INET or AF_INET6; ports 0 */
	const void *content;              /* for cmt_seam_copy() */
	size_t len;
	uint16_t udp_port; /* of the peer, host order; 0 = SCTP directly in IP */
	uint8_t tos;       /* DSCP and ECN bits */
	bool dont_fragment;
	uint32_t fragment_bytes; /* not 0: to leave in fragments, IP packets of at most that size */
};

/* A received packet: complete SCTP packet, without IP or UDP header. */
struct cmt_seam_arrival {
	const struct sockaddr *src, *dst; /* AF_INET or AF_INET6; ports ignored */
	const void *bytes;
	size_t len;
	uint64_t at_us;    /* when it arrived, in the seam's clock; 0 = now */
	uint16_t udp_port; /* of the peer, host order; 0 = SCTP directly in IP */
	uint8_t ecn;       /* the two ECN bits */
};

struct cmt_seams {
	uint64_t (*now_us)(void *ctx); /* monotonic */
	void (*random)(void *ctx, void *buf, size_t len);
	int (*output)(void *ctx, const struct cmt_seam_packet *packet); /* 0 or a positive errno */
	uint32_t (*if_index)(
	    void *ctx,
	    const struct sockaddr *dst); /* of the local interface that leads to dst; 0 = unknown */
	uint32_t (*mtu)(void *ctx, const struct sockaddr *src,
	                const struct sockaddr *dst); /* of the way from the local address src to dst, NULL =
	                                                to anywhere, as far as this host knows; 0 = unknown */
	/* Whether a packet from the local address `src` can get to `dst`; NULL: no two addresses beyond those
	 * that if_index() pairs. */
	bool (*reaches)(void *ctx, const struct sockaddr *src, const struct sockaddr *dst);
	bool no_system_interfaces; /* true: interfaces are only those added with cmt_seam_add_address() */
	bool single_threaded;      /* true: the stack is never entered by two threads */
	/* The clock behind time stamps on the wire of the endpoint with this local port (host order); NULL:
	 * now_us. */
	uint64_t (*stamp_us)(void *ctx, uint16_t local_port, uint64_t now_us);
	uint32_t (*late_ms)(void *ctx);  /* passed since the last usrsctp_handle_timers(): a timer that is
	                                    started now counts from then; NULL: 0 */
	void (*timer_sooner)(void *ctx); /* usrsctp_cmt_next_timeout() has become less */
};

/* Copies the table. NULL restores the system's. */
void cmt_seams_install(const struct cmt_seams *seams, void *ctx);

/* --- called by back ends --- */

/* Writes the packet's `len` bytes; within the call of `output` only. */
void cmt_seam_copy(const struct cmt_seam_packet *packet, void *to);

/* Gives a received SCTP packet to the stack. Copies the bytes. */
void cmt_seam_input(const struct cmt_seam_arrival *arrival);

/* A router says that a packet of ours is larger than it can forward: ICMP "fragmentation needed", ICMPv6
 * "packet too big". */
struct cmt_seam_too_big {
	const struct sockaddr *src, *dst; /* of our packet; ports ignored */
	const void *bytes; /* SCTP packet as far as it is quoted, at least CMT_SEAM_QUOTE_BYTES */
	size_t len;
	uint32_t mtu_bytes; /* of IP packets */
};
#define CMT_SEAM_QUOTE_BYTES 8u /* ports and verification tag */
void cmt_seam_too_big(const struct cmt_seam_too_big *report);

/* Makes a local address known. `if_index` from 1. 0 or -1 with ENOMEM. */
int cmt_seam_add_address(uint32_t if_index, const char *if_name, const struct sockaddr *address);

/* Takes it away again; endpoints must not be bound to it any more. */
void cmt_seam_remove_address(uint32_t if_index, const char *if_name, const struct sockaddr *address);

/* --- called by the stack, through the shadow headers --- */
int cmt_seam_gettimeofday(struct timeval *tv);
uint64_t cmt_seam_now_us(void);
void cmt_seam_read_random(void *buf, size_t len);
uint32_t cmt_seam_if_index(const struct sockaddr *dst);
uint32_t cmt_seam_mtu(const struct sockaddr *src, uint32_t upstream_mtu);
uint32_t cmt_seam_path_mtu(const struct sockaddr *src, const struct sockaddr *dst); /* 0 = unknown */
bool cmt_seam_has_reaches(void);
bool cmt_seam_reaches(const struct sockaddr *src, const struct sockaddr *dst);
uint32_t cmt_seam_address_changes(void); /* how often a local address came or went */
uint64_t cmt_seam_stamp_us(uint16_t local_port, uint64_t now_us);
bool cmt_seam_single_threaded(void);
uint32_t cmt_seam_late_ms(void);
void cmt_seam_timer_sooner(void);
uint64_t cmt_seam_arrival_us(void); /* of the packet that is being processed */
bool cmt_seam_has_output(void);
int cmt_seam_output(const struct cmt_seam_packet *packet);

/* The association between these addresses and ports, locked; NULL. `*net`: its path from there. */
struct sctp_tcb;
struct sctp_nets;
struct sctp_tcb *cmt_seam_lock_association(struct sockaddr_storage *from, struct sockaddr_storage *to,
                                           struct sctp_nets **net);

struct ifaddrs;
int cmt_seam_getifaddrs(struct ifaddrs **list);
void cmt_seam_freeifaddrs(struct ifaddrs *list);

#endif
