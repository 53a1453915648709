//! Royal Gambit. Seat 0 starts each game: the last seat is drawn as the first dealer.

use cardroom::rules::cards::CardName;
use cardroom::rules::registry::{AnyFacts, AnyGame, by_name};
use cardroom::rules::{Chance, Need, Seat};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A game that is played from outside, with decks put in order by hand.
struct Court(Box<dyn AnyGame>);

impl Court {
    /// The first hand's deck begins with `cards`.
    fn of(seats: u8, options: Value, cards: &str) -> Court {
        let options = RawValue::from_string(options.to_string()).unwrap();
        let mut game = by_name("royal_gambit").unwrap().new_game(&options, seats).unwrap();
        assert_eq!(game.need(), Need::Pick { of: seats });
        game.chance(Chance::Pick(seats - 1), &mut AnyFacts::ignored()).unwrap();
        let mut court = Court(game);
        court.deal(cards);
        court
    }

    /// Shuffles so that `cards` are on top, and the rest follow as they stand in a new deck.
    fn deal(&mut self, cards: &str) -> Vec<Value> {
        let Need::Shuffle(mut rest) = self.0.need() else { panic!("{:?} is no shuffle", self.0.need()) };
        assert_eq!(rest.len(), 52, "each hand has the whole deck");
        let mut order: Vec<_> = cards.split_whitespace().map(|name| CardName::from(name).unwrap()).collect();
        rest.retain(|card| !order.contains(card));
        order.extend(rest);
        let mut facts = AnyFacts::kept();
        self.0.chance(Chance::Shuffle(order), &mut facts).unwrap();
        values(facts)
    }

    fn act(&mut self, seat: Seat, action: Value) -> Vec<Value> {
        let mut facts = AnyFacts::kept();
        self.0.play(seat, &action.to_string(), &mut facts).unwrap();
        values(facts)
    }

    fn hit(&mut self, seat: Seat) -> Vec<Value> {
        self.act(seat, json!({"type": "hit"}))
    }

    fn hits(&mut self, seat: Seat, times: usize) {
        for _ in 0..times {
            self.hit(seat);
        }
    }

    fn stay(&mut self, seat: Seat) -> Vec<Value> {
        self.act(seat, json!({"type": "stay"}))
    }

    fn give(&mut self, seat: Seat, to: Seat) -> Vec<Value> {
        self.act(seat, json!({"type": "give", "seat": to}))
    }

    fn spy(&mut self, seat: Seat, on: Seat) -> Vec<Value> {
        self.act(seat, json!({"type": "spy", "seat": on}))
    }

    fn view(&self) -> Value {
        serde_json::from_str(self.0.view(None).get()).unwrap()
    }

    fn row(&self, seat: usize) -> String {
        words(&self.view()["seats"][seat]["row"])
    }

    fn status(&self, seat: usize) -> String {
        self.view()["seats"][seat]["status"].as_str().unwrap().to_owned()
    }

    fn statuses(&self) -> String {
        let seats = self.view()["seats"].as_array().unwrap().len();
        (0..seats).map(|seat| self.status(seat)).collect::<Vec<_>>().join(" ")
    }

    fn totals(&self) -> Vec<u64> {
        let view = self.view();
        view["seats"].as_array().unwrap().iter().map(|seat| seat["total"].as_u64().unwrap()).collect()
    }

    /// `0 turn`, `1 give`, `2 spy`
    fn waits_for(&self) -> String {
        let decision = &self.view()["decision"];
        format!("{} {}", decision["seat"], decision["of"].as_str().unwrap_or("nothing"))
    }

    /// What is open to a seat, with the seats to choose from: `hit stay`, `give 1 2`
    fn open_to(&self, seat: Seat) -> String {
        let menu: Value = serde_json::from_str(self.0.legal(seat).get()).unwrap();
        let offers = menu.as_array().unwrap().iter().map(|offer| {
            let name = offer["type"].as_str().unwrap().to_owned();
            let from = offer["params"]["seat"]["from"].as_array().cloned().unwrap_or_default();
            from.iter().fold(name, |text, seat| format!("{text} {seat}"))
        });
        offers.collect::<Vec<_>>().join(" ")
    }

