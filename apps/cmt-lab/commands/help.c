/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/commands.h"

#define LOAD_OPTIONS                                                                                         \
	"  -o, --options K=V,...   options of the scheduler, see `cmt-lab list`\n"                           \
	"  --rcvbuf BYTES          receive buffer (SO_RCVBUF), e.g. 50000 or 50kB\n"                         \
	"  --sndbuf BYTES          send buffer; default: 4 MB, or more where the look-ahead needs it\n"      \
	"  --msg BYTES             message size, 1 to 1000000\n"                                             \
	"  --bytes N               amount to transfer\n"                                                     \
	"  --duration SECONDS      send for this long instead\n"                                             \
	"  --source SOURCE         bulk (as fast as possible), cbr:RATE (constant rate, e.g.\n"              \
	"                          cbr:400kbit), encoder:LEAST-MOST (frames, at the rate that the\n"         \
	"                          stack says), page:WAVES (each asked for when the one before it\n"         \
	"                          was read) or file:PATH\n"                                                 \
	"  --family ipv4|ipv6      address family of the simulated hosts\n"                                  \
	"  --competitor CC@PATH    add a competing association on one path, e.g. uncoupled@1, or a sender\n" \
	"                          with a window law: newreno@1, cubic@1, bbr@1, flows:5Mbit@1;\n"           \
	"                          repeatable. none: drop those of the scenario\n"                           \
	"  --encrypt               every packet in an SCTP DTLS chunk, with keys that come of the seed\n"    \
	"  --set KEY=VALUE         change one key of the scenario, e.g. path.2.loss=1%; repeatable\n"        \
	"  --seed N                seed of every random choice (default 1); the same seed gives the\n"       \
	"                          same packets\n"                                                           \
	"  --delay-error PERCENT   falsify the delay estimates, -100 to 1000\n"                              \
	"  --cc NAME[:K=V,...]     congestion control and its options, see `cmt-lab list`\n"                 \
	"  --recovery NAME         what detects and undoes spurious retransmissions: none, dsack,\n"         \
	"                          eifel, frto or all (default)\n"

#define EXIT_STATUS                                                                                          \
	"\nEXIT STATUS\n"                                                                                    \
	"  0  everything arrived, intact and in order\n"                                                     \
	"  1  a transfer failed, was damaged or did not finish\n"                                            \
	"  2  invalid argument or scenario\n"

