/* SPDX-License-Identifier: BSD-3-Clause */
#include "given_up.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isolate.h"
#include "transfer.h"

enum {
	SEEDS = 10,
	N_PARTIAL = 1000,
	N_RELIABLE = 500,
	PARTIAL_BYTES = 32768,
	N_STREAMS = 16,
	CHUNKS_MAX = 8000,
	BUFFER_BYTES = 16000000,
	LOSS_US = 30000000,
	OPTION_INTERLEAVING_SUPPORTED = 0x1206 /* not in the public header */
};

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	if (index >= N_PARTIAL)
		return (struct transfer_message){.bytes = 1000, .stream = N_STREAMS};
	return (struct transfer_message){
	    .bytes = PARTIAL_BYTES, .stream = (uint16_t)(index % N_STREAMS), .pr_policy = SCTP_PR_SCTP_RTX};
}

static void interleave(struct socket *so)
{
	struct sctp_assoc_value on = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};
	const int level = 2;

	REQUIRE(usrsctp_sysctl_set_sctp_max_chunks_on_queue(CHUNKS_MAX) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_FRAGMENT_INTERLEAVE, &level, sizeof(level)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, OPTION_INTERLEAVING_SUPPORTED, &on, sizeof(on)) == 0);
}

static void end_loss(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_end_loss(arg);
}

static void end_loss_later(struct transfer *t)
{
	transfer_after(t, LOSS_US, end_loss);
}

void given_up_run(const char *scheduler, uint64_t seed)
{
	const struct transfer_job job = {
	    .scheduler = scheduler,
	    .seed = seed,
	    .n_paths = 2,
	    .links = {{.rate_bps = 20000000, .delay_us = 10000, .queue_pkts = 100, .loss = 0.08},
	              {.rate_bps = 10000000, .delay_us = 40000, .queue_pkts = 100, .loss = 0.08}},
	    .message = message,
	    .n_messages = {N_PARTIAL + N_RELIABLE},
	    .configure = interleave,
	    .on_up = end_loss_later,
	    .sndbuf_bytes = BUFFER_BYTES,
	    .rcvbuf_bytes = BUFFER_BYTES,
	    .limit_us = 120000000};
	struct transfer_outcome o = transfer_run(&job);

	print_message("%s: %u messages arrived, the last after %.1f s\n", scheduler, o.arrived[0],
	              (double)o.last_us / 1e6);
	transfer_assert_arrived(&job, &o);
	assert_int_equal(o.end[TRANSFER_CLIENT], TRANSFER_CLOSED);
}

void given_up_run_seeds(const char *scheduler)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		given_up_run(scheduler, seed);
}
