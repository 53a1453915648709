//! The files of `web/`, as the program holds them.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// How many bytes of the digest stand in the files' addresses.
const DIGEST_BYTES: usize = 9;

/// A file that browsers load.
#[derive(Debug)]
pub struct File {
    /// Its path in `web/`.
    pub name: &'static str,
    pub content: &'static [u8],
    /// The same, gzipped.
    pub compressed: &'static [u8],
}

/// All of them, by name.
pub static FILES: &[File] = &include!(concat!(env!("OUT_DIR"), "/web.rs"));

/// One digest over all files. It stands in their addresses, so that a file's imports lead to files of the same program.
pub static DIGEST: LazyLock<String> = LazyLock::new(|| {
    let mut digest = Sha256::new();
    for file in FILES {
        digest.update(file.name);
        digest.update([0]);
        digest.update(Sha256::digest(file.content));
    }
    URL_SAFE_NO_PAD.encode(&digest.finalize()[..DIGEST_BYTES])
});

impl File {
    pub fn of(name: &str) -> Option<&'static File> {
        FILES.binary_search_by_key(&name, |file| file.name).ok().map(|at| &FILES[at])
    }

    /// Whether it does nothing by itself: a style sheet or a module. Workers and pictures can be opened alone, and have a
    /// policy of their own.
    pub fn is_loaded_by_a_page(&self) -> bool {
        let is_worker = self.name.ends_with("worker.js");
        self.name.ends_with(".css") || (self.name.ends_with(".js") && !is_worker)
    }

    pub fn media_type(&self) -> &'static str {
        match self.name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "css" => "text/css; charset=utf-8",
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "svg" => "image/svg+xml",
            "wasm" => "application/wasm",
            other => unreachable!("build.rs embeds no .{other}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_found_by_its_name_and_has_a_media_type() {
        for file in FILES {
            assert_eq!(File::of(file.name).unwrap().content, file.content);
            assert!(!file.media_type().is_empty());
        }
        assert!(File::of("none.js").is_none());
    }
}
