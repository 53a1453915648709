//! What hands and games are worth to the score, by the sentences of the rules, and by real hands.

use jiff::Timestamp;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::setup::starting_stacks;
use super::simulation::{Sim, setup, words};
use super::*;
use crate::log::fairness::Words;
use crate::rules::cards::CardName;
use crate::rules::facts::Mark;
use crate::rules::knights_heads::hands::Hand;
use crate::rules::knights_heads::{Fact, Shown, Why};
use crate::rules::registry::{self, AnyFact};
use crate::rules::{self, Audience, Chance, Facts, Need, Outcome};

const KNIGHTS: &str = "N3 N4 N5 N6 A4 M4 D4 J4 E3 E4";
const EIGHT: &str = "N3 N4 N5 N6 N7 N8 N9 N10 E3 E4";
const HAMLET: &str = "A1 A5 M1 M5 E1 E5 D1 D5 J1 B1";

fn shown(seat: u8, cards: &str, made: Hand, courts_of_knights: u8) -> Fact {
    let card = |name: &str| CardName::from(name).unwrap().try_into().unwrap();
    Fact::Shown(Shown {
        seat,
        cards: cards.split(' ').map(card).collect(),
        got: Vec::new(),
        made,
        words: String::new(),
        faces: Default::default(),
        notables: 0,
        courts_of_knights,
    })
}

fn won(pot: u8, seat: u8, why: Why) -> Fact {
    Fact::PotWon { pot, seat, chips: 30, why, words: String::new() }
}

fn told(facts: &[Fact]) -> Vec<AnyFact> {
    facts.iter().cloned().map(AnyFact::of).collect()
}

fn scoring(kind: &str, requires: bool) -> Scoring {
    let mut wanted = json!({"type": kind});
    if requires {
        wanted["requires_court_of_knights"] = json!(true);
    }
    if kind == "hand_table" {
        wanted["points"] = json!({"hamlet": 40, "court": -3});
    }
    serde_json::from_value(wanted).unwrap()
}

/// Seat, points, courts and reason of each award.
fn awards(scoring: &Scoring, facts: &[Fact]) -> Vec<(u8, i64, u8, String)> {
    let awards = scoring.awards(&told(facts)).unwrap().into_iter();
    awards.map(|award| (award.seat, award.points, award.qualifiers, award.reason)).collect()
}

#[test]
fn a_court_counts_for_who_shows_it_whether_or_not_it_wins() {
    let official = scoring("courts_of_knights", false);
    let hand = [
        shown(0, KNIGHTS, Hand::Court, 1),
        shown(2, HAMLET, Hand::Hamlet, 0),
        won(0, 2, Why::Hand),
        won(1, 2, Why::Hand),
    ];
    assert_eq!(awards(&official, &hand), [(0, 1, 1, "court of knights".to_owned())]);
    let eight = [shown(1, EIGHT, Hand::TwinCourts, 2), won(0, 1, Why::Hand)];
    assert_eq!(awards(&official, &eight), [(1, 2, 2, "two courts of knights".to_owned())]);
    // A player who folds four knights, or wins with them because the others fold, has shown nothing.
    assert_eq!(awards(&official, &[Fact::Folded { seat: 1 }, won(0, 0, Why::AllFolded)]), []);
    assert_eq!(official.awards(&told(&hand[..1])).unwrap()[0].cards, ["N3", "N4", "N5", "N6"]);
}

#[test]
fn a_hand_is_won_with_a_share_of_the_main_pot() {
    let hand = [
        shown(0, KNIGHTS, Hand::Court, 1),
        shown(1, HAMLET, Hand::Hamlet, 0),
        shown(2, HAMLET, Hand::Hamlet, 0),
        won(0, 1, Why::Hand),
        won(0, 2, Why::Hand),
        won(1, 0, Why::Hand),
    ];
    let with = "won with a hamlet".to_owned();
    assert_eq!(
        awards(&scoring("winning_hands", false), &hand),
        [(1, 1, 0, with.clone()), (2, 1, 0, with.clone())]
    );
    assert_eq!(
        awards(&scoring("weighted_hands", false), &hand),
        [(1, 10, 0, with.clone()), (2, 10, 0, with.clone())]
    );
    assert_eq!(awards(&scoring("hand_table", false), &hand), [(1, 40, 0, with.clone()), (2, 40, 0, with)]);
    let folds = [won(0, 3, Why::AllFolded), won(1, 3, Why::AllFolded)];
    assert_eq!(awards(&scoring("winning_hands", false), &folds), [(3, 1, 0, "won by folds".to_owned())]);
    assert_eq!(awards(&scoring("weighted_hands", false), &folds), []);
    let nobody = Fact::PotReturned { pot: 0, seat: 1, chips: 30 };
    assert_eq!(awards(&scoring("winning_hands", false), &[shown(1, HAMLET, Hand::Nothing, 0), nobody]), []);
}

