/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The DTLS Key Management parameters of INIT and INIT-ACK (core/wire/cmt_km.h): ours in, the peer's out, and
 * what follows when there is no agreement. */
#include "protection/cmt_protection.h"

#include <netinet/sctp_auth.h>
#include <netinet/sctp_header.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctputil.h>

struct cmt_km cmt_km_own(const struct sctp_inpcb *inp, uint32_t initiate_tag)
{
	struct cmt_km km = {.tie_breaker = initiate_tag,
	                    .flags = inp->cmt.protection.roles,
	                    .n_methods = inp->cmt.protection.n_methods};

	memcpy(km.methods, inp->cmt.protection.methods, sizeof(km.methods));
	return km;
}

int cmt_validate_init_auth_params(struct mbuf *m, int offset, int limit);

static bool is_offered(const struct sctp_inpcb *inp)
{
	return inp->cmt.protection.n_methods > 0;
}

/* --- out --- */

uint16_t cmt_km_append(const struct sctp_inpcb *inp, uint32_t initiate_tag, void *chunk, uint16_t len,
                       uint16_t *padding)
{
	const struct cmt_km own = cmt_km_own(inp, initiate_tag);
	uint8_t *end = (uint8_t *)chunk + len;
	size_t n;

	if (!is_offered(inp))
		return len;
	memset(end, 0, *padding);
	len = (uint16_t)(len + *padding);
	n = cmt_km_encode(&own, end + *padding);
	*padding = (uint16_t)(SCTP_SIZE32(n) - n);
	return (uint16_t)(len + n);
}

uint16_t cmt_km_append_answer(const struct sctp_inpcb *inp, struct mbuf *init, int offset, int limit,
                              uint32_t initiate_tag, void *chunk, uint16_t len, uint16_t *padding)
{
	uint8_t parameter[CMT_KM_MAX_BYTES];
	struct cmt_km peer;

	return cmt_km_find(init, offset, limit, parameter, &peer) > 0
	           ? cmt_km_append(inp, initiate_tag, chunk, len, padding)
	           : len;
}

/* --- in --- */

int cmt_km_find(struct mbuf *m, int offset, int limit, uint8_t parameter[CMT_KM_MAX_BYTES],
                struct cmt_km *out)
{
	struct sctp_paramhdr header;

	while (offset + (int)sizeof(header) <= limit) {
		const struct sctp_paramhdr *p = sctp_get_next_param(m, offset, &header, sizeof(header));
		const int len = p != NULL ? ntohs(p->param_length) : 0;

		if (len < (int)sizeof(header) || offset + len > limit)
			return 0;
		if (ntohs(p->param_type) == CMT_KM_TYPE) {
			if (len > (int)CMT_KM_MAX_BYTES)
				return 0;
			m_copydata(m, offset, len, (caddr_t)parameter);
			return max(cmt_km_decode(parameter, (size_t)len, out), 0);
		}
		offset += SCTP_SIZE32(len);
	}
	return 0;
}

/* The error cause with which an endpoint refuses what the peer offers; 0: it goes on, protected or not. */
static uint16_t refusal(const struct sctp_inpcb *inp, struct mbuf *m, int offset, int limit,
                        uint32_t initiate_tag, bool is_last_word)
{
	const struct cmt_km own = cmt_km_own(inp, initiate_tag);
	uint8_t parameter[CMT_KM_MAX_BYTES];
	struct cmt_km_agreement agreed;
	struct cmt_km peer;
	int cause = CMT_KM_CAUSE_MISSING;

	if (!inp->cmt.protection.required)
		return 0;
	if (cmt_km_find(m, offset, limit, parameter, &peer) > 0)
		cause = cmt_km_agree(&own, &peer, &agreed);
	return cause == CMT_KM_CAUSE_TIE && !is_last_word ? 0 : (uint16_t)cause;
}

