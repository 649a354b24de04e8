/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures/figure.h"

#include <errno.h>
#include <string.h>

FILE *lab_figure_file(const struct lab_figure_order *order, const char *name, const char *suffix,
                      struct lab_error *error)
{
	char path[400];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s%s", order->directory, name, suffix);
	file = fopen(path, "w");
	if (file == NULL) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
	}
	return file;
}

int lab_figure_close(FILE *file, const char *name, struct lab_error *error)
{
	if (fclose(file) == 0) {
		return 0;
	}
	snprintf(error->text, sizeof(error->text), "%s: %s", name, strerror(errno));
	return -1;
}
