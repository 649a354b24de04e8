/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/commands.h"

#define LOAD_OPTIONS                                                                                         \
	"  -o, --options K=V,...   options of the scheduler, of `cmt-lab list`\n"                            \
	"  --rcvbuf BYTES          receive buffer (SO_RCVBUF), as 50000 or 50kB\n"                           \
	"  --sndbuf BYTES          send buffer; default 4 MB or four times the look-ahead\n"                 \
	"  --msg BYTES             length of a message, 1 to 1000000\n"                                      \
	"  --bytes N               amount to transfer\n"                                                     \
	"  --duration SECONDS      send for so long instead\n"                                               \
	"  --source SOURCE         bulk (as fast as possible), cbr:RATE (constant rate, as\n"                \
	"                          cbr:400kbit) or file:PATH\n"                                              \
	"  --family ipv4|ipv6      addresses of the simulated hosts\n"                                       \
	"  --competitor CC@PATH    one more association beside the measured one, over one path, as\n"        \
	"                          uncoupled@1; repeatable. none: without those of the scenario\n"           \
	"  --set KEY=VALUE         change one key of the scenario, as path.2.loss=1%; repeatable\n"          \
	"  --seed N                of every random choice (default 1); the same seed gives the\n"            \
	"                          same packets\n"                                                           \
	"  --delay-error PERCENT   falsify the delay estimates, -100 to 1000\n"                              \
	"  --cc NAME[:K=V,...]     congestion control and its options, of `cmt-lab list`\n"                  \
	"  --recovery NAME         what detects and undoes needless retransmission: none, dsack,\n"          \
	"                          eifel, frto or all (default)\n"

#define EXIT_STATUS                                                                                          \
	"\nEXIT STATUS\n"                                                                                    \
	"  0  everything arrived, intact and in order\n"                                                     \
	"  1  a transfer failed, was damaged or did not end\n"                                               \
	"  2  a wrong argument or scenario\n"

const char lab_help_main[] =
    "NAME\n"
    "  cmt-lab - transfers over simulated multipath networks, in virtual time, on the real stack\n"
    "\nSYNOPSIS\n"
    "  cmt-lab list                              scenarios, schedulers, congestion controls, recoveries\n"
    "  cmt-lab show SCENARIO [OPTIONS]           a scenario as JSON\n"
    "  cmt-lab run SCENARIO [OPTIONS]            one transfer and all its numbers\n"
    "  cmt-lab compare SCENARIO -s A,B [OPTIONS] schedulers, best single path and ceiling in a table\n"
    "  cmt-lab figure NAME [OPTIONS]             a figure of a paper, measured again\n"
    "  cmt-lab figures [OPTIONS]                 all of them\n"
    "  cmt-lab sweep NAME [OPTIONS]              what every scheduler makes of one thing that varies\n"
    "  cmt-lab sweeps [OPTIONS]                  all of them\n"
    "  cmt-lab targets [OPTIONS]                 what the project promises, measured\n"
    "  cmt-lab results [OPTIONS]                 the page of results, from what sweeps and targets wrote\n"
    "  cmt-lab demo [FILE] [OPTIONS]             a file across two networks: table, picture, capture\n"
    "  cmt-lab COMMAND --help                    everything about a command\n"
    "  cmt-lab --version\n"
    "\nSCENARIO\n"
    "  A name of `cmt-lab list`, a file (cmt-lab(1) has the format), random:N or\n"
    "  random-lossy:N (network number N of those drawn at random), or inline:\n"
    "      1.6Mbit/10ms,0.4Mbit/100ms/loss=0.5%,q=100p\n"
    "  Paths are RATE/DELAY[/KEY=VALUE...]; a KEY=VALUE alone is for all paths or, as rcvbuf=50kB,\n"
    "  for the load. Keys of a path: rate, delay, queue (q; 100p packets or 50kB), loss (0.5%),\n"
    "  jitter (normal:3ms, exp:2ms, pareto:2ms; :reorder behind it lets packets overtake),\n"
    "  ge (Gilbert-Elliott ENTER:LEAVE:LOSS), bit_error (2e-5), duplicate, corrupt, reorder (1%:20ms),\n"
    "  mtu, black_hole, down (yes or 3s-8s), cross (cbr:1024:10ms@20s-40s, pareto:SIZE:INTERVAL:ON:OFF).\n"
    "  via = NAME sends a path's packets through the shared link [link.NAME] behind its own; inline\n"
    "  link.NAME=RATE/DELAY[/KEY=VALUE...].\n"
    "  A key holds for both directions (cross: forward only); back.KEY and forward.KEY for one;\n"
    "  at.TIME.KEY from a time on.\n"
    "\nENVIRONMENT\n"
    "  CMT_SCENARIO_DIR  folder of the scenarios, instead of the shipped one\n"
    "\nEXAMPLES\n"
    "  cmt-lab compare sarwar1 -s rr,lcm,arrival --rcvbuf 50000\n"
    "  cmt-lab run wifi-lte -s arrival --json\n"
    "  cmt-lab run 10Mbit/5ms,10Mbit/50ms/loss=1% -s arrival --bytes 2MB --pcap out.pcap\n";

