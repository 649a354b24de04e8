/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packets.c - which back ends there are, their local addresses and their sockets. Uses upstream's types;
 * shared by the fork and by the test variants of upstream. */
#include <netinet/sctp_os.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctp_sysctl.h>
#include <netinet/sctp_var.h>
#include <netinet/sctputil.h>

#include "packets.h"
#include "zone.h"
#ifdef SCTP_CMT
#include "cmt_hooks.h"
#include "protection/cmt_last_word.h"
#endif

#define UDP_PORT            9899 /* RFC 6951; says that there is UDP, whichever ports addresses have */
#define INTERFACE_NAME_SIZE 24

/* Of user_socket.c: usrsctp.h cannot be included together with upstream's own headers. */
void usrsctp_init_nothreads(uint16_t port, int (*conn_output)(void *, void *, size_t, uint8_t, uint8_t),
                            void (*debug_printf)(const char *, ...));
int usrsctp_finish(void);

struct cmt_back_ends cmt_back_ends;
static pthread_t thread; /* of all of them */
static bool entered, running;
static bool holds_clock; /* while entered: the application did not hold it before */
static uint32_t last_index, address_changes;

/* --- what is going on --- */

void cmt_packets_enter(void)
{
	entered = true;
	holds_clock = cmt_packets_held_us() == 0;
	if (holds_clock)
		usrsctp_cmt_packets_hold_clock(true);
}

void cmt_packets_leave(void)
{
	if (holds_clock)
		usrsctp_cmt_packets_hold_clock(false);
	entered = false;
}

bool cmt_packets_is_busy(void)
{
	return cmt_back_ends.calls > 0 || entered;
}

bool cmt_packets_run_begin(void)
{
	if (running || cmt_packets_is_busy())
		return false;
	running = true;
	return true;
}

void cmt_packets_run_end(void)
{
	running = false;
}

/* Those paths fail at once, not when something is not answered there. */
static void fail_paths(const struct usrsctp_cmt_packets *packets, const struct sockaddr *local,
                       const struct sockaddr *remote)
{
	address_changes++;
#ifdef SCTP_CMT
	cmt_on_paths_lost(packets->vrf_id, local, remote);
#else
	(void)packets, (void)local, (void)remote;
#endif
}

static int fail(int error)
{
	errno = error;
	return -1;
}

/* --- life --- */

static bool is_alone(const struct usrsctp_cmt_packets_config *config)
{
	return config->now_us != NULL || config->random != NULL || config->stamp_us != NULL;
}

static int check(const struct usrsctp_cmt_packets_config *config)
{
	if (config == NULL || config->size != sizeof(*config) ||
	    (config->output != NULL && config->output_now != NULL))
		return EINVAL;
	if (cmt_back_ends.n == 0)
		return SCTP_BASE_VAR(sctp_pcb_initialized) != 0 ? EBUSY : 0;
	if (cmt_back_ends.alone != NULL || is_alone(config) || !pthread_equal(thread, pthread_self()))
		return EBUSY;
	return cmt_back_ends.n == USRSCTP_CMT_PACKETS_MAX ? ENOSPC : 0;
}

static bool has_endpoints(uint32_t vrf_id)
{
	const struct sctp_inpcb *inp;

	LIST_FOREACH(inp, &SCTP_BASE_INFO(listhead), sctp_list)
	{
		if (inp->def_vrf_id == vrf_id)
			return true;
	}
	return false;
}

/* A VRF of its own. All are in the bucket of the first: that is the one which upstream frees at its end. */
static uint32_t free_vrf(void)
{
	const uint32_t step = (uint32_t)(SCTP_BASE_INFO(hashvrfmark) + 1);
	uint32_t vrf_id = SCTP_DEFAULT_VRFID;

	while (cmt_packets_of(vrf_id) != NULL || has_endpoints(vrf_id))
		vrf_id += step;
	return vrf_id;
}

static void start_stack(const struct usrsctp_cmt_packets_config *config)
{
	usrsctp_init_nothreads(UDP_PORT, config->conn_output, config->debug_printf);
	/* Each packet is checked: a local address of one back end may be a peer's of another. */
	SCTP_BASE_SYSCTL(sctp_no_csum_on_loopback) = 0;
	thread = pthread_self();
#ifdef SCTP_CMT
	cmt_ticks_begin();
#endif
}

struct usrsctp_cmt_packets *usrsctp_cmt_packets_new(const struct usrsctp_cmt_packets_config *config)
{
	struct usrsctp_cmt_packets *packets = NULL;
	int error = check(config);

	if (error == 0) {
		packets = calloc(1, sizeof(*packets));
		error = ENOMEM;
	}
	if (packets != NULL && config->output != NULL) {
		packets->batches = cmt_batches_new();
		if (packets->batches == NULL) {
			free(packets);
			packets = NULL;
		}
	}
	if (packets == NULL) {
		errno = error;
		return NULL;
	}
	packets->config = *config;
	packets->vrf_id = cmt_back_ends.n > 0 ? free_vrf() : SCTP_DEFAULT_VRFID;
	/* Before the stack starts: it asks for the time, and for interfaces. */
	cmt_back_ends.at[cmt_back_ends.n++] = packets;
	if (is_alone(config))
		cmt_back_ends.alone = packets;
	if (cmt_back_ends.n == 1)
		start_stack(config);
	return packets;
}

