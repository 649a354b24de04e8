/* SPDX-License-Identifier: BSD-3-Clause
 *
 * words.h - a text as a list of words, split at blanks. A word that ends in NUMBER..NUMBER stands for as many
 * words: "random:1..3" is "random:1 random:2 random:3".
 *
 * Pure but for memory. */
#ifndef LAB_WORDS_H
#define LAB_WORDS_H

#define LAB_WORD_BYTES 400

struct lab_words {
	char (*word)[LAB_WORD_BYTES];
	unsigned n;
};

/* NULL is a text without words. Longer words are cut. Free with lab_words_free(). */
struct lab_words lab_words_split(const char *text);
void lab_words_add(struct lab_words *w, const char *word);
void lab_words_free(struct lab_words *w);

#endif
