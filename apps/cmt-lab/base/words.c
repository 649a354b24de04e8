/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"

static void add(struct lab_words *w, const char *text, size_t len, const char *number)
{
	w->word = lab_grow(w->word, w->n + 1, sizeof(*w->word));
	snprintf(w->word[w->n++], LAB_WORD_BYTES, "%.*s%s", (int)len, text, number);
}

/* The length of what stands before NUMBER..NUMBER at the end of the word; `len` when it does not end so. */
static size_t before_range(const char *text, size_t len, unsigned *first, unsigned *last)
{
	char word[LAB_WORD_BYTES];
	const char *dots;
	size_t at;
	int used = 0;

	snprintf(word, sizeof(word), "%.*s", (int)len, text);
	dots = strstr(word, "..");
	if (dots == NULL) {
		return len;
	}
	for (at = (size_t)(dots - word); at > 0 && word[at - 1] >= '0' && word[at - 1] <= '9'; at--) {
	}
	return sscanf(word + at, "%u..%u%n", first, last, &used) == 2 && word[at + (size_t)used] == '\0'
	           ? at
	           : len;
}

struct lab_words lab_words_split(const char *text)
{
	struct lab_words w = {.n = 0};

	for (size_t len; text != NULL && *(text += strspn(text, " ")) != '\0'; text += len) {
		unsigned first = 0, last = 0;
		char number[16];
		size_t before;

		len = strcspn(text, " ");
		before = before_range(text, len, &first, &last);
		if (before == len) {
			add(&w, text, len, "");
		}
		for (unsigned i = first; before < len && i <= last; i++) {
			snprintf(number, sizeof(number), "%u", i);
			add(&w, text, before, number);
		}
	}
	return w;
}

void lab_words_add(struct lab_words *w, const char *word)
{
	add(w, word, strlen(word), "");
}

void lab_words_free(struct lab_words *w)
{
	free(w->word);
	*w = (struct lab_words){.n = 0};
}
