/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The elements in a process: states again and again, statistics, interruptions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gst/gst.h>

#define QUICK_US 1000000 /* under sanitizers, on a busy machine; it is a few milliseconds */

static guint n_entries(const char *folder)
{
	DIR *const dir = opendir(folder);
	guint n = 0;

	while (readdir(dir) != NULL) {
		n++;
	}
	closedir(dir);
	return n;
}

/* Loopback addresses of this process alone. */
static const gchar *at(void)
{
	static gchar text[80];
	const guint pid = (guint)getpid();

	g_snprintf(text, sizeof(text), "127.%u.%u.1,127.%u.%u.2", 32 + pid / 250 % 32, 1 + pid % 250,
	           32 + pid / 250 % 32, 1 + pid % 250);
	return text;
}

static GstElement *parse(const gchar *format, ...) G_GNUC_PRINTF(1, 2);
static GstElement *parse(const gchar *format, ...)
{
	GError *error = NULL;
	GstElement *pipeline;
	va_list args;
	gchar *text;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	pipeline = gst_parse_launch(text, &error);
	if (error != NULL) {
		fail_msg("%s: %s", text, error->message);
	}
	g_free(text);
	return pipeline;
}

/* The pipeline's own words, when it is one of `types`; the caller's. */
static GstMessage *wait_for(GstElement *pipeline, GstMessageType types)
{
	GstBus *const bus = gst_element_get_bus(pipeline);
	GstMessage *const message = gst_bus_timed_pop_filtered(bus, 60 * GST_SECOND, types);

	gst_object_unref(bus);
	assert_non_null(message);
	return message;
}

static void wait_for_end(GstElement *pipeline)
{
	GstMessage *const message = wait_for(pipeline, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
	GError *error = NULL;

	if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
		gst_message_parse_error(message, &error, NULL);
		fail_msg("%s", error->message);
	}
	gst_message_unref(message);
}

static void assert_error(GstElement *pipeline, const gchar *word)
{
	GstMessage *const message = wait_for(pipeline, GST_MESSAGE_ERROR);
	GError *error = NULL;

	gst_message_parse_error(message, &error, NULL);
	if (strstr(error->message, word) == NULL) {
		fail_msg("\"%s\" has no \"%s\"", error->message, word);
	}
	g_error_free(error);
	gst_message_unref(message);
}

/* To NULL, in no time. */
static void end(GstElement *pipeline)
{
	const gint64 from_us = g_get_monotonic_time();

	assert_int_not_equal(gst_element_set_state(pipeline, GST_STATE_NULL), GST_STATE_CHANGE_FAILURE);
	assert_in_range(g_get_monotonic_time() - from_us, 0, QUICK_US);
}

static guint64 count_of(GstElement *pipeline, const gchar *element, const gchar *field)
{
	GstElement *const e = gst_bin_get_by_name(GST_BIN(pipeline), element);
	GstStructure *stats;
	guint64 value = G_MAXUINT64;

	g_object_get(e, "stats", &stats, NULL);
	(void)gst_structure_get_uint64(stats, field, &value);
	gst_structure_free(stats);
	gst_object_unref(e);
	return value;
}

static GstElement *source(const gchar *more)
{
	return parse(
	    "cmtsrc name=in uri=cmt://%s mode=listener release=early %s ! fakesink sync=false async=false",
	    at(), more);
}

static GstElement *sink(guint buffers, const gchar *more)
{
	return parse(
	    "fakesrc num-buffers=%u sizetype=fixed sizemax=1316 datarate=13160000 format=time is-live=true ! "
	    "cmtsink name=out uri=cmt://%s %s",
	    buffers, at(), more);
}

