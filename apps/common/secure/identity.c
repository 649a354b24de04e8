/* SPDX-License-Identifier: BSD-3-Clause */
#include "secure/identity.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <usrsctp_cmt_keys.h>

#include "secure/secret_file.h"
#include "secure/user_folder.h"

#define NAME "identity.pem"
/* Others remember the fingerprint and nobody looks at the date: when it ends, it ends by hand. */
#define VALID_DAYS 36500u
#define HOST_BYTES 64

static void host_name(char out[HOST_BYTES])
{
	if (gethostname(out, HOST_BYTES) != 0 || out[0] == '\0') {
		(void)snprintf(out, HOST_BYTES, "usrsctp-cmt");
	}
	out[HOST_BYTES - 1] = '\0';
}

/* Under another name first, so that no program that starts at the same time finds half of it. 0, or -1 with
 * errno. */
static int make(const char *file)
{
	char temporary[PATH_MAX + 16], host[HOST_BYTES];
	int rc, code;

	if (app_make_folders_of(file) != 0) {
		return -1;
	}
	(void)snprintf(temporary, sizeof(temporary), "%s.%ld", file, (long)getpid());
	(void)unlink(temporary);
	host_name(host);
	rc = usrsctp_cmt_keys_make(temporary, host, VALID_DAYS);
	if (rc == 0 && link(temporary, file) != 0 && errno != EEXIST) {
		rc = -1;
	}
	code = errno;
	(void)unlink(temporary);
	errno = code;
	return rc;
}

int app_identity_open(struct app_identity *out, struct app_error *error)
{
	*out = (struct app_identity){.file = ""};
	if (app_user_file(APP_CONFIG_FOLDER, NAME, out->file, &out->forgotten) != 0) {
		out->file[0] = '\0';
		return 0;
	}
	if (access(out->file, F_OK) != 0 && make(out->file) != 0) {
		app_error_set(&out->forgotten, "%s: %s", out->file, strerror(errno));
		out->file[0] = '\0';
		return 0;
	}
	return app_secret_file_check("own key", out->file, error);
}
