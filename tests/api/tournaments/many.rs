//! Three hundred tournaments by bots: each kind in each format, with two to forty entrants.

use std::collections::BTreeMap;
use std::sync::Arc;

use cardroom::app::App;
use cardroom_core::log::entry::Policy;
use cardroom_core::table::Actor;
use cardroom_core::tournament::{Command, NewEntrant, NewTournament, Row, Tournament};
use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use super::super::app::{TestApp, runtime};
use crate::random::dice::Dice;

const TOURNAMENTS: usize = 300;
/// How many are played at a time.
const AT_ONCE: usize = 50;

const KINDS: [(&str, u8, u8); 5] = [
    ("ritunas_favour", 2, 10),
    ("sevens", 2, 6),
    ("ricketts_hearts", 4, 4),
    ("knights_heads", 2, 6),
    ("royal_gambit", 2, 5),
];

#[tokio::test]
async fn three_hundred_tournaments_of_bots_are_played_as_their_formats_say() {
    let app = TestApp::start().await;
    let mut dice = Dice::new(2026);
    for _ in 0..TOURNAMENTS / AT_ONCE {
        let wanted: Vec<Value> = (0..AT_ONCE).map(|nth| draw(nth, &mut dice)).collect();
        let inner = app.app.clone();
        let started =
            runtime().spawn(async move { join_all(wanted.iter().map(|wanted| start(&inner, wanted))).await });
        let started = started.await.unwrap();
        // One after the other moves on, until none does.
        for _ in 0..600 {
            app.tick().await;
            app.clock.advance(1);
            if app.app.database.resting_tournaments(app.clock.now(), Uuid::nil(), 1).await.unwrap().is_empty()
                && is_quiet(&app).await
            {
                break;
            }
        }
        for id in started {
            let tournaments = app.app.tournaments.clone();
            let (tournament, rows) =
                runtime().spawn(async move { tournaments.standings(id).await.unwrap() }).await.unwrap();
            goes_by_its_format(&app, &tournament, &rows).await;
        }
    }
}

async fn is_quiet(app: &TestApp) -> bool {
    use cardroom::store::schema::tournaments;
    use diesel::prelude::*;
    use diesel_async::RunQueryDsl;
    let mut connection = app.database.connection().await;
    let active = tournaments::table.filter(tournaments::status.eq("active"));
    active.count().get_result::<i64>(&mut connection).await.unwrap() == 0
}

fn draw(nth: usize, dice: &mut Dice) -> Value {
    let (kind, least, most) = KINDS[nth % KINDS.len()];
    let size = u64::from(least) + dice.below(u64::from(most - least) + 1);
    let options = match kind {
        "ricketts_hearts" => json!({"target_score": 1}),
        "royal_gambit" => json!({"target_score": 3}),
        _ => json!({"hands": 2}),
    };
    let is_for_chips = options["hands"] == 2;
    let is_freezeout = is_for_chips && nth / KINDS.len() % 5 == 4;
    let fill = if !is_freezeout && dice.one_in(4) { json!("random") } else { json!(null) };
    let mut entrants = u64::from(least).max(2) + dice.below(39);
    let format = match nth / KINDS.len() % 5 {
        _ if is_freezeout => json!({"type": "freezeout"}),
        0 => json!({"type": "rounds", "rounds": 1 + dice.below(3), "seating": "random"}),
        1 => json!({"type": "rounds", "rounds": 1 + dice.below(3), "seating": "swiss"}),
        2 => json!({"type": "knockout", "advance": 1 + dice.below(size - 1)}),
        _ => {
            let groups = 2 + dice.below(3);
            entrants = entrants.max(groups * u64::from(least).max(2));
            let (rounds, qualify, advance) = (1 + dice.below(3), 1 + dice.below(3), 1 + dice.below(size - 1));
            json!({"type": "groups", "groups": groups, "rounds": rounds, "qualify": qualify, "advance": advance})
        }
    };
    json!({
        "entrants": entrants.min(40),
        "setup": {"name": "One of many", "kind": kind, "table_size": size, "options": options, "format": format, "fill": fill},
    })
}

