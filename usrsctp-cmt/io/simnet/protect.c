/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keys for the DTLS chunk that come of the seed. */
#include "simnet.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <usrsctp_cmt_dtls.h>

enum { KEY_BYTES = 16, IV_BYTES = 12, SUITE = 0x1301, ALL_BYTES = 2 * KEY_BYTES + IV_BYTES };

/* Beyond those of simnet.c: nothing that others draw may change. */
enum { KEY_STREAM = 0x6b657973 };

int usrsctp_cmt_sim_protect(struct usrsctp_cmt_sim *sim, struct socket *so, int host)
{
	union {
		struct sctp_dtls_config config;
		uint8_t bytes[sizeof(struct sctp_dtls_config) + 1];
	} u;

	(void)sim;
	memset(&u, 0, sizeof(u));
	u.config.sdc_flags = SCTP_DTLS_REQUIRED | (host == 0 ? SCTP_DTLS_CLIENT : SCTP_DTLS_SERVER);
	u.config.sdc_nr_kmids = 1;
	u.bytes[sizeof(struct sctp_dtls_config)] = SCTP_DTLS_KM_PRESHARED;
	return usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_DTLS_LOCAL_CONFIG, &u, sizeof(u));
}

/* The epoch that comes next; 0: there are no keys to be had. */
static uint64_t next_epoch(struct socket *so)
{
	struct sctp_dtls_stats stats = {.sds_assoc_id = 0};
	socklen_t len = sizeof(stats);

	if (usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_DTLS_GET_STATS, &stats, &len) != 0)
		return 0;
	return stats.sds_recv_epoch != 0 ? stats.sds_recv_epoch + 1 : SCTP_DTLS_FIRST_EPOCH;
}

/* Keys of one direction: the same whenever they are asked for. */
static int install(const struct usrsctp_cmt_sim *sim, struct socket *so, int option, uint64_t epoch,
                   int direction)
{
	union {
		struct sctp_dtls_keys keys;
		uint8_t bytes[sizeof(struct sctp_dtls_keys) + ALL_BYTES];
	} u;
	struct simnet_rng rng;

	memset(&u, 0, sizeof(u));
	u.keys.sdk_cipher_suite[0] = SUITE >> 8;
	u.keys.sdk_cipher_suite[1] = SUITE & 0xff;
	u.keys.sdk_epoch = epoch;
	u.keys.sdk_key_len = u.keys.sdk_sn_key_len = KEY_BYTES;
	u.keys.sdk_iv_len = IV_BYTES;
	simnet_rng_seed(&rng, sim->config.seed, KEY_STREAM + 2 * epoch + (uint64_t)direction);
	simnet_rng_bytes(&rng, u.bytes + offsetof(struct sctp_dtls_keys, sdk_keys), ALL_BYTES);
	return usrsctp_setsockopt(so, IPPROTO_SCTP, option, &u, sizeof(u));
}

static int enforce(struct socket *so)
{
	const struct sctp_assoc_value on = {.assoc_value = 1};

	return usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_DTLS_ENFORCE_PROTECTION, &on, sizeof(on));
}

int usrsctp_cmt_sim_install_keys(struct usrsctp_cmt_sim *sim, struct socket *client, struct socket *server)
{
	const uint64_t epoch = next_epoch(server);

	if (epoch == 0 || install(sim, server, SCTP_DTLS_ADD_RECV_KEYS, epoch, 0) != 0 ||
	    install(sim, server, SCTP_CMT_DTLS_NEXT_SEND_KEYS, epoch, 1) != 0 ||
	    install(sim, client, SCTP_DTLS_ADD_RECV_KEYS, epoch, 1) != 0 ||
	    install(sim, client, SCTP_DTLS_SET_SEND_KEYS, epoch, 0) != 0)
		return -1;
	return enforce(server) != 0 || enforce(client) != 0 ? -1 : 0;
}
