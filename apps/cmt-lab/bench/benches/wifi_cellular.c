/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Wi-Fi and cellular at the same time and place (Aydin, Fund, Panwar, INFOCOM CNERT 2023). */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/benches/recorded.h"

#define FOLDER "wifi-cellular"
#define END    "-wifi.csv"

static int is_wifi(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name), end = strlen(END);

	return len > end && strcmp(entry->d_name + len - end, END) == 0;
}

static int add(const char *networks, const char *file, struct lab_bench_points *out, struct lab_error *error)
{
	const int stem = (int)(strlen(file) - strlen(END));
	char names[2][100], files[2][160];
	const struct lab_recorded_link wifi = {names[0], files[0], NULL, 10, 60},
	                               cellular = {names[1], files[1], NULL, 30, 200};
	const struct lab_recorded_link *const links[] = {&wifi, &cellular};

	snprintf(names[0], sizeof(names[0]), "%.*s wifi", stem, file);
	snprintf(names[1], sizeof(names[1]), "cellular");
	snprintf(files[0], sizeof(files[0]), FOLDER "/%.100s", file);
	snprintf(files[1], sizeof(files[1]), FOLDER "/%.*s-cellular.csv", stem, file);
	return lab_bench_add_recorded(out, networks, FOLDER, links, "rcvbuf=6MB", error);
}

static int list(const char *networks, struct lab_bench_points *out, struct lab_error *error)
{
	struct dirent **entries;
	char folder[300];
	int n, rc = 0;

	snprintf(folder, sizeof(folder), "%.200s/" FOLDER, networks);
	n = scandir(folder, &entries, is_wifi, alphasort);
	if (n <= 0) {
		snprintf(error->text, sizeof(error->text), "%s: %s", folder,
		         n < 0 ? strerror(errno) : "no file *" END);
		return -1;
	}
	for (int i = 0; i < n; i++) {
		rc = rc == 0 ? add(networks, entries[i]->d_name, out, error) : rc;
		free(entries[i]);
	}
	free(entries);
	return rc;
}

const struct lab_bench lab_bench_wifi_cellular = {
    .name = "wifi-cellular",
    .title = "Benchmark: Wi-Fi and cellular",
    .what = "rates of both at the same time and place, by the second (Aydin, Fund, Panwar, CNERT 2023); "
            "chosen: 10 ms and 30 ms one way, queues of 60 ms and 200 ms, receive buffer 6 MB",
    .recorded = true,
    .list = list,
    .measures = {{.name = "of the ceiling", .key = "goodput_bps", .of = LAB_BENCH_OF_CEILING},
                 {.name = "benefit (EBen)", .key = "goodput_bps", .of = LAB_BENCH_BENEFIT},
                 {.name = "of the best plain path", .key = "goodput_bps", .of = LAB_BENCH_OF_PLAIN},
                 {.name = "of our best path", .key = "goodput_bps", .of = LAB_BENCH_OF_SAME},
                 {.name = "silence (ms)", .key = "max_delivery_gap_us", .unit = 1e3, .less = true}},
    .n_measures = 5,
};
