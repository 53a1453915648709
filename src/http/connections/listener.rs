//! The socket to which clients connect.

use std::io;
use std::net::{SocketAddr, TcpListener};

#[cfg(any(target_os = "linux", target_os = "android"))]
use socket2::SockRef;

/// How many bytes of a connection's answers the system buffers, beyond what it has sent. More would not make answers
/// faster for a client that reads. For a client that does not read, the system would keep megabytes.
#[cfg(any(target_os = "linux", target_os = "android"))]
const UNSENT: u32 = 64 * 1024;

/// Listens on this address. All connections have the limits that are set here.
///
/// # Errors
/// [`io::Error`] where the address is taken or cannot be listened on.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if let Err(error) = SockRef::from(&listener).set_tcp_notsent_lowat(UNSENT) {
        tracing::warn!(%error, "the system bounds what it keeps for clients that do not read by itself alone");
    }
    Ok(listener)
}
