/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page.h - page.html, as embed.py turns it into page.c at build time. */
#ifndef MONITOR_PAGE_H
#define MONITOR_PAGE_H

#include <stddef.h>

extern const unsigned char monitor_page[];
extern const size_t monitor_page_bytes;

/* The value of Content-Security-Policy: this page's own script and style by their hashes, and this server. */
extern const char monitor_page_policy[];

#endif