static void again_and_again(void **state)
{
	guint threads = 0, files = 0;
	GstElement *const in = source(""), *const out = sink(50, "");

	(void)state;
	for (guint round = 0; round < 4; round++) {
		gst_element_set_state(in, GST_STATE_PLAYING);
		gst_element_set_state(out, GST_STATE_PLAYING);
		wait_for_end(out);
		assert_int_equal(count_of(out, "out", "sent"), 50);
		wait_for_end(in);
		assert_int_equal(count_of(in, "in", "delivered"), 50);
		assert_int_equal(count_of(in, "in", "lost"), 0);
		end(in);
		end(out);
		assert_int_equal(count_of(out, "out", "sent"), G_MAXUINT64);
		if (round == 1) {
			threads = n_entries("/proc/self/task");
			files = n_entries("/proc/self/fd");
		}
	}
	assert_int_equal(n_entries("/proc/self/fd"), files);
	assert_in_range(n_entries("/proc/self/task"), 1, threads);
	gst_object_unref(in);
	gst_object_unref(out);
}

/* Who calls does not call again when the stream is over. */
static void over_is_over(void **state)
{
	GstElement *const in =
	    parse("cmtsrc name=in uri=cmt://%s release=early ! fakesink sync=false async=false", at());
	GstElement *const out = sink(50, "mode=listener");

	(void)state;
	gst_element_set_state(out, GST_STATE_PLAYING);
	gst_element_set_state(in, GST_STATE_PLAYING);
	wait_for_end(out);
	wait_for_end(in);
	g_usleep(800000);
	assert_int_equal(count_of(in, "in", "connections"), 1);
	assert_int_equal(count_of(out, "out", "connections"), 1);
	end(in);
	end(out);
	gst_object_unref(in);
	gst_object_unref(out);
}

/* Nobody answers, nothing comes, and still it can be stopped. */
static void interrupted(void **state)
{
	GstElement *const in = source(""), *const out = sink(50, "");

	(void)state;
	for (guint round = 0; round < 3; round++) {
		gst_element_set_state(out, GST_STATE_PLAYING);
		g_usleep(100000);
		end(out);
		gst_element_set_state(in, GST_STATE_PLAYING);
		g_usleep(20000);
		end(in);
	}
	gst_object_unref(in);
	gst_object_unref(out);
}

/* A pause interrupts, and nothing is lost or comes twice. */
static void paused(void **state)
{
	GstElement *const in = source(""), *const out = sink(300, "");

	(void)state;
	gst_element_set_state(out, GST_STATE_PLAYING); /* waits for a connection */
	g_usleep(100000);
	for (guint round = 0; round < 3; round++) {
		gst_element_set_state(out, GST_STATE_PAUSED);
		g_usleep(20000);
		gst_element_set_state(out, GST_STATE_PLAYING);
		if (round == 1) {
			gst_element_set_state(in, GST_STATE_PLAYING);
		}
		g_usleep(50000);
	}
	wait_for_end(out);
	wait_for_end(in);
	assert_int_equal(count_of(in, "in", "delivered"), 300);
	end(in);
	end(out);
	gst_object_unref(in);
	gst_object_unref(out);
}

static void statistics_are_structures(void **state)
{
	GstElement *const in = source(""), *const out = sink(50, "");
	GstElement *const e = gst_bin_get_by_name(GST_BIN(out), "out");
	GstStructure *stats;
	const GValue *paths;

	(void)state;
	gst_element_set_state(in, GST_STATE_PLAYING);
	gst_element_set_state(out, GST_STATE_PLAYING);
	wait_for_end(out);
	g_object_get(e, "stats", &stats, NULL);
	assert_string_equal(gst_structure_get_name(stats), "application/x-cmt-statistics");
	assert_string_equal(gst_structure_get_string(stats, "role"), "sender");
	paths = gst_structure_get_value(stats, "paths");
	assert_int_equal(gst_value_array_get_size(paths), 2);
	assert_true(gst_structure_has_field(gst_value_get_structure(gst_value_array_get_value(paths, 0)),
	                                    "rate-bps"));
	gst_structure_free(stats);
	gst_object_unref(e);
	end(in);
	end(out);
	gst_object_unref(in);
	gst_object_unref(out);
}

struct told {
	guint hints, rates, wrong;
	gchar *last_direction, *certainty;
	guint last_bps;
};

