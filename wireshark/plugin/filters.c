/* SPDX-License-Identifier: BSD-3-Clause */
#include "filters.h"

#include "packets.h"

static const struct cmt_packet *analysed(packet_info *pinfo)
{
	const struct cmt_packet *p = cmt_packets_of(pinfo);

	return p != NULL && p->verdict == CMT_STATE ? p : NULL;
}

static cmt_ws_bool is_valid(CMT_WS_FILTER_ARGUMENTS)
{
	CMT_WS_FILTER_IGNORE;
	return analysed(pinfo) != NULL;
}

static char *association_filter(CMT_WS_FILTER_ARGUMENTS)
{
	const struct cmt_packet *p = analysed(pinfo);

	CMT_WS_FILTER_IGNORE;
	return p == NULL ? NULL
	                 : g_strdup_printf("sctp.cmt.analysis.association == %u", p->half->assoc->number);
}

static char *path_filter(CMT_WS_FILTER_ARGUMENTS)
{
	const struct cmt_packet *p = analysed(pinfo);

	CMT_WS_FILTER_IGNORE;
	return p == NULL
	           ? NULL
	           : g_strdup_printf("sctp.cmt.analysis.association == %u && sctp.cmt.analysis.path == %u",
	                             p->half->assoc->number, p->path->number);
}

void cmt_filters_register(void)
{
	CMT_WS_ADD_FILTER("SCTP CMT association", is_valid, association_filter);
	CMT_WS_ADD_FILTER("SCTP CMT path", is_valid, path_filter);
}
