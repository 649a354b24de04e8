/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Settings as text, sweeps as data, their values, and the sentences made of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "results/advice.h"
#include "setup/run_settings.h"
#include "base/samples.h"
#include "batch/study.h"
#include "sweeps/sweep.h"

/* --- words and settings --- */

static void check_words(const char *text, const char *joined)
{
	struct lab_words w = lab_words_split(text);
	char all[200] = "";

	for (unsigned i = 0; i < w.n; i++) {
		strcat(strcat(all, i == 0 ? "" : "|"), w.word[i]);
	}
	assert_string_equal(all, joined);
	lab_words_free(&w);
}

static void words_are_split_at_blanks_and_ranges_counted_out(void **state)
{
	(void)state;
	check_words(NULL, "");
	check_words("  ", "");
	check_words("a  bc d", "a|bc|d");
	check_words("2..4", "2|3|4");
	check_words("x random:9..11 y", "x|random:9|random:10|random:11|y");
	check_words("a..b 1.. 4..4 ..5 1..2x", "a..b|1..|4|..5|1..2x");
}

static struct lab_run run_of(const char *scenario, const char *settings)
{
	struct lab_run run = {.only_path = -1};
	struct lab_error error = {.text = ""};

	if (lab_scenario_load(&run.scenario, scenario, &error) != 0 ||
	    lab_run_settings(&run, settings, &error) != 0) {
		fail_msg("%s", error.text);
	}
	return run;
}

static void settings_change_a_run_in_their_order(void **state)
{
	struct lab_run run =
	    run_of("10Mbit/20ms,10Mbit/20ms,5Mbit/1ms", "paths=2 rcvbuf=2W path.2.rate=5Mbit "
	                                                "delay_error=-50 cc=veno only_path=2 "
	                                                "scheduler=rr options=quantum_us=5");

	(void)state;
	assert_int_equal(run.scenario.n_paths, 2);
	assert_int_equal(run.scenario.rcvbuf_bytes, 200000); /* of both paths as they were */
	assert_int_equal(run.scenario.links[1][0].rate_bps, 5000000);
	assert_int_equal(run.delay_error_pct, -50);
	assert_string_equal(run.cc.name, "veno");
	assert_int_equal(run.only_path, 1);
	assert_string_equal(run.scheduler, "rr");
	assert_string_equal(run.options, "quantum_us=5");
	assert_int_equal(run_of("sarwar1", "rcvbuf=0.01W").scenario.rcvbuf_bytes, 4500);
	assert_int_equal(run_of("sarwar1", "rcvbuf=30kB").scenario.rcvbuf_bytes, 30000);
}

static void a_load_is_relative_to_the_ceiling(void **state)
{
	struct lab_run run = run_of("10Mbit/20ms,msg=1000", "load=75%");

	(void)state;
	assert_int_equal(run.scenario.source.kind, LAB_SOURCE_CBR);
	assert_in_range(run.scenario.source.cbr_bps, 7048871, 7048873); /* 7.5 Mbit/s x 1000 / 1064 */
	lab_run_set_transfer(&run.scenario, 3, 1e6);
	assert_int_equal(run.scenario.duration_us, 3000000);
	assert_int_equal(run.scenario.bytes, 0);
	run = run_of("10Mbit/20ms,msg=1000", NULL);
	lab_run_set_transfer(&run.scenario, 2, 1e6);
	assert_int_equal(run.scenario.bytes, 1000000);
	lab_run_set_transfer(&run.scenario, 0.5, 1e6);
	assert_in_range(run.scenario.bytes, 587406, 587407);
}

static void wrong_settings_are_named(void **state)
{
	static const char *const wrong[][2] = {{"paths=3", "paths: \"3\" is not a whole number from 1 to 2"},
	                                       {"load=0", "load: \"0\" is not a load; write 75%"},
	                                       {"delay_error=x", "delay_error: \"x\" is not a whole number"},
	                                       {"rcvbuf", "\"rcvbuf\" is not KEY=VALUE"},
	                                       {"cc=cubic", "cubic"},
	                                       {"only_path=0", "only_path: \"0\""},
	                                       {"path.1.speed=3", "path.1.speed"}};
	struct lab_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct lab_run run = run_of("sarwar1", NULL);

		assert_int_equal(lab_run_settings(&run, wrong[i][0], &error), -1);
		if (strstr(error.text, wrong[i][1]) == NULL)
			fail_msg("%s: %s", wrong[i][0], error.text);
	}
}

/* --- sweeps --- */

