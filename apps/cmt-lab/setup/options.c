/* SPDX-License-Identifier: BSD-3-Clause */
#include "setup/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scheduler_names.h"
#include "text/units.h"

enum {
	OPT_LOAD_KEY = 256,
	OPT_DURATION,
	OPT_SET,
	OPT_SEED,
	OPT_DELAY_ERROR,
	OPT_CC,
	OPT_RECOVERY,
	OPT_ONLY_PATH,
	OPT_PCAP,
	OPT_TRACE,
	OPT_QLOG,
	OPT_HTML,
	OPT_GRID,
	OPT_SEEDS,
	OPT_GROUP,
	OPT_ONLY,
	OPT_JOURNAL,
	OPT_QUICK,
	OPT_ENCRYPT,
	OPT_GUARD,
	OPT_SCORE,
	OPT_NETWORKS,
	OPT_JSON
};

static const struct option long_options[] = {
    {"scheduler", required_argument, NULL, 's'},
    {"options", required_argument, NULL, 'o'},
    {"directory", required_argument, NULL, 'd'},
    {"help", no_argument, NULL, 'h'},
    {"rcvbuf", required_argument, NULL, OPT_LOAD_KEY},
    {"sndbuf", required_argument, NULL, OPT_LOAD_KEY},
    {"msg", required_argument, NULL, OPT_LOAD_KEY},
    {"bytes", required_argument, NULL, OPT_LOAD_KEY},
    {"duration", required_argument, NULL, OPT_DURATION},
    {"source", required_argument, NULL, OPT_LOAD_KEY},
    {"family", required_argument, NULL, OPT_LOAD_KEY},
    {"competitor", required_argument, NULL, OPT_LOAD_KEY},
    {"encrypt", no_argument, NULL, OPT_ENCRYPT},
    {"set", required_argument, NULL, OPT_SET},
    {"seed", required_argument, NULL, OPT_SEED},
    {"delay-error", required_argument, NULL, OPT_DELAY_ERROR},
    {"cc", required_argument, NULL, OPT_CC},
    {"recovery", required_argument, NULL, OPT_RECOVERY},
    {"only-path", required_argument, NULL, OPT_ONLY_PATH},
    {"pcap", required_argument, NULL, OPT_PCAP},
    {"trace", required_argument, NULL, OPT_TRACE},
    {"qlog", required_argument, NULL, OPT_QLOG},
    {"html", required_argument, NULL, OPT_HTML},
    {"grid", no_argument, NULL, OPT_GRID},
    {"seeds", required_argument, NULL, OPT_SEEDS},
    {"group", required_argument, NULL, OPT_GROUP},
    {"only", required_argument, NULL, OPT_ONLY},
    {"journal", required_argument, NULL, OPT_JOURNAL},
    {"quick", no_argument, NULL, OPT_QUICK},
    {"guard", no_argument, NULL, OPT_GUARD},
    {"score", no_argument, NULL, OPT_SCORE},
    {"networks", required_argument, NULL, OPT_NETWORKS},
    {"json", no_argument, NULL, OPT_JSON},
    {NULL, 0, NULL, 0},
};

static unsigned group_of(int code)
{
	switch (code) {
	case 's': return LAB_OPT_ONE | LAB_OPT_SEVERAL | LAB_OPT_BENCH;
	case OPT_ONLY_PATH:
	case OPT_PCAP:
	case OPT_TRACE:
	case OPT_QLOG: return LAB_OPT_ONE;
	case OPT_HTML: return LAB_OPT_HTML;
	case OPT_GRID: return LAB_OPT_SEVERAL;
	case OPT_SEED: return LAB_OPT_SEED;
	case OPT_DURATION: return LAB_OPT_LOAD | LAB_OPT_DURATION;
	case OPT_SEEDS: return LAB_OPT_SEEDS;
	case OPT_ONLY:
	case OPT_JOURNAL: return LAB_OPT_GROUP | LAB_OPT_BENCH;
	case OPT_GROUP: return LAB_OPT_GROUP;
	case OPT_ENCRYPT: return LAB_OPT_LOAD | LAB_OPT_GROUP;
	case OPT_GUARD:
	case OPT_SCORE:
	case OPT_NETWORKS: return LAB_OPT_BENCH;
	case OPT_QUICK: return LAB_OPT_QUICK;
	case 'd': return LAB_OPT_DIRECTORY;
	case OPT_JSON: return LAB_OPT_JSON;
	default: return LAB_OPT_LOAD;
	}
}

