/* SPDX-License-Identifier: BSD-3-Clause
 *
 * menu.h - Wireshark's menu Tools > SCTP Multipath: the open capture as a page in the browser. */
#ifndef CMT_WS_MENU_H
#define CMT_WS_MENU_H

/* Once, with the protocol registered. Does nothing in tshark. */
void cmt_menu_register(void);

#endif
