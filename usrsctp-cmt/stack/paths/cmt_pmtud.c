/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How large the packets of each path may be (core/pmtud/cmt_plpmtu.h, RFC 8899): what the interfaces and the
 * application say on it, probes out and their answers in, and what became of packets with data.
 *
 * A path is asked from the moment on when data were sent. Probes go when the data that may leave have left,
 * so that none waits for them; they are in nobody's flight, and a lost one is no error of its path. */
#include "paths/cmt_pmtud.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "cmt_hooks.h"
#include "delay/cmt_sentlog.h"
#include "losses/cmt_recovery.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_tuple.h"
#include "protection/cmt_protection.h"
#include "pmtud/cmt_plpmtu.h"
#include "seams/cmt_seams.h"
#include "util/cmt_serial.h"
#include "watch/cmt_trace.h"
#include "wire/cmt_wire.h"

#include <netinet/sctp_auth.h>
#include <netinet/sctp_output.h>
#include <netinet/udp.h>

/* What every IPv4 host takes (RFC 1122, section 3.3.2). IPv6 passes more than BASE everywhere (RFC 8200,
 * section 5). */
enum { MIN_IPV4_BYTES = 576 };

/* IP header. */
static uint32_t ip_bytes(const struct sctp_nets *net)
{
	return cmt_header_bytes(net) - (uint32_t)sizeof(struct sctphdr);
}

static uint32_t udp_bytes(const struct sctp_nets *net)
{
	return net->port != 0 ? (uint32_t)sizeof(struct udphdr) : 0;
}

/* What packets have and net->mtu leaves out. */
static uint32_t left_out_bytes(const struct sctp_tcb *stcb, const struct sctp_nets *net)
{
	return udp_bytes(net) + cmt_protection_overhead(stcb);
}

/* What this host knows: a back end, or the interface and the route. */
static uint32_t max_bytes(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	const struct sctp_nets *net = path->net;
	const struct sctp_ifa *source = net->ro._s_addr;
	uint32_t bytes = 0, interface_bytes;
	union sctp_sockstore remote;

	if (source != NULL) {
		cmt_tuple_remote(net, &remote);
		bytes = cmt_seam_path_mtu(source->vrf_id, &source->address.sa, &remote.sa);
	}
	if (source != NULL && bytes == 0) {
		bytes = net->ro.ro_rt != NULL ? net->ro.ro_rt->rt_rmx.rmx_mtu : 0;
		interface_bytes = source->ifn_p->ifn_mtu;
		if (bytes == 0 || (interface_bytes != 0 && interface_bytes < bytes))
			bytes = interface_bytes;
	}
	bytes = bytes > left_out_bytes(ca->stcb, net) ? cmt_protected_mtu(ca->stcb, bytes - udp_bytes(net))
	                                              : path->pmtud.opened_mtu;
	return max(bytes, SCTP_SMALLEST_PMTU);
}

/* What is too large for a path that it may be sent on goes in fragments of IP (RFC 9260, section 6.9). */
static void allow_fragments(struct sctpchunk_listhead *queue, uint32_t bytes)
{
	struct sctp_tmit_chunk *chk;

	TAILQ_FOREACH(chk, queue, sctp_next)
	{
		if (chk->send_size > bytes)
			chk->flags |= CHUNK_FLAGS_FRAGMENT_OK;
	}
}

/* Messages are cut for the narrowest of the paths that may carry them. */
static void cut_for(struct cmt_asoc *ca, uint32_t mtu_bytes)
{
	struct sctp_association *asoc = &ca->stcb->asoc;
	uint32_t before_bytes = asoc->smallest_mtu, overhead = SCTP_MIN_OVERHEAD;

	asoc->smallest_mtu = mtu_bytes;
	if (mtu_bytes >= before_bytes)
		return;
	if (cmt_auth_is_required_chunk(SCTP_DATA, asoc->peer_auth_chunks))
		overhead += sctp_get_auth_chunk_len(asoc->peer_hmac_id);
	allow_fragments(&asoc->send_queue, mtu_bytes - overhead);
	allow_fragments(&asoc->sent_queue, mtu_bytes - overhead);
	allow_fragments(&asoc->control_send_queue, mtu_bytes - overhead);
	allow_fragments(&asoc->asconf_send_queue, mtu_bytes - overhead);
}

