/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Targets as data, the points that they ask for, and how points are judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "scenario/ceiling.h"
#include "results/results_page.h"
#include "batch/summary.h"
#include "targets/target_measure.h"
#include "targets/target_points.h"
#include "results/target_results.h"

#define TWO_PATHS "10Mbit/20ms,10Mbit/20ms,q=100p"

static struct lab_target_points points_of(const struct lab_target *target)
{
	struct lab_target_points points;
	struct lab_error error = {.text = ""};

	if (lab_target_points(target, &points, &error) != 0)
		fail_msg("%s: %s", target->what, error.text);
	return points;
}

static void every_target_of_every_group_has_points(void **state)
{
	const struct lab_target_group *group;
	size_t i;

	(void)state;
	for (i = 0; (group = lab_target_group(i)) != NULL; i++) {
		assert_true(group->n >= 8);
		for (size_t k = 0; k < group->n; k++) {
			struct lab_target_points points = points_of(&group->targets[k]);
			struct lab_error error;

			assert_true(points.n > 0);
			assert_true((group->targets[k].of == LAB_OF_OTHER) ==
			            (group->targets[k].other != NULL));
			assert_int_equal(lab_target_other(&group->targets[k], &points.runs[0], &error), 0);
			free(points.runs);
		}
	}
	assert_int_equal(i, 6);
}

static void results_of_the_same_rows_and_seeds_are_taken_over(void **state)
{
	struct lab_study few = {.n_rows = 0}, more = {.n_rows = 0};
	const struct lab_run base = {.seed = 1};

	(void)state;
	lab_study_add(&few, "rr", -1);
	lab_study_add(&few, "lcm", 0);
	lab_study_prepare(&few, &base, 1);
	for (int i = 0; i < 2; i++)
		few.jobs[i].result = json_integer(i);
	lab_study_add(&more, "lcm", 0);
	lab_study_add(&more, "lcm", -1);
	lab_study_prepare(&more, &base, 2);
	lab_study_take(&more, &few);
	lab_study_free(&few);
	assert_int_equal(json_integer_value(more.jobs[0].result), 1);
	assert_non_null(more.jobs[0].result);
	for (int i = 1; i < 4; i++)
		assert_null(more.jobs[i].result);
	lab_study_free(&more);
}

static void points_are_every_buffer_with_every_control(void **state)
{
	struct lab_target_points points = points_of(&(struct lab_target){
	    .scenarios = TWO_PATHS ",rcvbuf=77kB", .rcvbufs = "own 2W", .controls = "veno rate:queue_us=5"});

	(void)state;
	assert_int_equal(points.n, 4);
	assert_int_equal(points.runs[0].scenario.rcvbuf_bytes, 77000);
	assert_int_equal(points.runs[1].scenario.rcvbuf_bytes, 77000);
	assert_int_equal(points.runs[2].scenario.rcvbuf_bytes, 200000); /* 2 x 2 x 10 Mbit/s x 40 ms */
	assert_string_equal(points.runs[2].cc.name, "veno");
	assert_string_equal(points.runs[3].cc.name, "rate");
	assert_string_equal(points.runs[3].cc.options, "queue_us=5");
	free(points.runs);
}

static void a_transfer_lasts_20_s_at_the_ceiling_or_as_written(void **state)
{
	struct lab_target target = {.scenarios = "fail"};
	struct lab_target_points points = points_of(&target);

	(void)state;
	assert_int_equal(points.runs[0].scenario.duration_us, 0);
	assert_in_range(points.runs[0].scenario.bytes, 46000000, 48000000);
	assert_string_equal(points.runs[0].cc.name, "");
	free(points.runs);
	target.as_written = true;
	points = points_of(&target);
	assert_int_equal(points.runs[0].scenario.duration_us, 20000000);
	free(points.runs);
}

