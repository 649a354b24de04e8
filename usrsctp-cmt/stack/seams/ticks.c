/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ticks.c - when the timers of back ends run: whoever of them comes first runs all. */
#include "packets.h"

#include <errno.h>
#include <usrsctp_cmt.h>

#include "util/cmt_time.h"

/* What usrsctp_handle_timers() has been told; 0 = nothing yet. */
static uint64_t told_us;

/* In virtual time, time begins with the first run. */
void cmt_ticks_begin(void)
{
	told_us = cmt_back_ends.alone == NULL ? cmt_packets_clock_us() : 0;
}

void cmt_ticks_end(void)
{
	told_us = 0;
}

static uint32_t elapsed_ms(void)
{
	const uint64_t now_us = cmt_seam_now_us(),
	               ms = now_us > told_us ? (now_us - told_us) / CMT_TICK_US : 0;

	return ms > UINT32_MAX ? UINT32_MAX : (uint32_t)ms;
}

uint32_t cmt_seam_late_ms(void)
{
	return told_us != 0 ? elapsed_ms() : 0;
}

static void run_timers(void)
{
	uint32_t ms;

	if (told_us == 0)
		told_us = cmt_seam_now_us();
	ms = elapsed_ms();
	told_us += (uint64_t)ms * CMT_TICK_US;
	usrsctp_handle_timers(ms);
}

int usrsctp_cmt_packets_run(struct usrsctp_cmt_packets *packets)
{
	if (packets == NULL) {
		errno = EINVAL;
		return -1;
	}
	if (!cmt_packets_run_begin()) {
		errno = EDEADLK;
		return -1;
	}
	cmt_packets_enter();
	run_timers();
	cmt_packets_leave();
	cmt_packets_give(packets);
	cmt_packets_run_end();
	return 0;
}

int64_t usrsctp_cmt_packets_timeout_us(const struct usrsctp_cmt_packets *packets)
{
	int64_t timeout_ms;
	uint64_t now_us, due_us;

	if (packets != NULL && packets->batches != NULL && cmt_batches_are_ready(packets->batches))
		return 0;
	timeout_ms = usrsctp_cmt_next_timeout();
	if (timeout_ms < 0)
		return -1;
	now_us = cmt_packets_clock_us();
	due_us = (told_us != 0 ? told_us : now_us) + (uint64_t)timeout_ms * CMT_TICK_US;
	return due_us > now_us ? (int64_t)(due_us - now_us) : 0;
}