static void apply(struct cmt_asoc *ca)
{
	uint32_t fit_bytes = UINT32_MAX, any_bytes = UINT32_MAX;
	const struct sctp_nets *net;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_path *path = &ca->paths[i];
		uint32_t old_bytes = path->net != NULL ? path->net->mtu : 0;

		if (path->net == NULL || path->pmtud.plpmtu.state == CMT_PLPMTU_DISABLED ||
		    path->pmtud.plpmtu.plpmtu_bytes == old_bytes)
			continue;
		path->net->mtu = path->pmtud.plpmtu.plpmtu_bytes;
		CMT_TRACE(MTU, cmt_trace_mtu(ca, path, old_bytes));
	}
	TAILQ_FOREACH(net, &ca->stcb->asoc.nets, sctp_next)
	{
		any_bytes = min(any_bytes, net->mtu);
		if (cmt_path_is_active(net))
			fit_bytes = min(fit_bytes, net->mtu);
	}
	cut_for(ca, fit_bytes != UINT32_MAX ? fit_bytes : any_bytes);
}

static void start(const struct cmt_asoc *ca, struct cmt_path *path, uint64_t now_us)
{
	const struct sctp_nets *net = path->net;
	uint32_t base_bytes = CMT_PMTUD_BASE_SCTP_BYTES + ip_bytes(net);
	bool six = net->ro._l_addr.sa.sa_family == AF_INET6;
	const struct cmt_plpmtu_limits limits = {
	    .min_bytes = six ? base_bytes : MIN_IPV4_BYTES - left_out_bytes(ca->stcb, net),
	    .base_bytes = base_bytes,
	    .max_bytes = max_bytes(ca, path)};

	cmt_plpmtu_start(&path->pmtud.plpmtu, &limits, now_us);
	path->pmtud.asked = false;
	path->pmtud.alone_at_us = 0;
	cmt_seam_read_random(&path->pmtud.nonce, sizeof(path->pmtud.nonce));
}

void cmt_pmtud_on_output_begin(struct cmt_asoc *ca)
{
	uint64_t now_us = cmt_seam_now_us();
	bool ours = false, ask_host = now_us / CMT_TICK_US != ca->host_asked_us / CMT_TICK_US;

	ca->packet.probe_bytes = 0;
	cmt_asoc_sync_paths(ca);
	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];
		bool runs = path->pmtud.plpmtu.state != CMT_PLPMTU_DISABLED;

		if (path->net == NULL)
			continue;
		if ((path->net->dest_state & SCTP_ADDR_NO_PMTUD) != 0)
			cmt_plpmtu_stop(&path->pmtud.plpmtu);
		else if (!runs)
			start(ca, path, now_us);
		else if (ask_host)
			cmt_plpmtu_set_max(&path->pmtud.plpmtu, max_bytes(ca, path), now_us);
		ours = ours || runs || path->pmtud.plpmtu.state != CMT_PLPMTU_DISABLED;
		if (!cmt_path_is_active(path->net))
			cmt_plpmtu_on_path_failed(&path->pmtud.plpmtu);
	}
	if (ask_host)
		ca->host_asked_us = now_us;
	if (ours)
		apply(ca);
}

uint32_t cmt_pmtud_interface_bytes(const struct cmt_asoc *ca)
{
	uint32_t bytes = ca->stcb->asoc.smallest_mtu;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_path *path = &ca->paths[i];

		if (path->net != NULL && path->pmtud.plpmtu.state != CMT_PLPMTU_DISABLED)
			bytes = max(bytes, path->pmtud.plpmtu.limits.max_bytes);
	}
	return bytes;
}

