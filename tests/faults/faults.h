/* SPDX-License-Identifier: BSD-3-Clause
 *
 * faults.h - what goes wrong in a transfer, and what must come of it (docs/security.md). */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>

#include "transfer.h"

enum fault_end {
	FAULT_DELIVERS,   /* every message arrives, and the association ends in order */
	FAULT_TELLS_BOTH, /* nothing gets through any more: both applications read an error */
	FAULT_TELLS_CLIENT /* the server's application is gone: the client's reads an error */,
	FAULT_TELLS_SERVER /* and the other way round */
};

struct fault {
	const char *name;
	const char *what;
	enum fault_end end;
	int min_paths;      /* 0 = 1 */
	int gap_bound_from; /* with that many paths one survives: no silence beyond FAULT_GAP_MAX_US; 0 =
	                       never */
	void (*links)(
	    struct usrsctp_cmt_sim_link *link); /* as long as the transfer lasts; NULL: sound links */
	void (*on_up)(struct transfer *t);      /* the association is up */
	bool outlasts_plain; /* may be longer than what RFC 9260 (8.1, 8.2) waits for: without the extension,
	                        on one path, both applications may read an error */
	int rcvbuf_bytes;    /* 0 = default */
	int32_t server_skew_ppm;
};

enum { FAULT_GAP_MAX_US = 1000000 };

/* Fault number `i`; NULL behind the last. */
const struct fault *fault_number(unsigned i);

#endif
