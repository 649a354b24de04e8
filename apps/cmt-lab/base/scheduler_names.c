/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/scheduler_names.h"

#include <stdio.h>
#include <string.h>

#include <usrsctp_cmt.h>

const char *lab_scheduler_name(unsigned i)
{
	unsigned n = 0;

	if (i == 0) {
		return LAB_STOCK;
	}
	for (unsigned k = 0;; k++) {
		const char *name = usrsctp_cmt_scheduler_name(k);

		if (name == NULL) {
			return NULL;
		}
		if (strcmp(name, LAB_STOCK) != 0 && ++n == i) {
			return name;
		}
	}
}

bool lab_is_scheduler(const char *name, char *list, size_t list_bytes)
{
	size_t at = 0;
	const char *have;

	list[0] = '\0';
	for (unsigned i = 0; (have = lab_scheduler_name(i)) != NULL; i++) {
		if (strcmp(have, name) == 0) {
			return true;
		}
		if (at < list_bytes) {
			at += (size_t)snprintf(list + at, list_bytes - at, "%s%s", i == 0 ? "" : ", ", have);
		}
	}
	return false;
}
