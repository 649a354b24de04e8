/* SPDX-License-Identifier: BSD-3-Clause */
#include "carrier.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "isolate.h"
#include "util/cmt_random.h"

enum { EPOCH_US = 1000000, BUFFER_BYTES = 1 << 18, LINGER_US = 20000000, STEP_US = 10000 };

static struct carrier *carrier; /* the one of the process */

/* --- addresses --- */

struct sockaddr_in carrier_address(unsigned host, unsigned path)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
	                            .sin_addr.s_addr =
	                                htonl(0x0a000000u + ((path + 1) << 16) + (host % 2) + 1)};
}

static unsigned path_of(const struct sockaddr *address)
{
	return ((ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 16) & 0xff) -
	       1;
}

/* Of the pair of `host`, who has this address. */
static unsigned host_at(unsigned host, const struct sockaddr *address)
{
	return (host & ~1u) +
	       (ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) & 0xff) - 1;
}

/* --- packets that leave --- */

static void fly(struct carrier_packet *packet)
{
	struct carrier_packet **at = &carrier->flying;

	while (*at != NULL && (*at)->at_us <= packet->at_us)
		at = &(*at)->next;
	packet->next = *at;
	*at = packet;
}

/* Answers to packets from elsewhere go there: nowhere. */
static bool is_of_a_host(const struct sockaddr *address)
{
	const uint32_t a = ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr);

	return (a >> 24) == 10 && (a & 0xff) - 1 < 2 && (a & 0xff00) == 0 && path_of(address) < CARRIER_PATHS;
}

static void carry(unsigned any_of_pair, const struct usrsctp_cmt_packet *out)
{
	const unsigned from = host_at(any_of_pair, out->local), to = host_at(any_of_pair, out->remote);
	struct carrier_packet *packet;

	REQUIRE(out->size == sizeof(*out));
	REQUIRE(((const struct sockaddr_in *)(const void *)out->local)->sin_port == 0);
	if (!is_of_a_host(out->local) || !is_of_a_host(out->remote) ||
	    ((const struct sockaddr_in *)(const void *)out->remote)->sin_port !=
	        htons((uint16_t)(CARRIER_UDP_PORT + to))) {
		carrier->hosts[any_of_pair].nowhere_pkts++;
		return;
	}
	packet = malloc(sizeof(*packet) + out->len);
	REQUIRE(packet != NULL);
	packet->to = &carrier->hosts[to];
	packet->path = path_of(out->remote);
	packet->at_us = carrier_now_us(carrier) + carrier->delay_us;
	packet->local = carrier_address(to, path_of(out->remote));
	packet->remote = carrier_address(from, path_of(out->local));
	packet->remote.sin_port = htons((uint16_t)(CARRIER_UDP_PORT + from));
	packet->len = out->len;
	usrsctp_cmt_packet_copy(out, packet->bytes);
	carrier->hosts[from].out_pkts[path_of(out->local)]++;
	if (from == to || (carrier->passes != NULL && !carrier->passes(carrier, packet)))
		free(packet);
	else
		fly(packet);
}

static size_t output(void *arg, const struct usrsctp_cmt_packet *packets, size_t n)
{
	struct carrier_host *host = arg;
	const size_t taken = host->room != 0 && host->room < n ? host->room : n;

	host->batches++;
	REQUIRE(n > 0);
	for (size_t i = 0; i < n; i++) {
		REQUIRE(packets[i].local == packets[0].local && packets[i].remote == packets[0].remote);
		REQUIRE(packets[i].bytes != NULL);
	}
	for (size_t i = 0; i < taken; i++)
		carry((unsigned)(host - carrier->hosts), &packets[i]);
	return taken;
}

static int output_now(void *arg, const struct usrsctp_cmt_packet *packet)
{
	const struct carrier_host *host = arg;

	REQUIRE(packet->bytes == NULL);
	carry((unsigned)(host - carrier->hosts), packet);
	return 0;
}

