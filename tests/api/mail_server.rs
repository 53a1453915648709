//! A mail server of a test's own.

use std::sync::{Arc, Mutex};

use cardroom::config::Settings;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::eventually::eventually;

/// A mail as it came.
#[derive(Debug, Clone)]
pub struct Received {
    pub to: String,
    pub text: String,
}

/// A mail server that keeps what it is sent. The first mails may be refused for now.
pub struct MailServer {
    url: String,
    received: Arc<Mutex<Vec<Received>>>,
    _tasks: JoinSet<()>,
}

impl MailServer {
    pub async fn start(refused: usize) -> MailServer {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let received: Arc<Mutex<Vec<Received>>> = Arc::default();
        let (kept, left) = (received.clone(), Arc::new(Mutex::new(refused)));
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (kept, left) = (kept.clone(), left.clone());
                connections.spawn(async move { serve(stream, &kept, &left).await });
            }
        });
        MailServer { url, received, _tasks: tasks }
    }

    pub fn settings(&self, settings: &mut Settings) {
        settings.smtp_url = Some(self.url.clone());
        settings.mail_from = Some("Card room <cards@example.org>".parse().unwrap());
        settings.public_url = Some("https://cards.example.org".to_owned());
    }

    /// The mails that have come, as soon as there are so many.
    pub async fn first(&self, number: usize) -> Vec<Received> {
        let come = eventually(async || {
            let received = self.received.lock().unwrap().clone();
            (received.len() >= number).then_some(received)
        });
        come.await.expect("so many mails")
    }
}

/// As much of SMTP as a mail needs.
async fn serve(stream: TcpStream, kept: &Mutex<Vec<Received>>, left: &Mutex<usize>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 mail.example.org\r\n").await.ok()?;
    let (mut to, mut line) = (String::new(), String::new());
    loop {
        line.clear();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let answer = match line.get(..4)? {
            "EHLO" => "250 mail.example.org",
            "MAIL" => {
                let mut left = left.lock().unwrap();
                let is_refused = *left > 0;
                *left = left.saturating_sub(1);
                if is_refused { "451 later" } else { "250 ok" }
            }
            "RCPT" => {
                to = line.split_once('<')?.1.split_once('>')?.0.to_owned();
                "250 ok"
            }
            "DATA" => {
                stream.write_all(b"354 go on\r\n").await.ok()?;
                let mut text = String::new();
                while !text.ends_with("\r\n.\r\n") {
                    stream.read_line(&mut text).await.ok()?;
                }
                kept.lock().unwrap().push(Received { to: to.clone(), text: plain(&text) });
                "250 ok"
            }
            "QUIT" => "221 bye",
            _ => "250 ok",
        };
        stream.write_all(format!("{answer}\r\n").as_bytes()).await.ok()?;
    }
}

/// Quoted-printable text as it reads.
fn plain(text: &str) -> String {
    text.replace("=\r\n", "").replace("=3D", "=")
}

/// The code in the link of a mail.
pub fn code(mail: &Received) -> String {
    let after = mail.text.lines().find_map(|line| line.strip_prefix("https://")?.split_once('#')).unwrap().1;
    after.rsplit('=').next().unwrap().trim().to_owned()
}
