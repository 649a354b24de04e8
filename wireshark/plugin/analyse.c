/* SPDX-License-Identifier: BSD-3-Clause */
#include "analyse.h"

#define MAX_RAWS 64 /* of one packet */

static bool is_raw(uint8_t type)
{
	return type == CHUNK_TIMESTAMP || type == CHUNK_ECHO || type == CHUNK_INIT ||
	       type == CHUNK_INIT_ACK || type == CHUNK_DTLS || type == CHUNK_ABORT;
}

static void *keep(const void *what, size_t bytes)
{
	return wmem_memdup(wmem_file_scope(), what, bytes);
}

/* What the draft of the DTLS chunk has brought. */
static void read_encryption(struct cmt_raw *raw, const struct sctp_chunk *chunk)
{
	struct sctp_dtls dtls;
	struct sctp_offer offer;
	struct sctp_cause cause;

	if (sctp_read_dtls(chunk, &dtls)) {
		raw->dtls = keep(&dtls, sizeof(dtls));
	} else if (chunk->type == CHUNK_DTLS) {
		raw->bad = !raw->cut;
	} else if (sctp_read_offer(chunk, &offer)) {
		raw->offer = keep(&offer, sizeof(offer));
	} else if (sctp_read_dtls_cause(chunk, &cause)) {
		raw->cause = keep(&cause, sizeof(cause));
	}
}

static void read_raw(struct cmt_raw *raw, const struct sctp_chunk *chunk, bool decrypted)
{
	struct cmt_timestamp stamp;
	struct cmt_echo echo;
	struct sctp_init init;

	*raw = (struct cmt_raw){.at = chunk->at,
	                        .len = chunk->len,
	                        .type = chunk->type,
	                        .flags = chunk->flags,
	                        .decrypted = decrypted,
	                        .cut = chunk->available < chunk->len};
	if (chunk->type == CHUNK_TIMESTAMP) {
		if (cmt_timestamp_decode(chunk->bytes, chunk->available, &stamp) == 0) {
			raw->stamp = keep(&stamp, sizeof(stamp));
		}
		raw->bad = raw->stamp == NULL && !raw->cut;
	} else if (chunk->type == CHUNK_ECHO) {
		if (cmt_echo_decode(chunk->bytes, chunk->available, &echo) == 0) {
			raw->echo = keep(&echo, sizeof(echo));
		}
		raw->bad = raw->echo == NULL && !raw->cut;
	} else {
		raw->capable = sctp_read_init(chunk, &init) && init.capable;
		read_encryption(raw, chunk);
	}
}

void cmt_analyse_raws(struct cmt_packet *p, const uint8_t *bytes, uint32_t len, bool decrypted)
{
	struct cmt_raw raws[MAX_RAWS];
	uint32_t n = p->n_raws, at = SCTP_HEADER_BYTES;
	struct sctp_chunk chunk;

	if (n > 0) {
		memcpy(raws, p->raws, n * sizeof(raws[0]));
	}
	while (n < MAX_RAWS && sctp_next_chunk(bytes, len, &at, &chunk)) {
		if (is_raw(chunk.type)) {
			read_raw(&raws[n++], &chunk, decrypted);
		}
	}
	if (n > p->n_raws) {
		p->raws = keep(raws, n * sizeof(raws[0]));
		p->n_raws = n;
	}
}

/* What else the packet holds. */
struct content {
	unsigned n_data;
	struct sctp_sack sack;
	bool has_sack;
	const struct cmt_echo *echo;
	struct sctp_init init;
	bool has_init, is_init_ack;
	bool tag_reflected;
};

static void read_content(struct content *c, const uint8_t *bytes, uint32_t len)
{
	uint32_t at = SCTP_HEADER_BYTES;
	struct sctp_chunk chunk;
	struct sctp_data data;

	while (sctp_next_chunk(bytes, len, &at, &chunk)) {
		switch (chunk.type) {
		case CHUNK_DATA:
		case CHUNK_IDATA: c->n_data += sctp_read_data(&chunk, &data); break;
		case CHUNK_SACK:
		case CHUNK_NR_SACK: c->has_sack = sctp_read_sack(&chunk, &c->sack) || c->has_sack; break;
		case CHUNK_INIT:
		case CHUNK_INIT_ACK:
			c->has_init = sctp_read_init(&chunk, &c->init) || c->has_init;
			c->is_init_ack = chunk.type == CHUNK_INIT_ACK;
			break;
		case CHUNK_ABORT:
		case CHUNK_SHUTDOWN_COMPLETE:
			c->tag_reflected = c->tag_reflected || (chunk.flags & SCTP_TAG_REFLECTED) != 0;
			break;
		default: break;
		}
	}
}

/* Of several chunks of one type the last one counts; without DATA there is nothing to number. */
static void take_raws(struct cmt_packet *p, struct content *c)
{
	for (uint32_t i = 0; i < p->n_raws; i++) {
		const struct cmt_raw *raw = &p->raws[i];

		if (raw->stamp != NULL && raw->stamp->path_id != 0 && c->n_data > 0) {
			p->has_timestamp = true;
			p->stamp = *raw->stamp;
		}
		c->echo = raw->echo != NULL ? raw->echo : c->echo;
	}
}

static struct cmt_half *find_half(const struct content *c, const struct sctp_header *header, bool sealed,
                                  const struct cmt_ends *ends)
{
	if (c->tag_reflected) {
		return NULL;
	}
	if (c->has_init) {
		return cmt_state_init(header, &c->init, c->is_init_ack, ends);
	}
	return cmt_state_half(header, ends, c->n_data > 0 || c->has_sack || sealed);
}

static void analyse_data_chunks(struct cmt_packet *p, const uint8_t *bytes, uint32_t len, unsigned n_data)
{
	uint32_t at = SCTP_HEADER_BYTES;
	struct sctp_chunk chunk;
	struct sctp_data data;

	if (n_data == 0) {
		return;
	}
	p->txs = wmem_alloc0_array(wmem_file_scope(), struct cmt_tx, n_data);
	while (p->n_txs < n_data && sctp_next_chunk(bytes, len, &at, &chunk)) {
		if (sctp_read_data(&chunk, &data)) {
			cmt_analyse_data(p, &p->txs[p->n_txs++], &data);
		}
	}
}

void cmt_analyse(struct cmt_packet *p, const uint8_t *bytes, uint32_t len, const struct cmt_ends *ends)
{
	struct sctp_header header = sctp_header(bytes);
	struct content content = {.n_data = 0};

	read_content(&content, bytes, len);
	take_raws(p, &content);
	p->half = find_half(&content, &header, cmt_is_sealed(p), ends);
	if (p->half == NULL) {
		p->verdict = CMT_FOREIGN;
		return;
	}
	p->path = cmt_state_path(p->half, ends);
	if (cmt_analyse_copy(p)) {
		analyse_data_chunks(p, bytes, len, content.n_data);
		return;
	}
	cmt_analyse_number(p);
	analyse_data_chunks(p, bytes, len, content.n_data);
	if (content.has_sack) {
		cmt_analyse_sack(p, &content.sack);
	}
	if (content.echo != NULL && p->half->peer != NULL) {
		cmt_analyse_echo(p, content.echo);
	}
}
