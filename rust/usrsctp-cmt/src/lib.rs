// SPDX-License-Identifier: BSD-3-Clause
//! Connections over all paths by calls that block: [`Connection::connect`], [`Connection::send`], [`Connection::recv`],
//! [`Connection::close`]. The safe side of `usrsctp_cmt_blocking.h`, which the project's `docs/blocking.md` explains.
//!
//! One hidden thread runs the stack for all connections of the process. Any thread may use a connection, several at once. After
//! `fork()` a child can use none of them.
//!
//! A time limit is `None` for ever, or a [`Duration`], rounded up to milliseconds; [`Duration::ZERO`] does not block. What does not
//! come in time is an error for which [`Error::is_timeout`] holds.

mod config;
mod connection;
mod error;
mod listener;
mod stats;

use std::os::raw::c_int;
use std::time::Duration;

pub use config::Config;
pub use connection::{Connection, Event, Message, Peer, Ready, Received};
pub use error::{Error, Result};
pub use listener::{Listener, Refused};
pub use stats::{PathState, PathStats};

/// For C: milliseconds, negative for ever.
fn milliseconds(limit: Option<Duration>) -> c_int {
    match limit {
        None => -1,
        Some(limit) => c_int::try_from((limit.as_nanos() + 999_999) / 1_000_000).unwrap_or(c_int::MAX),
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
struct Guide;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_rounded_up() {
        assert_eq!(milliseconds(None), -1);
        assert_eq!(milliseconds(Some(Duration::ZERO)), 0);
        assert_eq!(milliseconds(Some(Duration::from_nanos(1))), 1);
        assert_eq!(milliseconds(Some(Duration::from_micros(2001))), 3);
        assert_eq!(milliseconds(Some(Duration::MAX)), c_int::MAX);
    }
}
