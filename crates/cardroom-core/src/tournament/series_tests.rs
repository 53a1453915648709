//! What a series promises.

use serde_json::json;
use uuid::Uuid;

use super::series::{Amount, Final, NewSeries, SeriesLine, SeriesPoints, Tally, finals};
use super::simulation::{Sim, organiser, person, words};
use super::tests::{disqualify, end, rounds};
use super::{Command, NewEntrant, Ratio, Status};

fn places(points: &[u32]) -> SeriesPoints {
    SeriesPoints::Places { points: points.to_vec() }
}

/// Ends like these: groups of equals, the best first, each with its players.
fn ended(groups: &[&[u32]]) -> Vec<Final> {
    let mut ends = Vec::new();
    for group in groups {
        let (place, equals) = (ends.len() as u32 + 1, group.len() as u32);
        ends.extend(group.iter().map(|&number| Final {
            account: Uuid::from_u128(number.into()),
            player: format!("p{number}"),
            place,
            equals,
            result: Amount::from(Ratio::new(100 - i128::from(place), 1)),
            score: i64::from(number),
        }));
    }
    ends
}

fn added(points: SeriesPoints, best: Option<u16>, tournaments: &[&[&[u32]]]) -> Vec<SeriesLine> {
    let mut tally = Tally::new(points, best);
    for (nth, groups) in (0..).zip(tournaments) {
        tally.take(nth, ended(groups));
    }
    tally.standings()
}

/// Place, name and points of each line.
fn told(lines: &[SeriesLine]) -> Vec<(u32, &str, String)> {
    lines.iter().map(|line| (line.place, line.player.as_str(), line.points.ratio().to_string())).collect()
}

fn said(place: u32, player: &str, points: &str) -> (u32, &'static str, String) {
    (place, player.to_owned().leak(), points.to_owned())
}

#[test]
fn whatever_the_ties_a_tournament_gives_what_the_places_are_worth_that_were_taken() {
    let mut luck = words(3);
    for _ in 0..2000 {
        let players = 1 + luck.uniform(120);
        let points: Vec<u32> = (0..=luck.uniform(99)).map(|_| luck.uniform(1_000_001)).collect();
        let mut numbers = 0..players;
        let mut groups: Vec<Vec<u32>> = Vec::new();
        while !numbers.is_empty() {
            let most = if luck.uniform(4) == 0 { 36 } else { 3 };
            let size = 1 + luck.uniform(most);
            groups.push(numbers.by_ref().take(size as usize).collect());
        }
        let groups: Vec<&[u32]> = groups.iter().map(Vec::as_slice).collect();
        let given: Amount = ended(&groups).iter().map(|end| places(&points).of(end)).sum();
        let worth: u64 = points.iter().take(players as usize).map(|&points| u64::from(points)).sum();
        assert_eq!(given.ratio(), Ratio::new(worth.into(), 1), "{groups:?} {points:?}");
    }
}

#[test]
fn equals_beyond_36_share_to_the_fifteenth_decimal() {
    let all: Vec<u32> = (0..9973).collect();
    let given: Amount = ended(&[&all]).iter().map(|end| places(&[1_000_000, 1]).of(end)).sum();
    assert!((given.ratio().to_f64() - 1_000_001.0).abs() < 1e-9);
    assert_ne!(given.ratio(), Ratio::new(1_000_001, 1), "it is not exact, and need not be");
}

#[test]
fn thirds_add_up_to_a_whole() {
    let thirds: [&[&[u32]]; 4] = [&[&[1, 2, 3]], &[&[1, 2, 3]], &[&[1, 2, 4]], &[&[5], &[1]]];
    let lines = added(places(&[58]), None, &thirds);
    // All have first places; the second place at the end tells the first two apart.
    assert_eq!(told(&lines)[..3], [said(1, "p1", "58"), said(2, "p2", "58"), said(3, "p5", "58")]);
}