#[test]
fn points_may_wait_for_a_court() {
    let waiting = scoring("winning_hands", true);
    let lost = [shown(0, KNIGHTS, Hand::Court, 1), shown(1, HAMLET, Hand::Hamlet, 0), won(0, 1, Why::Hand)];
    assert_eq!(
        awards(&waiting, &lost),
        [(0, 0, 1, "court of knights".to_owned()), (1, 1, 0, "won with a hamlet".to_owned())]
    );
    let won = [shown(0, KNIGHTS, Hand::Court, 1), won(0, 0, Why::Hand)];
    assert_eq!(awards(&waiting, &won), [(0, 1, 1, "won with a court".to_owned())]);
}

#[test]
fn facts_of_another_kind_are_an_error_and_not_a_score_of_zero() {
    let other = AnyFact::of(crate::rules::sevens::Fact::Folded { seat: 1 });
    let read = scoring("weighted_hands", false).awards(&[other]);
    assert!(matches!(read, Err(ScoringError::OtherKind)));
}

#[test]
fn a_scoring_that_cannot_be_read_is_an_error_and_not_places() {
    for wrong in
        [json!({"type": "luck"}), json!({"type": "places", "points": 3}), json!("places"), json!(null)]
    {
        let read = Scoring::read(&to_raw_value(&wrong).unwrap());
        assert!(matches!(read, Err(ScoringError::Scoring(_))), "{wrong}");
    }
    let read = Scoring::read(&to_raw_value(&json!({"type": "chips"})).unwrap()).unwrap();
    let outcome = Outcome::by_score(&[205, 195], rules::Best::Highest);
    assert!(matches!(read.awards_at_end(None, &outcome), Err(ScoringError::NoBuyIn)));
    assert_eq!(read.awards_at_end(Some(&[200; 2]), &outcome).unwrap().len(), 2);
}

/// The scores after each hand in a tournament of one table, by what each seat shows.
fn scores(scoring: &str, requires: bool, hands: &[&[Fact]]) -> Vec<Vec<Option<i64>>> {
    let mut wanted = json!({"name": "Cup", "kind": "knights_heads", "scoring": {"type": scoring},
        "format": {"type": "rounds", "rounds": 1, "seating": "random"}});
    if requires {
        wanted["scoring"]["requires_court_of_knights"] = json!(true);
    }
    let mut sim = Sim::started(setup(wanted), 3, 1);
    sim.advance();
    let table = sim.now.rounds()[0].tables[0].clone();
    let mut after = Vec::new();
    for (facts, hand) in hands.iter().zip(1..) {
        let awards = sim.now.setup().scoring.awards(&told(facts)).unwrap();
        let (game, at) = (table.game, Timestamp::UNIX_EPOCH);
        sim.row(AwardedHand {
            game,
            seq: hand * 9,
            at,
            hand,
            scores: vec![180, 220, 200],
            awards,
            end: None,
        });
        let rows = sim.now.standings(&sim.game_results);
        sim.check_points(&rows);
        let of = |entrant| rows.iter().find(|row| Some(row.entrant) == entrant).unwrap().score;
        assert_eq!(rows[0].entrant, table.seats[1].unwrap(), "the result is another prize");
        after.push(table.seats.iter().map(|&entrant| of(entrant)).collect());
    }
    after
}

