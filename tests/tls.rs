//! TLS for clients, with certificates of the test's own making.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use super::api::app::TestDatabase;
use super::audits::Folder;
use super::kill::launch;
use crate::eventually::eventually;

type Connection = StreamOwned<ClientConnection, TcpStream>;

/// Kinds of frames, RFC 9113, 6.
const DATA: u8 = 0x0;
const HEADERS: u8 = 0x1;
const PING: u8 = 0x6;

/// The client's settings: no answer may send data before its client says so.
const NO_DATA: [u8; 6] = [0, 0x4, 0, 0, 0, 0];

/// A certificate for this machine that signs itself, and its key, as PEM.
fn certificate() -> (String, String) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    (made.cert.pem(), made.signing_key.serialize_pem())
}

/// A connection on which the service has shown this certificate.
fn connect(base: &str, certificate: &str, protocol: &str) -> std::io::Result<Connection> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let name = ServerName::try_from("localhost").unwrap();
    let tls = ClientConnection::new(Arc::new(config), name).unwrap();
    let socket = TcpStream::connect(base.strip_prefix("https://").unwrap())?;
    socket.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut connection = StreamOwned::new(tls, socket);
    connection.flush()?;
    Ok(connection)
}

/// A GET on a stream of HTTP/2: HEADERS whose fields are literals or stand in HPACK's static table.
fn get(stream: u32, path: &str) -> Vec<u8> {
    let literal = |index: u8, value: &str| [&[index, value.len() as u8], value.as_bytes()].concat();
    // `:method: GET`, `:scheme: https`, `:path`, `:authority`.
    let fields = [vec![0x82, 0x87], literal(0x04, path), literal(0x01, "localhost")].concat();
    let (end_stream, end_headers) = (0x1, 0x4);
    frame(HEADERS, end_stream | end_headers, stream, &fields)
}

/// Whether these are the fields of an answer with the status 200. It is in HPACK's static table, behind a change of the
/// dynamic table's size at the most.
fn is_ok(fields: &[u8]) -> bool {
    fields.iter().take(4).any(|byte| *byte == 0x88)
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// The next frame: its kind, its flags, its stream and its payload.
fn next_frame(connection: &mut Connection) -> std::io::Result<(u8, u8, u32, Vec<u8>)> {
    let mut head = [0; 9];
    connection.read_exact(&mut head)?;
    let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
    connection.read_exact(&mut payload)?;
    Ok((head[3], head[4], u32::from_be_bytes(head[5..].try_into().unwrap()), payload))
}

/// A connection of HTTP/2; `settings`: what its client asks for.
fn connect_http2(base: &str, certificate: &str, settings: &[u8]) -> Connection {
    let mut connection = connect(base, certificate, "h2").unwrap();
    connection.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").unwrap();
    connection.write_all(&frame(0x4, 0, 0, settings)).unwrap();
    connection
}

/// The program on a database of its own, with a certificate in `folder`.
async fn serve(folder: &Folder, database: &TestDatabase, flags: &[&str]) -> (Child, String, String) {
    let (shown, key) = certificate();
    let files = (folder.write("cert.pem", &shown), folder.write("key.pem", &key));
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    command.args(["--listen=127.0.0.1:0", "--log=error", "--workers=1", "--database-url", &database.url]);
    command.args(["--tls-cert", &files.0, "--tls-key", &files.1]).args(flags);
    let (program, base) = launch(command).await;
    (program, base, shown)
}

#[tokio::test]
async fn clients_may_speak_tls_and_hold_ten_streams_on_one_connection() {
    let (folder, database) = (Folder::new("tls"), TestDatabase::create().await);
    let (mut program, base, shown) = serve(&folder, &database, &[]).await;

    let mut plain = connect(&base, &shown, "http/1.1").unwrap();
    plain.write_all(b"GET /docs/problems HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    let _ = plain.read_to_string(&mut answer);
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(answer.to_lowercase().contains("strict-transport-security: max-age="), "{answer}");

    let mut many = connect_http2(&base, &shown, &[]);
    for stream in 0..10 {
        many.write_all(&get(2 * stream + 1, "/v1/games/stream")).unwrap();
    }
    let mut opened = std::collections::BTreeSet::new();
    while opened.len() < 10 {
        let (kind, _, stream, payload) = next_frame(&mut many).unwrap();
        if kind == HEADERS {
            assert!(is_ok(&payload), "stream {stream}: {payload:?}");
            opened.insert(stream);
        }
    }
    assert_eq!(many.conn.alpn_protocol(), Some(&b"h2"[..]));

    let (renewed, key) = certificate();
    assert!(connect(&base, &renewed, "h2").is_err_and(|error| error.to_string().contains("certificate")));
    folder.write("cert.pem", &renewed);
    folder.write("key.pem", &key);
    let fresh = eventually(async || connect(&base, &renewed, "h2").ok()).await;
    assert!(fresh.is_some(), "the files are read again when they change");
    program.kill().unwrap();
    program.wait().unwrap();
}

#[tokio::test]
async fn a_client_that_reads_no_answer_over_http2_is_disconnected() {
    let (folder, database) = (Folder::new("tls-unread"), TestDatabase::create().await);
    let flags = ["--unread-seconds=1", "--keep-alive-seconds=3600"];
    let (mut program, base, shown) = serve(&folder, &database, &flags).await;
    let mut connection = connect_http2(&base, &shown, &NO_DATA);
    connection.write_all(&get(1, "/v1/kinds")).unwrap();
    let mut is_answered = false;
    let error = loop {
        match next_frame(&mut connection) {
            Ok((kind, flags, _, payload)) => {
                is_answered |= kind == HEADERS && is_ok(&payload);
                if kind == PING && flags == 0 {
                    connection.write_all(&frame(PING, 0x1, 0, &payload)).unwrap();
                }
            }
            Err(error) => break error,
        }
    };
    assert!(is_answered, "{error}");
    assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof, "the client is disconnected: {error}");
    program.kill().unwrap();
    program.wait().unwrap();
}

#[tokio::test]
async fn a_connection_of_http2_has_a_bounded_number_of_requests_open() {
    let (folder, database) = (Folder::new("tls-requests"), TestDatabase::create().await);
    let flags = ["--unread-seconds=3600", "--rate-limit=100000"];
    let (mut program, base, shown) = serve(&folder, &database, &flags).await;
    let mut connection = connect_http2(&base, &shown, &NO_DATA);
    let mut served = 0;
    let mut refused = 0;
    for request in 0..512 {
        connection.write_all(&get(2 * request + 1, "/v1/kinds")).unwrap();
    }
    while served + refused < 512 {
        let (kind, _, _, payload) = next_frame(&mut connection).unwrap();
        if kind == HEADERS {
            *(if is_ok(&payload) { &mut served } else { &mut refused }) += 1;
        }
    }
    assert_eq!((served, refused), (256, 256));
    connection.write_all(&get(2 * 512 + 1, "/v1/kinds")).unwrap();
    let error = std::iter::repeat_with(|| next_frame(&mut connection)).find_map(Result::err).unwrap();
    assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof, "the client is disconnected: {error}");
    program.kill().unwrap();
    program.wait().unwrap();
}

