//! Cards that are passed in Hearts, as each player reads them in the log.

use cardroom_core::log::entry::Entry;
use cardroom_core::rules::{Facts, registry};
use cardroom_core::table::decide::HashedEntry;
use cardroom_core::table::projection::{LogProjection, Reader};
use serde_json::Value;
use uuid::Uuid;

use crate::table::{Dice, act, actor, at, menu_action, seed, started};

/// By the seat that passed: the seats that read all of its cards. Everybody else reads none.
fn readers(log: &[HashedEntry]) -> Vec<(u8, Vec<u8>)> {
    let mut readers: Vec<(u8, Vec<u8>)> = Vec::new();
    for reader in 0..4 {
        let account = actor(u128::from(reader));
        let entries = log.iter().map(|sealed| (Entry::parse(&sealed.text).unwrap(), sealed.hash)).collect();
        let viewer = Reader::Viewer(Some(&account));
        let read = LogProjection::of(Uuid::from_u128(99), seed(), entries, &viewer, Facts::ignored).unwrap();
        for entry in read.into_log() {
            let data: Value = serde_json::from_str(entry.data.get()).unwrap();
            let Some(cards) = data["action"]["cards"].as_array() else { continue };
            let passer = entry.seat.unwrap();
            if readers.iter().all(|(seat, _)| *seat != passer) {
                readers.push((passer, Vec::new()));
            }
            let known = cards.iter().filter(|card| !card.is_null()).count();
            assert!(known == 0 || known == 3, "all three or none: {cards:?}");
            let (_, seats) = readers.iter_mut().find(|(seat, _)| *seat == passer).unwrap();
            seats.extend((known == 3).then_some(reader));
        }
    }
    readers
}

#[test]
fn a_receiver_reads_the_cards_in_the_log_once_all_have_passed() {
    let (mut table, mut log) = started(registry::by_name("ricketts_hearts").unwrap(), 4);
    let mut passed = 0;
    while passed < 4 {
        let seat = table.to_act().iter().next().unwrap();
        let action = menu_action(&table, seat, &mut Dice(5));
        let step = table.decide(&actor(u128::from(seat)), &act(action), at(100 + passed)).unwrap();
        table = step.table;
        log.extend(step.entries);
        passed += 1;
        for (passer, seats) in readers(&log) {
            // In the first hand, cards go to the left.
            let receiver = (passer + 1) % 4;
            let mut expected = if passed < 4 { vec![passer] } else { vec![passer, receiver] };
            expected.sort_unstable();
            assert_eq!(seats, expected, "of the cards that {passer} passed");
        }
    }
}
