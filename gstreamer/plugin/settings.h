/* SPDX-License-Identifier: BSD-3-Clause
 *
 * settings.h - what the two elements can be told: properties, named as those of srtsink and srtsrc, and the
 * same in a URI,
 *   cmt://ADDR[,ADDR..][:PORT][?PROPERTY=VALUE&..]   calls
 *   cmt://[:PORT][?..]                               listens
 * and the options of cmt-live that follow from it. Guarded by the element's object lock. */
#ifndef CMT_GST_SETTINGS_H
#define CMT_GST_SETTINGS_H

#include <gst/gst.h>

#include "options.h"

typedef enum { CMT_MODE_NONE, CMT_MODE_CALLER, CMT_MODE_LISTENER } CmtMode;
typedef enum { CMT_RELEASE_DEADLINE, CMT_RELEASE_EARLY } CmtRelease;

typedef struct {
	gchar *uri; /* as given */
	CmtMode mode;
	guint latency_ms, timeout_ms;
	gchar *passphrase, *peer, *localaddress, *scheduler; /* NULL = not given */
	guint localport;
	gboolean encrypted;
	gboolean wait_for_connection; /* cmtsink */
	gboolean keep_listening;      /* cmtsrc */
	CmtRelease release;           /* cmtsrc */
} CmtSettings;

void cmt_settings_init(CmtSettings *s);
void cmt_settings_clear(CmtSettings *s);

/* Of a class that sends (cmtsink) or receives. */
void cmt_settings_install(GObjectClass *klass, gboolean sends);

/* Of `element`, whose settings are `s`. FALSE: no such property. */
gboolean cmt_settings_set(GObject *element, CmtSettings *s, guint id, const GValue *value);
gboolean cmt_settings_get(GObject *element, const CmtSettings *s, guint id, GValue *value);

/* What stands behind ? is set as properties of `element`. */
gboolean cmt_settings_set_uri(GObject *element, CmtSettings *s, const gchar *uri, GError **error);

/* For cmt-live's parts: `o` is all but what is the host's. `storage` keeps what `o` points to. 0, or -1 with
 * the reason. */
int cmt_settings_options(const CmtSettings *s, gboolean sends, struct live_options *o, GStringChunk *storage,
                         struct app_error *error);

/* The property that each element has beside these. */
#define CMT_PROP_STATS 100
void cmt_settings_install_stats(GObjectClass *klass);

#endif