static void other_changes_links_and_control(void **state)
{
	struct lab_target target = {.scenarios = TWO_PATHS, .set = "path.1.loss=1%"};
	struct lab_target_points points = points_of(&target);
	struct lab_error error;

	(void)state;
	assert_float_equal(points.runs[0].scenario.links[0][0].loss, 0.01, 1e-9);
	target.other = "path.1.loss=0 cc=uncoupled";
	assert_int_equal(lab_target_other(&target, &points.runs[0], &error), 0);
	assert_float_equal(points.runs[0].scenario.links[0][0].loss, 0, 1e-9);
	assert_string_equal(points.runs[0].cc.name, "uncoupled");
	target.other = "cc=cubic";
	assert_int_equal(lab_target_other(&target, &points.runs[0], &error), -1);
	assert_non_null(strstr(error.text, "cubic"));
	free(points.runs);
	target.controls = "cubic";
	assert_int_equal(lab_target_points(&target, &points, &error), -1);
	free(points.runs);
}

static struct lab_verdict judge(const struct lab_target *t, const double *medians, size_t n)
{
	struct lab_verdict v = {.n = 0};

	for (size_t i = 0; i < n; i++) {
		/* A negative one was not measured. */
		struct lab_summary s = {.known = medians[i] >= 0, .median = medians[i]};

		lab_target_judge(t, LAB_COLUMN_PROMISED, &v, &s);
	}
	return v;
}

static void the_worst_point_counts(void **state)
{
	const struct lab_target least = {.at_least = true, .limit = 0.9}, most = {.limit = 0.9};
	struct lab_verdict v = judge(&least, (double[]){1.2, 0.95, 1.0}, 3);

	(void)state;
	assert_true(v.met && v.known);
	assert_float_equal(v.value, 0.95, 1e-9);
	v = judge(&least, (double[]){0.8, 1.0}, 2);
	assert_false(v.met);
	assert_float_equal(v.value, 0.8, 1e-9);
	v = judge(&most, (double[]){0.2, 0.95, 0.3}, 3);
	assert_false(v.met);
	assert_float_equal(v.value, 0.95, 1e-9);
	assert_true(judge(&most, (double[]){0.2, 0.9}, 2).met);
}

static void a_range_has_two_ends(void **state)
{
	const struct lab_target range = {.at_least = true, .limit = 0.8, .at_most = 1.2};
	struct lab_verdict v = judge(&range, (double[]){1.0, 1.15, 0.9}, 3);

	(void)state;
	assert_true(v.met);
	assert_float_equal(v.value, 1.15, 1e-9);
	v = judge(&range, (double[]){1.0, 1.3}, 2);
	assert_false(v.met);
	assert_float_equal(v.value, 1.3, 1e-9);
	assert_false(judge(&range, (double[]){0.7, 1.0}, 2).met);
}

static void of_the_best_control_one_point_is_enough(void **state)
{
	const struct lab_target best = {.at_least = true, .best_counts = true, .limit = 2.0};
	struct lab_verdict v = judge(&best, (double[]){1.5, 2.5, 1.9}, 3);

	(void)state;
	assert_true(v.met);
	assert_float_equal(v.value, 2.5, 1e-9);
	v = judge(&best, (double[]){1.5, 1.9}, 2);
	assert_false(v.met);
	assert_float_equal(v.value, 1.9, 1e-9);
}

static void what_was_not_measured_is_missed(void **state)
{
	const struct lab_target least = {.at_least = true, .limit = 0.1}, none = {.limit = LAB_NO_TARGET};

	(void)state;
	assert_false(judge(&least, (double[]){1.0, -1}, 2).met);
	assert_false(judge(&least, (double[]){-1, 1.0}, 2).met);
	assert_false(judge(&least, (double[]){-1, 1.0}, 2).known);
	assert_false(judge(&none, (double[]){-1}, 1).met);
	assert_true(judge(&none, (double[]){5.0}, 1).met);
}

