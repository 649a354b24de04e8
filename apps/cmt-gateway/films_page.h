/* SPDX-License-Identifier: BSD-3-Clause
 *
 * films_page.h - the page that shows a folder: its films in <video>, other files as links.
 *
 * All that comes from the server stands in it as text, escaped. Pure but for the allocation of what is made.
 */
#ifndef GATEWAY_FILMS_PAGE_H
#define GATEWAY_FILMS_PAGE_H

#include <stddef.h>

#include "text/message.h"

struct evbuffer;

/* films.html, as embed.py turns it into C, and the value of Content-Security-Policy for it. */
extern const unsigned char films_template[];
extern const size_t films_template_bytes;
extern const char films_template_policy[];

/* Makes the page of the folder at `path`, which begins and ends with "/", from its list. 0, or -1 with the
 * reason: the list is malformed, or there is no memory. */
int films_page(const char *path, const char *list, size_t list_bytes, struct evbuffer *out,
               struct app_error *error);

/* A page that says why there is none. 0, or -1 without memory. */
int films_page_failed(const char *path, const char *text, struct evbuffer *out);

#endif
