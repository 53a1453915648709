//! What every kind of game must keep, at random: a new kind is covered by being registered.

mod snapshots;
mod twins;

use cardroom_core::rules::facts::Mark;
use cardroom_core::rules::registry::{AnyFacts, AnyGame, Kind, Schemas, newest};
use cardroom_core::rules::{Need, Outcome};
use serde_json::{Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use crate::random::dice::Dice;
use crate::random::kinds;
use crate::random::options;
use crate::random::orders::{list, order, stands_on, wrong_orders};
use crate::random::playing::{ENDLESS, Input, Record, feed, menu, next_input, parsed, seen_by_all};

/// Random games of each kind, for each law.
const GAMES: u64 = 1000;

/// Tells which game broke a law: `law` is run with one seed at a time.
struct Trial {
    kind: &'static str,
    seed: u64,
}

impl Drop for Trial {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the law was broken by {}, seed {}", self.kind, self.seed);
        }
    }
}

/// How many random games a law is tried with: `usual`, or at most `CARDROOM_GAMES` if that is set.
#[expect(clippy::disallowed_methods, reason = "a shorter run says the same, with less certainty")]
fn games(usual: u64) -> u64 {
    let most = std::env::var("CARDROOM_GAMES").map(|most| most.parse().expect("CARDROOM_GAMES is a number"));
    most.map_or(usual, |most: u64| usual.min(most))
}

