/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/assoc_state.h"

#include <inttypes.h>
#include <stdio.h>

#include "net/addresses.h"
#include "net/path_stats.h"
#include "text/units.h"

enum { LINE_BYTES = 400, SIZE_BYTES = 40 };

static void say_all(struct socket *so, const struct sctp_cmt_stats *all,
                    void (*say)(const char *text, void *arg), void *arg)
{
	struct sctp_status status = {.sstat_assoc_id = 0};
	socklen_t len = sizeof(status);
	char line[LINE_BYTES], sizes[4][SIZE_BYTES];

	if (usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_STATUS, &status, &len) != 0) {
		say("state: the association no longer exists", arg);
		return;
	}
	snprintf(line, sizeof(line),
	         "state: %s written but not acknowledged, %u chunks of it sent, peer's receive window %s; %s "
	         "received but not read, %s held out of order",
	         app_format_size((double)all->send_queue_bytes, sizes[0], SIZE_BYTES),
	         (unsigned)status.sstat_unackdata,
	         app_format_size((double)status.sstat_rwnd, sizes[1], SIZE_BYTES),
	         app_format_size((double)all->receive_queue_bytes, sizes[2], SIZE_BYTES),
	         app_format_size((double)all->held_bytes, sizes[3], SIZE_BYTES));
	say(line, arg);
}

static void say_path(const struct sctp_cmt_path_stats *p, void (*say)(const char *text, void *arg), void *arg)
{
	char line[LINE_BYTES], local[APP_ENDPOINT_TEXT_BYTES], remote[APP_ENDPOINT_TEXT_BYTES],
	    sizes[2][SIZE_BYTES], time[SIZE_BYTES];

	snprintf(line, sizeof(line),
	         "path %u, %s -> %s: %s, %s of cwnd %s in flight, RTT %s; packets sent %" PRIu64
	         ", chunks lost %" PRIu64 "; probes %" PRIu64 ", timeouts %" PRIu64 ", failures %" PRIu64,
	         p->path_id, app_endpoint_text(&p->local, local), app_endpoint_text(&p->remote, remote),
	         app_path_state_name(p->state),
	         app_format_size((double)p->flight_bytes, sizes[0], SIZE_BYTES),
	         app_format_size((double)p->cwnd_bytes, sizes[1], SIZE_BYTES),
	         p->srtt_us == 0 ? "unknown" : app_format_time((double)p->srtt_us, time, sizeof(time)),
	         p->sent_pkts, p->lost_chunks, p->probes, p->timeouts, p->failures);
	say(line, arg);
}

void app_assoc_state_say(struct socket *so, void (*say)(const char *text, void *arg), void *arg)
{
	struct app_assoc_stats stats;

	app_assoc_stats_read(so, &stats);
	say_all(so, &stats.all, say, arg);
	for (size_t i = 0; i < stats.n_paths; i++) {
		say_path(&stats.paths[i], say, arg);
	}
}
