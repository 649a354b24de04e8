// SPDX-License-Identifier: BSD-3-Clause
use std::ffi::CString;
use std::mem::size_of;
use std::os::raw::c_char;
use std::ptr;

use usrsctp_cmt_sys as sys;

use crate::error::{Error, Result};

/// Whom to connect to, or where to listen, and whom to trust. Everything but the port may be left out.
///
/// Connections are encrypted. Who connects has to say whom to expect: [`fingerprints`](Config::fingerprints),
/// [`passphrase`](Config::passphrase), [`ca`](Config::ca) or [`any_peer`](Config::any_peer). A listener that asks for nothing takes
/// whoever encrypts.
#[derive(Clone, Default)]
pub struct Config {
    peer: Option<String>,
    local: Option<String>,
    port: u16,
    udp_port: u16,
    any_udp_port: bool,
    peer_udp_port: u16,
    fingerprints: Option<String>,
    passphrase: Option<String>,
    ca_file: Option<String>,
    ca_name: Option<String>,
    any_peer: bool,
    cert_file: Option<String>,
    key_file: Option<String>,
    insecure: bool,
    scheduler: Option<String>,
    scheduler_options: Option<String>,
    cc: Option<String>,
    cc_options: Option<String>,
    sndbuf_bytes: u32,
    rcvbuf_bytes: u32,
    streams_out: u16,
    streams_in_max: u16,
    message_max_bytes: u32,
}

fn optional(text: &str) -> Option<String> {
    Some(text.into()).filter(|text: &String| !text.is_empty())
}

impl Config {
    /// `port` is the listener's SCTP port, which is not 0.
    pub fn new(port: u16) -> Config {
        Config { port, ..Config::default() }
    }

    /// To connect: addresses of the one peer, `"10.1.0.1,10.2.0.1"`, IPv4, IPv6 or names. Every one that this host reaches is a path.
    pub fn peer(self, addresses: &str) -> Config {
        Config { peer: Some(addresses.into()), ..self }
    }

    /// Addresses of this host, as above, or `"any"`, which is the default to connect. To listen it is 127.0.0.1.
    pub fn local(self, addresses: &str) -> Config {
        Config { local: Some(addresses.into()), ..self }
    }

    /// The UDP port of this end; unless given 9899 to listen, a free one to connect.
    pub fn udp_port(self, port: u16) -> Config {
        Config { udp_port: port, ..self }
    }

    /// To listen at a free UDP port, which [`Listener::udp_port`](crate::Listener::udp_port) tells.
    pub fn any_udp_port(self) -> Config {
        Config { any_udp_port: true, ..self }
    }

    /// To connect: the listener's UDP port; 9899 unless given.
    pub fn peer_udp_port(self, port: u16) -> Config {
        Config { peer_udp_port: port, ..self }
    }

    /// Takes a peer that has one of these certificates: `"sha256:..,sha256:.."`.
    pub fn fingerprints(self, fingerprints: &str) -> Config {
        Config { fingerprints: Some(fingerprints.into()), ..self }
    }

    /// Takes a peer that knows it; both ends give the same one.
    pub fn passphrase(self, passphrase: &str) -> Config {
        Config { passphrase: Some(passphrase.into()), ..self }
    }

    /// Takes a peer whose certificate an authority of this PEM file has signed, for this host or address; `""`: for any.
    pub fn ca(self, file: &str, name: &str) -> Config {
        Config { ca_file: Some(file.into()), ca_name: optional(name), ..self }
    }

    /// Takes whoever answers: nobody reads along, but it may be anybody.
    pub fn any_peer(self) -> Config {
        Config { any_peer: true, ..self }
    }

    /// Who we are: PEM files. Otherwise a certificate is made, which lasts as long as this connection, or listener.
    pub fn identity(self, cert_file: &str, key_file: &str) -> Config {
        Config { cert_file: Some(cert_file.into()), key_file: Some(key_file.into()), ..self }
    }

    /// In the clear; both ends have to say so.
    pub fn insecure(self) -> Config {
        Config { insecure: true, ..self }
    }

    /// The scheduler and its `"key=value,.."`, which may be `""`; `auto` unless given.
    pub fn scheduler(self, name: &str, options: &str) -> Config {
        Config { scheduler: Some(name.into()), scheduler_options: optional(options), ..self }
    }

    /// The congestion control and its options, as above.
    pub fn congestion_control(self, name: &str, options: &str) -> Config {
        Config { cc: Some(name.into()), cc_options: optional(options), ..self }
    }

    /// Bytes of the send buffer, the most that a message may have, and of the receive buffer; 0: the default.
    pub fn buffers(self, send_bytes: u32, receive_bytes: u32) -> Config {
        Config { sndbuf_bytes: send_bytes, rcvbuf_bytes: receive_bytes, ..self }
    }

    /// How many streams this end sends on, and the peer may send on at most; 0: the default.
    pub fn streams(self, out: u16, in_max: u16) -> Config {
        Config { streams_out: out, streams_in_max: in_max, ..self }
    }

    /// A longer message that comes in ends the connection; 16 MiB unless given.
    pub fn message_max_bytes(self, bytes: u32) -> Config {
        Config { message_max_bytes: bytes, ..self }
    }

    /// Calls `f` with it as C has it.
    pub(crate) fn with<T>(&self, f: impl FnOnce(&sys::cmt_config) -> Result<T>) -> Result<T> {
        let mut strings = Vec::new();
        let mut text = |text: &Option<String>| -> Result<*const c_char> {
            match text {
                None => Ok(ptr::null()),
                Some(text) => {
                    let string = CString::new(text.as_str()).map_err(|_| Error::of_argument("a text has a NUL in it"))?;
                    let at = string.as_ptr();
                    strings.push(string); // what `at` points to does not move
                    Ok(at)
                }
            }
        };
        let config = sys::cmt_config {
            size: size_of::<sys::cmt_config>(),
            peer: text(&self.peer)?,
            local: text(&self.local)?,
            port: self.port,
            udp_port: self.udp_port,
            any_udp_port: self.any_udp_port,
            peer_udp_port: self.peer_udp_port,
            peer_fingerprints: text(&self.fingerprints)?,
            passphrase: text(&self.passphrase)?,
            ca_file: text(&self.ca_file)?,
            ca_name: text(&self.ca_name)?,
            any_peer: self.any_peer,
            cert_file: text(&self.cert_file)?,
            key_file: text(&self.key_file)?,
            insecure: self.insecure,
            scheduler: text(&self.scheduler)?,
            scheduler_options: text(&self.scheduler_options)?,
            cc: text(&self.cc)?,
            cc_options: text(&self.cc_options)?,
            sndbuf_bytes: self.sndbuf_bytes,
            rcvbuf_bytes: self.rcvbuf_bytes,
            streams_out: self.streams_out,
            streams_in_max: self.streams_in_max,
            path_max_retrans: 0,
            message_max_bytes: self.message_max_bytes,
        };

        f(&config)
    }
}
