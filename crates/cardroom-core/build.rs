//! Gives the program a word for the rules that it was built with (`CARDROOM_RULES`): a digest of all that decides what
//! a log leads to, and of what that is built from. Snapshots go by it.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const SOURCES: [&str; 4] = ["src/rules", "src/log", "src/table", "../../Cargo.lock"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut digest = Digest(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        for file in files(Path::new(source))? {
            digest.add(file.to_string_lossy().as_bytes());
            digest.add(&fs::read(&file)?);
        }
    }
    println!("cargo::rustc-env=CARDROOM_RULES={:032x}", digest.0);
    Ok(())
}

/// All files that are there, in an order that is the same everywhere.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let entries: io::Result<Vec<_>> = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect();
    let mut entries = entries?;
    entries.sort();
    let nested: io::Result<Vec<_>> = entries.iter().map(|entry| files(entry)).collect();
    Ok(nested?.concat())
}

/// FNV-1a of 128 bits: two builds are not taken for the same by accident, and nobody else is to be kept out by it.
struct Digest(u128);

impl Digest {
    /// What comes next, and how long it is: so that two files are not one.
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&bytes.len().to_le_bytes()) {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
    }
}
