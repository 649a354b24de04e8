/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of many tests: NAME runs one of them, NAME PATTERN those of its cmocka tests that match, nothing lists
 * all. */
#include "main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The linker's names of the section's ends. */
extern const struct many_test *const __start_many_tests[];
extern const struct many_test *const __stop_many_tests[];

int main(int argc, char **argv)
{
	if (argc == 3)
		cmocka_set_test_filter(argv[2]);
	for (const struct many_test *const *test = __start_many_tests; test < __stop_many_tests; test++) {
		if (argc < 2)
			puts((*test)->name);
		else if (strcmp((*test)->name, argv[1]) == 0)
			return (*test)->run();
	}
	fprintf(stderr, "usage: %s NAME [PATTERN], one of the tests %s\n", argv[0],
	        argc < 2 ? "above" : "that it lists without a name");
	return 2;
}
