/* SPDX-License-Identifier: BSD-3-Clause */
#include "conn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <usrsctp_cmt_packets.h>

#include "content.h"
#include "isolate.h"
#include "util/cmt_random.h"

enum { PORT = 5000, TICK_US = 1000, EPOCH_US = 1000000, LINGER_US = 600000000 };

struct flying {
	struct flying *next;
	uint64_t at_us;
	size_t bytes;
	uint8_t packet[];
};

/* Also the address of its socket: what is sent "to" it goes over its link to the other end. */
struct end {
	struct socket *so;
	struct flying *first, **last; /* under way to the other end */
	uint64_t free_us;             /* when the link has sent what was given to it */
	bool up;
};

static struct {
	struct usrsctp_cmt_packets *packets;
	const struct conn_job *job;
	struct conn_outcome *outcome;
	struct end ends[2];
	uint64_t now_us, timers_us, random;
	uint32_t n_sent;
} world;

static uint64_t now_us(void *ctx)
{
	(void)ctx;
	return EPOCH_US + world.now_us;
}

static void random_bytes(void *ctx, void *buf, size_t len)
{
	(void)ctx;
	for (size_t i = 0; i < len; i++)
		((uint8_t *)buf)[i] = (uint8_t)cmt_random_take(&world.random);
}

/* Runs with locks of the stack held. */
static int output(void *address, void *packet, size_t bytes, uint8_t tos, uint8_t dont_fragment)
{
	const struct conn_job *job = world.job;
	struct end *from = address;
	uint64_t start_us = from->free_us > world.now_us ? from->free_us : world.now_us;
	struct flying *f;

	(void)tos;
	(void)dont_fragment;
	REQUIRE(bytes <= CONN_MTU_BYTES);
	world.outcome->sent_pkts++;
	if ((start_us - world.now_us) * job->rate_bps > (uint64_t)job->queue_bytes * 8000000 ||
	    cmt_random_take(&world.random) % 1000000 < job->loss_ppm) {
		world.outcome->dropped_pkts++;
		return 0;
	}
	f = malloc(sizeof(*f) + bytes);
	REQUIRE(f != NULL);
	from->free_us = start_us + bytes * 8000000 / job->rate_bps;
	f->next = NULL;
	f->at_us = from->free_us + job->delay_us;
	f->bytes = bytes;
	memcpy(f->packet, packet, bytes);
	*from->last = f;
	from->last = &f->next;
	return 0;
}

static void arrive(struct end *from)
{
	struct flying *f = from->first;

	from->first = f->next;
	if (from->first == NULL)
		from->last = &from->first;
	usrsctp_conninput(&world.ends[from == &world.ends[0]], f->packet, f->bytes, 0);
	free(f);
}

static void write_messages(struct end *end)
{
	const struct conn_job *job = world.job;
	struct sctp_sndinfo info = {.snd_sid = 0};

	while (world.n_sent < job->n_messages) {
		const uint8_t *message =
		    content_of_stream((uint64_t)world.n_sent * job->message_bytes, job->message_bytes);

		if (usrsctp_sendv(end->so, message, job->message_bytes, NULL, 0, &info, sizeof(info),
		                  SCTP_SENDV_SNDINFO, 0) < 0) {
			REQUIRE(errno == EWOULDBLOCK || errno == EAGAIN);
			return;
		}
		world.n_sent++;
	}
}

static void take(const uint8_t *bytes, size_t n, int flags)
{
	struct conn_outcome *o = world.outcome;

	o->intact = o->intact && memcmp(bytes, content_of_stream(o->received_bytes, n), n) == 0;
	o->received_bytes += n;
	if ((flags & MSG_EOR) != 0) {
		o->received_messages++;
		o->intact = o->intact &&
		            o->received_bytes == (uint64_t)o->received_messages * world.job->message_bytes;
	}
	if (o->received_messages == world.job->n_messages)
		o->done_us = world.now_us;
}

static void read_messages(struct end *end)
{
	static uint8_t buffer[65536];
	struct sockaddr_conn from;
	struct sctp_rcvinfo info;
	ssize_t n;

	do {
		socklen_t from_len = sizeof(from), info_len = sizeof(info);
		unsigned type = 0;
		int flags = 0;

		n = usrsctp_recvv(end->so, buffer, sizeof(buffer), (struct sockaddr *)&from, &from_len, &info,
		                  &info_len, &type, &flags);
		if (n > 0)
			take(buffer, (size_t)n, flags);
	} while (n > 0);
}

