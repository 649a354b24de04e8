/* SPDX-License-Identifier: BSD-3-Clause
 *
 * message.h - how the applications tell the user what is wrong: "PROGRAM: what, which, and the way out". */
#ifndef APP_MESSAGE_H
#define APP_MESSAGE_H

#include <stddef.h>

#define APP_EXIT_OK     0
#define APP_EXIT_FAILED 1 /* what was asked for could not be done */
#define APP_EXIT_USAGE  2 /* a wrong argument */

/* A sentence without the program's name and without a full stop. */
struct app_error {
	char text[512];
};

/* Fills `error` and returns -1, so that a function can end with it. What does not fit is cut off. */
int app_error_set(struct app_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Bytes of the character that `text` starts with; 0 if it is a control character or not UTF-8. */
size_t app_printable_bytes(const char *text);

/* As many bytes of `text` as whole characters fit into `columns`; one column each. */
size_t app_fitting_bytes(const char *text, size_t columns);

/* How many columns `text` takes, `most` at most. */
size_t app_columns(const char *text, size_t most);

/* Copies `text` with control characters and malformed UTF-8 as \xNN, so that a peer's words cannot steer the
 * terminal. Returns `out`. */
char *app_printable(const char *text, char *out, size_t out_bytes);

/* One line on stderr, behind "PROGRAM: ", made printable. */
void app_complain(const char *program, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
