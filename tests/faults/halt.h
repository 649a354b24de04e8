/* SPDX-License-Identifier: BSD-3-Clause
 *
 * halt.h - a host whose process is stopped and continued, as by SIGSTOP and SIGCONT: meanwhile it runs no
 * timer and takes no packet, its clock goes on, and what arrives waits in its socket until that is full.
 *
 * Takes the place of the stack's timers and of its input by the linker's --wrap. A timer belongs to the host
 * during whose turn it was started; what is neither a packet nor a timer's is the client's turn. One
 * simulation in a process. */
#ifndef FAULTS_HALT_H
#define FAULTS_HALT_H

#include "transfer.h"

/* Stops the process of `host` for `us`; `socket_bytes`: what its sockets hold. Afterwards its timers are
 * late, and the packets come in bunches, behind each of which the application reads. That time does not count
 * as a gap between reads. Nothing happens while one is stopped. */
void halt_for(struct transfer *t, int host, uint64_t us, size_t socket_bytes);

#endif
