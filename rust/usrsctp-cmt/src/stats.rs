// SPDX-License-Identifier: BSD-3-Clause
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use usrsctp_cmt_sys as sys;

const AF_INET: u16 = 2;
const AF_INET6: u16 = 10;

/// None: AF_UNSPEC.
pub(crate) fn address_of(storage: &sys::sockaddr_storage) -> Option<SocketAddr> {
    let bytes = &storage.bytes;
    let port = u16::from_be_bytes([bytes[0], bytes[1]]);
    let ip: IpAddr = match storage.ss_family {
        AF_INET => Ipv4Addr::from(<[u8; 4]>::try_from(&bytes[2..6]).unwrap()).into(),
        AF_INET6 => Ipv6Addr::from(<[u8; 16]>::try_from(&bytes[6..22]).unwrap()).into(),
        _ => return None,
    };

    Some(SocketAddr::new(ip, port))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathState {
    /// The peer's address has not answered yet.
    Unconfirmed,
    /// It carries data.
    Active,
    /// It carries none unless all have failed; it is asked whether it is back.
    Failed,
    /// It carries none while another can.
    Standby,
}

/// What is known of a path. All counts are since the association began.
#[derive(Clone, Debug)]
pub struct PathStats {
    /// None until a source was chosen.
    pub local: Option<SocketAddr>,
    pub remote: Option<SocketAddr>,
    pub state: PathState,
    pub round_trip: Duration,
    /// None: not measured.
    pub rate_bps: Option<u64>,
    pub window_bytes: u32,
    pub flight_bytes: u32,
    pub mtu_bytes: u32,
    pub sent_packets: u64,
    pub sent_bytes: u64,
    pub received_bytes: u64,
    pub retransmits: u64,
    /// Of all that was sent.
    pub share: f64,
}

impl PathStats {
    pub(crate) fn new(stats: &sys::sctp_cmt_path_stats) -> PathStats {
        PathStats {
            local: address_of(&stats.local),
            remote: address_of(&stats.remote),
            state: match stats.state {
                sys::SCTP_CMT_PATH_UNCONFIRMED => PathState::Unconfirmed,
                sys::SCTP_CMT_PATH_ACTIVE => PathState::Active,
                sys::SCTP_CMT_PATH_FAILED => PathState::Failed,
                _ => PathState::Standby,
            },
            round_trip: Duration::from_micros(stats.srtt_us.into()),
            rate_bps: Some(stats.rate_bps).filter(|&rate_bps| rate_bps > 0),
            window_bytes: stats.cwnd_bytes,
            flight_bytes: stats.flight_bytes,
            mtu_bytes: stats.mtu_bytes,
            sent_packets: stats.sent_pkts,
            sent_bytes: stats.sent_bytes,
            received_bytes: stats.received_bytes,
            retransmits: stats.retransmits,
            share: f64::from(stats.share_ppm) / 1e6,
        }
    }
}
