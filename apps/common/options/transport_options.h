/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transport_options.h - what programs that talk over CMT take on the command line about addresses, ports,
 * buffers and the scheduler, and the back end that follows from it.
 *
 * A program puts APP_TRANSPORT_LONG_OPTIONS into its getopt_long() table, gives codes from
 * APP_TRANSPORT_FIRST on to app_transport_take(), and calls app_transport_complete(), then
 * app_transport_open(), when all are read. */
#ifndef APP_TRANSPORT_OPTIONS_H
#define APP_TRANSPORT_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include <usrsctp_cmt_event.h>

#include "net/addresses.h"
#include "options/admin_options.h"
#include "options/metered_options.h"
#include "options/policy.h"
#include "secure/secure.h"
#include "text/message.h"

#define APP_DEFAULT_PORT         5001
#define APP_DEFAULT_BUFFER_BYTES (1u << 20)
#define APP_MSG_MAX_BYTES        262144u

enum app_transport_code {
	APP_TRANSPORT_FIRST = 1024,
	APP_OPT_BIND = APP_TRANSPORT_FIRST,
	APP_OPT_CONNECT,
	APP_OPT_PORT,
	APP_OPT_UDP_PORT,
	APP_OPT_PEER_UDP_PORT,
	APP_OPT_RAW,
	APP_OPT_MTU,
	APP_OPT_SCHED,
	APP_OPT_CC,
	APP_OPT_SNDBUF,
	APP_OPT_RCVBUF,
	APP_OPT_MSG,
	APP_OPT_QLOG,
	APP_OPT_ADMIN,
	APP_OPT_METERED,
	APP_TRANSPORT_END
};

#define APP_TRANSPORT_LONG_OPTIONS                                                                           \
	{"bind", required_argument, NULL, APP_OPT_BIND}, {"port", required_argument, NULL, APP_OPT_PORT},    \
	    {"udp-port", required_argument, NULL, APP_OPT_UDP_PORT},                                         \
	    {"raw", no_argument, NULL, APP_OPT_RAW}, {"mtu", required_argument, NULL, APP_OPT_MTU},          \
	    {"sched", required_argument, NULL, APP_OPT_SCHED}, {"cc", required_argument, NULL, APP_OPT_CC},  \
	    {"sndbuf", required_argument, NULL, APP_OPT_SNDBUF},                                             \
	    {"qlog", required_argument, NULL, APP_OPT_QLOG},                                                 \
	    {"rcvbuf", required_argument, NULL, APP_OPT_RCVBUF},                                             \
	    {"admin", required_argument, NULL, APP_OPT_ADMIN}, APP_SECURE_LONG_OPTIONS

/* Further ones, of programs that connect, of those that send what is needed later, and of those that send
 * messages. */
#define APP_CONNECT_LONG_OPTIONS                                                                             \
	{"connect", required_argument, NULL, APP_OPT_CONNECT}, APP_KNOWN_PEERS_LONG_OPTIONS,                 \
	{                                                                                                    \
		"peer-udp-port", required_argument, NULL, APP_OPT_PEER_UDP_PORT                              \
	}
#define APP_METERED_LONG_OPTIONS                                                                             \
	{                                                                                                    \
		"metered", required_argument, NULL, APP_OPT_METERED                                          \
	}
#define APP_MESSAGE_LONG_OPTIONS                                                                             \
	{                                                                                                    \
		"msg", required_argument, NULL, APP_OPT_MSG                                                  \
	}

/* The lines about them for --help, with the program's own defaults. */
#define APP_QLOG_HELP                                                                                        \
	"  --qlog FILE             log the events of every path (qlog.md in share/doc/usrsctp-cmt)\n"
#define APP_TRANSPORT_HELP_WITH(port, sndbuf, rcvbuf)                                                        \
	"  --port PORT             SCTP port; default " port "\n"                                            \
	"  --raw                   SCTP directly over IP instead of UDP; needs CAP_NET_RAW\n"                \
	"  --mtu BYTES             largest IP packet, 576 to 65535; default: the interface's MTU, at most\n" \
	"                          9000. Probes find what less a network takes\n"                            \
	"  --sched NAME[:K=V,..]   scheduler and its options, see `cmt-lab list`; default auto;\n"           \
	"                          stock = upstream's CMT, single = one path, the others backup\n"           \
	"  --cc NAME[:K=V,..]      congestion control and its options, see `cmt-lab list`\n"                 \
	"  --sndbuf BYTES          send buffer, e.g. 200000 or 2MB; default " sndbuf "\n"                    \
	"  --rcvbuf BYTES          receive buffer; default " rcvbuf "\n" APP_QLOG_HELP APP_ADMIN_HELP
