/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Figures as data: what runs, what is read of traces, how pages are set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "figures/figures.h"
#include "measure/lag.h"
#include "figures/plan.h"
#include "render/plot_page.h"
#include "measure/trace_bins.h"

/* --- traces --- */

static FILE *trace_of(const char *text)
{
	FILE *file = tmpfile();

	assert_non_null(file);
	fputs(text, file);
	return file;
}

/* 100 bytes arrive at 1, 2.5 and 6 ms; 30 bytes wait from 1 to 2 ms. */
#define TRACE                                                                                                \
	"time_us,delivered_bytes,rcvbuf_bytes\n"                                                             \
	"0,0,0\n1000,100,30\n2000,100,0\n2500,200,0\n6000,300,0\n"

static void levels_are_means_growth_and_rates_of_intervals(void **state)
{
	struct lab_trace_bins bins = {
	    .column = "rcvbuf_bytes", .value = LAB_TRACE_MEAN, .bin_us = 1500, .n = 4};
	FILE *in = trace_of(TRACE);
	double out[4];

	(void)state;
	assert_int_equal(lab_trace_bins_read(in, &bins, out), 0);
	assert_float_equal(out[0], 10, 1e-9); /* 30 bytes for a third of the interval */
	assert_float_equal(out[1], 10, 1e-9);
	assert_float_equal(out[2], 0, 1e-9);

	bins.column = "delivered_bytes";
	bins.value = LAB_TRACE_SINCE;
	bins.from_us = 2000;
	bins.bin_us = 2000;
	assert_int_equal(lab_trace_bins_read(in, &bins, out), 0);
	assert_float_equal(out[0], 100, 1e-9); /* less the 100 that were there at 2 ms */
	assert_float_equal(out[1], 100, 1e-9); /* what comes at the end of an interval is the next one's */
	assert_float_equal(out[2], 200, 1e-9);
	assert_float_equal(out[3], 200, 1e-9); /* behind the last row */

	bins.value = LAB_TRACE_RATE;
	assert_int_equal(lab_trace_bins_read(in, &bins, out), 0);
	assert_float_equal(out[0], 50000, 1e-6);
	assert_float_equal(out[1], 0, 1e-6);
	assert_float_equal(out[2], 50000, 1e-6);
	assert_float_equal(out[3], 0, 1e-6);

	assert_float_equal(lab_trace_end_us(in), 6000, 1e-9);
	fclose(in);
}

static void a_column_that_is_not_there_is_an_error(void **state)
{
	struct lab_trace_bins bins = {.column = "path_2_bytes", .bin_us = 1000, .n = 1};
	FILE *in = trace_of(TRACE), *empty = trace_of("");
	double out[1];

	(void)state;
	assert_int_equal(lab_trace_bins_read(in, &bins, out), -1);
	assert_int_equal(lab_trace_bins_read(empty, &bins, out), -1);
	assert_float_equal(lab_trace_end_us(empty), 0, 0);
	fclose(in);
	fclose(empty);
}

static void the_lag_is_from_so_many_sent_to_so_many_delivered(void **state)
{
	struct lab_lag lag = {.n = 0};

	(void)state;
	lab_lag_sent(&lag, 100, 0);
	lab_lag_sent(&lag, 200, 10);
	lab_lag_sent(&lag, 300, 20);
	lab_lag_delivered(&lag, 150, 90, 5); /* sent before 5: does not count */
	assert_int_equal(lag.most_us, 0);
	lab_lag_delivered(&lag, 200, 95, 5);
	assert_int_equal(lag.most_us, 85);
	lab_lag_delivered(&lag, 300, 96, 5); /* a shorter one changes nothing */
	assert_int_equal(lag.most_us, 85);
	lab_lag_free(&lag);
}

/* --- plans --- */

#define TWO_BY_TWO                                                                                           \
	.scenario = "10Mbit/20ms,10Mbit/20ms", .set = "rcvbuf=77kB",                                         \
	.series =                                                                                            \
	    {{.scheduler = "rr"},                                                                            \
	     {.scheduler = "arrival", .label = "ours", .set = "delay_error=50 only_path=2", .alone = true}}, \
	.x = {.title = "x",                                                                                  \
	      .values = {{.label = "a", .set = "path.1.delay=5ms"},                                          \
	                 {.label = "b", .set = "path.1.delay=7ms", .alone = "path.1.delay=9ms"}}},           \
	.y = {.title = "y", .values = {{.label = "c", .set = "path.2.rate=1Mbit"}, {.label = "d"}}},         \
	.metrics = {{.title = "events", .key = "e"},                                                         \
	            {.title = "ms over 1", .key = "t", .factor = 1e-3, .less = 1000}}

static const struct lab_plan two_by_two = {.name = "test", TWO_BY_TWO};
static const struct lab_plan of_a_stranger = {
    .name = "test", .scenario = "sarwar1", .series = {{.scheduler = "rr"}, {.scheduler = "nobody"}}};
