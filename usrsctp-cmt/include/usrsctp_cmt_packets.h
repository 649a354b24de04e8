/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usrsctp_cmt_packets.h - the stack on packets of the application's own: its sockets, ICE, DPDK, another
 * event loop, a network in virtual time. docs/packets.md shows it at work.
 *
 * A back end is an application's packets: it hands what has arrived to the stack, and the stack hands it what
 * is to leave. No socket is opened, no thread is started. usrsctp_cmt_packets_new() takes the place of
 * usrsctp_init(); sockets, associations and options are those of usrsctp.h and usrsctp_cmt.h.
 *
 * A loop reads what has arrived and gives it to usrsctp_cmt_packets_input(), calls usrsctp_cmt_packets_run(),
 * which runs timers and calls `output`, and waits for what comes next or usrsctp_cmt_packets_timeout_us().
 *
 * A path is a four-tuple: a local and a remote address, each with a UDP port. Addresses are names: those of
 * interfaces, or others that the application has given to what carries its packets, such as pairs of ICE
 * candidates. They are AF_INET or AF_INET6. Each local address has one UDP port, which only the application
 * knows, so ports of local addresses are ignored and given as 0, but for usrsctp_cmt_packets_add_address();
 * the port of a remote address is the peer's, 0 where SCTP goes directly in IP.
 *
 * One thread: whoever makes back ends calls all functions here, and those of usrsctp.h, from the thread that
 * made the first. There may be several back ends (a program and a plugin of it, say): each has its own
 * addresses and sockets; they share the clock, the timers and the sysctls.
 *
 * Times are in microseconds, sizes in bytes. Functions return 0 when they succeed, -1 or NULL with errno
 * otherwise. Public structures start with their own size, as in usrsctp_cmt.h; what is 0 in a configuration
 * is the default. */
#ifndef USRSCTP_CMT_PACKETS_H
#define USRSCTP_CMT_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

struct usrsctp_cmt_packets; /* a back end */
struct socket;

#define USRSCTP_CMT_PACKETS_MTU_BYTES 1500 /* of a path of which nobody says another */
#define USRSCTP_CMT_PACKETS_MAX       16   /* back ends in a process */

/* A packet that leaves: SCTP from its common header on, without IP and UDP headers. All of it is valid during
 * the call only. */
struct usrsctp_cmt_packet {
	size_t size; /* sizeof(struct usrsctp_cmt_packet), as the library has it */
	const struct sockaddr *local, *remote;
	const void *bytes;       /* of `output`; NULL of `output_now` */
	size_t len;              /* at most 65535 */
	uint32_t fragment_bytes; /* not 0: to leave in fragments, IP packets of at most that size */
	uint8_t tos;             /* DSCP and ECN bits */
	bool dont_fragment;
	bool is_probe;       /* of the packet size (RFC 8899): lost, not cut, where it is too large, here too */
	const void *content; /* for usrsctp_cmt_packet_copy() */
};

/* Called with locks of the stack held: `output_now`, `route`, `reaches`, `mtu`, `sooner`, `now_us`, `random`,
 * `stamp_us`. They must not call usrsctp; functions of this header that enter the stack refuse with EDEADLK.
 * `output` is called from usrsctp_cmt_packets_run(), without locks, and may call everything but
 * usrsctp_cmt_packets_run() and usrsctp_cmt_packets_free(). */
