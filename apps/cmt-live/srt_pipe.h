/* SPDX-License-Identifier: BSD-3-Clause
 *
 * srt_pipe.h - datagrams from or to an SRT peer, through a descriptor that is used like a UDP socket.
 *
 * SRT brings threads of its own, and what happens there cannot be waited for with an event loop. So a thread
 * of ours waits, and passes datagrams on through a pair of sockets with boundaries (SOCK_SEQPACKET). It calls
 * or listens again whenever the peer is gone, for as long as the pipe is there; that ends only with
 * srt_pipe_free(). One peer at a time: others are refused, unless the present one has sent nothing for a
 * while.
 *
 * The descriptor is readable or writable by the loop, and nothing else may be done with it. What arrives is
 * never dropped here: when the loop is late, SRT's buffer holds it. What leaves while there is no peer, or
 * more than SRT has room for, is dropped and counted. Built without libsrt, srt_pipe_new() says so. */
#ifndef LIVE_SRT_PIPE_H
#define LIVE_SRT_PIPE_H

#include "srt_url.h"

struct srt_pipe;

enum srt_pipe_way { SRT_PIPE_IN, SRT_PIPE_OUT };

/* `said` is how the endpoint was written, for messages, which `quiet` suppresses; it must outlive the pipe.
 * Listens, or begins to call; names are looked up, which may take a while. NULL with the reason. */
struct srt_pipe *srt_pipe_new(const struct srt_url *url, const char *said, enum srt_pipe_way way, bool quiet,
                              struct app_error *error);

/* Non-blocking; belongs to the pipe. */
int srt_pipe_fd(const struct srt_pipe *p);

struct srt_pipe_stats {
	bool connected;
	uint64_t connections;
	uint64_t datagrams;   /* that came from, or were handed to, SRT */
	uint64_t dropped;     /* to be sent, but there was no peer or no room */
	uint64_t lost;        /* packets that SRT gave up: too late, or not to be decrypted */
	uint64_t retransmits; /* packets */
	double rtt_ms;        /* of the present connection, or the last one; 0 = none */
};
void srt_pipe_stats(struct srt_pipe *p, struct srt_pipe_stats *out);

/* What was written leaves first, as far as the peer takes it within a second. NULL: nothing happens. */
void srt_pipe_free(struct srt_pipe *p);

#endif
