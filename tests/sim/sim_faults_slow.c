/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Byte-identical under loss, duplication, reordering, corruption and all of them: 20 seeds each, IPv4 and
 * IPv6, 1, 2, 3 and 8 paths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/faults.h"

static const char *const arrival[] = {"arrival", NULL}, *const lcm[] = {"lcm", NULL},
                         *const rr[] = {"rr", NULL};
static const char *const all[] = {"rr", "lcm", "arrival", NULL};
static const int path_counts[] = {1, 2, 3, 8, 0}, two_paths[] = {2, 0}, some_counts[] = {1, 2, 3, 0};

static void every_byte_survives_under_arrival(void **state)
{
	(void)state;
	faults_run_matrix(&(struct fault_matrix){
	    .schedulers = arrival, .n_faults = FAULTS_OF_LINKS, .path_counts = path_counts, .n_seeds = 20});
}

static void every_byte_survives_under_lcm(void **state)
{
	(void)state;
	faults_run_matrix(&(struct fault_matrix){
	    .schedulers = lcm, .n_faults = FAULTS_OF_LINKS, .path_counts = path_counts, .n_seeds = 20});
}

static void every_byte_survives_under_rr_on_two_paths(void **state)
{
	(void)state;
	faults_run_matrix(&(struct fault_matrix){
	    .schedulers = rr, .n_faults = FAULTS_OF_LINKS, .path_counts = two_paths, .n_seeds = 20});
}

static void every_byte_survives_bursts_flapping_stalls_and_outages_or_both_ends_are_told(void **state)
{
	(void)state;
	for (unsigned fault = FAULTS_OF_LINKS; faults_name(fault) != NULL; fault++)
		faults_run_matrix(&(struct fault_matrix){.schedulers = all,
		                                         .first_fault = fault,
		                                         .n_faults = 1,
		                                         .path_counts = some_counts,
		                                         .n_seeds = 5});
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(every_byte_survives_under_arrival, faults_report),
	    cmocka_unit_test_teardown(every_byte_survives_under_lcm, faults_report),
	    cmocka_unit_test_teardown(every_byte_survives_under_rr_on_two_paths, faults_report),
	    cmocka_unit_test_teardown(
	        every_byte_survives_bursts_flapping_stalls_and_outages_or_both_ends_are_told, faults_report),
	};

	if (argc > 1)
		return faults_run_arguments(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
