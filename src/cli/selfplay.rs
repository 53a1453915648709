//! `cardroom selfplay`: games of bots, as audit bundles in a file, one on each line.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use cardroom_core::audit::{self, Signed};
use cardroom_core::log::entry::Policy;
use cardroom_core::rules::Refusal;
use cardroom_core::selfplay::{Running, SelfPlay, Sitter};
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as Unknown, StrDeserializer};
use serde_json::value::RawValue;

use super::interactive::interact;
use super::source::Failure;
use crate::accounts::signing::Key;
use crate::config::Selfplay;

/// The id of the key that signs these bundles. It is no house's.
const KEY_ID: &str = "selfplay";

/// A command that cannot be meant so.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Misuse(String);

/// What is to be played, as the command says.
///
/// # Errors
/// [`Misuse`] where there is no such kind or policy, or no game can be played with these options.
pub fn planned(wanted: &Selfplay) -> Result<SelfPlay, Misuse> {
    let sitters: Vec<Sitter> = wanted.policies.iter().map(|word| sitter(word)).collect::<Result<_, _>>()?;
    if sitters.contains(&Sitter::Player) && !wanted.interactive {
        return Err(Misuse("a `player` needs --interactive".to_owned()));
    }
    let options: Box<RawValue> =
        serde_json::from_str(&wanted.options).map_err(|error| Misuse(format!("--options: {error}")))?;
    if let Some(out) = &wanted.out {
        let is_other = fs::metadata(out).is_ok_and(|found| !found.is_file());
        if is_other || out.file_name().is_none() {
            return Err(Misuse(format!("--out: {} is no file", out.display())));
        }
    }
    SelfPlay::new(&wanted.kind, &options, sitters, wanted.seed).map_err(|refusal| Misuse(refusal.to_string()))
}

fn sitter(word: &str) -> Result<Sitter, Misuse> {
    if word == Sitter::Player.as_str() {
        return Ok(Sitter::Player);
    }
    let word: StrDeserializer<'_, Unknown> = word.into_deserializer();
    let policy = Policy::deserialize(word).map_err(|error| Misuse(format!("no policy: {error}")))?;
    Ok(Sitter::Bot(policy))
}

/// Plays the games and writes their bundles. The file is there when all of them have been written, and not before.
///
/// # Errors
/// [`Failure`] where a game cannot be played or written, or the command is stopped.
pub fn selfplay(wanted: &Selfplay, plan: &SelfPlay, is_stopped: &AtomicBool) -> Result<(), Failure> {
    let Some(out) = &wanted.out else { return interact(plan) };
    let failed = |error: &io::Error| Failure(format!("{}: {error}", out.display()));
    let key = Key::new(KEY_ID.to_owned(), &plan.drawn("key"), Timestamp::UNIX_EPOCH)
        .ok_or_else(|| Failure("no key can be made".to_owned()))?;
    let mut draft = Draft::of(out).map_err(|error| failed(&error))?;
    let mut entries = 0;
    for number in 0..wanted.games {
        if is_stopped.load(Ordering::Relaxed) {
            return Err(Failure(format!("stopped after {number} games: nothing has been kept")));
        }
        let game = played(plan, number).map_err(|refusal| Failure(format!("game {number}: {refusal}")))?;
        entries += game.log().len();
        write(&mut draft.to, &game, &key).map_err(|error| failed(&error))?;
    }
    draft.keep(out).map_err(|error| failed(&error))?;
    println!("{}: {} games of {} with {entries} entries", out.display(), wanted.games, plan.kind().kind);
    Ok(())
}

/// A game of bots, from its start to its end.
fn played(plan: &SelfPlay, number: u32) -> Result<Running, Refusal> {
    let mut game = plan.game(number)?;
    game.go_on()?;
    Ok(game)
}

/// Writes a game's bundle and ends the line.
fn write(to: &mut impl Write, game: &Running, key: &Key) -> io::Result<()> {
    let table = game.table();
    to.write_all(audit::head(table).as_bytes())?;
    for (nth, entry) in game.log().iter().enumerate() {
        let comma = if nth == 0 { "" } else { "," };
        write!(to, "{comma}{}", audit::line(&entry.text, entry.hash))?;
    }
    let signed = Signed { game: table.id, version: table.version, hash: table.hash() };
    writeln!(to, "{}", audit::tail(table, &key.sign_log(&signed)))
}

/// A file that is being written, beside the place where it will stand. It is removed if it is not kept.
struct Draft {
    path: PathBuf,
    to: BufWriter<File>,
}

impl Draft {
    fn of(out: &Path) -> io::Result<Draft> {
        let name = out.file_name().unwrap_or_default().to_string_lossy();
        let path = out.with_file_name(format!(".{name}.{}.part", std::process::id()));
        Ok(Draft { to: BufWriter::new(File::create_new(&path)?), path })
    }

    /// Puts the file into its place, in one step, after all of it has reached the disk.
    fn keep(mut self, out: &Path) -> io::Result<()> {
        self.to.flush()?;
        self.to.get_ref().sync_all()?;
        fs::rename(&self.path, out)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Where it was kept, nothing is there any more.
        let _ = fs::remove_file(&self.path);
    }
}
