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
    files.sort();
    let mut list = String::from("[\n");
    for (number, path) in files.iter().enumerate() {
        let compressed = out.join(format!("{number}.gz"));
        compress(path, &compressed);
        let name = path.strip_prefix(&root).expect("it was found there");
        let name = name.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>();
        let name = name.join("/");
        list += &format!(
            "File {{ name: {name:?}, content: include_bytes!({path:?}), compressed: include_bytes!({compressed:?}) }},\n"
        );
    }
    list += "]\n";
    fs::write(out.join("web.rs"), list).expect("Cargo's folder can be written");
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
