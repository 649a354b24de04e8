/* SPDX-License-Identifier: BSD-3-Clause
 *
 * http_reply.h - answers that need nothing of cmt-streamd. */
#ifndef GATEWAY_HTTP_REPLY_H
#define GATEWAY_HTTP_REPLY_H

#include <stdbool.h>
#include <stdint.h>

struct evbuffer;
struct evhttp_request;

/* The phrase of `status`. */
const char *http_phrase(int status);

void http_set_header(struct evhttp_request *req, const char *name, const char *value);
void http_set_number(struct evhttp_request *req, const char *name, int64_t value);

/* Access-Control-*, so that pages of `origin` may read the answer; NULL = only the gateway's own. */
void http_set_origin(struct evhttp_request *req, const char *origin);

/* Answers with `status` and, unless the method is HEAD, a line that says `text`. evhttp sends what it is
 * given after HEAD too. The request is evhttp's again. */
void http_reply(struct evhttp_request *req, int status, const char *text);

/* Answers with `status` and the page in `html`, whose policy is `policy`. */
void http_reply_page(struct evhttp_request *req, int status, struct evbuffer *html, const char *policy);

#endif
