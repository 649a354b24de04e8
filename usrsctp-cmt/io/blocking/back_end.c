/* SPDX-License-Identifier: BSD-3-Clause */
#include "back_end.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include <usrsctp_cmt_event.h>

#include "runtime.h"

struct blk_back_end {
	TAILQ_ENTRY(blk_back_end) entry;
	struct blk_back_end_key key;
	struct usrsctp_cmt_event *ev;
	unsigned users;
};

static TAILQ_HEAD(, blk_back_end) back_ends = TAILQ_HEAD_INITIALIZER(back_ends);

static bool is_equal(const struct blk_back_end_key *a, const struct blk_back_end_key *b)
{
	return a->udp_port == b->udp_port && a->listens == b->listens && a->addresses.n == b->addresses.n &&
	       memcmp(a->addresses.list, b->addresses.list, a->addresses.n * sizeof(a->addresses.list[0])) ==
	           0;
}

int blk_back_end_get(struct blk_back_end **out, const struct blk_back_end_key *key, char *error,
                     size_t error_bytes)
{
	const struct usrsctp_cmt_event_config config = {.size = sizeof(config),
	                                                .addresses = key->addresses.list,
	                                                .n_addresses = key->addresses.n,
	                                                .udp_port = key->udp_port};
	struct blk_back_end *b;

	TAILQ_FOREACH(b, &back_ends, entry)
	{
		if (is_equal(&b->key, key)) {
			*out = blk_back_end_retain(b);
			return 0;
		}
	}
	b = calloc(1, sizeof(*b));
	if (b == NULL) {
		snprintf(error, error_bytes, "no memory");
		return -ENOMEM;
	}
	b->ev = usrsctp_cmt_event_new(blk_runtime_base(), &config, error, error_bytes);
	if (b->ev == NULL) {
		const int code = errno;

		free(b);
		return -code;
	}
	b->key = *key;
	b->users = 1;
	TAILQ_INSERT_TAIL(&back_ends, b, entry);
	*out = b;
	return 0;
}

struct blk_back_end *blk_back_end_retain(struct blk_back_end *b)
{
	b->users++;
	return b;
}

void blk_back_end_release(struct blk_back_end *b)
{
	if (b != NULL && --b->users == 0) {
		TAILQ_REMOVE(&back_ends, b, entry);
		usrsctp_cmt_event_free(b->ev);
		free(b);
	}
}

struct usrsctp_cmt_event *blk_back_end_event(const struct blk_back_end *b)
{
	return b->ev;
}