static bool has_sockets(const struct usrsctp_cmt_packets *packets)
{
	const struct sctp_inpcb *inp;

	LIST_FOREACH(inp, &SCTP_BASE_INFO(listhead), sctp_list)
	{
		if (inp->def_vrf_id == packets->vrf_id && (inp->sctp_flags & SCTP_PCB_FLAGS_SOCKET_GONE) == 0)
			return true;
	}
	return false;
}

/* Endpoints whose sockets are closed. Those that wait for a timer of theirs to end do so without addresses.
 */
static void abort_endpoints(const struct usrsctp_cmt_packets *packets)
{
	struct sctp_inpcb *inp, *next;

	LIST_FOREACH_SAFE(inp, &SCTP_BASE_INFO(listhead), sctp_list, next)
	{
		if (inp->def_vrf_id == packets->vrf_id)
			sctp_inpcb_free(inp, SCTP_FREE_SHOULD_USE_ABORT, SCTP_CALLED_AFTER_CMPSET_OFCLOSE);
	}
}

static void remove_addresses(const struct usrsctp_cmt_packets *packets)
{
	struct sctp_vrf *vrf;
	struct sctp_ifn *ifn;

	while ((vrf = sctp_find_vrf(packets->vrf_id)) != NULL && (ifn = LIST_FIRST(&vrf->ifnlist)) != NULL &&
	       !LIST_EMPTY(&ifn->ifalist)) {
		union sctp_sockstore address = LIST_FIRST(&ifn->ifalist)->address;

		sctp_del_addr_from_vrf(packets->vrf_id, &address.sa, ifn->ifn_index, NULL);
	}
}

void cmt_packets_give(struct usrsctp_cmt_packets *packets)
{
	const bool were_running = running;

	running = true;
	if (packets->batches != NULL)
		cmt_batches_give(packets->batches, packets->config.output, packets->config.arg);
	running = were_running;
}

static void take_out(const struct usrsctp_cmt_packets *packets)
{
	unsigned i = 0;

	while (cmt_back_ends.at[i] != packets)
		i++;
	cmt_back_ends.n--;
	for (; i < cmt_back_ends.n; i++)
		cmt_back_ends.at[i] = cmt_back_ends.at[i + 1];
}

int usrsctp_cmt_packets_free(struct usrsctp_cmt_packets *packets)
{
	if (packets == NULL)
		return 0;
	if (cmt_packets_is_busy() || running)
		return fail(EDEADLK);
	if (has_sockets(packets))
		return fail(ENOTEMPTY);
	if (cmt_back_ends.n > 1)
		abort_endpoints(packets);
	cmt_packets_give(packets);
	if (cmt_back_ends.n > 1) {
		remove_addresses(packets);
	} else if (usrsctp_finish() != 0) {
		return fail(EBUSY);
	} else {
		cmt_zone_drain();
#ifdef SCTP_CMT
		cmt_ticks_end();
		cmt_last_word_forget();
#endif
		usrsctp_cmt_packets_hold_clock(false);
		cmt_back_ends.alone = NULL;
	}
	take_out(packets);
	cmt_batches_free(packets->batches);
	cmt_ways_free(&packets->ways);
	free(packets);
	return 0;
}

/* --- sockets --- */

int usrsctp_cmt_packets_assign(struct usrsctp_cmt_packets *packets, struct socket *so)
{
	struct sctp_inpcb *inp = so != NULL ? so->so_pcb : NULL;

	if (packets == NULL || inp == NULL || (inp->sctp_flags & SCTP_PCB_FLAGS_UNBOUND) == 0)
		return fail(EINVAL);
	SCTP_INP_WLOCK(inp);
	inp->def_vrf_id = packets->vrf_id;
	SCTP_INP_WUNLOCK(inp);
	return 0;
}

/* --- addresses --- */

uint32_t cmt_seam_address_changes(void)
{
	return address_changes;
}

void cmt_seam_note_address_change(void)
{
	address_changes++;
}

static struct sctp_ifa *find_address(const struct usrsctp_cmt_packets *packets, const struct sockaddr *local)
{
	/* One thread: no lock is needed. */
	return sctp_find_ifa_by_addr((struct sockaddr *)(uintptr_t)local, packets->vrf_id, SCTP_ADDR_LOCKED);
}

uint32_t cmt_packets_if_index(const struct usrsctp_cmt_packets *packets, const struct sockaddr *local)
{
	const struct sctp_ifa *ifa = find_address(packets, local);

	return ifa != NULL && ifa->ifn_p != NULL ? ifa->ifn_p->ifn_index : 0;
}

static in_port_t port_of(const struct sockaddr *address)
{
	const union cmt_address *a = (const union cmt_address *)(const void *)address;

	return address->sa_family == AF_INET6 ? a->in6.sin6_port : a->in.sin_port;
}

