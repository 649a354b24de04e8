/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sparse.h - an array over all 32-bit numbers, of which few are used, mostly next to each other.
 *
 * Pages in a map; the page used last is at hand, which makes runs of numbers cheap. Memory is the capture
 * file's. */
#ifndef CMT_WS_SPARSE_H
#define CMT_WS_SPARSE_H

#include <stdint.h>

#include <epan/wmem_scopes.h>

#define CMT_SPARSE_PAGE 64u

struct cmt_sparse {
	wmem_map_t *pages;
	uint32_t at_hand; /* number of that page */
	void **page;      /* NULL = none yet */
};

static inline struct cmt_sparse cmt_sparse_new(void)
{
	return (struct cmt_sparse){.pages = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal)};
}

/* NULL for what was not set. */
static inline void *cmt_sparse_get(struct cmt_sparse *s, uint32_t number)
{
	uint32_t wanted = number / CMT_SPARSE_PAGE;

	if (s->page == NULL || s->at_hand != wanted) {
		void **page = wmem_map_lookup(s->pages, GUINT_TO_POINTER(wanted));

		if (page == NULL) {
			return NULL;
		}
		s->page = page;
		s->at_hand = wanted;
	}
	return s->page[number % CMT_SPARSE_PAGE];
}

static inline void cmt_sparse_set(struct cmt_sparse *s, uint32_t number, void *value)
{
	uint32_t wanted = number / CMT_SPARSE_PAGE;

	if (cmt_sparse_get(s, number) == NULL && (s->page == NULL || s->at_hand != wanted)) {
		s->page = wmem_alloc0_array(wmem_file_scope(), void *, CMT_SPARSE_PAGE);
		s->at_hand = wanted;
		wmem_map_insert(s->pages, GUINT_TO_POINTER(wanted), s->page);
	}
	s->page[number % CMT_SPARSE_PAGE] = value;
}

#endif
