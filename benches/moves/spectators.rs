//! Those who read streams, each on a connection of its own and all on one thread.

use std::cell::RefCell;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle};

use futures_util::future::join_all;
use memchr::memchr_iter;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

pub struct Spectators {
    thread: JoinHandle<()>,
    /// The lines that all of them have read.
    lines: Arc<AtomicUsize>,
    stop: oneshot::Sender<()>,
}

impl Spectators {
    /// One for each of these requests. Comes back when all have their seats.
    pub async fn seat(address: SocketAddr, requests: Vec<Vec<u8>>) -> Spectators {
        let ((stop, stopped), (seated, here)) = (oneshot::channel(), oneshot::channel());
        let lines = Arc::<AtomicUsize>::default();
        let read = lines.clone();
        let thread = Builder::new().name("spectators".to_owned()).spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let mut streams = Vec::new();
                for request in &requests {
                    let mut stream = TcpStream::connect(address).await.expect("the service listens");
                    stream.write_all(request).await.expect("the connection stays open");
                    let mut first = [0; 12];
                    stream.read_exact(&mut first).await.expect("there is an answer");
                    assert_eq!(&first, b"HTTP/1.1 200");
                    streams.push(stream);
                }
                let _ = seated.send(());
                let buffer = RefCell::new(vec![0; 256 * 1024]);
                let reading = streams.into_iter().map(|stream| read_events(stream, &read, &buffer));
                let reading = join_all(reading);
                tokio::select! {
                    _ = stopped => {}
                    _ = reading => {}
                }
            });
        });
        here.await.expect("all are seated");
        Spectators { thread: thread.expect("a thread more"), lines, stop }
    }

    /// How many events they have been told.
    pub fn told(&self) -> usize {
        self.lines.load(Ordering::Relaxed) / 4
    }

    pub fn leave(self) {
        let _ = self.stop.send(());
        self.thread.join().expect("they only read");
    }
}

/// Counts a stream's events: each has four lines. The chunks that they come in have lines of their own, which end with
/// a carriage return. All streams share the buffer, so that reading costs little beyond the system's part.
async fn read_events(stream: TcpStream, lines: &AtomicUsize, buffer: &RefCell<Vec<u8>>) {
    while stream.readable().await.is_ok() {
        let mut buffer = buffer.borrow_mut();
        match stream.try_read(&mut buffer) {
            Ok(0) => return,
            Ok(read) => {
                let count = |byte| memchr_iter(byte, &buffer[..read]).count();
                lines.fetch_add(count(b'\n') - count(b'\r'), Ordering::Relaxed);
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
    }
}
