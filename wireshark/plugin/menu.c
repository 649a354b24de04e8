/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Wireshark's headers offer plugins menus and the name of the open capture, and no window to draw in:
 * cmt-capstat makes the page, the browser shows it. */
#include "menu.h"

#include "compat.h"

#include <unistd.h>

#include <epan/plugin_if.h>
#include <wsutil/report_message.h>

#include "fields.h"

#define TITLE "SCTP Multipath"

static void *name_of(capture_file *file, void *data)
{
	(void)data;
	return file == NULL ? NULL : g_strdup(file->filename);
}

/* Waits until the page is there. */
static bool make_page(const char *capture, const char *page)
{
	const char *arguments[] = {"cmt-capstat", "--html", page, "--", capture, NULL};
	char *complaint = NULL;
	GError *error = NULL;
	int status = 0;
	bool made = g_spawn_sync(NULL, (char **)(uintptr_t)arguments, NULL,
	                         G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL,
	                         &complaint, &status, &error);

	if (!made) {
		report_failure(TITLE ": %s. cmt-capstat comes with this plugin.", error->message);
		g_error_free(error);
	} else if (status != 0) {
		report_failure(TITLE ": %s", complaint == NULL ? "cmt-capstat failed." : complaint);
	}
	g_free(complaint);
	return made && status == 0;
}

static void open_page(const char *page)
{
	const char *arguments[] = {"xdg-open", page, NULL};
	GError *error = NULL;

	if (!g_spawn_async(NULL, (char **)(uintptr_t)arguments, NULL,
	                   G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
	                   NULL, NULL, NULL, &error)) {
		report_failure(TITLE ": %s. The page is %s.", error->message, page);
		g_error_free(error);
	}
}

static void show_page(ext_menubar_gui_type gui, gpointer object, gpointer data)
{
	char *capture = plugin_if_get_capture_file(name_of, NULL), *page = NULL;
	GError *error = NULL;
	int fd;

	(void)gui;
	(void)object;
	(void)data;
	if (capture == NULL) {
		report_failure(TITLE ": no capture is open.");
		return;
	}
	fd = g_file_open_tmp("sctp-multipath-XXXXXX.html", &page, &error);
	if (fd < 0) {
		report_failure(TITLE ": %s", error->message);
		g_error_free(error);
	} else {
		close(fd);
		if (make_page(capture, page)) {
			open_page(page);
		} else {
			unlink(page);
		}
	}
	g_free(page);
	g_free(capture);
}

void cmt_menu_register(void)
{
	ext_menu_t *menu = ext_menubar_register_menu(cmt_proto, TITLE, TRUE);

	ext_menubar_set_parentmenu(menu, "Tools");
	ext_menubar_add_entry(menu, "Sequence, delays and queues in the browser",
	                      "Makes a page of this capture (cmt-capstat --html) and opens it", show_page,
	                      NULL);
}