/* --- time --- */

static uint64_t now_us(void *arg)
{
	(void)arg;
	return EPOCH_US + carrier->now_us;
}

static void random_bytes(void *arg, void *buffer, size_t bytes)
{
	(void)arg;
	for (size_t i = 0; i < bytes; i++)
		((uint8_t *)buffer)[i] = (uint8_t)cmt_random_take(&carrier->random);
}

static void sooner(void *arg)
{
	((struct carrier_host *)arg)->calls_sooner++;
}

uint64_t carrier_now_us(const struct carrier *c)
{
	struct timespec now;

	if (c->in_virtual_time)
		return c->now_us;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* --- hosts --- */

static struct usrsctp_cmt_packets *new_back_end(struct carrier *c, struct carrier_host *host)
{
	struct usrsctp_cmt_packets_config config = {.size = sizeof(config), .arg = host, .sooner = sooner};

	if (c->in_virtual_time) {
		config.now_us = now_us;
		config.random = random_bytes;
	}
	if (c->at_once)
		config.output_now = output_now;
	else
		config.output = output;
	return usrsctp_cmt_packets_new(&config);
}

void carrier_add_address(struct carrier *c, unsigned host, unsigned path)
{
	const struct sockaddr_in address = carrier_address(host, path);

	REQUIRE(usrsctp_cmt_packets_add_address(c->hosts[host].packets, (const struct sockaddr *)&address) ==
	        0);
}

void carrier_add_path(struct carrier *c, unsigned host, unsigned path)
{
	const struct sockaddr_in local = carrier_address(host, path),
	                         remote = carrier_address(host ^ 1, path);

	REQUIRE(usrsctp_cmt_packets_add_path(c->hosts[host].packets, (const struct sockaddr *)&local,
	                                     (const struct sockaddr *)&remote, 0) == 0);
}

unsigned carrier_open(struct carrier *c)
{
	const unsigned client = c->n_hosts;

	carrier = c;
	REQUIRE(client + 2 <= CARRIER_HOSTS);
	if (c->n_paths == 0)
		c->n_paths = 1;
	c->n_hosts += 2;
	for (unsigned h = client; h < client + 2; h++) {
		struct carrier_host *host = &c->hosts[h];

		*host = (struct carrier_host){.intact = true};
		host->packets =
		    c->in_virtual_time && h % 2 == 1 ? c->hosts[client].packets : new_back_end(c, host);
		REQUIRE(host->packets != NULL);
		for (unsigned p = 0; p < c->n_paths; p++)
			carrier_add_address(c, h, p);
	}
	for (unsigned p = 0; p < c->n_paths; p++)
		carrier_add_path(c, client, p);
	return client;
}

static struct socket *open_socket(struct carrier *c, unsigned h)
{
	struct socket *so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	struct sctp_cmt_policy policy = {
	    .size = sizeof(policy), .assoc_id = SCTP_FUTURE_ASSOC, .name = USRSCTP_CMT_DEFAULT_SCHEDULER};

	REQUIRE(so != NULL && usrsctp_set_non_blocking(so, 1) == 0);
	REQUIRE(usrsctp_cmt_packets_assign(c->hosts[h].packets, so) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy)) == 0);
	if (c->configure != NULL)
		c->configure(so, &c->hosts[h]);
	for (unsigned p = 0; p < (c->bound_to_any ? 1 : c->n_paths); p++) {
		struct sockaddr_in address = carrier_address(h, p);

		if (c->bound_to_any)
			address.sin_addr.s_addr = htonl(INADDR_ANY);
		address.sin_port = htons((uint16_t)(CARRIER_SCTP_PORT + (h + 1) % 2));
		REQUIRE(usrsctp_bindx(so, (struct sockaddr *)&address, 1, SCTP_BINDX_ADD_ADDR) == 0);
	}
	return so;
}