static const struct lab_plan of_a_bad_setting = {
    .name = "test", .scenario = "sarwar1", .set = "delay_error=x", .series = {{.scheduler = "rr"}}};

static const struct lab_options no_options = {.run = {.seed = 7, .only_path = -1}};

static struct lab_plan_runs runs_of(const struct lab_plan *plan, unsigned n_seeds)
{
	struct lab_plan_runs runs;
	struct lab_error error = {.text = ""};

	if (lab_plan_prepare(&runs, plan, &no_options, n_seeds, &error) != 0)
		fail_msg("%s: %s", plan->name, error.text);
	return runs;
}

static void every_point_runs_every_series_with_every_seed(void **state)
{
	struct lab_plan_runs r = runs_of(&two_by_two, 3);
	const struct lab_run *run =
	    &lab_plan_jobs(&r, (struct lab_plan_at){.x = 1, .y = 0, .series = 1})[2].run;

	(void)state;
	assert_int_equal(r.n, 2 * 2 * 2 * 3);
	assert_string_equal(run->scheduler, "arrival");
	assert_int_equal(run->seed, 9);
	assert_int_equal(run->delay_error_pct, 50);
	assert_int_equal(run->only_path, 1);
	assert_int_equal(run->scenario.rcvbuf_bytes, 77000);
	assert_int_equal(run->scenario.links[0][0].delay_us, 9000);
	assert_int_equal(run->scenario.links[1][0].rate_bps, 1000000);

	run = &lab_plan_jobs(&r, (struct lab_plan_at){.x = 1, .y = 1, .series = 0})[0].run;
	assert_string_equal(run->scheduler, "rr");
	assert_int_equal(run->only_path, -1);
	assert_int_equal(run->scenario.links[0][0].delay_us, 7000);
	assert_int_equal(run->scenario.links[1][0].rate_bps, 10000000);
	lab_plan_free(&r);
}

static void what_cannot_run_is_named(void **state)
{
	struct lab_plan_runs r;
	struct lab_error error;

	(void)state;
	assert_int_equal(lab_plan_prepare(&r, &of_a_stranger, &no_options, 1, &error), -1);
	assert_non_null(
	    strstr(error.text, "\"nobody\" is not a scheduler of this build; it has stock, arrival"));
	lab_plan_free(&r);
	assert_int_equal(lab_plan_prepare(&r, &of_a_bad_setting, &no_options, 1, &error), -1);
	assert_non_null(strstr(error.text, "delay_error"));
	lab_plan_free(&r);
}

/* Every run arrived; t grows by 3000 us from point to point. */
static struct lab_plan_runs measured(void)
{
	struct lab_plan_runs r = runs_of(&two_by_two, 1);

	for (size_t i = 0; i < r.n; i++)
		r.jobs[i].result =
		    json_pack("{s:f, s:s}", "t", 1000 + 3000 * (double)(i / 2), "integrity", "ok");
	return r;
}

static void a_metric_is_shown_in_its_unit(void **state)
{
	struct lab_plan_runs r = measured();
	struct lab_plan_at last = {.x = 1, .y = 1, .series = 1};

	(void)state;
	assert_float_equal(lab_plan_value(&r, last, 1, 0), 9, 1e-9); /* 1e-3 (10000 - 1000) */
	assert_float_equal(lab_plan_summary(&r, last, 1).median, 9, 1e-9);
	assert_true(isnan(lab_plan_value(&r, last, 0, 0))); /* there are no events */
	lab_plan_free(&r);
}

static void a_damaged_transfer_is_named_with_its_point(void **state)
{
	struct lab_plan_runs r = measured();
	struct lab_error error;

	(void)state;
	assert_int_equal(lab_plan_check(&r, &error), 0);
	json_object_set_new(r.jobs[5].result, "integrity", json_string("corrupt"));
	assert_int_equal(lab_plan_check(&r, &error), -1);
	assert_string_equal(error.text, "ours, b, c, seed 7: the transfer failed or its data were damaged");
	lab_plan_free(&r);
}

/* --- the figures themselves --- */

static bool has_series(const struct lab_plan *p, const char *label)
{
	for (unsigned i = 0; i < lab_plan_n_series(p); i++) {
		if (strcmp(lab_plan_label(&p->series[i]), label) == 0)
			return true;
	}
	return false;
}

static void check_series(const struct lab_plan *p, const char *const *labels)
{
	for (unsigned i = 0; i < LAB_PLAN_SERIES && labels[i] != NULL; i++) {
		if (!has_series(p, labels[i]))
			fail_msg("%s has no series \"%s\"", p->name, labels[i]);
	}
}

