//! Those who watch the games, each on a connection of its own and all on one thread.

use std::cell::Cell;
use std::net::SocketAddr;
use std::thread::{Builder, JoinHandle};

use futures_util::future::join_all;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

pub struct Spectators {
    thread: JoinHandle<usize>,
    stop: oneshot::Sender<()>,
}

impl Spectators {
    /// So many, spread over these games. Comes back when all have their seats.
    pub async fn seat(address: SocketAddr, paths: &[String], count: usize) -> Spectators {
        let requests: Vec<Vec<u8>> = (0..count)
            .map(|n| {
                let path = &paths[n % paths.len()];
                format!("GET {path}/stream HTTP/1.1\r\nhost: localhost\r\n\r\n").into_bytes()
            })
            .collect();
        let ((stop, stopped), (seated, here)) = (oneshot::channel(), oneshot::channel());
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
                let told = Cell::new(0);
                let reading = join_all(streams.into_iter().map(|stream| read_events(stream, &told)));
                tokio::select! {
                    _ = stopped => {}
                    _ = reading => {}
                }
                told.get()
            })
        });
        here.await.expect("all are seated");
        Spectators { thread: thread.expect("a thread more"), stop }
    }

    /// How many events they were told.
    pub fn leave(self) -> usize {
        let _ = self.stop.send(());
        self.thread.join().expect("they only read")
    }
}

/// Counts a stream's events: each ends with an empty line, which stands nowhere else.
async fn read_events(mut stream: TcpStream, told: &Cell<usize>) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
        let ends = buffer[..read - 1].iter().zip(&buffer[1..read]);
        told.set(told.get() + ends.filter(|(one, next)| **one == b'\n' && **next == b'\n').count());
    }
}
