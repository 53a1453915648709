//! The socket that clients come to.

use std::io;
use std::net::{SocketAddr, TcpListener};

/// How many bytes the system takes of a connection's answers, ahead of what it has sent, in bytes. A client that reads
/// gets them as fast with more; of one that does not, the system would keep megabytes.
#[cfg(any(target_os = "linux", target_os = "android"))]
const UNSENT: libc::c_int = 64 * 1024;

/// Listens on this address. All connections have the bounds that are set here.
///
/// # Errors
/// [`io::Error`] where the address is taken or cannot be listened on.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if let Err(error) = bound_unsent(&listener) {
        tracing::warn!(%error, "the system bounds what it keeps for clients that do not read by itself alone");
    }
    Ok(listener)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
#[expect(unsafe_code, reason = "the standard library does not know this option")]
fn bound_unsent(listener: &TcpListener) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    let value: libc::c_int = UNSENT;
    let size = libc::socklen_t::try_from(size_of_val(&value)).map_err(io::Error::other)?;
    // SAFETY: the descriptor is open, and the value is as long as is said.
    let refused = unsafe {
        let value = (&raw const value).cast();
        libc::setsockopt(listener.as_raw_fd(), libc::IPPROTO_TCP, libc::TCP_NOTSENT_LOWAT, value, size)
    };
    if refused == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
