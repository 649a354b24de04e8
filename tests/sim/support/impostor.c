/* SPDX-License-Identifier: BSD-3-Clause */
#include "impostor.h"

#include <string.h>

#include "isolate.h"
#include "packet.h"
#include "pair.h"

enum { MAX_BYTES = 9000 };

static void set_down(struct usrsctp_cmt_sim *sim, int path, bool down)
{
	struct usrsctp_cmt_sim_link link;

	REQUIRE(usrsctp_cmt_sim_get_link(sim, path, 1, &link) == 0);
	link.down = down;
	REQUIRE(usrsctp_cmt_sim_set_link(sim, path, 1, &link) == 0);
}

void impostor_meet(struct impostor *i, struct usrsctp_cmt_sim *sim,
                   const struct usrsctp_cmt_sim_packet *packet)
{
	uint8_t bytes[MAX_BYTES];
	size_t len;

	if (packet->event != USRSCTP_CMT_SIM_SENT || packet->direction != 1 || i->injecting)
		return;
	set_down(sim, packet->path, false);
	len = i->forge(packet, bytes, sizeof(bytes), i->arg);
	if (len > 0) {
		packet_put_checksum(bytes, len);
		i->injecting = true;
		REQUIRE(usrsctp_cmt_sim_inject(sim, packet->path, PAIR_SERVER, bytes, len) == 0);
		i->injecting = false;
		i->forged++;
	}
	set_down(sim, packet->path, len > 0 && !i->beside);
}

uint8_t *impostor_copy_echo(const struct usrsctp_cmt_sim_packet *packet, uint8_t *out, size_t size,
                            size_t *echo_len)
{
	struct chunk echo;

	if (packet->packet_bytes > size ||
	    !packet_find(packet->packet, packet->packet_bytes, CHUNK_ECHO, &echo))
		return NULL;
	memcpy(out, packet->packet, packet->packet_bytes);
	*echo_len = echo.len;
	return out + (echo.bytes - packet->packet);
}
