//! What happens in Ricketts House Hearts, as one says it at the table.

use super::facts::Fact;
use super::moon::MoonChoice;
use super::passing::Passing;
use crate::rules::facts::{self, Mark, Names, cards, seen};

impl facts::Fact for Fact {
    fn mark(&self) -> Mark {
        match self {
            Fact::HandBegan { hand, .. } => Mark::HandBegan(*hand),
            Fact::HandEnded { hand, .. } => Mark::HandEnded(*hand),
            Fact::Scored { .. } => Mark::Result,
            _ => Mark::Detail,
        }
    }

    fn describe(&self, names: Names<'_>) -> String {
        let name = |seat: u8| names.of(seat);
        match self {
            Fact::HandBegan { dealer, passing, .. } => format!("{} deals; {}", name(*dealer), way(*passing)),
            Fact::Dealt { seat, cards } => format!("{} is dealt {}", name(*seat), seen(cards)),
            Fact::Passed { seat, cards } => format!("{} passes {}", name(*seat), seen(cards)),
            Fact::Received { seat, cards } => {
                let each: Vec<String> = cards
                    .iter()
                    .map(|received| format!("{} from {}", seen(&[received.card]), name(received.from)))
                    .collect();
                format!("{} receives {}", name(*seat), each.join(", "))
            }
            Fact::Played { seat, card } => format!("{} plays {}", name(*seat), cards(&[*card])),
            Fact::TrickTaken { seat, cards: trick, points } => {
                format!("{} takes {}, worth {points}", name(*seat), cards(trick))
            }
            Fact::MoonShot { seat } => format!("{} has shot the moon", name(*seat)),
            Fact::MoonChosen { seat, choice: MoonChoice::Minus } => {
                format!("{} takes 26 off its own score", name(*seat))
            }
            Fact::MoonChosen { seat, choice: MoonChoice::Plus } => {
                format!("{} puts 26 onto each of the others' scores", name(*seat))
            }
            Fact::Scored { seat, added, score } => {
                format!("{} scores {added:+} and has {score}", name(*seat))
            }
            Fact::Wrapped { seat, score } => {
                format!("{} has exactly {score}, and goes back to 0", name(*seat))
            }
            Fact::HandEnded { scores, .. } => format!("the scores: {}", names.with(scores)),
        }
    }
}

fn way(passing: Passing) -> &'static str {
    match passing {
        Passing::Left => "three cards go to the left",
        Passing::Right => "three cards go to the right",
        Passing::Across => "three cards go across",
        Passing::OneEach => "one card goes to each of the others",
        Passing::None => "nothing is passed",
    }
}
