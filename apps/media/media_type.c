/* SPDX-License-Identifier: BSD-3-Clause */
#include "media_type.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *ending, *type;
} types[] = {
    /* video and audio in one file */
    {"mp4", "video/mp4"},
    {"m4v", "video/mp4"},
    {"webm", "video/webm"},
    {"mkv", "video/x-matroska"},
    {"mov", "video/quicktime"},
    {"avi", "video/x-msvideo"},
    {"mpg", "video/mpeg"},
    {"mpeg", "video/mpeg"},
    {"ogv", "video/ogg"},
    {"flv", "video/x-flv"},
    /* HLS (RFC 8216) and DASH (ISO/IEC 23009-1) */
    {"m3u8", "application/vnd.apple.mpegurl"},
    {"m3u", "audio/x-mpegurl"},
    {"mpd", "application/dash+xml"},
    {"ts", "video/mp2t"},
    {"m2ts", "video/mp2t"},
    {"m4s", "video/iso.segment"},
    {"cmfv", "video/mp4"},
    {"cmfa", "audio/mp4"},
    /* audio */
    {"mp3", "audio/mpeg"},
    {"m4a", "audio/mp4"},
    {"aac", "audio/aac"},
    {"ogg", "audio/ogg"},
    {"oga", "audio/ogg"},
    {"opus", "audio/ogg"},
    {"flac", "audio/flac"},
    {"wav", "audio/wav"},
    {"weba", "audio/webm"},
    {"ac3", "audio/ac3"},
    {"ec3", "audio/eac3"},
    /* subtitles */
    {"vtt", "text/vtt; charset=utf-8"},
    {"srt", "application/x-subrip"},
    {"ttml", "application/ttml+xml"},
    /* pages around them */
    {"html", "text/html; charset=utf-8"},
    {"htm", "text/html; charset=utf-8"},
    {"css", "text/css; charset=utf-8"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"xml", "application/xml"},
    {"txt", "text/plain; charset=utf-8"},
    {"jpg", "image/jpeg"},
    {"jpeg", "image/jpeg"},
    {"png", "image/png"},
    {"gif", "image/gif"},
    {"webp", "image/webp"},
    {"avif", "image/avif"},
    {"svg", "image/svg+xml"},
    {"ico", "image/x-icon"},
    {"pdf", "application/pdf"},
    {"wasm", "application/wasm"},
};

const char *media_type_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash != NULL ? slash : path, '.');

	for (size_t i = 0; dot != NULL && i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcasecmp(dot + 1, types[i].ending) == 0) {
			return types[i].type;
		}
	}
	return "application/octet-stream";
}
