//! A data folder of a test's own. The server's tests use it, too.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use local_postgres::{Durability, Server, Settings};

/// A folder of a test's own, gone with it.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("cardroom-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).unwrap();
        Folder(folder)
    }

    pub fn data_dir(&self) -> PathBuf {
        self.0.join("data")
    }

    pub fn cluster(&self) -> PathBuf {
        self.data_dir().join("postgres")
    }

    pub fn settings(&self) -> Settings {
        let path = "/usr/local/bin:/usr/bin:/bin".into();
        Settings { data_dir: self.data_dir(), durability: Durability::None, path }
    }

    pub fn start(&self) -> Server {
        Server::start(&self.settings()).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