async fn start(app: &App, wanted: &Value) -> Uuid {
    let organiser = Actor {
        account: Uuid::from_u128(7),
        username: "olga".to_owned(),
        admin: false,
        is_program: false,
        invite: None,
    };
    let setup: NewTournament = serde_json::from_value(wanted["setup"].clone()).unwrap();
    let made = app.tournaments.create(&organiser, setup.settle().unwrap(), None).await.unwrap();
    let id = made.tournament.id;
    let bots = vec![
        NewEntrant::Bot { policy: Policy::Random, team: None };
        wanted["entrants"].as_u64().unwrap() as usize
    ];
    app.tournaments.command(id, &organiser, &Command::EnterMany(bots), None).await.unwrap();
    app.tournaments.command(id, &organiser, &Command::Start, None).await.unwrap();
    id
}

async fn goes_by_its_format(app: &TestApp, tournament: &Arc<Tournament>, rows: &[Row]) {
    let setup = json!(tournament.setup());
    let told = format!("{setup} {}", tournament.entrants().len());
    assert_eq!(json!(tournament.status()), "finished", "{told}");
    let everybody = tournament.entrants().len();
    assert_eq!(rows.len(), everybody, "{told}");
    let (mut played, mut byes) = (BTreeMap::<u32, u32>::new(), BTreeMap::<u32, u32>::new());
    for round in tournament.rounds() {
        let sizes: Vec<usize> = round.tables.iter().map(|table| table.seats.len()).collect();
        let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
        // Groups of different sizes have tables of different sizes.
        let spread = if setup["format"]["type"] == "groups" { u64::MAX } else { 1 };
        assert!(
            (most - least) as u64 <= spread && *most as u64 <= setup["table_size"].as_u64().unwrap(),
            "{sizes:?} {told}"
        );
        let mut seen: Vec<u32> = round.entrants().collect();
        seen.sort_unstable();
        assert!(seen.windows(2).all(|pair| pair[0] < pair[1]), "somebody twice: {told}");
        for entrant in round.tables.iter().flat_map(|table| table.seats.iter().flatten()) {
            *played.entry(*entrant).or_default() += 1;
        }
        round.byes.iter().for_each(|entrant| *byes.entry(*entrant).or_default() += 1);
    }
    for row in rows {
        let count = |counts: &BTreeMap<u32, u32>| counts.get(&row.entrant).copied().unwrap_or(0);
        assert_eq!((row.games, row.byes), (count(&played), count(&byes)), "{told}");
    }
    let format = &setup["format"];
    if let (Some(rounds), "rounds") = (format["rounds"].as_u64(), format["type"].as_str().unwrap()) {
        assert!(rows.iter().all(|row| u64::from(row.games + row.byes) == rounds), "{told}");
        let spread =
            rows.iter().map(|row| row.byes).max().unwrap() - rows.iter().map(|row| row.byes).min().unwrap();
        assert!(spread <= 1, "{told}");
    } else {
        // In a freezeout, the players of several tables may all have too few chips for the next round.
        let is_freezeout = format["type"] == "freezeout";
        assert!(is_freezeout || tournament.rounds().last().unwrap().tables.len() == 1, "{told}");
        assert_eq!(rows[0].round as usize, tournament.rounds().len(), "{told}");
    }
    // The best in the standings of a single round are those of its games.
    if let ([round], "rounds") = (tournament.rounds(), setup["format"]["type"].as_str().unwrap()) {
        for table in &round.tables {
            let game = app.anon().get(&format!("/v1/games/{}", table.game)).await.ok();
            for pair in game["outcome"]["places"].as_array().unwrap().windows(2) {
                let result = |placing: &Value| {
                    let entrant = table.seats[placing["seat"].as_u64().unwrap() as usize]?;
                    rows.iter().find(|row| row.entrant == entrant).map(|row| row.result.to_f64())
                };
                if let (Some(ahead), Some(behind)) = (result(&pair[0]), result(&pair[1])) {
                    assert!(ahead >= behind, "{told} {game}");
                }
            }
        }
    }
}
