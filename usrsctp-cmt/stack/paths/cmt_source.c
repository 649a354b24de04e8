/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which local address a path works from. When an interface is gone, or a path failed, upstream chooses
 * another source for its packets, so that of a failed path is the one that did not fail. What people want to
 * know is where it last worked. */
#include "paths/cmt_source.h"
#include "association/cmt_asoc.h"
#include "paths/cmt_failover.h"
#include "util/cmt_serial.h"

static bool is_same(const union sctp_sockstore *a, const union sctp_sockstore *b)
{
	return a->sa.sa_family == b->sa.sa_family &&
	       sctp_cmpaddr((struct sockaddr *)(uintptr_t)&a->sa, (struct sockaddr *)(uintptr_t)&b->sa) != 0;
}

void cmt_source_on_sent(struct cmt_path *path, uint32_t number)
{
	const struct sctp_ifa *ifa = path->net->ro._s_addr;

	if (ifa != NULL && !is_same(&path->source.now, &ifa->address)) {
		path->source.now = ifa->address;
		path->source.number = number;
	}
}

/* Who sends no DATA has HEARTBEATs alone: as long as none is missing, it works. */
void cmt_source_watch(struct cmt_path *path)
{
	if (path->counts.sent_pkts == 0 && path->net->ro._s_addr != NULL && path->net->error_count == 0)
		path->source.proven = path->net->ro._s_addr->address;
	else if (path->recovery.rack.now.known && path->source.now.sa.sa_family != 0 &&
	         cmt_serial_ge(path->recovery.rack.now.number, path->source.number))
		path->source.proven = path->source.now;
}

const union sctp_sockstore *cmt_source_of(const struct cmt_path *path)
{
	if (!cmt_path_is_active(path->net) && path->source.proven.sa.sa_family != 0)
		return &path->source.proven;
	return path->net->ro._s_addr != NULL ? &path->net->ro._s_addr->address : NULL;
}
