/* SPDX-License-Identifier: BSD-3-Clause */
#include "stream.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "live_message.h"
#include "loop.h"
#include "receiver.h"
#include "sender.h"
#include "statistics.h"
#include "ts_cut.h"

GST_DEBUG_CATEGORY_EXTERN(cmt_debug);
#define GST_CAT_DEFAULT cmt_debug

#define PROGRAM       "cmt"
#define ARRIVED_BYTES (4u << 20) /* wait for the pipeline at most */
#define WHOLE_BYTES   1472u      /* a datagram that is not cut: what an Ethernet carries in UDP */

struct _CmtStream {
	gchar *name;
	CmtStreamUser user;
	GStringChunk *storage;
	struct live_options options;
	struct live_host host;
	gboolean acquired;
	/* The loop's. */
	struct usrsctp_cmt_event *ev;
	struct sender *sender;
	struct receiver *receiver;
	/* What is sent: the element writes into the first, the loop reads from the second. */
	int fds[2];
	GstPoll *poll;
	GstPollFD poll_fd;
	GMutex lock; /* guards what follows */
	GCond changed;
	gboolean flushing, connected, over;
	int status; /* when it is over */
	GQueue arrived;
	gsize arrived_bytes;
	struct app_error said, said_before;
};

/* What is a command line's option for cmt-live is a property here. */
static gchar *in_our_words(const char *text)
{
	static const gchar *const words[][2] = {{"--udp-port", "localport"},
	                                        {"--bind", "localaddress"},
	                                        {"--sched", "scheduler"},
	                                        {"--peer", "peer"},
	                                        {"--passphrase-file", "passphrase"},
	                                        {"--timeout", "timeout"},
	                                        {"--insecure", "encrypted=false"}};
	GString *const out = g_string_new(text);

	for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
		(void)g_string_replace(out, words[i][0], words[i][1], 0);
	}
	return g_string_free(out, FALSE);
}

/* --- from the loop --- */

static void change(CmtStream *s)
{
	g_cond_broadcast(&s->changed);
	g_mutex_unlock(&s->lock);
}

static bool deliver(const void *bytes, size_t len, void *arg)
{
	CmtStream *const s = arg;
	bool room;

	g_mutex_lock(&s->lock);
	room = s->arrived_bytes + len <= ARRIVED_BYTES;
	if (room) {
		GstBuffer *const buffer = gst_buffer_new_memdup(bytes, len);

		g_queue_push_tail(&s->arrived, buffer);
		s->arrived_bytes += len;
	}
	change(s);
	return room;
}

static void on_connection(bool up, void *arg)
{
	CmtStream *const s = arg;

	g_mutex_lock(&s->lock);
	s->connected = up;
	change(s);
}

static void on_target(const struct live_target *target, void *arg)
{
	const CmtStream *const s = arg;

	s->user.on_target(target, s->user.arg);
}

static void say(const char *text, void *arg)
{
	CmtStream *const s = arg;
	struct app_error shown;

	(void)app_printable(text, shown.text, sizeof(shown.text));
	GST_INFO("%s: %s", s->name, shown.text);
	g_mutex_lock(&s->lock);
	if (!s->over) { /* why it is, not what follows */
		s->said_before = s->said;
		s->said = shown;
	}
	g_mutex_unlock(&s->lock);
}

static void on_end(int status, void *arg)
{
	CmtStream *const s = arg;

	g_mutex_lock(&s->lock);
	s->status = s->over ? s->status : status;
	s->over = TRUE;
	change(s);
	if (s->fds[1] >= 0) {
		(void)shutdown(s->fds[1], SHUT_RDWR); /* nobody reads any more */
	}
}

/* --- life --- */

struct beginning {
	CmtStream *stream;
	struct app_error error;
};

static void begin(struct event_base *base, gpointer arg)
{
	struct beginning *const b = arg;
	CmtStream *const s = b->stream;

	s->ev = app_transport_open(&s->options.transport, base, &b->error);
	if (s->ev == NULL) {
		return;
	}
	if (s->options.sends) {
		s->sender = sender_new(&s->options, base, s->ev, &b->error);
	} else {
		s->receiver = receiver_new(&s->options, base, s->ev, &b->error);
	}
}

