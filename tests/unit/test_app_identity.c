/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program's own key: where it is, that it is made once, who may read it; and files with a secret. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "secure/identity.h"
#include "secure/secret_file.h"
#include "secure/user_folder.h"

#define STARTERS 6

static char folder[] = "/tmp/cmt-identity-XXXXXX";

static int set_up(void **state)
{
	(void)state;
	(void)strcpy(folder + strlen(folder) - 6, "XXXXXX");
	if (mkdtemp(folder) == NULL) {
		return -1;
	}
	(void)unsetenv("XDG_CONFIG_HOME");
	(void)unsetenv("XDG_STATE_HOME");
	return setenv("HOME", folder, 1);
}

static int tear_down(void **state)
{
	char command[100];

	(void)state;
	(void)snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

static const char *in_folder(const char *name)
{
	static char path[200];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static mode_t mode_of(const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return status.st_mode & 07777;
}

static void files_are_below_the_home_unless_a_variable_says_where(void **state)
{
	char path[PATH_MAX];
	struct app_error error;

	(void)state;
	assert_int_equal(app_user_file(APP_CONFIG_FOLDER, "identity.pem", path, &error), 0);
	assert_string_equal(path, in_folder(".config/usrsctp-cmt/identity.pem"));
	assert_int_equal(app_user_file(APP_STATE_FOLDER, "known_peers", path, &error), 0);
	assert_string_equal(path, in_folder(".local/state/usrsctp-cmt/known_peers"));
	assert_int_equal(setenv("XDG_STATE_HOME", in_folder("state"), 1), 0);
	assert_int_equal(app_user_file(APP_STATE_FOLDER, "known_peers", path, &error), 0);
	assert_string_equal(path, in_folder("state/usrsctp-cmt/known_peers"));
	/* The specification says that relative paths do not count. */
	assert_int_equal(setenv("XDG_STATE_HOME", "state", 1), 0);
	assert_int_equal(app_user_file(APP_STATE_FOLDER, "known_peers", path, &error), 0);
	assert_string_equal(path, in_folder(".local/state/usrsctp-cmt/known_peers"));
}

static void without_home_the_list_of_users_says_where(void **state)
{
	const struct passwd *const user = getpwuid(geteuid());
	char path[PATH_MAX], expected[PATH_MAX];
	struct app_error error;

	(void)state;
	(void)unsetenv("HOME");
	if (user == NULL || user->pw_dir[0] != '/') {
		assert_int_equal(app_user_file(APP_CONFIG_FOLDER, "x", path, &error), -1);
		assert_string_equal(error.text, "this user has no home; set HOME or XDG_CONFIG_HOME");
		return;
	}
	(void)snprintf(expected, sizeof(expected), "%.1000s/.config/usrsctp-cmt/x", user->pw_dir);
	assert_int_equal(app_user_file(APP_CONFIG_FOLDER, "x", path, &error), 0);
	assert_string_equal(path, expected);
}

static void root_leaves_nothing_in_the_home_of_others(void **state)
{
	char path[PATH_MAX];
	struct app_error error;

	(void)state;
	if (geteuid() != 0 || chown(folder, 65534, 65534) != 0) {
		skip();
	}
	assert_int_equal(app_user_file(APP_CONFIG_FOLDER, "x", path, &error), 0);
	assert_null(strstr(path, folder));
}

static void a_key_is_made_once_and_for_the_user_alone(void **state)
{
	struct app_identity first, second;
	struct app_error error;
	struct stat before, after;

	(void)state;
	assert_int_equal(app_identity_open(&first, &error), 0);
	assert_string_equal(first.file, in_folder(".config/usrsctp-cmt/identity.pem"));
	assert_int_equal(mode_of(first.file), 0600);
	assert_int_equal(mode_of(in_folder(".config/usrsctp-cmt")), 0700);
	assert_int_equal(stat(first.file, &before), 0);
	assert_int_equal(app_identity_open(&second, &error), 0);
	assert_string_equal(second.file, first.file);
	assert_int_equal(stat(first.file, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
}

static void who_starts_at_the_same_time_has_the_same_key(void **state)
{
	struct app_identity mine;
	struct app_error error;
	char command[100], gate;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	for (int i = 0; i < STARTERS; i++) {
		const pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0) {
			(void)close(ends[1]);
			if (read(ends[0], &gate, 1) != 0) {
				_exit(2);
			}
			_exit(app_identity_open(&mine, &error) == 0 && mine.file[0] != '\0' ? 0 : 1);
		}
	}
	(void)close(ends[1]);
	(void)close(ends[0]);
	for (int i = 0; i < STARTERS; i++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	(void)snprintf(command, sizeof(command), "test \"$(ls %s)\" = identity.pem",
	               in_folder(".config/usrsctp-cmt"));
	assert_int_equal(system(command), 0);
}

static void where_none_can_be_kept_the_reason_is_told(void **state)
{
	struct app_identity mine;
	struct app_error error;

	(void)state;
	assert_int_equal(setenv("XDG_CONFIG_HOME", "/proc/nowhere", 1), 0);
	assert_int_equal(app_identity_open(&mine, &error), 0);
	assert_string_equal(mine.file, "");
	assert_non_null(strstr(mine.forgotten.text, "/proc/nowhere/usrsctp-cmt/identity.pem: "));
}

static void a_key_that_others_can_read_is_refused(void **state)
{
	struct app_identity mine;
	struct app_error error;
	char expected[PATH_MAX + 100];

	(void)state;
	assert_int_equal(app_identity_open(&mine, &error), 0);
	assert_int_equal(chmod(mine.file, 0640), 0);
	assert_int_equal(app_identity_open(&mine, &error), -1);
	(void)snprintf(expected, sizeof(expected),
	               "own key: others can read or change %s (mode 0640); run chmod 600 on it", mine.file);
	assert_string_equal(error.text, expected);
}

static void passphrases_are_the_first_line(void **state)
{
	static const struct {
		const char *content;
		size_t len;
		const char *passphrase; /* NULL = refused */
		const char *why;
	} cases[] = {
	    {"open sesame\nmore\n", 17, "open sesame", NULL},
	    {"open sesame", 11, "open sesame", NULL},
	    {"dos\r\n", 5, "dos", NULL},
	    {"", 0, NULL, " is empty; write the passphrase there"},
	    {"\nx", 2, NULL, " is empty; write the passphrase there"},
	    {"a\0b\n", 4, NULL, " is no text; write the passphrase there"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char passphrase[APP_SECRET_BYTES];
		struct app_error error;
		FILE *const out = fopen(in_folder("secret"), "w");

		assert_non_null(out);
		assert_int_equal(fwrite(cases[i].content, 1, cases[i].len, out), cases[i].len);
		assert_int_equal(fclose(out), 0);
		assert_int_equal(chmod(in_folder("secret"), 0600), 0);
		assert_int_equal(
		    app_secret_file_read("--passphrase-file", in_folder("secret"), passphrase, &error),
		    cases[i].passphrase != NULL ? 0 : -1);
		if (cases[i].passphrase != NULL) {
			assert_string_equal(passphrase, cases[i].passphrase);
		} else {
			assert_non_null(strstr(error.text, cases[i].why));
		}
	}
}

static void a_line_that_is_too_long_and_a_file_that_is_not_there_are_named(void **state)
{
	char passphrase[APP_SECRET_BYTES], expected[300];
	struct app_error error;
	FILE *const out = fopen(in_folder("secret"), "w");

	(void)state;
	assert_non_null(out);
	for (int i = 0; i < APP_SECRET_BYTES; i++) {
		assert_int_equal(fputc('x', out), 'x');
	}
	assert_int_equal(fclose(out), 0);
	assert_int_equal(chmod(in_folder("secret"), 0600), 0);
	assert_int_equal(app_secret_file_read("--passphrase-file", in_folder("secret"), passphrase, &error),
	                 -1);
	(void)snprintf(expected, sizeof(expected),
	               "--passphrase-file: the first line of %s is longer than 1023 bytes; shorten it",
	               in_folder("secret"));
	assert_string_equal(error.text, expected);
	assert_int_equal(app_secret_file_check("--key", in_folder("none"), &error), -1);
	(void)snprintf(expected, sizeof(expected), "--key: cannot read %s: No such file or directory",
	               in_folder("none"));
	assert_string_equal(error.text, expected);
}

static void a_passphrase_that_others_can_read_is_refused(void **state)
{
	char passphrase[APP_SECRET_BYTES];
	struct app_error error;
	FILE *const out = fopen(in_folder("secret"), "w");

	(void)state;
	assert_non_null(out);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(chmod(in_folder("secret"), 0604), 0);
	assert_int_equal(app_secret_file_read("--passphrase-file", in_folder("secret"), passphrase, &error),
	                 -1);
	assert_non_null(strstr(error.text, "(mode 0604); run chmod 600 on it"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(files_are_below_the_home_unless_a_variable_says_where),
	    TEST(without_home_the_list_of_users_says_where),
	    TEST(root_leaves_nothing_in_the_home_of_others),
	    TEST(a_key_is_made_once_and_for_the_user_alone),
	    TEST(who_starts_at_the_same_time_has_the_same_key),
	    TEST(where_none_can_be_kept_the_reason_is_told),
	    TEST(a_key_that_others_can_read_is_refused),
	    TEST(passphrases_are_the_first_line),
	    TEST(a_line_that_is_too_long_and_a_file_that_is_not_there_are_named),
	    TEST(a_passphrase_that_others_can_read_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
