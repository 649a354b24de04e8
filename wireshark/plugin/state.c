/* SPDX-License-Identifier: BSD-3-Clause */
#include "state.h"

struct tag_key {
	uint32_t tag;
	uint16_t source_port, destination_port;
};

/* Where a half without a peer was seen. */
struct place_key {
	struct cmt_ends ends;
	uint16_t source_port, destination_port;
};

/* What an INIT-ACK said, of an association for which another one had come: its sender answers every INIT with
 * tag and TSN of their own, and the peer takes the one that reaches it first (RFC 9260, section 5.2). */
struct offer {
	struct cmt_half *half; /* whose tag this may be */
	struct sctp_init init;
};

static struct {
	wmem_map_t *halves;   /* by struct tag_key */
	wmem_map_t *offers;   /* by struct tag_key, until a packet shows which was taken: struct offer */
	wmem_map_t *lonesome; /* halves without a peer, the latest at each place: by struct place_key */
	uint32_t n_assocs;
} state;

static guint hash_tag(gconstpointer key)
{
	const struct tag_key *k = key;

	return k->tag ^ (uint32_t)k->source_port << 16 ^ k->destination_port;
}

static gboolean equal_tag(gconstpointer a, gconstpointer b)
{
	const struct tag_key *x = a, *y = b;

	return x->tag == y->tag && x->source_port == y->source_port &&
	       x->destination_port == y->destination_port;
}

static guint hash_place(gconstpointer key)
{
	const struct place_key *k = key;

	return cmt_ends_hash(&k->ends, k->source_port ^ (guint)k->destination_port << 16);
}

static gboolean equal_place(gconstpointer a, gconstpointer b)
{
	const struct place_key *x = a, *y = b;

	return x->source_port == y->source_port && x->destination_port == y->destination_port &&
	       cmt_ends_equal(&x->ends, &y->ends);
}

void cmt_state_reset(void)
{
	memset(&state, 0, sizeof(state));
	state.halves = wmem_map_new(wmem_file_scope(), hash_tag, equal_tag);
	state.offers = wmem_map_new(wmem_file_scope(), hash_tag, equal_tag);
	state.lonesome = wmem_map_new(wmem_file_scope(), hash_place, equal_place);
}

static struct cmt_assoc *new_assoc(void)
{
	struct cmt_assoc *assoc = wmem_new0(wmem_file_scope(), struct cmt_assoc);

	assoc->number = ++state.n_assocs;
	assoc->paths = wmem_array_new(wmem_file_scope(), sizeof(struct cmt_ends));
	return assoc;
}

static struct cmt_half *new_half(struct cmt_assoc *assoc, uint16_t source_port, uint16_t destination_port)
{
	struct cmt_half *half = wmem_new0(wmem_file_scope(), struct cmt_half);

	half->assoc = assoc;
	half->source_port = source_port;
	half->destination_port = destination_port;
	half->paths = wmem_array_new(wmem_file_scope(), sizeof(struct cmt_path *));
	half->lanes = wmem_array_new(wmem_file_scope(), sizeof(struct cmt_lane *));
	half->tsns = cmt_sparse_new();
	half->unseen_twice = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
	return half;
}

static struct cmt_half *find(uint32_t tag, uint16_t source_port, uint16_t destination_port)
{
	struct tag_key key = {.tag = tag, .source_port = source_port, .destination_port = destination_port};

	return wmem_map_lookup(state.halves, &key);
}

static struct tag_key *new_key(const struct cmt_half *half, uint32_t tag)
{
	struct tag_key *key = wmem_new(wmem_file_scope(), struct tag_key);

	*key = (struct tag_key){
	    .tag = tag, .source_port = half->source_port, .destination_port = half->destination_port};
	return key;
}

static void set_tag(struct cmt_half *half, uint32_t tag)
{
	half->tag = tag;
	wmem_map_insert(state.halves, new_key(half, tag), half);
}

static void marry(struct cmt_half *a, struct cmt_half *b)
{
	a->peer = b;
	b->peer = a;
}

/* --- paths --- */

static uint32_t path_number(struct cmt_assoc *assoc, const struct cmt_ends *ends)
{
	const struct cmt_ends *paths = wmem_array_get_raw(assoc->paths), mirrored = cmt_ends_mirrored(ends);
	unsigned n = wmem_array_get_count(assoc->paths);

	for (unsigned i = 0; i < n; i++) {
		if (cmt_ends_equal(&paths[i], ends) || cmt_ends_equal(&paths[i], &mirrored)) {
			return i + 1;
		}
	}
	if (n < CMT_WS_MAX_PATHS) {
		wmem_array_append_one(assoc->paths, *ends);
		n++;
	}
	return n;
}

struct cmt_path *cmt_state_path(struct cmt_half *half, const struct cmt_ends *ends)
{
	struct cmt_path **paths = wmem_array_get_raw(half->paths), *path;
	unsigned n = wmem_array_get_count(half->paths);

	for (unsigned i = 0; i < n; i++) {
		if (cmt_ends_equal(&paths[i]->ends, ends)) {
			return paths[i];
		}
	}
	if (n >= CMT_WS_MAX_PATHS) {
		return paths[n - 1];
	}
	path = wmem_new0(wmem_file_scope(), struct cmt_path);
	path->ends = cmt_ends_copy(ends);
	path->number = path_number(half->assoc, &path->ends);
	wmem_array_append_one(half->paths, path);
	if (half->peer == NULL) {
		struct place_key *key = wmem_new(wmem_file_scope(), struct place_key);

		*key = (struct place_key){.ends = path->ends,
		                          .source_port = half->source_port,
		                          .destination_port = half->destination_port};
		wmem_map_insert(state.lonesome, key, half);
	}
	return path;
}

