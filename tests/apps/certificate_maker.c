/* SPDX-License-Identifier: BSD-3-Clause
 *
 * certificate_maker FILE NAME DAYS: a key and a self-signed certificate, as programs make their own; with
 * DAYS 1 it has just expired. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <usrsctp_cmt_keys.h>

int main(int argc, char **argv)
{
	if (argc != 4 || usrsctp_cmt_keys_make(argv[1], argv[2], (unsigned)strtoul(argv[3], NULL, 10)) != 0) {
		fprintf(stderr, "certificate_maker: %s\n", argc == 4 ? strerror(errno) : "FILE NAME DAYS");
		return 1;
	}
	return 0;
}
