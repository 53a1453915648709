//! PostgreSQL elsewhere: over TLS, and on several hosts.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use cardroom::store::database::Database;
use cardroom::store::notifications::{Listener, Notification};
use cardroom::store::readiness::Readiness;
use diesel_async::SimpleAsyncConnection;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

use super::api::app::TestDatabase;
use super::api::proxy::Proxy;
use super::eventually::eventually;
use super::folder::Folder;

/// An authority that vouches for whom a test wants.
struct Authority(CertificateParams, KeyPair);

impl Authority {
    fn new() -> Authority {
        let mut params = named("the authority", Vec::new());
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Authority(params, KeyPair::generate().unwrap())
    }

    fn pem(&self) -> String {
        self.0.self_signed(&self.1).unwrap().pem()
    }

    /// A certificate for a name, and its key.
    fn vouch_for(&self, name: &str) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let issuer = Issuer::from_params(&self.0, &self.1);
        let certificate = named(name, vec![name.to_owned()]).signed_by(&key, &issuer).unwrap();
        (certificate.pem(), key.serialize_pem())
    }
}

fn named(name: &str, hosts: Vec<String>) -> CertificateParams {
    let mut params = CertificateParams::new(hosts).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

/// A PostgreSQL that listens on loopback. It ends with this value.
struct Postgres {
    cluster: PathBuf,
    process: Child,
    port: u16,
}

impl Postgres {
    /// A server on a cluster that is there, with certificates in it.
    async fn start(cluster: &Path, program: &str, settings: &[&str]) -> Postgres {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let owner = fs::metadata(cluster).unwrap();
        let listens = format!("port={port}");
        let common = [&listens[..], "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
        let tls = ["ssl=on", "ssl_ca_file=root.crt"];
        let mut command = Command::new(program);
        command.arg("-D").arg(cluster).current_dir(cluster);
        for setting in common.iter().chain(&tls).chain(settings) {
            command.args(["-c", *setting]);
        }
        if owner.uid() != 0 && fs::metadata("/proc/self").unwrap().uid() == 0 {
            command.uid(owner.uid()).gid(owner.gid());
        }
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let server = Postgres { cluster: cluster.to_owned(), process, port };
        let url = server.url("sslmode=require");
        let ready = eventually(async || reach(&url).await.ok());
        ready.await.expect("PostgreSQL takes connections");
        server
    }

    fn url(&self, parameters: &str) -> String {
        format!("postgres://cardroom@127.0.0.1:{}/postgres?{parameters}", self.port)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.cluster);
    }
}

/// A stopped cluster whose server has a certificate for 127.0.0.1, and asks for one where `template1` is wanted; and
/// the program that serves it.
fn cluster(folder: &Folder, authority: &Authority) -> (PathBuf, String) {
    folder.start().stop();
    let cluster = folder.cluster();
    let owner = fs::metadata(&cluster).unwrap();
    let (certificate, key) = authority.vouch_for("127.0.0.1");
    let access = "hostssl template1 all 127.0.0.1/32 trust clientcert=verify-ca\n\
                  hostssl all all 127.0.0.1/32 trust\n";
    for (name, text) in [
        ("server.crt", certificate.as_str()),
        ("server.key", key.as_str()),
        ("root.crt", authority.pem().as_str()),
        ("pg_hba.conf", access),
    ] {
        let file = cluster.join(name);
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        chown(&file, Some(owner.uid()), Some(owner.gid())).unwrap();
    }
    let command = fs::read_to_string(cluster.join("postmaster.opts")).unwrap();
    (cluster, command.split_whitespace().next().unwrap().to_owned())
}

async fn reach(url: &str) -> Result<(), String> {
    let database = Database::new(url, 1).map_err(|error| error.to_string())?;
    database.own_session().await.map(drop).map_err(|error| error.to_string())
}

async fn is_refused(url: &str, why: &str) {
    let refusal = reach(url).await.unwrap_err();
    assert!(refusal.contains(why), "{url}: {refusal}");
}

#[tokio::test]
async fn a_server_is_trusted_as_far_as_sslmode_says() {
    let (folder, certificates) = (Folder::new(), Folder::new());
    let (ours, others) = (Authority::new(), Authority::new());
    let (cluster, program) = cluster(&folder, &ours);
    let server = Postgres::start(&cluster, &program, &[]).await;
    fs::create_dir(certificates.data_dir()).unwrap();
    let file = |name: &str, text: &str| {
        let path = certificates.data_dir().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string().replace('/', "%2F")
    };
    let (ca, other_ca) = (file("ca.pem", &ours.pem()), file("other.pem", &others.pem()));

    for good in [
        "sslmode=prefer",
        "sslmode=require",
        &format!("sslmode=require&sslrootcert={ca}"),
        &format!("sslmode=verify-ca&sslrootcert={ca}"),
        &format!("sslmode=verify-full&sslrootcert={ca}"),
    ] {
        reach(&server.url(good)).await.unwrap_or_else(|error| panic!("{good}: {error}"));
    }
    // Its certificate is for 127.0.0.1 and nobody else.
    let elsewhere = |parameters: &str| server.url(parameters).replace("@127.0.0.1", "@localhost");
    reach(&elsewhere(&format!("sslmode=verify-ca&sslrootcert={ca}"))).await.unwrap();
    is_refused(&elsewhere(&format!("sslmode=verify-full&sslrootcert={ca}")), "not valid for name").await;
    for mode in ["require", "verify-ca", "verify-full"] {
        let wrong = format!("sslmode={mode}&sslrootcert={other_ca}");
        is_refused(&server.url(&wrong), "invalid peer certificate").await;
    }
    // This server takes nobody without TLS.
    is_refused(&server.url("sslmode=disable"), "no pg_hba.conf entry").await;

    let certified = |parameters: &str| {
        let all = format!("sslmode=verify-full&sslrootcert={ca}{parameters}");
        server.url(&all).replace("/postgres?", "/template1?")
    };
    let (certificate, key) = ours.vouch_for("cardroom");
    let (certificate, key) = (file("client.pem", &certificate), file("client.key", &key));
    reach(&certified(&format!("&sslcert={certificate}&sslkey={key}"))).await.unwrap();
    is_refused(&certified(""), "client certificate").await;
}

#[tokio::test]
async fn a_server_without_tls_is_refused_where_tls_is_required() {
    let database = TestDatabase::create().await;
    let url = Proxy::to(&database).await.url(&database);
    reach(&url).await.unwrap();
    reach(&url.replace("disable", "prefer")).await.unwrap();
    is_refused(&url.replace("disable", "require"), "server does not support TLS").await;
}

#[tokio::test]
async fn a_program_that_waits_for_its_database_stops_when_it_is_told_to() {
    // It accepts connections, and never answers.
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("postgres://cardroom@{}/postgres", silent.local_addr().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    let mut program = command.args(["--listen=127.0.0.1:0", "--database-url", &url]).spawn().unwrap();
    let asked = tokio::task::spawn_blocking(move || silent.accept()).await.unwrap();
    let told = Command::new("kill").arg(program.id().to_string()).status().unwrap();
    assert!(asked.is_ok() && told.success());
    let ended = tokio::task::spawn_blocking(move || program.wait()).await.unwrap().unwrap();
    assert!(ended.success(), "{ended}");
}

#[tokio::test]
async fn a_host_that_is_away_or_takes_no_writes_is_passed_over() {
    let folder = Folder::new();
    let (first, program) = cluster(&folder, &Authority::new());
    let second = first.with_extension("second");
    let copied = Command::new("cp").arg("-a").args([&first, &second]).status().unwrap();
    assert!(copied.success());
    let reads = Postgres::start(&first, &program, &["default_transaction_read_only=on"]).await;
    let writes = Postgres::start(&second, &program, &[]).await;
    // Bound, and nobody listens.
    let closed = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let away = closed.local_addr().unwrap().port();
    drop(closed);
    let hosts = |ports: &[u16]| {
        let hosts: Vec<String> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
        format!("postgres://cardroom@{}/postgres?sslmode=require", hosts.join(","))
    };
    for parameter in ["", "&target_session_attrs=read-write"] {
        let url = hosts(&[away, reads.port, writes.port]) + parameter;
        let database = Database::new(&url, 1).unwrap();
        database.migrate().await.unwrap();
        // Each way to the database: the pool, the sessions of appends and of long work, and notifications.
        let write = "CREATE TEMPORARY TABLE written ()";
        database.connection().await.unwrap().batch_execute(write).await.unwrap();
        database.own_session().await.unwrap().batch_execute(write).await.unwrap();
        database.patient_session().await.unwrap().batch_execute(write).await.unwrap();
        let mut listener = Listener::open(&database).await.unwrap();
        listener.notify(&[Notification::Lobby]).await.unwrap();
        assert_eq!(listener.heard().await.unwrap(), [Notification::Lobby]);
        Readiness::new(database).check().await.unwrap();
    }
    let none = hosts(&[away, reads.port]);
    is_refused(&none, "does not allow writes").await;
    let only = hosts(&[reads.port]) + "&target_session_attrs=read-write";
    is_refused(&only, "does not allow writes").await;
}
