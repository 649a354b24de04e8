/* SPDX-License-Identifier: BSD-3-Clause
 *
 * json_put.h - one line to add a value to a JSON object. */
#ifndef LAB_JSON_PUT_H
#define LAB_JSON_PUT_H

#include <jansson.h>
#include <stdint.h>

static inline void put_int(json_t *o, const char *key, uint64_t value)
{
	json_object_set_new(o, key, json_integer((json_int_t)value));
}

static inline void put_real(json_t *o, const char *key, double value)
{
	json_object_set_new(o, key, json_real(value));
}

static inline void put_text(json_t *o, const char *key, const char *value)
{
	json_object_set_new(o, key, json_string(value));
}

#endif