/* Takes the place of `*error`. */
static bool replace_cause(struct mbuf **error, uint16_t cause)
{
	if (cause == 0)
		return false;
	sctp_m_freem(*error);
	*error = sctp_generate_cause(cause, "");
	return true;
}

bool cmt_km_refuses_init(const struct sctp_inpcb *inp, struct mbuf *m, int offset, int limit,
                         struct mbuf **error)
{
	/* Our tag, and so who wins a tie, is not known yet. */
	return replace_cause(error, refusal(inp, m, offset, limit, 0, false));
}

bool cmt_km_refuses_init_ack(const struct sctp_tcb *stcb, struct mbuf *m, int offset, int limit,
                             struct mbuf **error)
{
	return replace_cause(error, refusal(stcb->sctp_ep, m, offset, limit, stcb->asoc.my_vtag, true));
}

/* --- agreed --- */

uint32_t cmt_protected_mtu(const struct sctp_tcb *stcb, uint32_t mtu_bytes)
{
	enum { HEADERS_BYTES = SCTP_MIN_OVERHEAD };

	if (stcb == NULL || stcb->asoc.cmt_protection == NULL || mtu_bytes <= CMT_DTLS_OVERHEAD_BYTES)
		return mtu_bytes;
	return min(mtu_bytes - CMT_DTLS_OVERHEAD_BYTES, (uint32_t)CMT_RECORD_CONTENT_MAX + HEADERS_BYTES);
}

/* Paths that come later have room for it from the beginning. */
static void make_room(struct sctp_tcb *stcb)
{
	uint32_t smallest = UINT16_MAX;
	struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		net->mtu = cmt_protected_mtu(stcb, net->mtu);
		smallest = min(smallest, net->mtu);
	}
	if (smallest < stcb->asoc.smallest_mtu)
		sctp_pathmtu_adjustment(stcb, (uint16_t)smallest);
}

void cmt_km_on_peer(struct sctp_tcb *stcb, struct mbuf *m, int offset, int limit)
{
	const struct sctp_inpcb *inp = stcb->sctp_ep;
	const struct cmt_km own = cmt_km_own(inp, stcb->asoc.my_vtag);
	const bool had = stcb->asoc.cmt_protection != NULL;
	struct cmt_km_agreement agreed;
	uint8_t parameter[CMT_KM_MAX_BYTES];
	struct cmt_protection *p;
	struct cmt_km peer;
	int bytes;

	if (had && stcb->asoc.cmt_protection->enforced)
		return;
	cmt_protection_free(stcb);
	bytes = is_offered(inp) ? cmt_km_find(m, offset, limit, parameter, &peer) : 0;
	if (bytes == 0 || cmt_km_agree(&own, &peer, &agreed) != 0)
		return;
	p = cmt_protection_new(stcb);
	if (p == NULL)
		return;
	p->agreed = agreed;
	memcpy(p->peer_parameter, parameter, (size_t)bytes);
	p->peer_bytes = (size_t)bytes;
	if (!had)
		make_room(stcb);
}

/* Takes the place of upstream's function, for an INIT that lists ASCONF without SCTP-AUTH. */
int cmt_validate_init_auth_params(struct mbuf *m, int offset, int limit)
{
	uint8_t parameter[CMT_KM_MAX_BYTES];
	struct cmt_km peer;

	return cmt_km_find(m, offset, limit, parameter, &peer) > 0
	           ? 0
	           : sctp_validate_init_auth_params(m, offset, limit);
}

/* ASCONF goes without, since the DTLS chunk authenticates it. */
void cmt_km_instead_of_auth(struct sctp_tcb *stcb, uint8_t *peer_has_auth, uint8_t *saw_asconf,
                            uint8_t *saw_asconf_ack, int *got_random, int *got_hmacs)
{
	if (stcb->asoc.cmt_protection == NULL)
		return;
	stcb->asoc.auth_supported = 1;
	*peer_has_auth = *saw_asconf = *saw_asconf_ack = 1;
	*got_random = *got_hmacs = 1;
}
