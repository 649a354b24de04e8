/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenario/link_keys.h"

#include <stdio.h>
#include <string.h>

#include "rates.h"

#include "scenario/link_values.h"
#include "scenario/medium_keys.h"
#include "scenario/trace_file.h"
#include "text/units.h"

#define JITTER_FORM                                                                                          \
	"a jitter; write none, normal:3ms, exp:2ms or pareto:2ms, with :reorder appended if packets may "    \
	"overtake"
#define QUEUE_FORM   "a queue limit; write 100p (packets), 50kB or none"
#define GE_FORM      "a Gilbert-Elliott loss; write ENTER:LEAVE:LOSS, as 0.1%:20%:50%"
#define REORDER_FORM "a reordering; write PROBABILITY:TIME, as 1%:20ms"
#define CROSS_FORM                                                                                           \
	"cross traffic; write none, cbr:SIZE:INTERVAL or pareto:SIZE:INTERVAL:ON:OFF, with @FROM-UNTIL "     \
	"appended if not all the time"
#define MTU_FORM "an MTU; write a number of bytes, 576 to 65535"

#define BLACK_HOLE_FORM                                                                                      \
	"a black hole; write the bytes of the largest packet that passes, 576 to 65535, or none"

static bool set_rate(struct usrsctp_cmt_sim_link *link, const char *value)
{
	uint64_t bps;

	if (!lab_parse_link_rate(value, &bps)) {
		return false;
	}
	/* A trace counts instead, until there is none. */
	if (link->rates == NULL) {
		link->rate_bps = bps;
	}
	return true;
}

static bool set_delay(struct usrsctp_cmt_sim_link *link, const char *value)
{
	return lab_parse_link_time(value, &link->delay_us);
}

static bool set_jitter(struct usrsctp_cmt_sim_link *link, const char *value)
{
	static const struct {
		const char *name;
		enum usrsctp_cmt_sim_jitter kind;
	} kinds[] = {{"normal", USRSCTP_CMT_SIM_JITTER_NORMAL},
	             {"exp", USRSCTP_CMT_SIM_JITTER_EXPONENTIAL},
	             {"pareto", USRSCTP_CMT_SIM_JITTER_PARETO}};
	const char *fields[LAB_MAX_FIELDS];
	char buf[LAB_MAX_FIELD_TEXT];
	unsigned n = lab_split(value, buf, fields);

	if (strcmp(value, "none") == 0) {
		link->jitter = USRSCTP_CMT_SIM_JITTER_NONE;
		return true;
	}
	if (n < 2 || n > 3 || (n == 3 && strcmp(fields[2], "reorder") != 0)) {
		return false;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(fields[0], kinds[i].name) == 0 &&
		    lab_parse_link_time(fields[1], &link->jitter_us)) {
			link->jitter = kinds[i].kind;
			link->jitter_reorders = n == 3;
			return true;
		}
	}
	return false;
}

static bool set_queue(struct usrsctp_cmt_sim_link *link, const char *value)
{
	if (strcmp(value, "none") == 0) {
		link->queue_pkts = 0;
		link->queue_bytes = 0;
		return true;
	}
	return lab_parse_link_pkts(value, &link->queue_pkts) ||
	       lab_parse_link_size(value, &link->queue_bytes);
}

static bool set_loss(struct usrsctp_cmt_sim_link *link, const char *value)
{
	return app_parse_probability(value, &link->loss);
}

static bool set_ge(struct usrsctp_cmt_sim_link *link, const char *value)
{
	const char *fields[LAB_MAX_FIELDS];
	char buf[LAB_MAX_FIELD_TEXT];
	double bad, good, loss;

	if (lab_split(value, buf, fields) != 3 || !app_parse_probability(fields[0], &bad) ||
	    !app_parse_probability(fields[1], &good) || !app_parse_probability(fields[2], &loss)) {
		return false;
	}
	link->ge_bad = bad;
	link->ge_good = good;
	link->ge_loss_bad = loss;
	return true;
}

