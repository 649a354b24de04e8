/* SPDX-License-Identifier: BSD-3-Clause */
#include "analyse.h"

#define MAX_RAWS 64 /* of one packet */

static bool is_raw(uint8_t type)
{
	return type == CHUNK_TIMESTAMP || type == CHUNK_ECHO || type == CHUNK_INIT || type == CHUNK_INIT_ACK;
}

static void read_raw(struct cmt_raw *raw, const struct sctp_chunk *chunk)
{
	struct cmt_timestamp stamp;
	struct cmt_echo echo;
	struct sctp_init init;

	*raw = (struct cmt_raw){
	    .at = chunk->at, .len = chunk->len, .type = chunk->type, .cut = chunk->available < chunk->len};
	if (chunk->type == CHUNK_TIMESTAMP) {
		if (cmt_timestamp_decode(chunk->bytes, chunk->available, &stamp) == 0) {
			raw->stamp = wmem_memdup(wmem_file_scope(), &stamp, sizeof(stamp));
		}
		raw->bad = raw->stamp == NULL && !raw->cut;
	} else if (chunk->type == CHUNK_ECHO) {
		if (cmt_echo_decode(chunk->bytes, chunk->available, &echo) == 0) {
			raw->echo = wmem_memdup(wmem_file_scope(), &echo, sizeof(echo));
		}
		raw->bad = raw->echo == NULL && !raw->cut;
	} else {
		raw->capable = sctp_read_init(chunk, &init) && init.capable;
	}
}

void cmt_analyse_raws(struct cmt_packet *p, const uint8_t *bytes, uint32_t len)
{
	struct cmt_raw raws[MAX_RAWS];
	uint32_t at = SCTP_HEADER_BYTES;
	struct sctp_chunk chunk;

	while (p->n_raws < MAX_RAWS && sctp_next_chunk(bytes, len, &at, &chunk)) {
		if (is_raw(chunk.type)) {
			read_raw(&raws[p->n_raws++], &chunk);
		}
	}
	if (p->n_raws > 0) {
		p->raws = wmem_memdup(wmem_file_scope(), raws, p->n_raws * sizeof(raws[0]));
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

static struct cmt_half *find_half(const struct content *c, const struct sctp_header *header,
                                  const struct cmt_ends *ends)
{
	if (c->tag_reflected) {
		return NULL;
	}
	if (c->has_init) {
		return cmt_state_init(header, &c->init, c->is_init_ack, ends);
	}
	return cmt_state_half(header, ends, c->n_data > 0 || c->has_sack);
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
	p->checksum = header.checksum;
	p->half = find_half(&content, &header, ends);
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
