/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_control.h - a congestion control (core/cc/cmt_cc.h) in the place of upstream's: who reads and writes
 * the windows of paths.
 *
 * The association's lock is held. */
#ifndef CMT_CONTROL_H
#define CMT_CONTROL_H

#include "association/cmt_asoc.h"

/* A scheduler comes into force: windows by which something was acknowledged stay, others begin with the
 * initial window of our control. Attaches it. */
void cmt_control_begin(struct cmt_asoc *ca);
/* Hangs our congestion control into the association's function table, or gives upstream's back. */
void cmt_cc_attach(struct cmt_asoc *ca);
void cmt_cc_detach(struct cmt_asoc *ca);
/* `name`: a control of cmt_cc_find(), or "stock" for upstream's own module. 0, EINVAL; on error nothing
 * changed. */
int cmt_asoc_set_cc(struct cmt_asoc *ca, const char *name, const char *options);
/* The path's estimator has heard of a packet that left at `sent_us`. `behind_loss`: packets just before it
 * had not arrived. */
void cmt_control_on_echo(struct cmt_asoc *ca, const struct cmt_path *path, uint64_t sent_us, bool behind_loss,
                         uint64_t now_us);
/* Least wire_id of the paths through its bottleneck, itself included. */
uint16_t cmt_control_bottleneck(const struct cmt_asoc *ca, const struct cmt_path *path);
/* The path is another one, or its delays are by another clock. */
void cmt_control_forget_path(struct cmt_asoc *ca, const struct cmt_path *path);
/* The path's route is longer than believed: its round trip without a queue is `rtt_us`. */
void cmt_control_on_longer_route(struct cmt_asoc *ca, struct cmt_path *path, int64_t rtt_us);
/* Losses of one path, declared at one time. True when its window was reduced for them. */
bool cmt_control_reduce(struct cmt_asoc *ca, struct cmt_path *path, const struct cmt_cc_loss *loss);
/* Copies were delivered (path->copy.acked_bytes). */
void cmt_cc_copies_acked(struct cmt_asoc *ca, struct cmt_path *path);
void cmt_cc_timed_out(struct cmt_asoc *ca, struct cmt_path *path, const struct cmt_cc_loss *loss);
void cmt_cc_undone(struct cmt_asoc *ca, struct cmt_path *path);

#endif
