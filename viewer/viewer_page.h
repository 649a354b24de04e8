/* SPDX-License-Identifier: BSD-3-Clause
 *
 * viewer_page.h - viewer.html, as embed.py turns it into a source at build time. */
#ifndef VIEWER_PAGE_H
#define VIEWER_PAGE_H

#include <stddef.h>

extern const unsigned char viewer_page[];
extern const size_t viewer_page_bytes;

/* As every embedded page has it; this one also carries its policy in its head. */
extern const char viewer_page_policy[];

/* Where data go: in front of this, which the page has once. */
#define VIEWER_PAGE_DATA_MARK "<!-- data -->"

/* What surrounds them: the file's name, without what HTML gives a meaning; gzip in base64. */
#define VIEWER_PAGE_DATA_HEAD "<template id=\"data\" data-name=\"%s\">"
#define VIEWER_PAGE_DATA_TAIL "</template>\n"

#endif
