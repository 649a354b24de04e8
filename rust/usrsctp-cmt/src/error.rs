// SPDX-License-Identifier: BSD-3-Clause
use std::ffi::CStr;
use std::fmt;
use std::io;
use std::os::raw::c_int;

use usrsctp_cmt_sys as sys;

pub type Result<T> = std::result::Result<T, Error>;

/// Why a call failed: an errno of the library, and its sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: i32,
    reason: String,
}

const EAGAIN: i32 = 11;
const EINVAL: i32 = 22;
pub(crate) const ENOENT: i32 = 2;
pub(crate) const EMSGSIZE: i32 = 90;
pub(crate) const ENOTCONN: i32 = 107;
const ETIMEDOUT: i32 = 110;

impl Error {
    /// The errno, positive: what each call may say is in `usrsctp_cmt_blocking.h`.
    pub fn code(&self) -> i32 {
        self.code
    }

    /// It did not come in time, or not at once; or the peer has not answered.
    pub fn is_timeout(&self) -> bool {
        self.code == EAGAIN || self.code == ETIMEDOUT
    }

    pub(crate) fn of_argument(reason: &str) -> Error {
        Error { code: EINVAL, reason: reason.into() }
    }

    /// Of this thread's last call, which returned `code`.
    fn of_call(code: i64) -> Error {
        let reason = unsafe { CStr::from_ptr(sys::cmt_reason()) };

        Error { code: -code as i32, reason: reason.to_string_lossy().into_owned() }
    }
}

/// What a call has returned: a number, or why not.
pub(crate) fn checked(returned: c_int) -> Result<usize> {
    checked_size(returned as isize)
}

pub(crate) fn checked_size(returned: isize) -> Result<usize> {
    usize::try_from(returned).map_err(|_| Error::of_call(returned as i64))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Error {}

impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        io::Error::new(io::Error::from_raw_os_error(error.code).kind(), error)
    }
}
