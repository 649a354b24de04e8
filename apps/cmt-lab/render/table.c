/* SPDX-License-Identifier: BSD-3-Clause */
#include "render/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"

void lab_table_row(struct lab_table *t)
{
	t->cells = lab_grow(t->cells, (size_t)t->rows + 1, sizeof(*t->cells));
	memset(t->cells[t->rows], 0, sizeof(t->cells[0]));
	t->rows++;
	t->columns = 0;
}

void lab_table_cell(struct lab_table *t, const char *format, ...)
{
	va_list args;

	if (t->columns == LAB_TABLE_COLUMNS) {
		return;
	}
	va_start(args, format);
	vsnprintf(t->cells[t->rows - 1][t->columns++], LAB_TABLE_CELL, format, args);
	va_end(args);
}

void lab_table_number(struct lab_table *t, double value)
{
	if (isnan(value)) {
		lab_table_cell(t, "-");
	} else {
		lab_table_cell(t, fabs(value) >= 100 ? "%.0f" : fabs(value) >= 10 ? "%.1f" : "%.3f", value);
	}
}

static int width(const struct lab_table *t, unsigned column)
{
	size_t most = 0;

	for (unsigned r = 0; r < t->rows; r++) {
		size_t len = strlen(t->cells[r][column]);

		most = len > most ? len : most;
	}
	return (int)most;
}

void lab_table_print(const struct lab_table *t, FILE *out)
{
	for (unsigned r = 0; r < t->rows; r++) {
		fprintf(out, "%-*s", width(t, 0), t->cells[r][0]);
		for (unsigned c = 1; c < LAB_TABLE_COLUMNS; c++) {
			int w = width(t, c);

			if (w > 0) {
				fprintf(out, "  %*s", w, t->cells[r][c]);
			}
		}
		fputc('\n', out);
	}
}

void lab_table_markdown(const struct lab_table *t, FILE *out)
{
	for (unsigned r = 0; r < t->rows; r++) {
		for (unsigned c = 0; c < LAB_TABLE_COLUMNS && width(t, c) > 0; c++) {
			fprintf(out, "| %s ", t->cells[r][c]);
		}
		fputs("|\n", out);
		for (unsigned c = 0; r == 0 && c < LAB_TABLE_COLUMNS && width(t, c) > 0; c++) {
			fputs(c == 0 ? "|---" : "|---:", out);
		}
		fputs(r == 0 ? "|\n" : "", out);
	}
}

void lab_table_free(struct lab_table *t)
{
	free(t->cells);
	*t = (struct lab_table){.rows = 0};
}
