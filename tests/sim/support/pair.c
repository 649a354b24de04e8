/* SPDX-License-Identifier: BSD-3-Clause */
#include "pair.h"

#include <stdio.h>
#include <string.h>

#include "content.h"
#include "isolate.h"
#include "policy.h"

enum { MESSAGE_DEFAULT_BYTES = 1000 };

static void on_client(struct socket *so, void *arg, int flags)
{
	struct pair *p = arg;
	uint32_t size = p->options->message_bytes != 0 ? p->options->message_bytes : MESSAGE_DEFAULT_BYTES;

	(void)flags;
	if ((usrsctp_get_events(so) & SCTP_EVENT_ERROR) != 0) {
		p->ended = true;
		usrsctp_cmt_sim_stop(p->sim);
		return;
	}
	while (p->sent_bytes < p->options->bytes && (usrsctp_get_events(so) & SCTP_EVENT_WRITE) != 0) {
		uint32_t left = p->options->bytes - p->sent_bytes;
		uint32_t len = left < size ? left : size;

		if (usrsctp_sendv(so, content_of_stream(p->sent_bytes, len), len, NULL, 0, NULL, 0,
		                  SCTP_SENDV_NOINFO, 0) <= 0)
			return;
		p->sent_bytes += len;
	}
}

static void on_server(struct socket *so, void *arg, int flags)
{
	struct pair *p = arg;
	uint8_t buffer[PAIR_MESSAGE_MAX_BYTES];

	(void)flags;
	while ((usrsctp_get_events(so) & SCTP_EVENT_READ) != 0) {
		socklen_t info_bytes = 0;
		unsigned kind = 0;
		int msg_flags = 0;
		ssize_t n = usrsctp_recvv(so, buffer, sizeof(buffer), NULL, NULL, NULL, &info_bytes, &kind,
		                          &msg_flags);

		if (n <= 0) {
			if (n == 0 || (usrsctp_get_events(so) & SCTP_EVENT_ERROR) != 0)
				p->ended = true;
			break;
		}
		p->intact &= memcmp(buffer, content_of_stream(p->received_bytes, (size_t)n), (size_t)n) == 0;
		p->received_bytes += (uint32_t)n;
	}
	if (p->received_bytes >= p->options->bytes && !p->complete) {
		p->complete = true;
		p->done_us = usrsctp_cmt_sim_now_us(p->sim);
		usrsctp_cmt_sim_stop(p->sim);
	}
	if (p->ended)
		usrsctp_cmt_sim_stop(p->sim);
}

static void on_listener(struct socket *so, void *arg, int flags)
{
	struct pair *p = arg;
	struct socket *accepted = usrsctp_accept(so, NULL, NULL);

	(void)flags;
	if (accepted == NULL)
		return;
	REQUIRE(p->server == NULL);
	p->server = accepted;
	usrsctp_set_non_blocking(accepted, 1);
	usrsctp_set_upcall(accepted, on_server, p);
}

static struct socket *open_socket(struct pair *p, int host, uint16_t port)
{
	const struct pair_options *o = p->options;
	int family = o->family != 0 ? o->family : AF_INET;
	struct socket *so = usrsctp_socket(family, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);

	REQUIRE(so != NULL);
	REQUIRE(usrsctp_set_non_blocking(so, 1) == 0);
	if (host == PAIR_SERVER && o->rcvbuf_bytes != 0)
		REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_RCVBUF, &o->rcvbuf_bytes,
		                           sizeof(o->rcvbuf_bytes)) == 0);
	policy_choose(so, SCTP_CMT_SCHEDULER, o->scheduler);
	if (o->configure != NULL)
		o->configure(so, host, o->arg);
	REQUIRE(usrsctp_cmt_sim_bind(p->sim, so, host, port, -1) == 0);
	return so;
}