/* Asks what the loop answers, which it could not from its own thread. */
static void on_rate(GObject *sink, GParamSpec *spec, gpointer arg)
{
	struct told *const told = arg;
	GstStructure *stats;

	(void)spec;
	g_object_get(sink, "estimated-bitrate", &told->last_bps, "stats", &stats, NULL);
	gst_structure_free(stats);
	told->rates++;
}

static void on_hint(GstElement *sink, const GstStructure *hint, gpointer arg)
{
	struct told *const told = arg;
	guint64 target_bps, carried_bps, latency_ms;

	(void)sink;
	told->hints++;
	told->wrong +=
	    !gst_structure_get(hint, "target-bps", G_TYPE_UINT64, &target_bps, "carried-bps", G_TYPE_UINT64,
	                       &carried_bps, "latency-ms", G_TYPE_UINT64, &latency_ms, NULL) ||
	    latency_ms != 300;
	g_free(told->last_direction);
	g_free(told->certainty);
	told->last_direction = g_strdup(gst_structure_get_string(hint, "direction"));
	told->certainty = g_strdup(gst_structure_get_string(hint, "certainty"));
}

/* Up while more is sent, down to nothing with the end, then silence. */
static void bit_rates_are_told(void **state)
{
	GstElement *const in = source("keep-listening=true"), *const out = sink(G_MAXINT, "");
	GstElement *const e = gst_bin_get_by_name(GST_BIN(out), "out");
	struct told told = {.hints = 0};

	(void)state;
	g_signal_connect(e, "notify::estimated-bitrate", G_CALLBACK(on_rate), &told);
	g_signal_connect(e, "bitrate-hint", G_CALLBACK(on_hint), &told);
	for (guint round = 0; round < 2; round++) {
		guint bps = 0;

		gst_element_set_state(in, GST_STATE_PLAYING);
		gst_element_set_state(out, GST_STATE_PLAYING);
		for (guint i = 0; i < 6000 && bps < 2000000; i++) {
			g_usleep(10000);
			g_object_get(e, "estimated-bitrate", &bps, NULL);
		}
		assert_in_range(bps, 2000000, G_MAXUINT);
		end(out);
		assert_in_range(told.rates, 2, told.hints);
		assert_int_equal(told.last_bps, 0);
		assert_string_equal(told.last_direction, "down");
		assert_string_equal(told.certainty, "unknown");
		assert_int_equal(told.wrong, 0);
		told.rates = told.hints = 0;
		g_usleep(100000);
		assert_int_equal(told.hints, 0);
		end(in);
	}
	g_free(told.last_direction);
	g_free(told.certainty);
	gst_object_unref(e);
	gst_object_unref(in);
	gst_object_unref(out);
}

static void ends_its_element(GstElement *sink, const GstStructure *hint, gpointer arg)
{
	(void)hint;
	g_signal_handlers_disconnect_by_data(sink, arg);
	end(arg);
	(void)g_atomic_int_add((gint *)g_object_get_data(G_OBJECT(sink), "ended"), 1);
}

/* It does not wait for itself. */
static void who_is_told_may_end_it(void **state)
{
	GstElement *const in = source("keep-listening=true"), *const out = sink(G_MAXINT, "");
	GstElement *const e = gst_bin_get_by_name(GST_BIN(out), "out");
	gint ended = 0;

	(void)state;
	g_object_set_data(G_OBJECT(e), "ended", &ended);
	g_signal_connect(e, "bitrate-hint", G_CALLBACK(ends_its_element), out);
	gst_element_set_state(in, GST_STATE_PLAYING);
	gst_element_set_state(out, GST_STATE_PLAYING);
	for (guint i = 0; i < 6000 && g_atomic_int_get(&ended) == 0; i++) {
		g_usleep(10000);
	}
	assert_int_equal(g_atomic_int_get(&ended), 1);
	end(in);
	gst_object_unref(e);
	gst_object_unref(in);
	gst_object_unref(out);
}

