/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exchange.h - two processes, each with a stack in upstream's threaded mode, exchange known content in UDP
 * over this host.
 *
 * Each association has an application thread at both ends. The client's sends; a second thread of the client
 * reads what the server answers: how many bytes it has got so far, and all of them as expected. Runs in a
 * child process (sim/support/isolate.h); whatever cannot fail in a sound stack is REQUIREd. */
#ifndef NET_EXCHANGE_H
#define NET_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXCHANGE_MAX_ASSOCIATIONS = 8 };

struct exchange {
	const char *scheduler; /* of both ends; NULL = none, not even CMT */
	unsigned associations; /* at once, from as many threads */
	unsigned rounds;       /* each thread's associations, one after the other */
	uint32_t bytes;        /* sent in each association */
	uint32_t message_bytes;
	bool callbacks;    /* the server reads in a callback of upstream's threads */
	bool watch;        /* a further thread reads statistics and options of the sockets all the time */
	bool abort_midway; /* the client aborts each association after half of the bytes */
};

struct exchange_outcome {
	uint64_t confirmed_bytes; /* of all associations: the server has got them, as they were sent */
	unsigned ended;           /* associations whose end the server has seen */
	unsigned max_paths;       /* of one association, as the watcher saw */
};

/* An isolate_scenario: `job` is a struct exchange, `outcome` a struct exchange_outcome. Both stacks are
 * finished and, with AddressSanitizer, looked through for leaks at the end. */
void exchange_run(const void *job, void *outcome);

#endif
