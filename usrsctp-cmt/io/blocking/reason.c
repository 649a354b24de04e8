/* SPDX-License-Identifier: BSD-3-Clause */
#include "reason.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include <usrsctp_cmt_blocking.h>

#define REASON_BYTES 512

static _Thread_local char reason[REASON_BYTES];

int blk_fail(int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	return error != 0 ? -error : -EIO;
}

const char *cmt_reason(void)
{
	return reason;
}
