/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plugin.c - what Wireshark looks for in a plugin. */
#define WS_BUILD_DLL

#include "compat.h"

#include "dissect.h"
#include "filters.h"
#include "menu.h"
#include "taps.h"

#if CMT_WS_AT_LEAST(4, 4)
#include <wsutil/plugins.h>
#endif

WS_DLL_PUBLIC_DEF const gchar plugin_version[] = CMT_PLUGIN_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

WS_DLL_PUBLIC void plugin_register(void);

static void register_proto(void)
{
	cmt_dissect_register();
	cmt_taps_register();
	cmt_filters_register();
	cmt_menu_register();
}

void plugin_register(void)
{
	static proto_plugin plug;

	plug.register_protoinfo = register_proto;
	plug.register_handoff = cmt_dissect_handoff;
	proto_register_plugin(&plug);
}

#if CMT_WS_AT_LEAST(4, 4)
WS_DLL_PUBLIC uint32_t plugin_describe(void);

uint32_t plugin_describe(void)
{
	return WS_PLUGIN_DESC_DISSECTOR;
}
#endif
