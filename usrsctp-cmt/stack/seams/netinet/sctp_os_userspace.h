/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shadows upstream's header of the same name: randomness, packets, route MTU and, in the fork only, memory
 * and (upstream defect 1) the outgoing interface come through the seams. No include guard: upstream's own
 * serves. */
#include_next <netinet/sctp_os_userspace.h>

#include "cmt_seams.h"

void cmt_seam_ip_output(int *result, struct mbuf *packet, sctp_route_t *ro, void *stcb, uint32_t vrf_id);
void cmt_seam_ip6_output(int *result, struct mbuf *packet, struct route_in6 *ro, void *stcb, uint32_t vrf_id);

#ifdef SCTP_CMT
uint32_t cmt_seam_output_cksum(struct mbuf *packet, uint32_t offset);
#endif

#undef SCTP_READ_RANDOM
#define SCTP_READ_RANDOM(buf, len) cmt_seam_read_random(buf, len)

#undef SCTP_IP_OUTPUT
#define SCTP_IP_OUTPUT(result, packet, ro, stcb, vrf_id) cmt_seam_ip_output(&result, packet, ro, stcb, vrf_id)
#undef SCTP_IP6_OUTPUT
#define SCTP_IP6_OUTPUT(result, packet, ro, ifp, stcb, vrf_id)                                               \
	cmt_seam_ip6_output(&result, packet, ro, stcb, vrf_id)

#undef SCTP_GATHER_MTU_FROM_ROUTE
/* By the local address: not all of upstream's calls pass a destination. All have the association at hand. */
#ifdef SCTP_CMT
#define CMT_SEAM_PROTECTED(mtu_bytes) cmt_protected_mtu(stcb, mtu_bytes)
#else
#define CMT_SEAM_PROTECTED(mtu_bytes) (mtu_bytes)
#endif
#define SCTP_GATHER_MTU_FROM_ROUTE(ifa, destination, rt)                                                     \
	CMT_SEAM_PROTECTED(cmt_seam_mtu((ifa) != NULL ? (ifa)->vrf_id : 0,                                   \
	                                (ifa) != NULL ? &(ifa)->address.sa : NULL,                           \
	                                (rt) != NULL ? (rt)->rt_rmx.rmx_mtu : 0))

#ifdef SCTP_CMT
#include "zone.h"

#undef SCTP_ZONE_GET
#undef SCTP_ZONE_FREE
#define SCTP_ZONE_GET(zone, type)     (type *)cmt_zone_get(zone)
#define SCTP_ZONE_FREE(zone, element) cmt_zone_free(zone, element)

/* Upstream clears the memory that it did not get. */
#undef SCTP_MALLOC_SONAME
#define SCTP_MALLOC_SONAME(var, type, size) ((var) = (type)calloc(1, size))

#undef SCTP_GET_IF_INDEX_FROM_ROUTE
/* The destination follows ro_rt, under a different name in each of upstream's two route types. Whoever sends
 * has the VRF at hand; nobody else comes here while routes have no interface, as in userland. */
#ifdef CMT_SENDS_CHUNKS
#define CMT_SEAM_VRF vrf_id
#else
#define CMT_SEAM_VRF SCTP_DEFAULT_VRFID
#endif
#define SCTP_GET_IF_INDEX_FROM_ROUTE(ro)                                                                     \
	cmt_seam_if_index(CMT_SEAM_VRF, (const struct sockaddr *)(&(ro)->ro_rt + 1))
#endif
