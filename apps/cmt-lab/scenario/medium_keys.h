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
#include <stdint.h>

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

/* --- what files with keys of links share: link_keys.c --- */

#define LAB_MAX_FIELDS     5
#define LAB_MAX_FIELD_TEXT 80

/* Splits `text` at ':' into at most LAB_MAX_FIELDS fields; the number of fields, 0 when there are more or the
 * text is too long. */
unsigned lab_split(const char *text, char buf[LAB_MAX_FIELD_TEXT], const char *fields[LAB_MAX_FIELDS]);

/* 10 alone may mean packets, milliseconds or Mbit/s to who writes it: here it means nothing, unlike 0. */
bool lab_has_unit(const char *value);

bool lab_parse_link_rate(const char *value, uint64_t *bps); /* above 0 */
bool lab_parse_link_time(const char *value, uint64_t *us);
bool lab_parse_link_pkts(const char *value, uint32_t *pkts);  /* 100p, above 0 */
bool lab_parse_link_size(const char *value, uint32_t *bytes); /* above 0 */

#endif
