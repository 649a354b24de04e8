/* SPDX-License-Identifier: BSD-3-Clause
 *
 * arabi.h - the two scenarios of Arabi et al., and what makes retransmissions spurious in them. */
#ifndef LAB_ARABI_H
#define LAB_ARABI_H

#define LAB_N_ARABI 2

struct lab_arabi {
	const char *scenario;
	const char *set; /* lab_run_settings(): packets that overtake each other, and a delay that jumps */
};

extern const struct lab_arabi lab_arabi[LAB_N_ARABI];
#define LAB_ARABI_DISTURBED "0.2 % late by 60 ms, all by 1.5 s from 5 to 5.3 s"

/* For the pages: why our numbers are not the paper's. One paragraph. */
extern const char lab_arabi_differs[];

#endif
