/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transfer_name.h - which names of files and folders may cross the network. Pure. */
#ifndef TRANSFER_NAME_H
#define TRANSFER_NAME_H

#include "text/message.h"

#define TRANSFER_NAME_MAX_BYTES      1024
#define TRANSFER_COMPONENT_MAX_BYTES 246 /* with TRANSFER_PART_SUFFIX, what file systems take */
#define TRANSFER_PART_SUFFIX         ".cmt-part"

/* A name is relative, in UTF-8, its components are separated by single slashes and none of them is empty, "."
 * or "..", has a control character or ends in TRANSFER_PART_SUFFIX. 0, or -1 with the reason. */
int transfer_name_check(const char *name, struct app_error *error);

#endif