static bool set_bit_error(struct usrsctp_cmt_sim_link *link, const char *value)
{
	return app_parse_probability(value, &link->bit_error);
}

static bool set_duplicate(struct usrsctp_cmt_sim_link *link, const char *value)
{
	return app_parse_probability(value, &link->duplicate);
}

static bool set_reorder(struct usrsctp_cmt_sim_link *link, const char *value)
{
	const char *fields[LAB_MAX_FIELDS];
	char buf[LAB_MAX_FIELD_TEXT];
	double probability;

	if (lab_split(value, buf, fields) != 2 || !app_parse_probability(fields[0], &probability) ||
	    !lab_parse_link_time(fields[1], &link->reorder_us)) {
		return false;
	}
	link->reorder = probability;
	return true;
}

static bool set_corrupt(struct usrsctp_cmt_sim_link *link, const char *value)
{
	return app_parse_probability(value, &link->corrupt);
}

static bool set_mtu(struct usrsctp_cmt_sim_link *link, const char *value)
{
	int64_t bytes;

	if (!app_parse_count(value, 576, 65535, &bytes)) {
		return false;
	}
	link->mtu_bytes = (uint32_t)bytes;
	return true;
}

static bool set_black_hole(struct usrsctp_cmt_sim_link *link, const char *value)
{
	int64_t bytes = 0;

	if (strcmp(value, "none") != 0 && !app_parse_count(value, 576, 65535, &bytes)) {
		return false;
	}
	link->black_hole_bytes = (uint32_t)bytes;
	return true;
}

static bool set_down(struct usrsctp_cmt_sim_link *link, const char *value)
{
	return app_parse_bool(value, &link->down);
}

static bool set_cross(struct usrsctp_cmt_sim_link *link, const char *value)
{
	struct usrsctp_cmt_sim_cross cross = {.kind = USRSCTP_CMT_SIM_CROSS_CBR};
	const char *at = strchr(value, '@'), *fields[LAB_MAX_FIELDS];
	char load[LAB_MAX_FIELD_TEXT], buf[LAB_MAX_FIELD_TEXT];
	uint64_t bytes;
	unsigned n, wanted;

	if (strcmp(value, "none") == 0) {
		memset(&link->cross, 0, sizeof(link->cross));
		return true;
	}
	if (strlen(value) >= sizeof(load)) {
		return false;
	}
	strcpy(load, value);
	if (at != NULL) {
		load[at - value] = '\0';
		if (!app_parse_interval(at + 1, &cross.from_us, &cross.until_us)) {
			return false;
		}
	}
	n = lab_split(load, buf, fields);
	if (n == 0) {
		return false;
	}
	if (strcmp(fields[0], "pareto") == 0) {
		cross.kind = USRSCTP_CMT_SIM_CROSS_PARETO;
	} else if (strcmp(fields[0], "cbr") != 0) {
		return false;
	}
	wanted = cross.kind == USRSCTP_CMT_SIM_CROSS_PARETO ? 5 : 3;
	if (n != wanted || !app_parse_size(fields[1], &bytes) || bytes < 20 || bytes > 65535 ||
	    !app_parse_time(fields[2], &cross.interval_us) || cross.interval_us == 0) {
		return false;
	}
	cross.packet_bytes = (uint32_t)bytes;
	if (n == 5 && (!app_parse_time(fields[3], &cross.on_us) ||
	               !app_parse_time(fields[4], &cross.off_us) || cross.on_us == 0)) {
		return false;
	}
	link->cross = cross;
	return true;
}

/* rate_bps is the mean then. */
static int read_trace(struct usrsctp_cmt_sim_link *link, const char *value, char *why, size_t why_bytes)
{
	double mean_bps;

	if (strcmp(value, "none") == 0) {
		link->rates = NULL;
		return 0;
	}
	link->rates = lab_trace_rates(value, why, why_bytes);
	if (link->rates == NULL) {
		return -1;
	}
	/* Opportunities are from 1 us on, and up to the end. */
	mean_bps = simnet_rates_bits(link->rates, 1, link->rates->period_us + 1) * 1e6 /
	           (double)link->rates->period_us;
	link->rate_bps = mean_bps < 1 ? 1 : (uint64_t)mean_bps;
	return 0;
}

