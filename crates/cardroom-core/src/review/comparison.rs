//! A hand beside the same hand at the other tables of a duplicate round: what each seat made of the cards, and what others
//! did where they saw the same.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{DECISIONS, TakenDecision, decision};
use crate::bots::Observation;
use crate::log::Hex32;
use crate::log::entry::{Entry, Event};
use crate::log::fairness::Seed;
use crate::review::estimates::rounded;
use crate::rules::facts::{Facts, Mark};
use crate::rules::registry::AnyFacts;
use crate::table::{Fault, Table};

/// What a view tells of the hands before, of scores, and of who has acted already where several act at once: all of that can
/// differ from table to table where the cards do not.
const OUTSIDE_THE_HAND: [&str; 8] =
    ["last_hand", "stack", "score", "total", "hands_won", "carried", "bank", "to_pick"];

/// A hand that was played to its end at one of the tables.
#[derive(Debug)]
pub struct PlayedHand {
    game: Uuid,
    hand: u32,
    players: Vec<String>,
    /// What the deal told: the dealer, and each seat's cards.
    dealt: Vec<String>,
    /// By how much the hand changed the stack, score or total of each seat.
    scores: Vec<i64>,
    decisions: Vec<Position>,
}

/// A decision, and a digest of what the seat saw of the hand.
#[derive(Debug)]
struct Position {
    seq: u32,
    seat: u8,
    digest: [u8; 32],
    taken: Box<RawValue>,
}

/// A hand beside the same hand at other tables.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct HandComparison {
    /// From 1.
    pub hand: u32,
    /// The tables that were dealt the same cards in this hand and have played it to its end, this one first.
    pub tables: Vec<ComparedTable>,
    /// How many tables of the round were not looked at.
    pub tables_left_out: u32,
    /// In order: the decisions of this table, of the first 500, for which the same seat elsewhere saw the same: its cards, what
    /// lies open, and what each has put in. How it came to that may differ, and so may scores, stacks and what is carried over.
    pub decisions: Vec<ComparedDecision>,
}

/// What a table made of the hand.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ComparedTable {
    pub game: Uuid,
    /// Seat 0 first.
    pub seats: Vec<ComparedSeat>,
}

/// What a seat made of the hand.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ComparedSeat {
    pub seat: u8,
    pub player: String,
    /// By how much the hand changed its stack, score or total.
    pub score: i64,
}

/// A decision, and how the same was decided elsewhere.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ComparedDecision {
    /// The entry of this table's log.
    pub seq: u32,
    pub seat: u8,
    pub player: String,
    /// What the seat did at this table.
    #[schema(value_type = Object)]
    pub taken: Box<RawValue>,
    /// What was done where a seat saw the same, here included: the most frequent first.
    pub choices: Vec<Choice>,
}

/// An action, and at how many tables it was taken.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ComparedChoice)]
pub struct Choice {
    #[schema(value_type = Object)]
    pub action: Box<RawValue>,
    pub tables: u32,
    /// The mean of what the hand brought the seat at these tables.
    pub score_mean: f64,
}

impl PlayedHand {
    /// A hand of a game, by the game's log up to the end of that hand at least; none where the hand was not played to its end.
    ///
    /// # Errors
    /// [`Fault`] where the log does not follow from the seed.
    pub fn of(
        id: Uuid,
        seed: Seed,
        log: Vec<(Entry, Hex32)>,
        hand: u32,
    ) -> Result<Option<PlayedHand>, Fault> {
        let mut log = log.into_iter();
        let mut table = Table::replay(id, seed, log.next())?;
        let mut running: Option<PlayedHand> = None;
        for (entry, hash) in log {
            if let Some(played) = running.as_mut().filter(|played| played.decisions.len() < DECISIONS) {
                played.decisions.extend(decision(&table, &entry).map(Position::of));
            }
            let is_chance = matches!(entry.event, Event::Chance(_));
            let before = if is_chance { table.scores() } else { None };
            let mut facts = Facts::kept();
            table.evolve_telling(&entry, hash, &mut facts)?;
            let begins = facts.iter().any(|fact| fact.mark() == Mark::HandBegan(hand));
            if let (true, Some(scores)) = (begins, before) {
                let (players, dealt) = (table.names(), dealt(&facts));
                running = Some(PlayedHand { game: id, hand, players, dealt, scores, decisions: Vec::new() });
            }
            let Some(ended) = table.hand_result(facts).filter(|ended| ended.hand == hand) else { continue };
            return Ok(running.map(|mut played| {
                for (score, after) in played.scores.iter_mut().zip(ended.scores) {
                    *score = after - *score;
                }
                played
            }));
        }
        Ok(None)
    }