const char lab_help_list[] = "NAME\n"
                             "  cmt-lab list - what can be given by name: scenarios, schedulers,\n"
                             "                 congestion controls, recoveries\n"
                             "\nSYNOPSIS\n"
                             "  cmt-lab list\n";

const char lab_help_show[] =
    "NAME\n"
    "  cmt-lab show - a scenario as JSON\n"
    "\nSYNOPSIS\n"
    "  cmt-lab show SCENARIO [OPTIONS]\n"
    "\nDESCRIPTION\n"
    "  Prints the load, both directions of every path, what they allow at best, and every change on the\n"
    "  time line as the link's state from then on: what a program needs that builds the network from\n"
    "  something else. cmt-lab(1) has the keys.\n"
    "\nOPTIONS\n" LOAD_OPTIONS "  --json                  accepted, for symmetry: there is no other form\n"
    "\nEXIT STATUS\n"
    "  0  printed\n"
    "  2  a wrong argument or scenario\n";

const char lab_help_run[] =
    "NAME\n"
    "  cmt-lab run - one transfer\n"
    "\nSYNOPSIS\n"
    "  cmt-lab run SCENARIO [-s SCHEDULER] [OPTIONS]\n"
    "\nDESCRIPTION\n"
    "  Transfers messages from host 0 to host 1 and checks every byte and its place. Time is virtual:\n"
    "  the result does not depend on the machine.\n"
    "\nOPTIONS\n"
    "  -s, --scheduler NAME    of `cmt-lab list`; default auto. stock = upstream's own CMT\n" LOAD_OPTIONS
    "  --only-path N           an association over path N alone; with -s stock without CMT\n"
    "  --pcap FILE             capture of both hosts, for Wireshark\n"
    "  --trace FILE            CSV: delivered, in the receive buffer, under way, arrived over each path,\n"
    "                          at every change\n"
    "  --qlog FILE             every event of both hosts' associations (qlog.md in\n"
    "                          share/doc/usrsctp-cmt)\n"
    "  --json                  one JSON object instead of text; cmt-lab(1) has the keys\n" EXIT_STATUS;

const char lab_help_compare[] =
    "NAME\n"
    "  cmt-lab compare - several schedulers on one scenario\n"
    "\nSYNOPSIS\n"
    "  cmt-lab compare SCENARIO -s A,B,C [OPTIONS]\n"
    "\nDESCRIPTION\n"
    "  A table of stock CMT, every scheduler asked for, plain SCTP on the best single path (each path is\n"
    "  tried, with the same buffers) and the ceiling. Medians, with the range, over the seeds.\n"
    "\nOPTIONS\n"
    "  -s, --scheduler LIST    default: every scheduler of the library\n" LOAD_OPTIONS
    "  --seeds N               runs per row with seeds SEED, SEED+1, ...; default 1\n"
    "  --grid                  one table for every combination of the scenario's [grid] values\n"
    "  --json                  JSON instead of the table\n" EXIT_STATUS;

const char lab_help_targets[] =
    "NAME\n"
    "  cmt-lab targets - measures what the project promises\n"
    "\nSYNOPSIS\n"
    "  cmt-lab targets [--group NAME] [--only TEXT] [--seeds N] [-d DIR]\n"
    "          [--journal FILE] [--json]\n"
    "\nDESCRIPTION\n"
    "  Runs every row of the tables of targets, prints target, measured value and verdict, writes\n"
    "  them to DIR/results.md and DIR/results.json, every point to DIR/points.md. A row with several\n"
    "  points shows the worst one. What these files have of groups and rows that were not run stays.\n"
    "\nOPTIONS\n"
    "  --group NAME            one table: scheduling, recovery, schedulers, film\n"
    "  --only TEXT             rows that have TEXT in their name\n"
    "  --seeds N               default 20; values are medians\n"
    "  --journal FILE          write each point to FILE when it is measured, and do not measure what\n"
    "                          FILE has: a measurement that was interrupted goes on there\n"
    "  -d, --directory DIR     default: cmt-lab-results\n"
    "  --json                  print the JSON instead of the table\n"
    "\nEXIT STATUS\n"
    "  0  all targets are met\n"
    "  1  one is missed, or a transfer failed\n";