    fn default_action(&self, seat: Seat) -> Value {
        serde_json::from_str(self.0.default_action(seat).get()).unwrap()
    }

    fn winners(&self) -> Option<Vec<Seat>> {
        self.0.outcome().map(|outcome| outcome.winners)
    }
}

fn values(facts: AnyFacts) -> Vec<Value> {
    facts.into_vec().iter().map(|(_, fact)| serde_json::from_str(fact.get()).unwrap()).collect()
}

fn words(list: &Value) -> String {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect::<Vec<_>>().join(" ")
}

mod rows {
    use super::*;

    #[test]
    fn cards_are_flipped_one_at_a_time_and_face_up_for_everybody() {
        let mut court = Court::of(2, json!({}), "AS 9D");
        court.hit(0);
        assert_eq!(court.row(0), "AS");
        court.hit(0);
        assert_eq!(court.row(0), "AS 9D");
        assert_eq!(court.view()["deck_left"], 50);
        let public = court.0.view(None);
        for seat in 0..2 {
            assert_eq!(court.0.view(Some(seat)).get(), public.get());
        }
    }

    #[test]
    fn an_ace_scores_one_and_two_to_five_their_number() {
        let mut court = Court::of(2, json!({}), "AS 2S 3D 4H 5C");
        court.hits(0, 5);
        let facts = court.stay(0);
        assert_eq!(facts, [json!({"type": "stayed", "seat": 0, "score": 15, "total": 15})]);
        assert_eq!(court.totals(), [15, 0]);
    }

    #[test]
    fn the_higher_numbers_and_the_queen_score_nothing() {
        let mut court = Court::of(2, json!({}), "6S 8S 9S TS QS");
        court.hits(0, 5);
        court.stay(0);
        assert_eq!(court.totals(), [0, 0]);
    }

    #[test]
    fn a_king_doubles_what_a_seat_stays_with() {
        let mut court = Court::of(2, json!({}), "3S KS 2S 9S");
        court.hits(0, 4);
        court.stay(0);
        assert_eq!(court.totals(), [10, 0]);
    }

    #[test]
    fn a_second_card_of_a_rank_busts_the_seat_for_nothing() {
        for cards in ["4S 4D", "9C 9S", "KS KD"] {
            let mut court = Court::of(2, json!({}), cards);
            court.hit(0);
            assert_eq!(court.hit(0)[1], json!({"type": "bust", "seat": 0}));
            assert_eq!(court.statuses(), "bust in");
            assert_eq!(court.view()["seats"][0]["worth"], 0);
            assert_eq!(court.totals(), [0, 0]);
            assert_eq!(court.waits_for(), "1 turn");
        }
    }

    #[test]
    fn a_second_jack_busts_its_seat_before_it_can_spy() {
        let mut court = Court::of(2, json!({}), "JS 2S 3S JD");
        court.hit(0);
        court.spy(0, 1);
        court.hit(0);
        assert_eq!(court.status(0), "bust");
        assert_eq!(court.waits_for(), "1 turn");
    }

    #[test]
    fn a_seat_may_stay_without_a_card() {
        let mut court = Court::of(2, json!({}), "");
        assert_eq!(court.open_to(0), "hit stay");
        court.stay(0);
        assert_eq!(court.statuses(), "stayed in");
        assert_eq!(court.totals(), [0, 0]);
    }
}

mod queens {
    use super::*;

    #[test]
    fn a_queen_goes_in_place_of_the_seat_and_takes_the_second_card_with_her() {
        let mut court = Court::of(2, json!({}), "4S QS 4D 4H");
        court.hits(0, 2);
        let facts = court.hit(0);
        assert_eq!(facts[1], json!({"type": "pardoned", "seat": 0, "queen": "QS", "card": "4D"}));
        assert_eq!(court.row(0), "4S");
        assert_eq!(words(&court.view()["discarded"]), "QS 4D");
        assert_eq!(court.waits_for(), "0 turn", "the hand goes on");
        court.hit(0);
        assert_eq!(court.status(0), "bust", "she pardons once");
    }

