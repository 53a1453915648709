//! The last three tricks of Ricketts House Hearts, with all hands that the others may hold.

use super::Options;
use super::cards::SEATS;
use super::state::{Phase, RickettsHearts};
use super::tricks::TRICKS;
use crate::rules::bot::Luck;
use crate::search::Worlds;
use crate::search::solved::{Reduced, reviews_agree};

const LEFT: usize = 3;

#[test]
fn reviews_of_the_last_tricks_of_hearts_agree_with_their_solution() {
    reviews_agree::<RickettsHearts>(&Options::default(), SEATS as u8, 40, |seen, _| {
        let known = RickettsHearts::known(seen);
        let tricks = known.tricks.as_ref()?;
        if tricks.taken.len() < TRICKS - LEFT || tricks.are_all_taken() {
            return None;
        }
        let hands = known.unseen.all(known.certain);
        let any = RickettsHearts::world(&known, &mut Luck::new(0));
        let worlds = hands.into_iter().map(|hands| {
            let mut world = any.clone();
            let Phase::Tricks(tricks) = &mut world.phase else { unreachable!("tricks are played") };
            tricks.deal.hands = hands;
            (world, 1.0)
        });
        Some(Reduced { seat: known.seat, worlds: worlds.collect(), known })
    });
}
