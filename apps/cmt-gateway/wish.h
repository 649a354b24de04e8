/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wish.h - what a player asks for: the file, the part of it, and under which conditions. */
#ifndef GATEWAY_WISH_H
#define GATEWAY_WISH_H

#include "http/http_condition.h"
#include "link/fetch.h"

struct evhttp_request;

struct wish {
	struct fetch_request want;
	struct http_conditions conditions; /* point into the request */
};

/* Reads a GET or HEAD. 0, or the status to answer with: 400, 414; then the path is empty. */
int wish_read(struct wish *w, struct evhttp_request *req);

/* The whole file instead, whatever it is by now: If-Range does not hold. */
void wish_widen(struct wish *w);

/* Whether it is a folder's path, as browsers write it. */
bool wish_is_folder(const struct wish *w);

/* The folder's list instead. False: its path is too long. */
bool wish_list(struct wish *w);

#endif