void pair_open(struct pair *p, const struct pair_options *o)
{
	struct usrsctp_cmt_sim_config config = {
	    .size = sizeof(config),
	    .seed = o->seed,
	    .family = o->family,
	    .clock_offset_us = {o->clock_offset_us[0], o->clock_offset_us[1]},
	    .clock_skew_ppm = {o->clock_skew_ppm[0], o->clock_skew_ppm[1]}};

	*p = (struct pair){.options = o, .intact = true};
	fprintf(stderr, "seed %llu\n", (unsigned long long)o->seed);
	p->sim = usrsctp_cmt_sim_new(&config);
	REQUIRE(p->sim != NULL);
	if (o->sysctl_cmt)
		REQUIRE(usrsctp_sysctl_set_sctp_cmt_on_off(1) == 0);
	usrsctp_cmt_sim_tap(p->sim, o->tap, o->arg);
	for (int path = 0; path < o->n_paths; path++)
		REQUIRE(usrsctp_cmt_sim_add_path(p->sim, &o->forward[path], &o->backward[path]) == path);
	if (o->build != NULL)
		o->build(p->sim, o->arg);
	p->listener = open_socket(p, PAIR_SERVER, PAIR_SERVER_PORT);
	usrsctp_set_upcall(p->listener, on_listener, p);
	REQUIRE(usrsctp_listen(p->listener, 1) == 0);
	p->client = open_socket(p, PAIR_CLIENT, PAIR_CLIENT_PORT);
	usrsctp_set_upcall(p->client, on_client, p);
	REQUIRE(usrsctp_cmt_sim_connect(p->sim, p->client, PAIR_SERVER, PAIR_SERVER_PORT, -1) == 0);
}

void pair_run(struct pair *p, uint64_t until_us)
{
	if (!p->complete && !p->ended)
		usrsctp_cmt_sim_run(p->sim, until_us);
}

void pair_linger(struct pair *p, uint64_t until_us)
{
	while (usrsctp_cmt_sim_now_us(p->sim) < until_us) {
		uint64_t before_us = usrsctp_cmt_sim_now_us(p->sim);

		if (usrsctp_cmt_sim_run(p->sim, until_us) == before_us && p->ended)
			break;
	}
}

void pair_close(struct pair *p)
{
	struct socket *sockets[3] = {p->client, p->server, p->listener};

	usrsctp_cmt_sim_tap(p->sim, NULL, NULL);
	for (unsigned i = 0; i < 3; i++) {
		if (sockets[i] == NULL)
			continue;
		usrsctp_set_upcall(sockets[i], NULL, NULL);
		usrsctp_close(sockets[i]);
	}
	REQUIRE(usrsctp_cmt_sim_free(p->sim) == 0);
}

struct sctp_cmt_stats pair_stats(struct socket *so)
{
	struct sctp_cmt_stats stats = {.size = sizeof(stats)};
	socklen_t len = sizeof(stats);

	REQUIRE(usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len) == 0);
	return stats;
}

int pair_path_stats(struct socket *so, struct sctp_cmt_path_stats *out)
{
	socklen_t len = USRSCTP_CMT_SIM_MAX_PATHS * sizeof(*out);

	memset(out, 0, len);
	out->size = sizeof(*out);
	REQUIRE(usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, out, &len) == 0);
	return (int)(len / sizeof(*out));
}

struct pair_link_sum pair_links(const struct pair *p)
{
	struct pair_link_sum sum = {.sent_pkts = 0};

	for (int path = 0; path < p->options->n_paths; path++) {
		for (int direction = 0; direction < 2; direction++) {
			struct usrsctp_cmt_sim_link_stats s;

			REQUIRE(usrsctp_cmt_sim_link_stats(p->sim, path, direction, &s) == 0);
			sum.sent_pkts += s.sent_pkts;
			sum.dropped_pkts += s.dropped_queue_pkts + s.dropped_loss_pkts + s.dropped_down_pkts +
			                    s.dropped_mtu_pkts + s.dropped_bit_error_pkts +
			                    s.dropped_policer_pkts + s.dropped_aqm_pkts;
			sum.misrouted_pkts += s.misrouted_pkts;
		}
	}
	return sum;
}
