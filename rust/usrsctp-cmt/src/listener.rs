// SPDX-License-Identifier: BSD-3-Clause
use std::ffi::CStr;
use std::mem::{size_of, MaybeUninit};
use std::net::SocketAddr;
use std::os::raw::c_char;
use std::os::unix::io::RawFd;
use std::ptr;
use std::time::Duration;

use usrsctp_cmt_sys as sys;

use crate::config::Config;
use crate::connection::Connection;
use crate::error::{checked, Result};
use crate::milliseconds;
use crate::stats::address_of;

/// Takes connections. When it is dropped those that were not accepted are aborted; accepted ones go on.
pub struct Listener {
    handle: *mut sys::cmt_listener,
}

// Every function of the library may be called by any thread, and several at once.
unsafe impl Send for Listener {}
unsafe impl Sync for Listener {}

/// A peer that was not taken for its keys, or has not taken ours.
#[derive(Clone, Debug)]
pub struct Refused {
    /// None: it is gone.
    pub address: Option<SocketAddr>,
    pub reason: String,
}

impl Listener {
    pub fn new(config: &Config) -> Result<Listener> {
        let mut handle = ptr::null_mut();

        config.with(|config| checked(unsafe { sys::cmt_listen(&mut handle, config) }))?;
        Ok(Listener { handle })
    }

    /// The next peer, up and known.
    pub fn accept(&self, limit: Option<Duration>) -> Result<Connection> {
        let mut handle = ptr::null_mut();

        checked(unsafe { sys::cmt_accept(&mut handle, self.handle, milliseconds(limit)) })?;
        Ok(Connection::from_handle(handle))
    }

    pub fn udp_port(&self) -> u16 {
        unsafe { sys::cmt_listener_udp_port(self.handle) as u16 }
    }

    /// What peers give to [`Config::fingerprints`]. None: a passphrase, or in the clear.
    pub fn fingerprint(&self) -> Option<String> {
        let mut text: [c_char; sys::USRSCTP_CMT_FINGERPRINT_TEXT] = [0; sys::USRSCTP_CMT_FINGERPRINT_TEXT];
        let code = unsafe { sys::cmt_listener_fingerprint(self.handle, text.as_mut_ptr()) };

        checked(code).ok().map(|_| unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned())
    }

    /// The next of the last 16 that were refused. Does not block.
    pub fn next_refused(&self) -> Option<Refused> {
        let mut refused = MaybeUninit::<sys::cmt_refused>::zeroed();

        unsafe {
            (*refused.as_mut_ptr()).size = size_of::<sys::cmt_refused>();
            checked(sys::cmt_next_refused(self.handle, refused.as_mut_ptr())).ok()?;
            let refused = refused.assume_init();
            Some(Refused {
                address: address_of(&refused.address),
                reason: CStr::from_ptr(refused.reason.as_ptr()).to_string_lossy().into_owned(),
            })
        }
    }

    /// A descriptor that is readable while [`accept`](Listener::accept) would not block: poll it, neither read nor close it.
    pub fn descriptor(&self) -> Result<RawFd> {
        checked(unsafe { sys::cmt_listener_fd(self.handle) }).map(|fd| fd as RawFd)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        unsafe { sys::cmt_listener_close(self.handle) }
    }
}
