/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures/papers.h"

#include <stddef.h>

const struct lab_paper lab_papers[] = {
    {"sarwar-", "Sarwar et al. (LCM, delay aware scheduling)",
     "G. Sarwar, R. Boreli, E. Lochin, A. Mifdaoui, G. Smith: *Mitigating Receiver's Buffer Blocking by "
     "Delay Aware Packet Scheduling in Multipath Data Transfer*. 27th International Conference on Advanced "
     "Information Networking and Applications Workshops (WAINA), Barcelona, March 2013, pp. 1119-1124, "
     "doi:10.1109/WAINA.2013.80, hal-02552490.",
     "The paper computes in Octave with windows that are the bandwidth-delay products and with delays that "
     "are known; round robin was checked against ns-2. Here both are measured by the stack while it sends. "
     "Its receive window counts what is under way as well as what waits. The paper's buffer is 10 packets; "
     "20 and 50 kB are ours, and so is the over-estimation of both delays by the same percentage, which the "
     "paper does not describe further."},
    {"osia-", "Wang et al. (OSIA)",
     "J. Wang, J. Liao, T. Li: *OSIA: Out-of-order Scheduling for In-order Arriving in concurrent multi-path "
     "transfer*. Journal of Network and Computer Applications, 2012.",
     "The paper runs cmpSCTP in OPNET with Pareto cross traffic, bit errors and a film as source; path "
     "parameters are preset there. Here no cross traffic and no bit errors: what is out of order is the "
     "scheduler's doing. Its Figure 9 has up to five paths, its Table 1 four of them; so have we. Its "
     "figures print no numbers."},
    {"ocps-", "Ni et al. (OCPS)",
     "D. Ni, K. Xue, P. Hong, H. Zhang, H. Lu: *OCPS: Offset Compensation based Packet Scheduling Mechanism "
     "for Multipath TCP*. IEEE International Conference on Communications (ICC), London, June 2015, "
     "doi:10.1109/ICC.2015.7249309.",
     "The paper runs MPTCP in ns-3 and averages 100 runs; here SCTP, with a multiple of the seeds of the "
     "other figures. It prints latencies of 50 and 200 ms and calls the ratio 1:2; ours is 1:4. It does not "
     "say how an offset leaves 0; ours starts with one packet."},
    {"yabandeh-", "Yabandeh et al. (bulk)",
     "M. Yabandeh, S. Zarifzadeh, N. Yazdani, A. Khonsari: *Reducing Buffer Space in Multipath Schemes*. "
     "Router Laboratory, ECE Faculty, University of Tehran; our copy names neither venue nor year.",
     "The paper sends UDP at the links' rates, with rates and delays known from the first packet on; here "
     "SCTP with its windows, start and retransmissions, which measures them. Its player reads from the "
     "beginning pause time on; our reader reads at once, so that what waits is what is out of order."},
    {"arabi-", "Arabi et al. (spurious retransmissions)",
     "T. Arabi, K. A. Bozed, A. R. Zerek: *Performance Evaluation and Computer Simulation of Multipath "
     "Transmission Control Protocol*. Higher Institute of Industry Technology (Tripoli), Benghazi "
     "University, Zawia University; our copy names neither venue nor year.",
     "The paper runs MPTCP in ns-3 and does not print the receive buffer, the queues or how many runs it "
     "made. SCTP's concurrent multipath transfer counts missing reports for each path alone, so that "
     "reordering between paths, which the paper is about, causes few retransmissions or none; where none was "
     "spurious nothing was tested, and the verdict says so."},
    {NULL, NULL, NULL, NULL},
};
