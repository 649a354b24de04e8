/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_silence.h - whatever is lost, while something of an association waits, a timer runs that leads to a
 * packet for it. The simulated network asks after every event whether that holds.
 *
 * Looks and changes nothing; takes no lock: for back ends with one thread, between two calls of the stack. */
#ifndef CMT_SILENCE_H
#define CMT_SILENCE_H

#include <stdbool.h>
#include <stdio.h>

/* Looks for an association that waits for something no timer will bring. True: there is one, and a line on
 * `out` says what waits, for what, and which timers run. */
bool cmt_tell_silence(FILE *out);

#endif
