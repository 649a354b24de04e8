/* SPDX-License-Identifier: BSD-3-Clause */
#include "names.h"

#include <search.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

bool names_take(struct names *names, const char *name)
{
	const char *const *have = tsearch(name, &names->tree, compare);

	return have != NULL && *have == name;
}

void names_give_back(struct names *names, const char *name)
{
	tdelete(name, &names->tree, compare);
}
