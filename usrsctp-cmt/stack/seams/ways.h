/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ways.h - the paths of a back end that has named them, and those on which its peers began.
 *
 * Pure but for memory. Ports do not count. Not thread safe. */
#ifndef CMT_WAYS_H
#define CMT_WAYS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define CMT_WAYS_HEARD 64 /* of peers; a further one takes the place of the oldest */
#define CMT_WAYS_CUT   64 /* that are remembered; the same */

union cmt_address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

struct cmt_way {
	union cmt_address local, remote;
	uint32_t mtu_bytes;
	bool cut; /* taken away: nothing leaves there, or comes in */
};

struct cmt_ways {
	struct cmt_way *named; /* in the order in which they were named, or cut */
	size_t n_named, n_cut;
	struct cmt_way heard[CMT_WAYS_HEARD];
	size_t n_heard, next_heard;
};

/* Neither IPv4 nor IPv6: false. */
bool cmt_address_is_ip(const struct sockaddr *address);
/* With this port, in network order. */
void cmt_address_copy(union cmt_address *to, const struct sockaddr *from, uint16_t port);
/* The same address; of IPv6 also the same scope, where both name it. */
bool cmt_address_equal(const struct sockaddr *a, const struct sockaddr *b);

/* 0, or -1 with ENOMEM. */
int cmt_ways_add(struct cmt_ways *ways, const struct sockaddr *local, const struct sockaddr *remote,
                 uint32_t mtu_bytes);
/* Cuts it, named or not. 0, or -1 with ENOENT (it is cut), ENOMEM. */
int cmt_ways_cut(struct cmt_ways *ways, const struct sockaddr *local, const struct sockaddr *remote);
/* A peer begins an association here. The last one of each `remote` counts, where no way to it is named. */
void cmt_ways_hear(struct cmt_ways *ways, const struct sockaddr *local, const struct sockaddr *remote);
/* The `local` is gone: so are the ways from there. */
void cmt_ways_forget(struct cmt_ways *ways, const struct sockaddr *local);

/* The first one to `remote`; NULL. */
const struct cmt_way *cmt_ways_to(const struct cmt_ways *ways, const struct sockaddr *remote);
/* The one from `local` to `remote`, unless it is cut; NULL. */
const struct cmt_way *cmt_ways_find(const struct cmt_ways *ways, const struct sockaddr *local,
                                    const struct sockaddr *remote);
/* The one that was named, cut or not; NULL. */
const struct cmt_way *cmt_ways_find_named(const struct cmt_ways *ways, const struct sockaddr *local,
                                          const struct sockaddr *remote);
bool cmt_ways_is_cut(const struct cmt_ways *ways, const struct sockaddr *local,
                     const struct sockaddr *remote);

void cmt_ways_free(struct cmt_ways *ways);

#endif
