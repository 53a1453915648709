//! The connections that clients hold open: how many one network may have, and when a connection is closed.

pub mod client_address;
pub mod http2;
pub mod listener;
pub mod tls;

use std::any::Any;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::{IpAddr, Shutdown};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_tls::accept::rustls_0_23::TlsStream;
use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
use socket2::SockRef;

use crate::http::connections::client_address::{ClientAddress, TrustedProxies};
use crate::http::connections::http2::OpenRequests;

/// File descriptors that are reserved for everything but clients: the database, files, the system.
const OWN_FILES: usize = 256;
/// The most connections that a worker accepts, however many descriptors there are.
const MOST_CONNECTIONS: usize = 25_000;

/// How many TLS handshakes a worker has open at once. A client has 3 s to finish one.
pub const TLS_HANDSHAKES: usize = 4096;

/// Connections of one replica, by network.
#[derive(Clone)]
pub struct Connections {
    most: u32,
    unread: Duration,
    proxies: TrustedProxies,
    open: Arc<Mutex<HashMap<IpAddr, u32>>>,
}

/// Counts as a connection until it is dropped. It is stored with the connection.
struct Counted {
    network: IpAddr,
    open: Arc<Mutex<HashMap<IpAddr, u32>>>,
}

impl Connections {
    /// `most`: how many connections one network may have open; trusted proxies may have any number. `unread`: how long
    /// a client may leave data unread that was sent to it.
    pub fn new(most: u32, unread: Duration, proxies: TrustedProxies) -> Connections {
        Connections { most, unread, proxies, open: Arc::default() }
    }

    /// Counts a connection, plain or TLS, that was just accepted. If the network has too many, the connection is closed
    /// at once.
    pub fn accept(&self, connection: &dyn Any, extensions: &mut Extensions) {
        let tls = connection.downcast_ref::<TlsStream<TcpStream>>().map(|stream| stream.get_ref());
        let Some(stream) = tls.map(|(stream, _)| stream).or_else(|| connection.downcast_ref()) else {
            return;
        };
        let Ok(peer) = stream.peer_addr() else { return };
        cut_off_after(stream, self.unread);
        if self.proxies.trusts(peer.ip()) {
            return;
        }
        let Some(counted) = self.count(ClientAddress { address: peer.ip(), is_secure: false }.network())
        else {
            return close(stream);
        };
        extensions.insert(counted);
        if tls.is_some_and(|(_, tls)| tls.alpn_protocol() == Some(b"h2")) {
            match OpenRequests::of(stream, self.unread) {
                Ok(requests) => drop(extensions.insert(requests)),
                Err(_) => close(stream),
            }
        }
    }

    fn count(&self, network: IpAddr) -> Option<Counted> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let connections = open.entry(network).or_default();
        if *connections >= self.most {
            return None;
        }
        *connections += 1;
        Some(Counted { network, open: self.open.clone() })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut connections) = open.entry(self.network) {
            *connections.get_mut() -= 1;
            if *connections.get() == 0 {
                connections.remove();
            }
        }
    }
}

fn close(stream: &TcpStream) {
    // The connection may be gone already.
    let _ = SockRef::from(stream).shutdown(Shutdown::Both);
}

/// How many connections a worker may accept: all descriptors but those that the program needs itself, shared evenly.
/// With TLS, a connection may take three; see [`OpenRequests`].
pub fn connections_for_each(workers: usize, has_tls: bool) -> usize {
    let files = rlimit::Resource::NOFILE.get_soft().unwrap_or(1024);
    let files = usize::try_from(files).unwrap_or(usize::MAX).saturating_sub(OWN_FILES);
    let files = if has_tls { files / 3 } else { files };
    (files / workers).clamp(1, MOST_CONNECTIONS)
}

/// The system closes a connection if its client takes no data for this long. This program would not notice such a
/// client, because it does not poll a connection that accepts no more data.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn cut_off_after(stream: &TcpStream, unread: Duration) {
    // The connection may be gone already.
    let _ = SockRef::from(stream).set_tcp_user_timeout(Some(unread));
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn cut_off_after(_: &TcpStream, _: Duration) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_has_as_many_connections_as_it_may_and_gets_places_back() {
        let connections = Connections::new(2, Duration::from_secs(1), TrustedProxies::default());
        let (one, other) = ("192.0.2.1".parse().unwrap(), "192.0.2.2".parse().unwrap());
        let first = connections.count(one);
        let _second = connections.count(one).unwrap();
        assert!(connections.count(one).is_none());
        assert!(connections.count(other).is_some(), "others are not concerned");
        drop(first);
        assert!(connections.count(one).is_some());
    }
}