static void check_values(const struct lab_plan *p, const struct lab_plan_axis *axis,
                         const char *const *labels)
{
	for (unsigned i = 0; i < LAB_PLAN_VALUES && labels[i] != NULL; i++) {
		unsigned v = 0;

		while (v < lab_plan_n_values(axis) && axis->values[v].label != NULL &&
		       strcmp(axis->values[v].label, labels[i]) != 0)
			v++;
		if (v == lab_plan_n_values(axis) || axis->values[v].label == NULL)
			fail_msg("%s has no \"%s\" on its axis \"%s\"", p->name, labels[i], axis->title);
	}
}

static void check_claim(const struct lab_plan *p, const struct lab_claim *c)
{
	assert_non_null(c->test);
	assert_true(c->metric < lab_plan_n_metrics(p));
	assert_true(c->than_metric < lab_plan_n_metrics(p));
	assert_true(c->given_metric < lab_plan_n_metrics(p));
	assert_true((c->given_least > 0) == (c->given != NULL));
	assert_non_null(c->series[0]);
	check_series(p, c->series);
	check_series(p, c->than);
	check_values(p, &p->x, c->x);
	check_values(p, &p->y, c->y);
	check_values(p, &p->x, c->than_x);
	check_values(p, &p->y, c->than_y);
}

static bool has_ours(const struct lab_plan *p)
{
	return has_series(p, "arrival") || has_series(p, "arrival, exact delays") ||
	       (p->x.values[1].scheduler != NULL && strcmp(p->x.values[1].scheduler, "arrival") == 0);
}

static void every_figure_can_run_and_its_claims_name_what_it_has(void **state)
{
	const struct lab_plan *f;
	unsigned n = 0;

	(void)state;
	for (; (f = lab_figure(n)) != NULL; n++) {
		struct lab_plan p = *f;
		struct lab_plan_runs r;

		assert_ptr_equal(lab_figure_named(p.name), f);
		assert_non_null(p.claims[0].text);
		for (unsigned c = 0; c < LAB_PLAN_CLAIMS && p.claims[c].text != NULL; c++)
			check_claim(&p, &p.claims[c]);
		assert_true(has_ours(&p));
		for (unsigned s = 0; s < lab_plan_n_series(&p); s++)
			p.series[s].scheduler = "rr"; /* this test is about settings */
		r = runs_of(&p, 1);
		lab_plan_free(&r);
	}
	assert_int_equal(n, 3 + 8 + 4 + 4 + 5 + 2 + 1);
	assert_null(lab_figure_named("arabi"));
}

/* --- pages --- */

static void lines_break_at_blanks(void **state)
{
	char out[40];

	(void)state;
	assert_int_equal(lab_plot_wrap("one two  three", 7, out, sizeof(out)), 2);
	assert_string_equal(out, "one two\nthree");
	assert_int_equal(lab_plot_wrap("one two", 6, out, sizeof(out)), 2);
	assert_int_equal(lab_plot_wrap("immeasurable a", 5, out, sizeof(out)), 2);
	assert_string_equal(out, "immeasurable\na");
	assert_int_equal(lab_plot_wrap("", 5, out, sizeof(out)), 1);
	assert_int_equal(lab_plot_wrap("cut where the room ends", 80, out, 8), 1);
	assert_string_equal(out, "cut whe");
}

static void quotes_and_breaks_are_escaped_for_gnuplot(void **state)
{
	FILE *file = tmpfile();
	char out[40] = "";

	(void)state;
	lab_plot_text(file, "a \"b\"\\\nc");
	rewind(file);
	assert_non_null(fgets(out, sizeof(out), file));
	assert_string_equal(out, "\"a \\\"b\\\"\\\\\\nc\"");
	fclose(file);
}

static void ranges_are_shown_where_digits_differ(void **state)
{
	struct lab_summary s = {.min = 1.04, .median = 1.1, .max = 1.16};
	char out[40];

	(void)state;
	assert_string_equal(lab_summary_range(&s, 1, out, sizeof(out)), "1.0..1.2");
	assert_string_equal(lab_summary_range(&s, 0, out, sizeof(out)), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(levels_are_means_growth_and_rates_of_intervals),
	    cmocka_unit_test(a_column_that_is_not_there_is_an_error),
	    cmocka_unit_test(the_lag_is_from_so_many_sent_to_so_many_delivered),
	    cmocka_unit_test(every_point_runs_every_series_with_every_seed),
	    cmocka_unit_test(what_cannot_run_is_named),
	    cmocka_unit_test(a_metric_is_shown_in_its_unit),
	    cmocka_unit_test(a_damaged_transfer_is_named_with_its_point),
	    cmocka_unit_test(every_figure_can_run_and_its_claims_name_what_it_has),
	    cmocka_unit_test(lines_break_at_blanks),
	    cmocka_unit_test(quotes_and_breaks_are_escaped_for_gnuplot),
	    cmocka_unit_test(ranges_are_shown_where_digits_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