static int refuse(const char *option, const char *value, const char *form)
{
	fprintf(stderr, "cmt-lab: --%s: \"%s\" is not %s\n", option, value, form);
	return LAB_EXIT_USAGE;
}

static int take_text(char *out, size_t out_bytes, const char *option, const char *value)
{
	if (*value == '\0' || strlen(value) >= out_bytes) {
		char form[60];

		snprintf(form, sizeof(form), "a text of 1 to %zu characters", out_bytes - 1);
		return refuse(option, value, form);
	}
	strcpy(out, value);
	return 0;
}

static int add_set(struct lab_options *o, const char *option, const char *key, const char *value)
{
	if (o->n_sets == sizeof(o->sets) / sizeof(o->sets[0])) {
		fprintf(stderr, "cmt-lab: --%s: too many settings; write a scenario file\n", option);
		return LAB_EXIT_USAGE;
	}
	o->sets[o->n_sets].option = option;
	o->sets[o->n_sets].key = key;
	o->sets[o->n_sets++].value = value;
	return 0;
}

static int take_set(struct lab_options *o, char *text)
{
	char *equals = strchr(text, '=');

	if (equals == NULL) {
		return refuse("set", text, "KEY=VALUE; write e.g. path.2.rate=2Mbit");
	}
	*equals = '\0';
	return add_set(o, "set", text, equals + 1);
}

static int take_schedulers(struct lab_options *o, const char *list, unsigned groups)
{
	char text[400], known[300], *rest = text, *name;

	if (strlen(list) >= sizeof(text)) {
		return refuse("scheduler", list, "a list of schedulers");
	}
	strcpy(text, list);
	o->n_schedulers = 0;
	while ((name = strsep(&rest, ",")) != NULL) {
		if (!lab_is_scheduler(name, known, sizeof(known))) {
			fprintf(stderr, "cmt-lab: -s: \"%s\" is not a scheduler; write one of %s\n", name,
			        known);
			return LAB_EXIT_USAGE;
		}
		if (o->n_schedulers == ((groups & LAB_OPT_SEVERAL) != 0 ? LAB_MAX_SCHEDULERS : 1u)) {
			return refuse("scheduler", list, "one scheduler; `cmt-lab compare` takes several");
		}
		strcpy(o->schedulers[o->n_schedulers++], name);
	}
	return 0;
}

static int take_policy(struct app_policy *out, const struct app_policy_kind *kind, const char *option,
                       const char *value)
{
	struct app_error error;

	if (app_policy_parse(out, kind, option, value, &error) == 0) {
		return 0;
	}
	fprintf(stderr, "cmt-lab: %s\n", error.text);
	return LAB_EXIT_USAGE;
}

static int take_count(const char *option, const char *value, int64_t min, int64_t max, int64_t *out)
{
	char form[100];

	if (app_parse_count(value, min, max, out)) {
		return 0;
	}
	snprintf(form, sizeof(form), "a whole number from %lld to %lld", (long long)min, (long long)max);
	return refuse(option, value, form);
}

static int take(struct lab_options *o, int code, const char *name, char *value, unsigned groups)
{
	int64_t count = 0;
	int rc;

	switch (code) {
	case 's': return take_schedulers(o, value, groups);
	case 'o': return take_text(o->run.options, sizeof(o->run.options), "options", value);
	case 'd': return take_text(o->directory, sizeof(o->directory), "directory", value);
	case OPT_GROUP: return take_text(o->group, sizeof(o->group), name, value);
	case OPT_ONLY: return take_text(o->only, sizeof(o->only), name, value);
	case OPT_JOURNAL: return take_text(o->journal, sizeof(o->journal), name, value);
	case OPT_NETWORKS: return take_text(o->networks, sizeof(o->networks), name, value);
	case OPT_QUICK: o->quick = true; return 0;
	case OPT_GUARD: o->guard = true; return 0;
	case OPT_SCORE: o->score = true; return 0;
	case OPT_DURATION:
	case OPT_LOAD_KEY: return add_set(o, name, name, value);
	case OPT_ENCRYPT: return add_set(o, name, name, "yes");
	case OPT_SET: return take_set(o, value);
	case OPT_CC: return take_policy(&o->run.cc, &app_cc_kind, "--cc", value);
	case OPT_RECOVERY: return take_policy(&o->run.recovery, &app_recovery_kind, "--recovery", value);
	case OPT_PCAP: return take_text(o->run.pcap, sizeof(o->run.pcap), name, value);
	case OPT_TRACE: return take_text(o->run.trace, sizeof(o->run.trace), name, value);
	case OPT_QLOG: return take_text(o->run.qlog, sizeof(o->run.qlog), name, value);
	case OPT_HTML: return take_text(o->html, sizeof(o->html), name, value);
	case OPT_GRID: o->grid = true; return 0;
	case OPT_JSON: o->json = true; return 0;
	case OPT_SEED:
		rc = take_count(name, value, 0, INT64_MAX, &count);
		o->run.seed = (uint64_t)count;
		return rc;
	case OPT_SEEDS:
		rc = take_count(name, value, 1, 1000, &count);
		o->n_seeds = (unsigned)count;
		return rc;
	case OPT_DELAY_ERROR:
		rc = take_count(name, value, -100, 1000, &count);
		o->run.delay_error_pct = (int)count;
		return rc;
	default:
		rc = take_count(name, value, 1, USRSCTP_CMT_SIM_MAX_PATHS, &count);
		o->run.only_path = (int)count - 1;
		return rc;
	}
}

