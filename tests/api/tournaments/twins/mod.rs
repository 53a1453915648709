//! Twin worlds for whole tournaments: two that differ only in what a viewer cannot see answer that viewer with the
//! same bytes, by every way out, at many moments of the tournament.
//!
//! What cannot be seen are cards; while a duplicate round is played also all of other tables, how they end and
//! that they do; and where spectators are behind, the hands that they are not shown yet, but for what standings
//! tell of them: what was won.

mod looks;
mod pairs;

use cardroom::store::notifications::{Listener, Notification};
use cardroom_core::log::Hex32;
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::registry::by_name;
use cardroom_core::table::Actor;
use cardroom_core::tournament::Scoring;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use uuid::Uuid;

use self::pairs::{Pair, Sight, ends_hand};
use super::super::app::runtime;
use super::super::client::Client;
use super::super::worlds::{Scribe, World, Worlds, actor};
use super::made;
use crate::random::dice::Dice;
use crate::random::options::raw;
use crate::random::orders::list;
use crate::random::playing::{Input, Record};

/// Tournaments of each kind in each setting.
const TOURNAMENTS: u64 = 4;
/// After one entry in so many all is asked, after the others what tells most.
const LOOKS: u64 = 20;
/// Those who enter, as far as there are seats at two tables.
const PEOPLE: [&str; 8] = ["ann", "ben", "cat", "dan", "eve", "fay", "gus", "hal"];

#[tokio::test]
async fn a_tournament_of_knights_heads_tells_nobody_what_they_cannot_see() {
    let wanted = json!({"table_size": 3, "options": {"hands": 3}, "scoring": {"type": "courts_of_knights"}});
    tell_nobody("knights_heads", wanted).await;
}

#[tokio::test]
async fn a_tournament_of_sevens_tells_nobody_what_they_cannot_see() {
    let wanted = json!({"table_size": 3, "options": {"hands": 3}, "scoring": {"type": "chips"}});
    tell_nobody("sevens", wanted).await;
}

#[tokio::test]
async fn a_tournament_of_hearts_tells_nobody_what_they_cannot_see() {
    let wanted = json!({"table_size": 4, "options": {"target_score": 20}, "scoring": {"type": "places"}});
    tell_nobody("ricketts_hearts", wanted).await;
}

#[tokio::test]
async fn a_freezeout_tells_nobody_what_they_cannot_see() {
    let wanted = json!({"table_size": 3, "options": {"hands": 3}, "scoring": {"type": "chips"},
        "format": {"type": "freezeout"}});
    tell_nobody("sevens", wanted).await;
}

/// How much of a tournament is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Setting {
    Open,
    Duplicate,
    Behind(usize),
}

async fn tell_nobody(kind: &str, mut wanted: Value) {
    let mut worlds = Worlds::new(0).await;
    let people = 2 * wanted["table_size"].as_u64().unwrap() as usize;
    for world in &mut worlds.0 {
        for name in PEOPLE[..people].iter().chain(&["olga"]) {
            let person = world.app.user(name).await;
            world.people.push(person);
        }
    }
    wanted["kind"] = json!(kind);
    wanted["turn_seconds"] = json!(600);
    let mut settings = vec![Setting::Open, Setting::Behind(1), Setting::Behind(2)];
    // A freezeout has no like tables, no teams and no tables by hand.
    if !is_freezeout(&wanted) {
        settings.push(Setting::Duplicate);
        wanted["teams"] = json!({"size": 2});
    }
    for setting in settings {
        wanted["duplicate"] = json!(setting == Setting::Duplicate);
        wanted["spectator_delay_hands"] = json!(if let Setting::Behind(hands) = setting { hands } else { 0 });
        let (mut differed, mut one_ended) = (0, 0);
        for seed in 0..TOURNAMENTS {
            let mut dice = Dice::new(seed);
            // The organiser, somebody without a name, and players.
            let viewer = match seed {
                0 => Some(people),
                1 => None,
                _ => Some(dice.below(people as u64) as usize),
            };
            println!("{kind}, {setting:?}, seed {seed}, before {viewer:?}");
            let mut twins = Twins::begin(&mut worlds, &wanted, viewer).await;
            let pairs = twins.pairs(setting, &mut dice);
            twins.play(pairs, &mut dice).await;
            let [ended, mirrored] = twins.ended();
            differed += u32::from(twins.differ());
            one_ended += u32::from(ended != mirrored);
            if let Some(at) = viewer.filter(|at| *at < people) {
                replace(&mut worlds, at).await;
            }
        }
        assert!(differed > TOURNAMENTS as u32 / 2, "{differed} pairs are few");
        assert_eq!(
            one_ended > 0,
            setting == Setting::Duplicate,
            "{one_ended} tables ended in one world only"
        );
    }
}

fn is_freezeout(wanted: &Value) -> bool {
    wanted["format"]["type"] == "freezeout"
}