static void stock_is_measured_where_it_can_be_compared(void **state)
{
	const struct lab_target named = {.scenarios = "ocps", .lcm = LAB_NO_TARGET},
	                        set = {.scenarios = LAB_ALL_LOSSY, .lcm = 1.0},
	                        other = {.scenarios = "ocps", .of = LAB_OF_OTHER, .scheduler = "rr"};

	(void)state;
	assert_true(lab_target_has(&named, LAB_COLUMN_STOCK));
	assert_false(lab_target_has(&set, LAB_COLUMN_STOCK));
	assert_false(lab_target_has(&other, LAB_COLUMN_STOCK));
	assert_false(lab_target_has(&named, LAB_COLUMN_LCM));
	assert_true(lab_target_has(&set, LAB_COLUMN_LCM));
	assert_string_equal(lab_target_scheduler(&named, LAB_COLUMN_PROMISED), "arrival");
	assert_string_equal(lab_target_scheduler(&other, LAB_COLUMN_PROMISED), "rr");
}

/* A study of two paths, one seed: all paths, stock, plain path 1 and 2, the same stack on path 1 and 2. */
static void make_study(struct lab_study *study, const double *goodputs_bps)
{
	struct lab_run base = {.only_path = -1};
	struct lab_error error;

	assert_int_equal(lab_scenario_load(&base.scenario, TWO_PATHS ",loss=1%,msg=1000", &error), 0);
	*study = (struct lab_study){.n_rows = 0};
	lab_study_add(study, "arrival", -1);
	lab_study_add(study, LAB_STOCK, -1);
	lab_study_add_single_paths(study, LAB_STOCK, &base.scenario);
	lab_study_add_single_paths(study, "arrival", &base.scenario);
	lab_study_prepare(study, &base, 1);
	for (unsigned i = 0; i < study->n_rows; i++) {
		study->jobs[i].result =
		    json_pack("{s:f, s:b}", "goodput_bps", goodputs_bps[i], "extension", 1);
	}
}

static void a_value_is_divided_by_what_the_target_says(void **state)
{
	static struct lab_study study, other;
	struct lab_target t = {.scenarios = TWO_PATHS, .key = "goodput_bps", .lcm = LAB_NO_TARGET};
	const struct {
		enum lab_baseline of;
		double arrival, stock; /* 0 = unknown */
	} cases[] = {
	    {LAB_OF_NOTHING, 12e6, 6e6},
	    {LAB_OF_PLAIN_PATH, 12.0 / 4, 6.0 / 4},
	    {LAB_OF_SAME_STACK, 12.0 / 8, 6.0 / 4},
	    {LAB_OF_STOCK, 2, 1},
	    {LAB_OF_BEST_PEER, 2, 1},
	    {LAB_OF_OTHER, 12.0 / 10, 0},
	    {LAB_OF_CAPACITY, 12.0 / 20, 6.0 / 20},
	    {LAB_OF_LOSS_BOUND, 12 / 4.7783174, 6 / 4.7783174},
	    {LAB_OF_BEST_CEILING, 12 / (10.0 * 1000 / 1064), 6 / (10.0 * 1000 / 1064)},
	};

	(void)state;
	make_study(&study, (double[]){12e6, 6e6, 3e6, 4e6, 8e6, 7e6});
	make_study(&other, (double[]){10e6, 0, 0, 0, 0, 0});
	other.rows[1].only_path = 0; /* stock was not run there */
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct lab_summary v;

		t.of = cases[i].of;
		v = lab_target_value(&t, &study, &other, LAB_COLUMN_PROMISED);
		assert_float_equal((float)(v.median / cases[i].arrival), 1, 1e-6);
		v = lab_target_value(&t, &study, &other, LAB_COLUMN_STOCK);
		assert_int_equal(v.known, cases[i].stock > 0);
		if (v.known)
			assert_float_equal((float)(v.median / cases[i].stock), 1, 1e-6);
		assert_false(lab_target_value(&t, &study, &other, LAB_COLUMN_LCM).known);
	}
	lab_study_free(&study);
	/* Where a plain path is the better peer. */
	make_study(&study, (double[]){12e6, 2e6, 3e6, 4e6, 8e6, 7e6});
	t.of = LAB_OF_BEST_PEER;
	assert_float_equal((float)lab_target_value(&t, &study, &other, LAB_COLUMN_PROMISED).median, 3, 1e-6);
	lab_study_free(&study);
	lab_study_free(&other);
}