    #[test]
    fn a_second_queen_goes_with_the_first() {
        let mut court = Court::of(2, json!({}), "2S QS QD 2D");
        court.hits(0, 3);
        assert_eq!(court.row(0), "2S");
        assert_eq!(words(&court.view()["discarded"]), "QS QD");
        court.hit(0);
        assert_eq!(court.status(0), "bust");
    }

    #[test]
    fn a_pardoned_jack_sends_nobody() {
        let mut court = Court::of(2, json!({}), "QS JS 2S 3S JD");
        court.hits(0, 2);
        court.spy(0, 1);
        court.hit(0);
        assert_eq!(court.row(0), "JS");
        assert_eq!(court.waits_for(), "0 turn");
    }

    #[test]
    fn a_pardoned_seven_is_given_to_nobody() {
        let mut court = Court::of(3, json!({}), "7S 7D QS 7C 7H");
        court.hit(0);
        court.give(0, 1);
        court.hit(0);
        court.give(0, 2);
        court.hits(0, 3);
        assert_eq!(court.row(0), "7C");
        assert_eq!(words(&court.view()["discarded"]), "QS 7H");
        assert_eq!(court.waits_for(), "0 turn");
    }
}

mod sevens {
    use super::*;

    #[test]
    fn a_seven_must_be_given_to_another_seat() {
        let mut court = Court::of(3, json!({}), "7S");
        court.hit(0);
        assert_eq!(court.waits_for(), "0 give");
        assert_eq!(court.open_to(0), "give 1 2");
        assert_eq!(court.give(0, 2), [json!({"type": "given", "from": 0, "to": 2, "card": "7S"})]);
        assert_eq!((court.row(0), court.row(2)), (String::new(), "7S".to_owned()));
        assert_eq!(court.waits_for(), "0 turn", "the turn goes on");
    }

    #[test]
    fn a_seat_with_a_seven_is_given_no_second_one_and_so_never_busts_by_a_gift() {
        let mut court = Court::of(3, json!({}), "7S 7D");
        court.hit(0);
        court.give(0, 1);
        court.hit(0);
        assert_eq!(court.open_to(0), "give 2");
    }

    #[test]
    fn a_seat_that_has_left_the_hand_is_given_no_seven() {
        let mut court = Court::of(3, json!({}), "7S");
        court.stay(0);
        court.hit(1);
        assert_eq!(court.open_to(1), "give 2");
    }

    #[test]
    fn a_seven_that_nobody_can_take_is_kept() {
        let mut court = Court::of(2, json!({}), "7S 7D");
        court.hit(0);
        court.give(0, 1);
        let facts = court.hit(0);
        assert_eq!(facts[1], json!({"type": "kept", "seat": 0, "card": "7D"}));
        assert_eq!(court.row(0), "7D");
        assert_eq!(court.waits_for(), "0 turn");
    }

    #[test]
    fn a_seven_flipped_beside_a_seven_busts_even_if_others_could_take_it() {
        let mut court = Court::of(3, json!({}), "7S 7D");
        court.hit(0);
        court.give(0, 1);
        court.stay(0);
        court.hit(1);
        assert_eq!(court.statuses(), "stayed bust in");
        assert_eq!(court.row(2), "");
    }
}

mod jacks {
    use super::*;

    #[test]
    fn a_jack_makes_any_seat_still_in_flip_two_cards() {
        let mut court = Court::of(3, json!({}), "JS 2S 3S");
        court.hit(0);
        assert_eq!(court.waits_for(), "0 spy");
        assert_eq!(court.open_to(0), "spy 0 1 2");
        court.spy(0, 2);
        assert_eq!(court.row(2), "2S 3S");
        assert_eq!(court.waits_for(), "0 turn");
    }

