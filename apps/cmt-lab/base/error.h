/* SPDX-License-Identifier: BSD-3-Clause
 *
 * error.h - why a function of the lab failed, as a sentence for its user. */
#ifndef LAB_ERROR_H
#define LAB_ERROR_H

struct lab_error {
	char text[600];
};

#endif
