/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A peer whose stack is the Linux kernel's. UDP encapsulation is the matter of sysctls (net.sctp.udp_port,
 * net.sctp.encap_port), not of this program. */
#include "job.h"

#include <errno.h>
#include <linux/sctp.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(struct sctp_sndinfo)) + CMSG_SPACE(sizeof(struct sctp_rcvinfo))];
};

static void set(const struct job *job, int fd, int level, int option, const void *value, size_t len,
                const char *what)
{
	job_require(job, setsockopt(fd, level, option, value, (socklen_t)len) == 0, what);
}

static int open_socket(const struct job *job)
{
	const int fd = socket(job->local.list[0].ss_family, SOCK_STREAM, IPPROTO_SCTP);
	const int one = 1, buffer_bytes = JOB_BUFFER_BYTES;
	const struct sctp_initmsg init = {.sinit_num_ostreams = JOB_MAX_STREAMS,
	                                  .sinit_max_instreams = JOB_MAX_STREAMS};
	const struct sctp_assoc_value interleave = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};
	uint8_t packed[JOB_PACKED_BYTES];

	job_require(job, fd >= 0, "no SCTP socket");
	set(job, fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer_bytes, sizeof(buffer_bytes), "SO_RCVBUFFORCE");
	set(job, fd, SOL_SOCKET, SO_SNDBUFFORCE, &buffer_bytes, sizeof(buffer_bytes), "SO_SNDBUFFORCE");
	set(job, fd, IPPROTO_SCTP, SCTP_NODELAY, &one, sizeof(one), "SCTP_NODELAY");
	set(job, fd, IPPROTO_SCTP, SCTP_RECVRCVINFO, &one, sizeof(one), "SCTP_RECVRCVINFO");
	set(job, fd, IPPROTO_SCTP, SCTP_INITMSG, &init, sizeof(init), "SCTP_INITMSG");
	if (job->interleave) {
		set(job, fd, IPPROTO_SCTP, SCTP_FRAGMENT_INTERLEAVE, &one, sizeof(one),
		    "SCTP_FRAGMENT_INTERLEAVE");
		set(job, fd, IPPROTO_SCTP, SCTP_INTERLEAVING_SUPPORTED, &interleave, sizeof(interleave),
		    "SCTP_INTERLEAVING_SUPPORTED");
	}
	set(job, fd, IPPROTO_SCTP, SCTP_SOCKOPT_BINDX_ADD, packed, job_pack(&job->local, packed),
	    "cannot bind");
	return fd;
}

static void send_message(const struct job *job, int fd, uint16_t stream_id, uint8_t *bytes, size_t len)
{
	union control control = {0};
	struct iovec iov = {.iov_base = bytes, .iov_len = len};
	struct msghdr message = {.msg_iov = &iov,
	                         .msg_iovlen = 1,
	                         .msg_control = control.bytes,
	                         .msg_controllen = CMSG_SPACE(sizeof(struct sctp_sndinfo))};
	struct cmsghdr *const header = CMSG_FIRSTHDR(&message);
	const struct sctp_sndinfo info = {.snd_sid = stream_id};

	header->cmsg_level = IPPROTO_SCTP;
	header->cmsg_type = SCTP_SNDINFO;
	header->cmsg_len = CMSG_LEN(sizeof(info));
	memcpy(CMSG_DATA(header), &info, sizeof(info));
	job_require(job, sendmsg(fd, &message, MSG_NOSIGNAL) == (ssize_t)len, "cannot send");
}

/* A piece of a message, 0 when the peer has ended. */
static size_t receive_piece(const struct job *job, int fd, uint8_t *bytes, size_t max, uint16_t *stream_id,
                            bool *ends)
{
	union control control;
	struct iovec iov = {.iov_base = bytes, .iov_len = max};
	struct msghdr message = {.msg_iov = &iov,
	                         .msg_iovlen = 1,
	                         .msg_control = control.bytes,
	                         .msg_controllen = sizeof(control.bytes)};
	const ssize_t len = recvmsg(fd, &message, 0);

	if (len < 0 && errno == ENOTCONN) /* the association has ended already */
		return 0;
	job_require(job, len >= 0, "cannot receive");
	*stream_id = 0;
	*ends = (message.msg_flags & MSG_EOR) != 0;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c != NULL; c = CMSG_NXTHDR(&message, c)) {
		struct sctp_rcvinfo info;

		if (c->cmsg_level == IPPROTO_SCTP && c->cmsg_type == SCTP_RCVINFO) {
			memcpy(&info, CMSG_DATA(c), sizeof(info));
			*stream_id = info.rcv_sid;
		}
	}
	return (size_t)len;
}

static void send_all(const struct job *job, int fd)
{
	static uint8_t bytes[JOB_BUFFER_BYTES];
	uint8_t packed[JOB_PACKED_BYTES];
	uint16_t stream_id;
	size_t len;
	bool ends;

	len = job_pack(&job->peer, packed);
	job_require(job, setsockopt(fd, IPPROTO_SCTP, SCTP_SOCKOPT_CONNECTX, packed, (socklen_t)len) >= 0,
	            "cannot connect");
	for (uint32_t i = 0; i < job->n_messages; i++) {
		job_message(job, i, bytes);
		send_message(job, fd, (uint16_t)(i % job->n_streams), bytes, job_message_bytes(job, i));
	}
	len = receive_piece(job, fd, bytes, sizeof(bytes), &stream_id, &ends);
	job_check_confirmation(job, bytes, len);
	job_require(job, shutdown(fd, SHUT_WR) == 0, "cannot shut down");
	if (receive_piece(job, fd, bytes, sizeof(bytes), &stream_id, &ends) != 0)
		job_fail(job, "data behind the confirmation");
	(void)puts("{}");
}

static void receive_all(const struct job *job, int listener)
{
	static uint8_t bytes[JOB_BUFFER_BYTES];
	struct receipt receipt = {.job = job};
	uint16_t stream_id;
	size_t len;
	bool ends;
	int fd;

	job_require(job, listen(listener, 1) == 0, "cannot listen");
	(void)puts("listening");
	fd = accept(listener, NULL, NULL);
	job_require(job, fd >= 0, "cannot accept");
	while ((len = receive_piece(job, fd, bytes, sizeof(bytes), &stream_id, &ends)) > 0) {
		receipt_take(&receipt, stream_id, bytes, len, ends);
		if (receipt_is_complete(&receipt)) {
			receipt_confirmation(&receipt, bytes);
			send_message(job, fd, 0, bytes, CONFIRMATION_BYTES);
		}
	}
	if (!receipt_is_complete(&receipt))
		job_fail(job, "the peer ended after %u messages", receipt.n_messages);
	job_require(job, close(fd) == 0, "cannot close");
	receipt_print(&receipt);
}

int main(int argc, char **argv)
{
	const struct job job = job_read(argc, argv);
	const int fd = open_socket(&job);

	if (job.sends)
		send_all(&job, fd);
	else
		receive_all(&job, fd);
	job_require(&job, close(fd) == 0, "cannot close");
	return 0;
}
