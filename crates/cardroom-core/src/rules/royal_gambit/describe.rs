//! What happens in Royal Gambit, as one says it at the table.

use super::facts::{Cause, Fact, Stage};
use crate::rules::cards::Card;
use crate::rules::facts::{self, Mark, Names};

impl facts::Fact for Fact {
    fn mark(&self) -> Mark {
        match self {
            Fact::HandBegan { hand, .. } => Mark::HandBegan(*hand),
            Fact::HandEnded { hand, .. } => Mark::HandEnded(*hand),
            Fact::Stayed { .. } | Fact::Bust { .. } => Mark::Result,
            _ => Mark::Detail,
        }
    }

    fn describe(&self, names: Names<'_>) -> String {
        let name = |seat: u8| names.of(seat);
        match self {
            Fact::HandBegan { stage, dealer, seats, .. } => {
                let players: Vec<&str> = seats.iter().map(|&seat| name(seat)).collect();
                format!("{} deals {}to {}", name(*dealer), occasion(*stage), players.join(", "))
            }
            Fact::Flipped { seat, card, why } => {
                format!("{} {} {}", name(*seat), flips(*why), card.name())
            }
            Fact::Pardoned { seat, queen, card } => {
                format!("{} is pardoned: {} goes with {}", name(*seat), queen.name(), card.name())
            }
            Fact::Bust { seat } => format!("{} is bust", name(*seat)),
            Fact::Given { from, to, card } => {
                format!("{} gives {} to {}", name(*from), card.name(), name(*to))
            }
            Fact::Kept { seat, card } => {
                format!("{} keeps {}: nobody can be given it", name(*seat), card.name())
            }
            Fact::Spied { by, on } if by == on => format!("{} takes the two flips", name(*on)),
            Fact::Spied { by, on } => format!("{} makes {} flip two cards", name(*by), name(*on)),
            Fact::Blocked { seat } => format!("{} can send the jack to nobody", name(*seat)),
            Fact::Lapsed { seat, flips } => format!("{} need not flip {flips} more", name(*seat)),
            Fact::Stayed { seat, score, total } => {
                format!("{} stays for {score}: {total} in all", name(*seat))
            }
            Fact::HandEnded { totals, .. } => format!("the totals: {}", names.with(totals)),
        }
    }
}

fn occasion(stage: Stage) -> &'static str {
    match stage {
        Stage::Ordinary => "",
        Stage::Extra => "the extra hand ",
        Stage::Tie => "to break the tie, ",
    }
}

fn flips(why: Cause) -> &'static str {
    match why {
        Cause::Hit => "hits:",
        Cause::AutoHit => "has nothing to lose and hits:",
        Cause::Jack => "flips for the jack:",
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
            (
                Fact::HandBegan { hand: 2, stage: Stage::Extra, dealer: 0, seats: vec![0, 1] },
                "ann deals the extra hand to ann, bob",
            ),
            (Fact::Flipped { seat: 1, card, why: Cause::Jack }, "bob flips for the jack: 7H"),
            (Fact::Given { from: 1, to: 0, card }, "bob gives 7H to ann"),
            (Fact::Spied { by: 0, on: 1 }, "ann makes bob flip two cards"),
            (Fact::Stayed { seat: 1, score: 8, total: 20 }, "bob stays for 8: 20 in all"),
        ] {
            assert_eq!(facts::Fact::describe(&fact, Names(&names)), said);
        }
    }
}
