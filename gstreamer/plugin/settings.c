/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include <string.h>

#include "live_message.h"

#define SCHEME "cmt://"

enum {
	PROP_URI = 1,
	PROP_MODE,
	PROP_LATENCY,
	PROP_PASSPHRASE,
	PROP_PEER,
	PROP_LOCALADDRESS,
	PROP_LOCALPORT,
	PROP_ENCRYPTED,
	PROP_SCHEDULER,
	PROP_TIMEOUT,
	PROP_WAIT_FOR_CONNECTION,
	PROP_KEEP_LISTENING,
	PROP_RELEASE
};

#define FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY)

static GType mode_type(void)
{
	static const GEnumValue values[] = {
	    {CMT_MODE_NONE, "By the URI: caller if it has an address, else listener", "none"},
	    {CMT_MODE_CALLER, "Connects to the addresses of the URI", "caller"},
	    {CMT_MODE_LISTENER, "Waits for the other side, at the addresses of the URI if there are any",
	     "listener"},
	    {0, NULL, NULL}};
	static gsize type;

	if (g_once_init_enter(&type)) {
		g_once_init_leave(&type, g_enum_register_static("GstCmtConnectionMode", values));
	}
	return (GType)type;
}

static GType release_type(void)
{
	static const GEnumValue values[] = {
	    {CMT_RELEASE_DEADLINE, "At its deadline: the delay is constant", "deadline"},
	    {CMT_RELEASE_EARLY, "As soon as nothing is missing before it", "early"},
	    {0, NULL, NULL}};
	static gsize type;

	if (g_once_init_enter(&type)) {
		g_once_init_leave(&type, g_enum_register_static("GstCmtRelease", values));
	}
	return (GType)type;
}

void cmt_settings_init(CmtSettings *s)
{
	*s = (CmtSettings){
	    .uri = g_strdup(SCHEME), .latency_ms = 300, .encrypted = TRUE, .wait_for_connection = TRUE};
}

void cmt_settings_clear(CmtSettings *s)
{
	g_free(s->uri);
	if (s->passphrase != NULL) {
		explicit_bzero(s->passphrase, strlen(s->passphrase));
	}
	g_free(s->passphrase);
	g_free(s->peer);
	g_free(s->localaddress);
	g_free(s->scheduler);
	*s = (CmtSettings){.uri = NULL};
}

static void install_text(GObjectClass *klass, guint id, const gchar *name, const gchar *nick,
                         const gchar *blurb)
{
	g_object_class_install_property(klass, id, g_param_spec_string(name, nick, blurb, NULL, FLAGS));
}

static void install_truth(GObjectClass *klass, guint id, const gchar *name, const gchar *nick,
                          const gchar *blurb, gboolean value)
{
	g_object_class_install_property(klass, id, g_param_spec_boolean(name, nick, blurb, value, FLAGS));
}

static void install_connection(GObjectClass *klass)
{
	g_object_class_install_property(
	    klass, PROP_URI,
	    g_param_spec_string("uri", "URI", "URI in the form of cmt://address,address:port?property=value",
	                        SCHEME, FLAGS));
	g_object_class_install_property(
	    klass, PROP_MODE,
	    g_param_spec_enum("mode", "Mode", "Who connects", mode_type(), CMT_MODE_NONE, FLAGS));
	g_object_class_install_property(
	    klass, PROP_LATENCY,
	    g_param_spec_uint("latency", "Latency",
	                      "Latency budget (milliseconds); the larger one of both sides applies",
	                      LIVE_MIN_LATENCY_MS, LIVE_MAX_LATENCY_MS, 300, FLAGS));
	g_object_class_install_property(
	    klass, PROP_TIMEOUT,
	    g_param_spec_uint("timeout", "Timeout",
	                      "Give up after this long without a connection (milliseconds, 0 = never)", 0,
	                      G_MAXUINT, 0, FLAGS));
	install_text(klass, PROP_LOCALADDRESS, "localaddress", "Local address",
	             "Local addresses, with commas, or any; when listening loopback unless given");
	g_object_class_install_property(
	    klass, PROP_LOCALPORT,
	    g_param_spec_uint("localport", "Local port",
	                      "Local UDP port (0 = the URI's, 5003 or any that is free)", 0, G_MAXUINT16, 0,
	                      FLAGS));
	install_text(klass, PROP_SCHEDULER, "scheduler", "Scheduler",
	             "Scheduler with its options, as --sched of cmt-live");
}

