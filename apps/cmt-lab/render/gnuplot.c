/* SPDX-License-Identifier: BSD-3-Clause */
#include "render/gnuplot.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int lab_gnuplot(const char *directory, const char *script, struct lab_error *error)
{
	pid_t pid;
	int status = 0;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		if (chdir(directory) == 0) {
			execlp("gnuplot", "gnuplot", script, (char *)NULL);
		}
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		snprintf(
		    error->text, sizeof(error->text),
		    pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127
		        ? "gnuplot is not installed (package gnuplot-nox); the data and %s have been written"
		        : "gnuplot failed on %s",
		    script);
		return -1;
	}
	return 0;
}
