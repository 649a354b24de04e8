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
#endif

#define UDP_PORT            9899 /* RFC 6951; says that there is UDP, whichever ports addresses have */
#define INTERFACE_NAME_SIZE 24

/* Of user_socket.c: usrsctp.h cannot be included together with upstream's own headers. */
void usrsctp_init_nothreads(uint16_t port, int (*conn_output)(void *, void *, size_t, uint8_t, uint8_t),
                            void (*debug_printf)(const char *, ...));
int usrsctp_finish(void);

static struct usrsctp_cmt_packets *all[USRSCTP_CMT_PACKETS_MAX];
static unsigned n_all, n_made;
static struct usrsctp_cmt_packets *alone;
static pthread_t thread; /* of all of them */
static unsigned calls;   /* callbacks that run with locks held */
static bool entered, running;
static uint32_t last_index, address_changes;

/* --- which there are --- */

struct usrsctp_cmt_packets *cmt_packets_of(uint32_t vrf_id)
{
	for (unsigned i = 0; i < n_all; i++) {
		if (all[i]->vrf_id == vrf_id)
			return all[i];
	}
	return NULL;
}

struct usrsctp_cmt_packets *cmt_packets_at(unsigned i)
{
	return i < n_all ? all[i] : NULL;
}

struct usrsctp_cmt_packets *cmt_packets_alone(void)
{
	return alone;
}

void cmt_packets_call_begin(void)
{
	calls++;
}

void cmt_packets_call_end(void)
{
	calls--;
}

void cmt_packets_enter(void)
{
	entered = true;
}

void cmt_packets_leave(void)
{
	entered = false;
}

bool cmt_packets_is_busy(void)
{
	return calls > 0 || entered;
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
	if (n_all == 0)
		return SCTP_BASE_VAR(sctp_pcb_initialized) != 0 ? EBUSY : 0;
	if (alone != NULL || is_alone(config) || !pthread_equal(thread, pthread_self()))
		return EBUSY;
	return n_all == USRSCTP_CMT_PACKETS_MAX ? ENOSPC : 0;
}

/* All VRFs in the bucket of the first: that is the one which upstream frees at its end. */
static uint32_t vrf_of(unsigned number)
{
	return number * (uint32_t)(SCTP_BASE_INFO(hashvrfmark) + 1);
}

static void start_stack(const struct usrsctp_cmt_packets_config *config)
{
	usrsctp_init_nothreads(UDP_PORT, config->conn_output, config->debug_printf);
	/* Each packet is checked: a local address of one back end may be a peer's of another. */
	SCTP_BASE_SYSCTL(sctp_no_csum_on_loopback) = 0;
	thread = pthread_self();
	n_made = 0;
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
	/* Before the stack starts: it asks for the time, and for interfaces. */
	all[n_all++] = packets;
	if (is_alone(config))
		alone = packets;
	if (n_all == 1)
		start_stack(config);
	packets->vrf_id = vrf_of(n_made++);
	return packets;
}

/* What is left of it: its endpoints are aborted. */
static void abort_endpoints(const struct usrsctp_cmt_packets *packets)
{
	struct sctp_inpcb *inp, *next;

	LIST_FOREACH_SAFE(inp, &SCTP_BASE_INFO(listhead), sctp_list, next)
	{
		if (inp->def_vrf_id == packets->vrf_id &&
		    (inp->sctp_flags & (SCTP_PCB_FLAGS_SOCKET_GONE | SCTP_PCB_FLAGS_SOCKET_ALLGONE)) ==
		        SCTP_PCB_FLAGS_SOCKET_GONE)
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

static void take_out(const struct usrsctp_cmt_packets *packets)
{
	unsigned i = 0;

	while (all[i] != packets)
		i++;
	n_all--;
	for (; i < n_all; i++)
		all[i] = all[i + 1];
}

int usrsctp_cmt_packets_free(struct usrsctp_cmt_packets *packets)
{
	if (packets == NULL)
		return 0;
	if (cmt_packets_is_busy() || running)
		return fail(EDEADLK);
	if (n_all > 1) {
		abort_endpoints(packets);
		remove_addresses(packets);
	} else if (usrsctp_finish() != 0) {
		return fail(EBUSY);
	} else {
		cmt_zone_drain();
#ifdef SCTP_CMT
		cmt_ticks_end();
#endif
		usrsctp_cmt_packets_hold_clock(false);
		alone = NULL;
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
	return calls > 0 ? EDEADLK : 0;
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
	cmt_address_copy(&address, local, 0);
	snprintf(name, sizeof(name), "%s%u", is_loopback(local) ? "lo" : "cmt", ++last_index);
	ifa = sctp_add_addr_to_vrf(packets->vrf_id, NULL, last_index, 0, name, NULL, &address.any, 0, 0);
	if (ifa == NULL)
		return fail(ENOMEM);
	ifa->localifa_flags &= ~(uint32_t)SCTP_ADDR_DEFER_USE;
	address_changes++;
	return 0;
}

int usrsctp_cmt_packets_remove_address(struct usrsctp_cmt_packets *packets, const struct sockaddr *local)
{
	const int error = check_address(packets, local);
	const struct sctp_ifa *ifa;
	union cmt_address address;

	if (error != 0)
		return fail(error);
	ifa = find_address(packets, local);
	if (ifa == NULL)
		return fail(ENOENT);
	cmt_address_copy(&address, local, 0);
	fail_paths(packets, &address.any, NULL);
	sctp_del_addr_from_vrf(packets->vrf_id, &address.any, ifa->ifn_p->ifn_index, NULL);
	cmt_ways_forget(&packets->ways, &address.any);
	return 0;
}

/* --- paths --- */

static int check_path(const struct usrsctp_cmt_packets *packets, const struct sockaddr *local,
                      const struct sockaddr *remote)
{
	if (packets == NULL || local == NULL || remote == NULL || !cmt_address_is_ip(local) ||
	    local->sa_family != remote->sa_family)
		return EINVAL;
	return calls > 0 ? EDEADLK : 0;
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
