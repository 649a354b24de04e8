// SPDX-License-Identifier: BSD-3-Clause
//! Both ends in this process, over two loopback addresses.

use std::collections::HashSet;
use std::io;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use usrsctp_cmt::{Config, Connection, Error, Event, Listener, Message, PathState, Ready, Result};

const BOTH: &str = "127.0.1.1,127.0.2.1";
const PATIENCE: Option<Duration> = Some(Duration::from_secs(30));
const SOON: Option<Duration> = Some(Duration::from_millis(20));

/// How to listen and to connect, at an SCTP port of one's own: tests run at the same time, and the stack is one.
struct Place(u16);

impl Place {
    fn new() -> Place {
        static NEXT: AtomicU16 = AtomicU16::new(5001);

        Place(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    fn listening(&self) -> Config {
        Config::new(self.0).local(BOTH).any_udp_port()
    }

    fn connecting(&self, listener: &Listener) -> Config {
        Config::new(self.0).peer(BOTH).peer_udp_port(listener.udp_port())
    }
}

fn pair() -> Result<(Listener, Connection, Connection)> {
    let place = Place::new();
    let listener = Listener::new(&place.listening().passphrase("correct horse"))?;
    let config = place.connecting(&listener).passphrase("correct horse").scheduler("rr", "");
    let client = Connection::connect(&config, PATIENCE)?;
    let server = listener.accept(PATIENCE)?;

    Ok((listener, client, server))
}

#[test]
fn messages_arrive_as_they_were_sent() -> Result<()> {
    let (_listener, client, server) = pair()?;
    let large = vec![7; 300_000];

    client.send(b"one")?;
    client.send_message(&large, &Message { stream: 3, ppid: 46, ..Message::default() }, PATIENCE)?;
    client.send_message(b"two", &Message { unordered: true, lifetime: PATIENCE, ..Message::default() }, PATIENCE)?;
    let mut got = HashSet::new();
    for _ in 0..3 {
        let message = server.recv_within(PATIENCE)?.unwrap();
        got.insert((message.data, message.stream, message.ppid, message.unordered));
    }
    let wanted = [(b"one".to_vec(), 0, 0, false), (large, 3, 46, false), (b"two".to_vec(), 0, 0, true)];
    assert!(got == HashSet::from(wanted));
    server.send(b"and back")?;
    let mut buffer = [0; 8];
    assert_eq!(client.recv_into(&mut buffer[..7], PATIENCE).unwrap_err().code(), 90); // EMSGSIZE: it stays
    assert_eq!(client.recv_into(&mut buffer, PATIENCE)?.0, 8);
    assert_eq!(&buffer, b"and back");
    let closing = thread::spawn(move || client.close(PATIENCE));
    assert_eq!(server.recv_within(PATIENCE)?, None);
    server.close(PATIENCE)?;
    closing.join().unwrap()
}

#[test]
fn what_does_not_come_is_a_timeout() -> Result<()> {
    let (listener, client, _server) = pair()?;
    let before = Instant::now();

    for error in [
        client.recv_within(SOON).unwrap_err(),
        client.recv_within(Some(Duration::ZERO)).unwrap_err(),
        listener.accept(SOON).err().unwrap(),
    ] {
        assert!(error.is_timeout(), "{error}");
    }
    assert!(before.elapsed() >= 2 * SOON.unwrap());
    let nobody = Config::new(5001).peer("127.0.3.1").peer_udp_port(9).any_peer();
    let error = Connection::connect(&nobody, Some(Duration::from_millis(300))).err().unwrap();
    assert!(!error.to_string().is_empty());
    let error = io::Error::from(error);
    assert!(matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::ConnectionRefused), "{error:?}");
    Ok(())
}

#[test]
fn only_who_is_asked_for_is_taken() -> Result<()> {
    let place = Place::new();
    let listener = Listener::new(&place.listening())?;
    let fingerprint = listener.fingerprint().unwrap();
    let other = format!("sha256:{}", "01".repeat(32));

    let client = Connection::connect(&place.connecting(&listener).fingerprints(&fingerprint), PATIENCE)?;
    let peer = client.peer()?.unwrap();
    assert_eq!(peer.fingerprint, Some(fingerprint));
    assert!(peer.suite.starts_with("TLS_"));
    let error = Connection::connect(&place.connecting(&listener).fingerprints(&other), PATIENCE).err().unwrap();
    assert!(error.to_string().contains("asked for"), "{error}");
    assert_eq!(error.code(), 13); // EACCES
    let error = Connection::connect(&place.connecting(&listener), PATIENCE).err().unwrap();
    assert_eq!(error.code(), 22); // EINVAL: it does not say whom to expect
    let error = Connection::connect(&place.connecting(&listener).passphrase("a\0b"), PATIENCE).err().unwrap();
    assert_eq!(error.to_string(), "a text has a NUL in it");

    let place = Place::new();
    let clear = Listener::new(&place.listening().insecure())?;
    assert!(Connection::connect(&place.connecting(&clear).insecure(), PATIENCE)?.peer()?.is_none());
    assert_eq!(clear.fingerprint(), None);

    let place = Place::new();
    let strict = Listener::new(&place.listening().passphrase("right"))?;
    assert!(Connection::connect(&place.connecting(&strict).passphrase("wrong"), PATIENCE).is_err());
    let until = Instant::now() + PATIENCE.unwrap();
    let refused = loop {
        match strict.next_refused() {
            Some(refused) => break refused,
            None => assert!(Instant::now() < until),
        }
    };
    assert!(!refused.reason.is_empty());
    Ok(())
}

#[test]
fn both_paths_carry() -> Result<()> {
    let (_listener, client, server) = pair()?;
    let until = Instant::now() + PATIENCE.unwrap();

    while client.paths()?.iter().filter(|path| path.state == PathState::Active && path.sent_bytes > 0).count() < 2 {
        assert!(Instant::now() < until, "{:?}", client.paths()?);
        client.send(&[0; 10_000])?;
        assert_eq!(server.recv()?.unwrap().data.len(), 10_000);
    }
    let remotes: HashSet<String> = client.paths()?.iter().map(|path| path.remote.unwrap().ip().to_string()).collect();
    assert_eq!(remotes, BOTH.split(',').map(String::from).collect());
    assert!(client.descriptor(Ready::Recv)? != client.descriptor(Ready::Send)?);
    drop(server);
    // It has everything, so the end may be an orderly one.
    let end = loop {
        match client.next_event(PATIENCE)? {
            Some(end @ (Event::Lost(_) | Event::PeerClosed)) => break end,
            event => assert!(event.is_some()),
        }
    };
    match (client.recv_within(PATIENCE), end) {
        (Ok(None), Event::PeerClosed) => {}
        (Err(error), Event::Lost(code)) => assert_eq!(error.code(), code),
        (got, end) => panic!("{got:?} behind {end:?}"),
    }
    assert_eq!(client.next_event(PATIENCE)?, None);
    Ok(())
}

#[test]
fn threads_share_a_connection() -> Result<()> {
    const THREADS: u16 = 4;
    const EACH: usize = 200;
    let (_listener, client, server) = pair()?;
    let (client, server) = (Arc::new(client), Arc::new(server));

    let threads: Vec<thread::JoinHandle<std::result::Result<usize, Error>>> = (0..2 * THREADS)
        .map(|i| {
            let (client, server) = (client.clone(), server.clone());
            thread::spawn(move || {
                let mut bytes = 0;
                for n in 1..=EACH {
                    if i < THREADS {
                        client.send_message(&vec![1; n], &Message { stream: i, ..Message::default() }, PATIENCE)?;
                    } else {
                        bytes += server.recv_within(PATIENCE)?.unwrap().data.len();
                    }
                }
                Ok(bytes)
            })
        })
        .collect();
    let mut received = 0;
    for one in threads {
        received += one.join().unwrap()?;
    }
    assert_eq!(received, usize::from(THREADS) * EACH * (EACH + 1) / 2);
    Ok(())
}
