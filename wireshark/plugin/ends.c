/* SPDX-License-Identifier: BSD-3-Clause */
#include "ends.h"

#include <epan/to_str.h>

bool cmt_ends_equal(const struct cmt_ends *a, const struct cmt_ends *b)
{
	return a->src_udp == b->src_udp && a->dst_udp == b->dst_udp && addresses_equal(&a->src, &b->src) &&
	       addresses_equal(&a->dst, &b->dst);
}

struct cmt_ends cmt_ends_mirrored(const struct cmt_ends *e)
{
	return (struct cmt_ends){.src = e->dst, .dst = e->src, .src_udp = e->dst_udp, .dst_udp = e->src_udp};
}

struct cmt_ends cmt_ends_copy(const struct cmt_ends *e)
{
	struct cmt_ends copy = *e;

	copy_address_wmem(wmem_file_scope(), &copy.src, &e->src);
	copy_address_wmem(wmem_file_scope(), &copy.dst, &e->dst);
	return copy;
}

guint cmt_ends_hash(const struct cmt_ends *e, guint seed)
{
	return add_address_to_hash(add_address_to_hash(seed ^ e->src_udp ^ (guint)e->dst_udp << 16, &e->src),
	                           &e->dst);
}

static char *name(const address *a, uint16_t udp)
{
	char *text = address_to_str(NULL, a), *with_port;

	if (udp == 0) {
		return text;
	}
	with_port = wmem_strdup_printf(NULL, a->type == AT_IPv6 ? "[%s]:%u" : "%s:%u", text, udp);
	wmem_free(NULL, text);
	return with_port;
}

char *cmt_ends_source_name(const struct cmt_ends *e)
{
	return name(&e->src, e->src_udp);
}

char *cmt_ends_destination_name(const struct cmt_ends *e)
{
	return name(&e->dst, e->dst_udp);
}
