/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What cmt-top makes of a program's JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

#define PATHS                                                                                                \
	"'paths':[{'remote':'10.1.0.2','local':'10.1.0.1','state':'active','send_rate_bps':18000000,"        \
	"'receive_rate_bps':0,'share':0.875,'fwd_delay_us':11200,'fwd_delay_base_us':null,'srtt_us':20000,"  \
	"'queue_us':500,'flight_bytes':4250,'cwnd_bytes':9370,'loss':0.051,'lost_chunks':86,"                \
	"'spurious_chunks':9,'failures':0},"                                                                 \
	"{'remote':'10.2.0.2','local':null,'state':'failed','state_s':7.4,'failures':1}]"

static json_t *load(const char *text)
{
	char quoted[4000];
	json_error_t where;
	json_t *json;

	(void)snprintf(quoted, sizeof(quoted), "%s", text);
	for (char *c = quoted; *c != '\0'; c++) {
		*c = *c == '\'' ? '"' : *c;
	}
	json = json_loads(quoted, 0, &where);
	assert_non_null(json);
	return json;
}

/* All lines, to be freed. */
static char *view_of(const char *stats, const char *error, const struct top_view_options *options)
{
	struct top_view v = {.n = 0};
	json_t *const json = stats != NULL ? load(stats) : NULL;
	char *const text = calloc(1, 100000);

	assert_non_null(text);
	top_view_add(&v, options, "9090", json, error);
	for (size_t i = 0; i < v.n; i++) {
		assert_true(strlen(text) + strlen(v.lines[i].text) < 99000);
		(void)strcat(text, v.lines[i].text);
		(void)strcat(text, "\n");
	}
	top_view_free(&v);
	json_decref(json);
	return text;
}

static void a_path_is_a_line_and_failure_a_word(void **state)
{
	char *const text = view_of("{'program':'cmt-send','uptime_s':61,'total':{'associations':1,'paths':2,"
	                           "'failed_paths':1,'send_rate_bps':18000000},'associations':[{'id':3,"
	                           "'name':'film.mkv','scheduler':'arrival','cc':'veno','age_s':60," PATHS
	                           "}],'events':[{'event':'failed','at_s':0,'association':3,"
	                           "'local':'10.2.0.1','remote':'10.2.0.2'}]}",
	                           "", &(struct top_view_options){.width = 200});

	(void)state;
	assert_non_null(strstr(text,
	                       "cmt-send at 9090, up 1 min 1 s: 1 association, 2 paths, 1 FAILED, sends "
	                       "18.000 Mbit/s"));
	assert_non_null(strstr(text, "path failed: 10.2.0.1 to 10.2.0.2, #3"));
	assert_non_null(strstr(text, "#3 film.mkv  arrival, veno, 1 min 0 s"));
	assert_non_null(strstr(
	    text, "\n  10.1.0.2        10.1.0.1        active       18.000 Mbit/s    0.0 kbit/s   88 %  "
	          " 11.2 ms         -   20.0 ms    500 us    4250 B    9370 B  5.1 %        86/9     0\n"));
	assert_non_null(strstr(text, "\n  10.2.0.2        -               FAILED 7 s "));
	free(text);
}

static void two_uplinks_behind_one_public_address_are_told_apart(void **state)
{
	char *const text = view_of("{'associations':[{'id':1,'scheduler':'a','cc':'b','paths':["
	                           "{'remote':'203.0.113.5','remote_port':40001,'local':'10.0.0.1',"
	                           "'local_port':9899,'interface':'eth0','state':'active'},"
	                           "{'remote':'203.0.113.5','remote_port':40002,'local':'2001:db8::1',"
	                           "'local_port':9899,'interface':null,'state':'active'}]}],'events':["
	                           "{'event':'added','association':1,'local':'10.0.0.1','local_port':9899,"
	                           "'remote':'2001:db8::5','remote_port':40001,'interface':'eth0'}]}",
	                           "", &(struct top_view_options){.width = 200});

	(void)state;
	assert_non_null(strstr(text, "\n  203.0.113.5:40001 10.0.0.1:9899 (eth0) active"));
	assert_non_null(strstr(text, "\n  203.0.113.5:40002 [2001:db8::1]:9899   active"));
	assert_non_null(strstr(text, "path added: 10.0.0.1:9899 (eth0) to [2001:db8::5]:40001, #1"));
	free(text);
}

static void narrow_terminals_have_fewer_columns(void **state)
{
	(void)state;
	for (size_t width = 60; width <= 200; width++) {
		char *const text = view_of("{'associations':[{'id':1,'scheduler':'a','cc':'b'," PATHS "}]}",
		                           "", &(struct top_view_options){.width = width});
		const char *const columns = strstr(text, "  TO ");

		assert_non_null(columns);
		assert_true(strcspn(columns, "\n") <= width);
		assert_non_null(strstr(columns, "SEND"));
		assert_int_equal(strstr(columns, "FLIGHT") != NULL, width >= 166);
		free(text);
	}
}

