// SPDX-License-Identifier: BSD-3-Clause
use std::ffi::CStr;
use std::mem::{size_of, zeroed, ManuallyDrop};
use std::net::SocketAddr;
use std::os::raw::{c_int, c_void};
use std::os::unix::io::RawFd;
use std::ptr;
use std::time::Duration;

use usrsctp_cmt_sys as sys;

use crate::config::Config;
use crate::error::{checked, checked_size, Result, EMSGSIZE, ENOENT, ENOTCONN};
use crate::milliseconds;
use crate::stats::{address_of, PathStats};

/// A connection over all paths to its peer. [`close`](Connection::close) it so that the peer has everything: of one that is
/// dropped what the peer has not got yet is lost.
pub struct Connection {
    handle: *mut sys::cmt_connection,
}

// Every function of the library may be called by any thread, and several at once.
unsafe impl Send for Connection {}
unsafe impl Sync for Connection {}

/// How a message travels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message {
    pub stream: u16,
    /// The payload protocol identifier.
    pub ppid: u32,
    pub unordered: bool,
    /// Given up when not sent by then; None: never.
    pub lifetime: Option<Duration>,
}

/// A message that came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    pub data: Vec<u8>,
    pub stream: u16,
    pub ppid: u32,
    pub unordered: bool,
}

/// Whom a connection is encrypted for.
#[derive(Clone, Debug)]
pub struct Peer {
    /// It knows the passphrase, and has no certificate.
    pub passphrase: bool,
    /// Its certificate was signed by an authority of [`Config::ca`].
    pub chain: bool,
    /// Of its certificate, as `sha256:..`; None with a passphrase.
    pub fingerprint: Option<String>,
    /// Of its certificate; `""`: none.
    pub name: String,
    /// `"TLS_AES_128_GCM_SHA256"`
    pub suite: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    PathUp(SocketAddr),
    PathDown(SocketAddr),
    PathAdded(SocketAddr),
    PathRemoved(SocketAddr),
    /// The peer sends no more.
    PeerClosed,
    /// With the errno.
    Lost(i32),
    /// One of a later library.
    Other(i32),
}

/// What a descriptor waits for: that this does not block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ready {
    Recv,
    Send,
    Event,
}

impl Connection {
    /// Returns when the connection is up and the peer is known. `limit`: None is 30 s.
    pub fn connect(config: &Config, limit: Option<Duration>) -> Result<Connection> {
        let mut handle = ptr::null_mut();
        let timeout_ms = limit.map_or(0, |limit| milliseconds(Some(limit)).max(1));

        config.with(|config| checked(unsafe { sys::cmt_connect(&mut handle, config, timeout_ms) }))?;
        Ok(Connection { handle })
    }

    pub(crate) fn from_handle(handle: *mut sys::cmt_connection) -> Connection {
        Connection { handle }
    }

    /// Sends a message, whole, ordered, on stream 0; blocks while much waits before it.
    pub fn send(&self, data: &[u8]) -> Result<()> {
        self.send_message(data, &Message::default(), None)
    }

    pub fn send_message(&self, data: &[u8], message: &Message, limit: Option<Duration>) -> Result<()> {
        let message = sys::usrsctp_cmt_message {
            stream_id: message.stream,
            flags: if message.unordered { sys::USRSCTP_CMT_MESSAGE_UNORDERED } else { 0 },
            ppid: message.ppid,
            lifetime_ms: message.lifetime.map_or(0, |lifetime| milliseconds(Some(lifetime)).max(1) as u32),
        };
        let bytes = data.as_ptr() as *const c_void;

        checked(unsafe { sys::cmt_send(self.handle, bytes, data.len(), &message, milliseconds(limit)) }).map(drop)
    }

    /// Receives a message, whole. None: the peer has closed, and all was received.
    pub fn recv(&self) -> Result<Option<Received>> {
        self.recv_within(None)
    }

