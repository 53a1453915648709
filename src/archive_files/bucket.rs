//! Archives in an S3 bucket, of Amazon or of another store.

use std::fmt;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path;
use object_store::{ClientConfigKey, Error, ObjectStoreExt, WriteMultipart};
use url::Url;

/// How long a request may take. The longest carry [`PART`], or join all parts.
const TIMEOUT: &str = "120s";
/// How many bytes of a file are sent at once. A file has at most 10,000 parts, so it may have 160 GiB.
const PART: usize = 16 * 1024 * 1024;
/// How many parts are on their way at once.
const AT_ONCE: usize = 2;

/// A folder in a bucket.
#[derive(Clone)]
pub struct Bucket {
    client: Arc<AmazonS3>,
    folder: Path,
    address: String,
}

impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bucket").field(&self.address).finish()
    }
}

impl Bucket {
    /// Opens `s3://bucket/folder`. Credentials, region and endpoint come from variables like `AWS_ACCESS_KEY_ID` and
    /// `AWS_ENDPOINT_URL`, or from the machine's role.
    ///
    /// # Errors
    /// Says what is wrong with the address or with these variables.
    pub fn open(address: &str) -> Result<Bucket, String> {
        let url = Url::parse(address).map_err(|error| format!("{address}: {error}"))?;
        let name = url.host_str().filter(|_| {
            url.port().is_none()
                && url.username().is_empty()
                && url.query().is_none()
                && url.fragment().is_none()
        });
        let name = name.ok_or_else(|| format!("{address}: an address looks like s3://bucket/folder"))?;
        let folder = Path::from_url_path(url.path()).map_err(|error| format!("{address}: {error}"))?;
        let client = AmazonS3Builder::from_env()
            .with_bucket_name(name)
            .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), TIMEOUT)
            .build()
            .map_err(|error| format!("{address}: {error}"))?;
        Ok(Bucket { client: Arc::new(client), address: format!("s3://{name}/{folder}"), folder })
    }

    pub(super) fn address(&self, file: &str) -> String {
        format!("{}/{file}", self.address.trim_end_matches('/'))
    }

    pub(super) async fn length(&self, file: &str) -> io::Result<Option<u64>> {
        match self.client.head(&self.path(file)).await {
            Ok(found) => Ok(Some(found.size)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) async fn read(&self, file: &str, from: u64, length: u64) -> io::Result<Bytes> {
        self.client.get_range(&self.path(file), from..from + length).await.map_err(io::Error::from)
    }

    pub(super) async fn upload(&self, file: &str) -> io::Result<Upload> {
        let begun = self.client.put_multipart(&self.path(file)).await?;
        Ok(Upload(WriteMultipart::new_with_chunk_size(begun, PART)))
    }

    fn path(&self, file: &str) -> Path {
        self.folder.clone().join(file)
    }
}

/// A file that is sent in parts.
pub(super) struct Upload(WriteMultipart);

impl Upload {
    pub(super) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.wait_for_capacity(AT_ONCE).await?;
        self.0.write(bytes);
        Ok(())
    }

    pub(super) async fn finish(self) -> io::Result<()> {
        self.0.finish().await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_bucket_and_a_folder_in_it() {
        for (address, told) in [
            ("s3://games", "s3://games/a.gz"),
            ("s3://games/", "s3://games/a.gz"),
            ("s3://games/old/logs/", "s3://games/old/logs/a.gz"),
        ] {
            assert_eq!(Bucket::open(address).unwrap().address("a.gz"), told);
        }
        for address in
            ["s3://", "s3:///old", "s3://games:80/old", "s3://key:secret@games", "s3://games?region=x"]
        {
            assert!(Bucket::open(address).is_err(), "{address}");
        }
    }
}
