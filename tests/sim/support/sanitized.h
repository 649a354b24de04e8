/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sanitized.h - what sanitizers look for shows with any scheduler: under them, many times slower, the first
 * two are enough. */
#ifndef SIM_SANITIZED_H
#define SIM_SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
#define SCHEDULERS_TO_RUN(all) 2
#else
#define SCHEDULERS_TO_RUN(all) (all)
#endif

#endif
