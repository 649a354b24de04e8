/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scenario.h - a network and a load as plain data, and its spellings: file, name, inline text, the number of
 * a random network.
 *
 * Parsing touches nothing but files; what may be long, changes and traces, lasts as long as the process.
 * Functions return 0, or -1 with a sentence in `error` that names the place, the key, the value and the
 * accepted form. docs/lab.md describes the file format. */
#ifndef LAB_SCENARIO_H
#define LAB_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include <usrsctp_cmt_sim.h>

#include "base/error.h"
#include "options/policy.h"

#define LAB_MAX_GRID        6
#define LAB_MAX_GRID_VALUES 12
#define LAB_VALUE_BYTES     256
#define LAB_MAX_MSG_BYTES   1000000u

/* Links are numbered: those of the paths, then from USRSCTP_CMT_SIM_MAX_PATHS on those that paths share. */
#define LAB_MAX_SHARED      4
#define LAB_MAX_LINKS       (USRSCTP_CMT_SIM_MAX_PATHS + LAB_MAX_SHARED)
#define LAB_LINK_NAME_BYTES 24
#define LAB_MAX_COMPETITORS 4
#define LAB_MAX_NATS        4
#define LAB_MAX_WAVES       16
#define LAB_PLAY_BUFFER_US  1000000u
#define LAB_NO_DELAY_US     UINT64_MAX /* not given */

enum lab_source_kind {
	LAB_SOURCE_BULK,   /* as fast as the stack takes messages */
	LAB_SOURCE_CBR,    /* one message each 8 * msg / cbr_bps seconds */
	LAB_SOURCE_FILE,   /* the bytes of a file, as fast as the stack takes them */
	LAB_SOURCE_PAGE,   /* in waves, each asked for when the one before it was read (run/page.h) */
	LAB_SOURCE_ENCODER /* frames of a live encoder that makes what SCTP_CMT_CAPACITY says (run/encoder.h)
	                    */
};

struct lab_source {
	enum lab_source_kind kind;
	uint64_t cbr_bps;
	unsigned waves;
	uint64_t least_bps, most_bps; /* of an encoder */
	char file[256];
};

/* A link key that takes another value at a time. */
struct lab_change {
	uint64_t at_us;
	int link;
	bool direction[2]; /* forward, backward */
	int key;           /* lab_link_key() */
	char value[LAB_VALUE_BYTES];
};

/* A parameter that the source of the scenario varies, and the values it gives to it. */
struct lab_grid {
	char key[40];
	unsigned n_values;
	char values[LAB_MAX_GRID_VALUES][40];
};

/* How the sender is told to use a path (SCTP_CMT_PATH). */
struct lab_path_use {
	bool backup;
	uint64_t weight, cost, cap_bps; /* 0 = the default */
};

/* What a competitor is without our stack: a window law (rivals/law.h). */
enum lab_law_kind { LAB_LAW_NONE, LAB_LAW_NEWRENO, LAB_LAW_CUBIC, LAB_LAW_BBR };

/* An association over one path that transfers as fast as it can beside the one that is measured, or a sender
 * with a window law. */
struct lab_competitor {
	enum lab_law_kind law;
	bool back;          /* of a law: from the receiver's host */
	uint64_t flows_bps; /* of a law: short transfers that offer so much; 0 = one without end */
	int path;           /* from 0; -1 = not given */
	char scheduler[32];
	struct app_policy cc, recovery;
	uint64_t start_us; /* it connects, or begins, then */
};

struct lab_nat {
	char name[LAB_LINK_NAME_BYTES];
	struct usrsctp_cmt_sim_nat config;
	uint64_t rebind_us; /* it forgets its mappings then; 0 = never */
	bool new_address;   /* and gets another public address */
	uint16_t forward;   /* this public port leads to the first path behind it; 0 = none does */
};

/* One end of a path. */
struct lab_end {
	int shared; /* the number from 1 of the path whose address it has; 0 = one of its own */
	int nat;    /* 1 + number of the NAT in front of it; 0 = none */
	uint64_t absent_from_us, absent_until_us; /* the host does not have the address then; 0, 0 = never */
};