const char lab_help_main[] =
    "NAME\n"
    "  cmt-lab - runs transfers over simulated multipath networks: the real stack, in virtual time\n"
    "\n"
    "SYNOPSIS\n"
    "  cmt-lab list                              scenarios, schedulers, congestion controls, recoveries\n"
    "  cmt-lab show SCENARIO [OPTIONS]           a scenario as JSON\n"
    "  cmt-lab run SCENARIO [OPTIONS]            one transfer and all its numbers\n"
    "  cmt-lab show-run SCENARIO [OPTIONS]       a picture of one transfer: rates, delays, queues over time\n"
    "  cmt-lab compare SCENARIO -s A,B [OPTIONS] schedulers, best single path and ceiling in a table\n"
    "  cmt-lab figure NAME [OPTIONS]             reproduces a figure of a paper\n"
    "  cmt-lab figures [OPTIONS]                 reproduces all of them\n"
    "  cmt-lab sweep NAME [OPTIONS]              every scheduler as one parameter varies\n"
    "  cmt-lab sweeps [OPTIONS]                  all sweeps\n"
    "  cmt-lab targets [OPTIONS]                 measures the project's targets\n"
    "  cmt-lab bench [NAME] [OPTIONS]            networks that people have, and ones that change: scores\n"
    "  cmt-lab results [OPTIONS]                 the page of results, from the data of sweeps and targets\n"
    "  cmt-lab demo [FILE] [OPTIONS]             a file across two networks: table, picture, capture\n"
    "  cmt-lab COMMAND --help                    everything about a command\n"
    "  cmt-lab --version\n"
    "\n"
    "SCENARIO\n"
    "  A name from `cmt-lab list`, a file (cmt-lab(1) has the format), random:N or\n"
    "  random-lossy:N (random network number N), or inline:\n"
    "      1.6Mbit/10ms,0.4Mbit/100ms/loss=0.5%,q=100p\n"
    "  Paths are RATE/DELAY[/KEY=VALUE...]; a KEY=VALUE alone applies to all paths or, like rcvbuf=50kB,\n"
    "  to the load. Keys of a path: rate, delay, queue (q; 100p packets or 50kB), loss (0.5%),\n"
    "  jitter (normal:3ms, exp:2ms, pareto:2ms; add :reorder to let packets overtake each other),\n"
    "  ge (Gilbert-Elliott ENTER:LEAVE:LOSS), bit_error (2e-5), duplicate, corrupt, reorder (1%:20ms),\n"
    "  mtu, black_hole, down (yes or 3s-8s), cross (cbr:1024:10ms@20s-40s, pareto:SIZE:INTERVAL:ON:OFF),\n"
    "  trace (a file of Mahimahi's, or with lines SECONDS,BIT/S), delay_trace (SECONDS,MILLISECONDS),\n"
    "  policer (10Mbit:50kB), lte (1ms:10%: grants, block failures), wifi (32p:4ms: bursts),\n"
    "  aqm (codel, fq_codel, pie, cake), ecn (yes: it marks).\n"
    "  via = NAME sends a path's packets through its own link and then the shared link [link.NAME];\n"
    "  inline: link.NAME=RATE/DELAY[/KEY=VALUE...].\n"
    "  from = N, to = N: the path ends at the sender, the receiver in the address of path N;\n"
    "  from_nat = NAME, to_nat = NAME: behind [nat.NAME], with mapping and filtering (independent,\n"
    "  address, port), timeout (30s), rebind (5s or 5s:address), forward (a port; to_nat only);\n"
    "  from_absent = 3s-8s, to_absent: the host does not have the address then. udp = yes: SCTP in UDP.\n"
    "  encrypt = yes: SCTP DTLS chunks.\n"
    "  A key applies to both directions (cross: forward only), back.KEY and forward.KEY to one;\n"
    "  at.TIME.KEY takes effect at TIME.\n"
    "\n"
    "ENVIRONMENT\n"
    "  CMT_SCENARIO_DIR  folder of scenarios to use instead of the installed one\n"
    "  CMT_NETWORKS_DIR  folder of recorded networks for `cmt-lab bench`\n"
    "\n"
    "EXAMPLES\n"
    "  cmt-lab compare sarwar1 -s rr,lcm,arrival --rcvbuf 50000\n"
    "  cmt-lab run wifi-lte -s arrival --json\n"
    "  cmt-lab run 10Mbit/5ms,10Mbit/50ms/loss=1% -s arrival --bytes 2MB --pcap out.pcap\n";

const char lab_help_list[] =
    "NAME\n"
    "  cmt-lab list - lists scenarios, schedulers, congestion controls and recoveries\n"
    "\n"
    "SYNOPSIS\n"
    "  cmt-lab list\n";

const char lab_help_show[] =
    "NAME\n"
    "  cmt-lab show - prints a scenario as JSON\n"
    "\n"
    "SYNOPSIS\n"
    "  cmt-lab show SCENARIO [OPTIONS]\n"
    "\n"
    "DESCRIPTION\n"
    "  Prints the load, both directions of every path, what they allow at best, and every scheduled change\n"
    "  as the state of the link from then on: what a program needs to build the same network from\n"
    "  something else. cmt-lab(1) has the keys.\n"
    "\n"
    "OPTIONS\n" LOAD_OPTIONS "  --json                  accepted for symmetry: JSON is the only format\n"
    "\n"
    "EXIT STATUS\n"
    "  0  printed\n"
    "  2  invalid argument or scenario\n";