    #[test]
    fn a_jack_may_be_sent_to_ones_own_row() {
        let mut court = Court::of(2, json!({}), "JS 2S 3S");
        court.hit(0);
        court.spy(0, 0);
        assert_eq!(court.row(0), "JS 2S 3S");
    }

    #[test]
    fn a_jack_is_not_sent_to_a_seat_that_has_left_the_hand() {
        let mut court = Court::of(3, json!({}), "4S 4D JS");
        court.hits(0, 2);
        court.hit(1);
        assert_eq!(court.open_to(1), "spy 1 2");
    }

    #[test]
    fn the_last_seat_still_chooses_itself() {
        let mut court = Court::of(2, json!({}), "JS 2S 3S");
        court.stay(0);
        court.hit(1);
        assert_eq!(court.waits_for(), "1 spy");
        assert_eq!(court.open_to(1), "spy 1");
    }

    #[test]
    fn a_jack_flipped_for_a_jack_is_settled_first_and_by_who_flipped_it() {
        let mut court = Court::of(3, json!({}), "JS JD 2S 3S 4S");
        court.hit(0);
        court.spy(0, 1);
        assert_eq!(court.waits_for(), "1 spy");
        assert_eq!(court.view()["flips_owed"], json!([{"seat": 1, "flips": 1}]));
        court.spy(1, 2);
        assert_eq!(court.row(2), "2S 3S");
        assert_eq!(court.row(1), "JD 4S", "the second flip comes after");
        assert_eq!(court.waits_for(), "0 turn");
    }

    #[test]
    fn a_seven_flipped_for_a_jack_is_given_before_the_next_flip() {
        let mut court = Court::of(2, json!({}), "JS 7S 2S");
        court.hit(0);
        court.spy(0, 1);
        assert_eq!((court.waits_for(), court.open_to(1)), ("1 give".to_owned(), "give 0".to_owned()));
        assert_eq!(court.row(1), "7S", "it waits in the row of who flipped it");
        court.give(1, 0);
        assert_eq!((court.row(0), court.row(1)), ("JS 7S".to_owned(), "2S".to_owned()));
    }

    #[test]
    fn a_seat_that_busts_owes_no_more_flips() {
        let mut court = Court::of(2, json!({}), "JS JD 4S 4D 9S");
        court.hit(0);
        court.spy(0, 1);
        let facts = court.spy(1, 1);
        assert_eq!(court.row(1), "JD 4S 4D");
        assert_eq!(court.status(1), "bust");
        assert_eq!(facts.last(), Some(&json!({"type": "lapsed", "seat": 1, "flips": 1})));
        court.hit(0);
        assert_eq!(court.row(0), "JS 9S");
    }

    #[test]
    fn who_busts_by_their_own_jack_ends_their_turn() {
        let mut court = Court::of(2, json!({}), "4S JS 4D");
        court.hits(0, 2);
        court.spy(0, 0);
        assert_eq!(court.status(0), "bust");
        assert_eq!(court.view()["deck_left"], 49);
        assert_eq!(court.waits_for(), "1 turn");
    }

    #[test]
    fn a_ten_blocks_jacks_only_by_option() {
        for (blocks, open) in [(false, "spy 1 2"), (true, "spy 2")] {
            let mut court = Court::of(3, json!({"ten_blocks_jack": blocks}), "TS JD");
            court.stay(0);
            court.hits(1, 2);
            assert_eq!(court.open_to(1), open);
        }
    }

    #[test]
    fn a_jack_that_tens_keep_from_everybody_does_nothing() {
        let mut court = Court::of(2, json!({"ten_blocks_jack": true}), "TS JD");
        court.stay(0);
        court.hit(1);
        assert_eq!(court.hit(1)[1], json!({"type": "blocked", "seat": 1}));
        assert_eq!(court.row(1), "TS JD");
        assert_eq!(court.waits_for(), "1 turn");
    }
}

