// SPDX-License-Identifier: BSD-3-Clause
//! Where the library is: in the folder USRSCTP_CMT_LIB_DIR, as of a build tree, or where pkg-config finds it.

use std::env;
use std::process::Command;

const LIBRARY: &str = "usrsctp-cmt-blocking";

fn main() {
    for name in ["USRSCTP_CMT_LIB_DIR", "PKG_CONFIG", "PKG_CONFIG_PATH"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    if let Ok(folder) = env::var("USRSCTP_CMT_LIB_DIR") {
        println!("cargo:rustc-link-search=native={folder}");
        println!("cargo:rustc-link-lib=dylib={LIBRARY}");
        return;
    }
    let program = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".into());
    let output = Command::new(&program).args(["--libs", LIBRARY]).output();
    let flags = match output {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => panic!(
            "{program} does not find {LIBRARY}: install libusrsctp-cmt-blocking-dev, or name the library's folder \
             in USRSCTP_CMT_LIB_DIR"
        ),
    };
    for flag in flags.split_whitespace() {
        if let Some(folder) = flag.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
        } else if let Some(name) = flag.strip_prefix("-l") {
            println!("cargo:rustc-link-lib=dylib={name}");
        }
    }
}