void carrier_connect(struct carrier *c, unsigned client, size_t bytes)
{
	struct sockaddr_in to = carrier_address(client + 1, 0);
	struct sctp_udpencaps encaps = {.sue_port = htons((uint16_t)(CARRIER_UDP_PORT + client + 1))};
	struct carrier_host *host = &c->hosts[client];

	c->hosts[client + 1].listener = open_socket(c, client + 1);
	REQUIRE(usrsctp_listen(c->hosts[client + 1].listener, 1) == 0);
	host->so = open_socket(c, client);
	host->to_send = bytes;
	encaps.sue_address.ss_family = AF_INET;
	REQUIRE(usrsctp_setsockopt(host->so, IPPROTO_SCTP, SCTP_REMOTE_UDP_ENCAPS_PORT, &encaps,
	                           sizeof(encaps)) == 0);
	to.sin_port = htons(CARRIER_SCTP_PORT);
	REQUIRE(usrsctp_connect(host->so, (struct sockaddr *)&to, sizeof(to)) == 0 || errno == EINPROGRESS);
}

/* --- sockets --- */

static uint8_t pattern(size_t at)
{
	return (uint8_t)(at * 7 + (at >> 8));
}

static void write_some(struct carrier_host *host)
{
	uint8_t message[CARRIER_MESSAGE_BYTES];

	while (host->sent < host->to_send && (usrsctp_get_events(host->so) & SCTP_EVENT_WRITE) != 0) {
		for (size_t i = 0; i < sizeof(message); i++)
			message[i] = pattern(host->sent + i);
		if (usrsctp_sendv(host->so, message, sizeof(message), NULL, 0, NULL, 0, SCTP_SENDV_NOINFO,
		                  0) < 0)
			return;
		host->sent += sizeof(message);
	}
}

static void read_some(struct carrier_host *host)
{
	uint8_t bytes[4096];

	while (!host->over && (usrsctp_get_events(host->so) & SCTP_EVENT_READ) != 0) {
		socklen_t from = 0, info = 0;
		unsigned type;
		int flags = 0;
		const ssize_t n =
		    usrsctp_recvv(host->so, bytes, sizeof(bytes), NULL, &from, NULL, &info, &type, &flags);

		if (n < 0 && (errno == EWOULDBLOCK || errno == EAGAIN))
			return;
		host->over = n <= 0;
		for (ssize_t i = 0; i < n; i++)
			host->intact = host->intact && bytes[i] == pattern(host->received++);
	}
}

static void serve(struct carrier_host *host)
{
	if (host->so == NULL && host->listener != NULL)
		host->so = usrsctp_accept(host->listener, NULL, NULL);
	if (host->so == NULL)
		return;
	read_some(host);
	if (!host->over)
		write_some(host);
}

/* --- the loop --- */

static void deliver(struct carrier *c)
{
	while (c->flying != NULL && c->flying->at_us <= carrier_now_us(c)) {
		struct carrier_packet *packet = c->flying;
		bool more;

		c->flying = packet->next;
		more = c->says_more && c->flying != NULL && c->flying->to == packet->to &&
		       c->flying->at_us <= carrier_now_us(c);
		(void)usrsctp_cmt_packets_input(
		    packet->to->packets,
		    &(struct usrsctp_cmt_arrival){.size = sizeof(struct usrsctp_cmt_arrival),
		                                  .local = (const struct sockaddr *)&packet->local,
		                                  .remote = (const struct sockaddr *)&packet->remote,
		                                  .bytes = packet->bytes,
		                                  .len = packet->len,
		                                  .more = more});
		free(packet);
	}
}

static void sleep_us(struct carrier *c, uint64_t us)
{
	const struct timespec wait = {.tv_sec = (time_t)(us / 1000000),
	                              .tv_nsec = (long)(us % 1000000) * 1000};

	if (c->in_virtual_time)
		c->now_us += us;
	else if (us > 0)
		nanosleep(&wait, NULL);
}