mod turns {
    use super::*;

    #[test]
    fn a_turn_goes_on_until_the_seat_stays_or_busts_and_then_passes_to_the_left() {
        let mut court = Court::of(3, json!({}), "2S 3S 4S 4D");
        court.hits(0, 2);
        assert_eq!((court.waits_for(), court.open_to(1)), ("0 turn".to_owned(), String::new()));
        court.stay(0);
        assert_eq!(court.waits_for(), "1 turn");
        court.hits(1, 2);
        assert_eq!(court.waits_for(), "2 turn");
    }

    #[test]
    fn alternating_turns_are_one_decision_each_among_those_still_in() {
        let mut court = Court::of(3, json!({"turns": "alternating"}), "2S 3S 4S 5S");
        court.hit(0);
        assert_eq!(court.waits_for(), "1 turn");
        court.stay(1);
        assert_eq!(court.waits_for(), "2 turn");
        court.hit(2);
        assert_eq!(court.waits_for(), "0 turn");
        court.hit(0);
        assert_eq!(court.waits_for(), "2 turn");
        court.stay(2);
        court.hit(0);
        assert_eq!(court.waits_for(), "0 turn", "who is left alone goes on alone");
    }

    #[test]
    fn an_alternating_turn_ends_when_its_jack_is_settled() {
        let mut court = Court::of(3, json!({"turns": "alternating"}), "JS JD 2S 3S 4S");
        court.hit(0);
        court.spy(0, 2);
        assert_eq!(court.waits_for(), "2 spy");
        court.spy(2, 0);
        assert_eq!(court.waits_for(), "1 turn");
    }

    #[test]
    fn a_seat_spied_on_before_its_turn_begins_with_that_row_or_has_no_turn() {
        let mut court = Court::of(3, json!({}), "JS 4S 4D 2S 2D");
        court.hit(0);
        court.spy(0, 1);
        assert_eq!(court.statuses(), "in bust in");
        court.hits(0, 2);
        assert_eq!(court.statuses(), "bust bust in");
        assert_eq!(court.waits_for(), "2 turn");

        let mut court = Court::of(2, json!({}), "JS 2S 3S");
        court.hit(0);
        court.spy(0, 1);
        court.stay(0);
        court.stay(1);
        assert_eq!(court.totals(), [0, 5]);
    }

    #[test]
    fn the_clock_stays_and_chooses_the_first_seat_on_the_left_for_a_jack_itself_last() {
        let mut court = Court::of(3, json!({}), "7S JS 2S 3S JD");
        assert_eq!(court.default_action(0), json!({"type": "stay"}));
        court.stay(0);
        court.hit(1);
        assert_eq!(court.default_action(1), json!({"type": "give", "seat": 2}));
        court.give(1, 2);
        court.hit(1);
        assert_eq!(court.default_action(1), json!({"type": "spy", "seat": 2}));
        court.spy(1, 2);
        court.stay(1);
        court.hit(2);
        assert_eq!(court.default_action(2), json!({"type": "spy", "seat": 2}));
    }
}

mod an_empty_deck {
    use super::*;

    const FOUR_FULL_ROWS: &str = "7C 7D 7H 7S
        AC 2C 3C 4C 5C 6C 8C 9C TC JC QC KC  AD 2D 3D 4D 5D 6D 8D 9D TD JD QD KD
        AH 2H 3H 4H 5H 6H 8H 9H TH JH QH KH  AS 2S 3S 4S 5S 6S 8S 9S TS QS KS JS";

    /// Four seats flip a suit each; the fifth has nothing but a seven when its turn comes.
    fn at_the_last_jack(options: Value) -> Court {
        let mut court = Court::of(5, options, FOUR_FULL_ROWS);
        while court.view()["deck_left"] != 0 {
            let seat = court.view()["decision"]["seat"].as_u64().unwrap() as Seat;
            let full = court.row(seat.into()).split(' ').filter(|card| !card.starts_with('7')).count() == 12;
            match court.open_to(seat).as_str() {
                "hit stay" if full => court.stay(seat),
                "hit stay" => court.hit(seat),
                open if open.starts_with("give") => court.act(seat, court.default_action(seat)),
                _ => court.spy(seat, seat),
            };
        }
        court
    }

