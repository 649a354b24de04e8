// SPDX-License-Identifier: BSD-3-Clause
//! Both ends in one process, over two loopback addresses.

use usrsctp_cmt::{Config, Connection, Listener, Result};

fn main() -> Result<()> {
    let both = "127.0.1.1,127.0.2.1";
    let listener = Listener::new(&Config::new(5001).local(both).any_udp_port().passphrase("correct horse"))?;
    let client = Config::new(5001).peer(both).peer_udp_port(listener.udp_port()).passphrase("correct horse");
    let client = Connection::connect(&client, None)?;
    let server = listener.accept(None)?;
    client.send(b"hello over all paths")?;
    println!("{}", String::from_utf8_lossy(&server.recv()?.unwrap().data));
    client.close(None)
}
