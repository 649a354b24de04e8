/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_seams.h - where the stack meets the system: time, randomness, packets and interfaces.
 *
 * What the stack asks, through the shadow headers in this folder and by itself. The answers are those of the
 * back ends (include/usrsctp_cmt_packets.h), and where there is none the system's, with a monotonic clock.
 * Included by upstream's sources, so it names no type of the stack. `vrf_id` says which back end. */
#ifndef CMT_SEAMS_H
#define CMT_SEAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <usrsctp_cmt_packets.h>

int cmt_seam_gettimeofday(struct timeval *tv);
uint64_t cmt_seam_now_us(void);
void cmt_seam_read_random(void *buf, size_t len);
/* Of the local interface that leads to `dst`; 0 = unknown. */
uint32_t cmt_seam_if_index(uint32_t vrf_id, const struct sockaddr *dst);
uint32_t cmt_seam_mtu(uint32_t vrf_id, const struct sockaddr *src, uint32_t upstream_mtu);
/* Of the way from `src` to `dst`, NULL = to anywhere; 0 = unknown. */
uint32_t cmt_seam_path_mtu(uint32_t vrf_id, const struct sockaddr *src, const struct sockaddr *dst);
/* Whether anybody knows what cmt_seam_reaches() asks: whether a packet from `src` can get to `dst`. */
bool cmt_seam_has_reaches(void);
/* The UDP port of a local address, network order; 0 = SCTP directly in IP, or nobody says. */
uint16_t cmt_seam_udp_port(uint32_t vrf_id, const struct sockaddr *local);
bool cmt_seam_reaches(uint32_t vrf_id, const struct sockaddr *src, const struct sockaddr *dst);
uint32_t cmt_seam_address_changes(void); /* how often a local address or a path came or went */
void cmt_seam_note_address_change(void);
/* The clock behind time stamps on the wire of the endpoint with this local port (host order). */
uint64_t cmt_seam_stamp_us(uint16_t local_port, uint64_t now_us);
bool cmt_seam_single_threaded(void); /* the stack is never entered by two threads */
/* Passed since the last usrsctp_handle_timers(): a timer that is started now counts from then. */
uint32_t cmt_seam_late_ms(void);
void cmt_seam_timer_sooner(void);   /* usrsctp_cmt_next_timeout() has become less */
uint64_t cmt_seam_arrival_us(void); /* of the packet that is being processed */
bool cmt_seam_more_follow(void);    /* others that arrived with it come at once */
bool cmt_seam_has_output(void);     /* packets go to back ends */

/* A packet that a back end gave to usrsctp_cmt_packets_input(): at least a common and a chunk header. */
struct cmt_seam_arrival {
	const struct sockaddr *local, *remote;
	const void *bytes;
	size_t len;
	uint64_t at_us; /* when it arrived; 0 = now */
	uint32_t vrf_id;
	uint16_t udp_port; /* of the peer, network order; 0 = SCTP directly in IP */
	uint8_t ecn;
	bool more;      /* others that arrived with it come at once */
	bool authentic; /* it came in a DTLS chunk, which was opened: neither checksum nor origin is asked for
	                 */
};
/* Into the stack, where it may enter. */
void cmt_seam_input(const struct cmt_seam_arrival *arrival);

/* The CRC32c of an SCTP packet, as it lies in the packet, whatever stands there now. */
uint32_t cmt_seam_checksum(const void *packet, size_t len);

/* An address as the stack wants it: with the SCTP port, network order, whatever port it has. */
void cmt_seam_copy_address(struct sockaddr_storage *to, const struct sockaddr *from, uint16_t port);

/* The association between these addresses and ports, locked; NULL. `*net`: its path from there. */
struct sctp_tcb;
struct sctp_nets;
struct sctp_tcb *cmt_seam_lock_association(uint32_t vrf_id, struct sockaddr_storage *from,
                                           struct sockaddr_storage *to, struct sctp_nets **net);

struct ifaddrs;
int cmt_seam_getifaddrs(struct ifaddrs **list);
void cmt_seam_freeifaddrs(struct ifaddrs *list);

#endif