static void every_point_of_every_sweep_is_a_run(void **state)
{
	const struct lab_sweep *s;

	(void)state;
	for (size_t i = 0; (s = lab_sweep(i)) != NULL; i++) {
		struct lab_words x = lab_words_split(s->x);

		assert_ptr_equal(lab_sweep_by_name(s->name), s);
		assert_true(x.n >= 4 && s->n_metrics >= 1 && s->n_seeds >= 1);
		for (unsigned k = 0; k < x.n; k++) {
			struct lab_run run;
			struct lab_error error;

			if (lab_sweep_point(s, x.word[k], 1, &run, &error) != 0)
				fail_msg("%s %s: %s", s->name, x.word[k], error.text);
		}
		lab_words_free(&x);
	}
	assert_null(lab_sweep_by_name("nothing"));
}

static void a_point_has_its_value_wherever_the_sign_stands(void **state)
{
	struct lab_run run;
	struct lab_error error;

	(void)state;
	assert_int_equal(lab_sweep_point(lab_sweep_by_name("jitter"), "20", 1, &run, &error), 0);
	assert_int_equal(run.scenario.links[0][0].jitter_us, 2000);
	assert_int_equal(run.scenario.links[1][1].jitter_us, 20000);
	assert_int_equal(lab_sweep_point(lab_sweep_by_name("random"), "17", 0.5, &run, &error), 0);
	assert_string_equal(run.scenario.name, "random:17");
	assert_int_equal(lab_sweep_point(lab_sweep_by_name("delay-error"), "-25", 1, &run, &error), 0);
	assert_int_equal(run.delay_error_pct, -25);
}

static const struct lab_sweep sample = {
    .name = "sample",
    .title = "Sample",
    .x_axis = "size",
    .metrics = {{.key = "up", .axis = "up (1)"}, {.key = "down", .axis = "down (ms)", .less = true}},
    .n_metrics = 2};

/* Two x; of each metric the schedulers' values at the first and the second. Below 0: unknown. */
static void make(struct lab_sweep_values *v, const char *schedulers, const double (*values)[2])
{
	*v = (struct lab_sweep_values){.sweep = &sample,
	                               .x = lab_words_split("1 2.5"),
	                               .schedulers = lab_words_split(schedulers),
	                               .n_seeds = 3};
	v->values = lab_grow(NULL, (size_t)4 * v->schedulers.n, sizeof(*v->values));
	for (unsigned i = 0; i < 4 * v->schedulers.n; i++) {
		double one = values[i / 2][i % 2];

		v->values[i] = (struct lab_summary){
		    .min = one - 0.125, .median = one, .max = one + 0.125, .known = one >= 0};
	}
}

static const double three[][2] = {{1, 2}, {4, 1}, {2, -1}, {8, 4}, {2, 0}, {4, 5}};

static void more_or_less_is_better(void **state)
{
	struct lab_sweep_values v;

	(void)state;
	make(&v, "a b c", three);
	assert_float_equal(lab_sweep_against(&v, 0, 1, 0, 0), 4, 1e-9);
	assert_float_equal(lab_sweep_against(&v, 1, 1, 0, 0), 4, 1e-9);
	assert_true(lab_sweep_against(&v, 1, 1, 0, 1) > 1e9); /* nothing against something */
	assert_float_equal(lab_sweep_against(&v, 1, 1, 1, 1), 1, 1e-9);
	assert_float_equal(lab_sweep_against(&v, 0, 2, 0, 1), 0, 1e-9); /* not measured */
	assert_int_equal(lab_sweep_best(&v, 0, 0, -1), 1);
	assert_int_equal(lab_sweep_best(&v, 0, 0, 1), 2);
	assert_int_equal(lab_sweep_best(&v, 0, 1, 0), 1);
	assert_int_equal(lab_sweep_best(&v, 1, 0, -1), 1);
	lab_sweep_free(&v);
}

