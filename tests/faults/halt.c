/* SPDX-License-Identifier: BSD-3-Clause */
#include "halt.h"

#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>

#include <usrsctp_cmt_packets.h>

#include "isolate.h"

enum {
	TIMERS = 4096,         /* that there ever are */
	BUNCH_MAX_PKTS = 64,   /* taken from a socket at a time */
	BUNCH_US = 300,        /* which takes that long */
	TICK_US = 1000,        /* timers come first */
	BOOKKEEPING = 256,     /* bytes that a waiting packet costs beside its own */
	STAMP_MAX_US = 1000000 /* older packets count as having arrived now (io/event/udp_receive.c) */
};

/* Of a timer only its address counts here. */
int __real_sctp_os_timer_start(void *timer, uint32_t ticks, void (*fn)(void *), void *arg);
int __wrap_sctp_os_timer_start(void *timer, uint32_t ticks, void (*fn)(void *), void *arg);
int __real_usrsctp_cmt_packets_input(struct usrsctp_cmt_packets *packets,
                                     const struct usrsctp_cmt_arrival *arrival);
int __wrap_usrsctp_cmt_packets_input(struct usrsctp_cmt_packets *packets,
                                     const struct usrsctp_cmt_arrival *arrival);

struct timer {
	void *timer; /* NULL = free */
	void (*fn)(void *);
	void *arg;
	int host;
};

struct waiting {
	struct waiting *next;
	struct usrsctp_cmt_arrival arrival;
	struct sockaddr_storage local, remote;
	uint8_t bytes[];
};

static struct usrsctp_cmt_packets *back_end;
static struct timer timers[TIMERS];
static int turn = TRANSFER_CLIENT;
static int halted = -1;  /* who is stopped, or still has packets that came meanwhile */
static bool runs = true; /* its timers do */
static struct waiting *first, **end = &first;
static size_t waiting_bytes, room_bytes;
static unsigned bunch_pkts; /* of the stop that there is */

/* --- timers --- */

static struct timer *slot_of(const void *timer)
{
	size_t i = (size_t)((uintptr_t)timer / 16 % TIMERS);

	for (size_t n = 0; n < TIMERS; n++, i = (i + 1) % TIMERS) {
		if (timers[i].timer == timer || timers[i].timer == NULL)
			return &timers[i];
	}
	isolate_fail(__FILE__, __LINE__, "more timers than TIMERS");
}

static void fire(void *arg)
{
	const struct timer due = *(struct timer *)arg;
	int before = turn;

	if (due.host == halted && !runs) {
		(void)__real_sctp_os_timer_start(due.timer, 1, fire, arg);
		return;
	}
	turn = due.host;
	due.fn(due.arg);
	turn = before;
}

int __wrap_sctp_os_timer_start(void *timer, uint32_t ticks, void (*fn)(void *), void *arg)
{
	struct timer *slot = slot_of(timer);

	*slot = (struct timer){.timer = timer, .fn = fn, .arg = arg, .host = turn};
	return __real_sctp_os_timer_start(timer, ticks, fire, slot);
}

/* --- packets --- */

static int host_of(const struct sockaddr *address)
{
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)address;
	const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)address;

	return address->sa_family == AF_INET6 ? six->sin6_addr.s6_addr[15] - 1
	                                      : (int)(ntohl(four->sin_addr.s_addr) & 0xff) - 1;
}

static void take(const struct usrsctp_cmt_arrival *arrival, int host)
{
	int before = turn;

	turn = host;
	REQUIRE(__real_usrsctp_cmt_packets_input(back_end, arrival) == 0);
	turn = before;
}

static size_t address_bytes(const struct sockaddr *address)
{
	return address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

static void keep(const struct usrsctp_cmt_arrival *arrival)
{
	struct waiting *w;

	if (waiting_bytes + arrival->len + BOOKKEEPING > room_bytes)
		return;
	w = malloc(sizeof(*w) + arrival->len);
	REQUIRE(w != NULL);
	w->next = NULL;
	w->arrival = *arrival;
	w->arrival.at_us = usrsctp_cmt_packets_now_us();
	memcpy(w->bytes, arrival->bytes, arrival->len);
	memcpy(&w->remote, arrival->remote, address_bytes(arrival->remote));
	memcpy(&w->local, arrival->local, address_bytes(arrival->local));
	w->arrival.bytes = w->bytes;
	w->arrival.remote = (const struct sockaddr *)&w->remote;
	w->arrival.local = (const struct sockaddr *)&w->local;
	waiting_bytes += arrival->len + BOOKKEEPING;
	*end = w;
	end = &w->next;
}

int __wrap_usrsctp_cmt_packets_input(struct usrsctp_cmt_packets *packets,
                                     const struct usrsctp_cmt_arrival *arrival)
{
	int host = host_of(arrival->local);

	back_end = packets;
	if (host == halted)
		keep(arrival);
	else
		take(arrival, host);
	return 0;
}

static void take_first(int host)
{
	struct waiting *w = first;

	first = w->next;
	if (first == NULL)
		end = &first;
	waiting_bytes -= w->arrival.len + BOOKKEEPING;
	if (w->arrival.at_us + STAMP_MAX_US < usrsctp_cmt_packets_now_us())
		w->arrival.at_us = 0;
	take(&w->arrival, host);
	free(w);
}

/* --- stop and go --- */

static void take_bunch(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;
	int host = halted;

	(void)sim;
	for (unsigned n = 0; n < bunch_pkts && first != NULL; n++)
		take_first(host);
	if (t->sides[host].so != NULL) {
		turn = host;
		transfer_resume(t, host);
		turn = TRANSFER_CLIENT;
	}
	if (first == NULL) {
		halted = -1;
		return;
	}
	transfer_pause(t, host);
	transfer_after(t, BUNCH_US, take_bunch);
}

static void go_on(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	runs = true;
	t->read_us = usrsctp_cmt_sim_now_us(sim);
	transfer_after(t, TICK_US + BUNCH_US, take_bunch);
}

void halt_for(struct transfer *t, int host, uint64_t us, size_t socket_bytes)
{
	if (halted >= 0)
		return;
	halted = host;
	runs = false;
	room_bytes = socket_bytes;
	bunch_pkts = 1 + (unsigned)(usrsctp_cmt_sim_random(t->sim) % BUNCH_MAX_PKTS);
	transfer_pause(t, host);
	transfer_after(t, us, go_on);
}