struct usrsctp_cmt_packets_config {
	size_t size; /* sizeof(struct usrsctp_cmt_packets_config) */
	void *arg;   /* what every function gets */
	/* Packets that leave, one of these two; without either there are none (AF_CONN).
	 *
	 * `output`: `n` packets of one path, in the order in which the stack made them. Returns how many were
	 * dealt with, sent or dropped; the others are offered again by the next usrsctp_cmt_packets_run(),
	 * so fewer than `n` means that there is no room now. Beyond 1 MiB or 1024 packets that wait, further
	 * ones are dropped.
	 *
	 * `output_now`: one packet, at once, for who has queues of his own. 0, or a positive errno: the
	 * packet is lost, and with ENOBUFS the stack waits before it sends more. */
	size_t (*output)(void *arg, const struct usrsctp_cmt_packet *packets, size_t n);
	int (*output_now)(void *arg, const struct usrsctp_cmt_packet *packet);
	/* Which paths there are, for who asks a routing table when he is asked; NULL: those of
	 * usrsctp_cmt_packets_add_path(), and the ones on which peers began associations.
	 *
	 * `route`: the local address that packets to `remote` leave from; false: none. `reaches`: whether
	 * packets from `local` get to `remote`, too: the stack makes a path of every local address that
	 * does; ports do not count. `mtu`: how large IP packets from `local` to `remote` may be (NULL = to
	 * anywhere), as far as this host knows; 0 = unknown. It is asked for nearly every packet. */
	bool (*route)(void *arg, const struct sockaddr *remote, struct sockaddr_storage *local);
	bool (*reaches)(void *arg, const struct sockaddr *local, const struct sockaddr *remote);
	uint32_t (*mtu)(void *arg, const struct sockaddr *local, const struct sockaddr *remote);
	/* usrsctp_cmt_packets_timeout_us() has become less. A loop that waits is to wait anew: the cause may
	 * be another back end's packets, or a call of the application. */
	void (*sooner)(void *arg);
	/* A back end with one of these is alone in its process.
	 *
	 * `now_us`: the stack's clock, monotonic, not 0; NULL: CLOCK_MONOTONIC. `random`: fills `buffer`;
	 * NULL: the kernel's. `stamp_us`: the clock behind time stamps in packets of the endpoint with this
	 * SCTP port, for who has several hosts in a process; NULL: `now_us`. */
	uint64_t (*now_us)(void *arg);
	void (*random)(void *arg, void *buffer, size_t bytes);
	uint64_t (*stamp_us)(void *arg, uint16_t local_port, uint64_t now_us);
	/* The first back end's are the stack's, as long as that runs: upstream's messages; NULL = silent. And
	 * the output of AF_CONN sockets, as usrsctp_init() takes it. */
	void (*debug_printf)(const char *format, ...);
	int (*conn_output)(void *address, void *buffer, size_t bytes, uint8_t tos, uint8_t set_df);
};

/* The first starts the stack. errno: EINVAL (another size, or both kinds of output), ENOMEM, ENOSPC (more
 * than USRSCTP_CMT_PACKETS_MAX), EBUSY: the stack runs already without a back end (usrsctp_init()), one of
 * the two has a clock, random numbers or time stamps of its own, or the back ends that exist are another
 * thread's. */
struct usrsctp_cmt_packets *usrsctp_cmt_packets_new(const struct usrsctp_cmt_packets_config *config);

/* Ends the back end, with a last call of `output`; the last one ends the stack. Associations that still shut
 * down are aborted, but for those of the last one. errno: ENOTEMPTY (a socket of it is open), EBUSY (of the
 * last one: an association still shuts down), EDEADLK (called from within the stack, or `output`). Nothing
 * has ended then; for EBUSY go on with the loop and try again, or abort (SO_LINGER with 0 s before
 * usrsctp_close()). NULL: nothing happens. */
int usrsctp_cmt_packets_free(struct usrsctp_cmt_packets *packets);

/* Makes `so` one of this back end's. Before it is bound; what it accepts is the same one's. A socket of which
 * nobody says otherwise is the first back end's, as AF_CONN ones all are. EINVAL: it is bound. */
int usrsctp_cmt_packets_assign(struct usrsctp_cmt_packets *packets, struct socket *so);

/* --- addresses and paths --- */

/* A local address comes or goes. The UDP port with which it is added is what statistics and events show
 * (SCTP_CMT_PATH_STATS); 0: none is shown. Sockets can be bound to it from then on (usrsctp_bindx()); to take
 * one from endpoints that are bound to it, SCTP_BINDX_REM_ADDR first. Removed while it is in use: nothing
 * more leaves from there or comes in, and its paths fail. errno: EINVAL (neither IPv4 nor IPv6), EEXIST,
 * ENOENT, ENOMEM, EDEADLK (from a callback).
 */
int usrsctp_cmt_packets_add_address(struct usrsctp_cmt_packets *packets, const struct sockaddr *local);
int usrsctp_cmt_packets_remove_address(struct usrsctp_cmt_packets *packets, const struct sockaddr *local);

/* What leaves from `local` arrives nowhere at present, as when a cable was pulled: its paths fail at once, as
 * far as the peer speaks the extension, and are asked whether they are back. errno: EINVAL, ENOENT, EDEADLK.
 */
int usrsctp_cmt_packets_address_down(struct usrsctp_cmt_packets *packets, const struct sockaddr *local);