static void values_come_back_from_their_file(void **state)
{
	char directory[] = "/tmp/test_lab_sweep.XXXXXX", path[64];
	struct lab_sweep_values v, again;
	struct lab_error error;

	(void)state;
	assert_non_null(mkdtemp(directory));
	make(&v, "a b best_path", three);
	assert_int_equal(lab_sweep_read(&sample, directory, &again, &error), 1);
	assert_int_equal(lab_sweep_write(&v, directory, &error), -1);
	assert_non_null(strstr(error.text, "/sweeps/sample.csv: "));
	snprintf(path, sizeof(path), "%s/sweeps", directory);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(v.schedulers.word[2], LAB_WORD_BYTES, "%s", LAB_BEST_PATH);
	assert_int_equal(lab_sweep_write(&v, directory, &error), 0);
	assert_int_equal(lab_sweep_read(&sample, directory, &again, &error), 0);
	assert_int_equal(again.n_seeds, 3);
	assert_int_equal(again.x.n, 2);
	assert_string_equal(again.x.word[1], "2.5");
	assert_string_equal(again.schedulers.word[2], LAB_BEST_PATH);
	for (unsigned i = 0; i < 12; i++) {
		assert_int_equal(again.values[i].known, v.values[i].known);
		if (v.values[i].known) {
			assert_float_equal(again.values[i].min, v.values[i].min, 1e-6);
			assert_float_equal(again.values[i].max, v.values[i].max, 1e-6);
		}
	}
	lab_sweep_free(&again);
	lab_sweep_free(&v);
	snprintf(path, sizeof(path), "%s/sweeps/sample.csv", directory);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(lab_sweep_read(&sample, directory, &again, &error), -1);
	assert_non_null(strstr(error.text, "sample.csv: not a sweep's file"));
	lab_sweep_free(&again);
	remove(path);
	snprintf(path, sizeof(path), "%s/sweeps", directory);
	remove(path);
	remove(directory);
}

/* --- sentences --- */

static void check_claim(const struct lab_sweep_values *v, unsigned metric, const char *a, const char *b,
                        double ratio, const char *sentence)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(lab_advice_claim(v, metric, "1", a, b, ratio, "of {a} and {b}.", out),
	                 *sentence != '\0');
	fclose(out);
	assert_string_equal(text, sentence);
	free(text);
}

static void a_claim_that_the_numbers_do_not_bear_out_is_left_out(void **state)
{
	struct lab_sweep_values v;

	(void)state;
	make(&v, "a b c", three);
	check_claim(&v, 0, "b", "a", 4, "* of 4 and 1.\n");
	check_claim(&v, 0, "b", "a", 4.1, "");
	check_claim(&v, 1, "b", "c", 2, "* of 2 and 4.\n");
	check_claim(&v, 1, "c", "b", 1, "");
	check_claim(&v, 0, "b", "d", 0.1, ""); /* was not run */
	lab_sweep_free(&v);
}

static void losing_is_said_with_the_worst_point(void **state)
{
	struct lab_sweep_values v;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	make(&v, "a b c", three);
	assert_true(lab_advice_loss(&v, 0, "c", out));
	assert_true(lab_advice_loss(&v, 0, "b", out));
	assert_false(lab_advice_loss(&v, 1, "b", out));
	assert_false(lab_advice_loss(&v, 1, "d", out));
	fclose(out);
	assert_string_equal(
	    text, "* `c`, sample, up (1): behind in 1 of 2 points, most at size 1: 2 against 4 of b.\n"
	          "* `b`, sample, up (1): behind in 1 of 2 points, most at size 2.5: 1 against 2 of a.\n");
	free(text);
	lab_sweep_free(&v);
}

static void a_use_names_all_that_are_as_good(void **state)
{
	static const double values[][2] = {{0.985, 1}, {1, 1}, {0.97, 2}, {1, 1}, {1, 1}, {1, 1}};
	struct lab_sweep_values v;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	make(&v, "auto stock rr", values);
	assert_true(lab_advice_use(&v, 0, "1", "bulk", out));
	assert_false(lab_advice_use(&v, 0, "7", "bulk", out));
	fclose(out);
	assert_string_equal(text, "| bulk | auto, stock | up (1) | 1 | 0.985 | 0.97 | 1 | - |\n");
	free(text);
	lab_sweep_free(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_are_split_at_blanks_and_ranges_counted_out),
	    cmocka_unit_test(settings_change_a_run_in_their_order),
	    cmocka_unit_test(a_load_is_relative_to_the_ceiling),
	    cmocka_unit_test(wrong_settings_are_named),
	    cmocka_unit_test(every_point_of_every_sweep_is_a_run),
	    cmocka_unit_test(a_point_has_its_value_wherever_the_sign_stands),
	    cmocka_unit_test(more_or_less_is_better),
	    cmocka_unit_test(values_come_back_from_their_file),
	    cmocka_unit_test(a_claim_that_the_numbers_do_not_bear_out_is_left_out),
	    cmocka_unit_test(losing_is_said_with_the_worst_point),
	    cmocka_unit_test(a_use_names_all_that_are_as_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
