//! A line between a browser and the card room that can be cut.

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::api::app::runtime;

pub struct Line {
    /// The card room, through this line.
    pub base: String,
    is_whole: watch::Sender<bool>,
}

impl Line {
    pub async fn to(base: &str) -> Line {
        let is_whole = watch::Sender::new(true);
        let address = base.strip_prefix("http://").unwrap().to_owned();
        let state = is_whole.subscribe();
        let listening = runtime().spawn(async move {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let port = listener.local_addr().unwrap().port();
            tokio::spawn(async move {
                while let Ok((client, _)) = listener.accept().await {
                    tokio::spawn(carry(client, address.clone(), state.clone()));
                }
            });
            port
        });
        Line { base: format!("http://127.0.0.1:{}", listening.await.unwrap()), is_whole }
    }

    /// Ends all connections, and takes no new ones until [`Line::mend`].
    pub fn cut(&self) {
        self.is_whole.send_replace(false);
    }

    pub fn mend(&self) {
        self.is_whole.send_replace(true);
    }
}

async fn carry(mut client: TcpStream, address: String, mut state: watch::Receiver<bool>) {
    if !*state.borrow_and_update() {
        return;
    }
    let mut server = TcpStream::connect(address).await.unwrap();
    tokio::select! {
        _ = copy_bidirectional(&mut client, &mut server) => {}
        // A line that was mended meanwhile was cut before.
        _ = state.changed() => {}
    }
}
