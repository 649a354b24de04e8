# SPDX-License-Identifier: BSD-3-Clause
"""The extension usrsctp_cmt._native: libusrsctp-cmt-blocking as cffi sees it. The compiler checks every declaration against the
headers. Those are found by pkg-config, or where USRSCTP_CMT_CFLAGS and USRSCTP_CMT_LIBS say."""
import os
import shlex
import subprocess

from cffi import FFI

DECLARATIONS = """
struct cmt_connection;
struct cmt_listener;

struct cmt_config {
    size_t size;
    const char *peer, *local;
    uint16_t port, udp_port;
    bool any_udp_port;
    uint16_t peer_udp_port;
    const char *peer_fingerprints, *passphrase, *ca_file, *ca_name;
    bool any_peer;
    const char *cert_file, *key_file;
    bool insecure;
    const char *scheduler, *scheduler_options, *cc, *cc_options;
    uint32_t sndbuf_bytes, rcvbuf_bytes;
    uint16_t streams_out, streams_in_max;
    uint32_t path_max_retrans, message_max_bytes;
    ...;
};

typedef uint16_t sa_family_t;
typedef unsigned int socklen_t;
struct sockaddr_storage {
    sa_family_t ss_family;
    ...;
};

struct cmt_refused {
    size_t size;
    struct sockaddr_storage address;
    char reason[...];
    ...;
};

struct usrsctp_cmt_message {
    uint16_t stream_id, flags;
    uint32_t ppid, lifetime_ms;
    ...;
};
#define USRSCTP_CMT_MESSAGE_UNORDERED ...

enum usrsctp_cmt_conn_event_type {
    USRSCTP_CMT_CONN_PEER_CLOSED, USRSCTP_CMT_CONN_LOST, USRSCTP_CMT_CONN_PATH_UP, USRSCTP_CMT_CONN_PATH_DOWN,
    USRSCTP_CMT_CONN_PATH_ADDED, USRSCTP_CMT_CONN_PATH_REMOVED, ...
};
struct usrsctp_cmt_conn_event {
    size_t size;
    enum usrsctp_cmt_conn_event_type type;
    int error;
    struct sockaddr_storage address;
    ...;
};

struct usrsctp_cmt_peer {
    size_t size;
    bool passphrase, chain;
    uint8_t fingerprint[...];
    char name[...];
    char suite[...];
    ...;
};
#define USRSCTP_CMT_FINGERPRINT_TEXT ...

struct sctp_cmt_path_stats {
    size_t size;
    uint16_t state;
    struct sockaddr_storage local, remote;
    uint32_t srtt_us, cwnd_bytes, flight_bytes, mtu_bytes, share_ppm;
    uint64_t rate_bps, sent_pkts, sent_bytes, acked_bytes, lost_bytes, retransmits, timeouts, failures, received_bytes;
    int64_t fwd_delay_us, queue_us;
    ...;
};
#define SCTP_CMT_MAX_PATHS ...
#define SCTP_CMT_UNKNOWN_US ...
enum sctp_cmt_path_state {
    SCTP_CMT_PATH_UNCONFIRMED, SCTP_CMT_PATH_ACTIVE, SCTP_CMT_PATH_FAILED, SCTP_CMT_PATH_STANDBY, ...
};

struct sctp_cmt_stats {
    size_t size;
    uint16_t extension, paths;
    uint64_t decisions, sent_ahead_units, send_queue_bytes, receive_queue_bytes, copies, held_bytes;
    char scheduler[...];
    char cc[...];
    ...;
};
#define IPPROTO_SCTP ...
#define SCTP_CMT_STATS ...
#define CMT_READY_RECV ...
#define CMT_READY_SEND ...
#define CMT_READY_EVENT ...

const char *cmt_reason(void);
int cmt_connect(struct cmt_connection **out, const struct cmt_config *config, int timeout_ms);
int cmt_listen(struct cmt_listener **out, const struct cmt_config *config);
int cmt_accept(struct cmt_connection **out, struct cmt_listener *listener, int timeout_ms);
void cmt_listener_close(struct cmt_listener *listener);
int cmt_listener_udp_port(const struct cmt_listener *listener);
int cmt_listener_fingerprint(const struct cmt_listener *listener, char *out);
int cmt_listener_fd(struct cmt_listener *listener);
int cmt_next_refused(struct cmt_listener *listener, struct cmt_refused *out);
int cmt_send(struct cmt_connection *connection, const void *data, size_t len,
             const struct usrsctp_cmt_message *message, int timeout_ms);
ssize_t cmt_recv(struct cmt_connection *connection, void *buffer, size_t size,
                 struct usrsctp_cmt_message *message, int timeout_ms);
int cmt_close(struct cmt_connection *connection, int timeout_ms);
int cmt_fd(struct cmt_connection *connection, int what);
int cmt_next_event(struct cmt_connection *connection, struct usrsctp_cmt_conn_event *out, int timeout_ms);
int cmt_peer(const struct cmt_connection *connection, struct usrsctp_cmt_peer *out);
int cmt_paths(struct cmt_connection *connection, struct sctp_cmt_path_stats *paths, size_t max);
int cmt_getsockopt(struct cmt_connection *connection, int level, int option, void *value, socklen_t *len);
int usrsctp_cmt_keys_make(const char *file, const char *name, unsigned days);
"""


def flags(variable, *query):
    """What the environment says, or pkg-config."""
    if variable in os.environ:
        return shlex.split(os.environ[variable])
    try:
        text = subprocess.run(["pkg-config", *query, "usrsctp-cmt-blocking"], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit("libusrsctp-cmt-blocking is not found: install libusrsctp-cmt-blocking-dev and pkg-config, or set "
                         f"{variable} ({error})") from error
    return shlex.split(text)


ffi = FFI()
ffi.cdef(DECLARATIONS)
ffi.set_source("usrsctp_cmt._native", "#include <netinet/in.h>\n#include <usrsctp_cmt_blocking.h>\n",
               extra_compile_args=flags("USRSCTP_CMT_CFLAGS", "--cflags"),
               extra_link_args=flags("USRSCTP_CMT_LIBS", "--libs"))

if __name__ == "__main__":
    ffi.compile(verbose=True)
