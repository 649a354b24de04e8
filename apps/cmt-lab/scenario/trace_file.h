/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trace_file.h - files that say what a link does over time.
 *
 * A file is read once, and what was in it lasts as long as the process. Not thread safe. Functions return
 * NULL with a sentence in `why` when there is no such file, or it is none. Blank lines and those that begin
 * with # do not count. */
#ifndef LAB_TRACE_FILE_H
#define LAB_TRACE_FILE_H

#include <stddef.h>

#include <usrsctp_cmt_sim.h>

#define LAB_TRACE_PACKET_BYTES 1500 /* Mahimahi's 1504, without what it puts in front of an IP packet */

/* Lines SECONDS,BIT/S, the first one at 0: the rate from then on; the last one holds as long as the one
 * before it. Or Mahimahi's lines: the millisecond in which one packet of LAB_TRACE_PACKET_BYTES may leave,
 * ascending or the same again. Either starts again at its end. */
const struct usrsctp_cmt_sim_rates *lab_trace_rates(const char *path, char *why, size_t why_bytes);

/* Lines SECONDS,MILLISECONDS: the delay, as above. */
const struct usrsctp_cmt_sim_delays *lab_trace_delays(const char *path, char *why, size_t why_bytes);

#endif
