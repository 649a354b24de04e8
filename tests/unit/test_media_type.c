/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Content types by file name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "media_type.h"

static void a_type_follows_from_the_ending_of_the_last_component(void **state)
{
	static const struct {
		const char *path, *type;
	} cases[] = {
	    {"/film.mp4", "video/mp4"},
	    {"/FILM.MKV", "video/x-matroska"},
	    {"/a.b.webm", "video/webm"},
	    {"/live/index.m3u8", "application/vnd.apple.mpegurl"},
	    {"/live/0001.ts", "video/mp2t"},
	    {"/dash/manifest.mpd", "application/dash+xml"},
	    {"/dash/1.m4s", "video/iso.segment"},
	    {"/subtitles.vtt", "text/vtt; charset=utf-8"},
	    {"/index.html", "text/html; charset=utf-8"},
	    {"/a.jpg", "image/jpeg"},
	    {"/folder.mp4/film", "application/octet-stream"},
	    {"/film", "application/octet-stream"},
	    {"/film.", "application/octet-stream"},
	    {"/film.mp", "application/octet-stream"},
	    {"", "application/octet-stream"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(media_type_of(cases[i].path), cases[i].type);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_type_follows_from_the_ending_of_the_last_component),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
