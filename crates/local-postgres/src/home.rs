//! Where a cluster and all its files lie, which user owns them, and the lock that keeps other programs out.

use std::fs::{self, DirBuilder, File, Permissions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, lchown};
use std::path::{Path, PathBuf};

use crate::StartError;
use crate::process::{self, Account};

/// Holds the cluster, its log and, if the path is short enough, its socket.
pub struct Home {
    dir: PathBuf,
    /// The user that PostgreSQL runs as, if it is not the current one.
    account: Option<Account>,
    /// The kernel releases the lock when the program ends, in whatever way it ends.
    lock: File,
}

/// Closing the file alone would not always release the lock: a child that another thread is just starting holds a copy
/// of the file until the child has become another program.
impl Drop for Home {
    fn drop(&mut self) {
        let _ = self.lock.unlock();
    }
}

/// Where the cluster lies if only root can reach the data folder.
const ELSEWHERE: &str = "/var/lib/cardroom";

pub const SOCKET: &str = ".s.PGSQL.5432";
/// The kernel's limits for the path of a socket, without the terminating zero.
const LONGEST_SOCKET_PATH: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

impl Home {
    /// Creates the folder if it is missing, and locks it.
    pub fn open(data_dir: &Path) -> Result<Home, StartError> {
        let account = if process::is_root() { Some(account_for(data_dir)?) } else { None };
        let mut home = opened(data_dir, account)?;
        if let Some(account) = account
            && let Some(wall) = home.ancestors().find(|dir| !may_enter(dir, account))
        {
            let elsewhere = Path::new(ELSEWHERE).join(short_name(&home));
            tracing::warn!(
                "PostgreSQL cannot run as root, and its user cannot enter {}: the database is in {}",
                wall.display(),
                elsewhere.display()
            );
            create_dir(Path::new(ELSEWHERE), 0o711).map_err(in_folder(&elsewhere))?;
            home = opened(&elsewhere, Some(account_for(&elsewhere)?))?;
        }
        let account = if account.is_some() { Some(account_for(&home)?) } else { None };
        Ok(Home { lock: locked(&home)?, dir: home, account })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn account(&self) -> Option<Account> {
        self.account
    }

    pub fn cluster(&self) -> PathBuf {
        cluster_in(&self.dir)
    }

    pub fn log(&self) -> PathBuf {
        self.dir.join("postgres.log")
    }

    /// Makes `dir` a private folder for PostgreSQL. An existing folder is used only if it has the right owner: in
    /// `/tmp` another user may have put a folder of their own in its place.
    pub fn make_private(&self, dir: &Path) -> Result<(), StartError> {
        self.try_make_private(dir).map_err(in_folder(dir))
    }

    fn try_make_private(&self, dir: &Path) -> io::Result<()> {
        create_dir(dir, 0o700)?;
        let found = fs::symlink_metadata(dir)?;
        let owners = [process::user_id(), self.account.map_or(process::user_id(), |account| account.uid)];
        if !found.is_dir() || !owners.contains(&found.uid()) {
            return Err(io::Error::new(ErrorKind::AlreadyExists, "it is there already and not ours"));
        }
        fs::set_permissions(dir, Permissions::from_mode(0o700))?;
        match self.account {
            Some(account) => lchown(dir, Some(account.uid), Some(account.gid)),
            None => Ok(()),
        }
    }
}

pub fn in_folder(path: &Path) -> impl Fn(io::Error) -> StartError {
    move |source| StartError::Folder { path: path.to_owned(), source }
}

/// The folder for the socket, not created yet. Its path is short enough for the kernel.
pub fn socket_dir_in(dir: &Path) -> PathBuf {
    let here = dir.join("socket");
    if here.join(SOCKET).as_os_str().len() <= LONGEST_SOCKET_PATH {
        return here;
    }
    Path::new("/tmp").join(format!("cardroom-{}", short_name(dir)))
}

pub fn cluster_in(dir: &Path) -> PathBuf {
    dir.join("postgres")
}

/// The full path of the folder, which is created if it is missing. PostgreSQL's user may pass through it but not list
/// it.
fn opened(dir: &Path, account: Option<Account>) -> Result<PathBuf, StartError> {
    let open = || {
        if let Some(parent) = dir.parent() {
            fs::create_dir_all(parent)?;
        }
        match account {
            None => create_dir(dir, 0o700).map(drop)?,
            Some(account) if create_dir(dir, 0o710)? => lchown(dir, None, Some(account.gid))?,
            Some(_) => {}
        }
        dir.canonicalize()
    };
    let dir = open().map_err(in_folder(dir))?;
    match fault_of(&dir, account).map_err(in_folder(&dir))? {
        Some(fault) => Err(StartError::Unfit { path: dir, fault }),
        None => Ok(dir),
    }
}

/// Why data would not be safe in `dir`: another user could change them, or replace the folder.
fn fault_of(dir: &Path, account: Option<Account>) -> io::Result<Option<String>> {
    let found = fs::metadata(dir)?;
    if !found.is_dir() {
        return Ok(Some("it is no folder".to_owned()));
    }
    let owners = [process::user_id(), account.map_or(process::user_id(), |account| account.uid)];
    if !owners.contains(&found.uid()) {
        return Ok(Some(format!("it belongs to another user, number {}", found.uid())));
    }
    if found.mode() & 0o022 != 0 {
        let mode = found.mode() & 0o777;
        return Ok(Some(format!("others can write to it (mode {mode:o}, which `chmod go-w` changes)")));
    }
    for parent in dir.ancestors().skip(1) {
        // With the sticky bit, as `/tmp` has it, a user cannot rename the files of others.
        if fs::metadata(parent)?.mode() & 0o1002 == 0o0002 {
            return Ok(Some(format!("anybody can write to {}, in which it lies", parent.display())));
        }
    }
    Ok(None)
}

/// True if the folder was created now; `false` if it existed. The umask may have cleared permission bits, so they are
/// set again.
fn create_dir(dir: &Path, mode: u32) -> io::Result<bool> {
    match DirBuilder::new().mode(mode).create(dir) {
        Ok(()) => fs::set_permissions(dir, Permissions::from_mode(mode)).map(|()| true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

fn locked(dir: &Path) -> Result<File, StartError> {
    let path = dir.join("lock");
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&path)
        .map_err(in_folder(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StartError::InUse(dir.to_owned())),
        Err(TryLockError::Error(source)) => Err(StartError::Folder { path, source }),
    }
}

/// The user that PostgreSQL runs as when root starts it: the owner of the cluster, else `postgres`, else `nobody`.
fn account_for(dir: &Path) -> Result<Account, StartError> {
    if let Ok(cluster) = fs::metadata(cluster_in(dir))
        && cluster.uid() != 0
    {
        return Ok(Account { uid: cluster.uid(), gid: cluster.gid() });
    }
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    ["postgres", "nobody"].iter().find_map(|name| account_named(name, &users)).ok_or(StartError::NoAccount)
}

fn account_named(name: &str, passwd: &str) -> Option<Account> {
    let line = passwd.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut ids = line.split(':').skip(2);
    Some(Account { uid: id(ids.next()?)?, gid: id(ids.next()?)? })
}

/// macOS prints the ids of `nobody` as -2.
fn id(text: &str) -> Option<u32> {
    text.parse().ok().or_else(|| text.parse::<i32>().ok().map(i32::cast_unsigned))
}

fn may_enter(dir: &Path, account: Account) -> bool {
    fs::metadata(dir).is_ok_and(|found| {
        let bit = if found.uid() == account.uid {
            0o100
        } else if found.gid() == account.gid {
            0o010
        } else {
            0o001
        };
        found.mode() & bit != 0
    })
}

/// A name of 16 digits that stays the same for a path: FNV-1a, because the standard library's hashes may change.
fn short_name(path: &Path) -> String {
    let hash = path.as_os_str().as_bytes().iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_read_from_passwd() {
        let passwd = "root:x:0:0:root:/root:/bin/sh\npostgres2:x:7:7::/:/bin/sh\n\
                      nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false\n";
        assert_eq!(account_named("nobody", passwd), Some(Account { uid: 4_294_967_294, gid: 4_294_967_294 }));
        assert_eq!(account_named("postgres", passwd), None);
    }

    #[test]
    fn a_folder_without_the_right_bit_cannot_be_entered() {
        let dir = std::env::temp_dir().join(format!("cardroom-enter-{}", std::process::id()));
        fs::create_dir(&dir).unwrap();
        let stranger = Account { uid: 4_000_000, gid: 4_000_000 };
        let group = Account { uid: 4_000_000, gid: fs::metadata(&dir).unwrap().gid() };
        for (mode, by_group, by_stranger) in
            [(0o700, false, false), (0o710, true, false), (0o701, false, true)]
        {
            fs::set_permissions(&dir, Permissions::from_mode(mode)).unwrap();
            assert_eq!((may_enter(&dir, group), may_enter(&dir, stranger)), (by_group, by_stranger));
        }
        fs::remove_dir(&dir).unwrap();
    }

    #[test]
    fn a_path_keeps_its_short_name() {
        assert_eq!(
            short_name(Path::new("/srv/cards/.cardroom")),
            short_name(Path::new("/srv/cards/.cardroom"))
        );
        assert_eq!(short_name(Path::new("a")), "af63dc4c8601ec8c", "the published value of FNV-1a for \"a\"");
    }
}
