/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run_settings.h - changes of a run as text: "path.2.delay=25ms cc=linked delay_error=50". */
#ifndef LAB_RUN_SETTINGS_H
#define LAB_RUN_SETTINGS_H

#include "run.h"

/* Words between blanks; `text` may be NULL. */
struct lab_words {
	char text[600];
	char *word[40];
	unsigned n;
};
void lab_words_split(struct lab_words *w, const char *text);

/* The congestion control, as --cc takes it. 0, or -1 with the reason. */
int lab_run_set_control(struct lab_run *run, const char *text, struct lab_error *error);

/* Every KEY=VALUE of `settings`, in order: `cc`, `options` (of the scheduler), `delay_error` (percent),
 * `only_path` (from 1), or a key of a scenario. NULL = none. 0, or -1 with the reason. */
int lab_run_settings(struct lab_run *run, const char *settings, struct lab_error *error);

#endif