/* --- probes --- */

/* Half of what leaves room: SACKs grow by and by. */
void cmt_pmtud_on_control(struct cmt_asoc *ca, uint32_t bytes)
{
	ca->large_control = ca->large_control || bytes > CMT_PMTUD_BASE_SCTP_BYTES / 2;
}

/* Who only receives sends nothing large, but for SACKs with many gap ack blocks. */
static bool has_sent(const struct cmt_asoc *ca)
{
	if (ca->large_control)
		return true;
	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL && ca->paths[i].counts.sent_pkts > 0)
			return true;
	}
	return false;
}

/* What was asked in the clear is answered so, which is dropped as soon as there are keys. */
static bool may_ask(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	return path->net != NULL && path->pmtud.plpmtu.state != CMT_PLPMTU_DISABLED &&
	       cmt_path_is_active(path->net) && SCTP_GET_STATE(ca->stcb) == SCTP_STATE_OPEN &&
	       cmt_protection_is_complete(ca->stcb);
}

/* HEARTBEAT and PAD, `bytes` together, which are a multiple of 4; `size` of the packet. NULL: no memory. */
static struct mbuf *build_probe(const struct cmt_path *path, uint32_t size, uint32_t bytes)
{
	static const uint8_t zeros[256];
	const struct cmt_probe probe = {.nonce = path->pmtud.nonce, .bytes = size};
	uint8_t head[CMT_PROBE_BYTES + CMT_PAD_HEADER_BYTES];
	struct mbuf *m = sctp_get_mbuf_for_msg(bytes, 0, M_NOWAIT, 0, MT_DATA);
	int at, rest = (int)bytes;

	for (struct mbuf *part = m; part != NULL; part = SCTP_BUF_NEXT(part)) {
		SCTP_BUF_LEN(part) = min((int)M_SIZE(part), rest);
		rest -= SCTP_BUF_LEN(part);
	}
	if (m == NULL)
		return NULL;
	at = (int)cmt_probe_encode(&probe, bytes - CMT_PROBE_BYTES, head);
	m_copyback(m, 0, at, (caddr_t)head);
	for (; at < (int)bytes; at += (int)sizeof(zeros))
		m_copyback(m, at, min((int)bytes - at, (int)sizeof(zeros)), (caddr_t)(uintptr_t)zeros);
	return m;
}

/* A packet of its own. */
static void send_probe(struct cmt_asoc *ca, struct cmt_path *path, uint32_t size)
{
	struct sctp_tcb *stcb = ca->stcb;
	struct sctp_nets *net = path->net;
	uint32_t bytes = size - cmt_header_bytes(net), auth_offset = 0;
	struct mbuf *m, *end = NULL, *first = NULL;
	struct sctp_auth_chunk *auth = NULL;

	if (cmt_auth_is_required_chunk(SCTP_HEARTBEAT_REQUEST, stcb->asoc.peer_auth_chunks)) {
		first = sctp_add_auth_chunk(NULL, &end, &auth, &auth_offset, stcb, SCTP_HEARTBEAT_REQUEST);
		bytes -= sctp_get_auth_chunk_len(stcb->asoc.peer_hmac_id);
	}
	m = build_probe(path, size, bytes);
	if (m == NULL) {
		sctp_m_freem(first);
		return;
	}
	if (first == NULL)
		first = m;
	else
		SCTP_BUF_NEXT(end) = m;
	ca->packet.probe_bytes = bytes;
	(void)ca->send_packet(stcb->sctp_ep, stcb, net, &net->ro._l_addr.sa, first, auth_offset, auth,
	                      stcb->asoc.authinfo.active_keyid, 1, 0, 0, stcb->sctp_ep->sctp_lport,
	                      stcb->rport, htonl(stcb->asoc.peer_vtag), net->port, NULL, SCTP_SO_NOT_LOCKED);
	ca->packet.probe_bytes = 0;
	cmt_sentlog_add_other(&path->est.log, size);
}