static void on_event(struct socket *so, void *arg, int flags)
{
	struct end *end = arg;
	int events = usrsctp_get_events(so);

	(void)flags;
	if (!end->up && (events & SCTP_EVENT_WRITE) != 0) {
		end->up = true;
		if (end == &world.ends[0])
			world.outcome->up_us = world.now_us;
	}
	if ((events & SCTP_EVENT_READ) != 0)
		read_messages(end);
	if ((events & SCTP_EVENT_WRITE) != 0 && end == &world.ends[0])
		write_messages(end);
}

static struct sockaddr_conn address_of(struct end *end)
{
	return (struct sockaddr_conn){.sconn_family = AF_CONN, .sconn_port = htons(PORT), .sconn_addr = end};
}

static void open_end(struct end *end)
{
	const int buffer_bytes = CONN_BUFFER_BYTES, on = 1;
	struct sockaddr_conn address = address_of(end);
	struct sctp_paddrparams path = {.spp_flags = SPP_PMTUD_DISABLE};

	end->last = &end->first;
	usrsctp_register_address(end);
	end->so = usrsctp_socket(AF_CONN, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	REQUIRE(end->so != NULL && usrsctp_set_non_blocking(end->so, 1) == 0);
	REQUIRE(usrsctp_setsockopt(end->so, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof(int)) == 0);
	REQUIRE(usrsctp_setsockopt(end->so, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof(int)) == 0);
	REQUIRE(usrsctp_setsockopt(end->so, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof(on)) == 0);
	if (world.job->configure != NULL)
		world.job->configure(end->so, (int)(end - world.ends), world.job->arg);
	REQUIRE(usrsctp_bind(end->so, (struct sockaddr *)&address, sizeof(address)) == 0);
	REQUIRE(usrsctp_set_upcall(end->so, on_event, end) == 0);
	REQUIRE(usrsctp_connect(end->so, (struct sockaddr *)&address, sizeof(address)) == 0 ||
	        errno == EINPROGRESS);
	memcpy(&path.spp_address, &address, sizeof(address));
	path.spp_pathmtu = CONN_MTU_BYTES - 12;
	REQUIRE(usrsctp_setsockopt(end->so, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof(path)) == 0);
}

/* One step: the next packet, or the stack's next millisecond. False when neither comes before `until_us`. */
static bool step(uint64_t until_us)
{
	uint64_t event_us = world.timers_us + TICK_US;
	struct end *due = NULL;

	for (int i = 0; i < 2; i++) {
		if (world.ends[i].first != NULL && world.ends[i].first->at_us < event_us) {
			due = &world.ends[i];
			event_us = due->first->at_us;
		}
	}
	if (event_us > until_us)
		return false;
	world.now_us = event_us;
	if (due != NULL) {
		arrive(due);
	} else {
		world.timers_us += TICK_US;
		usrsctp_handle_timers(1);
	}
	return true;
}

static void finish(void)
{
	const uint64_t limit_us = world.now_us + LINGER_US;

	for (int i = 0; i < 2; i++)
		usrsctp_close(world.ends[i].so);
	while (usrsctp_cmt_packets_free(world.packets) != 0)
		REQUIRE(step(limit_us));
	for (int i = 0; i < 2; i++) {
		for (struct flying *f = world.ends[i].first, *next; f != NULL; f = next) {
			next = f->next;
			free(f);
		}
	}
}

static void run(const void *arg, void *out)
{
	const struct usrsctp_cmt_packets_config config = {
	    .size = sizeof(config), .now_us = now_us, .random = random_bytes, .conn_output = output};

	world.job = arg;
	world.outcome = out;
	world.outcome->intact = true;
	world.random = world.job->seed;
	world.packets = usrsctp_cmt_packets_new(&config);
	REQUIRE(world.packets != NULL);
	for (int i = 0; i < 2; i++)
		open_end(&world.ends[i]);
	while (world.outcome->done_us == 0 && step(world.job->limit_us))
		;
	if (world.job->look != NULL)
		world.job->look(world.ends[0].so, world.outcome->seen);
	finish();
}

struct conn_outcome conn_run(const struct conn_job *job)
{
	struct conn_outcome o;

	isolate_run(run, job, &o, sizeof(o));
	return o;
}

uint64_t conn_goodput_bps(const struct conn_outcome *o)
{
	return o->done_us > o->up_us ? o->received_bytes * 8000000 / (o->done_us - o->up_us) : 0;
}
