/* SPDX-License-Identifier: BSD-3-Clause
 *
 * variant.h - what a test that runs against several variants of the stack is linked to. */
#ifndef SIM_VARIANT_H
#define SIM_VARIANT_H

/* 1: the fork, 0: upstream with defects, pristine or with hooks and fixes compiled out. */
extern const int variant_fixed;
#define CMT_TEST_FIXED variant_fixed

#endif
