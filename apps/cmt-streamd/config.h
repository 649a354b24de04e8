/* SPDX-License-Identifier: BSD-3-Clause
 *
 * config.h - a configuration file: NAME = VALUE lines with the names of long options. */
#ifndef STREAMD_CONFIG_H
#define STREAMD_CONFIG_H

#include <getopt.h>

#include "text/message.h"

/* Takes one option, as if it stood on the command line; `value` NULL when it takes none. 0, or -1 with the
 * reason. */
typedef int config_take_fn(int index, const char *value, void *arg, struct app_error *error);

/* Reads `path`; `options` ends with a NULL name. An option without an argument is written NAME = yes, or no.
 * 0, or -1 with "FILE:LINE: reason". */
int config_read(const char *path, const struct option *options, config_take_fn *take, void *arg,
                struct app_error *error);

#endif
