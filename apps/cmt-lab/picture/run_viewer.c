/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture/run_viewer.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#include "viewer_page.h"

#define PIECE_BYTES 65536u
#define GZIP        (15 + 16) /* the largest window, and gzip's header */

/* Base64 over several calls: up to two bytes wait for a third. */
struct base64 {
	FILE *out;
	unsigned char waiting[3];
	unsigned n;
};

static void put_group(struct base64 *b)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = (uint32_t)b->waiting[0] << 16 | (uint32_t)b->waiting[1] << 8 | b->waiting[2];

	for (unsigned i = 0; i < 4; i++) {
		fputc(i <= b->n ? digits[bits >> (18 - 6 * i) & 63] : '=', b->out);
	}
	b->n = 0;
	memset(b->waiting, 0, sizeof(b->waiting));
}

static void put_bytes(struct base64 *b, const unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		b->waiting[b->n++] = bytes[i];
		if (b->n == 3) {
			put_group(b);
		}
	}
}

static int fail(struct lab_error *error, const char *why)
{
	snprintf(error->text, sizeof(error->text), "%s", why);
	return -1;
}

/* Everything that zlib makes of `n` bytes, the last ones if `end`. */
static void deflate_piece(z_stream *z, unsigned char *piece, size_t n, bool end, struct base64 *out)
{
	unsigned char packed[PIECE_BYTES];

	z->next_in = piece;
	z->avail_in = (uInt)n;
	do {
		z->next_out = packed;
		z->avail_out = sizeof(packed);
		deflate(z, end ? Z_FINISH : Z_NO_FLUSH);
		put_bytes(out, packed, sizeof(packed) - z->avail_out);
	} while (z->avail_out == 0);
}

static int put_packed(FILE *page, FILE *qlog, uint64_t max_bytes, struct lab_error *error)
{
	struct base64 out = {.out = page};
	unsigned char piece[PIECE_BYTES];
	uint64_t total_bytes = 0;
	z_stream z = {.zalloc = Z_NULL};
	size_t n;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
		return fail(error, "no memory");
	}
	do {
		n = fread(piece, 1, sizeof(piece), qlog);
		total_bytes += n;
		deflate_piece(&z, piece, n, n == 0, &out);
	} while (n > 0 && total_bytes <= max_bytes);
	deflateEnd(&z);
	if (out.n > 0) {
		put_group(&out);
	}
	if (total_bytes > max_bytes) {
		snprintf(error->text, sizeof(error->text),
		         "the run has more than %llu MB of events, too many for a page; make it shorter with "
		         "--bytes or "
		         "--duration, or write --qlog FILE, which the viewer opens too",
		         (unsigned long long)(max_bytes >> 20));
		return -1;
	}
	return ferror(qlog) != 0 ? fail(error, "its events cannot be read") : 0;
}

int lab_run_viewer_write(FILE *page, FILE *qlog, uint64_t max_bytes, struct lab_error *error)
{
	const unsigned char *mark =
	    memmem(viewer_page, viewer_page_bytes, VIEWER_PAGE_DATA_MARK, strlen(VIEWER_PAGE_DATA_MARK));
	size_t before;

	if (mark == NULL) {
		return fail(error, "the page has no place for data");
	}
	before = (size_t)(mark - viewer_page);
	fwrite(viewer_page, 1, before, page);
	fprintf(page, VIEWER_PAGE_DATA_HEAD, "cmt-lab run");
	if (put_packed(page, qlog, max_bytes, error) != 0) {
		return -1;
	}
	fputs(VIEWER_PAGE_DATA_TAIL, page);
	fwrite(mark, 1, viewer_page_bytes - before, page);
	return fflush(page) != 0 || ferror(page) != 0 ? fail(error, strerror(errno)) : 0;
}
