//! "Setup".

use super::*;

#[test]
fn four_play_with_the_whole_deck() {
    assert_eq!(RickettsHearts::SEATS, 4..=4);
    let Need::Shuffle(deck) = table(0, json!({})).game.need() else { panic!("no shuffle is asked for") };
    let names: Vec<String> = deck.iter().map(|card| format!("{card:?}")).collect();
    assert_eq!(
        (names.len(), names[0].as_str(), names[13].as_str(), names[51].as_str()),
        (52, "AC", "AD", "KS")
    );
}

#[test]
fn the_first_dealer_is_drawn_and_then_the_deal_passes_to_the_left() {
    let mut t = table(2, json!({"target_score": 1000}));
    for (hand, dealer) in [(1, 2), (2, 3), (3, 0), (4, 1), (5, 2), (6, 3)] {
        t.split(1);
        assert_eq!(t.told("hand_began")[0]["hand"], hand);
        assert_eq!(t.told("hand_began")[0]["dealer"], dealer);
        assert_eq!(t.view().dealer, Some((dealer + 1) % 4), "who deals next");
    }
}

#[test]
fn thirteen_cards_each_are_dealt_clockwise_from_the_left_of_the_dealer() {
    let mut t = table(1, json!({}));
    let Need::Shuffle(deck) = t.game.need() else { panic!("no shuffle is asked for") };
    t.begin_with(deck);
    assert_eq!(t.held(2), cards("AC 5C 9C KC 4D 8D QD 3H 7H JH 2S 6S TS"));
    assert_eq!(t.held(3)[..2], cards("2C 6C"));
    assert_eq!(t.held(0)[..2], cards("3C 7C"));
    assert_eq!(t.held(1), cards("4C 8C QC 3D 7D JD 2H 6H TH AS 5S 9S KS"));
}

#[test]
fn the_seat_left_of_the_dealer_goes_first() {
    for dealer in 0..4 {
        let mut t = table(dealer, json!({}));
        t.begin(WHOLE_SUITS);
        assert_eq!(t.waited_for(), [(dealer + 1) % 4]);
    }
}
