/* SPDX-License-Identifier: BSD-3-Clause
 *
 * link_keys.h - the keys that describe one direction of one path in a scenario.
 *
 * Pure but for the files that are named.
 *
 *   rate 1.6Mbit             delay 10ms              mtu 1500
 *   queue 100p | 50kB        loss 0.5%               bit_error 2e-5
 *   duplicate 1%             corrupt 0.1%            reorder 1%:20ms (held back by 20 ms)
 *   jitter none | KIND:TIME[:reorder]   KIND: normal (TIME = standard deviation), exp or pareto (mean)
 *   ge ENTER:LEAVE:LOSS                 Gilbert-Elliott probabilities per packet
 *   cross none | cbr:SIZE:INTERVAL[@FROM-UNTIL] | pareto:SIZE:INTERVAL:ON:OFF[@FROM-UNTIL]
 *   black_hole none | BYTES             down yes | no
 *   trace none | FILE                   delay_trace none | FILE (trace_file.h)
 *   and how the link is built (medium_keys.h)
 */
#ifndef LAB_LINK_KEYS_H
#define LAB_LINK_KEYS_H

#include <stddef.h>

#include <usrsctp_cmt_sim.h>

/* Number of the key, 0 .. 31, or -1. */
int lab_link_key(const char *key);

/* Sets key `number` of `link`. 0, or -1 with the reason in `why` (`"fast" is not a rate; ...`), link
 * untouched. */
int lab_link_set(struct usrsctp_cmt_sim_link *link, int number, const char *value, char *why,
                 size_t why_bytes);

/* Key whose value is "none" or the name of a file. */
int lab_link_key_is_file(int number);

/* Key that describes other traffic and not the path: it is not mirrored to the return path. */
int lab_link_key_is_one_way(int number);

/* Key whose value is that of the whole run. */
int lab_link_key_is_fixed(int number);

/* All keys, separated by ", ". */
const char *lab_link_key_list(void);

#endif