const char lab_help_run[] =
    "NAME\n"
    "  cmt-lab run - runs one transfer\n"
    "\n"
    "SYNOPSIS\n"
    "  cmt-lab run SCENARIO [-s SCHEDULER] [OPTIONS]\n"
    "\n"
    "DESCRIPTION\n"
    "  Transfers messages from host 0 to host 1 and checks every byte and its position. Time is virtual:\n"
    "  the result does not depend on the machine.\n"
    "\n"
    "OPTIONS\n"
    "  -s, --scheduler NAME    a scheduler from `cmt-lab list`; default auto. stock = upstream's own "
    "CMT\n" LOAD_OPTIONS "  --only-path N           use path N alone; with -s stock, without CMT\n"
    "  --pcap FILE             packet capture of both hosts, for Wireshark; with --encrypt the keys to\n"
    "                          read it go to FILE.keys\n"
    "  --trace FILE            CSV, a row for every change: bytes delivered, in the receive buffer, in\n"
    "                          flight, and arrived on each path\n"
    "  --qlog FILE             log every event of both hosts' associations (qlog.md in\n"
    "                          share/doc/usrsctp-cmt)\n"
    "  --html FILE             a page for a browser that draws these events: paths, sequence, delays,\n"
    "                          queues, share, failures (viewer.md in share/doc/usrsctp-cmt)\n"
    "  --json                  print one JSON object instead of text; keys: cmt-lab(1)\n" EXIT_STATUS;

const char lab_help_show_run[] =
    "NAME\n"
    "  cmt-lab show-run - draws one transfer over time\n"
    "\n"
    "SYNOPSIS\n"
    "  cmt-lab show-run SCENARIO [-s NAME] [-d DIR] [OPTIONS]\n"
    "\n"
    "DESCRIPTION\n"
    "  Runs one transfer and writes, for each path, what it carried beside what its links could carry, the\n"
    "  true and the predicted delay of its packets, and what waits in its queues, of ours and of others:\n"
    "  DIR/run.png, .csv and .gnuplot; run-packets.csv, a line for each packet; run.qlog.\n"
    "\n"
    "OPTIONS\n"
    "  -s, --scheduler NAME    see `cmt-lab list`; default auto\n"
    "  -d, --directory DIR     default: cmt-lab-run\n"
    "  --only-path N           use only this path\n"
    "  --qlog FILE             where the events go; default: DIR/run.qlog\n"
    "  --pcap FILE, --trace FILE  as `cmt-lab run` has them\n" LOAD_OPTIONS EXIT_STATUS;

const char lab_help_compare[] =
    "NAME\n"
    "  cmt-lab compare - compares schedulers on one scenario\n"
    "\n"
    "SYNOPSIS\n"
    "  cmt-lab compare SCENARIO -s A,B,C [OPTIONS]\n"
    "\n"
    "DESCRIPTION\n"
    "  Prints a table of stock CMT, every scheduler given, plain SCTP on the best single path (each path\n"
    "  is tried with the same buffers) and the ceiling: medians over the seeds, with ranges.\n"
    "\n"
    "OPTIONS\n"
    "  -s, --scheduler LIST    default: every scheduler of the library\n" LOAD_OPTIONS
    "  --seeds N               runs per row, with seeds SEED, SEED+1, ...; default 1\n"
    "  --grid                  one table for every combination of the scenario's [grid] values\n"
    "  --json                  print JSON instead of the table\n" EXIT_STATUS;