struct lab_scenario {
	char name[96];
	char dir[LAB_VALUE_BYTES]; /* that relative names of files begin at; "" = the working directory */
	char description[200];
	char reference[200];
	int family; /* AF_INET or AF_INET6 */
	int n_paths;
	int n_shared;
	char shared_names[LAB_MAX_SHARED][LAB_LINK_NAME_BYTES];
	int via[USRSCTP_CMT_SIM_MAX_PATHS]; /* number of the shared link that the path goes through; 0 = none
	                                     */
	struct lab_path_use use[USRSCTP_CMT_SIM_MAX_PATHS];
	struct lab_end ends[USRSCTP_CMT_SIM_MAX_PATHS][2]; /* the sender's, the receiver's */
	int n_nats;
	struct lab_nat nats[LAB_MAX_NATS];
	bool in_udp;    /* SCTP in UDP, also where there is no NAT */
	bool encrypted; /* in SCTP DTLS chunks: what associations of ours and of competitors send */
	struct usrsctp_cmt_sim_link links[LAB_MAX_LINKS][2]; /* forward, backward; rate 0 = not given */
	uint32_t explicit_keys[LAB_MAX_LINKS][2];            /* bit per key set for this direction alone */
	unsigned n_changes;
	const struct lab_change *changes; /* changes.h */
	struct lab_source source;
	uint64_t msg_bytes, rcvbuf_bytes;
	uint64_t sndbuf_bytes; /* 0 = large enough for the look-ahead */
	uint64_t bytes;        /* to transfer; 0 = as many as duration_us allows */
	uint64_t duration_us;  /* of sending; 0 = until `bytes` are out */
	uint64_t
	    warm_up_us; /* what was measured before is left out where numbers are of the settled transfer */
	uint64_t play_bps; /* of the receiver's player; 0 = what the links carry */
	uint64_t play_buffer_us;
	bool play_told; /* the sender's stack is told when the player needs what (SCTP_CMT_NEEDED) */
	unsigned n_competitors;
	struct lab_competitor competitors[LAB_MAX_COMPETITORS];
	unsigned n_grid;
	struct lab_grid grid[LAB_MAX_GRID];
};

/* No path, 1000-byte messages, 1 MB receive buffer, 5 MB bulk, 2 s of warm-up. */
void lab_scenario_init(struct lab_scenario *scenario);

/* One key with its full name: "msg", "path.2.rate", "path.2.back.loss", "path.1.at.3s.down", "path.1.via",
 * "link.NAME.rate", "nat.NAME.timeout", "competitor", "competitor.2.cc", "grid.KEY". The
 * error starts with the name. */
int lab_scenario_set(struct lab_scenario *scenario, const char *key, const char *value,
                     struct lab_error *error);

/* Whether the whole makes sense: paths without gaps, each with rate and delay, shared links that are there
 * and used, competitors on paths that are there, a file where one is named. */
int lab_scenario_check(const struct lab_scenario *scenario, struct lab_error *error);

/* A file, a name without ".ini" (looked for in $CMT_SCENARIO_DIR, the source tree, the installed folder), or
 * inline: "1.6Mbit/10ms,0.4Mbit/100ms/loss=0.5%,queue=100p", or "random:N" (random_network.h). Checked. */
int lab_scenario_load(struct lab_scenario *scenario, const char *what, struct lab_error *error);

int lab_scenario_load_file(struct lab_scenario *scenario, const char *path, struct lab_error *error);
int lab_scenario_load_inline(struct lab_scenario *scenario, const char *text, struct lab_error *error);

/* The folder of the scenarios by name, or NULL when there is none. Static storage. */
const char *lab_scenario_dir(void);

/* The name of a law, as a competitor's cc takes it. */
const char *lab_law_name(enum lab_law_kind law);

/* The first path with the same address at this end, and 1 + the number of the NAT in front of it, or 0. */
int lab_end_path(const struct lab_scenario *scenario, int path, int host);
int lab_end_nat(const struct lab_scenario *scenario, int path, int host);

/* Whether SCTP goes in UDP: where it is asked for, and through NATs. */
bool lab_is_in_udp(const struct lab_scenario *scenario);

/* True when no packet is lost unless a queue overflows, nothing changes on the way and nothing competes. */
bool lab_scenario_is_lossless(const struct lab_scenario *scenario);

#endif
