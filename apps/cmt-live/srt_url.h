/* SPDX-License-Identifier: BSD-3-Clause
 *
 * srt_url.h - what stands behind srt:// of an endpoint:
 *   [ADDR]:PORT[?KEY=VALUE[&KEY=VALUE..]]
 * Keys are those of srt-live-transmit: mode, latency (ms), passphrase, pbkeylen, streamid; and
 * passphrase_file. A value may have %XX. Without an address, or with an unspecified one (0.0.0.0, [::]), it
 * listens; with another one it calls; `mode` decides otherwise. Pure. */
#ifndef LIVE_SRT_URL_H
#define LIVE_SRT_URL_H

#include <stdbool.h>
#include <stdint.h>

#include "net/addresses.h"
#include "text/message.h"

#define SRT_URL_AT_BYTES         (APP_HOST_BYTES + 8)
#define SRT_URL_STREAMID_BYTES   513 /* 512 characters are the most that SRT carries */
#define SRT_URL_PASSPHRASE_MIN   10
#define SRT_URL_PASSPHRASE_BYTES 80
#define SRT_URL_FILE_BYTES       1024
#define SRT_URL_MAX_LATENCY_MS   60000

struct srt_url {
	bool listens;
	bool loopback_unasked;     /* listens, and was told no address */
	char at[SRT_URL_AT_BYTES]; /* address or name with the port, for app_addresses_add() */
	uint16_t port;
	int latency_ms;                            /* -1 = SRT's own default */
	int key_bytes;                             /* 0 = SRT's own default */
	char passphrase[SRT_URL_PASSPHRASE_BYTES]; /* "" = none */
	char passphrase_file[SRT_URL_FILE_BYTES];  /* "" = none */
	char streamid[SRT_URL_STREAMID_BYTES];     /* "" = none */
};

/* `text` is what follows srt://. 0, or -1 with the reason. */
int srt_url_parse(const char *text, struct srt_url *out, struct app_error *error);

/* Whether it can be the passphrase of SRT. 0, or -1 with the reason. */
int srt_url_check_passphrase(const char *passphrase, struct app_error *error);

#endif
