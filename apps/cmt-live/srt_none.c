/* SPDX-License-Identifier: BSD-3-Clause
 *
 * srt_none.c - srt_pipe.h in a build without libsrt. */
#include "srt_pipe.h"

struct srt_pipe *srt_pipe_new(const struct srt_url *url, const char *said, enum srt_pipe_way way, bool quiet,
                              struct app_error *error)
{
	(void)url;
	(void)way;
	(void)quiet;
	app_error_set(error,
	              "%s: this cmt-live was built without SRT; build it with libsrt (Debian: "
	              "libsrt-openssl-dev) and without -DCMT_SRT=OFF",
	              said);
	return NULL;
}

int srt_pipe_fd(const struct srt_pipe *p)
{
	(void)p;
	return -1;
}

void srt_pipe_stats(struct srt_pipe *p, struct srt_pipe_stats *out)
{
	(void)p;
	*out = (struct srt_pipe_stats){.connected = false};
}

void srt_pipe_free(struct srt_pipe *p)
{
	(void)p;
}