static const char *order_of(enum top_order order, bool only_failed)
{
	static char found[20];
	char *const text = view_of(
	    "{'associations':[{'id':2,'name':'b','scheduler':'s','cc':'c','send_rate_bps':5,'paths':[]},"
	    "{'id':1,'name':'c','scheduler':'s','cc':'c','send_rate_bps':3,'paths':[{'state':'failed'}]},"
	    "{'id':3,'name':'a','scheduler':'s','cc':'c','receive_rate_bps':9,'paths':[]}]}",
	    "", &(struct top_view_options){.width = 100, .order = order, .only_failed = only_failed});
	size_t n = 0;

	for (const char *line = strchr(text, '#'); line != NULL; line = strchr(line + 1, '#')) {
		found[n++] = line[1];
	}
	found[n] = '\0';
	free(text);
	return found;
}

static void associations_are_sorted_and_filtered(void **state)
{
	(void)state;
	assert_string_equal(order_of(TOP_BY_ID, false), "123");
	assert_string_equal(order_of(TOP_BY_RATE, false), "321");
	assert_string_equal(order_of(TOP_BY_FAILED, false), "123");
	assert_string_equal(order_of(TOP_BY_NAME, false), "321");
	assert_string_equal(order_of(TOP_BY_RATE, true), "1");
}

static void who_does_not_answer_is_named_and_what_was_known_stays(void **state)
{
	char *text = view_of(NULL, "9090: nothing answers there", &(struct top_view_options){.width = 100});

	(void)state;
	assert_string_equal(text, "9090: nothing answers there; retrying\n");
	free(text);
	text =
	    view_of("{'program':'p','associations':[]}", "9090: x", &(struct top_view_options){.width = 100});
	assert_non_null(strstr(text, "9090: x; retrying\np at 9090"));
	free(text);
}

static void nonsense_is_shown_as_nothing_and_cannot_steer_the_terminal(void **state)
{
	static const char *const nonsense[] = {
	    "{'associations':[]}",
	    "{'associations':[1,null,'x',[],{}]}",
	    "{'associations':[{'paths':{}},{'paths':[0,null,[]]}],'events':[0,{}]}",
	    "{'program':5,'uptime_s':1e300,'total':[],'associations':[{'id':'x','name':3,'scheduler':null,"
	    "'age_s':-1e300,'paths':[{'remote':5,'state':7,'share':'a','fwd_delay_us':1e308,"
	    "'cwnd_bytes':-1e308}]}],'events':[{'at_s':1e300,'event':5},{'at_s':-1}]}",
	    "{'program':'\\u001b[2J','associations':[{'name':'\\u001b]0;x\\u0007','paths':[{'remote':'"
	    "\\u009b2J',"
	    "'state':'\\n'}]}],'events':[{'event':'\\r'}]}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++) {
		char *const text = view_of(nonsense[i], "", &(struct top_view_options){.width = 200});

		assert_null(strpbrk(text, "\x1b\x07\r"));
		assert_null(strstr(text, "\xc2\x9b"));
		free(text);
	}
}

static void who_the_peer_is_is_shown_as_far_as_it_is_told(void **state)
{
	static const struct {
		const char *encryption, *shown, *peer;
	} cases[] = {
	    {"", "#1 auto, veno, 1 s: sends", NULL},
	    {",'encryption':null", "#1 auto, veno, 1 s, in the clear: sends", NULL},
	    {",'encryption':{'suite':'TLS_X','passphrase':false,'fingerprint':'sha256:01','name':'far'}",
	     "#1 auto, veno, 1 s, TLS_X: sends", "\n   the peer is sha256:01 (far)\n"},
	    {",'encryption':{'suite':'TLS_X','passphrase':true,'fingerprint':null,'name':null}",
	     "#1 auto, veno, 1 s, TLS_X: sends", "\n   the peer has the passphrase\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char json[1000];
		char *text;

		(void)snprintf(
		    json, sizeof(json),
		    "{'program':'p','associations':[{'id':1,'scheduler':'auto','cc':'veno','age_s':1,"
		    "'paths':[]%s}],'events':[]}",
		    cases[i].encryption);
		text = view_of(json, "", &(struct top_view_options){.width = 200});
		assert_non_null(strstr(text, cases[i].shown));
		if (cases[i].peer != NULL) {
			assert_non_null(strstr(text, cases[i].peer));
		} else {
			assert_null(strstr(text, "the peer "));
		}
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_path_is_a_line_and_failure_a_word),
	    cmocka_unit_test(two_uplinks_behind_one_public_address_are_told_apart),
	    cmocka_unit_test(narrow_terminals_have_fewer_columns),
	    cmocka_unit_test(associations_are_sorted_and_filtered),
	    cmocka_unit_test(who_does_not_answer_is_named_and_what_was_known_stays),
	    cmocka_unit_test(who_the_peer_is_is_shown_as_far_as_it_is_told),
	    cmocka_unit_test(nonsense_is_shown_as_nothing_and_cannot_steer_the_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
