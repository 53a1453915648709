//! What happens in Sevens, as one says it at the table.

use super::facts::{Fact, Why};
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
            Fact::Dealt { seat, cards: dealt } => format!("{} is dealt {}", name(*seat), seen(dealt)),
            Fact::Checked { seat } => format!("{} checks", name(*seat)),
            Fact::Called { seat, chips } => format!("{} calls and puts in {chips}", name(*seat)),
            Fact::Raised { seat, by, chips } => format!("{} raises by {by} and puts in {chips}", name(*seat)),
            Fact::Folded { seat } => format!("{} folds", name(*seat)),
            Fact::Traded { seat, discarded, drawn } => {
                let (discarded, drawn) = (seen(discarded), seen(drawn));
                format!("{} trades {discarded} for {drawn}", name(*seat))
            }
            Fact::UnmatchedReturned { seat, chips } => {
                format!("{} takes back {chips} that nobody has matched", name(*seat))
            }
            Fact::Shown { seat, cards: shown, total } => {
                format!("{} shows {}: {total}", name(*seat), cards(shown))
            }
            Fact::PotWon { pot, seat, chips, why } => {
                format!("{} wins {chips} from {}: {}", name(*seat), pot_name(*pot), reason(*why))
            }
            Fact::PotReturned { pot, seat, chips } => {
                format!("{} gets {chips} from {}: {}", name(*seat), pot_name(*pot), reason(Why::Returned))
            }
            Fact::Carried { pot, chips } => {
                format!("{chips} in {} wait for the next hand: {}", pot_name(*pot), reason(Why::Carried))
            }
            Fact::HandEnded { stacks, .. } => format!("the stacks: {}", names.with(stacks)),
        }
    }
}

fn reason(why: Why) -> &'static str {
    match why {
        Why::AllFolded => "all others have folded",
        Why::Total => "the highest total up to seven",
        Why::OneSuit => "of equal totals, more cards of one suit",
        Why::Returned | Why::Carried => "everybody is over seven",
    }
}