    /// What the hand brought a seat.
    fn score(&self, seat: u8) -> i64 {
        self.scores.get(usize::from(seat)).copied().unwrap_or_default()
    }

    fn table(&self) -> ComparedTable {
        let seat = |((seat, player), score): ((u8, &String), &i64)| ComparedSeat {
            seat,
            player: player.clone(),
            score: *score,
        };
        ComparedTable {
            game: self.game,
            seats: (0..).zip(&self.players).zip(&self.scores).map(seat).collect(),
        }
    }
}

impl Position {
    fn of(made: TakenDecision) -> Position {
        let TakenDecision { seq, seen, taken } = made;
        Position { seq, seat: seen.seat, digest: digest(&seen), taken }
    }
}

impl HandComparison {
    /// Compares a hand with what other tables of the round have played; those with other cards do not count.
    pub fn of(own: &PlayedHand, others: &[PlayedHand], tables_left_out: u32) -> HandComparison {
        let alike: Vec<&PlayedHand> = others.iter().filter(|other| own.dealt == other.dealt).collect();
        let mut elsewhere: HashMap<_, Vec<(&PlayedHand, &Position)>> = HashMap::new();
        for played in &alike {
            for position in &played.decisions {
                let same = elsewhere.entry((position.seat, position.digest)).or_default();
                // A table counts once, though a seat may see the same again.
                if same.last().is_none_or(|(last, _)| last.game != played.game) {
                    same.push((played, position));
                }
            }
        }
        let compared = |position: &Position| {
            let same = elsewhere.get(&(position.seat, position.digest))?;
            let all = [(own, position)].into_iter().chain(same.iter().copied());
            Some(ComparedDecision {
                seq: position.seq,
                seat: position.seat,
                player: own.players[usize::from(position.seat)].clone(),
                taken: position.taken.clone(),
                choices: choices(all),
            })
        };
        HandComparison {
            hand: own.hand,
            tables: [own].into_iter().chain(alike.iter().copied()).map(PlayedHand::table).collect(),
            tables_left_out,
            decisions: own.decisions.iter().filter_map(compared).collect(),
        }
    }
}

