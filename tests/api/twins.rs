//! Twin worlds over HTTP: two games that differ only in cards which a viewer cannot know answer that viewer
//! with the same bytes, for as long as that is so.
//!
//! A deck's order follows from the seed, and that is one and the same; so both logs are written here.

use std::collections::BTreeSet;

use cardroom::store::append::NewEntry;
use cardroom::store::game_rows::NewGame;
use cardroom::store::games::Change;
use cardroom_core::log::entry::{Event, Visibility};
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::MAX_SEATS;
use cardroom_core::rules::registry::newest;
use cardroom_core::table::create;
use cardroom_core::table::decide::Command;
use cardroom_core::table::turns::Pace;
use cardroom_core::table::{Actor, Table};
use serde_json::{Value, json};
use uuid::Uuid;

use super::client::Client;
use super::worlds::{Answer, Request, Scribe, World, Worlds, actor, stored};
use crate::random::dice::Dice;
use crate::random::orders::{list, wrong_orders};
use crate::random::playing::{Record, viewers};
use crate::random::twins::Twin;

/// Random games of each kind.
const GAMES: u64 = 200;
/// How often a twin of one game is looked for.
const TRIES: usize = 10;
/// About the most that goes into a game, which is a whole hand of any kind. Mostly it is less: to read a log
/// takes the longer, the more there is in it.
const INPUTS: u64 = 60;
/// At one version in so many, and at the last, more is compared than the game and the end of its log.
const LOOKS: u64 = 40;

#[tokio::test]
async fn two_worlds_that_differ_in_unseen_cards_answer_with_the_same_bytes() {
    let mut worlds = Worlds::new(MAX_SEATS + 1).await;
    // The laws compare all kinds. Over HTTP those are compared whose actions hold hidden cards.
    for (kind, nth) in newest().filter(|kind| kind.has_secrets).zip(0..) {
        let everybody: Vec<_> = viewers(kind.max_seats).collect();
        let (mut pairs, mut saw) = (0, BTreeSet::new());
        for seed in 0..GAMES {
            let dice = &mut Dice::new(seed);
            let viewer = everybody[seed as usize % everybody.len()];
            let mut record = Record::drawn(kind, dice);
            record.seats = record.seats.max(viewer.map_or(0, |seat| seat + 1));
            let mut record = record.played_on(dice);
            record.inputs.truncate(2 + dice.below(INPUTS) as usize);
            if let Some(twin) = (0..TRIES).find_map(|_| Twin::of(&record, viewer, dice)) {
                println!("{}, seed {seed}, before {viewer:?}", kind.kind);
                worlds.answer_the_same(Uuid::from_u64_pair(nth, seed), &record, &twin, dice).await;
                pairs += 1;
                saw.insert(viewer);
            }
        }
        assert!(pairs > GAMES / 2, "{pairs} pairs of {} are few", kind.kind);
        assert_eq!(saw.len(), everybody.len(), "{saw:?} of {}", kind.kind);
    }
    worlds.count_the_same().await;
}

impl Worlds {
    async fn answer_the_same(&mut self, id: Uuid, record: &Record, twin: &Twin, dice: &mut Dice) {
        let [world, other] = &mut self.0;
        let mut scribes = [world.open(id, record).await, other.open(id, record).await];
        let deck: Vec<Value> = (record.kind.deck)().iter().map(|info| json!(info.card)).collect();
        let caller = match twin.viewer {
            Some(seat) => Some(&world.people[usize::from(seat)]),
            None => world.people.last().filter(|_| dice.one_in(2)),
        };
        let mut asking = Asking { path: format!("/v1/games/{id}"), caller: caller.cloned(), version: 0 };
        let mut inputs = record.inputs.iter().zip(&twin.inputs);
        // Up to the shuffle both logs are the same.
        let before = inputs.by_ref().take(twin.shuffle).map(|(input, _)| input);
        let before: Vec<_> =
            before.map(|input| scribes.each_mut().map(|scribe| scribe.entry(input).0)).collect();
        self.append(id, before).await;
        while let Some((input, mirrored)) = inputs.next() {
            let [scribe, other] = &mut scribes;
            let entries = [scribe.entry(input).0, other.entry(mirrored).0];
            asking.version = scribe.seq;
            self.append(id, vec![entries]).await;
            let game = self.look(&asking).await;
            if dice.one_in(LOOKS) || inputs.len() == 0 {
                self.look_closely(&asking, &game, &deck, dice).await;
            }
        }
    }

    async fn append(&mut self, id: Uuid, entries: Vec<[NewEntry; 2]>) {
        let [world, other] = &self.0;
        let (entries, mirrored) = entries.into_iter().map(<(_, _)>::from).unzip();
        tokio::join!(world.append(id, entries, vec![]), other.append(id, mirrored, vec![]));
    }