/// Gives somebody's place to a new account. The program may not have noticed yet that somebody's stream is closed; it
/// would load their games of the next tournament with the entries that are then taken back.
async fn replace(worlds: &mut Worlds, at: usize) {
    for world in &mut worlds.0 {
        let name = format!("{}a", world.people[at].username());
        world.people[at] = world.app.user(&name).await;
    }
}

/// A tournament in two worlds, and who looks at it.
struct Twins<'w> {
    worlds: &'w mut Worlds,
    path: String,
    tables: Vec<Table>,
    /// One of the world's people.
    viewer: Option<usize>,
    scoring: Scoring,
    /// The viewer, with a connection of their own to each world.
    clients: [Client; 2],
    /// To the programs: there is something new.
    lines: [Listener; 2],
    started: Timestamp,
}

struct Table {
    game: Uuid,
    /// Where the viewer sits.
    seat: Option<u8>,
    start: Record,
    scribes: [Scribe; 2],
    over: [bool; 2],
}

impl Twins<'_> {
    /// Makes the tournament and draws its first round. The games are as they were when they started, before
    /// anything was left to chance.
    async fn begin<'w>(worlds: &'w mut Worlds, wanted: &Value, viewer: Option<usize>) -> Twins<'w> {
        let mut found = Vec::new();
        for world in &mut worlds.0 {
            world.reconnect();
            found.push(world.draw(wanted).await);
        }
        let (path, games) = found.pop().unwrap();
        assert_eq!(found.pop().unwrap(), (path.clone(), games.clone()));
        let mut tables = Vec::new();
        for game in games {
            let [world, other] = &worlds.0;
            let ((start, scribe), (_, twin)) = (world.scribe(game).await, other.scribe(game).await);
            let scribes = [scribe, twin];
            let viewer = viewer.map(|viewer| actor(&world.people[viewer]).account);
            let seat = scribes[0].actors.iter().position(|actor| Some(actor.account) == viewer);
            tables.push(Table { game, seat: seat.map(|seat| seat as u8), start, scribes, over: [false; 2] });
        }
        let database = |world: &World| world.app.app.database.clone().into_inner();
        let [world, other] = worlds.0.each_ref().map(database);
        let lines = [Listener::open(&world).await.unwrap(), Listener::open(&other).await.unwrap()];
        let scoring = serde_json::from_value(wanted["scoring"].clone()).unwrap();
        let started = worlds.0[0].app.clock.now();
        let client = |world: &World| viewer.map_or_else(|| world.app.anon(), |at| world.people[at].clone());
        let clients = worlds.0.each_ref().map(client);
        Twins { worlds, path, tables, viewer, scoring, clients, lines, started }
    }

    /// What is played at each table. One goes on, so that the round does.
    fn pairs(&self, setting: Setting, dice: &mut Dice) -> Vec<Pair> {
        let goes_on = dice.below(self.tables.len() as u64) as usize;
        let mut pair = |(at, table): (usize, &Table)| {
            let sight = match (setting, table.seat) {
                (_, Some(seat)) => Sight::Live(Some(seat)),
                (Setting::Open, None) => Sight::Live(None),
                (Setting::Duplicate, None) => Sight::Nothing,
                (Setting::Behind(hands), None) => Sight::Behind(hands),
            };
            sight.pair(table.start.again(), at != goes_on, &self.scoring, dice)
        };
        self.tables.iter().enumerate().map(&mut pair).collect()
    }

    /// Plays at all tables, and looks.
    async fn play(&mut self, pairs: Vec<Pair>, dice: &mut Dice) {
        let streams = self.listen().await;
        let mut left: Vec<[_; 2]> =
            pairs.into_iter().map(|pair| pair.map(|inputs| inputs.into_iter().peekable())).collect();
        loop {
            let open: Vec<usize> = (0..left.len())
                .filter(|&at| left[at].iter_mut().any(|inputs| inputs.peek().is_some()))
                .collect();
            if open.is_empty() {
                break;
            }
            let at = *dice.pick(&open);
            let mut told = false;
            for (which, inputs) in left[at].iter_mut().enumerate() {
                if let Some(input) = inputs.next() {
                    told |= self.take(at, which, &input).await;
                }
            }
            match told || dice.one_in(LOOKS) {
                true => self.look_closely(dice).await,
                false => self.look(at).await,
            }
        }
        self.look_closely(dice).await;
        self.heard_the_same(streams).await;
    }

    /// Writes what goes into a game of one world, and what comes of it. Whether that is a hand's end.
    async fn take(&mut self, at: usize, which: usize, input: &Input) -> bool {
        let (table, world) = (&mut self.tables[at], &self.worlds.0[which]);
        let scribe = &mut table.scribes[which];
        scribe.at += SignedDuration::from_micros(1);
        let (entry, facts) = scribe.entry(input);
        let (mut entries, mut changes) = (vec![entry], Vec::new());
        if let Some((entry, change)) = scribe.end() {
            entries.push(entry);
            changes.push(change);
            table.over[which] = true;
        }
        let (game, version, over) = (table.game, scribe.seq, table.over[which]);
        world.append(game, entries, changes).await;
        let ended = over || ends_hand(&facts.into_vec());
        if ended {
            let tournaments = world.app.app.tournaments.clone();
            let counted = async move { tournaments.rebuild_game(game).await };
            runtime().spawn(counted).await.unwrap().unwrap();
        }
        self.lines[which].notify(&[Notification::Game(game, version)]).await.unwrap();
        ended
    }

    /// Which tables have ended in each world.
    fn ended(&self) -> [Vec<bool>; 2] {
        [0, 1].map(|which| self.tables.iter().map(|table| table.over[which]).collect())
    }

    /// Whether something is not the same in both worlds.
    fn differ(&self) -> bool {
        self.tables.iter().any(|table| table.scribes[0].hash != table.scribes[1].hash)
    }
}