static uint64_t timeout_us(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	return max(CMT_PLPMTU_MIN_TIMEOUT_US, cmt_recovery_t3_us(ca, path->net));
}

/* The size of a probe that is due on the path; 0 = none. */
static uint32_t due_bytes(struct cmt_asoc *ca, struct cmt_path *path)
{
	uint64_t now_us = cmt_seam_now_us();
	uint32_t size;

	if (!may_ask(ca, path))
		return 0;
	size = cmt_plpmtu_probe(&path->pmtud.plpmtu, now_us, timeout_us(ca, path));
	cmt_wake_at(ca, CMT_WAKE_RECOVERY, path->pmtud.plpmtu.at_us, now_us);
	path->pmtud.asked = path->pmtud.asked || size != 0;
	return size;
}

/* Messages are cut for this path that could be larger, as another one has proved. */
static bool holds_back(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_plpmtu *other = &ca->paths[i].pmtud.plpmtu;

		if (ca->paths[i].net != NULL && other->state != CMT_PLPMTU_DISABLED &&
		    other->plpmtu_bytes > path->pmtud.plpmtu.plpmtu_bytes)
			return true;
	}
	return false;
}

/* The first probe of a path that carries data at once is one of their packets, filled up: on a thin path a
 * packet of its own would cost them more time than larger ones save in the beginning. Where it is lost, those
 * behind it show that, and what it carried passes when it is sent again. A path that none join for a second
 * is asked alone, so that sizes are known when there is much to send. */
static bool joins_data(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	const bool waits = path->pmtud.alone_at_us == 0 || cmt_seam_now_us() < path->pmtud.alone_at_us;

	return !path->pmtud.asked && waits && !holds_back(ca, path) &&
	       path->pmtud.plpmtu.state == CMT_PLPMTU_BASE &&
	       path->pmtud.plpmtu.ceiling_bytes >=
	           path->pmtud.plpmtu.plpmtu_bytes + CMT_PROBE_BYTES + CMT_PAD_HEADER_BYTES &&
	       !cmt_auth_is_required_chunk(SCTP_DATA, ca->stcb->asoc.peer_auth_chunks) &&
	       !cmt_auth_is_required_chunk(SCTP_HEARTBEAT_REQUEST, ca->stcb->asoc.peer_auth_chunks);
}

static void wait_for_data(struct cmt_asoc *ca, struct cmt_path *path)
{
	const uint64_t now_us = cmt_seam_now_us();

	if (path->pmtud.alone_at_us == 0)
		path->pmtud.alone_at_us = now_us + CMT_PLPMTU_MIN_TIMEOUT_US;
	cmt_wake_at(ca, CMT_WAKE_RECOVERY, path->pmtud.alone_at_us, now_us);
}

static uint32_t chain_bytes(const struct mbuf *m)
{
	uint32_t bytes = 0;

	for (; m != NULL; m = SCTP_BUF_NEXT(m))
		bytes += (uint32_t)SCTP_BUF_LEN(m);
	return bytes;
}

static struct mbuf *last_of(struct mbuf *m)
{
	while (SCTP_BUF_NEXT(m) != NULL)
		m = SCTP_BUF_NEXT(m);
	return m;
}

static bool more_follow(const struct sctp_association *asoc, unsigned n_chunks)
{
	return asoc->stream_queue_cnt > 0 || asoc->send_queue_cnt > n_chunks;
}

void cmt_pmtud_on_packet(struct sctp_tcb *stcb, const struct sctp_nets *net, int n_chunks,
                         struct mbuf **chain)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	struct cmt_path *path = ca != NULL ? cmt_asoc_path(ca, net) : NULL;
	uint32_t bytes = chain_bytes(*chain), size;
	struct mbuf *m;

	if (ca != NULL)
		ca->packet.probe_bytes = 0;
	if (path == NULL || n_chunks == 0 || !joins_data(ca, path) ||
	    !more_follow(&stcb->asoc, (unsigned)n_chunks))
		return;
	size = due_bytes(ca, path);
	if (size == 0)
		return;
	bytes = size - cmt_header_bytes(net) - bytes;
	m = build_probe(path, size, bytes);
	if (m == NULL)
		return;
	SCTP_BUF_NEXT(last_of(m)) = *chain;
	*chain = m;
	ca->packet.probe_bytes = bytes;
	path->pmtud.probe_number = path->est.log.next;
	path->pmtud.probe_bytes = size;
}

