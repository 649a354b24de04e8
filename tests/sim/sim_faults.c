/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every fault with few seeds. sim_faults_slow.c has the many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/faults.h"

static const char *const all_schedulers[] = {"rr", "lcm", "arrival", "osia", "flow", "cwnd", NULL};
static const int path_counts[] = {1, 2, 8, 0};

static void run(unsigned fault, uint64_t n_seeds)
{
	faults_run_matrix(&(struct fault_matrix){.schedulers = all_schedulers,
	                                         .first_fault = fault,
	                                         .n_faults = 1,
	                                         .path_counts = path_counts,
	                                         .n_seeds = n_seeds});
}

static void every_byte_survives_faults_of_single_packets(void **state)
{
	(void)state;
	for (unsigned fault = 0; fault < FAULTS_OF_LINKS; fault++)
		run(fault, 1);
}

static void every_byte_survives_faults_of_paths_and_readers_or_both_ends_are_told(void **state)
{
	(void)state;
	for (unsigned fault = FAULTS_OF_LINKS; faults_name(fault) != NULL; fault++)
		run(fault, 1);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(every_byte_survives_faults_of_single_packets, faults_report),
	    cmocka_unit_test_teardown(every_byte_survives_faults_of_paths_and_readers_or_both_ends_are_told,
	                              faults_report),
	};

	if (argc > 1)
		return faults_run_arguments(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
