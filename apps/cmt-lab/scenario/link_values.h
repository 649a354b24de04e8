/* SPDX-License-Identifier: BSD-3-Clause
 *
 * link_values.h - the values of keys that describe links. Pure. False: it is not of that form. */
#ifndef LAB_LINK_VALUES_H
#define LAB_LINK_VALUES_H

#include <stdbool.h>
#include <stdint.h>

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
