//! What happens in Rituna's Favour, as one says it at the table.

use super::facts::{Fact, Why};
use crate::rules::cards::Card;
use crate::rules::facts::{self, Mark, Names, cards};

impl facts::Fact for Fact {
    fn mark(&self) -> Mark {
        match self {
            Fact::HandBegan { hand, .. } => Mark::HandBegan((*hand).into()),
            Fact::HandEnded { hand, .. } => Mark::HandEnded((*hand).into()),
            Fact::PotWon { .. } | Fact::PotReturned { .. } | Fact::Carried { .. } => Mark::Result,
            _ => Mark::Detail,
        }
    }

    fn describe(&self, names: Names<'_>) -> String {
        let name = |seat: &Option<u8>| seat.map_or("the house", |seat| names.of(seat));
        match self {
            Fact::Out { seat } => format!("{} cannot pay the charge and is out of the game", names.of(*seat)),
            Fact::HandBegan { dealer, .. } => format!("{} has the button", names.of(*dealer)),
            Fact::Charged { seat, chips } => format!("{} pays {chips}", name(seat)),
            Fact::Dealt { seat, cards: dealt } => format!("{} is dealt {}", name(seat), cards(dealt)),
            Fact::Kept { seat } => format!("{} keeps the two sevens", name(seat)),
            Fact::Returned { seat, cards: returned } => {
                format!("{} puts {} back under the deck", name(seat), cards(returned))
            }
            Fact::Redealt { seat, cards: dealt } => {
                format!("{} is dealt {} instead", name(seat), cards(dealt))
            }
            Fact::Split { seat, hands } => {
                let hands: Vec<String> = hands.iter().map(|hand| cards(hand)).collect();
                format!("{} splits the two sevens: {}", name(seat), hands.join(" and "))
            }
            Fact::Took { seat, split_hand: hand, card, total } => {
                format!("{} takes {}{}: {total}", name(seat), card.name(), second(*hand))
            }
            Fact::Stuck { seat, split_hand: hand, total } => {
                format!("{} sticks at {total}{}", name(seat), second(*hand))
            }
            Fact::Bust { seat, split_hand: hand, total } => {
                format!("{} is bust with {total}{}", name(seat), second(*hand))
            }
            Fact::Favour { seat } => format!("{} has Rituna's Favour", name(seat)),
            Fact::PotWon { seat, split_hand: hand, chips, why } => {
                format!("{} wins {chips}{}: {}", name(seat), second(*hand), reason(*why))
            }
            Fact::PotReturned { seat, chips } => format!("{} gets {chips}: all are bust", name(seat)),
            Fact::Carried { chips } => format!("{chips} wait for the next hand: all are bust"),
            Fact::HandEnded { stacks, .. } => format!("the stacks: {}", names.with(stacks)),
        }
    }
}

/// Which hand is meant, where that is not plain.
fn second(hand: u8) -> &'static str {
    if hand == 0 { "" } else { " (second hand)" }
}

fn reason(why: Why) -> &'static str {
    match why {
        Why::Favour => "two queens on the deal",
        Why::Total => "the highest total up to 24",
        Why::Queen => "of equal totals, one with a queen",
        Why::MoreCards => "of equal totals, more cards",
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::cards::{CardName, French};
    use super::*;

    #[test]
    fn facts_are_sentences_about_players() {
        let names = ["ann".to_owned(), "bob".to_owned()];
        let card = French::try_from(CardName::from("7H").unwrap()).unwrap();
        for (fact, said) in [
            (Fact::Took { seat: Some(0), split_hand: 0, card, total: 19 }, "ann takes 7H: 19"),
            (Fact::Bust { seat: Some(1), split_hand: 1, total: 26 }, "bob is bust with 26 (second hand)"),
            (
                Fact::Split { seat: None, hands: vec![vec![card], vec![card, card]] },
                "the house splits the two sevens: 7H and 7H 7H",
            ),
            (
                Fact::PotWon { seat: Some(0), split_hand: 0, chips: 20, why: Why::Queen },
                "ann wins 20: of equal totals, one with a queen",
            ),
            (Fact::HandEnded { hand: 1, stacks: vec![210, 190] }, "the stacks: ann 210, bob 190"),
        ] {
            assert_eq!(facts::Fact::describe(&fact, Names(&names)), said);
        }
    }
}
