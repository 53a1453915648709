//! What only the operating system knows: users, signals, and which process serves a folder.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    pub uid: u32,
    pub gid: u32,
}

#[expect(unsafe_code, reason = "the standard library does not tell the user")]
pub fn user_id() -> u32 {
    // SAFETY: the call takes no arguments, touches no memory and cannot fail.
    unsafe { libc::geteuid() }
}

pub fn is_root() -> bool {
    user_id() == 0
}

/// How a PostgreSQL program is stopped, in the terms of its manual.
#[derive(Debug, Clone, Copy)]
pub enum Shutdown {
    /// Connections are ended; what they committed is written out.
    Fast,
    /// Stops at once; the next start recovers from the log.
    Immediate,
    /// Stops without a chance to tidy up.
    Kill,
}

impl Shutdown {
    fn signal(self) -> libc::c_int {
        match self {
            Shutdown::Fast => libc::SIGINT,
            Shutdown::Immediate => libc::SIGQUIT,
            Shutdown::Kill => libc::SIGKILL,
        }
    }
}

/// Asks the process to end. If it is gone already, that is no error.
#[expect(unsafe_code, reason = "the standard library signals nothing but SIGKILL")]
pub fn signal(pid: i32, shutdown: Shutdown) {
    if pid > 0 {
        // SAFETY: it takes plain numbers; the guard keeps it from meaning a group of processes.
        unsafe { libc::kill(pid, shutdown.signal()) };
    }
}

/// A command that runs as `account` in `dir`, and receives the signal of `orphaned` when the calling thread ends.
///
/// It gets a process group of its own: Ctrl-C in the terminal goes only to the program, which ends its requests before
/// its database.
pub fn command(program: &Path, account: Option<Account>, dir: &Path, orphaned: Shutdown) -> Command {
    let mut command = Command::new(program);
    command.current_dir(dir).process_group(0).env("LC_ALL", "C");
    if let Some(Account { uid, gid }) = account {
        command.uid(uid).gid(gid);
    }
    die_with_parent(&mut command, orphaned);
    command
}

/// The kernel forgets the requested signal at a change of user, so the request is made after that, just before `exec`.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library has no such wish")]
fn die_with_parent(command: &mut Command, shutdown: Shutdown) {
    use std::io;

    let parent = std::process::id();
    let wish = move || {
        // SAFETY: the arguments are plain numbers, and both functions may be called between `fork` and `exec`.
        let (refused, parent_now) = unsafe {
            (libc::prctl(libc::PR_SET_PDEATHSIG, shutdown.signal()) != 0, libc::getppid().cast_unsigned())
        };
        match (refused, parent_now == parent) {
            (true, _) => Err(io::Error::last_os_error()),
            (false, false) => Err(io::Error::from_raw_os_error(libc::ESRCH)),
            (false, true) => Ok(()),
        }
    };
    // SAFETY: the closure calls nothing that is unsafe after a `fork`, and allocates nothing.
    unsafe { command.pre_exec(wish) };
}

/// On other systems, the next start stops an orphan.
#[cfg(not(target_os = "linux"))]
fn die_with_parent(_: &mut Command, _: Shutdown) {}

/// Whether the process is a PostgreSQL on `cluster`. The process number alone proves nothing, because another process
/// may have it by now.
#[cfg(target_os = "linux")]
pub fn serves(pid: i32, cluster: &Path) -> bool {
    use std::fs;
    use std::os::unix::ffi::OsStrExt;

    let process = Path::new("/proc").join(pid.to_string());
    let command_line = fs::read(process.join("cmdline")).unwrap_or_default();
    let mut words = command_line.split(|&byte| byte == 0);
    words.next().is_some_and(|program| program.ends_with(b"postgres"))
        && (words.any(|word| word == cluster.as_os_str().as_bytes())
            || fs::read_link(process.join("cwd")).is_ok_and(|dir| dir == cluster))
}

#[cfg(not(target_os = "linux"))]
pub fn serves(pid: i32, cluster: &Path) -> bool {
    let listed = Command::new("ps").args(["-ww", "-o", "args=", "-p", &pid.to_string()]).output();
    listed.is_ok_and(|output| {
        let command_line = String::from_utf8_lossy(&output.stdout);
        command_line.contains("postgres") && command_line.contains(&*cluster.to_string_lossy())
    })
}
