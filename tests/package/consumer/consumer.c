/* SPDX-License-Identifier: BSD-3-Clause
 *
 * consumer.c - the least that a program of somebody else does with the installed library: register a
 * scheduler, start the stack, open a socket. */
#include <usrsctp_cmt.h>
#include <usrsctp_cmt_sched.h>

#include <stdio.h>

static struct cmt_decision next(const void *st, const struct cmt_view *v)
{
	(void)st;
	return (struct cmt_decision){.verdict = CMT_SEND,
	                             .path_id = (uint8_t)cmt_sched_first_arrival(v, false),
	                             .tsn = cmt_units_first(v->units)};
}

static const struct cmt_sched_ops head_first = {
    .size = CMT_SCHED_CONTRACT_BYTES, .name = "head-first", .next = next};

int main(void)
{
	struct socket *so;

	if (usrsctp_cmt_register_scheduler(&head_first) != 0) {
		fprintf(stderr, "the scheduler was refused\n");
		return 1;
	}
	usrsctp_init_nothreads(0, NULL, NULL);
	so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	if (so == NULL) {
		perror("usrsctp_socket");
		return 1;
	}
	usrsctp_close(so);
	return usrsctp_finish() == 0 ? 0 : 1;
}