    #[test]
    fn flips_owed_to_a_jack_lapse_with_the_last_card() {
        let mut court = at_the_last_jack(json!({}));
        assert_eq!(court.open_to(3), "spy 3 4", "the seat is still chosen");
        let facts = court.spy(3, 4);
        assert_eq!(facts.last(), Some(&json!({"type": "lapsed", "seat": 4, "flips": 2})));
        assert_eq!(court.row(4), "7S");
    }

    #[test]
    fn only_staying_is_open_and_nobody_hits_by_themselves() {
        for auto_hit in [false, true] {
            let mut court = at_the_last_jack(json!({"auto_hit": auto_hit}));
            court.spy(3, 3);
            assert_eq!(court.open_to(3), "stay");
            court.stay(3);
            assert_eq!((court.waits_for(), court.open_to(4)), ("4 turn".to_owned(), "stay".to_owned()));
            court.stay(4);
            assert_eq!(court.totals(), [30, 30, 30, 30, 0]);
        }
    }
}

mod auto_hit {
    use super::*;

    fn auto_hit() -> Value {
        json!({"auto_hit": true})
    }

    #[test]
    fn a_seat_with_nothing_to_lose_is_not_asked() {
        let court = Court::of(2, auto_hit(), "6S KS 2S 3S");
        assert_eq!(court.row(0), "6S KS 2S");
        assert_eq!(court.waits_for(), "0 turn");
        let asked = Court::of(2, json!({}), "6S KS 2S 3S");
        assert_eq!(asked.row(0), "", "without the option it is");
    }

    #[test]
    fn the_seats_for_sevens_and_jacks_are_still_the_players_to_choose() {
        let mut court = Court::of(2, auto_hit(), "7S JS 8S 9S 2S");
        assert_eq!(court.waits_for(), "0 give");
        court.give(0, 1);
        assert_eq!(court.waits_for(), "0 spy");
        court.spy(0, 1);
        assert_eq!(court.row(1), "7S 8S 9S", "a jack's two flips are no more for that");
        assert_eq!(court.row(0), "JS 2S");
        assert_eq!(court.waits_for(), "0 turn");
    }

    #[test]
    fn it_is_an_alternating_turn() {
        let mut options = auto_hit();
        options["turns"] = json!("alternating");
        let court = Court::of(2, options, "6S 8S 2S 3S");
        assert_eq!((court.row(0), court.row(1)), ("6S 2S".to_owned(), "8S 3S".to_owned()));
        assert_eq!(court.waits_for(), "0 turn");
    }

    #[test]
    fn it_can_bust_a_whole_hand_without_a_question() {
        let mut court = Court::of(2, auto_hit(), "6S 6D 8S 8D");
        assert_eq!(court.view()["hand"], 2);
        let facts = court.deal("2S");
        assert_eq!(facts[0]["type"], "hand_began");
    }
}

mod hands {
    use super::*;

    #[test]
    fn the_deal_passes_to_the_left_and_the_left_of_the_dealer_starts() {
        let mut court = Court::of(3, json!({}), "");
        assert_eq!((&court.view()["dealer"], court.waits_for()), (&json!(2), "0 turn".to_owned()));
        for seat in [0, 1, 2] {
            court.stay(seat);
        }
        let facts = court.deal("");
        assert_eq!(
            facts,
            [json!({"type": "hand_began", "hand": 2, "stage": "ordinary", "dealer": 0, "seats": [0, 1, 2]})]
        );
        assert_eq!(court.waits_for(), "1 turn");
    }