/* 1.1, 1.2, 1.3: each seed by itself. Student's t for two degrees of freedom is 3.85 here, 4.30 in tables. */
static void pairs_are_divided_seed_by_seed_and_have_a_mean_with_its_error(void **state)
{
	struct lab_job jobs[3], of[3];
	struct lab_summary v;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		jobs[i].result = json_pack("{s:f}", "x", (1.1 + 0.1 * i) * (i + 1));
		of[i].result = json_pack("{s:f}", "x", i + 1.0);
	}
	v = lab_summarise_ratios(jobs, of, 3, "x");
	assert_true(v.known);
	assert_float_equal(v.min, 1.1, 1e-9);
	assert_float_equal(v.median, 1.2, 1e-9);
	assert_float_equal(v.mean, 1.2, 1e-9);
	assert_float_equal((float)(v.error / ((1.96 + 2.37 / 2 + 2.8 / 4) * 0.1 / 1.7320508)), 1, 1e-6);
	json_object_set_new(of[2].result, "x", json_real(0));
	assert_false(lab_summarise_ratios(jobs, of, 3, "x").known);
	for (unsigned i = 0; i < 3; i++) {
		json_decref(jobs[i].result);
		json_decref(of[i].result);
	}
}

static void a_pair_is_judged_by_the_worse_end_of_its_interval(void **state)
{
	const struct lab_target least = {.paired = true, .at_least = true, .limit = 1};
	const struct lab_target most = {.paired = true, .limit = 1};
	struct lab_verdict v = {.n = 0};

	(void)state;
	lab_target_judge(&least, LAB_COLUMN_PROMISED, &v,
	                 &(struct lab_summary){.known = true, .median = 2, .mean = 1.02, .error = 0.01});
	assert_true(v.met);
	assert_float_equal(v.value, 1.02, 1e-9);
	assert_float_equal(v.error, 0.01, 1e-9);
	v = (struct lab_verdict){.n = 0};
	lab_target_judge(&least, LAB_COLUMN_PROMISED, &v,
	                 &(struct lab_summary){.known = true, .median = 2, .mean = 1.02, .error = 0.03});
	assert_false(v.met);
	v = (struct lab_verdict){.n = 0};
	lab_target_judge(&most, LAB_COLUMN_PROMISED, &v,
	                 &(struct lab_summary){.known = true, .median = 0.5, .mean = 0.98, .error = 0.03});
	assert_false(v.met);
}

static void items_of_a_list_have_a_mean(void **state)
{
	struct lab_job job = {.result = json_pack("{s:[f,f,f,f], s:f}", "w", 8.0, 1.0, 2.0, 6.0, "x", 5.0)};

	(void)state;
	assert_float_equal(lab_summarise(&job, 1, "w[1..3]").median, 3, 1e-9);
	assert_float_equal(lab_summarise(&job, 1, "w[0..0]").median, 8, 1e-9);
	assert_float_equal(lab_summarise(&job, 1, "x").median, 5, 1e-9);
	assert_false(lab_summarise(&job, 1, "w[2..4]").known); /* the transfer was over before */
	assert_false(lab_summarise(&job, 1, "w[3..1]").known);
	assert_false(lab_summarise(&job, 1, "v[0..1]").known);
	json_decref(job.result);
}

/* Not assert_float_equal(): infinity equals everything there. */
static void assert_near(double got, double wanted)
{
	if (!(got > wanted * (1 - 1e-6) && got < wanted * (1 + 1e-6)))
		fail_msg("%.9g is not %.9g", got, wanted);
}

