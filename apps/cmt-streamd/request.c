/* SPDX-License-Identifier: BSD-3-Clause */
#include "request.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "range.h"
#include "resource.h"

#define PACED_LEAST_BYTES 4096 /* of a message that was waited for */

static void answer_refusal(struct request *r, struct media_message *answer, int status, const char *text)
{
	r->status = status;
	answer->has |= MEDIA_M_STATUS;
	answer->status = status;
	media_set_text(answer, text);
}

static void answer_file(struct request *r, const struct resource *file, const struct range *range,
                        struct media_message *answer)
{
	r->status = range->status;
	r->offset = r->first = range->first;
	r->bytes = range->bytes;
	r->size = file->size;
	answer->has |= MEDIA_M_STATUS | MEDIA_M_SIZE | MEDIA_M_FIRST | MEDIA_M_BYTES | MEDIA_M_CONTENT_TYPE |
	               MEDIA_M_ETAG | MEDIA_M_MODIFIED_US;
	answer->status = range->status;
	answer->size = (int64_t)file->size;
	answer->first = (int64_t)range->first;
	answer->bytes = (int64_t)range->bytes;
	answer->modified_us = file->modified_us;
	snprintf(answer->content_type, sizeof(answer->content_type), "%s", file->content_type);
	snprintf(answer->etag, sizeof(answer->etag), "%s", file->etag);
}

/* Answers from the open file; keeps its descriptor when a body follows. */
static void answer_open(struct request *r, const struct media_message *m, struct resource *file,
                        struct media_message *answer)
{
	const struct range range = range_resolve(m, file->size);