#[test]
fn only_the_best_count_and_ties_go_by_first_places_then_by_second_ones() {
    let tournaments: [&[&[u32]]; 3] = [&[&[1], &[2], &[3]], &[&[2], &[3], &[1]], &[&[3], &[1], &[2]]];
    let all = added(places(&[4, 3, 2]), None, &tournaments);
    assert_eq!(told(&all), [said(1, "p1", "9"), said(1, "p2", "9"), said(1, "p3", "9")]);

    let two = added(places(&[5, 3, 2]), Some(2), &tournaments[..2]);
    assert_eq!(told(&two), [said(1, "p2", "8"), said(2, "p1", "7"), said(3, "p3", "5")]);
    let one = added(places(&[5, 3, 2]), Some(1), &tournaments[..2]);
    assert_eq!(told(&one), [said(1, "p1", "5"), said(1, "p2", "5"), said(3, "p3", "3")]);
    let counts: Vec<bool> = one[0].results.iter().map(|result| result.counts).collect();
    assert_eq!(counts, [true, false]);

    // 6 = 6: by a first place, then by a second one, then by more of them.
    let tied = added(places(&[6, 3, 0]), None, &[&[&[1], &[2], &[3]], &[&[4], &[2], &[1]]]);
    assert_eq!(told(&tied)[..3], [said(1, "p1", "6"), said(2, "p4", "6"), said(3, "p2", "6")]);
}

#[test]
fn a_result_or_a_score_counts_as_it_is() {
    let by_result = added(SeriesPoints::Result {}, None, &[&[&[1], &[2]], &[&[2], &[1]]]);
    assert_eq!(told(&by_result), [said(1, "p1", "197"), said(1, "p2", "197")]);
    let by_score = added(SeriesPoints::Score {}, None, &[&[&[1], &[2]]]);
    assert_eq!(told(&by_score), [said(1, "p2", "2"), said(2, "p1", "1")]);
}

#[test]
fn what_is_out_of_its_range_is_refused() {
    let refused = |field: &str, value: serde_json::Value| {
        let mut wanted =
            json!({"name": " League ", "points": {"type": "places", "points": [3, 1]}, "best": 2});
        wanted[field] = value;
        let read = serde_json::from_str::<NewSeries>(&wanted.to_string());
        read.map_or("malformed", |wanted| wanted.settle().map_or_else(|refusal| refusal.code, |_| "fine"))
    };
    assert_eq!(refused("description", json!(null)), "fine");
    for (field, value) in [
        ("name", json!(" ")),
        ("name", json!("n".repeat(81))),
        ("description", json!("d".repeat(2001))),
        ("best", json!(0)),
        ("best", json!(101)),
        ("points", json!({"type": "places", "points": []})),
        ("points", json!({"type": "places", "points": vec![1; 101]})),
        ("points", json!({"type": "places", "points": [1_000_001]})),
    ] {
        assert_eq!(refused(field, value), "invalid_options", "{field}");
    }
    for points in [json!({"type": "places"}), json!({"type": "result", "points": [1]}), json!("result")] {
        assert_eq!(refused("points", points), "malformed");
    }
}

#[test]
fn a_tournament_leaves_what_stands_under_the_names_of_accounts_at_its_end() {
    let mut sim = Sim::new(rounds("sevens", 6, 1, json!({})), 1);
    let player = |number| NewEntrant::Player {
        account: person(number).account,
        name: person(number).username,
        is_program: false,
        team: None,
    };
    let bot = NewEntrant::Bot { policy: crate::log::entry::Policy::Steady, team: None };
    let list = vec![player(0), player(1), bot, player(3), player(4)];
    sim.does(&organiser(), &Command::EnterMany(list)).unwrap();
    sim.does(&organiser(), &Command::Start).unwrap();
    assert!(sim.advance());
    let now = |sim: &Sim| finals(&sim.now, &sim.now.standings(&sim.game_results));
    // The bot is second; two are equal behind it.
    end(&mut sim, |entrant| [50, 10, 40, 10, 5][entrant as usize]);
    assert_eq!(now(&sim), [], "it is not over");
    let replace = Command::Replace {
        player: "p0".to_owned(),
        by: super::Who::Player {
            player: "p9".to_owned(),
            account: person(9).account,
            client_seed: String::new(),
            program: false,
        },
    };
    sim.does(&organiser(), &replace).unwrap();
    sim.advance();
    assert_eq!(sim.now.status(), Status::Finished);
    let left = |sim: &Sim| -> Vec<(String, u32, u32)> {
        now(sim).into_iter().map(|end| (end.player, end.place, end.equals)).collect()
    };
    let named = |name: &str, place, equals| (name.to_owned(), place, equals);
    let wanted = [named("p9", 1, 1), named("p1", 3, 2), named("p3", 3, 2), named("p4", 5, 1)];
    assert_eq!(left(&sim), wanted);
    disqualify(&mut sim, 1);
    assert_eq!(left(&sim), [named("p9", 1, 1), named("p3", 3, 1), named("p4", 4, 1)]);

    let text = serde_json::to_string(&now(&sim)).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Final>>(&text).unwrap(), now(&sim));
}
