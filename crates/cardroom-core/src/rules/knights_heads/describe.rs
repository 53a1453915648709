//! What happens in Knights' Heads, as one says it at the table.

use super::facts::{Fact, Shown};
use crate::rules::betting::pot_name;
use crate::rules::facts::{self, Mark, Names, cards, seen};

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
        let name = |seat: u8| names.of(seat);
        match self {
            Fact::Out { seat } => format!("{} cannot pay the ante and is out of the game", name(*seat)),
            Fact::HandBegan { dealer, .. } => format!("{} deals", name(*dealer)),
            Fact::Anted { seat, chips } => format!("{} antes {chips}", name(*seat)),
            Fact::Dealt { seat, cards } => format!("{} is dealt {}", name(*seat), seen(cards)),
            Fact::Passed { seat } => format!("{} passes", name(*seat)),
            Fact::Bet { seat, by } => format!("{} bets {by}", name(*seat)),
            Fact::Matched { seat, chips } => format!("{} matches and puts in {chips}", name(*seat)),
            Fact::Raised { seat, by, chips } => format!("{} raises by {by} and puts in {chips}", name(*seat)),
            Fact::Called { seat, chips } => format!("{} puts in {chips} and calls for cards", name(*seat)),
            Fact::Folded { seat } => format!("{} folds", name(*seat)),
            Fact::RabblePicked { seat, cards } => format!("{} gives {} as rabble", name(*seat), seen(cards)),
            Fact::RabbleReceived { seat, from, cards } => {
                format!("{} gets {} as rabble from {}", name(*seat), seen(cards), name(*from))
            }
            Fact::LuckDealt { seat, card } => format!("{} is dealt {} for luck", name(*seat), seen(&[*card])),
            Fact::UnmatchedReturned { seat, chips } => {
                format!("{} takes back {chips} that nobody has matched", name(*seat))
            }
            Fact::Shown(shown) => format!("{} shows {}", name(shown.seat), hand(shown)),
            Fact::PotWon { pot, seat, chips, words, .. } => {
                format!("{} wins {chips} from {}: {words}", name(*seat), pot_name(*pot))
            }
            Fact::PotReturned { pot, seat, chips } => {
                format!("{} gets {chips} from {}: nobody has a valid hand", name(*seat), pot_name(*pot))
            }
            Fact::Carried { pot, chips } => {
                format!("{chips} in {} wait for the next hand: nobody has a valid hand", pot_name(*pot))
            }
            Fact::HandEnded { stacks, .. } => format!("the stacks: {}", names.with(stacks)),
        }
    }
}

fn hand(shown: &Shown) -> String {
    let made = format!("{}: {}", cards(&shown.cards), shown.words);
    match shown.courts_of_knights {
        0 => made,
        1 => format!("{made}, with a court of knights"),
        courts => format!("{made}, with {courts} courts of knights"),
    }
}
