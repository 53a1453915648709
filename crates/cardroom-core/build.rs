//! Gives the program a word for the rules that it was built with (`CARDROOM_RULES`): a digest of all that decides what
//! a log leads to, and of what that is built from. Snapshots go by it. Reviews go by `CARDROOM_REVIEWS`, which also counts
//! what decides how a game is reviewed.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const RULES: [&str; 4] = ["src/rules", "src/log", "src/table", "../../Cargo.lock"];
const REVIEWS: [&str; 2] = ["src/search", "src/review"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut digest = Digest(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
    digest.add_sources(&RULES)?;
    println!("cargo::rustc-env=CARDROOM_RULES={:032x}", digest.0);
    digest.add_sources(&REVIEWS)?;
    println!("cargo::rustc-env=CARDROOM_REVIEWS={:032x}", digest.0);
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
    fn add_sources(&mut self, sources: &[&str]) -> io::Result<()> {
        for source in sources {
            println!("cargo::rerun-if-changed={source}");
            for file in files(Path::new(source))? {
                self.add(file.to_string_lossy().as_bytes());
                self.add(&fs::read(&file)?);
            }
        }
        Ok(())
    }

    /// What comes next, and how long it is: so that two files are not one.
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&bytes.len().to_le_bytes()) {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
    }
}
