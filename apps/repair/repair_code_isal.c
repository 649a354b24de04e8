/* SPDX-License-Identifier: BSD-3-Clause */
#include "repair_code.h"

#include <stdlib.h>
#include <string.h>

#include <isa-l/erasure_code.h>

#define TABLE_BYTES 32u /* that ISA-L expands a coefficient to */

bool repair_code_available(void)
{
	return true;
}

/* `out` [rows] = `matrix` [rows][n] times `in` [n]. */
static int multiply(const uint8_t *matrix, unsigned n, unsigned rows, size_t bytes, uint8_t **in,
                    uint8_t **out)
{
	uint8_t *const tables = malloc((size_t)TABLE_BYTES * n * rows);
	uint8_t *const copy = malloc((size_t)n * rows);

	if (tables != NULL && copy != NULL) {
		memcpy(copy, matrix, (size_t)n * rows);
		ec_init_tables((int)n, (int)rows, copy, tables);
		ec_encode_data((int)bytes, (int)n, (int)rows, tables, in, out);
	}
	free(copy);
	free(tables);
	return tables != NULL && copy != NULL ? 0 : -1;
}

/* The rows of the first `m` repair symbols, [m][k]. */
static uint8_t *rows_of(unsigned k, unsigned m, uint8_t **matrix)
{
	*matrix = malloc((size_t)(k + m) * k);
	if (*matrix == NULL) {
		return NULL;
	}
	gf_gen_cauchy1_matrix(*matrix, (int)(k + m), (int)k);
	return *matrix + (size_t)k * k;
}

int repair_code_make(unsigned k, unsigned m, size_t bytes, uint8_t *const *data, uint8_t *const *repair)
{
	uint8_t *in[REPAIR_CODE_MAX_SYMBOLS], *out[REPAIR_CODE_MAX_SYMBOLS], *matrix;
	const uint8_t *const rows = rows_of(k, m, &matrix);
	int result = -1;

	if (rows != NULL) {
		memcpy(in, data, k * sizeof(*in));
		memcpy(out, repair, m * sizeof(*out));
		result = multiply(rows, k, m, bytes, in, out);
	}
	free(matrix);
	return result;
}

/* What the repair symbols say of the missing data alone, [n]: themselves, less what is there. */
static int take_off_known(const struct repair_code_loss *loss, const uint8_t *rows, uint8_t **rests)
{
	const unsigned known = loss->k - loss->n;
	uint8_t *in[REPAIR_CODE_MAX_SYMBOLS];
	uint8_t *const matrix = calloc(loss->n, loss->k);
	int result;

	if (matrix == NULL) {
		return -1;
	}
	for (unsigned j = 0, at = 0, skipped = 0; j < loss->k; j++) {
		if (skipped < loss->n && loss->missing[skipped] == j) {
			skipped++;
			continue;
		}
		in[at] = loss->data[j];
		for (unsigned i = 0; i < loss->n; i++) {
			matrix[i * loss->k + at] = rows[loss->repair_i[i] * loss->k + j];
		}
		at++;
	}
	for (unsigned i = 0; i < loss->n; i++) {
		in[known + i] = loss->repair[i];
		matrix[i * loss->k + known + i] = 1;
	}
	result = multiply(matrix, loss->k, loss->n, loss->bytes, in, rests);
	free(matrix);
	return result;
}

/* The missing data of `rests`: any square part of a Cauchy matrix can be inverted. */
static int solve(const struct repair_code_loss *loss, const uint8_t *rows, uint8_t **rests)
{
	const size_t n = loss->n;
	uint8_t *out[REPAIR_CODE_MAX_SYMBOLS];
	uint8_t *const part = malloc(2 * n * n);
	int result = -1;

	if (part == NULL) {
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		out[i] = loss->data[loss->missing[i]];
		for (size_t j = 0; j < n; j++) {
			part[i * n + j] = rows[loss->repair_i[i] * loss->k + loss->missing[j]];
		}
	}
	if (gf_invert_matrix(part, part + n * n, (int)n) == 0) {
		result = multiply(part + n * n, loss->n, loss->n, loss->bytes, rests, out);
	}
	free(part);
	return result;
}

int repair_code_restore(const struct repair_code_loss *loss)
{
	uint8_t *rests[REPAIR_CODE_MAX_SYMBOLS], *matrix;
	uint8_t *const memory = malloc(loss->n * loss->bytes);
	const uint8_t *rows;
	unsigned m = 0;
	int result = -1;

	for (unsigned i = 0; i < loss->n; i++) {
		m = loss->repair_i[i] >= m ? loss->repair_i[i] + 1u : m;
		rests[i] = memory != NULL ? memory + i * loss->bytes : NULL;
	}
	rows = rows_of(loss->k, m, &matrix);
	if (memory != NULL && rows != NULL && take_off_known(loss, rows, rests) == 0) {
		result = solve(loss, rows, rests);
	}
	free(matrix);
	free(memory);
	return result;
}
