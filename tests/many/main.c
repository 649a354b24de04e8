/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of many tests: NAME runs one of them, nothing lists them. The header MANY_TESTS has a line
 * TEST(NAME) for each. */
#include <stdio.h>
#include <string.h>

#define TEST(name) int main_of_##name(void);
#include MANY_TESTS
#undef TEST

static const struct {
	const char *name;
	int (*run)(void);
} tests[] = {
#define TEST(name) {#name, main_of_##name},
#include MANY_TESTS
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (argc != 2)
			puts(tests[i].name);
		else if (strcmp(tests[i].name, argv[1]) == 0)
			return tests[i].run();
	}
	fprintf(stderr, "usage: %s NAME, one of the tests %s\n", argv[0],
	        argc == 2 ? "that it lists without a name" : "above");
	return 2;
}