void cmt_pmtud_on_output_end(struct cmt_asoc *ca)
{
	if (!has_sent(ca))
		return;
	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];
		uint32_t size;

		if (!may_ask(ca, path))
			continue;
		if (joins_data(ca, path)) {
			wait_for_data(ca, path);
			continue;
		}
		size = due_bytes(ca, path);
		if (size != 0)
			send_probe(ca, path, size);
	}
}

bool cmt_pmtud_on_timer(struct cmt_asoc *ca, uint64_t now_us)
{
	bool due = false;

	if (!has_sent(ca))
		return false;
	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];

		if (!may_ask(ca, path))
			continue;
		if (joins_data(ca, path))
			wait_for_data(ca, path);
		else if (path->pmtud.plpmtu.at_us > now_us)
			cmt_wake_at(ca, CMT_WAKE_RECOVERY, path->pmtud.plpmtu.at_us, now_us);
		else
			due = true;
	}
	return due;
}

bool cmt_is_size_probe(const struct sctp_tcb *stcb)
{
	return stcb != NULL && stcb->asoc.cmt != NULL && stcb->asoc.cmt->packet.probe_bytes != 0;
}

uint32_t cmt_fragment_bytes(const struct sctp_tcb *stcb, const void *route, size_t ip_bytes)
{
	const struct cmt_asoc *ca = stcb != NULL ? stcb->asoc.cmt : NULL;
	const struct sctp_nets *net;

	if (ca == NULL || ca->sched == NULL || cmt_is_size_probe(stcb))
		return 0;
	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if ((const void *)&net->ro == route)
			return ip_bytes > net->mtu + udp_bytes(net) ? net->mtu + left_out_bytes(stcb, net)
			                                            : 0;
	}
	return 0;
}

/* --- what arrives, and what does not --- */

/* The size that may be sent on the path may have changed. */
static void follow(struct cmt_asoc *ca, const struct cmt_path *path)
{
	uint64_t now_us = cmt_seam_now_us();

	if (path->pmtud.plpmtu.state == CMT_PLPMTU_DISABLED ||
	    path->net->mtu == path->pmtud.plpmtu.plpmtu_bytes)
		return;
	apply(ca);
	cmt_wake_at(ca, CMT_WAKE_RECOVERY, now_us, now_us);
	cmt_wake_at(ca, CMT_WAKE_OUTPUT, now_us, now_us);
}

/* The acknowledgement of the data in a probe may take a shorter return path than the HEARTBEAT-ACK. */
static void on_data_arrived(struct cmt_path *path, uint32_t number)
{
	if (number != path->pmtud.probe_number || path->pmtud.probe_number == 0)
		return;
	path->pmtud.probe_number = 0;
	cmt_plpmtu_on_probe_arrived(&path->pmtud.plpmtu, path->pmtud.probe_bytes, cmt_seam_now_us());
}

void cmt_pmtud_on_echo(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number, uint16_t packets)
{
	bool all = (uint16_t)number == packets && cmt_serial_ge(number, path->pmtud.probe_number);

	on_data_arrived(path, all ? path->pmtud.probe_number : number);
	follow(ca, path);
}

static struct cmt_path *find_by_nonce(struct cmt_asoc *ca, uint64_t nonce)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];

		if (path->net != NULL && path->pmtud.plpmtu.state != CMT_PLPMTU_DISABLED &&
		    path->pmtud.nonce == nonce)
			return path;
	}
	return NULL;
}