static void end(struct event_base *base, gpointer arg)
{
	CmtStream *const s = arg;

	(void)base;
	if (s->sender != NULL) {
		(void)sender_free(s->sender);
	}
	if (s->receiver != NULL) {
		(void)receiver_free(s->receiver);
	}
	if (s->ev != NULL) {
		usrsctp_cmt_event_free(s->ev);
	}
}

static int open_pair(CmtStream *s, struct app_error *error)
{
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, s->fds) != 0) {
		return app_error_set(error, "%s", strerror(errno));
	}
	s->poll = gst_poll_new(TRUE);
	if (s->poll == NULL) {
		return app_error_set(error, "%s", strerror(errno));
	}
	gst_poll_fd_init(&s->poll_fd);
	s->poll_fd.fd = s->fds[0];
	gst_poll_add_fd(s->poll, &s->poll_fd);
	gst_poll_fd_ctl_write(s->poll, &s->poll_fd, TRUE);
	s->host.source_fd = s->fds[1];
	return 0;
}

static int start(CmtStream *s, const CmtSettings *settings, struct app_error *error)
{
	struct beginning b = {.stream = s};
	const gboolean sends = s->user.on_target != NULL;

	if (cmt_settings_options(settings, sends, &s->options, s->storage, error) != 0 ||
	    (sends && open_pair(s, error) != 0) ||
	    app_transport_keys(&s->options.transport, PROGRAM, true, error) != 0) {
		return -1;
	}
	s->options.host = &s->host;
	s->acquired = cmt_loop_acquire();
	if (!s->acquired) {
		return app_error_set(error, "no memory or threads for the loop");
	}
	cmt_loop_call(begin, &b);
	*error = b.error;
	return s->sender != NULL || s->receiver != NULL ? 0 : -1;
}

CmtStream *cmt_stream_new(const CmtSettings *settings, const CmtStreamUser *user, gchar **reason)
{
	CmtStream *const s = g_new0(CmtStream, 1);
	struct app_error error;

	s->name = g_strdup(user->name);
	s->user = (CmtStreamUser){.name = s->name, .on_target = user->on_target, .arg = user->arg};
	s->storage = g_string_chunk_new(256);
	s->fds[0] = s->fds[1] = -1;
	s->host = (struct live_host){.source_fd = -1,
	                             .deliver = deliver,
	                             .on_connection = on_connection,
	                             .on_target = user->on_target != NULL ? on_target : NULL,
	                             .say = say,
	                             .on_end = on_end,
	                             .arg = s};
	g_mutex_init(&s->lock);
	g_cond_init(&s->changed);
	g_queue_init(&s->arrived);
	if (start(s, settings, &error) == 0) {
		return s;
	}
	*reason = in_our_words(error.text);
	cmt_stream_free(s);
	return NULL;
}

static void free_buffer(gpointer buffer)
{
	gst_buffer_unref(buffer);
}

void cmt_stream_free(CmtStream *s)
{
	if (s->acquired) {
		cmt_loop_call(end, s);
		cmt_loop_release();
	}
	app_transport_unsecure(&s->options.transport);
	if (s->poll != NULL) {
		gst_poll_free(s->poll);
	}
	for (guint i = 0; i < 2; i++) {
		if (s->fds[i] >= 0) {
			close(s->fds[i]);
		}
	}
	g_queue_clear_full(&s->arrived, free_buffer);
	g_mutex_clear(&s->lock);
	g_cond_clear(&s->changed);
	g_string_chunk_free(s->storage);
	g_free(s->name);
	g_free(s);
}

/* --- from the element --- */

void cmt_stream_set_flushing(CmtStream *s, gboolean flushing)
{
	g_mutex_lock(&s->lock);
	s->flushing = flushing;
	change(s);
	if (s->poll != NULL) {
		gst_poll_set_flushing(s->poll, flushing);
	}
}