/* 1.22 x 8000 bits / ((40 ms + 1064 bytes at 10 Mbit/s) x 0.1), twice. */
static void the_bound_of_loss_is_the_formulas(void **state)
{
	static struct lab_scenario s;
	struct lab_error error;

	(void)state;
	assert_int_equal(lab_scenario_load(&s, TWO_PATHS ",loss=1%,msg=1000", &error), 0);
	assert_near(lab_loss_bound_bps(&s, true), 2 * 1.22 * 8000 / (0.0408512 * 0.1));
	/* Without the extension a packet is shorter by 16 bytes. */
	assert_near(lab_loss_bound_bps(&s, false), 2 * 1.22 * 8000 / (0.0408384 * 0.1));
	/* A path without loss has its ceiling, and so has one that could be faster. */
	assert_int_equal(lab_scenario_load(&s, "10Mbit/20ms,1Mbit/20ms/loss=0.01%,msg=1000", &error), 0);
	assert_near(lab_loss_bound_bps(&s, true), 11e6 * 1000 / 1064);
	/* Loss of a shared link is the path's, too. */
	assert_int_equal(
	    lab_scenario_load(&s, "10Mbit/20ms/via=core,link.core=20Mbit/0ms/loss=1%,msg=1000", &error), 0);
	assert_near(lab_loss_bound_bps(&s, true), 1.22 * 8000 / (0.0408512 * 0.1));
	/* Of a message in two fragments, 750 bytes each. */
	assert_int_equal(lab_scenario_load(&s, "10Mbit/20ms/loss=1%,msg=1500", &error), 0);
	assert_near(lab_loss_bound_bps(&s, false), 1.22 * 6000 / ((0.04 + 798 * 8 / 10e6) * 0.1));
}

/* --- files --- */

static void report(const char *directory, size_t group, size_t target, const char *only, double value)
{
	static const char *const title = "Schedulers of the papers, and the automatic choice";
	struct lab_target_report r;
	struct lab_error error;
	struct lab_verdict verdicts[LAB_COLUMNS] = {
	    [LAB_COLUMN_PROMISED] = {.known = true, .met = true, .value = value, .n = 1}};

	struct lab_target_values values = {
	    .of = {[LAB_COLUMN_PROMISED] = {.min = value, .median = value, .max = value, .known = true}}};
	struct lab_run point = {.scenario = {.name = "net"}};
	char *old_verdicts = lab_results_page_get(directory, LAB_PAGE_RESULTS, title);
	char *old_points = lab_results_page_get(directory, LAB_PAGE_POINTS, title);

	lab_target_report_start(&r, lab_target_group(group), 3);
	for (size_t i = 0; i < r.group->n; i++) {
		if (i == target) {
			lab_target_report_point(&r, &r.group->targets[i], &point, &values);
			lab_target_report_target(&r, &r.group->targets[i], verdicts);
		} else if (*only != '\0') {
			lab_target_report_keep(&r, &r.group->targets[i], old_verdicts, old_points);
		}
	}
	free(old_verdicts);
	free(old_points);
	assert_int_equal(lab_results_of_targets(directory, &r, only, &error), 0);
	lab_target_report_free(&r);
}

static void read_text(const char *path, char *text, size_t text_bytes)
{
	FILE *in = fopen(path, "r");

	assert_non_null(in);
	text[fread(text, 1, text_bytes - 1, in)] = '\0';
	fclose(in);
}

static double measured(const json_t *all, size_t i)
{
	return json_real_value(
	    json_object_get(json_object_get(json_array_get(all, i), "arrival"), "measured"));
}

