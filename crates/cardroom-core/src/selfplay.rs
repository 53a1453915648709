//! Games with no card room around them: of bots among themselves, for data to train on, and of those who learn to play. All
//! chance in a game follows from what is asked for, so the same actions give the same log, byte for byte. No time passes.

use jiff::Timestamp;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::bots;
use crate::log::entry::{Policy, Visibility};
use crate::log::fairness::Seed;
use crate::rules::bot::Luck;
use crate::rules::registry::{self, Kind};
use crate::rules::{Refusal, Seat};
use crate::table::create::NewGame;
use crate::table::decide::{Command, HashedEntry, Step};
use crate::table::turns::Pace;
use crate::table::{Actor, Table};

/// The most entries of a game: a longer one is no bundle that the service would check.
const MOST_ENTRIES: usize = 100_000;

/// What plays at a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sitter {
    Bot(Policy),
    /// Somebody beside this module, by [`Running::act`].
    Player,
}

/// What is to be played.
#[derive(Debug)]
pub struct SelfPlay {
    kind: &'static Kind,
    options: Box<RawValue>,
    /// By seat in the first game.
    sitters: Vec<Sitter>,
    seed: u64,
}

/// A game that is being played.
pub struct Running {
    step: Step,
    luck: Luck,
}

impl SelfPlay {
    /// Games of a kind with these options. Where the kind wants more seats than there are sitters, more like the last one
    /// sit down.
    ///
    /// # Errors
    /// `invalid_options` where there is no such kind, or it does not take so many seats or these options.
    pub fn new(
        kind: &str,
        options: &RawValue,
        mut sitters: Vec<Sitter>,
        seed: u64,
    ) -> Result<SelfPlay, Refusal> {
        let Some(kind) = registry::by_name(kind) else {
            let known: Vec<&str> = registry::newest().map(|kind| kind.kind).collect();
            return Err(Refusal::options(format!(
                "there is no kind `{kind}`: the kinds are {}",
                known.join(", ")
            )));
        };
        let last = *sitters.last().ok_or_else(|| Refusal::options("nobody would play"))?;
        let (least, most) = (usize::from(kind.min_seats), usize::from(kind.max_seats));
        if sitters.len() > most {
            let seats = sitters.len();
            return Err(Refusal::options(format!(
                "{} takes {least} to {most} seats, not {seats}",
                kind.kind
            )));
        }
        sitters.resize(sitters.len().max(least), last);
        let options = kind.resolve_options(options)?;
        kind.new_game(&options, sitters.len() as u8)?;
        Ok(SelfPlay { kind, options, sitters, seed })
    }

    pub fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// The same with another seed.
    pub fn with_seed(&self, seed: u64) -> SelfPlay {
        SelfPlay { kind: self.kind, options: self.options.clone(), sitters: self.sitters.clone(), seed }
    }

    /// The game of this number, from 0, before anybody has acted. From game to game every sitter moves on by a seat.
    ///
    /// # Errors
    /// [`Refusal`] where they cannot all sit down.
    pub fn game(&self, number: u32) -> Result<Running, Refusal> {
        let mut sitters = self.sitters.clone();
        let seats = sitters.len();
        sitters.rotate_right(number as usize % seats);
        let drawn = |what: &str| self.drawn(&format!("{number}:{what}"));
        let [id, secret, luck] = ["id", "server_seed", "luck"].map(drawn);
        let (id, luck) = (u128::from_be_bytes(front(&id)), u64::from_be_bytes(front(&luck)));
        let new = NewGame {
            kind: self.kind,
            options: self.options.clone(),
            seats: seats as u8,
            visibility: Visibility::Public,
            sit: None,
            pace: Pace { turn_seconds: None, bank_seconds: 0, bot_delay_ms: 0 },
            rated: false,
            bots: Vec::new(),
        };
        let id = uuid::Builder::from_custom_bytes(id.to_be_bytes()).into_uuid();
        let mut step = Table::create(id, Seed::new(secret), &creator(), new, Timestamp::UNIX_EPOCH)?;
        for (sitter, seat) in sitters.into_iter().zip(0..) {
            let sits = match sitter {
                Sitter::Bot(policy) => step.decide(&creator(), &Command::SeatBot { policy }),
                Sitter::Player => {
                    let client_seed = String::new();
                    step.decide(&player(seat), &Command::Sit { client_seed, invite: None, seat: None })
                }
            };
            sits?;
        }
        Ok(Running { step, luck: Luck::new(luck) })
    }

    /// 32 bytes that follow from what is asked for, and from `what` they are for.
    pub fn drawn(&self, what: &str) -> [u8; 32] {
        let SelfPlay { kind, options, sitters, seed } = self;
        let words: Vec<&str> = sitters.iter().map(|sitter| sitter.as_str()).collect();
        let (kind, version, words) = (kind.kind, kind.rules_version, words.join(","));
        Sha256::digest(format!("cardroom.selfplay/1:{seed}:{kind}:{version}:{words}:{options}:{what}")).into()
    }
}

impl Sitter {
    /// The word for it: a policy, or `player`.
    pub fn as_str(self) -> &'static str {
        match self {
            Sitter::Bot(policy) => policy.as_str(),
            Sitter::Player => "player",
        }
    }
}

impl Running {
    /// Lets the bots act until the game waits for a player, whose seat this returns, or is over.
    ///
    /// # Errors
    /// [`Refusal`] where a policy wants what is not allowed, which is a defect of it, or the game does not end.
    pub fn go_on(&mut self) -> Result<Option<Seat>, Refusal> {
        let now = Timestamp::UNIX_EPOCH.into();
        while let Some((seat, policy)) = self.step.table.bot_due(now) {
            let seen = self.step.table.at_seat(seat).expect("a game that waits for a seat is played");
            self.step.bot_acts(seat, policy, &bots::choose(policy, &seen, self.luck.word()), now)?;
            if self.step.entries.len() > MOST_ENTRIES {
                return Err(Refusal::options(format!("a game has not ended after {MOST_ENTRIES} entries")));
            }
        }
        Ok(self.step.table.to_act().iter().next())
    }

    /// Acts for the player at a seat.
    ///
    /// # Errors
    /// [`Refusal`] where the action does not stand on the seat's menu. Nothing has changed then.
    pub fn act(&mut self, seat: Seat, action: Box<RawValue>) -> Result<(), Refusal> {
        if self.step.entries.len() > MOST_ENTRIES {
            return Err(Refusal::options(format!("a game has not ended after {MOST_ENTRIES} entries")));
        }
        self.step.decide(&player(seat), &Command::Act { action })
    }

    pub fn table(&self) -> &Table {
        &self.step.table
    }

    pub fn log(&self) -> &[HashedEntry] {
        &self.step.entries
    }
}

impl Step {
    /// Lets one more command follow.
    fn decide(&mut self, actor: &Actor, command: &Command) -> Result<(), Refusal> {
        let next = self.table.decide(actor, command, Timestamp::UNIX_EPOCH)?;
        self.table = next.table;
        self.entries.extend(next.entries);
        Ok(())
    }
}

/// The first bytes of a digest.
fn front<const N: usize>(digest: &[u8; 32]) -> [u8; N] {
    digest[..N].try_into().expect("a digest is longer")
}

/// The account that creates these games, and those that play them. No card room has them.
fn creator() -> Actor {
    actor("selfplay".to_owned(), 0)
}

fn player(seat: Seat) -> Actor {
    actor(format!("player{seat}"), u128::from(seat) + 1)
}

fn actor(username: String, number: u128) -> Actor {
    Actor { account: Uuid::from_u128(number), username, admin: false, is_program: true, invite: None }
}
