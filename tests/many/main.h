/* SPDX-License-Identifier: BSD-3-Clause
 *
 * main.h - in front of a test that shares a program with others (tests/CMakeLists.txt): its main() has the
 * name CMT_TEST_MAIN, main_of_NAME. */
#ifndef TESTS_MANY_MAIN_H
#define TESTS_MANY_MAIN_H

int CMT_TEST_MAIN(void);
#define main CMT_TEST_MAIN

#endif