static int read_delay_trace(struct usrsctp_cmt_sim_link *link, const char *value, char *why, size_t why_bytes)
{
	if (strcmp(value, "none") == 0) {
		link->delays = NULL;
		return 0;
	}
	link->delays = lab_trace_delays(value, why, why_bytes);
	return link->delays == NULL ? -1 : 0;
}

static const struct link_key {
	const char *name, *form;
	bool (*set)(struct usrsctp_cmt_sim_link *link, const char *value);
	/* Instead of form and set(), for the name of a file: 0, or -1 with the reason. */
	int (*read)(struct usrsctp_cmt_sim_link *link, const char *value, char *why, size_t why_bytes);
} keys[] = {
    {"rate", APP_RATE_FORM, set_rate, NULL},
    {"delay", APP_TIME_FORM, set_delay, NULL},
    {"jitter", JITTER_FORM, set_jitter, NULL},
    {"queue", QUEUE_FORM, set_queue, NULL},
    {"loss", APP_PROBABILITY_FORM, set_loss, NULL},
    {"ge", GE_FORM, set_ge, NULL},
    {"bit_error", APP_PROBABILITY_FORM, set_bit_error, NULL},
    {"duplicate", APP_PROBABILITY_FORM, set_duplicate, NULL},
    {"reorder", REORDER_FORM, set_reorder, NULL},
    {"corrupt", APP_PROBABILITY_FORM, set_corrupt, NULL},
    {"mtu", MTU_FORM, set_mtu, NULL},
    {"black_hole", BLACK_HOLE_FORM, set_black_hole, NULL},
    {"down", APP_BOOL_FORM, set_down, NULL},
    {"cross", CROSS_FORM, set_cross, NULL},
    {"trace", NULL, NULL, read_trace},
    {"delay_trace", NULL, NULL, read_delay_trace},
    {"policer", LAB_POLICER_FORM, lab_set_policer, NULL},
    {"lte", LAB_LTE_FORM, lab_set_lte, NULL},
    {"aqm", LAB_AQM_FORM, lab_set_aqm, NULL},
    {"ecn", APP_BOOL_FORM, lab_set_ecn, NULL},
    {"wifi", LAB_WIFI_FORM, lab_set_wifi, NULL},
};
#define N_KEYS ((int)(sizeof(keys) / sizeof(keys[0])))

int lab_link_key(const char *key)
{
	if (strcmp(key, "q") == 0) {
		key = "queue";
	}
	for (int i = 0; i < N_KEYS; i++) {
		if (strcmp(key, keys[i].name) == 0) {
			return i;
		}
	}
	return -1;
}

int lab_link_set(struct usrsctp_cmt_sim_link *link, int number, const char *value, char *why,
                 size_t why_bytes)
{
	struct usrsctp_cmt_sim_link changed = *link;

	if (keys[number].read != NULL) {
		if (keys[number].read(&changed, value, why, why_bytes) != 0) {
			return -1;
		}
	} else if (!keys[number].set(&changed, value)) {
		snprintf(why, why_bytes, "\"%s\" is not %s", value, keys[number].form);
		return -1;
	}
	*link = changed;
	return 0;
}

int lab_link_key_is_file(int number)
{
	return keys[number].read != NULL;
}

int lab_link_key_is_one_way(int number)
{
	return keys[number].set == set_cross;
}

int lab_link_key_is_fixed(int number)
{
	return keys[number].set == lab_set_aqm || keys[number].set == lab_set_wifi;
}

const char *lab_link_key_list(void)
{
	return "rate, delay, jitter, queue, loss, ge, bit_error, duplicate, reorder, corrupt, mtu, "
	       "black_hole, down, cross, trace, delay_trace, policer, lte, aqm, ecn, wifi";
}
