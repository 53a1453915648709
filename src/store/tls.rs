//! TLS to PostgreSQL: `sslmode`, `sslrootcert`, `sslcert` and `sslkey` of the URL, with libpq's meaning.

use std::sync::Arc;

use percent_encoding::percent_decode_str;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::store::error::StoreError;

/// The value for the certificates that the operating system trusts.
const SYSTEM: &str = "system";

/// The TLS settings of a URL.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    mode: Option<String>,
    root: Option<String>,
    certificate: Option<String>,
    key: Option<String>,
}

/// How far the server's certificate is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    /// Not at all: this keeps out eavesdroppers, but not a man in the middle.
    Nothing,
    /// An authority from `sslrootcert` must have signed it.
    Authority,
    /// The same, and it must be for the host that the URL names.
    AuthorityAndName,
}

/// Removes the TLS settings from a URL, because the driver knows only some of them.
pub(super) fn split(url: &str) -> Result<(String, Wanted), StoreError> {
    let mut wanted = Wanted::default();
    let Some((place, query)) = url.split_once('?') else { return Ok((url.to_owned(), wanted)) };
    let mut others = Vec::new();
    for parameter in query.split('&') {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let field = match name {
            "sslmode" => &mut wanted.mode,
            "sslrootcert" => &mut wanted.root,
            "sslcert" => &mut wanted.certificate,
            "sslkey" => &mut wanted.key,
            _ => {
                others.push(parameter);
                continue;
            }
        };
        let value = percent_decode_str(value).decode_utf8();
        *field = Some(value.map_err(|_| StoreError::Url(format!("{name} is not UTF-8")))?.into_owned());
    }
    Ok((format!("{place}?{}", others.join("&")), wanted))
}

impl Wanted {
    /// The mode for the driver, and the TLS connector.
    pub fn connector(&self) -> Result<(SslMode, MakeRustlsConnect), StoreError> {
        let (mode, check) = self.mode()?;
        let provider = Arc::new(aws_lc_rs::default_provider());
        let verifier = self.verifier(check, provider.clone())?;
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| StoreError::Url(error.to_string()))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        let mut config = match (&self.certificate, &self.key) {
            (Some(certificate), Some(key)) => config
                .with_client_auth_cert(
                    certificates("sslcert", certificate)?,
                    PrivateKeyDer::from_pem_file(key).map_err(|error| unusable("sslkey", key, &error))?,
                )
                .map_err(|error| unusable("sslcert", certificate, &error))?,
            (None, None) => config.with_no_client_auth(),
            _ => return Err(StoreError::Url("sslcert and sslkey go together".to_owned())),
        };
        config.alpn_protocols = vec![b"postgresql".to_vec()];
        Ok((mode, MakeRustlsConnect::new(config)))
    }

    fn mode(&self) -> Result<(SslMode, Check), StoreError> {
        let is_system = self.root.as_deref() == Some(SYSTEM);
        let unsaid = if is_system { "verify-full" } else { "prefer" };
        let mode = self.mode.as_deref().unwrap_or(unsaid);
        let chosen = match (mode, &self.root) {
            ("disable", _) => (SslMode::Disable, Check::Nothing),
            ("prefer", _) => (SslMode::Prefer, Check::Nothing),
            ("require", None) => (SslMode::Require, Check::Nothing),
            ("require" | "verify-ca", Some(_)) => (SslMode::Require, Check::Authority),
            ("verify-full", Some(_)) => (SslMode::Require, Check::AuthorityAndName),
            ("verify-ca" | "verify-full", None) => {
                let needed = "needs sslrootcert: a file with certificates of authorities, or system";
                return Err(StoreError::Url(format!("sslmode={mode} {needed}")));
            }
            _ => {
                let known = "it is disable, prefer, require, verify-ca or verify-full";
                return Err(StoreError::Url(format!("sslmode={mode}: {known}")));
            }
        };
        if is_system && chosen.1 != Check::AuthorityAndName {
            // Anybody can get a certificate from a public authority for a name of their own.
            return Err(StoreError::Url(format!(
                "sslrootcert=system goes with verify-full, not with {mode}"
            )));
        }
        Ok(chosen)
    }

    fn verifier(&self, check: Check, provider: Arc<CryptoProvider>) -> Result<Verifier, StoreError> {
        let authorities = match (&self.root, check) {
            (Some(root), Check::Authority | Check::AuthorityAndName) => {
                let roots = Arc::new(authorities(root)?);
                let verifier = WebPkiServerVerifier::builder_with_provider(roots, provider.clone()).build();
                Some(verifier.map_err(|error| unusable("sslrootcert", root, &error))?)
            }
            _ => None,
        };
        Ok(Verifier { authorities, check, provider })
    }
}

fn authorities(root: &str) -> Result<RootCertStore, StoreError> {
    let mut store = RootCertStore::empty();
    if root == SYSTEM {
        store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    } else {
        for certificate in certificates("sslrootcert", root)? {
            store.add(certificate).map_err(|error| unusable("sslrootcert", root, &error))?;
        }
    }
    if store.is_empty() {
        return Err(StoreError::Url(format!("sslrootcert={root}: there is no certificate in it")));
    }
    Ok(store)
}

fn certificates(parameter: &str, file: &str) -> Result<Vec<CertificateDer<'static>>, StoreError> {
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    read.map_err(|error| unusable(parameter, file, &error))
}

fn unusable(parameter: &str, file: &str, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Url(format!("{parameter}={file}: {error}"))
}

/// rustls always verifies the name, too; libpq's weaker modes do not.
#[derive(Debug)]
struct Verifier {
    authorities: Option<Arc<WebPkiServerVerifier>>,
    check: Check,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(authorities) = &self.authorities else { return Ok(ServerCertVerified::assertion()) };
        // rustls checks the name after everything else.
        match authorities.verify_server_cert(certificate, intermediates, name, ocsp_response, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.check == Check::Authority => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_url_says_of_tls_is_taken_out_of_it() {
        let url = "postgres://u@h/d?sslmode=verify-ca&application_name=a&sslrootcert=%2Fca%20s.pem";
        let (rest, wanted) = split(url).unwrap();
        assert_eq!(rest, "postgres://u@h/d?application_name=a");
        let said = (wanted.mode.as_deref(), wanted.root.as_deref());
        assert_eq!(said, (Some("verify-ca"), Some("/ca s.pem")));
        assert_eq!(split("postgres://u@h/d").unwrap(), ("postgres://u@h/d".to_owned(), Wanted::default()));
    }

    #[test]
    fn modes_check_as_much_as_libpq_s_do() {
        let mode = |mode: Option<&str>, root: Option<&str>| {
            let wanted =
                Wanted { mode: mode.map(str::to_owned), root: root.map(str::to_owned), ..Wanted::default() };
            wanted.mode().ok()
        };
        let (ca, system) = (Some("ca.pem"), Some(SYSTEM));
        assert_eq!(mode(None, None), Some((SslMode::Prefer, Check::Nothing)));
        assert_eq!(mode(None, system), Some((SslMode::Require, Check::AuthorityAndName)));
        assert_eq!(mode(Some("require"), None), Some((SslMode::Require, Check::Nothing)));
        assert_eq!(mode(Some("require"), ca), Some((SslMode::Require, Check::Authority)));
        assert_eq!(mode(Some("verify-full"), ca), Some((SslMode::Require, Check::AuthorityAndName)));
        for (weak, root) in [("verify-ca", None), ("verify-full", None), ("require", system), ("allow", None)]
        {
            assert_eq!(mode(Some(weak), root), None, "{weak} {root:?}");
        }
    }
}
