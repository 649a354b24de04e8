/* SPDX-License-Identifier: BSD-3-Clause */
#include "keylog.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <wireshark.h>

#include <wsutil/report_message.h>

#define LINE_MAX_BYTES 512 /* the longest line has 256 */

static struct {
	char *path;       /* NULL = none */
	long read_bytes;  /* of the file, up to the end of a line */
	bool reported;    /* that it cannot be opened */
	GHashTable *keys; /* by tag: struct cmt_key * */
} keylog;

static void free_keys(gpointer first)
{
	struct cmt_key *next;

	for (struct cmt_key *key = first; key != NULL; key = next) {
		next = key->next;
		cmt_cipher_free(key->cipher);
		g_free(key);
	}
}

void cmt_keylog_reset(const char *path)
{
	if (keylog.keys != NULL) {
		GHashTableIter i;
		gpointer first;

		g_hash_table_iter_init(&i, keylog.keys);
		while (g_hash_table_iter_next(&i, NULL, &first)) {
			free_keys(first);
		}
		g_hash_table_destroy(keylog.keys);
	}
	g_free(keylog.path);
	memset(&keylog, 0, sizeof(keylog));
	if (path != NULL && path[0] != '\0') {
		keylog.path = g_strdup(path);
		keylog.keys = g_hash_table_new(g_direct_hash, g_direct_equal);
	}
}

/* True if `hex` is so many octets, and nothing else. */
static bool read_hex(const char *hex, uint8_t *out, size_t bytes)
{
	if (strlen(hex) != 2 * bytes) {
		return false;
	}
	for (size_t i = 0; i < bytes; i++) {
		int high = g_ascii_xdigit_value(hex[2 * i]), low = g_ascii_xdigit_value(hex[2 * i + 1]);

		if (high < 0 || low < 0) {
			return false;
		}
		out[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}

/* A line's parts. */
struct parts {
	uint32_t tag;
	unsigned restart, suite;
	uint64_t epoch;
	char key[2 * CMT_AEAD_KEY_MAX + 2], iv[2 * CMT_AEAD_NONCE_BYTES + 2],
	    sn_key[2 * CMT_AEAD_KEY_MAX + 2];
};

static struct cmt_key *make_key(const struct parts *parts)
{
	const struct cmt_suite *suite = cmt_suite_find((uint16_t)parts->suite);
	uint8_t key[CMT_AEAD_KEY_MAX], iv[CMT_AEAD_NONCE_BYTES], sn_key[CMT_AEAD_KEY_MAX];
	struct cmt_key *made;

	if (suite == NULL || !read_hex(parts->key, key, suite->key_bytes) ||
	    !read_hex(parts->iv, iv, sizeof(iv)) || !read_hex(parts->sn_key, sn_key, suite->sn_key_bytes)) {
		return NULL;
	}
	made = g_new0(struct cmt_key, 1);
	*made = (struct cmt_key){.suite = suite,
	                         .cipher = cmt_cipher_new(suite, key, iv, sn_key),
	                         .epoch = parts->epoch,
	                         .tag = parts->tag,
	                         .restart = parts->restart != 0,
	                         .searches_left = CMT_KEY_SEARCHES};
	if (made->cipher == NULL) {
		g_free(made);
		return NULL;
	}
	return made;
}

static bool take_line(const char *line)
{
	struct parts parts;
	struct cmt_key *key;

	if (sscanf(line, "SCTP_DTLS %8" SCNx32 " %1u %20" SCNu64 " %4x %65s %25s %65s", &parts.tag,
	           &parts.restart, &parts.epoch, &parts.suite, parts.key, parts.iv, parts.sn_key) != 7) {
		return false;
	}
	key = make_key(&parts);
	if (key == NULL) {
		return false;
	}
	key->next = g_hash_table_lookup(keylog.keys, GUINT_TO_POINTER(key->tag));
	g_hash_table_insert(keylog.keys, GUINT_TO_POINTER(key->tag), key);
	return true;
}

/* Lines that are complete; one that is still being written is read next time. */
static bool take_lines(FILE *file)
{
	char line[LINE_MAX_BYTES];
	bool any = false, begins = true;

	while (fgets(line, sizeof(line), file) != NULL) {
		bool ends = strchr(line, '\n') != NULL;

		if (begins && ends) {
			any = take_line(line) || any;
		}
		if (ends) {
			keylog.read_bytes = ftell(file);
		}
		begins = ends;
	}
	return any;
}

bool cmt_keylog_read(void)
{
	FILE *file = keylog.path == NULL ? NULL : fopen(keylog.path, "rb");
	bool any = false;

	if (file == NULL) {
		if (keylog.path != NULL && !keylog.reported) {
			report_open_failure(keylog.path, errno, FALSE);
			keylog.reported = true;
		}
		return false;
	}
	if (fseek(file, 0, SEEK_END) == 0 && ftell(file) != keylog.read_bytes) {
		/* A file that has shrunk is another one. */
		keylog.read_bytes = ftell(file) < keylog.read_bytes ? 0 : keylog.read_bytes;
		any = fseek(file, keylog.read_bytes, SEEK_SET) == 0 && take_lines(file);
	}
	fclose(file);
	return any;
}

struct cmt_key *cmt_keylog_find(uint32_t tag)
{
	return keylog.keys == NULL ? NULL : g_hash_table_lookup(keylog.keys, GUINT_TO_POINTER(tag));
}

void cmt_keylog_prefer(struct cmt_key *key)
{
	struct cmt_key *first = cmt_keylog_find(key->tag), *before = first;

	if (first == key) {
		return;
	}
	while (before->next != key) {
		before = before->next;
	}
	before->next = key->next;
	key->next = first;
	g_hash_table_insert(keylog.keys, GUINT_TO_POINTER(key->tag), key);
}
