//! Rulings on which seats get which chips.

use super::betting::second_hand;
use super::*;

/// What each pot of the last hand came to: its chips, and the shares of it.
fn pots(t: &Table) -> Vec<(u64, Vec<(u8, u64)>)> {
    let shares =
        |pot: &cardroom_core::rules::sevens::PotView| pot.shares.iter().map(|s| (s.seat, s.chips)).collect();
    t.last_hand().pots.iter().map(|pot| (pot.chips, shares(pot))).collect()
}

fn whys(t: &Table) -> Vec<Value> {
    t.last_hand().pots.iter().map(|pot| json!(pot.why)).collect()
}

#[test]
fn each_side_pot_goes_to_the_best_of_those_who_contest_it() {
    // Seats 1, 2, 0: 6, 5 and 7.
    let mut t = second_hand(&["1C 2C 3C", "1G 2G 2S", "1S 2S 4G"], json!({}));
    t.play(&[(1, "raise 5"), (2, "call"), (0, "check")]);
    assert_eq!(pots(&t), [(15, vec![(0, 15)]), (10, vec![(1, 10)])]);
    assert_eq!(t.last_hand().pots[1].seats, [1, 2]);
    assert_eq!(t.stacks(), [15, 40, 5]);
}

#[test]
fn a_side_pot_that_nobody_qualifies_for_is_split_by_those_who_contested_it() {
    let mut t = second_hand(&[OVER[0], OVER[1], "1S 2S 4G"], json!({}));
    t.play(&[(1, "raise 5"), (2, "call"), (0, "check")]);
    assert_eq!(pots(&t), [(15, vec![(0, 15)]), (10, vec![(1, 5), (2, 5)])]);
    assert_eq!(whys(&t), ["total", "returned"]);
    assert_eq!(t.stacks(), [15, 35, 10]);
}

#[test]
fn or_it_is_carried_into_the_next_hands_main_pot_for_all_who_contest_that() {
    let mut t = second_hand(&[OVER[0], OVER[1], "1S 2S 4G"], json!({"no_winner": "carry"}));
    t.play(&[(1, "raise 5"), (2, "call"), (0, "check")]);
    assert_eq!(t.told("carried"), [json!({"type": "carried", "pot_number": 1, "chips": 10})]);
    assert_eq!(pots(&t), [(15, vec![(0, 15)]), (10, vec![])]);
    assert_eq!((t.stacks(), t.view().carried), (vec![15, 30, 5], 10));
    // Seats 2, 0, 1: seat 0, which had no part in that pot, has the best hand.
    t.deal(&["1C 1G 1S", "1C 2C 4C", OVER[1]], "");
    assert_eq!((t.view().pot, t.view().carried), (15, 10));
    t.all_check();
    assert_eq!(pots(&t), [(25, vec![(0, 25)])]);
    assert_eq!((t.stacks(), t.view().carried), (vec![35, 25, 0], 0));
}

#[test]
fn a_pot_that_nobody_wins_twice_is_carried_twice() {
    let mut t = table(2, 1, json!({"no_winner": "carry"}));
    t.deal(&OVER[..2], "");
    t.all_check();
    t.deal(&OVER[..2], "");
    t.all_check();
    assert_eq!((t.stacks(), t.view().carried), (vec![190, 190], 20));
    t.deal(&["1C 1G 1S", OVER[1]], "");
    t.fold(1);
    assert_eq!(t.stacks(), [215, 185], "without a show it is won as well");
}

#[test]
fn a_pot_that_one_seat_alone_contests_has_to_be_qualified_for_too() {
    for (no_winner, stacks, carried) in [("split", [15, 45, 0], 0), ("carry", [15, 25, 0], 20)] {
        // Seat 2 raises over seat 1 and leaves: what it put in above seat 0 is for seat 1 alone.
        let mut t = second_hand(&[OVER[0], OVER[1], "1S 2S 4G"], json!({"no_winner": no_winner}));
        t.play(&[(1, "raise 5"), (2, "raise 5")]);
        t.fold(2);
        t.play(&[(0, "check"), (1, "call")]);
        assert_eq!(t.last_hand().pots[1].seats, [1]);
        assert_eq!(t.stacks(), stacks, "{no_winner}");
        assert_eq!(t.view().carried, carried, "{no_winner}");
    }
}