	if ((m->has & MEDIA_M_ETAG) != 0 && strcmp(m->etag, file->etag) != 0) {
		answer_refusal(r, answer, 412, "the file has been replaced");
	} else if (range.status == 400) {
		answer_refusal(r, answer, 400, "the range ends before it begins");
	} else if (range.status == 416) {
		answer_refusal(r, answer, 416, "the range begins beyond the end of the file");
		answer->has |= MEDIA_M_SIZE;
		answer->size = (int64_t)file->size;
	} else {
		answer_file(r, file, &range, answer);
		if (m->method == MEDIA_GET && range.bytes > 0) {
			r->fd = file->fd;
			r->left_bytes = range.bytes;
			(void)posix_fadvise(r->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
			return;
		}
	}
	close(file->fd);
}

static void make_answer(struct request *r, int root_fd, const struct media_message *m,
                        const struct request_refusal *refusal, struct media_message *answer)
{
	struct resource file;
	struct app_error why;
	int status;

	if (refusal != NULL) {
		answer_refusal(r, answer, refusal->status, refusal->text);
		return;
	}
	status = resource_open(root_fd, m->path, &file, &why);
	if (status != 0) {
		answer_refusal(r, answer, status, why.text);
	} else {
		answer_open(r, m, &file, answer);
	}
}

struct request *request_new(int root_fd, uint16_t stream_id, const struct media_message *m,
                            const struct request_refusal *refusal, uint64_t now_us)
{
	struct media_message answer = {.type = MEDIA_ANSWER};
	struct request *r = calloc(1, sizeof(*r) + strlen(m->path) + 1);

	if (r == NULL) {
		return NULL;
	}
	r->stream_id = stream_id;
	r->fd = -1;
	r->method = m->method;
	r->window_bytes = r->first_window_bytes = (uint64_t)m->window_bytes;
	r->began_us = now_us;
	strcpy(r->path, m->path);
	pacer_start(&r->pacer, (uint64_t)m->pace_bps, (uint64_t)m->burst_bytes, REQUEST_PIECE_BYTES, now_us);
	make_answer(r, root_fd, m, refusal, &answer);
	r->answer = media_encode(&answer, &r->answer_len);
	if (r->answer == NULL) {
		request_free(r);
		return NULL;
	}
	return r;
}

static void close_file(struct request *r)
{
	if (r->fd >= 0) {
		close(r->fd);
		r->fd = -1;
	}
}

void request_free(struct request *r)
{
	close_file(r);
	free(r->answer);
	free(r);
}

void request_widen(struct request *r, uint64_t window_bytes)
{
	if (window_bytes > r->window_bytes) {
		r->window_bytes = window_bytes;
	}
}

void request_stop(struct request *r, const char *why)
{
	if (r->left_bytes > 0) {
		snprintf(r->why, sizeof(r->why), "%s", why);
		r->left_bytes = 0;
	}
	if (r->state == REQUEST_BODY) {
		r->state = REQUEST_END;
	}
	close_file(r);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The next message's; 0 = the window is used up. What the pacer holds back leaves in smaller pieces, so that
 * the last of a burst does not wait. */
static uint64_t piece_bytes(const struct request *r, uint64_t now_us)
{
	const uint64_t open_bytes = r->window_bytes > r->sent_bytes ? r->window_bytes - r->sent_bytes : 0;
	const uint64_t bytes = least(least(r->left_bytes, open_bytes), REQUEST_PIECE_BYTES);
	const uint64_t level_bytes = pacer_level_bytes(&r->pacer, now_us);

	return least(bytes, level_bytes > PACED_LEAST_BYTES ? level_bytes : PACED_LEAST_BYTES);
}

uint64_t request_ready_us(const struct request *r, uint64_t now_us)
{
	uint64_t bytes;

	if (r->state != REQUEST_BODY) {
		return now_us;
	}
	bytes = piece_bytes(r, now_us);
	return bytes > 0 ? pacer_ready_us(&r->pacer, bytes, now_us) : REQUEST_NEVER_US;
}

uint64_t request_lead_us(const struct request *r, uint64_t now_us)
{
	const uint64_t passed_on_bytes = r->window_bytes - r->first_window_bytes;
	const uint64_t held_bytes = r->sent_bytes > passed_on_bytes ? r->sent_bytes - passed_on_bytes : 0;
	uint64_t held_us;

	if (r->pacer.rate_bps == 0 || r->left_bytes == 0) {
		return 0;
	}
	held_us = (uint64_t)((double)held_bytes * 8e6 / (double)r->pacer.rate_bps);
	return held_us > pacer_lead_us(&r->pacer, now_us) ? held_us : pacer_lead_us(&r->pacer, now_us);
}

static enum request_wrote refused(void)
{
	return errno == EAGAIN ? REQUEST_BLOCKED : REQUEST_FAILED;
}

static enum request_wrote write_answer(struct request *r, struct usrsctp_cmt_conn *conn,
                                       struct usrsctp_cmt_message *header)
{
	header->ppid = MEDIA_PPID_CONTROL;
	if (usrsctp_cmt_conn_write(conn, r->answer, r->answer_len, header) != 0) {
		return refused();
	}
	free(r->answer);
	r->answer = NULL;
	r->state = r->left_bytes > 0 ? REQUEST_BODY : REQUEST_END;
	return REQUEST_WROTE;
}

static enum request_wrote write_end(const struct request *r, struct usrsctp_cmt_conn *conn,
                                    struct usrsctp_cmt_message *header)
{
	struct media_message end = {.type = MEDIA_END, .has = MEDIA_M_BYTES, .bytes = (int64_t)r->sent_bytes};
	enum request_wrote wrote = REQUEST_ENDED;
	size_t len;
	char *text;

	if (r->why[0] != '\0') {
		media_set_text(&end, r->why);
	}
	text = media_encode(&end, &len);
	if (text == NULL) {
		errno = ENOMEM;
		return REQUEST_FAILED;
	}
	header->ppid = MEDIA_PPID_CONTROL;
	if (usrsctp_cmt_conn_write(conn, text, len, header) != 0) {
		wrote = refused();
	}
	free(text);
	return wrote;
}

/* What was read but finds no room is read again later: that costs a copy, not memory for every client. */
static enum request_wrote write_body(struct request *r, struct usrsctp_cmt_conn *conn,
                                     struct usrsctp_cmt_message *header, uint64_t now_us)
{
	static char buffer[REQUEST_PIECE_BYTES];
	const ssize_t n = pread(r->fd, buffer, (size_t)piece_bytes(r, now_us), (off_t)r->offset);
	char why[sizeof(r->why)] = "the file has become shorter";

	if (n <= 0) {
		if (n < 0) {
			snprintf(why, sizeof(why), "the file cannot be read: %s", strerror(errno));
		}
		request_stop(r, why);
		return REQUEST_WROTE;
	}
	header->ppid = MEDIA_PPID_DATA;
	if (usrsctp_cmt_conn_write(conn, buffer, (size_t)n, header) != 0) {
		return refused();
	}
	pacer_spend(&r->pacer, (uint64_t)n, now_us);
	r->offset += (uint64_t)n;
	r->sent_bytes += (uint64_t)n;
	r->left_bytes -= (uint64_t)n;
	if (r->left_bytes == 0) {
		r->state = REQUEST_END;
		close_file(r);
	}
	return REQUEST_WROTE;
}

enum request_wrote request_write(struct request *r, struct usrsctp_cmt_conn *conn, uint64_t now_us)
{
	struct usrsctp_cmt_message header = {.stream_id = r->stream_id};

	switch (r->state) {
	case REQUEST_ANSWER: return write_answer(r, conn, &header);
	case REQUEST_BODY: return write_body(r, conn, &header, now_us);
	case REQUEST_END: return write_end(r, conn, &header);
	}
	return REQUEST_FAILED;
}