    /// The game, and the end of its log.
    async fn look(&mut self, asking: &Asking) -> Value {
        let game = self.told(&asking.get("")).await.body();
        assert_eq!(game["version"], asking.version);
        self.told(&asking.get(&format!("/log?after={}", asking.version.saturating_sub(20)))).await.body();
        game
    }

    /// All of the log, an earlier version, the hands in both forms, and what is refused.
    async fn look_closely(&mut self, asking: &Asking, game: &Value, deck: &[Value], dice: &mut Dice) {
        self.told(&asking.get("/log?limit=200")).await.body();
        let earlier = 1 + dice.below(asking.version.into());
        self.told(&asking.get(&format!("?version={earlier}"))).await.body();
        let hands = self.told(&asking.get("/hands?limit=200")).await.body();
        let newest = format!("/hands/{}", list(&hands["items"]).len());
        self.told(&asking.get(&newest)).await.body();
        for path in ["/hands", &newest] {
            let told = self.told(&asking.get(path).with("accept: text/plain")).await;
            assert!(told.status == 200 && told.text.starts_with("Hand "), "{}", told.text);
        }
        let menu = &game["legal_actions"];
        let mut wrong = vec![json!({}), json!({"type": "fold", "cards": deck})];
        wrong.extend(list(menu).iter().flat_map(|entry| wrong_orders(menu, entry, deck, dice)));
        for _ in 0..3 {
            let refused = self.told(&asking.post("/actions", dice.pick(&wrong))).await;
            assert!((400..500).contains(&refused.status), "{}", refused.text);
        }
    }

    /// What both worlds answer.
    async fn told(&mut self, request: &Request) -> Answer {
        let [answer, twin] = self.same(request).await;
        // The newest entry's covers what has been renamed.
        assert!(answer.hashes.is_empty() || answer.hashes.last() != twin.hashes.last(), "the worlds are one");
        answer
    }
}

/// Who asks, and about what.
struct Asking {
    path: String,
    caller: Option<Client>,
    version: u32,
}

impl Asking {
    fn get(&self, of: &str) -> Request {
        Request::get(&format!("{}{of}", self.path), self.caller.as_ref())
    }

    fn post(&self, to: &str, body: &Value) -> Request {
        Request::post(&format!("{}{to}", self.path), self.caller.as_ref(), body)
    }
}

impl World {
    /// Writes the log of a game up to its start.
    async fn open(&mut self, id: Uuid, record: &Record) -> Scribe {
        let (kind, seats, at) = (record.kind, record.seats, self.app.clock.now());
        let (options, seed) = (record.options.clone(), Seed::new([7; 32]));
        let actors: Vec<Actor> = self.people[..usize::from(seats)].iter().map(actor).collect();
        let made = NewGame {
            server_seed: *seed.bytes(),
            kind: kind.kind.to_owned(),
            rules_version: kind.rules_version.cast_signed(),
            options: options.get().to_owned(),
            seats: seats.into(),
            visibility: Visibility::Public.as_str(),
            created_by: actors[0].account,
            created_at: at,
            idempotency_key: None,
            turn_seconds: None,
            bank_seconds: 0,
            rematch_of: None,
            guest_network: None,
            is_rated: true,
        };
        let sit = Some(String::new());
        let wanted = create::NewGame {
            kind,
            options,
            seats,
            visibility: Visibility::Public,
            sit,
            pace: Pace::default(),
            bots: Vec::new(),
            rated: true,
        };
        let mut step = Table::create(id, seed.clone(), &actors[0], wanted, at).unwrap();
        let mut opening = step.entries;
        for actor in &actors[1..] {
            let sit = Command::Sit { client_seed: String::new(), invite: None, seat: None };
            step = step.table.decide(actor, &sit, at).unwrap();
            opening.extend(step.entries.iter().cloned());
        }
        // What chance says comes from the test; with the seed's the game could even be over by now.
        let started = opening.iter().position(|sealed| matches!(sealed.entry.event, Event::Started(_)));
        opening.truncate(started.unwrap() + 1);
        let last = opening.last().unwrap();
        let (seq, hash) = (last.entry.seq, last.hash);
        let entries = opening.into_iter().map(|sealed| stored(sealed.entry.seq, sealed.text, sealed.hash));
        let seated = actors.iter().map(|actor| Change::SatDown(actor.account));
        let changes = [Change::Made(Box::new(made))].into_iter().chain(seated);
        self.append(id, entries.collect(), changes.chain([Change::Started]).collect()).await;
        Scribe { game: record.start(), actors, seed, seq, hash, chances: 0, at }
    }
}