#[test]
fn unmatched_chips_go_back_to_a_seat_that_is_in() {
    let mut t = second_hand(&["6C 6C 6G", "1G 2G 3G", "1S 1S 1G"], json!({}));
    t.play(&[(1, "raise 35"), (2, "call"), (0, "check")]);
    assert_eq!(t.told("unmatched_returned"), [json!({"type": "unmatched_returned", "seat": 1, "chips": 25})]);
    assert_eq!(t.last_hand().unmatched.map(|back| (back.seat, back.chips)), Some((1, 25)));
    assert_eq!(pots(&t), [(15, vec![(2, 15)]), (20, vec![(2, 20)])]);
    assert_eq!(t.stacks(), [0, 25, 35]);
}

#[test]
fn unmatched_chips_of_a_seat_that_folded_are_won() {
    let mut t = table(3, 2, json!({}));
    t.shuffle("");
    t.play(&[(0, "raise 20")]);
    t.fold(0);
    t.play(&[(1, "fold")]);
    assert!(t.told("unmatched_returned").is_empty());
    assert_eq!(t.stacks(), [175, 195, 230]);
}

#[test]
fn the_last_seat_that_is_in_wins_without_showing_whatever_it_holds() {
    let mut t = table(2, 1, json!({}));
    t.deal(&["6C 6G 6S", "1C 2C 4C"], "");
    t.play(&[(0, "raise 10"), (1, "fold")]);
    assert_eq!(t.stacks(), [205, 195]);
    assert!(t.told("shown").is_empty() && t.last_hand().shown.is_empty());
    assert_eq!(pots(&t), [(10, vec![(0, 10)])]);
    assert_eq!(whys(&t), ["all_folded"]);
}

#[test]
fn odd_chips_go_clockwise_from_the_left_of_the_dealer() {
    for (dealer, stacks) in [(2, [195, 203, 202]), (1, [195, 202, 203])] {
        let mut t = table(3, dealer, json!({}));
        let hands = ["1G 1S 1G", "1C 2C 4G", "2S 2S 3C"];
        let dealt: Vec<&str> = (1..=3).map(|step| hands[(usize::from(dealer) + step) % 3]).collect();
        t.deal(&dealt, "");
        t.all_check();
        assert_eq!(t.stacks(), stacks, "15 between seats 1 and 2");
    }
}

#[test]
fn a_pot_that_nobody_wins_is_split_between_those_who_contested_it_and_not_who_folded() {
    let mut t = table(3, 2, json!({}));
    t.deal(&["1C 2C 4C", OVER[1], "2C 3C 5S"], "");
    t.play(&[(0, "fold"), (1, "check"), (2, "check")]);
    assert_eq!(t.told("pot_won"), Vec::<Value>::new());
    assert_eq!(t.told("pot_returned").len(), 2);
    assert_eq!(t.stacks(), [195, 203, 202]);
}

#[test]
fn a_seat_without_chips_contests_the_main_pot_even_when_that_is_empty() {
    let mut t = table(2, 1, json!({"ante": 0, "buy_in": 10}));
    t.deal(&["1C 2C 4C", "1G 1S 1G"], "");
    t.play(&[(0, "raise 10"), (1, "call")]);
    assert_eq!(t.stacks(), [20, 0]);
    // Nobody is out where nothing is to be paid. Seats 1, 0.
    t.deal(&["1C 2C 4C", "1G 1S 1G"], "");
    assert_eq!(t.menu(1), ["check", "fold"]);
    t.play(&[(1, "check"), (0, "check")]);
    assert_eq!(pots(&t), [(0, vec![(1, 0)])]);
}