fn for_random_games(law: impl Fn(&'static Kind, &mut Dice)) {
    for kind in newest() {
        for seed in 0..games(GAMES) {
            let _trial = Trial { kind: kind.kind, seed };
            law(kind, &mut Dice::new(seed));
        }
    }
}

#[test]
fn menus_are_complete_and_sound_and_every_game_ends() {
    for_random_games(|kind, dice| {
        let mut record = Record::drawn(kind, dice);
        let mut game = record.start();
        while let Some(input) = next_input(game.as_ref(), record.seats, dice) {
            the_game_waits_for_those_who_have_a_menu(game.as_ref(), record.seats);
            all_that_is_offered_is_accepted(game.as_ref(), record.seats, dice);
            feed(game.as_mut(), &input);
            record.inputs.push(input);
            assert!(record.inputs.len() < ENDLESS, "this game does not end");
        }
        the_game_waits_for_those_who_have_a_menu(game.as_ref(), record.seats);
        the_places_follow_from_each_other(&game.outcome().expect("the game is over"), record.seats);
    });
}

fn the_game_waits_for_those_who_have_a_menu(game: &dyn AnyGame, seats: u8) {
    let open = |seat| !list(&menu(game, seat)).is_empty();
    match game.need() {
        Need::Players(waited_for) => {
            assert!(!waited_for.is_empty());
            assert!(waited_for.iter().all(|seat| seat < seats && open(seat)));
            assert_eq!(game.outcome(), None);
        }
        Need::Nothing => assert!(!(0..seats).any(open)),
        Need::Pick { .. } | Need::Shuffle(_) => {
            assert!(!(0..seats).any(open), "nobody acts before chance has answered");
            assert_eq!(game.outcome(), None);
        }
    }
}

fn all_that_is_offered_is_accepted(game: &dyn AnyGame, seats: u8, dice: &mut Dice) {
    for seat in 0..seats {
        let menu = menu(game, seat);
        for entry in list(&menu) {
            let action = order(entry, dice);
            let (canonical, in_other_words) = (action.to_string(), format!("{action:#}"));
            for text in [&canonical, &in_other_words] {
                game.boxed_clone()
                    .play(seat, text, &mut AnyFacts::ignored())
                    .unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
                let logged = game.written(seat, text).expect("it was played");
                assert_eq!(logged.action.get(), canonical, "the log keeps what was played");
            }
        }
    }
    if let Need::Players(waited_for) = game.need() {
        for seat in waited_for.iter() {
            let default = parsed(&game.default_action(seat));
            assert!(stands_on(&menu(game, seat), &default), "{default}");
        }
    }
}

fn the_places_follow_from_each_other(outcome: &Outcome, seats: u8) {
    let places: Vec<_> = outcome.places.iter().map(|p| (p.place, p.seat)).collect();
    assert!(places.is_sorted(), "by place, then by seat");
    assert_eq!(places.iter().map(|(_, seat)| 1 << seat).sum::<u32>(), (1 << seats) - 1, "each seat once");
    for (at, placing) in outcome.places.iter().enumerate() {
        let equals_first = outcome.places.iter().position(|p| p.place == placing.place);
        assert_eq!(equals_first, Some(usize::from(placing.place) - 1), "the next place is skipped");
        if let Some(next) = outcome.places.get(at + 1) {
            assert_eq!(next.place == placing.place, next.score == placing.score, "equals share a place");
        }
    }
    let first = places.iter().filter(|(place, _)| *place == 1).map(|(_, seat)| *seat);
    assert_eq!(outcome.winners, first.collect::<Vec<_>>());
}

#[test]
fn a_game_of_chips_goes_on_while_hands_are_left_and_two_seats_can_pay() {
    for_random_games(|kind, dice| {
        let record = Record::drawn(kind, dice);
        let options = parsed(&record.options);
        // Games of chips have a price for each hand, and a number of hands.
        let price = options.get("ante").or_else(|| options.get("charge")).and_then(Value::as_u64);
        let (Some(hands), Some(price)) = (options["hands"].as_u64(), price) else { return };
        let mut game = record.start();
        while let Some(input) = next_input(game.as_ref(), record.seats, dice) {
            let told = feed(game.as_mut(), &input).into_vec();
            if told.iter().any(|(_, fact)| matches!(fact.mark(), Mark::HandEnded(_))) {
                let view = parsed(&game.view(None));
                let hand = view["hand"].as_u64().unwrap();
                // The price doubles with each level, and that of the next hand counts.
                let level =
                    options.get("level_hands").and_then(Value::as_u64).map_or(0, |length| hand / length);
                let doubled = u32::try_from(price << level.min(32)).unwrap_or(u32::MAX);
                let pays = |seat: &&Value| seat["stack"].as_u64().unwrap() >= doubled.into();
                let able = list(&view["seats"]).iter().filter(pays).count();
                let goes_on = hand < hands && able >= 2;
                assert_eq!(game.need() != Need::Nothing, goes_on, "after {view}");
            }
        }
    });
}

#[test]
fn a_refused_action_changes_nothing() {
    for_random_games(|kind, dice| {
        let deck: Vec<Value> = (kind.deck)().iter().map(|info| json!(info.card)).collect();
        let mut record = Record::drawn(kind, dice);
        let mut game = record.start();
        while let Some(input) = next_input(game.as_ref(), record.seats, dice) {
            if dice.one_in(4) {
                let (need, before) = (game.need(), seen_by_all(game.as_ref(), &record));
                what_is_not_offered_is_refused(game.as_mut(), &record, &input, &deck, dice);
                assert_eq!(game.need(), need);
                assert_eq!(seen_by_all(game.as_ref(), &record), before);
            }
            feed(game.as_mut(), &input);
            record.inputs.push(input);
        }
        is_refused(game.as_mut(), 0, "{}", "not_your_turn");
    });
}

fn what_is_not_offered_is_refused(
    game: &mut dyn AnyGame,
    record: &Record,
    input: &Input,
    deck: &[Value],
    dice: &mut Dice,
) {
    let Input::Action(seat, action) = input else {
        return is_refused(game, 0, "{}", "not_your_turn");
    };
    for other in 0..record.seats {
        if list(&menu(game, other)).is_empty() {
            is_refused(game, other, action, "not_your_turn");
        }
    }
    let menu = menu(game, *seat);
    let mut wrong = wrong_orders(&menu, dice.pick(list(&menu)), deck, dice);
    wrong.extend(an_earlier_action(record, dice).filter(|action| !stands_on(&menu, action)));
    for action in wrong {
        is_refused(game, *seat, &action.to_string(), "illegal_action");
    }
}

fn is_refused(game: &mut dyn AnyGame, seat: u8, action: &str, code: &str) {
    let mut facts = AnyFacts::kept();
    let refusal = game.play(seat, action, &mut facts).expect_err(action);
    assert_eq!(refusal.code, code, "{action}");
    assert!(facts.into_vec().is_empty(), "{action}");
}

/// What was legal once and may be so no more.
fn an_earlier_action(record: &Record, dice: &mut Dice) -> impl Iterator<Item = Value> {
    let earlier = (!record.inputs.is_empty()).then(|| dice.pick(&record.inputs));
    earlier.into_iter().filter_map(|input| match input {
        Input::Action(_, action) => Some(serde_json::from_str(action).expect("JSON")),
        Input::Chance(_) => None,
    })
}

#[test]
fn a_replay_is_the_game_itself_and_nothing_is_lost_on_the_way() {
    for_random_games(|kind, dice| {
        let record = Record::played(kind, dice);
        let own = kinds::own(kind.kind);
        let (mut game, mut replay) = (record.start(), record.start());
        let sums = (own.conserved)(&parsed(&game.view(None)));
        for input in &record.inputs {
            let facts = feed(game.as_mut(), input);
            let again = match input {
                Input::Action(seat, action) => Input::Action(*seat, reread(action)),
                Input::Chance(_) => input.clone(),
            };
            let facts_again = feed(replay.as_mut(), &again);
            let texts = |facts: AnyFacts| {
                facts
                    .into_vec()
                    .iter()
                    .map(|(to, fact)| (*to, fact.json().get().to_owned()))
                    .collect::<Vec<_>>()
            };
            assert_eq!(texts(facts), texts(facts_again));
            assert_eq!((own.conserved)(&parsed(&game.view(None))), sums);
        }
        assert_eq!(seen_by_all(game.as_ref(), &record), seen_by_all(replay.as_ref(), &record));
        assert_eq!(game.need(), Need::Nothing);
    });
}

/// The action as a database gives it back: the same JSON in other words.
fn reread(action: &str) -> String {
    let value: Value = serde_json::from_str(action).expect("JSON");
    format!("{value:#}")
}

#[test]
fn options_outside_their_ranges_are_refused() {
    for kind in newest() {
        for wrong in options::wrong(kind) {
            let refusal = kind.resolve_options(&options::raw(&wrong)).expect_err(&wrong.to_string());
            assert_eq!(refusal.code, "invalid_options", "{}: {wrong}", kind.kind);
        }
    }
}

#[test]
fn what_seats_begin_with_is_judged_by_those_that_play() {
    for (name, ante) in [("sevens", "ante"), ("knights_heads", "ante"), ("ritunas_favour", "charge")] {
        let kind = newest().find(|kind| kind.kind == name).unwrap();
        let resolved = |wanted: Value| kind.resolve_options(&options::raw(&wanted));
        // The seats that are not named would begin with 200.
        let two = resolved(json!({"stacks": [500, 500], ante: 300})).unwrap();
        assert!(kind.new_game(&two, 2).is_ok(), "{name}");
        assert_eq!(kind.new_game(&two, 3).err().unwrap().code, "invalid_options", "{name}");
        assert!(resolved(json!({"stacks": [500, 100], ante: 300})).is_err(), "{name}");
        let three = resolved(json!({"stacks": [500, 500, 500]})).unwrap();
        assert!(kind.new_game(&three, 2).is_err() && kind.new_game(&three, 3).is_ok(), "{name}");
        let too_many = vec![500; usize::from(kind.max_seats) + 1];
        assert!(resolved(json!({"stacks": too_many})).is_err(), "{name}");
    }
}

#[test]
fn the_defaults_that_the_schema_tells_are_those_that_are_filled_in() {
    for kind in newest() {
        let schema = serde_json::to_value((kind.schemas)().options).unwrap();
        let filled_in = parsed(&kind.resolve_options(&options::raw(&json!({}))).unwrap());
        for (name, schema) in options::properties(kind) {
            match schema.get("default") {
                Some(default) => assert_eq!(default, &filled_in[&name], "{} {name}", kind.kind),
                None => {
                    assert!(filled_in[&name].is_u64(), "{} {name} follows from another option", kind.kind)
                }
            }
        }
        assert_eq!(filled_in.as_object().unwrap().len(), options::properties(kind).len());
        assert!(jsonschema::is_valid(&schema, &filled_in), "{}: {schema}", kind.kind);
    }
}

#[test]
fn options_are_written_in_full_and_mean_the_same_when_they_are_sent_again() {
    for_random_games(|kind, dice| {
        let written = options::draw(kind, dice);
        assert_eq!(kind.resolve_options(&written).unwrap().get(), written.get());
        let written = parsed(&written);
        for (name, schema) in options::properties(kind) {
            let says_nothing = written[&name].is_null();
            let may_say_nothing = ["max_raise", "level_hands", "stacks"].contains(&name.as_str());
            assert!(!says_nothing || may_say_nothing, "{} {name}: null stands for {schema}", kind.kind);
        }
    });
}

#[test]
fn every_hand_is_told_to_begin_and_to_end_by_its_number() {
    for kind in newest() {
        for seed in 0..30 {
            let _trial = Trial { kind: kind.kind, seed };
            let record = Record::played(kind, &mut Dice::new(seed));
            let mut game = record.start();
            let (mut began, mut ended) = (0, 0);
            for input in &record.inputs {
                for (_, told) in feed(game.as_mut(), input).into_vec() {
                    match told.mark() {
                        Mark::HandBegan(hand) => {
                            assert_eq!((hand, ended), (began + 1, began));
                            began = hand;
                        }
                        Mark::HandEnded(hand) => {
                            assert_eq!((hand, ended + 1), (began, began));
                            ended = hand;
                        }
                        _ => {}
                    }
                }
            }
            assert_eq!(began, ended);
        }
    }
}

#[test]
fn a_kind_counts_of_a_player_what_it_says_that_it_counts_and_nothing_else() {
    for_random_games(|kind, dice| {
        let record = Record::played(kind, dice);
        let mut game = record.start();
        for input in &record.inputs {
            for (_, told) in feed(game.as_mut(), input).into_vec() {
                let Some((seat, name, more)) = (kind.counted)(&told) else { continue };
                assert!(seat < record.seats && kind.counters.contains(&name) && more > 0, "{name}");
            }
        }
    });
}

#[test]
fn views_facts_and_actions_fit_the_schemas_that_are_published() {
    for kind in newest() {
        let Schemas { action, view, fact, parts, .. } = (kind.schemas)();
        let [action, view, fact] = [action, view, fact].map(|schema| validator(schema, &parts));
        for seed in 0..30 {
            let _trial = Trial { kind: kind.kind, seed };
            let record = Record::played(kind, &mut Dice::new(seed));
            let mut game = record.start();
            for input in &record.inputs {
                for (_, told) in feed(game.as_mut(), input).into_vec() {
                    fits(&fact, &parsed(&told.json()));
                }
                fits(&view, &parsed(&game.view(None)));
                if let Input::Action(_, played) = input {
                    fits(&action, &serde_json::from_str(played).unwrap());
                }
            }
        }
    }
}

fn validator(schema: RefOr<Schema>, parts: &[(String, RefOr<Schema>)]) -> jsonschema::Validator {
    let mut document = serde_json::to_value(schema).unwrap();
    for (name, part) in parts {
        document["components"]["schemas"][name] = serde_json::to_value(part).unwrap();
    }
    jsonschema::validator_for(&document).unwrap()
}

fn fits(schema: &jsonschema::Validator, value: &Value) {
    if let Err(error) = schema.validate(value) {
        panic!("{error} in {value}");
    }
}
