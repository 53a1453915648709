//! What somebody may ask of a tournament and its games: the same questions in both worlds.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::{Duration, timeout};
use uuid::Uuid;

use super::super::super::app::runtime;
use super::super::super::client::{Client, Event, Events, PATIENCE};
use super::super::super::receiver::Receiver;
use super::super::super::webhooks::Delivering;
use super::super::super::worlds::{Request, without_hashes};
use super::Twins;
use crate::eventually::eventually;
use crate::random::dice::Dice;
use crate::random::orders::list;

/// How long a stream says nothing that has told everything.
const QUIET: Duration = Duration::from_millis(300);

/// A webhook, and what is sent to it.
struct Webhook {
    path: String,
    receiver: Receiver,
    _delivering: Delivering,
}

/// The streams of the tournament and its games in each world, from the first hand on.
pub struct Streams {
    /// By path, and by world.
    heard: Vec<(String, [UnboundedReceiver<Event>; 2])>,
    /// Of the viewer's account, by world; none for somebody without one.
    account: Option<[UnboundedReceiver<Event>; 2]>,
    /// The account's webhook in each world.
    webhook: Option<[Webhook; 2]>,
    /// They end with it.
    _tasks: JoinSet<()>,
}

impl Twins<'_> {
    /// What tells most, asked after each entry.
    pub async fn look(&mut self, at: usize) {
        let game = format!("/v1/games/{}", self.tables[at].game);
        let standings = format!("{}/standings", self.path);
        for path in [&game, &standings] {
            self.asked(path).await;
        }
        let log = format!("{game}/log?limit=200");
        self.asked(&log).await;
    }

    /// Everything that can be asked.
    pub async fn look_closely(&mut self, dice: &mut Dice) {
        for world in &self.worlds.0 {
            world.app.clock.advance(1);
            let ratings = world.app.app.ratings.clone();
            runtime().spawn(async move { while ratings.poll().await.unwrap() > 0 {} }).await.unwrap();
        }
        self.look_at_tournament(dice).await;
        self.look_at_people().await;
        for at in 0..self.tables.len() {
            self.look_at_game(at, dice).await;
        }
    }

    async fn look_at_tournament(&mut self, dice: &mut Dice) {
        let path = self.path.clone();
        let newest = self.tables.iter().flat_map(|table| &table.scribes).map(|scribe| scribe.at).max();
        let micros = newest.map_or(0, |newest| newest.duration_since(self.started).as_micros() as u64);
        let series = self.asked(&format!("/v1/series?tournament={}", path.rsplit('/').next().unwrap())).await;
        let series = format!("/v1/series/{}", series["items"][0]["id"].as_str().unwrap());
        let people = &self.worlds.0[0].people;
        let as_of = self.started + SignedDuration::from_micros(dice.below(micros + 1).cast_signed());
        let paths = [
            series.clone(),
            format!("{series}/standings"),
            format!("{path}/teams"),
            format!("{path}/crosstable"),
            format!("{path}/announcements"),
            "/v1/tournaments?limit=200".to_owned(),
            format!("/v1/tournaments?status=active&kind={}", self.tables[0].start.kind.kind),
            path.clone(),
            format!("{path}/log?limit=200"),
            format!("{path}/entries?limit=200"),
            format!("{path}/standings?as_of={as_of}"),
            format!("{path}/standings?limit=2&cursor=1"),
            format!("{path}/points?limit=200"),
            format!("{path}/points?player={}&limit=1", dice.pick(&people[..6]).username()),
        ];
        for path in &paths {
            self.asked(path).await;
        }
        // Calls are for organisers, and the others come after the end: a refusal tells nothing either.
        for part in ["calls", "audit", "certificates"] {
            self.answered(&Request::get(&format!("{path}/{part}"), self.viewer().as_ref())).await;
        }
        for form in ["application/json", "text/csv", "text/html"] {
            let standings = Request::get(&format!("{path}/standings"), self.viewer().as_ref());
            let [answer, _] = self.worlds.same(&standings.with(&format!("accept: {form}"))).await;
            assert_eq!(answer.status, 200);
        }
    }

    /// The lobby, profiles and leaderboards.
    async fn look_at_people(&mut self) {
        let mut lists: Vec<String> = ["", "&status=active", "&status=finished", "&status=aborted"]
            .map(|status| format!("/v1/games?limit=200{status}"))
            .into();
        let mut paths = Vec::new();
        let kind = self.tables[0].start.kind.kind;
        paths.extend(
            ["all", "season", "week"].map(|window| format!("/v1/leaderboards/{kind}?window={window}")),
        );
        for person in &self.worlds.0[0].people {
            let name = person.username();
            paths.push(format!("/v1/players/{name}"));
            lists.push(format!("/v1/games?limit=200&status=finished&player={name}"));
        }
        for path in &paths {
            self.asked(path).await;
        }
        // A viewer without an account is refused in both worlds.
        self.answered(&Request::get("/v1/me/tournaments", self.viewer().as_ref())).await;
        lists.extend(["/v1/me/games?limit=200", "/v1/me/games?your_turn=true"].map(str::to_owned));
        let games: Vec<Uuid> = self.tables.iter().map(|table| table.game).collect();
        for path in &lists {
            self.worlds.same_items(&Request::get(path, self.viewer().as_ref()), &games).await;
        }
    }

    async fn look_at_game(&mut self, at: usize, dice: &mut Dice) {
        let game = format!("/v1/games/{}", self.tables[at].game);
        let shown = self.asked(&game).await;
        let version = shown["version"].as_u64().unwrap();
        let hands = self.asked(&format!("{game}/hands?limit=200")).await;
        let mut paths = vec![
            format!("{game}?version={}", 1 + dice.below(version)),
            format!("{game}?version={}", version + 1),
            format!("{game}/log?limit=200"),
            format!("{game}/log?limit=200&after=200"),
            format!("{game}/stream?after={}", version + 1),
        ];
        paths.extend((0..=list(&hands["items"]).len() + 1).map(|hand| format!("{game}/hands/{hand}")));
        if shown["status"] == "active" {
            paths.push(format!("{game}/audit"));
        }
        for path in &paths {
            self.answered(&Request::get(path, self.viewer().as_ref())).await;
        }
        let told = Request::get(&format!("{game}/hands"), self.viewer().as_ref());
        self.answered(&told.with("accept: text/plain")).await;
        self.exports(at).await;
        if shown["status"] == "active" {
            self.is_refused_alike(&game, version, dice).await;
        }
    }

    /// What is not for the viewer to do is refused in the same words.
    async fn is_refused_alike(&mut self, game: &str, version: u64, dice: &mut Dice) {
        let Some(viewer) = self.viewer() else { return };
        let viewer = Some(&viewer);
        let newest = self.tables.iter().flat_map(|table| &table.scribes).map(|scribe| scribe.seq).max();
        let some = 1 + dice.below(u64::from(newest.unwrap()) + 1);
        let mut wrong: Vec<Request> = ["seats", "start", "abort", "rematch", "actions"]
            .map(|to| Request::post(&format!("{game}/{to}"), viewer, &json!({})))
            .into();
        wrong.push(Request::of("DELETE", &format!("{game}/seats/me"), viewer, ""));
        wrong.push(Request::post(&format!("{game}/bots"), viewer, &json!({"policy": "steady"})));
        for version in [version, some] {
            let act = Request::post(&format!("{game}/actions"), viewer, &json!({"type": "none"}));
            wrong.push(act.with(&format!("if-match: \"{version}\"")));
        }
        for request in &wrong {
            let [refused, _] = self.worlds.same(request).await;
            assert!((400..500).contains(&refused.status), "{}", refused.text);
        }
    }

    /// Bundles of games that are over come in pieces.
    async fn exports(&mut self, at: usize) {
        let tournament = self.path.rsplit('/').next().unwrap().to_owned();
        let game = self.tables[at].game;
        for query in [format!("tournament={tournament}"), format!("cursor={game}")] {
            let path = format!("/v1/audit/games?{query}");
            let [world, other] = &self.clients;
            let (answer, twin) = tokio::join!(world.get(&path), other.get(&path));
            assert_eq!((answer.status, answer.body), (twin.status, twin.body), "{path}");
        }
    }

    /// What both worlds answer to somebody who may ask.
    async fn asked(&mut self, path: &str) -> Value {
        let [answer, _] = self.worlds.same(&Request::get(path, self.viewer().as_ref())).await;
        answer.body()
    }

    async fn answered(&mut self, request: &Request) {
        self.worlds.same(request).await;
    }

    /// Who asks: with the same token in both worlds.
    fn viewer(&self) -> Option<Client> {
        self.viewer.map(|_| self.clients[0].clone())
    }

    /// Follows the tournament and its games.
    pub async fn listen(&self) -> Streams {
        let mut tasks = JoinSet::new();
        let mut heard = Vec::new();
        let games = self.tables.iter().map(|table| format!("/v1/games/{}", table.game));
        for path in games.chain([self.path.clone()]) {
            let [world, other] = &self.clients;
            let stream = format!("{path}/stream");
            let streams = [world.stream(&stream).await, other.stream(&stream).await];
            heard.push((path, streams.map(|stream| hear(stream, &mut tasks))));
        }
        let (mut account, mut webhook) = (None, None);
        if self.viewer.is_some() {
            let [world, other] = &self.clients;
            let streams = [world.stream("/v1/me/stream").await, other.stream("/v1/me/stream").await];
            account = Some(streams.map(|stream| hear(stream, &mut tasks)));
            webhook = Some([self.webhook(0).await, self.webhook(1).await]);
        }
        Streams { heard, account, webhook, _tasks: tasks }
    }

    async fn webhook(&self, which: usize) -> Webhook {
        let receiver = Receiver::start().await;
        let created = self.clients[which].post("/v1/webhooks", &json!({"url": receiver.url})).await.ok();
        let path = format!("/v1/webhooks/{}", created["webhook"]["id"].as_str().unwrap());
        Webhook { path, receiver, _delivering: Delivering::by(&self.worlds.0[which].app) }
    }

    /// Waits until a webhook was sent all that its account's stream has told, and sees that it was sent nothing else of
    /// this tournament. The messages by their ids.
    async fn sent(&self, webhook: &Webhook, told: &[Value]) -> BTreeMap<String, String> {
        let ids: BTreeSet<&str> = told.iter().map(|notice| notice["id"].as_str().unwrap()).collect();
        let sent = eventually(async || {
            let received = webhook.receiver.received().into_iter().map(|message| (message.id, message.body));
            let sent: BTreeMap<String, String> = received.collect();
            ids.iter().all(|id| sent.contains_key(*id)).then_some(sent)
        });
        let mut sent = sent.await.expect("all of it is sent");
        sent.retain(|id, _| self.tables.iter().any(|table| id.starts_with(&table.game.to_string())));
        assert!(sent.keys().all(|id| ids.contains(&**id)), "{sent:?}");
        sent
    }

    /// The notices of this tournament and its games, until no more come for a while.
    async fn notices(&self, stream: &mut UnboundedReceiver<Event>) -> Vec<Value> {
        let tournament = json!(self.path.rsplit('/').next());
        let mut notices = Vec::new();
        while let Ok(Some(event)) = timeout(QUIET, stream.recv()).await {
            let notice = event.json();
            let is_game = |table: &super::Table| notice["game"]["id"] == json!(table.game);
            if notice["tournament"]["id"] == tournament || self.tables.iter().any(is_game) {
                notices.push(notice);
            }
        }
        notices
    }

    /// Waits until the streams have told what can be seen, and compares them.
    pub async fn heard_the_same(&mut self, mut streams: Streams) {
        for (path, heard) in &mut streams.heard {
            let shown = self.asked(path).await;
            // How a table of a duplicate round ends is told when the round is over.
            let mut told = Vec::new();
            for stream in heard {
                told.push(told_until(stream, shown["version"].as_u64().unwrap()).await);
            }
            let (twin, told) = (told.pop().unwrap(), told.pop().unwrap());
            let both = told.len().min(twin.len());
            assert_eq!(told[..both], twin[..both], "{path}");
            let ids: BTreeSet<&str> = told.iter().map(|event| &*event.id).collect();
            assert_eq!(ids.len(), told.len(), "{path}");
        }
        if let Some([stream, other]) = &mut streams.account {
            let (told, twin) = (self.notices(stream).await, self.notices(other).await);
            let both = told.len().min(twin.len());
            assert_eq!(told[..both], twin[..both]);
            let Some([webhook, other]) = &streams.webhook else { panic!("both are there") };
            let (mut sent, mut twin) = (self.sent(webhook, &told).await, self.sent(other, &twin).await);
            sent.retain(|id, _| told[..both].iter().any(|notice| notice["id"] == **id));
            twin.retain(|id, _| sent.contains_key(id));
            assert_eq!(sent, twin);
            for (client, webhook) in self.clients.iter().zip([webhook, other]) {
                client.delete(&webhook.path).await.ok();
            }
        }
    }
}

/// Takes what comes, so that nobody is cut off.
fn hear(mut stream: Events, tasks: &mut JoinSet<()>) -> UnboundedReceiver<Event> {
    let (sender, receiver) = unbounded_channel();
    tasks.spawn(async move {
        while let Ok(Some(event)) = stream.try_next().await {
            let _ = sender.send(event);
        }
    });
    receiver
}

/// All that has come, this version at least, without hashes.
async fn told_until(stream: &mut UnboundedReceiver<Event>, version: u64) -> Vec<Event> {
    let mut told = Vec::new();
    loop {
        let is_enough = told.last().is_some_and(|last: &Event| last.id.parse::<u64>().unwrap() >= version);
        let event = match is_enough {
            true => stream.try_recv().ok(),
            false => {
                Some(timeout(PATIENCE, stream.recv()).await.expect("all that can be seen is told").unwrap())
            }
        };
        let Some(event) = event else { return told };
        let data = without_hashes(&event.data).0;
        told.push(Event { data, ..event });
    }
}