/// What a deal tells of the cards: the dealer, whose left is dealt first, and what each seat gets. Antes are left out.
fn dealt(facts: &AnyFacts) -> Vec<String> {
    let told = facts.iter().map(|fact| (fact.mark(), fact.json()));
    let of_cards = told.filter(|(mark, json)| {
        matches!(mark, Mark::HandBegan(_))
            || json.get().contains(r#""card":"#)
            || json.get().contains(r#""cards":"#)
    });
    of_cards.map(|(_, json)| json.get().to_owned()).collect()
}

/// The actions that were taken, and what the hand brought those who took them.
fn choices<'a>(taken: impl Iterator<Item = (&'a PlayedHand, &'a Position)>) -> Vec<Choice> {
    let mut sums: Vec<(&RawValue, u32, i64)> = Vec::new();
    for (played, position) in taken {
        let score = played.score(position.seat);
        match sums.iter_mut().find(|(action, ..)| action.get() == position.taken.get()) {
            Some((_, tables, sum)) => (*tables, *sum) = (*tables + 1, *sum + score),
            None => sums.push((&position.taken, 1, score)),
        }
    }
    // Equal ones stay in the order of the tables.
    sums.sort_by_key(|(_, tables, _)| std::cmp::Reverse(*tables));
    let choice = |(action, tables, sum): (&RawValue, u32, i64)| Choice {
        action: action.to_owned(),
        tables,
        score_mean: rounded(sum as f64 / f64::from(tables)),
    };
    sums.into_iter().map(choice).collect()
}

/// A digest of what a seat sees of the hand.
fn digest(seen: &Observation) -> [u8; 32] {
    let mut view: Value = serde_json::from_str(seen.view.get()).expect("a view is JSON");
    forget(&mut view);
    Sha256::digest(view.to_string()).into()
}

/// Removes what does not belong to the hand, and cards that the seat does not see.
fn forget(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !OUTSIDE_THE_HAND.contains(&name.as_str()));
            fields.values_mut().for_each(forget);
        }
        Value::Array(items) => {
            items.retain(|item| !item.is_null());
            items.iter_mut().for_each(forget);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::to_raw_value;

    use super::*;
    use crate::rules::bot::{Luck, Menu};
    use crate::rules::game::{Chance, Game, Need};
    use crate::rules::registry::AnyGame;
    use crate::rules::ricketts_hearts::RickettsHearts;

    /// What seat 2 sees after these seats have passed cards on.
    fn seen_after(passes: &[u8], luck: u64) -> Observation {
        let options = <RickettsHearts as Game>::Options::default();
        let written = to_raw_value(&options).unwrap();
        let mut game = RickettsHearts::new(options, 4).unwrap();
        while !matches!(Game::need(&game), Need::Players(_)) {
            let drawn = match Game::need(&game) {
                Need::Shuffle(mut cards) => {
                    Luck::new(luck).shuffle(&mut cards);
                    Chance::Shuffle(cards)
                }
                _ => Chance::Pick(0),
            };
            Game::chance(&mut game, drawn, &mut Facts::ignored());
        }
        for &seat in passes {
            let action =
                Menu::of(&game.at_seat(seat, &written).legal_actions).any(&mut Luck::new(luck)).to_string();
            game.play(seat, &action, &mut Facts::ignored()).unwrap();
        }
        game.at_seat(2, &written)
    }

    #[test]
    fn a_table_counts_once_though_a_seat_sees_the_same_twice() {
        let position = |seq, taken: &str| {
            let taken = to_raw_value(taken).unwrap();
            Position { seq, seat: 0, digest: [7; 32], taken }
        };
        let played = |game, scores: [i64; 1], decisions| PlayedHand {
            game: Uuid::from_u128(game),
            hand: 1,
            players: vec!["ana".to_owned()],
            dealt: Vec::new(),
            scores: scores.to_vec(),
            decisions,
        };
        let own = played(1, [3], vec![position(5, "wait"), position(9, "go")]);
        let other = played(2, [1], vec![position(4, "wait"), position(6, "go")]);
        let compared = HandComparison::of(&own, &[other], 0);
        let told = |decision: &ComparedDecision| {
            let choices = decision.choices.iter();
            let of = |choice: &Choice| (choice.action.get().to_owned(), choice.tables, choice.score_mean);
            (decision.seq, choices.map(of).collect::<Vec<_>>())
        };
        let (wait, go) = (r#""wait""#.to_owned(), r#""go""#.to_owned());
        assert_eq!(told(&compared.decisions[0]), (5, vec![(wait.clone(), 2, 2.0)]));
        assert_eq!(told(&compared.decisions[1]), (9, vec![(go, 1, 3.0), (wait, 1, 1.0)]));
    }

    #[test]
    fn a_position_is_the_same_whoever_else_has_passed_and_another_with_other_cards() {
        let seen = seen_after(&[], 1);
        for passes in [&[0][..], &[1, 3], &[3, 0, 1]] {
            let later = seen_after(passes, 1);
            assert_ne!(seen.view.get(), later.view.get());
            assert_eq!(digest(&seen), digest(&later));
        }
        assert_ne!(digest(&seen), digest(&seen_after(&[], 2)));
    }
}
