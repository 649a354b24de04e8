/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenario/scenario_parts.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "text/units.h"

int lab_refuse(struct lab_error *error, const char *key, const char *why)
{
	snprintf(error->text, sizeof(error->text), "%s: %s", key, why);
	return -1;
}

int lab_refuse_form(struct lab_error *error, const char *key, const char *value, const char *form)
{
	snprintf(error->text, sizeof(error->text), "%s: \"%s\" is not %s", key, value, form);
	return -1;
}

static int set_size(uint64_t *out, uint64_t min, uint64_t max, const char *key, const char *value,
                    struct lab_error *error)
{
	uint64_t bytes;
	char why[160];

	if (!app_parse_size(value, &bytes)) {
		return lab_refuse_form(error, key, value, APP_SIZE_FORM);
	}
	if (bytes < min || bytes > max) {
		snprintf(why, sizeof(why), "%s is out of range; write %llu to %llu bytes", value,
		         (unsigned long long)min, (unsigned long long)max);
		return lab_refuse(error, key, why);
	}
	*out = bytes;
	return 0;
}

/* LEAST-MOST */
static int set_encoder(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	struct lab_source source = {.kind = LAB_SOURCE_ENCODER};
	const char *dash = strchr(value, '-');
	char least[40];

	snprintf(least, sizeof(least), "%.*s", dash == NULL ? 0 : (int)(dash - value), value);
	if (dash == NULL || !app_parse_rate(least, &source.least_bps) ||
	    !app_parse_rate(dash + 1, &source.most_bps) || source.least_bps == 0 ||
	    source.most_bps < source.least_bps) {
		return lab_refuse_form(error, key, value,
		                       "two rates, the lower one first; write 500kbit-20Mbit");
	}
	s->source = source;
	return 0;
}

static int set_source(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	struct lab_source source = {.kind = LAB_SOURCE_BULK};
	int64_t waves;

	if (strcmp(value, "bulk") == 0) {
		s->source = source;
		return 0;
	}
	if (strncmp(value, "cbr:", 4) == 0) {
		source.kind = LAB_SOURCE_CBR;
		if (!app_parse_rate(value + 4, &source.cbr_bps) || source.cbr_bps == 0) {
			return lab_refuse_form(error, key, value + 4, APP_RATE_FORM);
		}
		s->source = source;
		return 0;
	}
	if (strncmp(value, "file:", 5) == 0 && value[5] != '\0' && strlen(value + 5) < sizeof(source.file)) {
		source.kind = LAB_SOURCE_FILE;
		strcpy(source.file, value + 5);
		s->source = source;
		return 0;
	}
	if (strncmp(value, "page:", 5) == 0) {
		if (!app_parse_count(value + 5, 1, LAB_MAX_WAVES, &waves)) {
			return lab_refuse_form(error, key, value + 5, "a number of waves, 1 to 16");
		}
		source.kind = LAB_SOURCE_PAGE;
		source.waves = (unsigned)waves;
		s->source = source;
		return 0;
	}
	if (strncmp(value, "encoder:", 8) == 0) {
		return set_encoder(s, key, value + 8, error);
	}
	return lab_refuse_form(
	    error, key, value,
	    "a source; write bulk, cbr:400kbit, encoder:500kbit-20Mbit, page:4 or file:PATH");
}

/* RATE or RATE:BUFFER */
static int set_play(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	const char *colon = strchr(value, ':');
	char rate[40];
	uint64_t play_bps, buffer_us = LAB_PLAY_BUFFER_US;

	snprintf(rate, sizeof(rate), "%.*s", colon == NULL ? (int)strlen(value) : (int)(colon - value),
	         value);
	if (!app_parse_rate(rate, &play_bps) || play_bps == 0) {
		return lab_refuse_form(error, key, rate, APP_RATE_FORM);
	}
	if (colon != NULL && !app_parse_time(colon + 1, &buffer_us)) {
		return lab_refuse_form(error, key, colon + 1, APP_TIME_FORM);
	}
	s->play_bps = play_bps;
	s->play_buffer_us = buffer_us;
	return 0;
}

int lab_take_text(char *out, size_t out_bytes, const char *key, const char *value, struct lab_error *error)
{
	if (strlen(value) >= out_bytes) {
		return lab_refuse(error, key, "too long");
	}
	strcpy(out, value);
	return 0;
}

static int set_duration(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	if (!app_parse_time(value, &s->duration_us) || s->duration_us == 0) {
		return lab_refuse_form(error, key, value, APP_TIME_FORM);
	}
	s->bytes = 0;
	return 0;
}

int lab_set_load_key(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	if (strcmp(key, "description") == 0) {
		return lab_take_text(s->description, sizeof(s->description), key, value, error);
	}
	if (strcmp(key, "reference") == 0) {
		return lab_take_text(s->reference, sizeof(s->reference), key, value, error);
	}
	if (strcmp(key, "msg") == 0) {
		return set_size(&s->msg_bytes, 1, LAB_MAX_MSG_BYTES, key, value, error);
	}
	if (strcmp(key, "rcvbuf") == 0) {
		return set_size(&s->rcvbuf_bytes, 1500, 1000000000, key, value, error);
	}
	if (strcmp(key, "sndbuf") == 0) {
		return set_size(&s->sndbuf_bytes, 1500, 1000000000, key, value, error);
	}
	if (strcmp(key, "bytes") == 0) {
		s->duration_us = 0;
		return set_size(&s->bytes, 1, 1000000000000, key, value, error);
	}
	if (strcmp(key, "duration") == 0) {
		return set_duration(s, key, value, error);
	}
	if (strcmp(key, "warm_up") == 0) {
		return app_parse_time(value, &s->warm_up_us)
		           ? 0
		           : lab_refuse_form(error, key, value, APP_TIME_FORM);
	}
	if (strcmp(key, "source") == 0) {
		return set_source(s, key, value, error);
	}
	if (strcmp(key, "play") == 0) {
		return set_play(s, key, value, error);
	}
	if (strcmp(key, "play_told") == 0) {
		return app_parse_bool(value, &s->play_told)
		           ? 0
		           : lab_refuse_form(error, key, value, APP_BOOL_FORM);
	}
	if (strcmp(key, "family") == 0) {
		if (strcmp(value, "ipv4") != 0 && strcmp(value, "ipv6") != 0) {
			return lab_refuse_form(error, key, value, "an address family; write ipv4 or ipv6");
		}
		s->family = value[3] == '6' ? AF_INET6 : AF_INET;
		return 0;
	}
	if (strcmp(key, "udp") == 0) {
		return app_parse_bool(value, &s->in_udp) ? 0
		                                         : lab_refuse_form(error, key, value, APP_BOOL_FORM);
	}
	if (strcmp(key, "encrypt") == 0) {
		return app_parse_bool(value, &s->encrypted)
		           ? 0
		           : lab_refuse_form(error, key, value, APP_BOOL_FORM);
	}
	return lab_refuse(
	    error, key,
	    "no such key; there are description, reference, msg, rcvbuf, sndbuf, bytes, duration, "
	    "warm_up, source, "
	    "play, play_told, family, udp, encrypt, competitor, path.N.KEY, link.NAME.KEY, nat.NAME.KEY, "
	    "competitor.KEY, "
	    "grid.KEY");
}
