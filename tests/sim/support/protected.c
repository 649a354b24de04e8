/* SPDX-License-Identifier: BSD-3-Clause */
#include "protected.h"

#include "isolate.h"
#include "packet.h"

static uint64_t rekey_us;

bool protected_stats(struct socket *so, struct sctp_dtls_stats *out)
{
	socklen_t len = sizeof(*out);

	*out = (struct sctp_dtls_stats){.sds_assoc_id = 0};
	return so != NULL && usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_DTLS_GET_STATS, out, &len) == 0;
}

bool protected_stats_of_both(const struct transfer *t, struct sctp_dtls_stats *out)
{
	struct sctp_dtls_stats of_client;

	if (!protected_stats(t->sides[TRANSFER_CLIENT].so, &of_client) ||
	    !protected_stats(t->sides[TRANSFER_SERVER].so, out))
		return false;
	out->sds_unknown_epoch += of_client.sds_unknown_epoch;
	out->sds_aead_failures += of_client.sds_aead_failures;
	out->sds_replayed += of_client.sds_replayed;
	out->sds_dropped_unprotected += of_client.sds_dropped_unprotected;
	return true;
}

struct transfer_message protected_message(int host, uint32_t index)
{
	(void)host;
	return (struct transfer_message){.bytes = 1 + index * 7919 % 4000, .stream = (uint16_t)(index % 8)};
}

static void delete_before(struct socket *so, uint64_t epoch)
{
	const struct sctp_dtls_keys_id id = {.sdki_epoch = epoch - 1};

	if (epoch > SCTP_DTLS_FIRST_EPOCH)
		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_DTLS_DEL_RECV_KEYS, &id, sizeof(id)) == 0);
}

static void rekey(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;
	struct socket *client = t->sides[TRANSFER_CLIENT].so, *server = t->sides[TRANSFER_SERVER].so;
	struct sctp_dtls_stats of_client, of_server;

	if (!protected_stats(client, &of_client) || !protected_stats(server, &of_server))
		return;
	delete_before(client, of_client.sds_recv_epoch);
	delete_before(server, of_server.sds_recv_epoch);
	REQUIRE(usrsctp_cmt_sim_install_keys(sim, client, server) == 0);
	transfer_after(t, rekey_us, rekey);
}

void protected_rekey_every(struct transfer *t, uint64_t interval_us)
{
	rekey_us = interval_us;
	transfer_after(t, rekey_us, rekey);
}

bool protected_is_record(const uint8_t *packet, size_t packet_bytes)
{
	size_t offset = 0;
	struct chunk c;

	return packet_next_chunk(packet, packet_bytes, &offset, &c) && c.type == CHUNK_DTLS &&
	       !packet_next_chunk(packet, packet_bytes, &offset, &c);
}