#define APP_TRANSPORT_HELP APP_TRANSPORT_HELP_WITH("5001", "1MiB", "1MiB")

struct app_transport {
	struct app_addresses bind;        /* n 0: nothing said */
	bool bind_any;                    /* --bind any: all addresses of the host */
	bool loopback_unasked;            /* a server that was told no address */
	const char *connect;              /* as written; NULL = not given */
	uint16_t bind_port, connect_port; /* behind their addresses; 0 = none */
	uint16_t port;                    /* SCTP */
	bool port_written, udp_port_written;
	uint16_t udp_port;        /* 0 = any that is free */
	uint16_t peer_udp_port;   /* 0 = the library's */
	uint16_t server_udp_port; /* what servers of this program have unless they are told otherwise */
	bool raw;
	uint32_t mtu_bytes; /* 0 = the interface's */
	char scheduler[SCTP_CMT_POLICY_NAME_MAX];
	char scheduler_options[SCTP_CMT_POLICY_OPTIONS_MAX];
	struct app_policy cc;
	uint32_t sndbuf_bytes, rcvbuf_bytes;
	uint32_t msg_bytes;           /* 0 = the program's default */
	const char *qlog;             /* file; NULL = none */
	const char *except_interface; /* its addresses are not used; NULL = none. Set by the program */
	struct app_admin admin;       /* for monitor_new() */
	struct app_metered metered;   /* for app_path_costs_set() */
	struct app_secure_options secure;
	bool listens;            /* from app_transport_complete() on */
	struct app_secure *keys; /* from app_transport_secure() on; NULL: in the clear */
};

void app_transport_init(struct app_transport *t);

/* One option. `name` is its name, for the message. 0, or -1 with the reason. `value` must outlive `t`. */
int app_transport_take(struct app_transport *t, int code, const char *name, const char *value,
                       struct app_error *error);

/* When all options are read: what the ports behind addresses stand for, and what was left out; a program that
 * `listens` does so on loopback unless it was told otherwise. 0, or -1 with the reason. */
int app_transport_complete(struct app_transport *t, bool listens, struct app_error *error);

/* What encrypts, in front of the first connection; reads and makes files. `quiet`: a peer that is new is not
 * told. 0, or APP_EXIT_FAILED after a message on stderr. app_transport_unsecure() comes after all connections
 * are gone. */
int app_transport_secure(struct app_transport *t, const char *program, bool quiet);
/* The same, -1 with the reason in place of a message. */
int app_transport_keys(struct app_transport *t, const char *program, bool quiet, struct app_error *error);
void app_transport_unsecure(struct app_transport *t);

/* The peer's addresses, with the SCTP port. Looks names up, so it may take a while. */
int app_transport_peer(const struct app_transport *t, struct app_addresses *peer, struct app_error *error);

/* The back end on `base`: local addresses `t->bind`, or all of them when there is none. NULL with a sentence
 * that has the form "cannot bind ADDRESS: reason; way out". With --qlog opens that too; it is closed when the
 * program ends, and then complains of what could not be written. */
struct usrsctp_cmt_event *app_transport_open(const struct app_transport *t, struct event_base *base,
                                             struct app_error *error);

/* Points into `t`. */
struct usrsctp_cmt_conn_config app_transport_conn_config(const struct app_transport *t);

/* Why usrsctp_cmt_listen() failed with errno `code`, as a sentence. */
void app_transport_listen_error(const struct app_transport *t, int code, struct app_error *error);

/* A server: opens the back end on `base` and listens. `streams`
 * each way, 0 = the library's default. On failure -1 with a sentence, and *ev may be open. */
struct app_listen {
	struct event_base *base;
	uint16_t streams;
	usrsctp_cmt_accept_cb *on_accept;
	void *arg;
};
int app_transport_listen(const struct app_transport *t, const struct app_listen *how,
                         struct usrsctp_cmt_event **ev, struct usrsctp_cmt_listener **listener,
                         struct app_error *error);

/* "PROGRAM: listening on ADDRESSES, SCTP port N, UDP port N"; and how others can connect, where that is
 * loopback because nothing else was said. Then the fingerprint that they can ask for. */
void app_transport_say_where(const char *program, const struct app_transport *t,
                             const struct usrsctp_cmt_event *ev);

#endif
