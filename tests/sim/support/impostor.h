/* SPDX-License-Identifier: BSD-3-Clause
 *
 * impostor.h - somebody who knows ports and tags: false packets of the server's go ahead of the true ones, or
 * take their place. To be called from the tap of a pair. */
#ifndef SIM_IMPOSTOR_H
#define SIM_IMPOSTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <usrsctp_cmt_sim.h>

struct impostor {
	/* Makes a false packet of a true one, at most `size` bytes, and returns its length; 0 = none. The
	 * checksum is not its business. */
	size_t (*forge)(const struct usrsctp_cmt_sim_packet *packet, uint8_t *out, size_t size, void *arg);
	void *arg;
	bool beside;    /* the true ones arrive as well */
	bool injecting; /* what the tap sees is forged */
	uint32_t forged;
};

/* Takes what the server sends; other events, and its own packets, are nothing to it. */
void impostor_meet(struct impostor *i, struct usrsctp_cmt_sim *sim,
                   const struct usrsctp_cmt_sim_packet *packet);

/* Copies a packet with an echo to `out`; where the echo is in it, and its length; NULL: there is none, or no
 * room. */
uint8_t *impostor_copy_echo(const struct usrsctp_cmt_sim_packet *packet, uint8_t *out, size_t size,
                            size_t *echo_len);

#endif
