/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Trace events as qlog (draft-ietf-quic-qlog-main-schema-10), one JSON text sequence (RFC 7464): a record is
 * RS, a JSON object, LF, so that a file that was cut off can be read up to there. docs/qlog.md has the
 * fields.
 *
 * Threads of the stack write under one mutex. */
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <usrsctp_cmt.h>
#include <usrsctp_cmt_trace.h>

#define RECORD "\x1e"
#define SCHEMA "urn:usrsctp-cmt:qlog:events:sctp"

enum { FILE_BUFFER_BYTES = 1 << 18, SHORT_TITLE_BYTES = 256 };

static struct {
	FILE *file; /* NULL = closed */
	pthread_mutex_t lock;
	uint64_t started_us; /* time 0 of the file; 0 = no event yet */
	char buffer[FILE_BUFFER_BYTES];
} qlog = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void put_time_key(const char *key, int64_t us)
{
	if (us != USRSCTP_CMT_TRACE_UNKNOWN_US)
		fprintf(qlog.file, ",\"%s\":%" PRId64, key, us);
}

static void put_address(const char *key, const struct sockaddr *address)
{
	const socklen_t len = address == NULL                  ? 0
	                      : address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
	                      : address->sa_family == AF_INET  ? sizeof(struct sockaddr_in)
	                                                       : 0;
	char host[NI_MAXHOST], port[NI_MAXSERV];

	if (len == 0 || getnameinfo(address, len, host, sizeof(host), port, sizeof(port),
	                            NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		return;
	fprintf(qlog.file, ",\"%s\":\"%s\"", key, host);
	if (strcmp(port, "0") != 0)
		fprintf(qlog.file, ",\"%s_udp_port\":%s", key, port);
}

static const char *state_name(uint16_t state)
{
	switch (state) {
	case SCTP_CMT_PATH_UNCONFIRMED: return "unconfirmed";
	case SCTP_CMT_PATH_ACTIVE: return "active";
	case SCTP_CMT_PATH_FAILED: return "failed";
	case SCTP_CMT_PATH_STANDBY: return "standby";
	default: return "gone";
	}
}

static void put_header(const struct usrsctp_cmt_trace *e)
{
	fputs("\"header\":{\"packet_type\":\"data\"", qlog.file);
	if (e->of.packet.numbered)
		fprintf(qlog.file, ",\"packet_number\":%" PRIu32, e->of.packet.number);
	fputc('}', qlog.file);
}

static void put_sent(const struct usrsctp_cmt_trace *e)
{
	put_header(e);
	fprintf(qlog.file, ",\"raw\":{\"payload_length\":%" PRIu32 "},\"chunks\":%" PRIu32 ",\"frames\":[",
	        e->of.packet.bytes, e->of.packet.chunks);
	for (size_t i = 0; i < e->of.packet.n_tsns; i++)
		fprintf(qlog.file, "%s{\"frame_type\":\"data\",\"tsn\":%" PRIu32 ",\"last_tsn\":%" PRIu32 "}",
		        i > 0 ? "," : "", e->of.packet.tsns[i].first, e->of.packet.tsns[i].last);
	fprintf(qlog.file, "],\"retransmission\":%s,\"ahead_tsns\":%" PRIu32,
	        e->of.packet.retransmission ? "true" : "false", e->of.packet.ahead_tsns);
	put_time_key("predicted_arrival_us", e->of.packet.arrival_us);
}

static void put_chunk(const struct usrsctp_cmt_trace *e)
{
	fprintf(qlog.file, "\"tsn\":%" PRIu32 ",\"length\":%" PRIu32 ",\"packet_number\":%" PRIu32,
	        e->of.chunk.tsn, e->of.chunk.bytes, e->of.chunk.number);
}

static void put_metrics(const struct usrsctp_cmt_trace *e)
{
	fprintf(qlog.file,
	        "\"smoothed_rtt\":%.3f,\"congestion_window\":%" PRIu32 ",\"bytes_in_flight\":%" PRIu32
	        ",\"ssthresh\":%" PRIu32 ",\"delivery_rate_bps\":%" PRIu64 ",\"chunks_lost\":%" PRIu32,
	        e->of.metrics.srtt_us / 1000.0, e->of.metrics.cwnd_bytes, e->of.metrics.flight_bytes,
	        e->of.metrics.ssthresh_bytes, e->of.metrics.rate_bps, e->of.metrics.loss_detected);
	put_time_key("forward_delay_us", e->of.metrics.fwd_delay_us);
	put_time_key("forward_delay_base_us", e->of.metrics.fwd_delay_base_us);
}

static void put_mtu(const struct usrsctp_cmt_trace *e)
{
	fprintf(qlog.file, "\"old\":%" PRIu32 ",\"new\":%" PRIu32 ",\"done\":%s", e->of.mtu.old_bytes,
	        e->of.mtu.new_bytes, e->of.mtu.done ? "true" : "false");
}

static void put_path(const struct usrsctp_cmt_trace *e)
{
	fprintf(qlog.file, "\"new\":\"%s\"", state_name(e->of.path.state));
	put_address("local", e->of.path.local);
	put_address("remote", e->of.path.remote);
}

static void put_data(const struct usrsctp_cmt_trace *e)
{
	switch (e->type) {
	case USRSCTP_CMT_TRACE_ASSOC_STARTED:
		fprintf(qlog.file, "\"local_port\":%u,\"remote_port\":%u", e->local_port, e->remote_port);
		break;
	case USRSCTP_CMT_TRACE_ASSOC_ENDED: break;
	case USRSCTP_CMT_TRACE_PATH: put_path(e); break;
	case USRSCTP_CMT_TRACE_SENT: put_sent(e); break;
	case USRSCTP_CMT_TRACE_RECEIVED:
		put_header(e);
		put_time_key("arrival_us", e->of.packet.arrival_us);
		break;
	case USRSCTP_CMT_TRACE_ACKED:
	case USRSCTP_CMT_TRACE_LOST:
	case USRSCTP_CMT_TRACE_SPURIOUS: put_chunk(e); break;
	case USRSCTP_CMT_TRACE_METRICS: put_metrics(e); break;
	case USRSCTP_CMT_TRACE_MTU: put_mtu(e); break;
	case USRSCTP_CMT_TRACE_TYPES: break;
	}
}

static void on_event(const struct usrsctp_cmt_trace *e, void *arg)
{
	static const char *const names[] = {
	    [USRSCTP_CMT_TRACE_ASSOC_STARTED] = "association_started",
	    [USRSCTP_CMT_TRACE_ASSOC_ENDED] = "association_ended",
	    [USRSCTP_CMT_TRACE_PATH] = "path_state_updated",
	    [USRSCTP_CMT_TRACE_SENT] = "packet_sent",
	    [USRSCTP_CMT_TRACE_RECEIVED] = "packet_received",
	    [USRSCTP_CMT_TRACE_ACKED] = "chunk_acked",
	    [USRSCTP_CMT_TRACE_LOST] = "chunk_lost",
	    [USRSCTP_CMT_TRACE_SPURIOUS] = "chunk_spurious",
	    [USRSCTP_CMT_TRACE_METRICS] = "metrics_updated",
	    [USRSCTP_CMT_TRACE_MTU] = "mtu_updated",
	};
	uint64_t us;

	(void)arg;
	pthread_mutex_lock(&qlog.lock);
	if (qlog.started_us == 0)
		qlog.started_us = e->at_us;
	/* Threads may come here in another order than they looked at the clock. */
	us = e->at_us > qlog.started_us ? e->at_us - qlog.started_us : 0;
	fprintf(qlog.file,
	        RECORD "{\"time\":%" PRIu64 ".%03u,\"name\":\"sctp:%s\",\"group_id\":\"%" PRIu64 "\"",
	        us / 1000, (unsigned)(us % 1000), names[e->type], e->assoc);
	if (e->path_id != 0)
		fprintf(qlog.file, ",\"path\":\"%u\"", e->path_id);
	fputs(",\"data\":{", qlog.file);
	put_data(e);
	fputs("}}\n", qlog.file);
	pthread_mutex_unlock(&qlog.lock);
}

/* As a JSON string: what is neither printable ASCII nor harmless is left out. */
static void put_title(const char *title)
{
	fputs("\"title\":\"", qlog.file);
	for (size_t i = 0; title[i] != '\0' && i < SHORT_TITLE_BYTES; i++) {
		if (title[i] >= ' ' && title[i] <= '~' && title[i] != '"' && title[i] != '\\')
			fputc(title[i], qlog.file);
	}
	fputs("\",", qlog.file);
}

int usrsctp_cmt_qlog_open(const char *file, const char *title)
{
	int error;

	if (file == NULL || qlog.file != NULL) {
		errno = file == NULL ? EINVAL : EBUSY;
		return -1;
	}
	qlog.file = fopen(file, "we");
	if (qlog.file == NULL)
		return -1;
	setvbuf(qlog.file, qlog.buffer, _IOFBF, sizeof(qlog.buffer));
	qlog.started_us = 0;
	fputs(RECORD "{\"file_schema\":\"urn:ietf:params:qlog:file:sequential\","
	             "\"serialization_format\":\"application/qlog+json-seq\",",
	      qlog.file);
	if (title != NULL)
		put_title(title);
	fprintf(
	    qlog.file,
	    "\"trace\":{\"common_fields\":{\"time_format\":\"relative_to_epoch\",\"reference_time\":"
	    "{\"clock_type\":\"monotonic\",\"epoch\":\"unknown\"}},\"vantage_point\":{\"name\":\"usrsctp-cmt "
	    "%d.%d.%d\",\"type\":\"unknown\"},\"event_schemas\":[\"" SCHEMA "\"]}}\n",
	    USRSCTP_CMT_VERSION_MAJOR, USRSCTP_CMT_VERSION_MINOR, USRSCTP_CMT_VERSION_PATCH);
	error = usrsctp_cmt_trace_add(on_event, NULL, USRSCTP_CMT_TRACE_ALL);
	if (error != 0) {
		(void)fclose(qlog.file);
		qlog.file = NULL;
		errno = error;
		return -1;
	}
	return 0;
}

int usrsctp_cmt_qlog_close(void)
{
	bool failed;

	if (qlog.file == NULL)
		return 0;
	usrsctp_cmt_trace_remove(on_event, NULL);
	errno = 0;
	failed = ferror(qlog.file) != 0;
	failed = fclose(qlog.file) != 0 || failed;
	qlog.file = NULL;
	if (failed && errno == 0)
		errno = EIO;
	return failed ? -1 : 0;
}