impl World {
    /// The programs close connections that nobody uses, and do so while somebody begins to.
    fn reconnect(&mut self) {
        let fresh = self.app.anon();
        for person in &mut self.people {
            *person = fresh.clone().with_session(person.session.clone());
        }
    }

    /// Makes a tournament of a series that everybody enters, up to its first round: its path, and its tables' games. Where
    /// the format has them, there are teams of two, and the tables of the next round are set.
    async fn draw(&self, wanted: &Value) -> (String, Vec<Uuid>) {
        let (olga, players) = self.people.split_last().unwrap();
        let path = made(olga, wanted.clone()).await;
        for (at, player) in players.iter().enumerate() {
            let team = (!is_freezeout(wanted)).then(|| format!("Team {}", at / 2));
            player.post(&format!("{path}/entries"), &json!({"team": team})).await.ok();
        }
        let series = olga.post("/v1/series", &json!({"name": "League", "points": {"type": "result"}})).await;
        let (series, id) = (series.header("location").unwrap().to_owned(), path.rsplit('/').next().unwrap());
        olga.put(&format!("{series}/tournaments/{id}"), &json!(null)).await.ok();
        olga.post(&format!("{path}/start"), &json!({})).await.ok();
        let tournaments = self.app.app.tournaments.clone();
        runtime().spawn(async move { tournaments.poll().await }).await.unwrap().unwrap();
        let round = olga.get(&path).await.ok()["rounds"][0].clone();
        let game = |table: &Value| table["game"].as_str().unwrap().parse().unwrap();
        let games: Vec<Uuid> = list(&round["tables"]).iter().map(game).collect();
        assert_eq!(games.len(), 2);
        if !is_freezeout(wanted) {
            let names: Vec<&str> = players.iter().map(Client::username).collect();
            let tables: Vec<&[&str]> = names.chunks(names.len() / 2).collect();
            olga.put(&format!("{path}/rounds/2/tables"), &json!({"tables": tables})).await.ok();
        }
        (path, games)
    }

    /// Takes back what chance has done to a game that has just started: the game with nothing played, and who writes it on.
    async fn scribe(&self, game: Uuid) -> (Record, Scribe) {
        use cardroom::store::schema::{entries, games};
        let mut connection = self.app.database.connection().await;
        let (seats, seed): (i16, Vec<u8>) = games::table
            .find(game)
            .select((games::seats, games::server_seed))
            .first(&mut connection)
            .await
            .unwrap();
        // It was made, all sat down, and it started.
        let started = i32::from(seats) + 2;
        let later = entries::table.filter(entries::game_id.eq(game).and(entries::seq.gt(started)));
        diesel::delete(later).execute(&mut connection).await.unwrap();
        let hash: Vec<u8> =
            entries::table.find((game, started)).select(entries::hash).first(&mut connection).await.unwrap();
        let shown = self.people[0].get(&format!("/v1/games/{game}")).await.ok();
        let at_seat = |seat: &Value| {
            let player = self.people.iter().find(|person| seat["player"] == *person.username());
            actor(player.expect("everybody is a person"))
        };
        let actors: Vec<Actor> = list(&shown["seats"]).iter().map(at_seat).collect();
        let start = record(&shown);
        let scribe = Scribe {
            game: start.again().start(),
            actors,
            seed: Seed::new(seed.try_into().unwrap()),
            seq: started.unsigned_abs(),
            hash: Hex32(hash.try_into().unwrap()),
            chances: 0,
            at: self.app.clock.now(),
        };
        (start, scribe)
    }
}

/// A game of the tournament, with nothing played.
fn record(shown: &Value) -> Record {
    let kind = by_name(shown["kind"].as_str().unwrap()).unwrap();
    let options = kind.resolve_options(&raw(&shown["options"])).unwrap();
    Record { kind, options, seats: list(&shown["seats"]).len() as u8, inputs: Vec::new() }
}
