/* SPDX-License-Identifier: BSD-3-Clause */
#include "application.h"

#include <stdlib.h>
#include <string.h>

enum { ASSOCIATIONS_MAX = 24, MESSAGE_BYTES = 700, STREAMS = 10, ADDED_STREAMS = 2 };

uint16_t application_port(const struct sockaddr_storage *address)
{
	return ntohs(address->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)address)->sin6_port
	                                            : ((const struct sockaddr_in *)address)->sin_port);
}

sctp_assoc_t application_association(struct socket *so, uint16_t peer_port)
{
	uint32_t ids[1 + ASSOCIATIONS_MAX] = {0}; /* struct sctp_assoc_ids */
	socklen_t len = sizeof(ids);

	if (usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_GET_ASSOC_ID_LIST, ids, &len) != 0)
		return 0;
	for (uint32_t i = 1; i <= ids[0]; i++) {
		struct sctp_status status = {.sstat_assoc_id = ids[i]};

		len = sizeof(status);
		if (usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_STATUS, &status, &len) == 0 &&
		    application_port(&status.sstat_primary.spinfo_address) == peer_port)
			return ids[i];
	}
	return 0;
}

static void write_message(struct socket *so, sctp_assoc_t association, unsigned variant)
{
	static const uint8_t message[MESSAGE_BYTES];
	struct sctp_sndinfo info = {.snd_sid = (uint16_t)(variant % STREAMS), .snd_assoc_id = association};

	(void)usrsctp_sendv(so, message, sizeof(message), NULL, 0, &info, sizeof(info), SCTP_SENDV_SNDINFO,
	                    0);
}

static void reset_streams(struct socket *so, sctp_assoc_t association, unsigned variant)
{
	static const uint16_t directions[] = {SCTP_STREAM_RESET_INCOMING, SCTP_STREAM_RESET_OUTGOING,
	                                      SCTP_STREAM_RESET_INCOMING | SCTP_STREAM_RESET_OUTGOING};
	uint32_t room[3]; /* the structure, with one stream */
	struct sctp_reset_streams *reset = (struct sctp_reset_streams *)room;

	*reset = (struct sctp_reset_streams){.srs_assoc_id = association,
	                                     .srs_flags = directions[variant % 3],
	                                     .srs_number_streams = variant / 3 % 2}; /* 0 = all */
	reset->srs_stream_list[0] = (uint16_t)(variant / 6 % STREAMS);
	(void)usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_RESET_STREAMS, reset, sizeof(room));
}

static void add_streams(struct socket *so, sctp_assoc_t association, unsigned variant)
{
	const struct sctp_add_streams more = {.sas_assoc_id = association,
	                                      .sas_instrms = variant % 2 == 0 ? ADDED_STREAMS : 0,
	                                      .sas_outstrms = variant % 3 == 0 ? 0 : ADDED_STREAMS};

	(void)usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_ADD_STREAMS, &more, sizeof(more));
}

static void close_in_good_order(struct socket *so)
{
	const struct linger soft = {.l_onoff = 0};

	(void)usrsctp_setsockopt(so, SOL_SOCKET, SO_LINGER, &soft, sizeof(soft));
	usrsctp_set_upcall(so, NULL, NULL);
	usrsctp_close(so);
}

bool application_acts(struct socket *so, sctp_assoc_t association, bool shared, enum script_act act,
                      unsigned variant)
{
	switch (act) {
	case SCRIPT_WRITE: write_message(so, association, variant); break;
	case SCRIPT_CLOSE:
		if (shared)
			so = usrsctp_peeloff(so, association);
		if (so != NULL)
			close_in_good_order(so);
		return !shared;
	case SCRIPT_SHUT_READING: (void)usrsctp_shutdown(so, SHUT_RD); break;
	case SCRIPT_SHUT_WRITING: (void)usrsctp_shutdown(so, SHUT_WR); break;
	case SCRIPT_RESET_STREAMS: reset_streams(so, association, variant); break;
	case SCRIPT_RESET_TSNS:
		(void)usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_RESET_ASSOC, &association,
		                         sizeof(association));
		break;
	case SCRIPT_ADD_STREAMS: add_streams(so, association, variant); break;
	case SCRIPT_ACTS: break;
	}
	return false;
}
