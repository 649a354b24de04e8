/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which file a path names, on a folder of this test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "resource.h"

static char folder[] = "/tmp/cmt-resource-XXXXXX";
static int root_fd;

static void put(const char *name, const char *content)
{
	char path[200];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(content, file);
	fclose(file);
}

static void put_folder(const char *name)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(mkdir(path, 0755), 0);
}

static int set_up(void **state)
{
	char outside[100];
	struct app_error error;

	(void)state;
	assert_non_null(mkdtemp(folder));
	put_folder("root");
	put_folder("root/films");
	put_folder("root/empty");
	put("secret", "secret");
	put("root/a.mp4", "0123456789");
	put("root/.hidden", "x");
	put("root/films/b.webm", "b");
	put("root/films/index.html", "index");
	snprintf(outside, sizeof(outside), "%s/root", folder);
	assert_int_equal(chdir(outside), 0);
	assert_int_equal(symlink("../secret", "out"), 0);
	assert_int_equal(symlink("/etc/passwd", "absolute"), 0);
	assert_int_equal(symlink("..", "films/up"), 0);
	assert_int_equal(symlink("../..", "films/upup"), 0);
	assert_int_equal(symlink("/proc/self/root/etc/passwd", "magic"), 0);
	root_fd = resource_root(outside, &error);
	assert_true(root_fd >= 0);
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int tear_down(void **state)
{
	(void)state;
	close(root_fd);
	return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void paths_name_files_below_the_folder_only(void **state)
{
	static const struct {
		const char *path;
		int status;
	} cases[] = {
	    {"/a.mp4", 0},
	    {"/films/b.webm", 0},
	    {"/films/", 0},
	    {"/films", 0},
	    {"/films/up/a.mp4", 0},
	    {"/", 404},
	    {"/empty/", 404},
	    {"/b.webm", 404},
	    {"/a.mp4/", 404},
	    {"/a.mp4/x", 404},
	    {"/.hidden", 404},
	    {"/films/up/.hidden", 404},
	    {"/out", 404},
	    {"/absolute", 404},
	    {"/magic", 404},
	    {"/films/upup", 404},
	    {"/films/upup/secret", 404},
	    {"/films/upup/root/a.mp4", 404},
	    {"/../secret", 400},
	    {"/films/../a.mp4", 400},
	    {"/films/..", 400},
	    {"/.", 400},
	    {"/./a.mp4", 400},
	    {"//a.mp4", 400},
	    {"/films//b.webm", 400},
	    {"//", 400},
	    {"/...", 404},
	    {"/a\tb", 400},
	    {"/a\x7f", 400},
	    {"/\xc2\x85", 400},
	    {"/\xff", 400},
	    {"/%2e%2e/secret", 404},
	    {"/..\\secret", 404},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct resource r;
		struct app_error why = {""};
		const int status = resource_open(root_fd, cases[i].path, &r, &why);

		if (status != cases[i].status) {
			fail_msg("%s: %d %s", cases[i].path, status, why.text);
		}
		if (status == 0) {
			close(r.fd);
		} else {
			assert_true(why.text[0] != '\0');
		}
	}
}

static void a_file_is_described(void **state)
{
	struct resource r;
	struct app_error why;
	char etag[sizeof(r.etag)];

	(void)state;
	assert_int_equal(resource_open(root_fd, "/a.mp4", &r, &why), 0);
	assert_int_equal(r.size, 10);
	assert_string_equal(r.content_type, "video/mp4");
	assert_true(r.modified_us > INT64_C(1600000000000000));
	memcpy(etag, r.etag, sizeof(etag));
	close(r.fd);
	assert_int_equal(resource_open(root_fd, "/a.mp4", &r, &why), 0);
	assert_string_equal(r.etag, etag);
	close(r.fd);
	assert_int_equal(resource_open(root_fd, "/films", &r, &why), 0);
	assert_string_equal(r.content_type, "text/html; charset=utf-8");
	close(r.fd);
}

static void what_is_no_regular_file_is_refused_without_waiting_for_it(void **state)
{
	struct resource r;
	struct app_error why;

	(void)state;
	assert_int_equal(mkfifo("fifo", 0644), 0);
	assert_int_equal(resource_open(root_fd, "/fifo", &r, &why), 403);
	assert_string_equal(why.text, "not a regular file");
}

static void without_descriptors_it_is_another_time(void **state)
{
	struct rlimit before, few;
	struct resource r;
	struct app_error why;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){.rlim_cur = (rlim_t)root_fd + 1, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_int_equal(resource_open(root_fd, "/a.mp4", &r, &why), 503);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(paths_name_files_below_the_folder_only),
	    cmocka_unit_test(a_file_is_described),
	    cmocka_unit_test(what_is_no_regular_file_is_refused_without_waiting_for_it),
	    cmocka_unit_test(without_descriptors_it_is_another_time),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
