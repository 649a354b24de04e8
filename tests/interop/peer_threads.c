/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A peer on usrsctp's own interface, with its threads. Built twice: against the pinned release, as it was
 * published, and against the fork (INTEROP_FORK), where the default scheduler is set. */
#include "job.h"

#include <stdio.h>
#include <unistd.h>

#ifdef INTEROP_FORK
#include <usrsctp_cmt.h>
#else
#include <usrsctp.h>
#endif

enum { OPTION_INTERLEAVING_SUPPORTED = 0x1206 }; /* missing in upstream's public header */
enum { FINISH_TRIES = 1000, FINISH_PAUSE_US = 10000 };

static void set(const struct job *job, struct socket *so, int level, int option, const void *value,
                size_t len, const char *what)
{
	job_require(job, usrsctp_setsockopt(so, level, option, value, (socklen_t)len) == 0, what);
}

static void set_encapsulation(const struct job *job, struct socket *so)
{
	struct sctp_udpencaps encapsulation = {.sue_assoc_id = SCTP_FUTURE_ASSOC,
	                                       .sue_port = htons(JOB_UDP_PORT)};

	encapsulation.sue_address.ss_family = job->local.list[0].ss_family;
	if (!job->raw)
		set(job, so, IPPROTO_SCTP, SCTP_REMOTE_UDP_ENCAPS_PORT, &encapsulation, sizeof(encapsulation),
		    "SCTP_REMOTE_UDP_ENCAPS_PORT");
}

static void set_scheduler(const struct job *job, struct socket *so)
{
#ifdef INTEROP_FORK
	const struct sctp_cmt_policy policy = {
	    .size = sizeof(policy), .assoc_id = SCTP_FUTURE_ASSOC, .name = "arrival"};

	set(job, so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy), "SCTP_CMT_SCHEDULER");
#else
	(void)job;
	(void)so;
#endif
}

static struct socket *open_socket(const struct job *job)
{
	struct socket *const so =
	    usrsctp_socket(job->local.list[0].ss_family, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	const int one = 1, two = 2, buffer_bytes = JOB_BUFFER_BYTES;
	const struct sctp_initmsg init = {.sinit_num_ostreams = JOB_MAX_STREAMS,
	                                  .sinit_max_instreams = JOB_MAX_STREAMS};
	/* By default the release takes a minute until it sends new data on another path. */
	const struct sctp_paddrparams impatient = {.spp_assoc_id = SCTP_FUTURE_ASSOC, .spp_pathmaxrxt = 1};
	const struct sctp_assoc_value interleave = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};

	job_require(job, so != NULL, "no socket");
	set(job, so, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof(buffer_bytes), "SO_RCVBUF");
	set(job, so, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof(buffer_bytes), "SO_SNDBUF");
	set(job, so, IPPROTO_SCTP, SCTP_NODELAY, &one, sizeof(one), "SCTP_NODELAY");
	set(job, so, IPPROTO_SCTP, SCTP_RECVRCVINFO, &one, sizeof(one), "SCTP_RECVRCVINFO");
	set(job, so, IPPROTO_SCTP, SCTP_INITMSG, &init, sizeof(init), "SCTP_INITMSG");
	set(job, so, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &impatient, sizeof(impatient),
	    "SCTP_PEER_ADDR_PARAMS");
	if (job->interleave) {
		set(job, so, IPPROTO_SCTP, SCTP_FRAGMENT_INTERLEAVE, &two, sizeof(two),
		    "SCTP_FRAGMENT_INTERLEAVE");
		set(job, so, IPPROTO_SCTP, OPTION_INTERLEAVING_SUPPORTED, &interleave, sizeof(interleave),
		    "SCTP_INTERLEAVING_SUPPORTED");
	}
	set_encapsulation(job, so);
	set_scheduler(job, so);
	for (size_t i = 0; i < job->local.n; i++) {
		struct sockaddr_storage address = job->local.list[i];

		job_require(job, usrsctp_bindx(so, (struct sockaddr *)&address, 1, SCTP_BINDX_ADD_ADDR) == 0,
		            "cannot bind");
	}
	return so;
}