const char lab_help_targets[] =
    "NAME\n"
    "  cmt-lab targets - measures the project's targets\n"
    "\n"
    "SYNOPSIS\n"
    "  cmt-lab targets [--group NAME] [--only TEXT] [--seeds N] [-d DIR]\n"
    "          [--encrypt] [--journal FILE] [--json]\n"
    "\n"
    "DESCRIPTION\n"
    "  Runs every row of the tables of targets, prints target, measured value and verdict, and writes\n"
    "  them to DIR/results.md and DIR/results.json, and every point to DIR/points.md. A row with several\n"
    "  points shows the worst one. Groups and rows that were not run are left as they are in these files.\n"
    "\n"
    "OPTIONS\n"
    "  --group NAME            one table: scheduling, recovery, schedulers, film,\n"
    "                          paths\n"
    "  --only TEXT             only rows whose name contains TEXT\n"
    "  --seeds N               default 20; values are medians over the seeds\n"
    "  --encrypt               every run is encrypted, also what it is compared with, as `cmt-lab run` has\n"
    "                          it\n"
    "  --journal FILE          write each point to FILE as soon as it is measured, and skip points that\n"
    "                          FILE already has, to continue an interrupted measurement\n"
    "  -d, --directory DIR     default: cmt-lab-results\n"
    "  --json                  print JSON instead of the tables\n"
    "\n"
    "EXIT STATUS\n"
    "  0  all targets are met\n"
    "  1  a target is missed, or a transfer failed\n";

const char lab_help_demo[] =
    "NAME\n"
    "  cmt-lab demo - sends a file across two simulated networks\n"
    "\n"
    "SYNOPSIS\n"
    "  cmt-lab demo [FILE] [-d DIR] [--seed N]\n"
    "\n"
    "DESCRIPTION\n"
    "  Sends FILE (default: 20 MB of generated data) over sarwar1 and wifi-lte with stock CMT, plain SCTP\n"
    "  on the best single path, lcm and arrival; checks every byte and prints a table. Writes to DIR:\n"
    "  demo.png (in-order progress and receive-buffer occupancy over time), the data behind it, and a\n"
    "  packet capture of the arrival run on sarwar1.\n"
    "\n"
    "OPTIONS\n"
    "  -d, --directory DIR     default: cmt-lab-demo\n"
    "  --seed N                default 1\n" EXIT_STATUS;

#define FIGURE_OPTIONS                                                                                       \
	"  -d, --directory DIR     default: cmt-lab-figures\n"                                               \
	"  --seeds N               runs per point, with seeds SEED, SEED+1, ...; default 5\n"                \
	"  --seed N                the first seed; default 1\n"                                              \
	"  --duration SECONDS      length of every transfer, instead of the scenario's\n"

const char lab_help_figure[] =
    "NAME\n"
    "  cmt-lab figure - reproduces a figure or table of a paper\n"
    "\n"
    "SYNOPSIS\n"
    "  cmt-lab figure NAME [-d DIR] [OPTIONS]\n"
    "\n"
    "DESCRIPTION\n"
    "  Runs the transfers, prints the verdict on each of the paper's sentences, and writes DIR/NAME.csv,\n"
    "  DIR/NAME.md, DIR/NAME.png and the gnuplot script of the picture.\n"
    "\n"
    "OPTIONS\n" FIGURE_OPTIONS EXIT_STATUS;

const char lab_help_figures[] =
    "NAME\n"
    "  cmt-lab figures - reproduces every figure that `cmt-lab figure` knows\n"
    "\n"
    "SYNOPSIS\n"
    "  cmt-lab figures [-d DIR] [OPTIONS]\n"
    "\n"
    "DESCRIPTION\n"
    "  Makes all figures, and DIR/figures.md, the report with every picture, verdict and table.\n"
    "\n"
    "OPTIONS\n" FIGURE_OPTIONS EXIT_STATUS;

#define SWEEP_OPTIONS                                                                                        \
	"  -d, --directory DIR     default: cmt-lab-results\n"                                               \
	"  --seeds N               runs per point, with seeds 1, 2, ...; default: the sweep's own\n"         \
	"  --quick                 one seed, transfers a quarter as long, ten random networks\n"             \
	"\nEXIT STATUS\n"                                                                                    \
	"  0  every transfer was intact\n"                                                                   \
	"  1  a transfer was not; its values are left out\n"                                                 \
	"  2  invalid argument\n"

