// SPDX-License-Identifier: BSD-3-Clause
//! A side of bench_cpu's transfer (side.h) on quinn: QUIC with AES-128-GCM, one stream, one thread.
//!
//!     side-quinn send|receive UDP_PORT PEER_UDP_PORT MTU_BYTES BYTES PATHS keys
//!
//! There is one path, and always keys. The sender hands over WRITE_BYTES at a time, since a stream has no messages.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Instant;

use quinn::{ClientConfig, Endpoint, EndpointConfig, ServerConfig, TransportConfig, VarInt};
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime};

type Failure = Box<dyn std::error::Error + Send + Sync>;

const BUFFER_BYTES: u32 = 1 << 20;
const WRITE_BYTES: usize = 1 << 16;
const IP_AND_UDP_BYTES: u16 = 28;

struct Side {
    sends: bool,
    own: SocketAddr,
    peer: SocketAddr,
    mtu_bytes: u16,
    bytes: u64,
}

fn arguments() -> Option<Side> {
    let words: Vec<String> = std::env::args().collect();
    let port = |word: &str| Some(SocketAddr::from((Ipv4Addr::LOCALHOST, word.parse().ok()?)));
    match words.get(1..)? {
        [role, own, peer, mtu, bytes, paths, keys]
            if (role == "send" || role == "receive") && paths == "1" && keys == "keys" =>
        {
            Some(Side {
                sends: role == "send",
                own: port(own)?,
                peer: port(peer)?,
                mtu_bytes: mtu.parse().ok().filter(|mtu| *mtu >= 1280)?,
                bytes: bytes.parse().ok()?,
            })
        }
        _ => None,
    }
}

/// User and system time of all threads.
fn cpu_us() -> u64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    assert_eq!(unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) }, 0);
    let us = |t: libc::timeval| t.tv_sec as u64 * 1_000_000 + t.tv_usec as u64;
    us(usage.ru_utime) + us(usage.ru_stime)
}

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    let mut provider = ring::default_provider();
    provider.cipher_suites = vec![ring::cipher_suite::TLS13_AES_128_GCM_SHA256];
    Arc::new(provider)
}

/// Packets of `mtu_bytes` from the first one on, windows like the other sides' buffers.
fn transport(mtu_bytes: u16) -> Arc<TransportConfig> {
    let mut config = TransportConfig::default();
    config
        .initial_mtu(mtu_bytes - IP_AND_UDP_BYTES)
        .mtu_discovery_config(None)
        .send_window(BUFFER_BYTES.into())
        .stream_receive_window(VarInt::from_u32(BUFFER_BYTES))
        .receive_window(VarInt::from_u32(BUFFER_BYTES));
    Arc::new(config)
}

/// Who the server is, is not what is measured.
#[derive(Debug)]
struct Anybody(Arc<rustls::crypto::CryptoProvider>);

impl rustls::client::danger::ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer,
        _: &[CertificateDer],
        _: &ServerName,
        _: &[u8],
        _: UnixTime,
    ) -> Result<rustls::client::danger::ServerCertVerified, rustls::Error> {
        Ok(rustls::client::danger::ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer,
        _: &rustls::DigitallySignedStruct,
    ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
        Err(rustls::Error::General("QUIC has TLS 1.3".into()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer,
        dss: &rustls::DigitallySignedStruct,
    ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<rustls::SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

fn server_config(mtu_bytes: u16) -> Result<ServerConfig, Failure> {
    let own = rcgen::generate_simple_self_signed(vec!["localhost".into()])?;
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(own.key_pair.serialize_der()));
    let tls = rustls::ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.into()], key)?;
    let quic = quinn::crypto::rustls::QuicServerConfig::try_from(tls)?;
    let mut config = ServerConfig::with_crypto(Arc::new(quic));
    config.transport_config(transport(mtu_bytes));
    Ok(config)
}

fn client_config(mtu_bytes: u16) -> Result<ClientConfig, Failure> {
    let tls = rustls::ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Anybody(provider())))
        .with_no_client_auth();
    let quic = quinn::crypto::rustls::QuicClientConfig::try_from(tls)?;
    let mut config = ClientConfig::new(Arc::new(quic));
    config.transport_config(transport(mtu_bytes));
    Ok(config)
}

async fn send(connection: &quinn::Connection, bytes: u64) -> Result<(), Failure> {
    let mut stream = connection.open_uni().await?;
    let block = vec![0x5a; WRITE_BYTES];
    let mut left = bytes;
    while left > 0 {
        let now = left.min(WRITE_BYTES as u64);
        stream.write_all(&block[..now as usize]).await?;
        left -= now;
    }
    stream.finish()?;
    stream.stopped().await?; // everything is acknowledged
    Ok(())
}

async fn receive(connection: &quinn::Connection, bytes: u64) -> Result<(), Failure> {
    let mut stream = connection.accept_uni().await?;
    let mut got = 0;
    while let Some(chunk) = stream.read_chunk(WRITE_BYTES, true).await? {
        got += chunk.bytes.len() as u64;
    }
    if got == bytes { Ok(()) } else { Err(format!("{got} bytes came, not {bytes}").into()) }
}

async fn run(side: Side) -> Result<(), Failure> {
    let server = if side.sends { None } else { Some(server_config(side.mtu_bytes)?) };
    let mut config = EndpointConfig::default();
    config.max_udp_payload_size(side.mtu_bytes - IP_AND_UDP_BYTES)?;
    let endpoint = Endpoint::new(config, server, UdpSocket::bind(side.own)?, Arc::new(quinn::TokioRuntime))?;
    let connection = if side.sends {
        endpoint.connect_with(client_config(side.mtu_bytes)?, side.peer, "localhost")?.await?
    } else {
        println!("ready");
        endpoint.accept().await.ok_or("nobody came")?.await?
    };
    let (cpu_before_us, before) = (cpu_us(), Instant::now());
    if side.sends {
        send(&connection, side.bytes).await?;
    } else {
        receive(&connection, side.bytes).await?;
    }
    println!("{} {}", cpu_us() - cpu_before_us, before.elapsed().as_micros());
    if side.sends {
        connection.close(VarInt::from_u32(0), b"");
    } else {
        connection.closed().await;
    }
    endpoint.wait_idle().await;
    Ok(())
}

fn main() -> Result<(), Failure> {
    let Some(side) = arguments() else {
        eprintln!("side-quinn send|receive UDP_PORT PEER_UDP_PORT MTU_BYTES BYTES 1 keys");
        std::process::exit(2);
    };
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run(side))
}
