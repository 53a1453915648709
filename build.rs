//! Makes a list of the files in `web/`, each with its compressed form, which `src/http/page/files.rs` embeds.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

/// What browsers load. Types and settings of tools stand beside it.
const EMBEDDED: [&str; 5] = ["css", "html", "js", "svg", "wasm"];

#[expect(clippy::disallowed_methods, reason = "Cargo tells build scripts in the environment where to write")]
fn main() {
    println!("cargo::rerun-if-changed=web");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("Cargo names the folder"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    let mut files = Vec::new();
    collect(&root, &mut files);
    let mut files: Vec<(String, PathBuf)> =
        files.into_iter().map(|path| (name(&root, &path), path)).collect();
    // By their names, not as paths, which compare part by part.
    files.sort();
    let mut list = String::from("[\n");
    for (number, (name, path)) in files.iter().enumerate() {
        let compressed = out.join(format!("{number}.gz"));
        compress(path, &compressed);
        list += &format!(
            "File {{ name: {name:?}, content: include_bytes!({path:?}), compressed: include_bytes!({compressed:?}) }},\n"
        );
    }
    list += "]\n";
    fs::write(out.join("web.rs"), list).expect("Cargo's folder can be written");
}

/// A file's path in `web/`, as it stands in addresses.
fn name(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).expect("it was found there");
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("web/ can be read") {
        let path = entry.expect("web/ can be read").path();
        let is_embedded = path.extension().is_some_and(|it| EMBEDDED.iter().any(|known| it == *known));
        if path.is_dir() {
            collect(&path, files);
        } else if is_embedded {
            files.push(path);
        }
    }
}

fn compress(from: &Path, to: &Path) {
    let content = fs::read(from).expect("web/ can be read");
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&content).expect("memory takes it");
    fs::write(to, encoder.finish().expect("memory takes it")).expect("Cargo's folder can be written");
}