/* With the lock held. */
static GstFlowReturn how_it_is_over(const CmtStream *s)
{
	return s->status == APP_EXIT_OK ? GST_FLOW_EOS : GST_FLOW_ERROR;
}

GstFlowReturn cmt_stream_wait_for_connection(CmtStream *s)
{
	GstFlowReturn flow;

	g_mutex_lock(&s->lock);
	while (!s->connected && !s->flushing && !s->over) {
		g_cond_wait(&s->changed, &s->lock);
	}
	flow = s->flushing ? GST_FLOW_FLUSHING : s->over ? how_it_is_over(s) : GST_FLOW_OK;
	g_mutex_unlock(&s->lock);
	return flow;
}

static GstFlowReturn why_not_sent(CmtStream *s)
{
	GstFlowReturn flow;

	g_mutex_lock(&s->lock);
	flow = s->flushing ? GST_FLOW_FLUSHING : s->over ? how_it_is_over(s) : GST_FLOW_ERROR;
	g_mutex_unlock(&s->lock);
	return flow;
}

static GstFlowReturn send_one(CmtStream *s, const guint8 *bytes, gsize len)
{
	while (send(s->fds[0], bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
		if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
			return why_not_sent(s);
		}
		if (gst_poll_wait(s->poll, GST_CLOCK_TIME_NONE) < 0 && errno != EINTR && errno != EAGAIN) {
			return why_not_sent(s);
		}
	}
	return GST_FLOW_OK;
}

GstFlowReturn cmt_stream_send(CmtStream *s, const guint8 *bytes, gsize len, gsize *sent)
{
	while (*sent < len) {
		const gsize part = len <= WHOLE_BYTES ? len : ts_cut(bytes + *sent, len - *sent, true);
		const GstFlowReturn flow = send_one(s, bytes + *sent, part);

		if (flow != GST_FLOW_OK) {
			return flow;
		}
		*sent += part;
	}
	return GST_FLOW_OK;
}

GstFlowReturn cmt_stream_finish(CmtStream *s)
{
	GstFlowReturn flow;

	(void)shutdown(s->fds[0], SHUT_WR);
	g_mutex_lock(&s->lock);
	while (!s->flushing && !s->over) {
		g_cond_wait(&s->changed, &s->lock);
	}
	flow = s->over ? how_it_is_over(s) : GST_FLOW_FLUSHING;
	g_mutex_unlock(&s->lock);
	return flow;
}

GstFlowReturn cmt_stream_receive(CmtStream *s, GstBuffer **out)
{
	GstFlowReturn flow = GST_FLOW_OK;

	g_mutex_lock(&s->lock);
	while (!s->flushing && !s->over && g_queue_is_empty(&s->arrived)) {
		g_cond_wait(&s->changed, &s->lock);
	}
	if (s->flushing) {
		flow = GST_FLOW_FLUSHING;
	} else if (g_queue_is_empty(&s->arrived)) {
		flow = how_it_is_over(s);
	} else {
		*out = g_queue_pop_head(&s->arrived);
		s->arrived_bytes -= gst_buffer_get_size(*out);
	}
	g_mutex_unlock(&s->lock);
	return flow;
}

gchar *cmt_stream_reason(CmtStream *s)
{
	gchar *all, *text;

	g_mutex_lock(&s->lock);
	all = g_strconcat(s->said.text, s->said_before.text[0] != '\0' ? "; before that: " : NULL,
	                  s->said_before.text, NULL);
	g_mutex_unlock(&s->lock);
	text = in_our_words(all);
	g_free(all);
	return text;
}

struct asking {
	CmtStream *stream;
	json_t *answer;
};

static void ask(struct event_base *base, gpointer arg)
{
	struct asking *const a = arg;

	(void)base;
	a->answer =
	    a->stream->sender != NULL ? sender_stats(a->stream->sender) : receiver_stats(a->stream->receiver);
}

GstStructure *cmt_stream_statistics(CmtStream *s)
{
	struct asking a = {.stream = s};
	GstStructure *out;

	cmt_loop_call(ask, &a);
	out = cmt_statistics(a.answer);
	json_decref(a.answer);
	return out;
}