static void a_group_leaves_what_others_wrote(void **state)
{
	char directory[] = "/tmp/test_lab_targets.XXXXXX", path[64], text[8192];
	json_t *all;

	(void)state;
	assert_non_null(mkdtemp(directory));
	report(directory, 1, 0, "", 0.25);
	report(directory, 0, 0, "", 0.5);
	report(directory, 1, 0, "", 0.125);
	snprintf(path, sizeof(path), "%s/results.json", directory);
	all = json_load_file(path, 0, NULL);
	assert_int_equal(json_array_size(all), 2);
	assert_float_equal(measured(all, 0), 0.5, 1e-9); /* in the order of groups */
	assert_float_equal(measured(all, 1), 0.125, 1e-9);
	json_decref(all);
	remove(path);
	snprintf(path, sizeof(path), "%s/results.md", directory);
	read_text(path, text, sizeof(text));
	assert_non_null(strstr(text, "| 0.5 |"));
	assert_non_null(strstr(text, "| 0.125 |"));
	assert_null(strstr(text, "| 0.25 |"));
	assert_int_equal(strncmp(text, "# Results\n", 10), 0);
	assert_null(strstr(text, "(0.5..0.5)"));
	remove(path);
	snprintf(path, sizeof(path), "%s/points.md", directory);
	read_text(path, text, sizeof(text));
	assert_int_equal(strncmp(text, "# Every point", 13), 0);
	assert_non_null(strstr(text, "0.5 (0.5..0.5)"));
	assert_non_null(strstr(text, "0.125 (0.125..0.125)"));
	assert_null(strstr(text, "(0.25..0.25)"));
	remove(path);
	remove(directory);
}

static void a_row_run_alone_leaves_the_others(void **state)
{
	char directory[] = "/tmp/test_lab_targets.XXXXXX", path[64], text[8192];
	const char *first, *second;
	json_t *all;

	(void)state;
	assert_non_null(mkdtemp(directory));
	report(directory, 2, 3, "", 0.625);
	report(directory, 2, 1, "one", 0.5);
	report(directory, 2, 1, "one", 0.25);
	snprintf(path, sizeof(path), "%s/results.json", directory);
	all = json_load_file(path, 0, NULL);
	assert_int_equal(json_array_size(all), 2);
	assert_float_equal(
	    json_real_value(json_object_get(json_object_get(json_array_get(all, 0), "osia"), "measured")),
	    0.25, 1e-9);
	assert_float_equal(measured(all, 1), 0.625, 1e-9);
	json_decref(all);
	remove(path);
	snprintf(path, sizeof(path), "%s/results.md", directory);
	read_text(path, text, sizeof(text));
	first = strstr(text, "| 25 % |");
	second = strstr(text, "| 62.5 % |");
	assert_true(first != NULL && second > first);
	assert_null(strstr(text, "| 50 % |"));
	assert_non_null(strstr(text, "\n`cmt-lab targets --group schedulers --seeds 3`\n"
	                             "`cmt-lab targets --group schedulers --only \"one\" --seeds 3`\n\n|"));
	/* The points of both are there, too. */
	remove(path);
	snprintf(path, sizeof(path), "%s/points.md", directory);
	read_text(path, text, sizeof(text));
	first = strstr(text, "| net | 0 B | osia | - | 0.25 (0.25..0.25) |");
	assert_true(first != NULL &&
	            strstr(first, "| net | 0 B | arrival | - | 0.625 (0.625..0.625) |") != NULL);
	remove(path);
	remove(directory);
}

static void a_grid_has_every_combination_and_names_it(void **state)
{
	struct lab_target target = {.scenarios = "osia-base",
	                            .grid = "path.2.rate path.2.delay",
	                            .rcvbufs = "1W",
	                            .as_written = true};
	struct lab_target_points points = points_of(&target);
	struct lab_error error;

	(void)state;
	assert_int_equal(points.n, 25);
	assert_string_equal(points.runs[1].scenario.name, "osia-base path.2.rate=0.5Mbit path.2.delay=50ms");
	assert_int_equal(points.runs[24].scenario.links[1][0].rate_bps, 4000000);
	assert_int_equal(points.runs[24].scenario.links[1][0].delay_us, 200000);
	/* W_min is that of the point: (1 Mbit/s x 100 ms + 4 Mbit/s x 400 ms) / 8. */
	assert_int_equal(points.runs[24].scenario.rcvbuf_bytes, 212500);
	free(points.runs);
	target.grid = "path.3.rate";
	assert_int_equal(lab_target_points(&target, &points, &error), -1);
	assert_string_equal(error.text, "osia-base: no grid of path.3.rate");
	free(points.runs);
}

