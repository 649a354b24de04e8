/* SPDX-License-Identifier: BSD-3-Clause */
#include "films_page.h"

#include <stdbool.h>
#include <string.h>

#include <event2/buffer.h>

#include "http/http_date.h"
#include "media_list.h"
#include "text/units.h"

/* What browsers play from one file. */
static const char *const films[] = {"video/mp4", "video/webm", "video/ogg"};
static const char *const sounds[] = {"audio/mpeg", "audio/mp4", "audio/aac", "audio/ogg",
                                     "audio/flac", "audio/wav", "audio/webm"};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* A page under way; what could not be added is found out at its end. */
struct page {
	struct evbuffer *out;
	bool short_of_memory;
};

static void put_bytes(struct page *p, const char *bytes, size_t len)
{
	p->short_of_memory |= evbuffer_add(p->out, bytes, len) != 0;
}

static void put(struct page *p, const char *html)
{
	put_bytes(p, html, strlen(html));
}

static void put_text(struct page *p, const char *text)
{
	for (; *text != '\0'; text++) {
		switch (*text) {
		case '&': put(p, "&amp;"); break;
		case '<': put(p, "&lt;"); break;
		case '>': put(p, "&gt;"); break;
		case '"': put(p, "&quot;"); break;
		case '\'': put(p, "&#39;"); break;
		default: put_bytes(p, text, 1);
		}
	}
}

/* A component of a relative reference: what is not unreserved (RFC 3986, section 2.3) goes as %XX. */
static void put_url(struct page *p, const char *name)
{
	static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

	for (; *name != '\0'; name++) {
		if (strchr(unreserved, *name) != NULL) {
			put_bytes(p, name, 1);
		} else {
			p->short_of_memory |= evbuffer_add_printf(p->out, "%%%02X", (unsigned char)*name) < 0;
		}
	}
}

static bool is_one_of(const char *type, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(type, list[i]) == 0) {
			return true;
		}
	}
	return false;
}

/* <video> or <audio>; NULL: a browser does not play it. */
static const char *player_of(const struct media_entry *e)
{
	return is_one_of(e->content_type, films, COUNT(films))     ? "video"
	       : is_one_of(e->content_type, sounds, COUNT(sounds)) ? "audio"
	                                                           : NULL;
}

static void put_facts(struct page *p, const struct media_entry *e)
{
	char text[80];

	put(p, " <span>");
	put(p, app_format_size((double)e->size, text, sizeof(text)));
	put(p, "</span>");
}

static void put_link(struct page *p, const struct media_entry *e)
{
	put(p, "<a href=\"");
	put_url(p, e->name);
	put(p, e->folder ? "/\">" : "\">");
	put_text(p, e->name);
	put(p, e->folder ? "/</a>" : "</a>");
}

static void put_entry(struct page *p, const struct media_entry *e)
{
	const char *const player = player_of(e);

	put(p, "<li>");
	if (player != NULL) {
		put(p, "<details><summary>");
		put_text(p, e->name);
		put_facts(p, e);
		put(p, "</summary><");
		put(p, player);
		put(p, " controls preload=\"none\" src=\"");
		put_url(p, e->name);
		put(p, "\"></");
		put(p, player);
		put(p, "></details>");
	} else {
		put_link(p, e);
		if (!e->folder) {
			put_facts(p, e);
		}
	}
	put(p, "</li>\n");
}

enum part { FOLDERS, PLAYABLE, OTHERS, PARTS };

static enum part part_of(const struct media_entry *e)
{
	return e->folder ? FOLDERS : player_of(e) != NULL ? PLAYABLE : OTHERS;
}

struct found {
	size_t n[PARTS];
	bool more;
};

/* Puts the entries of `part`; PARTS: counts them all. */
static int go_through(struct page *p, const char *list, size_t list_bytes, enum part part,
                      struct found *found, struct app_error *error)
{
	struct media_entry e;

	for (size_t at = 0; at < list_bytes;) {
		const char *const end = memchr(list + at, '\n', list_bytes - at);
		const size_t len = end != NULL ? (size_t)(end - list) - at : list_bytes - at;

		if (media_entry_decode(list + at, len, &e, error) != 0) {
			return -1;
		}
		at += len + 1;
		if (e.more) {
			found->more = true;
		} else if (part == PARTS) {
			found->n[part_of(&e)]++;
		} else if (part_of(&e) == part) {
			put_entry(p, &e);
		}
	}
	return 0;
}

/* The template with `title` in its head, up to its body; puts what is behind that when `tail`. */
static void put_template(struct page *p, const char *path, bool tail)
{
	static const char title[] = "<!--TITLE-->", body[] = "<!--BODY-->";
	const char *const all = (const char *)films_template;
	const char *const at_title = memmem(all, films_template_bytes, title, strlen(title));
	const char *const at_body = memmem(all, films_template_bytes, body, strlen(body));

	if (tail) {
		put_bytes(p, at_body + strlen(body),
		          (size_t)(all + films_template_bytes - at_body) - strlen(body));
		return;
	}
	put_bytes(p, all, (size_t)(at_title - all));
	put(p, "Films");
	if (path[1] != '\0') {
		put(p, " in ");
		put_text(p, path);
	}
	put_bytes(p, at_title + strlen(title), (size_t)(at_body - at_title) - strlen(title));
	put(p, "<h1>Films");
	if (path[1] != '\0') {
		put(p, " in ");
		put_text(p, path);
	}
	put(p, "</h1>\n");
}

static int finish(struct page *p, struct app_error *error)
{
	put_template(p, "/", true);
	return p->short_of_memory ? app_error_set(error, "no memory") : 0;
}

int films_page(const char *path, const char *list, size_t list_bytes, struct evbuffer *out,
               struct app_error *error)
{
	struct page p = {.out = out};
	struct found found = {.more = false};

	if (go_through(&p, list, list_bytes, PARTS, &found, error) != 0) {
		return -1;
	}
	put_template(&p, path, false);
	if (path[1] != '\0') {
		put(&p, "<p><a href=\"../\">up</a></p>\n");
	}
	for (enum part part = FOLDERS; part < PARTS; part++) {
		if (found.n[part] > 0) {
			put(&p, part == OTHERS ? "<p>Files that need another player:</p>\n<ul>\n" : "<ul>\n");
			if (go_through(&p, list, list_bytes, part, &found, error) != 0) {
				return -1;
			}
			put(&p, "</ul>\n");
		}
	}
	if (found.n[FOLDERS] + found.n[PLAYABLE] + found.n[OTHERS] == 0) {
		put(&p, "<p>This folder is empty. Put films into the folder that cmt-streamd serves, and "
		        "reload this page.</p>\n");
	}
	if (found.more) {
		put(&p, "<p>This folder has more files than can be listed.</p>\n");
	}
	return finish(&p, error);
}

int films_page_failed(const char *path, const char *text, struct evbuffer *out)
{
	struct page p = {.out = out};
	struct app_error error;

	put_template(&p, path, false);
	put(&p, "<p>The films cannot be shown: ");
	put_text(&p, text);
	put(&p, ".</p>\n");
	return finish(&p, &error);
}
