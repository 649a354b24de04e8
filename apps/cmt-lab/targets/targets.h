/* SPDX-License-Identifier: BSD-3-Clause
 *
 * targets.h - what the project promises, as data. */
#ifndef LAB_TARGETS_H
#define LAB_TARGETS_H

#include <stdbool.h>
#include <stddef.h>

#define LAB_NO_TARGET (-1.0)

/* Sets of scenarios. */
#define LAB_ALL_LOSSLESS "*lossless"
#define LAB_ALL_LOSSY    "*lossy"

/* What a value is divided by. Paths alone are measured with the same buffers. */
enum lab_baseline {
	LAB_OF_NOTHING = 0,
	LAB_OF_PLAIN_PATH,  /* the best single path, plain SCTP on it: no scheduler, no chunks of ours */
	LAB_OF_SAME_STACK,  /* the best single path, the same scheduler and control on it */
	LAB_OF_STOCK,       /* upstream's own CMT over all paths */
	LAB_OF_BEST_PEER,   /* the better of LAB_OF_PLAIN_PATH and LAB_OF_STOCK */
	LAB_OF_OTHER,       /* the same with what `other` says */
	LAB_OF_BEST_OTHER,  /* the best of all other built-in schedulers, and of the same stack on one path */
	LAB_OF_BPT_BOUND,   /* lab_bpt_bound_us() */
	LAB_OF_BPT_PACKETS, /* lab_bpt_packets_us() */
	LAB_OF_START_UP_BOUND, /* 1.2 times that, and lab_round_trip_us() */
	LAB_OF_SILENCE_BOUND,  /* lab_shortest_round_trip_us() + 100 ms */
	LAB_OF_ROUND_TRIP,     /* lab_path_round_trip_us() of the path in the key */
	LAB_OF_CAPACITY,       /* the rates of all links */
	LAB_OF_LOSS_BOUND,     /* lab_loss_bound_bps() */
	LAB_OF_BEST_CEILING    /* payload that the best path can carry */
};

/* One promise at one or more points: every scenario x receive buffer x delay error x control. */
struct lab_target {
	const char *what;
	const char *scenarios;    /* names or inline texts, separated by blanks, or a set */
	const char *set;          /* on top of them, as lab_run_settings() takes it */
	const char *grid;         /* keys of the scenario's grid: every combination of their values */
	const char *rcvbufs;      /* "30kB 50kB"; "0.5W 1W" = times W_min; "own", or "" = the scenario's */
	const char *delay_errors; /* percent; "" = 0 */
	const char *scheduler;    /* NULL = arrival */
	const char *controls;     /* as --cc takes them, separated by blanks; NULL = the default */
	const char *key;          /* of the result, as lab_summarise() takes it */
	enum lab_baseline of;
	const char *other; /* for LAB_OF_OTHER: on top of the point, as lab_run_settings() takes it */
	bool paired; /* LAB_OF_OTHER run by run, each seed by itself: the mean of the ratios counts, by the
	              * worse end of its 95 % confidence interval */
	bool as_written;  /* transfers as long as the scenario says; else lab_target_points() */
	bool best_counts; /* one point is enough; else: every one */
	double share;     /* > 0: so many of the points are enough, and their share is what is shown */
	double seeds;  /* runs of a point for each seed that is asked for, 1 at least of points that are not
	                  clear; 0 = 1 */
	bool at_least; /* else: at most */
	double limit, lcm; /* the promise, or LAB_NO_TARGET: shown only; lcm: not measured either */
	double at_most;    /* with at_least; 0 = no bound */
};

/* What a table of points shows beside scenario and buffer. */
enum lab_points_by { LAB_BY_DELAY_ERROR, LAB_BY_CONTROL, LAB_BY_SCHEDULER };

/* Targets that make one table. */
struct lab_target_group {
	const char *name, *title;
	enum lab_points_by points_by;
	bool lcm; /* has a column for lcm */
	const struct lab_target *targets;
	size_t n;
};

/* NULL past the last. */
const struct lab_target_group *lab_target_group(size_t i);

extern const struct lab_target lab_scheduling_targets[], lab_recovery_targets[], lab_scheduler_targets[],
    lab_video_targets[], lab_path_targets[], lab_link_targets[];
extern const size_t lab_n_scheduling_targets, lab_n_recovery_targets, lab_n_scheduler_targets,
    lab_n_video_targets, lab_n_path_targets, lab_n_link_targets;

#endif
