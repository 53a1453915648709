//! Reviews for a player to read.

use std::fmt::Write;

use serde_json::Value;
use serde_json::value::RawValue;

use super::comparison::{ComparedDecision, HandComparison};
use super::{ActionWorth, Decision, GameReview, Review, SeatReview, SeatTotal};

impl Review {
    /// The review for a player to read.
    pub fn text(&self) -> String {
        let mut text = format!(
            "Review of hand {}: each action was tried in {} worlds that fit what the seat knew.\n\
             A worth says how well the seat stands, from 0 to 100, with a standard error; a chance is about how likely it \
             was to win, in percent.\n",
            self.hand, self.worlds
        );
        let mut line = |line: String| writeln!(text, "{line}").expect("a string takes all that is written");
        for SeatReview { player, before, dealt, after, luck, luck_error, cost, cost_error, .. } in &self.seats
        {
            let [before, dealt, after] = [before, dealt, after].map(|worth| percent(*worth));
            let luck = format!("{} ± {}", signed(*luck), percent(*luck_error));
            let cost = format!("{} ± {}", percent(*cost), percent(*cost_error));
            line(format!(
                "  {player}: chance {before} before the deal, {dealt} with these cards ({luck}), {after} after the hand; own \
                 decisions cost {cost}"
            ));
        }
        for decision in &self.decisions {
            let Decision { seq, player, cost, cost_error, .. } = decision;
            let verdict = if *cost == 0.0 {
                "as good as any".to_owned()
            } else {
                let doubt = if decision.is_mistake { "" } else { ", which may be chance" };
                format!("cost {} ± {}{doubt}", percent(*cost), percent(*cost_error))
            };
            line(format!("  entry {seq}, {player}: {}: {verdict}", in_words(&decision.taken)));
            for ActionWorth { action, worth, worth_error: error } in &decision.actions {
                line(format!("    {} {} ± {}", in_words(action), percent(*worth), percent(*error)));
            }
        }
        if self.actions_left_out > 0 {
            line(format!("  {} more actions were not reviewed", self.actions_left_out));
        }
        text
    }
}

impl GameReview {
    /// The totals for a player to read.
    pub fn text(&self) -> String {
        let mut text = format!(
            "Review of {} hands: how much better or worse a seat stood by them, of 100, with standard errors\n",
            self.hands
        );
        for SeatTotal { player, luck, luck_error, cost, cost_error, decisions, mistakes, .. } in &self.seats {
            let (luck, luck_error) = (signed(*luck), percent(*luck_error));
            let (cost, cost_error) = (percent(*cost), percent(*cost_error));
            writeln!(
                text,
                "  {player}: luck {luck} ± {luck_error}; own decisions cost {cost} ± {cost_error}; {mistakes} mistakes in \
                 {decisions} decisions"
            )
            .expect("a string takes all that is written");
        }
        if self.hands_left_out > 0 {
            writeln!(text, "  {} more hands were not reviewed", self.hands_left_out)
                .expect("a string takes all that is written");
        }
        text
    }
}

impl HandComparison {
    /// The comparison for a player to read.
    pub fn text(&self) -> String {
        let mut text = format!(
            "Hand {} at the tables with the same cards ({}): what it brought each seat\n",
            self.hand,
            self.tables.len()
        );
        let mut line = |line: String| writeln!(text, "{line}").expect("a string takes all that is written");
        for table in &self.tables {
            let seats: Vec<String> =
                table.seats.iter().map(|seat| format!("{} {:+}", seat.player, seat.score)).collect();
            line(format!("  {}", seats.join(", ")));
        }
        for ComparedDecision { seq, player, taken, choices, .. } in &self.decisions {
            line(format!("  entry {seq}, {player}: {}; all who saw the same:", in_words(taken)));
            for choice in choices {
                let (tables, score) = (choice.tables, choice.score_mean);
                line(format!("    {}: at {tables}, {score:+} in the mean", in_words(&choice.action)));
            }
        }
        if self.tables_left_out > 0 {
            line(format!("  {} more tables were not looked at", self.tables_left_out));
        }
        text
    }
}

fn percent(worth: f64) -> String {
    format!("{:.1}", worth * 100.0)
}

fn signed(worth: f64) -> String {
    format!("{:+.1}", worth * 100.0)
}

/// An action as one would say it: `raise, chips 5`.
fn in_words(action: &RawValue) -> String {
    let read: Value = serde_json::from_str(action.get()).expect("an action is JSON");
    let plain = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
            .collect::<Vec<_>>()
            .join(" "),
        other => other.to_string(),
    };
    let mut words = read["type"].as_str().unwrap_or_default().replace('_', " ");
    for (name, value) in read.as_object().into_iter().flatten().filter(|(name, _)| *name != "type") {
        write!(words, ", {} {}", name.replace('_', " "), plain(value))
            .expect("a string takes all that is written");
    }
    words
}
