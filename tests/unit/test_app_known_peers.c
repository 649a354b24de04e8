/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The file of known peers: who is new, who has another key, what stays of what people write into it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "secure/known_peers.h"

#define HEX        "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define FILE_BYTES 65536
#define WRITERS    6
#define EACH       5

static char folder[] = "/tmp/cmt-known-peers-XXXXXX";
static char file[sizeof(folder) + 40];

static int set_up(void **state)
{
	(void)state;
	(void)strcpy(folder + strlen(folder) - 6, "XXXXXX");
	if (mkdtemp(folder) == NULL) {
		return -1;
	}
	(void)snprintf(file, sizeof(file), "%s/below/known_peers", folder);
	return 0;
}

static int tear_down(void **state)
{
	char command[100];

	(void)state;
	(void)snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

static const uint8_t *key(uint8_t number)
{
	static uint8_t fingerprint[USRSCTP_CMT_FINGERPRINT_BYTES];

	memset(fingerprint, number, sizeof(fingerprint));
	return fingerprint;
}

static const char *key_text(uint8_t number)
{
	static char text[USRSCTP_CMT_FINGERPRINT_TEXT];

	usrsctp_cmt_fingerprint_format(key(number), text);
	return text;
}

static struct app_peer_names named(const char *addresses)
{
	struct app_peer_names names;

	app_peer_names_of(&names, addresses, 9899);
	return names;
}

static struct app_meeting meet(const char *addresses, uint8_t number)
{
	static struct app_peer_names names; /* the meeting points into it */
	struct app_meeting m;
	struct app_error error = {""};

	names = named(addresses);
	if (app_known_peers_meet(file, &names, key(number), &m, &error) != 0) {
		fail_msg("%s", error.text);
	}
	return m;
}

static void write_file(const char *text)
{
	char command[100];
	FILE *out;

	(void)snprintf(command, sizeof(command), "mkdir -p %s/below", folder);
	assert_int_equal(system(command), 0);
	out = fopen(file, "w");
	assert_non_null(out);
	assert_int_not_equal(fputs(text, out), EOF);
	assert_int_equal(fclose(out), 0);
}

static const char *content(void)
{
	static char text[FILE_BYTES];
	FILE *in = fopen(file, "r");

	assert_non_null(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	assert_int_equal(fclose(in), 0);
	return text;
}

static void names_are_hosts_as_written_with_the_port(void **state)
{
	const struct app_peer_names names =
	    named("Host.Example,10.1.0.1:9899,[FD00::1]:9899,fd00::2,10.1.0.1");

	(void)state;
	assert_int_equal(names.n, 4);
	assert_string_equal(names.list[0], "host.example:9899");
	assert_string_equal(names.list[1], "10.1.0.1:9899");
	assert_string_equal(names.list[2], "[fd00::1]:9899");
	assert_string_equal(names.list[3], "[fd00::2]:9899");
}

static void who_is_new_is_written_down_and_known_from_then_on(void **state)
{
	char expected[200];
	struct stat status;

	(void)state;
	assert_int_equal(meet("10.1.0.1", 1).kind, APP_PEER_NEW);
	(void)snprintf(expected, sizeof(expected), "10.1.0.1:9899 %s\n", key_text(1));
	assert_string_equal(content(), expected);
	assert_int_equal(stat(file, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(meet("10.1.0.1", 1).kind, APP_PEER_KNOWN);
	assert_string_equal(content(), expected);
}

static void who_has_another_key_is_named_with_the_line_and_nothing_is_written(void **state)
{
	char before[FILE_BYTES];
	struct app_meeting m;

	(void)state;
	(void)meet("10.0.0.1", 1);
	(void)meet("10.1.0.1", 1);
	(void)strcpy(before, content());
	m = meet("10.9.0.1,10.1.0.1", 2);
	assert_int_equal(m.kind, APP_PEER_CHANGED);
	assert_string_equal(m.name, "10.1.0.1:9899");
	assert_int_equal(m.line, 2);
	assert_string_equal(content(), before);
}

static void another_port_is_another_peer(void **state)
{
	struct app_peer_names names;
	struct app_meeting m;
	struct app_error error;

	(void)state;
	(void)meet("10.1.0.1", 1);
	app_peer_names_of(&names, "10.1.0.1", 9900);
	assert_int_equal(app_known_peers_meet(file, &names, key(2), &m, &error), 0);
	assert_int_equal(m.kind, APP_PEER_NEW);
}

static void a_new_address_of_a_known_peer_joins_the_others(void **state)
{
	(void)state;
	(void)meet("10.1.0.1", 1);
	assert_int_equal(meet("10.1.0.1,10.2.0.1", 1).kind, APP_PEER_NEW);
	assert_int_equal(meet("10.2.0.1", 1).kind, APP_PEER_KNOWN);
	assert_int_equal(meet("10.2.0.1", 2).kind, APP_PEER_CHANGED);
}

static void what_people_write_stays(void **state)
{
	char text[1000], expected[1200];

	(void)state;
	(void)snprintf(text, sizeof(text), "# mine\n\n  HOST.example:9899\t%s the host in the cellar\n#end",
	               key_text(1));
	write_file(text);
	assert_int_equal(meet("host.example", 1).kind, APP_PEER_KNOWN);
	assert_string_equal(content(), text);
	assert_int_equal(meet("10.1.0.1", 2).kind, APP_PEER_NEW);
	(void)snprintf(expected, sizeof(expected), "%s\n10.1.0.1:9899 %s\n", text, key_text(2));
	assert_string_equal(content(), expected);
}

static void a_name_may_have_several_keys(void **state)
{
	char text[400], second[USRSCTP_CMT_FINGERPRINT_TEXT];

	(void)state;
	(void)strcpy(second, key_text(2));
	(void)snprintf(text, sizeof(text), "10.1.0.1:9899 %s\n10.1.0.1:9899 %s\n", key_text(1), second);
	write_file(text);
	assert_int_equal(meet("10.1.0.1", 1).kind, APP_PEER_KNOWN);
	assert_int_equal(meet("10.1.0.1", 2).kind, APP_PEER_KNOWN);
	assert_int_equal(meet("10.1.0.1", 3).line, 1);
}

static void a_malformed_line_is_named_and_nobody_is_known(void **state)
{
	static const char *const wrong[] = {
	    "10.1.0.1:9899", "10.1.0.1 sha256:00", "10.1.0.1:9899 sha256:0102",
	    ":9899 " HEX,    "10.1.0.1 " HEX,      "10.1.0.1:x " HEX};
	const struct app_peer_names names = named("10.1.0.1");

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char text[300], expected[400];
		struct app_meeting m;
		struct app_error error;

		(void)snprintf(text, sizeof(text), "# one\n10.1.0.1:9899 %s\n%s\n", key_text(1), wrong[i]);
		write_file(text);
		assert_int_equal(app_known_peers_meet(file, &names, key(1), &m, &error), -1);
		(void)snprintf(expected, sizeof(expected),
		               "%s:3: \"%s\" is not HOST:PORT sha256:HEX; correct the line or delete it",
		               file, wrong[i]);
		assert_string_equal(error.text, expected);
		assert_string_equal(content(), text);
	}
}

static void a_line_without_end_is_refused(void **state)
{
	const struct app_peer_names names = named("10.1.0.1");
	char *const text = calloc(1, 5001);
	struct app_meeting m;
	struct app_error error;

	(void)state;
	assert_non_null(text);
	memset(text, '#', 5000);
	write_file(text);
	free(text);
	assert_int_equal(app_known_peers_meet(file, &names, key(1), &m, &error), -1);
	assert_non_null(strstr(error.text, ":1: the line is longer than 4094 bytes; shorten it"));
}

static void where_nothing_can_be_written_the_peer_is_new_and_the_reason_is_told(void **state)
{
	struct app_meeting m;

	(void)state;
	write_file("");
	/* A folder that is a file, for root too. */
	(void)snprintf(file, sizeof(file), "/dev/null/known_peers");
	{
		const struct app_peer_names names = named("10.1.0.1");
		struct app_error error;

		assert_int_equal(app_known_peers_meet(file, &names, key(1), &m, &error), -1);
		assert_non_null(strstr(error.text, "cannot read the known peers in /dev/null/known_peers"));
	}
	(void)snprintf(file, sizeof(file), "/proc/nowhere/known_peers");
	m = meet("10.1.0.1", 1);
	assert_int_equal(m.kind, APP_PEER_NEW);
	assert_string_not_equal(m.forgotten.text, "");
}

static void a_link_stays_one(void **state)
{
	char other[sizeof(file) + 10];
	struct stat status;

	(void)state;
	write_file("");
	(void)snprintf(other, sizeof(other), "%s.real", file);
	assert_int_equal(rename(file, other), 0);
	assert_int_equal(symlink(other, file), 0);
	assert_int_equal(meet("10.1.0.1", 1).kind, APP_PEER_NEW);
	assert_int_equal(lstat(file, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(meet("10.1.0.1", 1).kind, APP_PEER_KNOWN);
}

static int write_some(int writer)
{
	for (int i = 0; i < EACH; i++) {
		char address[40];
		struct app_peer_names names;
		struct app_meeting m;
		struct app_error error;

		/* One that all of them meet, and one of its own. */
		(void)snprintf(address, sizeof(address), "10.1.0.%d,10.2.%d.%d", i, writer, i);
		app_peer_names_of(&names, address, 9899);
		if (app_known_peers_meet(file, &names, key(1), &m, &error) != 0 ||
		    m.kind == APP_PEER_CHANGED || m.forgotten.text[0] != '\0') {
			return 1;
		}
	}
	return 0;
}

static void writers_at_once_lose_nothing_and_write_nothing_twice(void **state)
{
	unsigned lines = 0;

	(void)state;
	for (int writer = 0; writer < WRITERS; writer++) {
		const pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0) {
			_exit(write_some(writer));
		}
	}
	for (int writer = 0; writer < WRITERS; writer++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	for (const char *c = content(); *c != '\0'; c++) {
		lines += *c == '\n';
	}
	assert_int_equal(lines, EACH + WRITERS * EACH);
	for (int writer = 0; writer < WRITERS; writer++) {
		char address[40];

		(void)snprintf(address, sizeof(address), "10.2.%d.%d", writer, EACH - 1);
		assert_int_equal(meet(address, 1).kind, APP_PEER_KNOWN);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_are_hosts_as_written_with_the_port),
	    TEST(who_is_new_is_written_down_and_known_from_then_on),
	    TEST(who_has_another_key_is_named_with_the_line_and_nothing_is_written),
	    TEST(another_port_is_another_peer),
	    TEST(a_new_address_of_a_known_peer_joins_the_others),
	    TEST(what_people_write_stays),
	    TEST(a_name_may_have_several_keys),
	    TEST(a_malformed_line_is_named_and_nobody_is_known),
	    TEST(a_line_without_end_is_refused),
	    TEST(where_nothing_can_be_written_the_peer_is_new_and_the_reason_is_told),
	    TEST(a_link_stays_one),
	    TEST(writers_at_once_lose_nothing_and_write_nothing_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
