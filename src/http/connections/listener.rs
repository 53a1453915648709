//! The socket to which clients connect.

use std::io;
use std::net::{SocketAddr, TcpListener};

use socket2::{Domain, Protocol, Socket, Type};

/// How many bytes of a connection's answers the system buffers, beyond what it has sent. More would not make answers
/// faster for a client that reads. For a client that does not read, the system would keep megabytes.
#[cfg(any(target_os = "linux", target_os = "android"))]
const UNSENT: u32 = 64 * 1024;

/// How many connections the system completes before the service accepts them, as far as the system allows it. Many
/// clients come at once after a replica was away.
const BACKLOG: i32 = 4096;

/// Listens on this address. All connections have the limits that are set here.
///
/// # Errors
/// [`io::Error`] where the address is taken or cannot be listened on.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // The address is free again as soon as the service before this one has ended.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if let Err(error) = socket.set_tcp_notsent_lowat(UNSENT) {
        tracing::warn!(%error, "the system bounds what it keeps for clients that do not read by itself alone");
    }
    Ok(socket.into())
}
