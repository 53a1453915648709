//! Where bundles and keys come from: a file, standard input, or a URL.

use std::io::Read;
use std::sync::Arc;

use crate::config::Source;

/// Why a command failed, in a sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub(super) String);

/// The longest answer that is read from a server.
const LONGEST: u64 = 8 * 1024 * 1024 * 1024;

impl Source {
    /// Reads the whole text.
    pub(super) fn read(&self) -> Result<String, Failure> {
        read(&self.bundle, self.token.as_deref())
    }
}

/// The bundles in a text: a single bundle in any layout, or one on each line.
pub(super) fn bundles(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let is_export = lines.iter().all(|line| line.starts_with('{') && line.ends_with('}'));
    if is_export { lines } else { vec![text] }
}

/// Reads the text from a file, standard input or a URL. `token` is sent to a URL.
pub(super) fn read(place: &str, token: Option<&str>) -> Result<String, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure(format!("{place}: {error}"));
    if place == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(|error| failed(&error))?;
        return Ok(text);
    }
    if place.starts_with("http://") || place.starts_with("https://") {
        return fetch(place, token).map_err(|error| failed(&error));
    }
    std::fs::read_to_string(place).map_err(|error| failed(&error))
}

fn fetch(url: &str, token: Option<&str>) -> Result<String, ureq::Error> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let tls = ureq::tls::TlsConfig::builder().unversioned_rustls_crypto_provider(provider).build();
    let agent = ureq::Agent::new_with_config(ureq::Agent::config_builder().tls_config(tls).build());
    let mut request = agent.get(url);
    if let Some(token) = token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    request.call()?.body_mut().with_config().limit(LONGEST).read_to_string()
}
