/* SPDX-License-Identifier: BSD-3-Clause
 *
 * faults.h - transfers over networks that lose, duplicate, hold back and alter packets, and fail.
 *
 * Every case is one line of text, `SCHEDULER FAULT FAMILY PATHS SEED`, which a failing test prints and the
 * test program takes as its arguments to run that case alone. */
#ifndef SIM_FAULTS_H
#define SIM_FAULTS_H

#include "transfer.h"

struct fault_case {
	const char *scheduler;
	const char *fault; /* name, one of faults_name() */
	int family;        /* AF_INET, AF_INET6 */
	int n_paths;
	uint64_t seed;
};

/* Name of fault number `i`, NULL behind the last. The first FAULTS_OF_LINKS are of single packets and last as
 * long as the transfer; the others change links or stop the reader under way. */
enum { FAULTS_OF_LINKS = 6 };
const char *faults_name(unsigned i);

/* Runs a case; asserts that every byte arrived and both ends saw the end, or, for a fault that no association
 * survives, that both ends were told. */
void faults_run(const struct fault_case *c);

/* Every combination; NULL-terminated schedulers, 0-terminated path counts, seeds from 1. */
struct fault_matrix {
	const char *const *schedulers;
	unsigned first_fault, n_faults;
	const int *path_counts;
	uint64_t n_seeds;
};
void faults_run_matrix(const struct fault_matrix *m);

/* cmocka group teardown: prints how to run the failed case. */
int faults_report(void **state);

/* For main(): runs the case of the command line. 0; 2 with a message when the arguments are not one. */
int faults_run_arguments(int argc, char **argv);

#endif
