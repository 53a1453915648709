//! A freezeout: entrants take their chips from round to round, and go out when they cannot pay for the next.
//!
//! What the games have brought stands in the games' logs, so the tournament's log tells with each table what its seats
//! bring. An audit, which has the games, draws each round again and comes to the same stacks.

use serde_json::value::RawValue;

use super::game_results::{End, GameResults};
use super::log::{RoundBegan, RoundTable};
use super::pairing::Pairing;
use super::setup::{MAX_ENTRANTS, ResultBy, Setup};
use super::state::Tournament;
use crate::rules::stakes::{Level, MOST_CHIPS, ante_of};
use crate::rules::{PerSeat, Refusal, within};

/// The most chips with which an entrant begins: all entrants together have no more than a game can hold.
const MOST_TO_BEGIN: u32 = MOST_CHIPS / MAX_ENTRANTS as u32;

impl Setup {
    pub(super) fn check_freezeout(&self) -> Result<(), Refusal> {
        let refused = |detail: &'static str| Err(Refusal::options(detail));
        let kind = self.kind();
        let Some(ante) = kind.and_then(|kind| kind.ante(&self.options)) else {
            return refused(
                "a freezeout is for games in which chips pass between the players alone, without `level_hands`: its ante \
                 doubles with each round",
            );
        };
        // With it, the rounds come to an end.
        within("ante (or charge) of a freezeout", ante, 1..=MOST_TO_BEGIN)?;
        within("buy_in of a freezeout", self.buy_in().unwrap_or_default(), 1..=MOST_TO_BEGIN)?;
        if self.result_by != (ResultBy::Chips {}) {
            return refused("chips decide a freezeout");
        }
        if self.fill.is_some() {
            return refused("the bots of `fill` have no chips that they could take from round to round");
        }
        Ok(())
    }

    /// What each seat pays for a hand of a round of a freezeout, which counts from 1.
    fn ante_of(&self, round: u16) -> u32 {
        let first = self.kind().and_then(|kind| kind.ante(&self.options)).unwrap_or_default();
        ante_of(round, first, Some(1))
    }

    /// The options of a table's game in a round, from 1.
    pub fn options_of(&self, round: u16, table: &RoundTable) -> Box<RawValue> {
        let stacks: PerSeat<u32> = table.stacks.iter().copied().collect();
        let level = Level { level: round, stacks: stacks.into() };
        let own = self.format.carries_chips().then(|| self.kind()?.at_level(&self.options, level)).flatten();
        own.unwrap_or_else(|| self.options.clone())
    }

    /// Whether the games count for ratings: they do where all seats begin alike.
    pub fn is_rated(&self) -> bool {
        !self.format.carries_chips()
    }
}

impl Tournament {
    /// By entrant, the chips that their last game left them. A game that was called off changes nothing.
    fn chips(&self, game_results: &GameResults) -> Vec<u32> {
        let mut chips = vec![self.about.buy_in.unwrap_or_default(); self.entrants.len()];
        for round in &self.rounds {
            for table in &round.tables {
                let game = self.counted_game(game_results, round, table);
                let ended = game.filter(|game| matches!(game.end, Some(End::Finished { .. })));
                for (entrant, &score) in table.seats.iter().zip(ended.map_or(&[][..], |game| &game.scores)) {
                    let Some(entrant) = *entrant else { continue };
                    chips[entrant as usize] = u32::try_from(score.max(0)).unwrap_or(MOST_CHIPS);
                }
            }
        }
        chips
    }

    /// Notes at the tables of a new round what its seats bring.
    pub(super) fn bring_stacks(&self, tables: &mut [RoundTable], game_results: &GameResults) {
        let chips = self.chips(game_results);
        for table in tables {
            table.stacks = table.seats.iter().flatten().map(|&entrant| chips[entrant as usize]).collect();
        }
    }

    /// Whether these stacks can be there, as far as the tournament's log goes.
    pub(super) fn check_stacks(&self, began: &RoundBegan) -> Result<(), String> {
        let setup = self.setup();
        let mut stacks = began.tables.iter().flat_map(|table| &table.stacks);
        if !setup.format.carries_chips() {
            return if stacks.next().is_none() {
                Ok(())
            } else {
                Err("only a freezeout has stacks".to_owned())
            };
        }
        if began.tables.iter().any(|table| table.stacks.len() != table.seats.len()) {
            return Err("a table has as many stacks as seats".to_owned());
        }
        let (ante, buy_in) = (setup.ante_of(began.round), self.about.buy_in.unwrap_or_default());
        let cannot_be = |&&stack: &&u32| stack < ante || (began.round == 1 && stack != buy_in);
        if stacks.clone().any(|stack| cannot_be(&stack)) {
            return Err("somebody brings chips that they cannot have, or too few".to_owned());
        }
        let all: u64 = stacks.map(|&stack| u64::from(stack)).sum();
        if all > u64::from(buy_in) * self.entrants.len() as u64 {
            return Err("there are more chips than all brought at the start".to_owned());
        }
        Ok(())
    }
}

impl Pairing<'_> {
    /// The entrants who were in the last round and can pay for this one, in the order of the lots.
    pub(super) fn survivors(&self, last: &RoundBegan, game_results: &GameResults) -> Vec<u32> {
        let chips = self.tournament.chips(game_results);
        let ante = self.tournament.setup().ante_of(self.round);
        let mut here = self.there(&last.entrants().collect::<Vec<_>>());
        here.retain(|&entrant| chips[entrant as usize] >= ante);
        self.lots.sorted(here)
    }

    /// Whether these, in ascending order, can be the survivors of the last round, whatever the games brought.
    pub(super) fn may_survive(&self, last: &RoundBegan, players: &[u32]) -> bool {
        let mut here = self.there(&last.entrants().collect::<Vec<_>>());
        here.sort_unstable();
        players.len() >= self.least() && players.iter().all(|player| here.binary_search(player).is_ok())
    }
}