const char lab_help_demo[] =
    "NAME\n"
    "  cmt-lab demo - a file crosses two networks\n"
    "\nSYNOPSIS\n"
    "  cmt-lab demo [FILE] [-d DIR] [--seed N]\n"
    "\nDESCRIPTION\n"
    "  Sends FILE (default: 20 MB made for the purpose) over sarwar1 and wifi-lte with stock CMT, plain\n"
    "  SCTP on the best single path, lcm and arrival; checks every byte; prints a table. Writes demo.png\n"
    "  (progress in order and receive-buffer occupancy over time), the data behind it, and the capture\n"
    "  of the arrival run on sarwar1 to DIR.\n"
    "\nOPTIONS\n"
    "  -d, --directory DIR     default: cmt-lab-demo\n"
    "  --seed N                default 1\n" EXIT_STATUS;

#define FIGURE_OPTIONS                                                                                       \
	"  -d, --directory DIR     default: cmt-lab-figures\n"                                               \
	"  --seeds N               runs per point with seeds SEED, SEED+1, ...; default 5\n"                 \
	"  --seed N                the first one; default 1\n"                                               \
	"  --duration SECONDS      of every transfer, instead of the scenario's\n"

const char lab_help_figure[] =
    "NAME\n"
    "  cmt-lab figure - a figure or table of a paper, measured again\n"
    "\nSYNOPSIS\n"
    "  cmt-lab figure NAME [-d DIR] [OPTIONS]\n"
    "\nDESCRIPTION\n"
    "  Makes the runs, prints what the paper says beside what was measured, and writes DIR/NAME.csv,\n"
    "  DIR/NAME.md, DIR/NAME.png and the gnuplot script behind the picture.\n"
    "\nOPTIONS\n" FIGURE_OPTIONS EXIT_STATUS;

const char lab_help_figures[] =
    "NAME\n"
    "  cmt-lab figures - every figure that `cmt-lab figure` knows\n"
    "\nSYNOPSIS\n"
    "  cmt-lab figures [-d DIR] [OPTIONS]\n"
    "\nDESCRIPTION\n"
    "  Makes all of them, and DIR/figures.md, a page with every picture and table.\n"
    "\nOPTIONS\n" FIGURE_OPTIONS EXIT_STATUS;

#define SWEEP_OPTIONS                                                                                        \
	"  -d, --directory DIR     default: cmt-lab-results\n"                                               \
	"  --seeds N               runs per point with seeds 1, 2, ...; default: the sweep's own\n"          \
	"  --quick                 one seed, transfers a quarter as long, ten random networks\n"             \
	"\nEXIT STATUS\n"                                                                                    \
	"  0  every transfer was intact\n"                                                                   \
	"  1  one was not; its values are left out\n"                                                        \
	"  2  a wrong argument\n"

const char lab_help_sweep[] =
    "NAME\n"
    "  cmt-lab sweep - what every scheduler makes of one thing that varies\n"
    "\nSYNOPSIS\n"
    "  cmt-lab sweep NAME [-d DIR] [--seeds N] [--quick]\n"
    "\nDESCRIPTION\n"
    "  Runs stock CMT, every scheduler of the library and plain SCTP on every single path; writes\n"
    "  DIR/sweeps/NAME.csv, the picture NAME.png with its gnuplot script, and the sweep's section of\n"
    "  DIR/sweeps.md.\n"
    "\nOPTIONS\n" SWEEP_OPTIONS;

const char lab_help_sweeps[] = "NAME\n"
                               "  cmt-lab sweeps - every sweep that `cmt-lab sweep` knows\n"
                               "\nSYNOPSIS\n"
                               "  cmt-lab sweeps [-d DIR] [--seeds N] [--quick]\n"
                               "\nOPTIONS\n" SWEEP_OPTIONS;

const char lab_help_results[] =
    "NAME\n"
    "  cmt-lab results - makes the page of results from numbers that are there\n"
    "\nSYNOPSIS\n"
    "  cmt-lab results [-d DIR]\n"
    "\nDESCRIPTION\n"
    "  Draws every sweep of DIR/sweeps/*.csv and writes its section of DIR/sweeps.md, then the section\n"
    "  of DIR/results.md that says which scheduler to use when. Runs nothing. Sections that no command makes, and what\n"
    "  stands before the first section, stay.\n"
    "\nOPTIONS\n"
    "  -d, --directory DIR     default: cmt-lab-results\n"
    "\nEXIT STATUS\n"
    "  0  written\n"
    "  1  a file is damaged or cannot be written\n"
    "  2  a wrong argument, or DIR has no sweep\n";
