/* SPDX-License-Identifier: BSD-3-Clause */
#include "secure/key_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <usrsctp_cmt_dtls.h>

static FILE *log_file;

/* Wireshark reads it while we run. */
static void on_line(const char *line, void *arg)
{
	(void)arg;
	(void)fprintf(log_file, "%s\n", line);
	(void)fflush(log_file);
}

int app_key_log_open(const char *program, const char *file, struct app_error *error)
{
	const int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	log_file = fd >= 0 ? fdopen(fd, "a") : NULL;
	if (log_file == NULL) {
		app_error_set(error, "--keylog: cannot write %s: %s", file, strerror(errno));
		if (fd >= 0) {
			(void)close(fd);
		}
		return -1;
	}
	usrsctp_cmt_dtls_keylog(on_line, NULL);
	app_complain(program, "--keylog: whoever has %s can read everything that is sent", file);
	return 0;
}

void app_key_log_close(void)
{
	if (log_file != NULL) {
		usrsctp_cmt_dtls_keylog(NULL, NULL);
		(void)fclose(log_file);
		log_file = NULL;
	}
}
