/* SPDX-License-Identifier: BSD-3-Clause
 *
 * media_type.h - the content type (RFC 6838, with its parameters) that a file's name stands for. Pure. */
#ifndef MEDIA_TYPE_H
#define MEDIA_TYPE_H

/* By the ending of the last component of `path`, in any case; "application/octet-stream" when it is not
 * known. */
const char *media_type_of(const char *path);

#endif
