//! TLS for clients: the certificate and its key, read again when their files change.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

/// How often the files are checked. Certificates are renewed weeks before they expire.
const PERIOD: Duration = Duration::from_secs(2);

/// The certificate that new connections get now.
#[derive(Debug, Clone)]
pub struct Certificate(Arc<Files>);

#[derive(Debug)]
struct Files {
    certificates: PathBuf,
    key: PathBuf,
    current: RwLock<Arc<CertifiedKey>>,
}

/// Why there is no usable certificate.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("{}: {detail}; it has to be PEM that this user can read", .file.display())]
    File { file: PathBuf, detail: String },
    #[error("the key in {} is not the certificate's: {detail}", .key.display())]
    Mismatch { key: PathBuf, detail: String },
}

impl Certificate {
    /// `certificates`: a PEM file with the certificate first and its chain behind; `key`: a PEM file with its private
    /// key.
    ///
    /// # Errors
    /// [`TlsError`] where a file cannot be read, or the key does not belong to the certificate.
    pub fn open(certificates: &Path, key: &Path) -> Result<Certificate, TlsError> {
        let current = RwLock::new(Arc::new(read(certificates, key)?));
        let (certificates, key) = (certificates.to_owned(), key.to_owned());
        Ok(Certificate(Arc::new(Files { certificates, key, current })))
    }

    /// The TLS configuration of the server: TLS 1.2 or 1.3, HTTP/2 or 1.1.
    ///
    /// # Panics
    /// Where the library has no protocol version in common with itself.
    pub fn config(&self) -> ServerConfig {
        ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the provider knows TLS 1.2 and 1.3")
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(self.clone()))
    }

    /// Checks the files again and again, and uses their contents for new connections. While they cannot be read, the
    /// last certificate stays in use.
    pub async fn keep_fresh(self) {
        let mut seen = self.0.changed_at();
        loop {
            tokio::time::sleep(PERIOD).await;
            let now = self.0.changed_at();
            if now == seen {
                continue;
            }
            match read(&self.0.certificates, &self.0.key) {
                Ok(fresh) => {
                    *self.0.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(fresh);
                    seen = now;
                    tracing::info!("the TLS certificate was read again");
                }
                Err(error) => tracing::warn!(%error, "the TLS certificate was not read again"),
            }
        }
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.current.read().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

impl Files {
    fn changed_at(&self) -> [Option<SystemTime>; 2] {
        let changed_at = |file: &Path| std::fs::metadata(file).and_then(|file| file.modified()).ok();
        [changed_at(&self.certificates), changed_at(&self.key)]
    }
}

fn read(certificates: &Path, key: &Path) -> Result<CertifiedKey, TlsError> {
    let unreadable = |file: &Path, detail: String| TlsError::File { file: file.to_owned(), detail };
    let chain: Result<Vec<_>, _> =
        CertificateDer::pem_file_iter(certificates).and_then(|chain| chain.collect());
    let chain = chain.map_err(|error| unreadable(certificates, error.to_string()))?;
    if chain.is_empty() {
        return Err(unreadable(certificates, "there is no certificate in it".to_owned()));
    }
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, error.to_string()))?;
    CertifiedKey::from_der(chain, private, &aws_lc_rs::default_provider())
        .map_err(|error| TlsError::Mismatch { key: key.to_owned(), detail: error.to_string() })
}
