/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h - the command line behind a command's name. */
#ifndef LAB_OPTIONS_H
#define LAB_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/scheduler_names.h"
#include "setup/lab_run.h"

#define LAB_EXIT_USAGE 2

/* One bit per group of options; a command names those that it takes. */
enum lab_option_group {
	LAB_OPT_LOAD = 1, /* --rcvbuf --sndbuf --msg --bytes --duration --source --family --competitor --set
	                     --delay-error -o --encrypt
	                     --cc --recovery */
	LAB_OPT_ONE = 2,  /* -s NAME, --only-path, --pcap, --trace, --qlog */
	LAB_OPT_SEVERAL = 4,    /* -s A,B,C, --grid */
	LAB_OPT_SEEDS = 8,      /* --seeds */
	LAB_OPT_DIRECTORY = 16, /* -d */
	LAB_OPT_JSON = 32,      /* --json */
	LAB_OPT_SEED = 64,      /* --seed */
	LAB_OPT_DURATION = 128, /* --duration alone */
	LAB_OPT_GROUP = 256,    /* --group, --only, --journal, --encrypt */
	LAB_OPT_QUICK = 512,    /* --quick */
	LAB_OPT_BENCH = 1024,   /* -s NAME, --only, --journal, --networks, --guard, --score */
	LAB_OPT_HTML = 2048     /* --html */
};

struct lab_options {
	const char *operand; /* SCENARIO or FILE; NULL = none given */
	struct lab_run run;  /* the scenario is filled in by lab_options_load() */
	char schedulers[LAB_MAX_SCHEDULERS][32];
	unsigned n_schedulers;
	unsigned n_seeds; /* 0 = not given */
	bool json, grid, quick, guard, score;
	char directory[256]; /* "" = not given */
	char html[256];      /* "" = none */
	char group[32];      /* "" = all */
	char only[200];      /* "" = all */
	char journal[256];   /* "" = none */
	char networks[200];  /* "" = not given */
	struct {
		const char *key, *value, *option;
	} sets[32];
	unsigned n_sets;
};

/* Reads argv[1..]. 0, or LAB_EXIT_USAGE after a message on stderr. -h and --help print `help` and end the
 * program. `argv` must outlive the options. */
int lab_options_parse(struct lab_options *o, int argc, char **argv, unsigned groups, const char *help);

/* Changes a scenario as --set and its relatives say, and checks it. 0, or -1 with the reason. */
int lab_options_apply(const struct lab_options *o, struct lab_scenario *s, struct lab_error *error);

/* Loads the scenario that the operand names, with what the options change. 0 or LAB_EXIT_USAGE, as above. */
int lab_options_load(struct lab_options *o);

#endif