#[test]
fn without_a_court_there_is_no_score_and_the_highest_need_not_win() {
    let hands: [&[Fact]; 3] = [
        &[won(0, 1, Why::AllFolded)],
        &[shown(0, KNIGHTS, Hand::Court, 1), shown(1, HAMLET, Hand::Hamlet, 0), won(0, 1, Why::Hand)],
        &[shown(0, EIGHT, Hand::TwinCourts, 2), shown(2, KNIGHTS, Hand::Court, 1), won(0, 0, Why::Hand)],
    ];
    let official = [vec![None; 3], vec![Some(1), None, None], vec![Some(3), None, Some(1)]];
    assert_eq!(scores("courts_of_knights", false, &hands), official);
    let open =
        [vec![Some(0), Some(1), Some(0)], vec![Some(0), Some(2), Some(0)], vec![Some(1), Some(2), Some(0)]];
    assert_eq!(scores("winning_hands", false, &hands), open);
    // The hand that shows the court counts; what was won before does not.
    let waiting = [vec![None; 3], vec![Some(0), None, None], vec![Some(1), None, Some(0)]];
    assert_eq!(scores("winning_hands", true, &hands), waiting);
    let weighted = [vec![None; 3], vec![Some(0), None, None], vec![Some(24), None, Some(0)]];
    assert_eq!(scores("weighted_hands", true, &hands), weighted);
}

#[test]
fn a_court_of_an_earlier_round_lets_later_points_count() {
    let wanted = json!({"name": "Cup", "kind": "knights_heads",
        "scoring": {"type": "winning_hands", "requires_court_of_knights": true},
        "format": {"type": "rounds", "rounds": 3, "seating": "random"}});
    let mut sim = Sim::started(setup(wanted), 3, 1);
    let mut scores = Vec::new();
    // The second round has the court. A win in the first does not count, one in the third does.
    for court in [false, true, false] {
        sim.advance();
        let table = sim.now.rounds().last().unwrap().tables[0].clone();
        let seat = table.seats.iter().position(|sitter| *sitter == Some(1)).unwrap() as u8;
        let hand =
            if court { shown(seat, KNIGHTS, Hand::Court, 1) } else { shown(seat, HAMLET, Hand::Hamlet, 0) };
        let awards = sim.now.setup().scoring.awards(&told(&[hand, won(0, seat, Why::Hand)])).unwrap();
        let (game, at) = (table.game, Timestamp::UNIX_EPOCH);
        sim.row(AwardedHand { game, seq: 9, at, hand: 1, scores: vec![200; 3], awards, end: None });
        sim.ends(table.game, vec![200; 3]);
        let rows = sim.now.standings(&sim.game_results);
        sim.check_points(&rows);
        scores.push(rows.iter().find(|row| row.entrant == 1).unwrap().score);
    }
    assert_eq!(scores, [None, Some(1), Some(2)]);
}

#[test]
fn a_hand_that_wins_is_named_as_english_names_it() {
    let named = |hand: Hand| {
        let facts = [shown(0, HAMLET, hand, 0), won(0, 0, Why::Hand)];
        awards(&scoring("winning_hands", false), &facts)[0].3.clone()
    };
    assert_eq!(named(Hand::Hamlet), "won with a hamlet");
    assert_eq!(named(Hand::Twins), "won with twins");
    assert_eq!(named(Hand::ThreeTwins), "won with three twins");
    assert_eq!(named(Hand::LadiesInWaiting), "won with ladies in waiting");
}

#[test]
fn games_count_at_their_end() {
    let of = |kind: &str, scoring: &str| {
        setup(json!({"name": "Cup", "kind": kind, "scoring": {"type": scoring},
            "format": {"type": "rounds", "rounds": 1, "seating": "random"}}))
    };
    let outcome = Outcome::by_score(&[230, 180, 230, 160], crate::rules::Best::Highest);
    let awards = |setup: &Setup| {
        let awards = setup
            .scoring
            .awards_at_end(starting_stacks(&setup.options, 10).as_deref(), &outcome)
            .unwrap()
            .into_iter();
        awards.map(|award| (award.seat, award.points, award.reason)).collect::<Vec<_>>()
    };
    let places = awards(&of("sevens", "places"));
    assert_eq!(places[1], (2, 2, "1st of 4".to_owned()));
    assert_eq!(places[2..], [(1, 1, "3rd of 4".to_owned()), (3, 0, "4th of 4".to_owned())]);
    let chips = awards(&of("sevens", "chips"));
    assert_eq!(chips[3], (3, -40, "ended with 160 chips".to_owned()));
    assert_eq!(awards(&of("knights_heads", "winning_hands")), []);
}