static const char *short_name(int code)
{
	return code == 's' ? "scheduler" : code == 'o' ? "options" : "directory";
}

int lab_options_parse(struct lab_options *o, int argc, char **argv, unsigned groups, const char *help)
{
	int code, index = -1;

	*o = (struct lab_options){.run = {.seed = 1, .only_path = -1}};
	optind = 1;
	opterr = 0;
	while ((code = getopt_long(argc, argv, "s:o:d:h", long_options, &index)) != -1) {
		const char *name = index >= 0 ? long_options[index].name : short_name(code);

		if (code == 'h') {
			fputs(help, stdout);
			exit(0);
		}
		if (code == '?') {
			fprintf(stderr,
			        "cmt-lab %s: \"%s\": unknown option, or its value is missing; try `cmt-lab "
			        "%s --help`\n",
			        argv[0], argv[optind - 1], argv[0]);
			return LAB_EXIT_USAGE;
		}
		if ((group_of(code) & groups) == 0) {
			fprintf(stderr, "cmt-lab %s: takes no --%s; try `cmt-lab %s --help`\n", argv[0], name,
			        argv[0]);
			return LAB_EXIT_USAGE;
		}
		if (take(o, code, name, optarg, groups) != 0) {
			return LAB_EXIT_USAGE;
		}
		index = -1;
	}
	o->operand = optind < argc ? argv[optind++] : NULL;
	if (optind < argc) {
		fprintf(stderr, "cmt-lab %s: \"%s\": one argument too many\n", argv[0], argv[optind]);
		return LAB_EXIT_USAGE;
	}
	return 0;
}

int lab_options_apply(const struct lab_options *o, struct lab_scenario *s, struct lab_error *error)
{
	struct lab_error why;

	for (unsigned i = 0; i < o->n_sets; i++) {
		if (lab_scenario_set(s, o->sets[i].key, o->sets[i].value, &why) != 0) {
			snprintf(error->text, sizeof(error->text), "--%s%.500s",
			         strcmp(o->sets[i].option, "set") == 0 ? "set " : "", why.text);
			return -1;
		}
	}
	return lab_scenario_check(s, error);
}

int lab_options_load(struct lab_options *o)
{
	struct lab_scenario *s = &o->run.scenario;
	struct lab_error error;

	if (o->operand == NULL) {
		fprintf(stderr, "cmt-lab: no scenario given; `cmt-lab list` shows what there is\n");
		return LAB_EXIT_USAGE;
	}
	if (lab_scenario_load(s, o->operand, &error) != 0) {
		fprintf(
		    stderr, "%s%s\n",
		    strchr(error.text, ':') != NULL && error.text[0] != '"' ? "" : "cmt-lab: ", error.text);
		return LAB_EXIT_USAGE;
	}
	if (lab_options_apply(o, s, &error) != 0) {
		fprintf(stderr, "cmt-lab: %s\n", error.text);
		return LAB_EXIT_USAGE;
	}
	if (o->run.only_path >= s->n_paths) {
		fprintf(stderr, "cmt-lab: --only-path: \"%d\" is not a path of %s; write 1 to %d\n",
		        o->run.only_path + 1, s->name, s->n_paths);
		return LAB_EXIT_USAGE;
	}
	return 0;
}
