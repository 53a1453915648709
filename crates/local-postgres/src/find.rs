//! Finds which of the installed PostgreSQLs to run.

use std::cmp::Reverse;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::StartError;

/// The oldest major version that the schema and its queries are written for.
pub const OLDEST: u32 = 14;

/// Where the packages of common systems install PostgreSQL, with a folder for each version: Debian, Fedora and
/// PostgreSQL's own RPMs, Homebrew on ARM and on Intel, Postgres.app.
const PACKAGES: [(&str, &str); 5] = [
    ("/usr/lib/postgresql", ""),
    ("/usr", "pgsql-"),
    ("/opt/homebrew/opt", "postgresql@"),
    ("/usr/local/opt", "postgresql@"),
    ("/Applications/Postgres.app/Contents/Versions", ""),
];

/// A folder with `postgres` and `initdb` in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    pub bin: PathBuf,
    pub major: u32,
}

/// The installation for `cluster`, of the major version `made_by` that created it. If the cluster does not exist yet,
/// any installation that is new enough. `PATH` is searched first, so that the user can choose.
pub fn installation(path: &OsStr, made_by: Option<u32>, cluster: &Path) -> Result<Installation, StartError> {
    let mut installed = Vec::new();
    for bin in bin_folders(path) {
        if let Some(major) = major_version(&bin.join("postgres")) {
            installed.push(Installation { bin, major });
        }
    }
    choose(installed, made_by, cluster)
}

fn choose(
    mut installed: Vec<Installation>,
    made_by: Option<u32>,
    cluster: &Path,
) -> Result<Installation, StartError> {
    let suits = |major| made_by.map_or(major >= OLDEST, |wanted| major == wanted);
    if let Some(at) = installed.iter().position(|one| suits(one.major)) {
        return Ok(installed.swap_remove(at));
    }
    Err(match (installed.pop(), made_by) {
        (None, _) => StartError::NotInstalled,
        (Some(_), Some(major)) => StartError::OtherVersion { major, cluster: cluster.to_owned() },
        (Some(Installation { bin, major }), None) => StartError::TooOld { major, bin },
    })
}

fn bin_folders(path: &OsStr) -> Vec<PathBuf> {
    let on_path: Vec<PathBuf> = std::env::split_paths(path).filter(|dir| dir.is_absolute()).collect();
    let configured = on_path.iter().filter_map(|dir| bindir_by_pg_config(&dir.join("pg_config")));
    let packaged = PACKAGES.iter().flat_map(|(parent, prefix)| versions(Path::new(parent), prefix));
    let mut folders: Vec<PathBuf> = Vec::new();
    for dir in on_path.iter().cloned().chain(configured).chain(packaged) {
        if dir.join("postgres").is_file() && dir.join("initdb").is_file() && !folders.contains(&dir) {
            folders.push(dir);
        }
    }
    folders
}

/// `<parent>/<prefix><version>/bin` for every version that is installed, the newest first.
fn versions(parent: &Path, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let mut found: Vec<(u32, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.strip_prefix(prefix)?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    found.sort_by_key(|(version, _)| Reverse(*version));
    found.into_iter().map(|(_, bin)| bin).collect()
}

fn bindir_by_pg_config(pg_config: &Path) -> Option<PathBuf> {
    if !pg_config.is_file() {
        return None;
    }
    let output = Command::new(pg_config).arg("--bindir").output().ok()?;
    let line = output.stdout.trim_ascii_end().to_vec();
    Some(PathBuf::from(OsString::from_vec(line)))
}

fn major_version(postgres: &Path) -> Option<u32> {
    let output = Command::new(postgres).arg("--version").output().ok()?;
    parse_major_version(str::from_utf8(&output.stdout).ok()?)
}

/// Reads `postgres (PostgreSQL) 17.2 (Debian 17.2-1)`, and `18beta1` as well.
fn parse_major_version(line: &str) -> Option<u32> {
    let version = line.split_once("(PostgreSQL) ")?.1;
    let digits = version.find(|c: char| !c.is_ascii_digit()).unwrap_or(version.len());
    version[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose_from(majors: &[u32], made_by: Option<u32>) -> Result<u32, String> {
        let installed = majors.iter().map(|&major| Installation { bin: "/some/bin".into(), major }).collect();
        choose(installed, made_by, Path::new("/data/postgres"))
            .map(|one| one.major)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_first_that_is_new_enough_is_taken() {
        assert_eq!(choose_from(&[13, 15, 17], None), Ok(15));
    }

    #[test]
    fn a_cluster_is_served_by_the_version_that_made_it() {
        assert_eq!(choose_from(&[17, 15], Some(15)), Ok(15));
        let refusal = choose_from(&[17], Some(15)).unwrap_err();
        assert!(refusal.starts_with("/data/postgres was made by PostgreSQL 15, which is not installed"));
    }

    #[test]
    fn without_postgresql_the_error_says_what_to_install() {
        let refusal = choose_from(&[], None).unwrap_err();
        assert_eq!(refusal.lines().count(), 1);
        for way_out in ["apt install postgresql", "dnf install", "brew install", "DATABASE_URL"] {
            assert!(refusal.contains(way_out), "{refusal}");
        }
    }

    #[test]
    fn a_postgresql_that_is_too_old_is_named() {
        let refusal = choose_from(&[13], None).unwrap_err();
        assert!(refusal.starts_with("PostgreSQL 13 in /some/bin is too old: install 14 or newer"));
    }

    #[test]
    fn versions_are_read_as_packagers_write_them() {
        assert_eq!(parse_major_version("postgres (PostgreSQL) 15.16 (Debian 15.16-0+deb12u1)\n"), Some(15));
        assert_eq!(parse_major_version("postgres (PostgreSQL) 18beta1\n"), Some(18));
        assert_eq!(parse_major_version("postgres: command not found"), None);
    }
}
