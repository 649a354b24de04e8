/* SPDX-License-Identifier: BSD-3-Clause
 *
 * consumer-event.c - the least that a program does with libusrsctp-cmt-event: the stack on a loop of its own.
 */
#include <event2/event.h>
#include <netinet/in.h>
#include <stdio.h>
#include <usrsctp_cmt_event.h>

int main(void)
{
	struct sockaddr_storage address = {.ss_family = AF_INET};
	struct usrsctp_cmt_event_config config = {
	    .size = sizeof(config), .addresses = &address, .n_addresses = 1};
	struct event_base *base = event_base_new();
	struct usrsctp_cmt_event *ev;
	char error[256] = "";

	((struct sockaddr_in *)&address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ev = usrsctp_cmt_event_new(base, &config, error, sizeof(error));
	if (ev == NULL) {
		fprintf(stderr, "usrsctp_cmt_event_new: %s\n", error);
		return 1;
	}
	event_base_loop(base, EVLOOP_NONBLOCK);
	usrsctp_cmt_event_free(ev);
	event_base_loop(base, EVLOOP_NONBLOCK);
	event_base_free(base);
	return 0;
}