static void a_share_of_the_points_is_enough(void **state)
{
	const struct lab_target share = {.limit = 0, .share = 0.75};
	struct lab_verdict v = judge(&share, (double[]){0, 0, 7, 0}, 4);

	(void)state;
	assert_true(v.met && v.known);
	assert_float_equal(v.value, 0.75, 1e-9);
	v = judge(&share, (double[]){0, 2, 7, 0}, 4);
	assert_false(v.met);
	assert_float_equal(v.value, 0.5, 1e-9);
	assert_false(judge(&share, (double[]){0, -1, -1, 0}, 4).met);
}

static void the_best_other_is_a_scheduler_or_the_same_stack_on_one_path(void **state)
{
	static struct lab_study study;
	const struct lab_target t = {.scenarios = TWO_PATHS,
	                             .key = "goodput_bps",
	                             .scheduler = "arrival",
	                             .of = LAB_OF_BEST_OTHER,
	                             .lcm = LAB_NO_TARGET};

	(void)state;
	/* Neither stock CMT nor plain SCTP counts: their control is another. */
	make_study(&study, (double[]){12e6, 20e6, 3e6, 24e6, 8e6, 7e6});
	assert_float_equal(lab_target_value(&t, &study, NULL, LAB_COLUMN_PROMISED).median, 1.5, 1e-9);
	snprintf(study.rows[2].scheduler, sizeof(study.rows[2].scheduler), "rr");
	study.rows[2].only_path = -1;
	json_object_set_new(study.jobs[2].result, "goodput_bps", json_real(16e6));
	assert_float_equal(lab_target_value(&t, &study, NULL, LAB_COLUMN_PROMISED).median, 0.75, 1e-9);
	lab_study_free(&study);
	assert_false(lab_target_has(&t, LAB_COLUMN_STOCK));
}

static void nothing_of_nothing_is_as_little_as_can_be(void **state)
{
	static struct lab_study study, other;
	struct lab_target t = {
	    .scenarios = TWO_PATHS, .key = "goodput_bps", .of = LAB_OF_OTHER, .other = "cc=veno"};

	(void)state;
	make_study(&study, (double[6]){0});
	make_study(&other, (double[6]){0});
	assert_true(lab_target_value(&t, &study, &other, LAB_COLUMN_PROMISED).known);
	t.at_least = true;
	assert_false(lab_target_value(&t, &study, &other, LAB_COLUMN_PROMISED).known);
	lab_study_free(&study);
	lab_study_free(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_target_of_every_group_has_points),
	    cmocka_unit_test(results_of_the_same_rows_and_seeds_are_taken_over),
	    cmocka_unit_test(points_are_every_buffer_with_every_control),
	    cmocka_unit_test(a_transfer_lasts_20_s_at_the_ceiling_or_as_written),
	    cmocka_unit_test(other_changes_links_and_control),
	    cmocka_unit_test(the_worst_point_counts),
	    cmocka_unit_test(a_range_has_two_ends),
	    cmocka_unit_test(of_the_best_control_one_point_is_enough),
	    cmocka_unit_test(what_was_not_measured_is_missed),
	    cmocka_unit_test(stock_is_measured_where_it_can_be_compared),
	    cmocka_unit_test(a_value_is_divided_by_what_the_target_says),
	    cmocka_unit_test(pairs_are_divided_seed_by_seed_and_have_a_mean_with_its_error),
	    cmocka_unit_test(a_pair_is_judged_by_the_worse_end_of_its_interval),
	    cmocka_unit_test(items_of_a_list_have_a_mean),
	    cmocka_unit_test(the_bound_of_loss_is_the_formulas),
	    cmocka_unit_test(a_group_leaves_what_others_wrote),
	    cmocka_unit_test(a_row_run_alone_leaves_the_others),
	    cmocka_unit_test(a_grid_has_every_combination_and_names_it),
	    cmocka_unit_test(a_share_of_the_points_is_enough),
	    cmocka_unit_test(the_best_other_is_a_scheduler_or_the_same_stack_on_one_path),
	    cmocka_unit_test(nothing_of_nothing_is_as_little_as_can_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
