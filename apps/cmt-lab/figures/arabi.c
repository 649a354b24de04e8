/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures/arabi.h"

#define REORDER(path)     "path." path ".reorder=0.2%:60ms "
#define LATE(path, delay) "path." path ".at.5s.delay=1500ms path." path ".at.5.3s.delay=" delay " "

const struct lab_arabi lab_arabi[LAB_N_ARABI] = {
    {"arabi1", REORDER("1") REORDER("2") LATE("1", "100ms") LATE("2", "100ms")},
    {"arabi2", REORDER("1") REORDER("2") REORDER("3") LATE("1", "100ms") LATE("2", "10ms") LATE("3", "50ms")},
};

const char lab_arabi_differs[] =
    "Why our numbers differ. The paper's links lose packets in full queues alone, and reorder none; "
    "what its MPTCP for ns-3 sends again for nothing, it takes for lost because the subflows overtake "
    "each other. Here a packet is lost when later ones of its own path were delivered, so without "
    "disturbance detectors find next to nothing. What they are for is added: on every path 0.2 % of the "
    "packets are late by 60 ms, and from 5 to 5.3 s all are late by 1.5 s. Eifel finds both at once, "
    "but not what a retransmission on a faster path has overtaken; DSACK that too, after what was sent "
    "again has arrived; F-RTO the timeouts alone, where no other path takes over what had timed out. "
    "That Eifel and F-RTO lose against none, as in the paper, does not follow from what they do: they "
    "take reductions back, or nothing. Ours give back the window (RFC 4015), whichever found out; the "
    "paper's responses to DSACK and F-RTO are the options undo=1 and undo=0 of every control.";