/// Real hands, judged by what the table shows after each of them.
#[test]
fn real_hands_are_worth_what_the_table_shows() {
    let mut luck = words(4);
    let (mut hands, mut courts, mut folds) = (0, 0, 0);
    for number in 0..40 {
        let kind = registry::by_name("knights_heads").unwrap();
        let options = RawValue::from_string(r#"{"hands": 10}"#.to_owned()).unwrap();
        let mut game = kind.new_game(&options, 2 + number % 5).unwrap();
        let scorings = ["courts_of_knights", "winning_hands", "weighted_hands"].map(|of| scoring(of, false));
        loop {
            let mut facts = Facts::kept();
            match game.need() {
                Need::Nothing => break,
                Need::Pick { of } => {
                    game.chance(Chance::Pick(luck.uniform(of.into()) as u8), &mut facts).unwrap()
                }
                Need::Shuffle(cards) => {
                    let mut order: Vec<CardName> = cards;
                    luck.shuffle(&mut order);
                    game.chance(Chance::Shuffle(order), &mut facts).unwrap();
                }
                Need::Players(seats) => {
                    let seat = seats.iter().next().unwrap();
                    let action = any(&game.legal(seat), &mut luck);
                    game.play(seat, &action, &mut facts).unwrap();
                }
            }
            let told: Vec<AnyFact> = facts
                .into_vec()
                .into_iter()
                .filter_map(|(to, fact)| (to == Audience::Everyone).then_some(fact))
                .collect();
            if !told.iter().any(|fact| matches!(fact.mark(), Mark::HandEnded(_))) {
                continue;
            }
            hands += 1;
            let view: Value = serde_json::from_str(game.view(None).get()).unwrap();
            let (shown, pot) = (&view["last_hand"]["shown"], &view["last_hand"]["pots"][0]);
            let points = scorings.each_ref().map(|scoring| {
                scoring
                    .awards(&told)
                    .unwrap()
                    .iter()
                    .map(|award| (u64::from(award.seat), award.points))
                    .collect::<Vec<_>>()
            });
            let mut expected = [vec![], vec![], vec![]];
            for seat in 0..u64::from(2 + number % 5) {
                let hand = shown.as_array().unwrap().iter().find(|hand| hand["seat"] == seat);
                let court = hand.map_or(0, |hand| hand["courts_of_knights"].as_i64().unwrap());
                let shares = pot["shares"].as_array().unwrap();
                let has_share = shares.iter().any(|share| share["seat"] == seat);
                let won = has_share && pot["why"] != "returned";
                if court > 0 {
                    expected[0].push((seat, court));
                }
                if won {
                    expected[1].push((seat, 1));
                }
                if let (true, Some(hand)) = (won, hand) {
                    let number = kind_number(hand["made"].as_str().unwrap());
                    expected[2].push((seat, 27 - number));
                }
                courts += court;
                folds += u32::from(won && hand.is_none());
            }
            assert_eq!(points, expected);
        }
    }
    assert!(hands > 200 && courts > 0 && folds > 0, "{hands} hands, {courts} courts, {folds} folds");
}

fn kind_number(slug: &str) -> i64 {
    let hands = crate::rules::knights_heads::hands::Hand::all();
    let slugs = hands.map(|hand| serde_json::to_value(hand).unwrap());
    slugs.zip(1..).find(|(hand, _)| hand == slug).unwrap().1
}

/// Any action but a fold where there is another, so that hands come to a show; now and then a fold.
fn any(menu: &RawValue, luck: &mut Words) -> String {
    let menu: Vec<Value> = serde_json::from_str(menu.get()).unwrap();
    let may_fold = luck.uniform(12) == 0;
    let offers: Vec<&Value> = menu
        .iter()
        .filter(|offer| offer["type"] != "raise" && (may_fold || offer["type"] != "fold" || menu.len() == 1))
        .collect();
    let offer = offers[luck.uniform(offers.len() as u32) as usize];
    let mut action = json!({"type": offer["type"]});
    for (name, domain) in offer["params"].as_object().unwrap() {
        action[name] = match domain["type"].as_str().unwrap() {
            "integer" => domain["min"].clone(),
            "cards" => json!(domain["from"].as_array().unwrap()[..3]),
            other => panic!("{other} is no domain of this game"),
        };
    }
    action.to_string()
}
