//! The sentences under "How to Play".

use super::*;

#[test]
fn the_deck_has_no_kings_and_stands_clubs_diamonds_hearts_spades() {
    let asked = table(2, 0, json!({})).asked();
    assert_eq!(asked.len(), 48);
    assert_eq!(asked[..13], cards("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC AD"));
    assert_eq!(asked[46..], cards("JS QS"));
    assert!(asked.iter().all(|card| !card.name().starts_with('K')));
}

#[test]
fn an_ace_counts_one_a_jack_eleven_a_queen_twelve_and_the_others_their_number() {
    let mut t = table(3, 2, json!({}));
    t.deal(&["AS JD", "QC 2H", "TD 9S"], "");
    assert_eq!([t.hand(0).total, t.hand(1).total, t.hand(2).total], [12, 14, 19]);
}

#[test]
fn every_seat_pays_the_charge_into_the_pot() {
    let mut t = table(3, 0, json!({"charge": 7, "buy_in": 50}));
    assert_eq!((t.stacks(), t.view().pot), (vec![50, 50, 50], 0));
    t.deal(&["2C 3C", "4C 5C", "6C 8C"], "");
    assert_eq!((t.stacks(), t.view().pot), (vec![43, 43, 43], 21));
}

#[test]
fn two_cards_are_dealt_one_at_a_time_from_the_left_of_the_dealer_who_is_last() {
    let mut t = table(3, 1, json!({}));
    t.shuffle("2C 3C 4C 5D 6D 8D");
    assert_eq!(t.hand(2).cards, cards("2C 5D"));
    assert_eq!(t.hand(0).cards, cards("3C 6D"));
    assert_eq!(t.hand(1).cards, cards("4C 8D"));
    assert_eq!(t.view().cards_left, 42);
}

#[test]
fn two_queens_as_dealt_take_the_pot_at_once() {
    let mut t = table(3, 0, json!({}));
    t.deal(&["2C 3C", "QC QS", "TC 9C"], "");
    assert_eq!(t.stacks(), [195, 195, 210]);
    assert_eq!(
        t.told("pot_won"),
        [json!({"type": "pot_won", "seat": 2, "split_hand": 0, "chips": 15, "why": "favour"})]
    );
    assert!(matches!(t.game.need(), Need::Shuffle(_)), "the hand is over");
}

#[test]
fn two_queens_are_the_dealers_favour_too() {
    let mut t = table(2, 0, json!({}));
    t.deal(&["TC 9C", "QD QH"], "");
    assert_eq!(t.stacks(), [205, 195]);
}

#[test]
fn queens_that_come_later_are_no_favour() {
    let mut t = table(2, 0, json!({}));
    t.deal(&["QC AC", "9C TC"], "QD");
    t.play(&[(1, "take")]);
    assert!(t.hand(1).bust, "25, and no pot");
    assert_eq!(t.view().pot, 10);
}

#[test]
fn each_seat_decides_clockwise_and_again_until_it_sticks_or_passes_24() {
    let mut t = table(4, 3, json!({}));
    t.deal(&["2C 3C", "TC 9C", "4C 5C", "6C 8C"], "2D 6D 3D QD");
    t.play(&[(0, "take"), (1, "take"), (2, "stick")]);
    assert!(t.hand(1).bust, "10 + 9 + 6");
    t.play(&[(0, "take")]);
    assert_eq!(t.hand(0).total, 10);
    t.play(&[(0, "stick"), (3, "stick")]);
    assert!(matches!(t.game.need(), Need::Shuffle(_)));
}

#[test]
fn a_total_of_exactly_24_is_not_over_and_decides_still() {
    let mut t = table(2, 0, json!({}));
    t.deal(&["TC 9C", "2C 3C"], "5D AD");
    t.play(&[(1, "take")]);
    assert_eq!((t.hand(1).total, t.hand(1).bust), (24, false));
    assert_eq!(t.to_act(), Some(1));
    t.play(&[(1, "take")]);
    assert_eq!((t.hand(1).total, t.hand(1).bust), (25, true));
}

#[test]
fn the_dealer_decides_alone_after_the_others_until_done() {
    let mut t = table(3, 0, json!({}));
    t.deal(&["TC 9C", "9D TD", "2C 3C"], "4D 5D 6D");
    t.play(&[(1, "stick"), (2, "stick"), (0, "take"), (0, "take"), (0, "take"), (0, "stick")]);
    assert_eq!(t.stacks(), [210, 195, 195], "20 against 19 and 19");
}

#[test]
fn the_total_closest_to_24_wins_and_one_above_does_not() {
    let mut t = table(3, 2, json!({}));
    t.deal(&["TC 9C", "TD 8D", "JC TH"], "6D 4C");
    t.play(&[(0, "take"), (1, "stick"), (2, "stick")]);
    assert_eq!(t.stacks(), [195, 195, 210], "25 is bust, 21 beats 18");
    assert_eq!(t.told("pot_won")[0]["why"], "total");
}

#[test]
fn of_equal_totals_the_one_with_a_queen_wins_even_against_more_cards() {
    let mut t = table(2, 0, json!({}));
    t.deal(&["QC 8D", "8C 3C"], "9H");
    t.play(&[(1, "stick"), (0, "take"), (0, "stick")]);
    assert_eq!(t.stacks(), [195, 205], "20 of two cards and 20 of three");
    assert_eq!(t.told("pot_won")[0]["why"], "queen");
}

#[test]
fn still_equal_more_cards_win() {
    let mut t = table(2, 0, json!({}));
    t.deal(&["TC 9C", "8C 5C"], "6D");
    t.play(&[(1, "stick"), (0, "take"), (0, "stick")]);
    assert_eq!(t.stacks(), [205, 195], "19 of three cards, 19 of two");
    assert_eq!(t.told("pot_won")[0]["why"], "more_cards");
}

#[test]
fn two_queens_in_one_hand_are_no_more_than_one_in_a_tie() {
    let mut t = table(2, 0, json!({"kings": "worthless"}));
    t.deal(&["QC KC", "QD 8D"], "QH 4D");
    t.play(&[(1, "take"), (1, "stick"), (0, "take"), (0, "stick")]);
    assert_eq!(t.stacks(), [200, 200], "Q K Q and Q 8 4: 24, a queen, three cards");
}

#[test]
fn what_no_tie_break_settles_is_split() {
    let mut t = table(3, 0, json!({"charge": 4}));
    t.deal(&["TC 9C", "TD 9D", "2C 3C"], "");
    t.all_stick();
    assert_eq!(t.stacks(), [196, 202, 202]);
}

#[test]
fn two_to_ten_can_play() {
    assert_eq!(RitunasFavour::SEATS, 2..=10);
    let mut t = table(10, 9, json!({"dealer": "house"}));
    t.shuffle("");
    assert_eq!(t.view().cards_left, 26, "ten seats and the house have two cards each");
}
