/* SPDX-License-Identifier: BSD-3-Clause
 *
 * look.h - what tests want to know of the stack's state of an association, and to do to it. For one-to-one
 * sockets with an association, between two calls of the stack. */
#ifndef INSIDE_LOOK_H
#define INSIDE_LOOK_H

#include <stdbool.h>
#include <stddef.h>

struct socket;

/* Writes a pattern over whatever is no memory, path or choice of the application's, then lets the peer
 * restart. What differs from the state of a new association after that: bytes, and the place of the first. */
struct look_difference {
	size_t bytes, first;
};
struct look_difference look_after_restart(struct socket *so);

/* Whether addresses are again wanted as reserve, after all had been told so before the restart. */
bool look_all_are_backup(struct socket *so);
void look_make_all_backup(struct socket *so);

/* Whether the chunks that are out are on the list of their path, each once, in the order in which they left,
 * and all that is listed is in sent_queue, which is in TSN order. How many are out. */
struct look_outstanding {
	unsigned chunks;
	bool is_listed, is_ordered;
};
struct look_outstanding look_outstanding(struct socket *so);

/* How many paths loss detection takes for ones that reorder. */
unsigned look_reordering_paths(struct socket *so);

/* Keeps the address in memory to which a socket was bound last, until look_let_go(). One at a time. How many
 * others refer to it. */
void look_hold_address(struct socket *so);
unsigned look_others_that_hold(void);
void look_let_go(void);

#endif