static void install_encryption(GObjectClass *klass)
{
	g_object_class_install_property(
	    klass, PROP_PASSPHRASE,
	    g_param_spec_string("passphrase", "Passphrase",
	                        "Only a peer that knows it; takes the place of certificates. Write only",
	                        NULL, (FLAGS) & ~(guint)G_PARAM_READABLE));
	install_text(klass, PROP_PEER, "peer", "Peer",
	             "Only a peer with one of these fingerprints, with commas: sha256:...");
	install_truth(klass, PROP_ENCRYPTED, "encrypted", "Encrypted",
	              "Encrypt, and check who the peer is; both sides the same", TRUE);
}

void cmt_settings_install(GObjectClass *klass, gboolean sends)
{
	install_connection(klass);
	install_encryption(klass);
	if (sends) {
		install_truth(klass, PROP_WAIT_FOR_CONNECTION, "wait-for-connection", "Wait for a connection",
		              "Block the stream until the other side is connected", TRUE);
		return;
	}
	install_truth(klass, PROP_KEEP_LISTENING, "keep-listening", "Keep listening",
	              "Wait for the next stream when one is over; otherwise its end is the end", FALSE);
	g_object_class_install_property(klass, PROP_RELEASE,
	                                g_param_spec_enum("release", "Release",
	                                                  "When a datagram is given out", release_type(),
	                                                  CMT_RELEASE_DEADLINE, FLAGS));
}

