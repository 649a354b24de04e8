// SPDX-License-Identifier: BSD-3-Clause
//! `usrsctp_cmt_blocking.h`, and what it takes of `usrsctp_cmt_event.h`, `usrsctp_cmt_keys.h` and `usrsctp_cmt.h`, as
//! declarations. The headers say what everything means; the crate `usrsctp-cmt` is the safe way to it.
//!
//! Written by hand; `tests/layout.rs` has a C compiler compare it with the headers. Linux.

#![allow(non_camel_case_types)]

use std::os::raw::{c_char, c_int, c_void};

pub const USRSCTP_CMT_EVENT_UDP_PORT: u16 = 9899;
pub const USRSCTP_CMT_MESSAGE_UNORDERED: u16 = 1;
pub const USRSCTP_CMT_FINGERPRINT_BYTES: usize = 32;
pub const USRSCTP_CMT_FINGERPRINT_TEXT: usize = 72;
pub const USRSCTP_CMT_REASON_BYTES: usize = 256;
pub const SCTP_CMT_MAX_PATHS: usize = 8;
pub const SCTP_CMT_UNKNOWN_US: i64 = i64::MIN;

pub const CMT_READY_RECV: c_int = 0;
pub const CMT_READY_SEND: c_int = 1;
pub const CMT_READY_EVENT: c_int = 2;

pub const USRSCTP_CMT_CONN_UP: c_int = 1;
pub const USRSCTP_CMT_CONN_PEER_CLOSED: c_int = 2;
pub const USRSCTP_CMT_CONN_CLOSED: c_int = 3;
pub const USRSCTP_CMT_CONN_FAILED: c_int = 4;
pub const USRSCTP_CMT_CONN_LOST: c_int = 5;
pub const USRSCTP_CMT_CONN_PATH_UP: c_int = 6;
pub const USRSCTP_CMT_CONN_PATH_DOWN: c_int = 7;
pub const USRSCTP_CMT_CONN_PATH_ADDED: c_int = 8;
pub const USRSCTP_CMT_CONN_PATH_REMOVED: c_int = 9;

pub const SCTP_CMT_PATH_UNCONFIRMED: u16 = 0;
pub const SCTP_CMT_PATH_ACTIVE: u16 = 1;
pub const SCTP_CMT_PATH_FAILED: u16 = 2;
pub const SCTP_CMT_PATH_STANDBY: u16 = 3;

/// Opaque.
#[repr(C)]
pub struct cmt_connection {
    _private: [u8; 0],
}

/// Opaque.
#[repr(C)]
pub struct cmt_listener {
    _private: [u8; 0],
}

/// `struct sockaddr_storage` of Linux.
#[repr(C, align(8))]
#[derive(Clone, Copy)]
pub struct sockaddr_storage {
    pub ss_family: u16,
    pub bytes: [u8; 126],
}