static void send_message(const struct job *job, struct socket *so, uint16_t stream_id, const uint8_t *bytes,
                         size_t len)
{
	struct sctp_sndinfo info = {.snd_sid = stream_id};

	job_require(job,
	            usrsctp_sendv(so, bytes, len, NULL, 0, &info, sizeof(info), SCTP_SENDV_SNDINFO, 0) ==
	                (ssize_t)len,
	            "cannot send");
}

/* A piece of a message, 0 when the peer has ended. */
static size_t receive_piece(const struct job *job, struct socket *so, uint8_t *bytes, size_t max,
                            uint16_t *stream_id, bool *ends)
{
	struct sctp_rcvinfo info = {0};
	socklen_t info_len = sizeof(info);
	unsigned info_type = 0;
	int flags = 0;
	const ssize_t len = usrsctp_recvv(so, bytes, max, NULL, NULL, &info, &info_len, &info_type, &flags);

	job_require(job, len >= 0, "cannot receive");
	*stream_id = info.rcv_sid;
	*ends = (flags & MSG_EOR) != 0;
	return (size_t)len;
}

static void send_all(const struct job *job, struct socket *so)
{
	static uint8_t bytes[JOB_BUFFER_BYTES];
	_Alignas(struct sockaddr_in6) uint8_t packed[JOB_PACKED_BYTES];
	uint16_t stream_id;
	size_t len;
	bool ends;

	(void)job_pack(&job->peer, packed);
	job_require(job, usrsctp_connectx(so, (struct sockaddr *)(void *)packed, (int)job->peer.n, NULL) == 0,
	            "cannot connect");
	for (uint32_t i = 0; i < job->n_messages; i++) {
		job_message(job, i, bytes);
		send_message(job, so, (uint16_t)(i % job->n_streams), bytes, job_message_bytes(job, i));
	}
	len = receive_piece(job, so, bytes, sizeof(bytes), &stream_id, &ends);
	job_check_confirmation(job, bytes, len);
	job_require(job, usrsctp_shutdown(so, SHUT_WR) == 0, "cannot shut down");
	if (receive_piece(job, so, bytes, sizeof(bytes), &stream_id, &ends) != 0)
		job_fail(job, "data behind the confirmation");
	(void)puts("{}");
}

static void receive_all(const struct job *job, struct socket *listener)
{
	static uint8_t bytes[JOB_BUFFER_BYTES];
	struct receipt receipt = {.job = job};
	struct socket *so;
	uint16_t stream_id;
	size_t len;
	bool ends;

	job_require(job, usrsctp_listen(listener, 1) == 0, "cannot listen");
	(void)puts("listening");
	so = usrsctp_accept(listener, NULL, NULL);
	job_require(job, so != NULL, "cannot accept");
	while ((len = receive_piece(job, so, bytes, sizeof(bytes), &stream_id, &ends)) > 0) {
		receipt_take(&receipt, stream_id, bytes, len, ends);
		if (receipt_is_complete(&receipt)) {
			receipt_confirmation(&receipt, bytes);
			send_message(job, so, 0, bytes, CONFIRMATION_BYTES);
		}
	}
	if (!receipt_is_complete(&receipt))
		job_fail(job, "the peer ended after %u messages", receipt.n_messages);
	usrsctp_close(so);
	receipt_print(&receipt);
}

/* It refuses while an association is shutting down. */
static void finish(const struct job *job)
{
	int tries = 0;

	while (usrsctp_finish() != 0 && tries++ < FINISH_TRIES)
		(void)usleep(FINISH_PAUSE_US);
	if (tries > FINISH_TRIES)
		job_fail(job, "an association does not end");
}

int main(int argc, char **argv)
{
	const struct job job = job_read(argc, argv);
	struct socket *so;

	usrsctp_init(job.raw ? 0 : JOB_UDP_PORT, NULL, NULL);
	so = open_socket(&job);
	if (job.sends)
		send_all(&job, so);
	else
		receive_all(&job, so);
	usrsctp_close(so);
	(void)usleep(JOB_STAY_MS * 1000);
	finish(&job);
	return 0;
}