const char lab_help_sweep[] =
    "NAME\n"
    "  cmt-lab sweep - measures every scheduler as one parameter varies\n"
    "\n"
    "SYNOPSIS\n"
    "  cmt-lab sweep NAME [-d DIR] [--seeds N] [--quick]\n"
    "\n"
    "DESCRIPTION\n"
    "  Runs stock CMT, every scheduler of the library and plain SCTP on every single path; writes\n"
    "  DIR/sweeps/NAME.csv, the picture NAME.png with its gnuplot script, and the sweep's section of\n"
    "  DIR/sweeps.md.\n"
    "\n"
    "OPTIONS\n" SWEEP_OPTIONS;

const char lab_help_sweeps[] = "NAME\n"
                               "  cmt-lab sweeps - runs every sweep that `cmt-lab sweep` knows\n"
                               "\n"
                               "SYNOPSIS\n"
                               "  cmt-lab sweeps [-d DIR] [--seeds N] [--quick]\n"
                               "\n"
                               "OPTIONS\n" SWEEP_OPTIONS;

const char lab_help_bench[] =
    "NAME\n"
    "  cmt-lab bench - measures benchmarks: many networks, one score\n"
    "\n"
    "SYNOPSIS\n"
    "  cmt-lab bench [NAME] [-s SCHEDULER] [--quick] [--score] [--only TEXT]\n"
    "          [--networks DIR] [--journal FILE] [-d DIR] [OPTIONS]\n"
    "\n"
    "DESCRIPTION\n"
    "  Runs a benchmark, or all of them: conext17, wifi-cellular, starlink-cellular, mahimahi, encoder\n"
    "  (networks that others recorded, from files), steps, shared, aqm, radio, fct, pages, video. Prints a\n"
    "  table of its measures over all networks and the worst three as commands that show them again, and\n"
    "  writes DIR/bench/NAME.csv, .json, .png and the benchmark's section of DIR/bench.md; of several,\n"
    "  DIR/bench-summary.md with all measures. cmt-lab(1) says what is measured.\n"
    "\n"
    "OPTIONS\n"
    "  -s, --scheduler NAME    what is measured; default auto\n"
    "  --quick                 a fixed sample of networks: all benchmarks in ten minutes\n"
    "  --guard                 fewer still, of those without files: whether something got worse\n"
    "  --score                 only the first measure, and nothing but the runs that it needs\n"
    "  --only TEXT             only networks whose name contains TEXT\n"
    "  --networks DIR          folder of recorded networks; default: CMT_NETWORKS_DIR, or\n"
    "                          ../shared/networks beside the source tree\n"
    "  --seeds N               runs per row, with seeds SEED, SEED+1, ...; default 1, else medians\n"
    "  --journal FILE          write each network to FILE as soon as it is measured, and skip those\n"
    "                          that FILE already has\n"
    "  -d, --directory DIR     default: cmt-lab-results\n"
    "  --json                  print JSON instead of the tables\n" LOAD_OPTIONS "\nEXIT STATUS\n"
    "  0  measured\n"
    "  1  a transfer failed or was damaged\n"
    "  2  invalid argument, or a benchmark's files are not there: what could be measured was\n";

const char lab_help_results[] =
    "NAME\n"
    "  cmt-lab results - makes the page of results from existing data\n"
    "\n"
    "SYNOPSIS\n"
    "  cmt-lab results [-d DIR]\n"
    "\n"
    "DESCRIPTION\n"
    "  Draws every sweep of DIR/sweeps/*.csv and writes its section of DIR/sweeps.md, then the section\n"
    "  of DIR/results.md on which scheduler to use when. Runs no transfer. Sections that no command\n"
    "  writes, and text before the first section, are kept.\n"
    "\n"
    "OPTIONS\n"
    "  -d, --directory DIR     default: cmt-lab-results\n"
    "\n"
    "EXIT STATUS\n"
    "  0  written\n"
    "  1  a file is damaged or cannot be written\n"
    "  2  invalid argument, or DIR has no sweep\n";
