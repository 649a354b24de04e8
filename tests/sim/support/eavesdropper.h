/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eavesdropper.h - somebody on the path of a protected transfer (transfer.h): he has seen every packet, and
 * makes others of them. One per process. */
#ifndef SIM_EAVESDROPPER_H
#define SIM_EAVESDROPPER_H

#include <usrsctp_cmt_sim.h>

#include <stdbool.h>

enum { EAVESDROPPER_MAX_BYTES = 1500 };

/* A packet to `to`, without checksum. */
struct eavesdropper_packet {
	int to;
	size_t len;
	uint8_t bytes[EAVESDROPPER_MAX_BYTES + 64];
};

void eavesdropper_begin(uint64_t seed);
uint32_t eavesdropper_draw(uint32_t n);
/* For a tap. */
void eavesdropper_see(const struct usrsctp_cmt_sim_packet *packet);

/* A record again, changed, cut or made up, or chunks in the clear: nothing that anybody may take. False: not
 * just now. */
bool eavesdropper_forge(struct eavesdropper_packet *out);
/* One of the last `back` records, which may be under way still. */
bool eavesdropper_copy(struct eavesdropper_packet *out, uint32_t back);

#endif