    pub fn recv_within(&self, limit: Option<Duration>) -> Result<Option<Received>> {
        let mut data = Vec::new();

        loop {
            let bytes = self.recv_some(&mut [], limit, true)?.0;

            if bytes == 0 {
                return Ok(None);
            }
            data.resize(bytes, 0);
            // Another thread may have taken that one.
            match self.recv_some(&mut data, limit, false) {
                Ok((0, _)) => return Ok(None),
                Ok((bytes, message)) => {
                    data.truncate(bytes);
                    return Ok(Some(Received {
                        data,
                        stream: message.stream_id,
                        ppid: message.ppid,
                        unordered: message.flags & sys::USRSCTP_CMT_MESSAGE_UNORDERED != 0,
                    }));
                }
                Err(error) if error.code() == EMSGSIZE => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Receives a message into `buffer`, and returns how many bytes it has and how it came; 0 bytes: the peer has closed. One that is
    /// larger than `buffer` stays, with an error (EMSGSIZE).
    pub fn recv_into(&self, buffer: &mut [u8], limit: Option<Duration>) -> Result<(usize, Message)> {
        let (bytes, message) = self.recv_some(buffer, limit, false)?;

        Ok((
            bytes,
            Message {
                stream: message.stream_id,
                ppid: message.ppid,
                unordered: message.flags & sys::USRSCTP_CMT_MESSAGE_UNORDERED != 0,
                lifetime: None,
            },
        ))
    }

    /// `only_look`: the message stays.
    fn recv_some(
        &self,
        buffer: &mut [u8],
        limit: Option<Duration>,
        only_look: bool,
    ) -> Result<(usize, sys::usrsctp_cmt_message)> {
        let mut message = sys::usrsctp_cmt_message::default();
        let at = if only_look { ptr::null_mut() } else { buffer.as_mut_ptr() as *mut c_void };
        let bytes = unsafe { sys::cmt_recv(self.handle, at, buffer.len(), &mut message, milliseconds(limit)) };

        Ok((checked_size(bytes)?, message))
    }

    /// Sends what is queued, and returns when the peer has everything. With an error the end of it may be missing.
    pub fn close(self, limit: Option<Duration>) -> Result<()> {
        let this = ManuallyDrop::new(self);

        checked(unsafe { sys::cmt_close(this.handle, milliseconds(limit)) }).map(drop)
    }

    /// None: it is in the clear.
    pub fn peer(&self) -> Result<Option<Peer>> {
        let mut peer: sys::usrsctp_cmt_peer = unsafe { zeroed() };

        peer.size = size_of::<sys::usrsctp_cmt_peer>();
        match checked(unsafe { sys::cmt_peer(self.handle, &mut peer) }) {
            Err(error) if error.code() == ENOENT => Ok(None),
            Err(error) => Err(error),
            Ok(_) => Ok(Some(Peer {
                passphrase: peer.passphrase,
                chain: peer.chain,
                fingerprint: if peer.passphrase { None } else { Some(fingerprint_text(&peer.fingerprint)) },
                name: unsafe { CStr::from_ptr(peer.name.as_ptr()) }.to_string_lossy().into_owned(),
                suite: unsafe { CStr::from_ptr(peer.suite.as_ptr()) }.to_string_lossy().into_owned(),
            })),
        }
    }

    pub fn paths(&self) -> Result<Vec<PathStats>> {
        let mut paths: [sys::sctp_cmt_path_stats; sys::SCTP_CMT_MAX_PATHS] = unsafe { zeroed() };
        let n = checked(unsafe { sys::cmt_paths(self.handle, paths.as_mut_ptr(), paths.len()) })?;

        Ok(paths[..n].iter().map(PathStats::new).collect())
    }

    /// The next event; the newest 64 are kept. None: no more will come.
    pub fn next_event(&self, limit: Option<Duration>) -> Result<Option<Event>> {
        let mut event: sys::usrsctp_cmt_conn_event = unsafe { zeroed() };

        event.size = size_of::<sys::usrsctp_cmt_conn_event>();
        match checked(unsafe { sys::cmt_next_event(self.handle, &mut event, milliseconds(limit)) }) {
            Err(error) if error.code() == ENOTCONN => Ok(None),
            Err(error) => Err(error),
            Ok(_) => Ok(Some(event_of(&event))),
        }
    }

    /// A descriptor that is readable while that would not block: poll it, neither read nor close it.
    pub fn descriptor(&self, what: Ready) -> Result<RawFd> {
        let what = match what {
            Ready::Recv => sys::CMT_READY_RECV,
            Ready::Send => sys::CMT_READY_SEND,
            Ready::Event => sys::CMT_READY_EVENT,
        };

        checked(unsafe { sys::cmt_fd(self.handle, what) }).map(|fd| fd as RawFd)
    }

    /// For socket options of `usrsctp.h` and `usrsctp_cmt.h`, with `usrsctp_cmt_sys::cmt_setsockopt()`. The connection's.
    pub fn as_raw(&self) -> *mut sys::cmt_connection {
        self.handle
    }
}

fn fingerprint_text(bytes: &[u8]) -> String {
    bytes.iter().fold(String::from("sha256:"), |text, byte| text + &format!("{byte:02x}"))
}

fn event_of(event: &sys::usrsctp_cmt_conn_event) -> Event {
    let with: Option<fn(SocketAddr) -> Event> = match event.r#type {
        sys::USRSCTP_CMT_CONN_PATH_UP => Some(Event::PathUp),
        sys::USRSCTP_CMT_CONN_PATH_DOWN => Some(Event::PathDown),
        sys::USRSCTP_CMT_CONN_PATH_ADDED => Some(Event::PathAdded),
        sys::USRSCTP_CMT_CONN_PATH_REMOVED => Some(Event::PathRemoved),
        _ => None,
    };

    match (with, address_of(&event.address), event.r#type) {
        (Some(with), Some(address), _) => with(address),
        (_, _, sys::USRSCTP_CMT_CONN_PEER_CLOSED) => Event::PeerClosed,
        (_, _, sys::USRSCTP_CMT_CONN_LOST) => Event::Lost(event.error),
        (_, _, other) => Event::Other(other as c_int),
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        unsafe { sys::cmt_close(self.handle, 0) };
    }
}