#[tokio::test]
async fn answers_that_nobody_reads_are_not_buffered_without_a_bound() {
    let (folder, database) = (Folder::new("tls-buffered"), TestDatabase::create().await);
    let flags = ["--unread-seconds=3600", "--rate-limit=100000"];
    let (mut program, base, shown) = serve(&folder, &database, &flags).await;
    let widest = 0x7fff_ffff_u32;
    // Each answer may send as much as it has, and so may all together; the system buffers some hundred KiB.
    let mut connection = connect_http2(&base, &shown, &[&[0, 0x4][..], &widest.to_be_bytes()].concat());
    connection.write_all(&frame(0x8, 0, 0, &(widest - 65_535).to_be_bytes())).unwrap();
    for request in 0..600 {
        // The service may have closed the connection.
        let _ = connection.write_all(&get(2 * request + 1, "/v1/kinds"));
    }
    let (mut served, mut bytes) = (0, 0);
    while served < 600
        && let Ok((kind, _, _, payload)) = next_frame(&mut connection)
    {
        match kind {
            HEADERS if is_ok(&payload) => served += 1,
            DATA => bytes += payload.len(),
            _ => {}
        }
    }
    // 256 were open when the client began to read. Those before them are what the service buffers, which is 1 MiB, and
    // the system, which is 4 MiB on the way out and fewer on the way in.
    let room = 9 * 1024 * 1024 / (bytes / served).max(1);
    assert!(
        served <= 256 + room,
        "{served} answers were made for a client that read none, with room for {room}"
    );
    program.kill().unwrap();
    program.wait().unwrap();
}

#[test]
fn a_certificate_without_its_key_is_refused_at_the_start() {
    let folder = Folder::new("tls-refused");
    let ((shown, _), (_, other_key)) = (certificate(), certificate());
    let cert = folder.write("cert.pem", &shown);
    let (wrong, nothing) = (folder.write("wrong.pem", &other_key), folder.write("nothing.pem", "nothing"));
    for (cert, key, told) in [
        (&cert, &wrong, "is not the certificate's"),
        (&cert, &nothing, "nothing.pem"),
        (&nothing, &wrong, "nothing.pem"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
        let output =
            command.args(["--tls-cert", cert, "--tls-key", key, "--listen=127.0.0.1:0"]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(told), "{error}");
    }
}

#[test]
fn the_program_may_open_as_many_files_as_the_system_lets_it() {
    // It is refused for its certificate, after it has raised the limit that it tells of.
    let script = "ulimit -Sn 64; exec \"$0\" --listen=127.0.0.1:0 --data-dir \"$1\" & \
                  sleep 0; pid=$!; until grep -q 'Max open files' /proc/$pid/limits; do :; done; \
                  for _ in $(seq 3000); do read -r _ _ _ soft hard _ < <(grep 'Max open files' /proc/$pid/limits); \
                  [ \"$soft\" = \"$hard\" ] && break; sleep 0.01; done; kill $pid; wait $pid; echo \"$soft $hard\"";
    let folder = Folder::new("descriptors");
    let data = folder.write("unused", "");
    let data = std::path::Path::new(&data).with_file_name("data");
    let output =
        Command::new("bash").args(["-c", script, env!("CARGO_BIN_EXE_cardroom")]).arg(data).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let (soft, hard) = told.lines().last().and_then(|line| line.split_once(' ')).unwrap();
    assert_eq!(soft, hard, "{told}");
    assert_ne!(soft, "64", "{told}");
}
