/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stand_ins.c - what costs the stack time here and hides no defect, by something cheaper (--wrap of the
 * linker).
 *
 * Locks, in a process of one thread: a mark, so that whoever takes a plain lock twice, or gives back what
 * is not taken, is found at once. SHA-1, which no attacker breaks: a hash that depends on every byte. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <netinet/sctp_os.h>

#include "fuzz.h"

enum { WORD_BYTES = sizeof(uint64_t), DIGEST_BYTES = 20 };

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
void __wrap_sctp_sha1_init(struct sctp_sha1_context *c);
void __wrap_sctp_sha1_update(struct sctp_sha1_context *c, const unsigned char *bytes, unsigned len);
void __wrap_sctp_sha1_final(unsigned char *digest, struct sctp_sha1_context *c);

/* --- locks: how often they are taken --- */

static bool is_recursive(const pthread_mutex_t *mutex)
{
	return mutex->__data.__kind == PTHREAD_MUTEX_RECURSIVE;
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	if (mutex->__data.__lock != 0 && !is_recursive(mutex))
		return EBUSY;
	mutex->__data.__lock++;
	return 0;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	REQUIRE(__wrap_pthread_mutex_trylock(mutex) == 0);
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	REQUIRE(mutex->__data.__lock > 0);
	mutex->__data.__lock--;
	return 0;
}

/* --- a hash --- */

static void mix(struct sctp_sha1_context *c, const void *word)
{
	uint64_t state = (uint64_t)c->A << 32 | c->B, more;

	memcpy(&more, word, sizeof(more));
	state = (state ^ more) * UINT64_C(0x9e3779b97f4a7c15);
	state ^= state >> 29;
	c->A = (uint32_t)(state >> 32);
	c->B = (uint32_t)state;
}

void __wrap_sctp_sha1_init(struct sctp_sha1_context *c)
{
	memset(c, 0, sizeof(*c));
	c->A = 1;
}

/* The same however the bytes are divided. */
void __wrap_sctp_sha1_update(struct sctp_sha1_context *c, const unsigned char *bytes, unsigned len)
{
	c->running_total += len;
	while (len > 0) {
		if (c->how_many_in_block == 0 && len >= WORD_BYTES) {
			mix(c, bytes);
			bytes += WORD_BYTES;
			len -= WORD_BYTES;
			continue;
		}
		c->sha_block[c->how_many_in_block++] = (char)*bytes++;
		len--;
		if (c->how_many_in_block == WORD_BYTES) {
			mix(c, c->sha_block);
			c->how_many_in_block = 0;
		}
	}
}

void __wrap_sctp_sha1_final(unsigned char *digest, struct sctp_sha1_context *c)
{
	uint64_t word = c->running_total;

	memset(c->sha_block + c->how_many_in_block, 0, WORD_BYTES);
	mix(c, c->sha_block);
	for (unsigned at = 0; at < DIGEST_BYTES; at += sizeof(c->A)) {
		mix(c, &word);
		memcpy(digest + at, &c->A, sizeof(c->A));
	}
}