struct cmt_lane *cmt_state_lane(struct cmt_half *half, uint16_t id, bool make)
{
	struct cmt_lane **lanes = wmem_array_get_raw(half->lanes), *lane;
	unsigned n = wmem_array_get_count(half->lanes);

	for (unsigned i = 0; i < n; i++) {
		if (lanes[i]->id == id) {
			return lanes[i];
		}
	}
	if (!make || n >= CMT_WS_MAX_PATHS) {
		return NULL;
	}
	lane = wmem_new0(wmem_file_scope(), struct cmt_lane);
	lane->id = id;
	lane->packets = cmt_sparse_new();
	wmem_array_append_one(half->lanes, lane);
	return lane;
}

/* --- halves --- */

/* What the sender of `half` announced in its INIT or INIT-ACK. */
static void begin(struct cmt_half *half, const struct sctp_init *init)
{
	half->from_start = true;
	half->knows_next = true;
	half->next_tsn = init->tsn;
	half->swept_tsn = init->tsn - 1;
	half->largest_rwnd_bytes = init->rwnd_bytes;
}

static void keep_offer(struct cmt_half *half, const struct sctp_init *init)
{
	struct offer *offer = wmem_new(wmem_file_scope(), struct offer);

	*offer = (struct offer){.half = half, .init = *init};
	wmem_map_insert(state.offers, new_key(half, init->tag), offer);
}

/* The half that this tag was offered to; NULL = none. */
static struct cmt_half *take_offer(const struct sctp_header *header)
{
	struct tag_key key = {.tag = header->tag,
	                      .source_port = header->source_port,
	                      .destination_port = header->destination_port};
	const struct offer *offer = wmem_map_remove(state.offers, &key);

	if (offer == NULL) {
		return NULL;
	}
	set_tag(offer->half, header->tag);
	begin(offer->half->peer, &offer->init);
	return offer->half;
}

/* The latest half that goes the other way between these ends and has no peer yet. */
static struct cmt_half *find_mirrored(const struct sctp_header *header, const struct cmt_ends *ends)
{
	struct place_key key = {.ends = cmt_ends_mirrored(ends),
	                        .source_port = header->destination_port,
	                        .destination_port = header->source_port};
	struct cmt_half *half = wmem_map_lookup(state.lonesome, &key);

	return half != NULL && half->peer == NULL ? half : NULL;
}

struct cmt_half *cmt_state_half(const struct sctp_header *header, const struct cmt_ends *ends, bool make)
{
	struct cmt_half *half = find(header->tag, header->source_port, header->destination_port);
	struct cmt_half *mirrored;

	if (half == NULL) {
		half = take_offer(header);
	}
	if (half != NULL || !make || header->tag == 0) {
		return half;
	}
	mirrored = find_mirrored(header, ends);
	half = new_half(mirrored != NULL ? mirrored->assoc : new_assoc(), header->source_port,
	                header->destination_port);
	set_tag(half, header->tag);
	if (mirrored != NULL) {
		marry(half, mirrored);
	}
	return half;
}

/* INIT: its sender chose the tag of the return path; that of its own way is not known yet. */
static struct cmt_half *on_init(const struct sctp_header *header, const struct sctp_init *init)
{
	struct cmt_half *back = find(init->tag, header->destination_port, header->source_port);
	struct cmt_half *half;

	if (back != NULL && back->peer != NULL) {
		return back->peer; /* sent again */
	}
	if (back == NULL) {
		back = new_half(new_assoc(), header->destination_port, header->source_port);
		set_tag(back, init->tag);
	}
	half = new_half(back->assoc, header->source_port, header->destination_port);
	marry(half, back);
	return half;
}

/* INIT-ACK: its own tag is known from INIT, and it brings the other one. */
static struct cmt_half *on_init_ack(const struct sctp_header *header, const struct sctp_init *init,
                                    const struct cmt_ends *ends)
{
	struct cmt_half *half = cmt_state_half(header, ends, true);
	struct cmt_half *peer;

	if (half == NULL) {
		return NULL;
	}
	peer = find(init->tag, header->destination_port, header->source_port);
	if (peer == NULL && half->peer != NULL && half->peer->tag == 0) {
		set_tag(half->peer, init->tag);
	} else if (peer == NULL && half->peer != NULL) {
		keep_offer(half->peer, init);
	} else if (peer == NULL) {
		peer = new_half(half->assoc, header->destination_port, header->source_port);
		set_tag(peer, init->tag);
		marry(half, peer);
	} else if (peer != NULL && (half->peer == NULL || half->peer->tag == 0)) {
		marry(half,
		      peer); /* both sides sent an INIT, or the capture began with the other direction */
	}
	return half;
}

struct cmt_half *cmt_state_init(const struct sctp_header *header, const struct sctp_init *init, bool is_ack,
                                const struct cmt_ends *ends)
{
	struct cmt_half *half;

	if (init->tag == 0) {
		return NULL;
	}
	half = is_ack ? on_init_ack(header, init, ends) : on_init(header, init);
	if (half != NULL && !half->knows_next) {
		begin(half, init);
	}
	return half;
}
