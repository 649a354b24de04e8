/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_options.h - option strings of schedulers and congestion controls: "key=value,key=value". Pure. */
#ifndef CMT_OPTIONS_H
#define CMT_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

/* A whole number with its bounds. */
struct cmt_option {
	const char *key;
	uint64_t *value;
	uint64_t min, max;
};

/* Sets the named values. Empty or NULL `text` sets nothing. 0, or -EINVAL: unknown key, no number, out of
 * bounds; values before the bad one are set then, so parse into a copy. */
int cmt_options_parse(const char *text, const struct cmt_option *options, size_t n_options);

#endif