    #[test]
    fn when_a_total_reaches_the_target_all_but_the_favourite_play_one_more_hand() {
        let mut court = Court::of(3, json!({"target_score": 5}), "5S 2S");
        court.hit(0);
        court.stay(0);
        court.hit(1);
        court.stay(1);
        let facts = court.stay(2);
        assert_eq!(facts[1], json!({"type": "hand_ended", "hand": 1, "totals": [5, 2, 0]}));
        let facts = court.deal("2S");
        assert_eq!(facts[0]["stage"], "extra");
        assert_eq!(court.statuses(), "out in in");
        assert_eq!(court.view()["dealer"], 1, "seat 0 would have dealt");
        assert_eq!(court.waits_for(), "2 turn");
        court.hit(2);
        court.stay(2);
        court.stay(1);
        assert_eq!(court.winners(), Some(vec![0]));
        assert_eq!(court.0.need(), Need::Nothing);
    }

    #[test]
    fn a_total_below_the_target_brings_no_extra_hand() {
        let mut court = Court::of(2, json!({"target_score": 6}), "5S");
        court.hit(0);
        court.stay(0);
        court.stay(1);
        court.deal("");
        assert_eq!(court.view()["stage"], "ordinary");
    }

    #[test]
    fn the_extra_hand_can_overtake_the_favourite_and_is_the_last() {
        let mut court = Court::of(2, json!({"target_score": 1}), "AS");
        court.hit(0);
        court.stay(0);
        court.stay(1);
        court.deal("3S");
        assert_eq!((&court.view()["dealer"], court.waits_for()), (&json!(1), "1 turn".to_owned()));
        court.hit(1);
        court.stay(1);
        assert_eq!(court.totals(), [1, 3]);
        assert_eq!(court.winners(), Some(vec![1]));
    }

    #[test]
    fn nobody_left_out_of_a_hand_is_given_sevens_or_spied_on() {
        let mut court = Court::of(3, json!({"target_score": 1}), "AS");
        court.hit(0);
        for seat in [0, 1, 2] {
            court.stay(seat);
        }
        court.deal("7S JS");
        court.hit(2);
        assert_eq!(court.open_to(2), "give 1");
        court.give(2, 1);
        court.hit(2);
        assert_eq!(court.open_to(2), "spy 1 2");
    }

    #[test]
    fn a_tie_for_first_is_played_out_by_those_still_level_and_its_points_count() {
        let mut court = Court::of(4, json!({"target_score": 3}), "3S 3D 3C");
        for seat in 0..3 {
            court.hit(seat);
            court.stay(seat);
        }
        court.stay(3);
        court.deal("");
        assert_eq!(
            (&court.view()["stage"], court.statuses()),
            (&json!("extra"), "out out out in".to_owned())
        );
        court.stay(3);
        court.deal("2S 2D");
        assert_eq!((&court.view()["stage"], court.statuses()), (&json!("tie"), "in in in out".to_owned()));
        assert_eq!(court.view()["dealer"], 0);
        for seat in [1, 2] {
            court.hit(seat);
            court.stay(seat);
        }
        court.stay(0);
        court.deal("AS");
        assert_eq!(court.statuses(), "out in in out");
        assert_eq!((&court.view()["dealer"], court.waits_for()), (&json!(1), "2 turn".to_owned()));
        court.hit(2);
        court.stay(2);
        court.stay(1);
        assert_eq!(court.totals(), [3, 5, 6, 0]);
        let places: Vec<_> =
            court.0.outcome().unwrap().places.iter().map(|p| (p.place, p.seat, p.score)).collect();
        assert_eq!(places, [(1, 2, 6), (2, 1, 5), (3, 0, 3), (4, 3, 0)]);
    }

    #[test]
    fn if_all_are_favourites_the_extra_hand_falls_away() {
        let mut court = Court::of(2, json!({"target_score": 2}), "2S 2D");
        for seat in 0..2 {
            court.hit(seat);
            court.stay(seat);
        }
        court.deal("");
        assert_eq!((&court.view()["stage"], court.statuses()), (&json!("tie"), "in in".to_owned()));
    }
}