/* Of a HEARTBEAT of upstream's, which is small: when it was sent; 0 = it is of somebody else. */
static uint64_t heartbeat_sent_us(const uint8_t *chunk, unsigned int len)
{
	struct sctp_heartbeat_chunk heartbeat;

	if (len != sizeof(heartbeat))
		return 0;
	memcpy(&heartbeat, chunk, sizeof(heartbeat));
	return (uint64_t)heartbeat.heartbeat.hb_info.time_value_1 * 1000000u +
	       heartbeat.heartbeat.hb_info.time_value_2;
}

void cmt_on_heartbeat_ack(struct sctp_tcb *stcb, struct sctp_nets **netp, struct mbuf *m, int offset,
                          unsigned int len)
{
	struct cmt_asoc *ca = stcb != NULL ? cmt_asoc_scheduled(stcb) : NULL;
	uint8_t buffer[sizeof(struct sctp_heartbeat_chunk)];
	const uint8_t *chunk;
	struct cmt_path *path;
	struct cmt_probe probe;

	if (ca == NULL || netp == NULL || len > sizeof(buffer))
		return;
	chunk = (const uint8_t *)sctp_m_getptr(m, offset, (int)len, buffer);
	if (chunk == NULL)
		return;
	if (cmt_probe_decode(chunk, len, &probe) == 0) {
		path = find_by_nonce(ca, probe.nonce);
		if (path != NULL)
			cmt_plpmtu_on_probe_arrived(&path->pmtud.plpmtu, probe.bytes, cmt_seam_now_us());
	} else {
		path = cmt_asoc_path(ca, *netp);
		if (path != NULL)
			cmt_plpmtu_on_arrived(
			    &path->pmtud.plpmtu,
			    &(struct cmt_plpmtu_packet){.sent_us = heartbeat_sent_us(chunk, len)},
			    cmt_seam_now_us());
	}
	if (path != NULL)
		follow(ca, path);
}

/* False: it is forgotten. */
static bool describe(const struct cmt_path *path, uint32_t number, struct cmt_plpmtu_packet *packet)
{
	const struct cmt_sent_record *record = cmt_sentlog_find(&path->est.log, number);

	if (record == NULL)
		return false;
	*packet =
	    (struct cmt_plpmtu_packet){.bytes = record->bytes, .number = number, .sent_us = record->sent_us};
	return true;
}

void cmt_pmtud_on_arrived(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number)
{
	struct cmt_plpmtu_packet packet;

	if (!describe(path, number, &packet))
		return;
	on_data_arrived(path, number);
	cmt_plpmtu_on_arrived(&path->pmtud.plpmtu, &packet, cmt_seam_now_us());
	follow(ca, path);
}

void cmt_pmtud_on_lost(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number)
{
	struct cmt_plpmtu_packet packet;

	if (!describe(path, number, &packet))
		return;
	cmt_plpmtu_on_lost(&path->pmtud.plpmtu, &packet, cmt_seam_now_us());
	follow(ca, path);
}

void cmt_pmtud_on_timeout(struct cmt_asoc *ca, struct cmt_path *path)
{
	cmt_plpmtu_on_timeout(&path->pmtud.plpmtu, cmt_seam_now_us());
	follow(ca, path);
}

void cmt_on_too_big(struct sctp_tcb *stcb, struct sctp_nets *net, uint32_t ip_bytes)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	struct cmt_path *path = ca != NULL ? cmt_asoc_path(ca, net) : NULL;
	const uint32_t left_out = left_out_bytes(stcb, net);
	uint64_t now_us = cmt_seam_now_us();

	if (path == NULL || ip_bytes < left_out)
		return;
	cmt_plpmtu_on_too_big(&path->pmtud.plpmtu, ip_bytes - left_out, now_us);
	if (path->pmtud.plpmtu.state != CMT_PLPMTU_DISABLED)
		cmt_wake_at(ca, CMT_WAKE_RECOVERY, path->pmtud.plpmtu.at_us, now_us);
	follow(ca, path);
}
