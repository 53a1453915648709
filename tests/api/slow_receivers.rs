//! Receivers of webhooks that do not answer.

use std::time::Duration;

use cardroom::webhooks::message::Message;
use cardroom::webhooks::push::HouseKey;
use cardroom::webhooks::sender::{Envelope, Letter, Sender};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use jiff::Timestamp;
use tokio::net::TcpListener;
use tokio::time::timeout;
use uuid::Uuid;

use super::receiver::Receiver;

/// As many as a replica has under way at once.
const SLOW: usize = 256;
/// Until then, all of them have begun that can, and none has been given up.
const A_WHILE: Duration = Duration::from_secs(2);

#[tokio::test]
async fn a_receiver_that_does_not_answer_holds_up_no_other() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent = (format!("http://{}/cardroom", silent.local_addr().unwrap()), silent);
    let quick = Receiver::start().await;
    // The same machine under another name.
    let quick_url = quick.url.replace("127.0.0.1", "localhost");
    let key = HouseKey::new(&[1; 32], None).unwrap();
    let sender = Sender::new(&["127.0.0.0/8".parse().unwrap()], 100_000, key);
    let message = Message::test(Uuid::nil(), Timestamp::UNIX_EPOCH);
    let letter = Letter { envelope: Envelope::Signed(&[]), message: &message, at: Timestamp::UNIX_EPOCH };
    let send = async |url: &str| sender.turn(url).await.send(&letter).await;
    let mut slow: FuturesUnordered<_> = (0..SLOW).map(|_| send(&silent.0)).collect();
    assert!(timeout(A_WHILE, slow.next()).await.is_err());
    tokio::select! {
        given_up = slow.next() => panic!("it was sent after {given_up:?} alone"),
        attempt = send(&quick_url) => assert_eq!(attempt.response_status, Some(204)),
    }
    assert_eq!(quick.received().len(), 1);
}
