/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rest of the world: what comes from addresses that no path has, and goes there. */
#include "simnet.h"

#include <errno.h>

/* Hosts have one UDP port. */
static bool is_unknown(const struct usrsctp_cmt_sim *sim, const struct sockaddr *address, uint16_t udp_port)
{
	struct simnet_place place;

	if (simnet_find_place(sim, address, &place)) {
		return udp_port != 0 && udp_port != USRSCTP_CMT_SIM_UDP_PORT;
	}
	return !simnet_nat_place(sim, address, &place);
}

bool simnet_is_lost_elsewhere(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_packet *packet,
                              uint16_t udp_port)
{
	if (!sim->has_elsewhere || !is_unknown(sim, packet->remote, udp_port)) {
		return false;
	}
	sim->elsewhere.sent_pkts++;
	sim->elsewhere.sent_bytes += packet->len;
	return true;
}

int usrsctp_cmt_sim_arrive(struct usrsctp_cmt_sim *sim, int host, int path,
                           const struct sockaddr_storage *from, const void *packet, size_t packet_bytes)
{
	if (!simnet_is_host(host) || !simnet_is_path(sim, path) || from == NULL || packet == NULL ||
	    from->ss_family != sim->paths[path].addresses[host].ss_family) {
		return simnet_fail(EINVAL);
	}
	sim->has_elsewhere = true;
	return usrsctp_cmt_packets_input(
	    sim->packets,
	    &(struct usrsctp_cmt_arrival){.size = sizeof(struct usrsctp_cmt_arrival),
	                                  .local = (const struct sockaddr *)&sim->paths[path].addresses[host],
	                                  .remote = (const struct sockaddr *)from,
	                                  .bytes = packet,
	                                  .len = packet_bytes});
}

void usrsctp_cmt_sim_get_elsewhere(const struct usrsctp_cmt_sim *sim, struct usrsctp_cmt_sim_elsewhere *out)
{
	*out = sim->elsewhere;
}
