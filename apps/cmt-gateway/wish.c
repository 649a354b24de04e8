/* SPDX-License-Identifier: BSD-3-Clause */
#include "wish.h"

#include <string.h>

#include <event2/http.h>

#include "http/http_range.h"
#include "http/http_target.h"

static const struct http_range whole = {HTTP_RANGE_NONE, HTTP_RANGE_NONE, HTTP_RANGE_NONE};

/* If-Range alone, with a tag that the server can compare: no need to wait for what it has. */
static bool leave_to_server(struct wish *w)
{
	const char *tag = w->conditions.if_range;
	struct http_conditions others = w->conditions;
	size_t len = tag != NULL ? strlen(tag) : 0;

	others.if_range = NULL;
	if (http_conditions_any(&others) || len < 3 || len - 2 > MEDIA_ETAG_MAX_BYTES || tag[0] != '"' ||
	    strchr(tag + 1, '"') != tag + len - 1 || strspn(tag + 1, "0123456789abcdefABCDEF-.") != len - 2) {
		return false;
	}
	memcpy(w->want.etag, tag + 1, len - 2);
	w->conditions.if_range = NULL;
	return true;
}

static void read_headers(struct wish *w, const struct evkeyvalq *headers)
{
	const bool ranged =
	    !w->want.head && http_range_parse(evhttp_find_header(headers, "Range"), &w->want.range);

	w->conditions = (struct http_conditions){
	    .if_match = evhttp_find_header(headers, "If-Match"),
	    .if_none_match = evhttp_find_header(headers, "If-None-Match"),
	    .if_modified_since = evhttp_find_header(headers, "If-Modified-Since"),
	    .if_unmodified_since = evhttp_find_header(headers, "If-Unmodified-Since"),
	    .if_range = ranged ? evhttp_find_header(headers, "If-Range") : NULL};
	w->want.hold = !leave_to_server(w) && http_conditions_any(&w->conditions);
}

int wish_read(struct wish *w, struct evhttp_request *req)
{
	int status;

	*w = (struct wish){.want = {.range = whole}};
	w->want.head = evhttp_request_get_command(req) == EVHTTP_REQ_HEAD;
	status = http_target_path(evhttp_request_get_uri(req), w->want.path, sizeof(w->want.path));
	if (status != 0) {
		w->want.path[0] = '\0';
		return status;
	}
	read_headers(w, evhttp_request_get_input_headers(req));
	return 0;
}

bool wish_is_folder(const struct wish *w)
{
	const size_t len = strlen(w->want.path);

	return len > 0 && w->want.path[len - 1] == '/';
}

bool wish_list(struct wish *w)
{
	const size_t len = strlen(w->want.path);

	if (len + strlen(MEDIA_LIST_NAME) >= sizeof(w->want.path)) {
		return false;
	}
	strcpy(w->want.path + len, MEDIA_LIST_NAME);
	w->want.head = false; /* the page is made of it */
	wish_widen(w);
	return true;
}

void wish_widen(struct wish *w)
{
	w->want.range = whole;
	w->want.etag[0] = '\0';
	w->want.hold = false;
	w->conditions = (struct http_conditions){.if_range = NULL};
}
