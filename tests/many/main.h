/* SPDX-License-Identifier: BSD-3-Clause
 *
 * main.h - in front of a test CMT_TEST that shares a program with others (tests/CMakeLists.txt): its main() has the
 * name main_of_CMT_TEST, and it adds itself to the section many_tests, a pointer for each. */
#ifndef TESTS_MANY_MAIN_H
#define TESTS_MANY_MAIN_H

struct many_test {
	const char *name;
	int (*run)(void);
};

#ifdef CMT_TEST
#define MANY_JOIN(a, b) a##b
#define MANY_MAIN(test) MANY_JOIN(main_of_, test)
#define MANY_TEXT(test) #test
#define MANY_NAME(test) MANY_TEXT(test)

int MANY_MAIN(CMT_TEST)(void);
static const struct many_test many_test = {MANY_NAME(CMT_TEST), MANY_MAIN(CMT_TEST)};
__attribute__((section("many_tests"), used)) static const struct many_test *const many_entry = &many_test;
#define main MANY_MAIN(CMT_TEST)
#endif

#endif
