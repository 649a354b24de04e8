// SPDX-License-Identifier: BSD-3-Clause
//! The declarations are those of the headers: a C compiler asserts every size, offset and constant, and takes every function by
//! its type. CC: the compiler; USRSCTP_CMT_CFLAGS: where the headers are, else pkg-config says so.

use std::env;
use std::fmt::Write as _;
use std::io::Write as _;
use std::mem::{align_of, size_of, MaybeUninit};
use std::process::{Command, Stdio};
use std::ptr::addr_of;

use usrsctp_cmt_sys::*;

const PROTOTYPES: &str = "
const char *(*const f1)(void) = cmt_reason;
int (*const f2)(struct cmt_connection **, const struct cmt_config *, int) = cmt_connect;
int (*const f3)(struct cmt_listener **, const struct cmt_config *) = cmt_listen;
int (*const f4)(struct cmt_connection **, struct cmt_listener *, int) = cmt_accept;
void (*const f5)(struct cmt_listener *) = cmt_listener_close;
int (*const f6)(const struct cmt_listener *) = cmt_listener_udp_port;
int (*const f7)(const struct cmt_listener *, char *) = cmt_listener_fingerprint;
int (*const f8)(struct cmt_listener *, struct cmt_refused *) = cmt_next_refused;
int (*const f9)(struct cmt_connection *, const void *, size_t, const struct usrsctp_cmt_message *, int) = cmt_send;
ssize_t (*const f10)(struct cmt_connection *, void *, size_t, struct usrsctp_cmt_message *, int) = cmt_recv;
int (*const f11)(struct cmt_connection *, int) = cmt_close;
int (*const f12)(struct cmt_connection *, enum cmt_ready) = cmt_fd;
int (*const f13)(struct cmt_listener *) = cmt_listener_fd;
int (*const f14)(struct cmt_connection *, struct usrsctp_cmt_conn_event *, int) = cmt_next_event;
int (*const f15)(const struct cmt_connection *, struct usrsctp_cmt_peer *) = cmt_peer;
int (*const f16)(struct cmt_connection *, struct sctp_cmt_path_stats *, size_t) = cmt_paths;
int (*const f17)(struct cmt_connection *, int, int, void *, socklen_t *) = cmt_getsockopt;
int (*const f18)(struct cmt_connection *, int, int, const void *, socklen_t) = cmt_setsockopt;
_Static_assert(sizeof(ssize_t) == sizeof(size_t) && sizeof(socklen_t) == 4 && sizeof(enum cmt_ready) == sizeof(int) &&
               sizeof(enum usrsctp_cmt_conn_event_type) == sizeof(int) && sizeof(sctp_assoc_t) == 4, \"types\");
";

fn size_behind<T>(_: *const T) -> usize {
    size_of::<T>()
}

/// Asserts about `struct NAME` and all of its fields.
macro_rules! layout {
    ($out:ident, $name:ident { $($field:ident)* }) => {{
        let value = MaybeUninit::<$name>::uninit();
        let at = value.as_ptr();
        let name = concat!("struct ", stringify!($name));
        writeln!($out, "_Static_assert(sizeof({name}) == {} && _Alignof({name}) == {}, \"{name}\");",
                 size_of::<$name>(), align_of::<$name>()).unwrap();
        $(
            let field = unsafe { addr_of!((*at).$field) };
            let offset = field as usize - at as usize;
            let c_field = stringify!($field).trim_start_matches("r#");
            writeln!($out, "_Static_assert(offsetof({name}, {c_field}) == {offset} && sizeof((({name} *)0)->{c_field}) == {}, \
                     \"{name}: {c_field}\");", size_behind(field)).unwrap();
        )*
    }};
}

macro_rules! constants {
    ($out:ident, $($name:ident)*) => {
        $(writeln!($out, "_Static_assert({} == {}, \"{0}\");", stringify!($name), $name).unwrap();)*
    };
}

fn assertions() -> String {
    let mut c = String::from("#include <stddef.h>\n#include <sys/socket.h>\n#include <usrsctp_cmt_blocking.h>\n");

    c += PROTOTYPES;
    writeln!(
        c,
        "_Static_assert(sizeof(struct sockaddr_storage) == {} && _Alignof(struct sockaddr_storage) == {}, \"address\");",
        size_of::<sockaddr_storage>(),
        align_of::<sockaddr_storage>()
    )
    .unwrap();
    layout!(c, cmt_config {
        size peer local port udp_port any_udp_port peer_udp_port peer_fingerprints passphrase ca_file ca_name any_peer
        cert_file key_file insecure scheduler scheduler_options cc cc_options sndbuf_bytes rcvbuf_bytes streams_out
        streams_in_max path_max_retrans message_max_bytes
    });
    layout!(c, usrsctp_cmt_message { stream_id flags ppid lifetime_ms });
    layout!(c, cmt_refused { size address reason });
    layout!(c, usrsctp_cmt_conn_event { size r#type error address });
    layout!(c, usrsctp_cmt_peer { size passphrase chain fingerprint name suite });
    layout!(c, sctp_cmt_path_stats {
        size assoc_id path_id state local remote srtt_us cwnd_bytes flight_bytes mtu_bytes rate_bps fwd_delay_us
        fwd_delay_base_us fwd_delay_uncertainty_us queue_us sent_pkts sent_bytes acked_bytes lost_bytes spurious_bytes
        lost_chunks spurious_chunks retransmits share_ppm samples samples_rejected spurious_dsack spurious_eifel
        spurious_frto undone probes timeouts failures received_bytes bottleneck
    });
    constants!(c,
        USRSCTP_CMT_EVENT_UDP_PORT USRSCTP_CMT_MESSAGE_UNORDERED USRSCTP_CMT_FINGERPRINT_BYTES USRSCTP_CMT_FINGERPRINT_TEXT
        USRSCTP_CMT_REASON_BYTES SCTP_CMT_MAX_PATHS CMT_READY_RECV CMT_READY_SEND CMT_READY_EVENT USRSCTP_CMT_CONN_UP
        USRSCTP_CMT_CONN_PEER_CLOSED USRSCTP_CMT_CONN_CLOSED USRSCTP_CMT_CONN_FAILED USRSCTP_CMT_CONN_LOST
        USRSCTP_CMT_CONN_PATH_UP USRSCTP_CMT_CONN_PATH_DOWN USRSCTP_CMT_CONN_PATH_ADDED USRSCTP_CMT_CONN_PATH_REMOVED
        SCTP_CMT_PATH_UNCONFIRMED SCTP_CMT_PATH_ACTIVE SCTP_CMT_PATH_FAILED SCTP_CMT_PATH_STANDBY
    );
    writeln!(c, "_Static_assert(SCTP_CMT_UNKNOWN_US == INT64_MIN, \"SCTP_CMT_UNKNOWN_US\");").unwrap();
    assert_eq!(SCTP_CMT_UNKNOWN_US, i64::MIN);
    c
}

fn compiler_flags() -> String {
    env::var("USRSCTP_CMT_CFLAGS").unwrap_or_else(|_| {
        let output = Command::new("pkg-config").args(["--cflags", "usrsctp-cmt-blocking"]).output().expect("pkg-config");
        String::from_utf8(output.stdout).unwrap()
    })
}

#[test]
fn declarations_are_those_of_the_headers() {
    let mut compiler = Command::new(env::var("CC").unwrap_or_else(|_| "cc".into()))
        .args(["-std=c11", "-D_GNU_SOURCE", "-Werror", "-fsyntax-only", "-x", "c"])
        .args(compiler_flags().split_whitespace())
        .arg("-")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a C compiler");

    compiler.stdin.take().unwrap().write_all(assertions().as_bytes()).unwrap();
    let output = compiler.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