static void several_in_one_process(void **state)
{
	GstElement *in[3], *out[3];

	(void)state;
	for (guint i = 0; i < 3; i++) {
		in[i] = parse(
		    "cmtsrc name=in uri=cmt://%s:%u?mode=listener&release=early&passphrase=number%%20%u ! "
		    "fakesink sync=false async=false",
		    at(), 5100 + i, i);
		out[i] = parse("fakesrc num-buffers=50 sizetype=fixed sizemax=500 datarate=500000 "
		               "format=time is-live=true ! "
		               "cmtsink name=out uri=cmt://%s:%u?passphrase=number%%20%u",
		               at(), 5100 + i, i);
		gst_element_set_state(in[i], GST_STATE_PLAYING);
		gst_element_set_state(out[i], GST_STATE_PLAYING);
	}
	for (guint i = 0; i < 3; i++) {
		wait_for_end(out[i]);
		wait_for_end(in[i]);
		assert_int_equal(count_of(in[i], "in", "delivered"), 50);
		end(in[i]);
		end(out[i]);
		gst_object_unref(in[i]);
		gst_object_unref(out[i]);
	}
}

static void wrong(void **state)
{
	static const struct {
		const gchar *more, *word;
	} of[] = {
	    {"uri=cmt://192.0.2.x", "cannot be resolved"},
	    {"uri=cmt://:5003 mode=caller", "names no address to call"},
	    {"localaddress=192.0.2.1", "cannot bind 192.0.2.1: address not on this host"},
	    {"localaddress=nowhere", "is not an IP address"},
	    {"scheduler=none", "is not a scheduler"},
	    {"peer=sha256:12", "peer"},
	    {"encrypted=false passphrase=x", "leave them out"},
	    {"timeout=300", "no connection within timeout"},
	};

	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(of); i++) {
		GstElement *const out = sink(50, of[i].more);

		gst_element_set_state(out, GST_STATE_PLAYING);
		assert_error(out, of[i].word);
		end(out);
		gst_object_unref(out);
	}
}

static void a_wrong_passphrase_is_told(void **state)
{
	GstElement *const in = source("passphrase=right"), *const out =
	                                                       sink(50, "passphrase=wrong timeout=1500");

	(void)state;
	gst_element_set_state(in, GST_STATE_PLAYING);
	gst_element_set_state(out, GST_STATE_PLAYING);
	assert_error(out, "passphrase");
	end(out);
	end(in);
	gst_object_unref(in);
	gst_object_unref(out);
}

static void uris_are_checked(void **state)
{
	static const gchar *const bad[] = {"srt://1.2.3.4",     "cmt://?latency=0", "cmt://?latency=x",
	                                   "cmt://?uri=cmt://", "cmt://?stats=1",   "cmt://?name=x",
	                                   "cmt://?latency",    "cmt://?nothing=1"};
	GstElement *const e = gst_element_factory_make("cmtsink", NULL);
	guint latency_ms;
	gchar *uri;

	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
		GError *error = NULL;

		assert_false(gst_uri_handler_set_uri(GST_URI_HANDLER(e), bad[i], &error));
		assert_non_null(error);
		g_error_free(error);
	}
	assert_true(gst_uri_handler_set_uri(GST_URI_HANDLER(e),
	                                    "cmt://10.1.0.1,10.2.0.1:7?latency=77&mode=caller", NULL));
	g_object_get(e, "uri", &uri, "latency", &latency_ms, NULL);
	assert_string_equal(uri, "cmt://10.1.0.1,10.2.0.1:7");
	assert_int_equal(latency_ms, 77);
	g_free(uri);
	gst_object_unref(e);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(uris_are_checked),
	    cmocka_unit_test(again_and_again),
	    cmocka_unit_test(over_is_over),
	    cmocka_unit_test(interrupted),
	    cmocka_unit_test(paused),
	    cmocka_unit_test(statistics_are_structures),
	    cmocka_unit_test(bit_rates_are_told),
	    cmocka_unit_test(who_is_told_may_end_it),
	    cmocka_unit_test(several_in_one_process),
	    cmocka_unit_test(wrong),
	    cmocka_unit_test(a_wrong_passphrase_is_told),
	};
	int failed;

	gst_init(&argc, &argv);
	if (argc > 1) {
		cmocka_set_test_filter(argv[1]);
	}
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (failed == 0) {
		gst_deinit();
	}
	return failed;
}
