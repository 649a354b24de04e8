/* SPDX-License-Identifier: BSD-3-Clause
 *
 * USRSCTP_CMT_SCHEDULER=NAME[:KEY=VALUE,..] in the environment: the scheduler that new sockets begin with,
 * for programs that were written for usrsctp and are only linked with this library. What a program chooses
 * itself comes later and counts. On the system's sockets alone: programs on the other back ends know of
 * schedulers. A program with more privileges than its user pays it no attention. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <usrsctp_cmt.h>

#include "cmt_seams.h"
#include "api/cmt_policy.h"
#include "api/cmt_sockopt.h"

typedef int receive_callback(struct socket *so, union sctp_sockstore from, void *data, size_t len,
                             struct sctp_rcvinfo info, int flags, void *arg);
typedef int send_callback(struct socket *so, uint32_t free_bytes, void *arg);

/* Upstream's function, renamed by the build. */
struct socket *cmt_upstream_socket(int domain, int type, int protocol, receive_callback *receive_cb,
                                   send_callback *send_cb, uint32_t sb_threshold, void *arg);

#define VARIABLE "USRSCTP_CMT_SCHEDULER"

/* Nobody sees an error that a library swallows, and the program cannot be told. Once is enough. */
static void complain(const char *value)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	const char *name;

	if (atomic_flag_test_and_set(&said))
		return;
	fprintf(stderr,
	        "usrsctp-cmt: " VARIABLE ": \"%s\": no such scheduler, or it has no such option; write "
	        "NAME[:KEY=VALUE,..] with NAME one of stock",
	        value);
	for (unsigned i = 0; (name = usrsctp_cmt_scheduler_name(i)) != NULL; i++) {
		if (strcmp(name, "stock") != 0)
			fprintf(stderr, ", %s", name);
	}
	fputs("\n", stderr);
}

static void apply(struct socket *so, const char *value)
{
	const char *colon = strchr(value, ':');
	size_t len = colon != NULL ? (size_t)(colon - value) : strlen(value);
	char name[SCTP_CMT_POLICY_NAME_MAX];

	if (len < sizeof(name)) {
		memcpy(name, value, len);
		name[len] = '\0';
		if (cmt_sockopt_set_policy(so, CMT_POLICY_SCHEDULER, SCTP_FUTURE_ASSOC, name,
		                           colon != NULL ? colon + 1 : "") == 0)
			return;
	}
	complain(value);
}

struct socket *usrsctp_socket(int domain, int type, int protocol, receive_callback *receive_cb,
                              send_callback *send_cb, uint32_t sb_threshold, void *arg)
{
	struct socket *so =
	    cmt_upstream_socket(domain, type, protocol, receive_cb, send_cb, sb_threshold, arg);
	const char *value = secure_getenv(VARIABLE);

	if (so != NULL && value != NULL && *value != '\0' && !cmt_seam_has_output())
		apply(so, value);
	return so;
}