static uint64_t next_timer_us(const struct carrier *c, uint64_t most_us)
{
	if (c->tick_us != 0 && c->tick_us < most_us)
		most_us = c->tick_us;
	for (unsigned h = 0; h < c->n_hosts; h++) {
		const int64_t timeout_us =
		    c->hosts[h].packets != NULL ? usrsctp_cmt_packets_timeout_us(c->hosts[h].packets) : -1;

		if (timeout_us >= 0 && (uint64_t)timeout_us < most_us)
			most_us = (uint64_t)timeout_us;
	}
	return most_us;
}

static void run(struct carrier *c)
{
	for (unsigned h = 0; h < c->n_hosts; h++) {
		if (c->hosts[h].packets != NULL)
			REQUIRE(usrsctp_cmt_packets_run(c->hosts[h].packets) == 0);
	}
	c->runs++;
}

void carrier_step(struct carrier *c, uint64_t most_us)
{
	uint64_t wait_us;

	run(c);
	deliver(c);
	for (unsigned h = 0; h < c->n_hosts; h++)
		serve(&c->hosts[h]);
	wait_us = next_timer_us(c, most_us);
	if (c->flying != NULL) {
		const uint64_t now = carrier_now_us(c),
		               until_us = c->flying->at_us > now ? c->flying->at_us - now : 0;

		wait_us = until_us < wait_us ? until_us : wait_us;
	}
	sleep_us(c, wait_us);
}

bool carrier_run(struct carrier *c, unsigned client, size_t bytes, uint64_t limit_us)
{
	const uint64_t until_us = carrier_now_us(c) + limit_us;

	while (c->hosts[client + 1].received < bytes && carrier_now_us(c) < until_us)
		carrier_step(c, until_us - carrier_now_us(c));
	return c->hosts[client + 1].received >= bytes;
}

/* --- looking --- */

size_t carrier_paths(const struct carrier_host *host, struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS])
{
	socklen_t len = (socklen_t)(SCTP_CMT_MAX_PATHS * sizeof(*paths));

	memset(paths, 0, len);
	paths[0].size = sizeof(paths[0]);
	if (usrsctp_getsockopt(host->so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths, &len) != 0)
		return 0;
	return len / sizeof(*paths);
}

bool carrier_path(const struct carrier *c, unsigned host, unsigned path, struct sctp_cmt_path_stats *out)
{
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];
	const size_t n = carrier_paths(&c->hosts[host], paths);
	const struct sockaddr_in address = carrier_address(host, path);

	for (size_t i = 0; i < n; i++) {
		if (((const struct sockaddr_in *)&paths[i].local)->sin_addr.s_addr ==
		    address.sin_addr.s_addr) {
			*out = paths[i];
			return true;
		}
	}
	return false;
}

/* --- the end --- */

static void close_sockets(struct carrier_host *host)
{
	if (host->so != NULL)
		usrsctp_close(host->so);
	if (host->listener != NULL)
		usrsctp_close(host->listener);
	host->so = host->listener = NULL;
}

void carrier_close(struct carrier *c)
{
	const uint64_t until_us = carrier_now_us(c) + LINGER_US;
	struct carrier_packet *packet;

	for (unsigned h = 0; h < c->n_hosts; h++)
		close_sockets(&c->hosts[h]);
	for (unsigned h = c->n_hosts; h-- > 0;) {
		struct carrier_host *host = &c->hosts[h];

		if (c->in_virtual_time && h % 2 == 1)
			continue; /* the client's */
		while (host->packets != NULL && usrsctp_cmt_packets_free(host->packets) != 0) {
			REQUIRE(errno == EBUSY && carrier_now_us(c) < until_us);
			carrier_step(c, STEP_US);
		}
		host->packets = NULL;
		if (c->in_virtual_time)
			c->hosts[h + 1].packets = NULL;
	}
	while ((packet = c->flying) != NULL) {
		c->flying = packet->next;
		free(packet);
	}
}
