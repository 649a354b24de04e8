/* SPDX-License-Identifier: BSD-3-Clause
 *
 * commands.h - what `cmt-lab NAME` does. argv[0] is the command's name; each returns the exit status: 0, 1
 * when a run failed or a target is missed, 2 for an invalid argument. */
#ifndef LAB_COMMANDS_H
#define LAB_COMMANDS_H

int lab_cmd_list(int argc, char **argv);
int lab_cmd_show(int argc, char **argv);
int lab_cmd_run(int argc, char **argv);
int lab_cmd_show_run(int argc, char **argv);
int lab_cmd_compare(int argc, char **argv);
int lab_cmd_targets(int argc, char **argv);
int lab_cmd_demo(int argc, char **argv);
int lab_cmd_figure(int argc, char **argv);
int lab_cmd_figures(int argc, char **argv);
int lab_cmd_sweep(int argc, char **argv);
int lab_cmd_sweeps(int argc, char **argv);
int lab_cmd_results(int argc, char **argv);
int lab_cmd_bench(int argc, char **argv);

/* Help texts, as long as they need to be. */
extern const char lab_help_main[], lab_help_list[], lab_help_show[], lab_help_run[], lab_help_compare[],
    lab_help_targets[], lab_help_demo[], lab_help_figure[], lab_help_figures[], lab_help_sweep[],
    lab_help_sweeps[], lab_help_results[], lab_help_bench[], lab_help_show_run[];

#endif
