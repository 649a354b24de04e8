/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table.h - rows of text, aligned for a terminal or as Markdown. The first column is left-aligned, the others
 * to the right. */
#ifndef LAB_TABLE_H
#define LAB_TABLE_H

#include <stddef.h>
#include <stdio.h>

#define LAB_TABLE_COLUMNS 12
#define LAB_TABLE_CELL    200

struct lab_table {
	unsigned columns, rows;
	char (*cells)[LAB_TABLE_COLUMNS][LAB_TABLE_CELL]; /* the first row is the heading */
};

/* Starts a row; cells follow one by one, formatted as by printf. */
void lab_table_row(struct lab_table *t);
void lab_table_cell(struct lab_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* With three digits or so; "-" for NAN. */
void lab_table_number(struct lab_table *t, double value);

void lab_table_print(const struct lab_table *t, FILE *out);
void lab_table_markdown(const struct lab_table *t, FILE *out);
void lab_table_free(struct lab_table *t);

#endif
