/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <inttypes.h>
#include <string.h>

#include "text/units.h"

void transfer_report_error(struct transfer_report *report, const char *text)
{
	if (report->error.text[0] == '\0') {
		app_printable(text, report->error.text, sizeof(report->error.text));
	}
}

uint64_t transfer_report_duration_us(const struct transfer_report *report)
{
	return report->last_us > report->first_us ? report->last_us - report->first_us : 0;
}

uint64_t transfer_report_goodput_bps(const struct transfer_report *report)
{
	uint64_t us = transfer_report_duration_us(report);

	return us == 0 ? 0 : (uint64_t)((double)report->bytes * 8e6 / (double)us);
}

static void put_int(json_t *o, const char *key, uint64_t value)
{
	json_object_set_new(o, key, json_integer((json_int_t)value));
}

static json_t *text_or_null(const char *text)
{
	return text[0] == '\0' ? json_null() : json_string(text);
}

void transfer_report_json(const struct transfer_report *report, FILE *out)
{
	json_t *o = json_object();

	put_int(o, "bytes", report->bytes);
	put_int(o, "files", report->files);
	put_int(o, "files_there", report->files_there);
	put_int(o, "resumed_at_bytes", report->resumed_at_bytes);
	put_int(o, "duration_us", transfer_report_duration_us(report));
	put_int(o, "goodput_bps", transfer_report_goodput_bps(report));
	put_int(o, "stalled_us", report->stalled_us);
	put_int(o, "first_at_us", report->first_us);
	put_int(o, "last_at_us", report->last_us);
	json_object_set_new(o, "integrity", json_string(report->corrupt ? "corrupt" : "ok"));
	put_int(o, "msg_bytes", report->msg_bytes);
	put_int(o, "sndbuf_bytes", report->sndbuf_bytes);
	put_int(o, "rcvbuf_bytes", report->rcvbuf_bytes);
	json_object_set_new(o, "peer_scheduler", text_or_null(report->peer_scheduler));
	json_object_set_new(o, "encryption", app_encryption_json(&report->encryption));
	app_assoc_stats_json(&report->assoc, o);
	json_object_set_new(o, "scheduler", json_string(report->scheduler));
	json_object_set_new(o, "error", text_or_null(report->error.text));
	json_dumpf(o, out, JSON_COMPACT);
	fputc('\n', out);
	fflush(out);
	json_decref(o);
}

static const char *files_text(uint64_t n, char *out, size_t out_bytes)
{
	snprintf(out, out_bytes, "%" PRIu64 " file%s", n, n == 1 ? "" : "s");
	return out;
}

char *transfer_report_text(const struct transfer_report *report, char *out, size_t out_bytes)
{
	const uint64_t new_files = report->files - report->files_there;
	const uint64_t us = transfer_report_duration_us(report);
	char files[40], there[80] = "", size[40], time[40], rate[40], pace[100] = "";

	if (report->files_there > 0) {
		files_text(report->files_there, files, sizeof(files));
		snprintf(there, sizeof(there), "%s already there", files);
	}
	if (new_files == 0 && report->bytes == 0 && there[0] != '\0') {
		snprintf(out, out_bytes, "%s%s", there,
		         report->error.text[0] == '\0' ? ", nothing to send" : "");
		return out;
	}
	if (us > 0) {
		snprintf(pace, sizeof(pace), " in %s, %s", app_format_time((double)us, time, sizeof(time)),
		         app_format_rate((double)transfer_report_goodput_bps(report), rate, sizeof(rate)));
	}
	snprintf(out, out_bytes, "%s, %s%s%s%s%s", files_text(new_files, files, sizeof(files)),
	         app_format_size((double)report->bytes, size, sizeof(size)), pace,
	         report->error.text[0] == '\0' ? ", verified" : "", there[0] != '\0' ? "; " : "", there);
	return out;
}