uint16_t cmt_packets_udp_port(const struct usrsctp_cmt_packets *packets, const struct sockaddr *local)
{
	const struct sctp_ifa *ifa = cmt_address_is_ip(local) ? find_address(packets, local) : NULL;

	return ifa != NULL ? port_of(&ifa->address.sa) : 0;
}

bool cmt_packets_may_pass(const struct usrsctp_cmt_packets *packets, const struct sockaddr *local,
                          const struct sockaddr *remote)
{
	return !cmt_ways_is_cut(&packets->ways, local, remote) &&
	       (!packets->lost_address || find_address(packets, local) != NULL);
}

static bool is_loopback(const struct sockaddr *address)
{
	const union cmt_address *a = (const union cmt_address *)(const void *)address;

	return address->sa_family == AF_INET6 ? IN6_IS_ADDR_LOOPBACK(&a->in6.sin6_addr)
	                                      : IN4_ISLOOPBACK_ADDRESS(&a->in.sin_addr);
}

static int check_address(const struct usrsctp_cmt_packets *packets, const struct sockaddr *local)
{
	if (packets == NULL || local == NULL || !cmt_address_is_ip(local))
		return EINVAL;
	return cmt_back_ends.calls > 0 ? EDEADLK : 0;
}

/* Each address has an interface of its own, whose index is never used twice. The stack keeps what is called
 * lo.. from peers on other hosts. */
int usrsctp_cmt_packets_add_address(struct usrsctp_cmt_packets *packets, const struct sockaddr *local)
{
	const int error = check_address(packets, local);
	char name[INTERFACE_NAME_SIZE];
	union cmt_address address;
	struct sctp_ifa *ifa;

	if (error != 0)
		return fail(error);
	if (find_address(packets, local) != NULL)
		return fail(EEXIST);
	/* Upstream looks at no port of a local address. */
	cmt_address_copy(&address, local, port_of(local));
	snprintf(name, sizeof(name), "%s%u", is_loopback(local) ? "lo" : "cmt", ++last_index);
	ifa = sctp_add_addr_to_vrf(packets->vrf_id, NULL, last_index, 0, name, NULL, &address.any, 0, 0);
	if (ifa == NULL)
		return fail(ENOMEM);
	ifa->localifa_flags &= ~(uint32_t)SCTP_ADDR_DEFER_USE;
	address_changes++;
	return 0;
}

/* The one that the stack knows as `local`, without a port in `known`; NULL with errno. */
static const struct sctp_ifa *known_address(const struct usrsctp_cmt_packets *packets,
                                            const struct sockaddr *local, union cmt_address *known)
{
	const int error = check_address(packets, local);
	const struct sctp_ifa *ifa = error == 0 ? find_address(packets, local) : NULL;

	if (ifa == NULL)
		errno = error != 0 ? error : ENOENT;
	else
		cmt_address_copy(known, local, 0);
	return ifa;
}

int usrsctp_cmt_packets_remove_address(struct usrsctp_cmt_packets *packets, const struct sockaddr *local)
{
	union cmt_address address;
	const struct sctp_ifa *ifa = known_address(packets, local, &address);

	if (ifa == NULL)
		return -1;
	fail_paths(packets, &address.any, NULL);
	sctp_del_addr_from_vrf(packets->vrf_id, &address.any, ifa->ifn_p->ifn_index, NULL);
	cmt_ways_forget(&packets->ways, &address.any);
	packets->lost_address = true;
	return 0;
}

int usrsctp_cmt_packets_address_down(struct usrsctp_cmt_packets *packets, const struct sockaddr *local)
{
	union cmt_address address;

	if (known_address(packets, local, &address) == NULL)
		return -1;
	fail_paths(packets, &address.any, NULL);
	return 0;
}

/* --- paths --- */

static int check_path(const struct usrsctp_cmt_packets *packets, const struct sockaddr *local,
                      const struct sockaddr *remote)
{
	if (packets == NULL || local == NULL || remote == NULL || !cmt_address_is_ip(local) ||
	    local->sa_family != remote->sa_family)
		return EINVAL;
	return cmt_back_ends.calls > 0 ? EDEADLK : 0;
}

int usrsctp_cmt_packets_add_path(struct usrsctp_cmt_packets *packets, const struct sockaddr *local,
                                 const struct sockaddr *remote, uint32_t mtu_bytes)
{
	const int error = check_path(packets, local, remote);

	if (error != 0)
		return fail(error);
	address_changes++;
	return cmt_ways_add(&packets->ways, local, remote, mtu_bytes);
}

int usrsctp_cmt_packets_remove_path(struct usrsctp_cmt_packets *packets, const struct sockaddr *local,
                                    const struct sockaddr *remote)
{
	const int error = check_path(packets, local, remote);

	if (error != 0)
		return fail(error);
	if (cmt_ways_cut(&packets->ways, local, remote) != 0)
		return -1;
	fail_paths(packets, local, remote);
	return 0;
}