/* Packets from `local` get to `remote` (whatever its port), IP packets of at most `mtu_bytes` (0 =
 * USRSCTP_CMT_PACKETS_MTU_BYTES). The first path to a remote address is the one that associations begin on;
 * further ones are taken into use when the peer has answered there. For a path that exists, sets `mtu_bytes`
 * anew. Whoever only answers needs none of it. They are looked through for each packet: with more than a few
 * dozen, `route`, `reaches` and `mtu` are better. errno: EINVAL (neither IPv4 nor IPv6, families differ),
 * ENOMEM, ENOENT (removed already).
 *
 * Removed, whether it had been named or the peer had begun there: no association opens a path there any more,
 * what leaves there is dropped, and paths in use fail at once, as far as the peer speaks the extension; else
 * by timeouts. The last 64 that were removed are remembered. */
int usrsctp_cmt_packets_add_path(struct usrsctp_cmt_packets *packets, const struct sockaddr *local,
                                 const struct sockaddr *remote, uint32_t mtu_bytes);
int usrsctp_cmt_packets_remove_path(struct usrsctp_cmt_packets *packets, const struct sockaddr *local,
                                    const struct sockaddr *remote);

/* --- packets that arrive --- */

/* SCTP from its common header on, without IP and UDP headers. */
struct usrsctp_cmt_arrival {
	size_t size; /* sizeof(struct usrsctp_cmt_arrival) */
	const struct sockaddr *local, *remote;
	const void *bytes;
	size_t len;
	uint64_t at_us; /* when it arrived, by usrsctp_cmt_packets_now_us(); 0 = now */
	uint8_t ecn;    /* the two ECN bits of the IP header */
	bool more;      /* others that arrived with it come in the next calls: an answer may wait for them */
};

/* The stack copies what it keeps. What it sends in answer comes from the next usrsctp_cmt_packets_run(), or
 * through `output_now` during the call; so may upcalls of sockets. 0 says that it was a packet, not that
 * anybody wanted it. errno: EINVAL (NULL, neither IPv4 nor IPv6, families differ), EBADMSG (shorter than a
 * common header and a chunk header), EMSGSIZE (more than 65535), EDEADLK (the stack is at work:
 * called from a callback or an upcall). */
int usrsctp_cmt_packets_input(struct usrsctp_cmt_packets *packets, const struct usrsctp_cmt_arrival *arrival);

/* A router says that a packet of ours is larger than it can forward (ICMP "fragmentation needed", ICMPv6
 * "packet too big"). Nothing is believed that does not quote the verification tag. */
struct usrsctp_cmt_too_big {
	size_t size; /* sizeof(struct usrsctp_cmt_too_big) */
	const struct sockaddr *local, *remote;
	const void *bytes; /* of our packet as far as it is quoted, at least USRSCTP_CMT_QUOTE_BYTES */
	size_t len;
	uint32_t mtu_bytes; /* of IP packets */
};
#define USRSCTP_CMT_QUOTE_BYTES 8 /* ports and verification tag */

/* errno: EINVAL, EBADMSG (too little is quoted), EDEADLK. */
int usrsctp_cmt_packets_too_big(struct usrsctp_cmt_packets *packets,
                                const struct usrsctp_cmt_too_big *report);

/* --- packets that leave, and time --- */

/* Runs the timers that are due, of all back ends, then calls `output` of this one. EDEADLK: called from
 * within itself. Do not call usrsctp_handle_timers() besides. */
int usrsctp_cmt_packets_run(struct usrsctp_cmt_packets *packets);

/* Until usrsctp_cmt_packets_run() has something to do: 0 = now, -1 = nothing, not before something arrives or
 * the application calls. Packets that `output` had no room for do not count. */
int64_t usrsctp_cmt_packets_timeout_us(const struct usrsctp_cmt_packets *packets);

/* Writes the packet's `len` bytes to `to`; within `output` and `output_now`. Copies once. */
void usrsctp_cmt_packet_copy(const struct usrsctp_cmt_packet *packet, void *to);

/* The stack's clock. */
uint64_t usrsctp_cmt_packets_now_us(void);

/* True: the clock shows this moment until the next call; false: it runs. A loop that enters the stack many
 * times for one event spares reading the clock ten times a packet: true before, and again when time has
 * passed, false behind. usrsctp_cmt_packets_run() and _input() do so for themselves. */
void usrsctp_cmt_packets_hold_clock(bool hold);

#ifdef __cplusplus
}
#endif
#endif
