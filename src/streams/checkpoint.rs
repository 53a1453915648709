//! How far an account has been told of all that concerns it.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// The most participations that a checkpoint names: all that an account may have at a time by its own choice and by that of
/// others, the games of its tournaments, and what a stream catches up with.
const MOST: usize = 2048;
/// The longest text of a checkpoint, in bytes. It has to fit into the head of a request.
const LONGEST: usize = 32_768;

/// The participations that are known, and how far the log of each running one was told.
///
/// As text, it is the number of the newest participation, and then `.n-version` for each that still runs: `7.3-41.6-5`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checkpoint {
    /// The number of the newest participation that is known. Those that are not listed are over, and all of them was
    /// told.
    pub newest: u32,
    /// By the participations' numbers, the version up to which the log was told.
    pub versions: BTreeMap<u32, u32>,
}

impl Display for Checkpoint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.newest)?;
        self.versions.iter().try_for_each(|(n, version)| write!(f, ".{n}-{version}"))
    }
}

/// The text is no checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is no checkpoint")]
pub struct NoCheckpoint;

impl FromStr for Checkpoint {
    type Err = NoCheckpoint;

    fn from_str(text: &str) -> Result<Checkpoint, NoCheckpoint> {
        let number = |word: &str| {
            let is_plain = !word.starts_with('+') && (word == "0" || !word.starts_with('0'));
            word.parse::<u32>().ok().filter(|n| is_plain && i32::try_from(*n).is_ok()).ok_or(NoCheckpoint)
        };
        if text.len() > LONGEST {
            return Err(NoCheckpoint);
        }
        let mut words = text.split('.');
        let newest = number(words.next().unwrap_or_default())?;
        let mut versions = BTreeMap::new();
        for word in words {
            let (n, version) = word.split_once('-').ok_or(NoCheckpoint)?;
            let (n, version) = (number(n)?, number(version)?);
            let is_next = versions.last_key_value().is_none_or(|(last, _)| *last < n);
            if !is_next || n == 0 || n > newest || versions.len() == MOST {
                return Err(NoCheckpoint);
            }
            versions.insert(n, version);
        }
        Ok(Checkpoint { newest, versions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_comes_back_from_its_text() {
        let some = Checkpoint { newest: 7, versions: BTreeMap::from([(3, 41), (6, 0)]) };
        assert_eq!(some.to_string(), "7.3-41.6-0");
        for checkpoint in [some, Checkpoint::default()] {
            assert_eq!(checkpoint.to_string().parse(), Ok(checkpoint));
        }
    }

    #[test]
    fn what_is_no_checkpoint_is_refused() {
        let wrong = [
            "",
            "x",
            "-1",
            "+1",
            "01",
            "7.",
            "7.3",
            "7.3-",
            "7.-1",
            "7.8-1",
            "7.0-1",
            "7.3-1.3-1",
            "7.3-1.2-1",
            "4294967295",
            "7.3-4294967295",
            " 7",
            "7.3-1 ",
        ];
        for text in wrong {
            assert_eq!(text.parse::<Checkpoint>(), Err(NoCheckpoint), "{text}");
        }
        let long = (1..=2049).map(|n| format!(".{n}-1")).collect::<String>();
        assert_eq!(format!("9000{long}").parse::<Checkpoint>(), Err(NoCheckpoint));
    }
}
