/* SPDX-License-Identifier: BSD-3-Clause
 *
 * compat.h - what differs between the interfaces of Wireshark 4.0 and 4.6. */
#ifndef CMT_WS_COMPAT_H
#define CMT_WS_COMPAT_H

#include <wireshark.h>

#include <epan/packet.h>

#include <epan/conversation_filter.h>
#include <epan/stat_tap_ui.h>
#include <epan/stats_tree.h>

#define CMT_WS_AT_LEAST(major, minor)                                                                        \
	(WIRESHARK_VERSION_MAJOR > (major) ||                                                                \
	 (WIRESHARK_VERSION_MAJOR == (major) && WIRESHARK_VERSION_MINOR >= (minor)))

/* Truth values of callbacks and preferences: GLib's int until 4.2. */
#if CMT_WS_AT_LEAST(4, 4)
typedef bool cmt_ws_bool;
#else
typedef gboolean cmt_ws_bool;
#endif

/* The group Telephony > SCTP exists, but Wireshark's window leaves its entries out: ours is in Telephony
 * itself. Filters have user data since 4.2. */
#if CMT_WS_AT_LEAST(4, 2)
#define CMT_WS_TELEPHONY              REGISTER_TELEPHONY_GROUP_UNSORTED
#define CMT_WS_FILTER_ARGUMENTS       packet_info *pinfo, void *user_data
#define CMT_WS_FILTER_IGNORE          (void)user_data
#define CMT_WS_ADD_FILTER(name, v, b) register_conversation_filter("sctp", name, v, b, NULL)
#else
#define CMT_WS_TELEPHONY              REGISTER_STAT_GROUP_TELEPHONY
#define CMT_WS_FILTER_ARGUMENTS       packet_info *pinfo
#define CMT_WS_FILTER_IGNORE          (void)0
#define CMT_WS_ADD_FILTER(name, v, b) register_conversation_filter("sctp", name, v, b)
#endif

#endif