#[repr(C)]
pub struct cmt_config {
    pub size: usize,
    pub peer: *const c_char,
    pub local: *const c_char,
    pub port: u16,
    pub udp_port: u16,
    pub any_udp_port: bool,
    pub peer_udp_port: u16,
    pub peer_fingerprints: *const c_char,
    pub passphrase: *const c_char,
    pub ca_file: *const c_char,
    pub ca_name: *const c_char,
    pub any_peer: bool,
    pub cert_file: *const c_char,
    pub key_file: *const c_char,
    pub insecure: bool,
    pub scheduler: *const c_char,
    pub scheduler_options: *const c_char,
    pub cc: *const c_char,
    pub cc_options: *const c_char,
    pub sndbuf_bytes: u32,
    pub rcvbuf_bytes: u32,
    pub streams_out: u16,
    pub streams_in_max: u16,
    pub path_max_retrans: u32,
    pub message_max_bytes: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct usrsctp_cmt_message {
    pub stream_id: u16,
    pub flags: u16,
    pub ppid: u32,
    pub lifetime_ms: u32,
}

#[repr(C)]
pub struct cmt_refused {
    pub size: usize,
    pub address: sockaddr_storage,
    pub reason: [c_char; USRSCTP_CMT_REASON_BYTES],
}

#[repr(C)]
pub struct usrsctp_cmt_conn_event {
    pub size: usize,
    pub r#type: c_int,
    pub error: c_int,
    pub address: sockaddr_storage,
}

#[repr(C)]
pub struct usrsctp_cmt_peer {
    pub size: usize,
    pub passphrase: bool,
    pub chain: bool,
    pub fingerprint: [u8; USRSCTP_CMT_FINGERPRINT_BYTES],
    pub name: [c_char; 64],
    pub suite: [c_char; 32],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sctp_cmt_path_stats {
    pub size: usize,
    pub assoc_id: u32,
    pub path_id: u16,
    pub state: u16,
    pub local: sockaddr_storage,
    pub remote: sockaddr_storage,
    pub srtt_us: u32,
    pub cwnd_bytes: u32,
    pub flight_bytes: u32,
    pub mtu_bytes: u32,
    pub rate_bps: u64,
    pub fwd_delay_us: i64,
    pub fwd_delay_base_us: i64,
    pub fwd_delay_uncertainty_us: i64,
    pub queue_us: i64,
    pub sent_pkts: u64,
    pub sent_bytes: u64,
    pub acked_bytes: u64,
    pub lost_bytes: u64,
    pub spurious_bytes: u64,
    pub lost_chunks: u64,
    pub spurious_chunks: u64,
    pub retransmits: u64,
    pub share_ppm: u32,
    pub samples: u64,
    pub samples_rejected: u64,
    pub spurious_dsack: u64,
    pub spurious_eifel: u64,
    pub spurious_frto: u64,
    pub undone: u64,
    pub probes: u64,
    pub timeouts: u64,
    pub failures: u64,
    pub received_bytes: u64,
    pub bottleneck: u16,
}

extern "C" {
    pub fn cmt_reason() -> *const c_char;
    pub fn cmt_connect(out: *mut *mut cmt_connection, config: *const cmt_config, timeout_ms: c_int) -> c_int;
    pub fn cmt_listen(out: *mut *mut cmt_listener, config: *const cmt_config) -> c_int;
    pub fn cmt_accept(out: *mut *mut cmt_connection, listener: *mut cmt_listener, timeout_ms: c_int) -> c_int;
    pub fn cmt_listener_close(listener: *mut cmt_listener);
    pub fn cmt_listener_udp_port(listener: *const cmt_listener) -> c_int;
    pub fn cmt_listener_fingerprint(listener: *const cmt_listener, out: *mut c_char) -> c_int;
    pub fn cmt_next_refused(listener: *mut cmt_listener, out: *mut cmt_refused) -> c_int;
    pub fn cmt_send(
        connection: *mut cmt_connection,
        data: *const c_void,
        len: usize,
        message: *const usrsctp_cmt_message,
        timeout_ms: c_int,
    ) -> c_int;
    pub fn cmt_recv(
        connection: *mut cmt_connection,
        buffer: *mut c_void,
        size: usize,
        message: *mut usrsctp_cmt_message,
        timeout_ms: c_int,
    ) -> isize;
    pub fn cmt_close(connection: *mut cmt_connection, timeout_ms: c_int) -> c_int;
    pub fn cmt_fd(connection: *mut cmt_connection, what: c_int) -> c_int;
    pub fn cmt_listener_fd(listener: *mut cmt_listener) -> c_int;
    pub fn cmt_next_event(connection: *mut cmt_connection, out: *mut usrsctp_cmt_conn_event, timeout_ms: c_int) -> c_int;
    pub fn cmt_peer(connection: *const cmt_connection, out: *mut usrsctp_cmt_peer) -> c_int;
    pub fn cmt_paths(connection: *mut cmt_connection, paths: *mut sctp_cmt_path_stats, max: usize) -> c_int;
    pub fn cmt_getsockopt(
        connection: *mut cmt_connection,
        level: c_int,
        option: c_int,
        value: *mut c_void,
        len: *mut u32,
    ) -> c_int;
    pub fn cmt_setsockopt(connection: *mut cmt_connection, level: c_int, option: c_int, value: *const c_void, len: u32) -> c_int;
}