void cmt_settings_install_stats(GObjectClass *klass)
{
	g_object_class_install_property(
	    klass, CMT_PROP_STATS,
	    g_param_spec_boxed("stats", "Statistics", "What cmt-live prints with --stats json",
	                       GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void keep_text(gchar **at, const GValue *value)
{
	g_free(*at);
	*at = g_value_dup_string(value);
}

static gboolean set(CmtSettings *s, guint id, const GValue *value)
{
	switch (id) {
	case PROP_MODE: s->mode = (CmtMode)g_value_get_enum(value); return TRUE;
	case PROP_LATENCY: s->latency_ms = g_value_get_uint(value); return TRUE;
	case PROP_TIMEOUT: s->timeout_ms = g_value_get_uint(value); return TRUE;
	case PROP_PASSPHRASE: keep_text(&s->passphrase, value); return TRUE;
	case PROP_PEER: keep_text(&s->peer, value); return TRUE;
	case PROP_LOCALADDRESS: keep_text(&s->localaddress, value); return TRUE;
	case PROP_LOCALPORT: s->localport = g_value_get_uint(value); return TRUE;
	case PROP_ENCRYPTED: s->encrypted = g_value_get_boolean(value); return TRUE;
	case PROP_SCHEDULER: keep_text(&s->scheduler, value); return TRUE;
	case PROP_WAIT_FOR_CONNECTION: s->wait_for_connection = g_value_get_boolean(value); return TRUE;
	case PROP_KEEP_LISTENING: s->keep_listening = g_value_get_boolean(value); return TRUE;
	case PROP_RELEASE: s->release = (CmtRelease)g_value_get_enum(value); return TRUE;
	default: return FALSE;
	}
}

gboolean cmt_settings_set(GObject *element, CmtSettings *s, guint id, const GValue *value)
{
	GError *error = NULL;
	gboolean known;

	if (id == PROP_URI) {
		if (!cmt_settings_set_uri(element, s, g_value_get_string(value), &error)) {
			g_warning("%s: %s", GST_OBJECT_NAME(element), error->message);
			g_clear_error(&error);
		}
		return TRUE;
	}
	GST_OBJECT_LOCK(element);
	known = set(s, id, value);
	GST_OBJECT_UNLOCK(element);
	return known;
}

static gboolean get(const CmtSettings *s, guint id, GValue *value)
{
	switch (id) {
	case PROP_URI: g_value_set_string(value, s->uri); return TRUE;
	case PROP_MODE: g_value_set_enum(value, (gint)s->mode); return TRUE;
	case PROP_LATENCY: g_value_set_uint(value, s->latency_ms); return TRUE;
	case PROP_TIMEOUT: g_value_set_uint(value, s->timeout_ms); return TRUE;
	case PROP_PEER: g_value_set_string(value, s->peer); return TRUE;
	case PROP_LOCALADDRESS: g_value_set_string(value, s->localaddress); return TRUE;
	case PROP_LOCALPORT: g_value_set_uint(value, s->localport); return TRUE;
	case PROP_ENCRYPTED: g_value_set_boolean(value, s->encrypted); return TRUE;
	case PROP_SCHEDULER: g_value_set_string(value, s->scheduler); return TRUE;
	case PROP_WAIT_FOR_CONNECTION: g_value_set_boolean(value, s->wait_for_connection); return TRUE;
	case PROP_KEEP_LISTENING: g_value_set_boolean(value, s->keep_listening); return TRUE;
	case PROP_RELEASE: g_value_set_enum(value, (gint)s->release); return TRUE;
	default: return FALSE;
	}
}

gboolean cmt_settings_get(GObject *element, const CmtSettings *s, guint id, GValue *value)
{
	gboolean known;

	GST_OBJECT_LOCK(element);
	known = get(s, id, value);
	GST_OBJECT_UNLOCK(element);
	return known;
}

static gboolean refuse(GError **error, const gchar *format, const gchar *what)
{
	g_set_error(error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI, format, what);
	return FALSE;
}

/* KEY=VALUE, as a property of `element`. */
static gboolean set_pair(GObject *element, const gchar *pair, GError **error)
{
	gchar **const parts = g_strsplit(pair, "=", 2);
	gchar *const text =
	    parts[0] != NULL && parts[1] != NULL ? g_uri_unescape_string(parts[1], NULL) : NULL;
	GParamSpec *const spec =
	    text != NULL ? g_object_class_find_property(G_OBJECT_GET_CLASS(element), parts[0]) : NULL;
	GValue value = G_VALUE_INIT;
	gboolean good = FALSE;

	if (spec == NULL || spec->owner_type != G_OBJECT_TYPE(element) || strcmp(spec->name, "uri") == 0 ||
	    (spec->flags & G_PARAM_WRITABLE) == 0) {
		(void)refuse(error, "\"%s\" is not PROPERTY=VALUE; gst-inspect-1.0 lists the properties",
		             pair);
	} else {
		g_value_init(&value, spec->value_type);
		good = gst_value_deserialize(&value, text) && !g_param_value_validate(spec, &value);
		if (good) {
			g_object_set_property(element, spec->name, &value);
		} else {
			(void)refuse(error, "the URI has a value that is out of range: \"%s\"", parts[0]);
		}
		g_value_unset(&value);
	}
	g_free(text);
	g_strfreev(parts);
	return good;
}

gboolean cmt_settings_set_uri(GObject *element, CmtSettings *s, const gchar *uri, GError **error)
{
	const gchar *query;
	gchar **pairs;
	gboolean good = TRUE;

	if (uri == NULL || !g_str_has_prefix(uri, SCHEME)) {
		return refuse(error, "\"%s\" is not a URI of CMT; write cmt://192.0.2.1,198.51.100.1:5003",
		              uri != NULL ? uri : "");
	}
	query = strchr(uri, '?');
	pairs = g_strsplit(query != NULL ? query + 1 : "", "&", -1);
	for (guint i = 0; pairs[i] != NULL && good; i++) {
		good = pairs[i][0] == '\0' || set_pair(element, pairs[i], error);
	}
	g_strfreev(pairs);
	if (good) {
		GST_OBJECT_LOCK(element);
		g_free(s->uri);
		s->uri = g_strndup(uri, query != NULL ? (gsize)(query - uri) : strlen(uri));
		GST_OBJECT_UNLOCK(element);
	}
	return good;
}

/* --- options --- */

static int take(struct live_options *o, int code, const char *name, const gchar *value, GStringChunk *storage,
                struct app_error *error)
{
	return value == NULL || value[0] == '\0'
	           ? 0
	           : app_transport_take(&o->transport, code, name, g_string_chunk_insert(storage, value),
	                                error);
}

/* The endpoint; one that listens at addresses binds them. */
static int place(const CmtSettings *s, const gchar *uri, struct endpoint *cmt, struct live_options *o,
                 GStringChunk *storage, struct app_error *error)
{
	struct app_error reason;

	if (endpoint_parse(uri, cmt, error) != 0) {
		return -1;
	}
	if (s->mode == CMT_MODE_CALLER && cmt->hosts == NULL) {
		return app_error_set(error, "%s: names no address to call; write cmt://192.0.2.1", uri);
	}
	if (s->mode == CMT_MODE_LISTENER && cmt->hosts != NULL) {
		if (take(o, APP_OPT_BIND, "uri", cmt->hosts, storage, &reason) != 0) {
			return app_error_set(error, "%s: %s", uri, reason.text);
		}
		cmt->hosts = NULL;
	}
	return 0;
}

static int take_all(const CmtSettings *s, struct live_options *o, GStringChunk *storage,
                    struct app_error *error)
{
	gchar port[12];

	g_snprintf(port, sizeof(port), "%u", s->localport);
	if (take(o, APP_OPT_BIND, "bind", s->localaddress, storage, error) != 0 ||
	    (s->localport != 0 && take(o, APP_OPT_UDP_PORT, "udp-port", port, storage, error) != 0) ||
	    take(o, APP_OPT_SCHED, "sched", s->scheduler, storage, error) != 0 ||
	    take(o, APP_OPT_PEER, "peer", s->peer, storage, error) != 0) {
		return -1;
	}
	if (s->passphrase != NULL && s->passphrase[0] != '\0') {
		o->transport.secure.passphrase = g_string_chunk_insert(storage, s->passphrase);
	}
	o->transport.secure.insecure = !s->encrypted;
	if (!s->encrypted && (o->transport.secure.passphrase != NULL || s->peer != NULL)) {
		return app_error_set(
		    error, "encrypted=false has no meaning with passphrase or peer; leave them out");
	}
	if (o->transport.secure.passphrase != NULL && s->peer != NULL) {
		return app_error_set(error, "a passphrase takes the place of certificates: leave peer out");
	}
	return 0;
}

int cmt_settings_options(const CmtSettings *s, gboolean sends, struct live_options *o, GStringChunk *storage,
                         struct app_error *error)
{
	struct endpoint *const cmt = sends ? &o->to : &o->from;

	live_options_init(o);
	o->from.kind = o->to.kind = ENDPOINT_HOST;
	o->latency_ms = s->latency_ms;
	o->timeout_us = UINT64_C(1000) * s->timeout_ms;
	o->early = s->release == CMT_RELEASE_EARLY;
	o->once = !sends && !s->keep_listening;
	o->quiet = true;
	if (place(s, g_string_chunk_insert(storage, s->uri), cmt, o, storage, error) != 0 ||
	    take_all(s, o, storage, error) != 0 || live_options_settle(o, error) != 0) {
		return -1;
	}
	return app_transport_complete(&o->transport, o->listens, error);
}
