/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The page of a folder, from a list that anybody may have written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <event2/buffer.h>

#include "films_page.h"
#include "media_list.h"

#define FILM(name)                                                                                           \
	"{\"name\":\"" name "\",\"size\":1234567,\"modified_us\":5,\"content_type\":\"video/mp4\"}\n"

static char page[20000];
static struct app_error error;

static int make(const char *path, const char *list)
{
	struct evbuffer *const out = evbuffer_new();
	const int rc = films_page(path, list, strlen(list), out, &error);
	const int len = evbuffer_remove(out, page, sizeof(page) - 1);

	page[len > 0 ? len : 0] = '\0';
	evbuffer_free(out);
	return rc;
}

static void assert_has(const char *html)
{
	if (strstr(page, html) == NULL) {
		print_message("%s\n", page);
		fail_msg("it has not: %s", html);
	}
}

static void a_film_is_a_video_that_loads_when_it_is_played(void **state)
{
	(void)state;
	assert_int_equal(make("/", FILM("film.mp4")), 0);
	assert_has("<summary>film.mp4 <span>1.23 MB</span></summary>"
	           "<video controls preload=\"none\" src=\"film.mp4\"></video>");
	assert_has("<title>Films</title>");
	assert_null(strstr(page, "<!--"));
	assert_null(strstr(page, "up</a>"));
}

static void what_a_browser_does_not_play_is_a_link(void **state)
{
	(void)state;
	assert_int_equal(make("/a/", "{\"name\":\"x.mkv\",\"size\":1,\"modified_us\":0,"
	                             "\"content_type\":\"video/x-matroska\"}\n"
	                             "{\"name\":\"s.mp3\",\"size\":1,\"modified_us\":0,"
	                             "\"content_type\":\"audio/mpeg\"}\n"
	                             "{\"name\":\"more\",\"folder\":true}\n"),
	                 0);
	assert_has("<a href=\"x.mkv\">x.mkv</a> <span>1 B</span>");
	assert_has("<audio controls preload=\"none\" src=\"s.mp3\"></audio>");
	assert_has("<a href=\"more/\">more/</a>");
	assert_has("<a href=\"../\">up</a>");
	assert_has("<h1>Films in /a/</h1>");
}

static void names_stand_in_it_as_text(void **state)
{
	(void)state;
	assert_int_equal(make("/<i>/", FILM("<script>alert('1')</script>")), -1); /* a slash is no name */
	assert_int_equal(make("/<i>/", FILM("<script>alert('1')\\\" & so.mp4")), 0);
	assert_has("<summary>&lt;script&gt;alert(&#39;1&#39;)&quot; &amp; so.mp4 ");
	assert_has("src=\"%3Cscript%3Ealert%28%271%27%29%22%20%26%20so.mp4\"");
	assert_has("<title>Films in /&lt;i&gt;/</title>");
	assert_null(strstr(page, "<script"));
	assert_null(strstr(page, "<i>"));
}

static void a_name_that_looks_like_a_scheme_stays_a_name(void **state)
{
	(void)state;
	assert_int_equal(
	    make("/", "{\"name\":\"javascript:alert(1)\",\"folder\":true}\n" FILM("50% \xc3\xbc#1?.mp4")), 0);
	assert_has("href=\"javascript%3Aalert%281%29/\"");
	assert_has("src=\"50%25%20%C3%BC%231%3F.mp4\"");
}

static void an_empty_folder_says_so(void **state)
{
	(void)state;
	assert_int_equal(make("/", ""), 0);
	assert_has("This folder is empty.");
}

static void a_list_that_leaves_something_out_says_so(void **state)
{
	(void)state;
	assert_int_equal(make("/", FILM("a.mp4") "{\"more\":true}\n"), 0);
	assert_has("This folder has more files than can be listed.");
}

static void members_that_are_not_known_are_passed_over(void **state)
{
	(void)state;
	assert_int_equal(make("/", "{\"name\":\"a\",\"folder\":true,\"title\":\"A\"}\n"), 0);
	assert_has("<a href=\"a/\">a/</a>");
}

static void what_is_no_list_is_refused_with_a_sentence(void **state)
{
	static const char *const wrong[] = {
	    "no JSON\n",
	    "[]\n",
	    "\n",
	    "{}\n",
	    FILM(""),
	    FILM("a/b"),
	    FILM(".."),
	    FILM("a\\u0000b"),
	    FILM("bell\\u0007"),
	    "{\"name\":\"a\",\"size\":-1,\"modified_us\":0,\"content_type\":\"video/mp4\"}\n",
	    "{\"name\":\"a\",\"size\":1,\"modified_us\":0}\n",
	    "{\"name\":7,\"folder\":true}\n"};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		error.text[0] = '\0';
		assert_int_equal(make("/", wrong[i]), -1);
		assert_string_not_equal(error.text, "");
	}
}

static void why_there_is_no_page_stands_in_it_as_text(void **state)
{
	struct evbuffer *const out = evbuffer_new();

	(void)state;
	assert_int_equal(films_page_failed("/", "cannot connect to <x>", out), 0);
	page[evbuffer_remove(out, page, sizeof(page) - 1)] = '\0';
	evbuffer_free(out);
	assert_has("<p>The films cannot be shown: cannot connect to &lt;x&gt;.</p>");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_film_is_a_video_that_loads_when_it_is_played),
	    cmocka_unit_test(what_a_browser_does_not_play_is_a_link),
	    cmocka_unit_test(names_stand_in_it_as_text),
	    cmocka_unit_test(a_name_that_looks_like_a_scheme_stays_a_name),
	    cmocka_unit_test(an_empty_folder_says_so),
	    cmocka_unit_test(a_list_that_leaves_something_out_says_so),
	    cmocka_unit_test(members_that_are_not_known_are_passed_over),
	    cmocka_unit_test(what_is_no_list_is_refused_with_a_sentence),
	    cmocka_unit_test(why_there_is_no_page_stands_in_it_as_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
