/* SPDX-License-Identifier: BSD-3-Clause
 *
 * medium_keys.h - how a link is built: what link_keys.c has in its table.
 *
 * Pure. False: the value is not of that form; the link may have been changed.
 *
 *   policer none | RATE:BURST           lte none | INTERVAL[:FAILURE]
 *   aqm none | NAME                     ecn yes | no
 *   wifi none | PACKETS:TIME[:OVERHEAD]
 */
#ifndef LAB_MEDIUM_KEYS_H
#define LAB_MEDIUM_KEYS_H

#include <stdbool.h>

#include <usrsctp_cmt_sim.h>

#define LAB_POLICER_FORM "a policer; write RATE:BURST, as 10Mbit:50kB, or none"
#define LAB_LTE_FORM                                                                                         \
	"a radio link with grants; write INTERVAL[:FAILURE], as 1ms:10% (0.1ms to 1s, probability that a "   \
	"block fails), or none"

#define LAB_AQM_FORM "a queue discipline; write codel, fq_codel, pie, cake or none"
#define LAB_WIFI_FORM                                                                                        \
	"an aggregating link; write PACKETS:TIME[:OVERHEAD], as 32p:4ms or 32p:4ms:200us (what a burst "     \
	"takes "                                                                                             \
	"at most, and costs), or none"

bool lab_set_policer(struct usrsctp_cmt_sim_link *link, const char *value);
bool lab_set_lte(struct usrsctp_cmt_sim_link *link, const char *value);
bool lab_set_aqm(struct usrsctp_cmt_sim_link *link, const char *value);
bool lab_set_ecn(struct usrsctp_cmt_sim_link *link, const char *value);
bool lab_set_wifi(struct usrsctp_cmt_sim_link *link, const char *value);

const char *lab_aqm_name(enum usrsctp_cmt_sim_aqm aqm);

/* What these leave of a link's rate for packets of that size. */
double lab_medium_bps(const struct usrsctp_cmt_sim_link *link, double packet_bytes);

#endif
