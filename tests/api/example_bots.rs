//! The bots in `examples/`, as their owners run them: as processes that know an address and a token.

use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::app::{TestApp, runtime};
use super::client::Client;
use super::tournaments;
use crate::eventually::eventually;
use crate::random::dice::Dice;
use crate::random::orders::{list, order};

/// What runs a bot, and the bot.
pub type Script = (&'static str, &'static str);

pub const PYTHON: Script = ("python3", "examples/bot.py");
const TYPESCRIPT: Script = ("node", "examples/typescript/bot.ts");

/// Where `.ci/clients` leaves a newer node than most systems have.
const TOOLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/clients/venv/bin");

/// The interpreter of a script. None where it is missing, or too old for TypeScript: that is a failure where `CI` says that
/// the project's checks run.
#[expect(clippy::disallowed_methods, reason = "a test is told by whoever runs it, not by a configuration")]
pub fn interpreter((name, script): Script) -> Option<String> {
    // This names the program itself, and not a wrapper that starts it: a wrapper that is killed would leave its child running.
    let code = match name {
        "node" => ["-e", "if (process.features.typescript) console.log(process.execPath)"],
        _ => ["-c", "import sys; print(sys.executable)"],
    };
    let found = [name.to_owned(), format!("{TOOLS}/{name}")].into_iter().find_map(|program| {
        let told = Command::new(program).args(code).output().ok()?.stdout;
        Some(String::from_utf8(told).ok()?.trim().to_owned()).filter(|path| !path.is_empty())
    });
    assert!(found.is_some() || std::env::var_os("CI").is_none(), "{name} is missing, or too old");
    if found.is_none() {
        eprintln!("{name} is missing, or too old: {script} is not tried");
    }
    found
}

/// A bot that is running. It is killed at the end, if not before.
struct Bot(Mutex<Child>);

impl Bot {
    /// None where the interpreter is missing.
    fn start(script: Script, room: &str, token: &str, tournament: Option<&str>) -> Option<Bot> {
        let mut command = Command::new(interpreter(script)?);
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(script.1)).arg(room).args(tournament);
        Some(Bot(Mutex::new(command.env("CARDROOM_TOKEN", token).spawn().unwrap())))
    }

    fn ended(&self) -> Option<ExitStatus> {
        self.0.lock().unwrap().try_wait().unwrap()
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let child = self.0.get_mut().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// A personal access token with which a program can play for its owner.
async fn token(owner: &Client) -> String {
    let wanted = json!({"name": "my bot", "scopes": ["play"]});
    owner.post("/v1/me/tokens", &wanted).await.ok()["token"].as_str().unwrap().to_owned()
}

/// The way from a bot to the service: it asks for patience at first, and breaks off when it is told to.
struct Line {
    url: String,
    breaks: watch::Sender<()>,
    /// How many requests went on after an event of a stream.
    resumed: Arc<AtomicUsize>,
    /// When the first requests came, of which none was let through.
    turned_away: Arc<Mutex<Vec<Instant>>>,
}

/// How many connections are answered with 503.
const TURNED_AWAY: usize = 2;

impl Line {
    async fn to(app: &TestApp) -> Line {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let target = app.base().strip_prefix("http://").unwrap().to_owned();
        let breaks = watch::Sender::new(());
        let (resumed, turned_away) = (Arc::<AtomicUsize>::default(), Arc::<Mutex<Vec<_>>>::default());
        let line =
            Line { url, breaks: breaks.clone(), resumed: resumed.clone(), turned_away: turned_away.clone() };
        runtime().spawn(async move {
            while let Ok((mut bot, _)) = listener.accept().await {
                if turned_away.lock().unwrap().len() < TURNED_AWAY {
                    turned_away.lock().unwrap().push(Instant::now());
                    tokio::spawn(async move { turn_away(&mut bot).await });
                    continue;
                }
                let (target, resumed, mut broken) = (target.clone(), resumed.clone(), breaks.subscribe());
                tokio::spawn(async move {
                    tokio::select! {
                        _ = carry(bot, &target, &resumed) => {}
                        _ = broken.changed() => {}
                    }
                });
            }
        });
        line
    }
}

async fn turn_away(bot: &mut TcpStream) -> std::io::Result<()> {
    let _request = bot.read(&mut [0; 4096]).await?;
    let body = r#"{"detail":"soon"}"#;
    let answer = format!(
        "HTTP/1.1 503 so\r\nretry-after: 1\r\ncontent-type: application/problem+json\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{body}",
        body.len()
    );
    bot.write_all(answer.as_bytes()).await
}

/// Carries a connection, and counts the requests that go on from an event of a stream.
async fn carry(bot: TcpStream, target: &str, resumed: &AtomicUsize) -> std::io::Result<()> {
    let service = TcpStream::connect(target).await?;
    let ((mut requests, mut to_bot), (mut answers, mut to_service)) =
        (bot.into_split(), service.into_split());
    let ask = async {
        let mut piece = vec![0; 64 * 1024];
        while let length @ 1.. = requests.read(&mut piece).await? {
            let text = String::from_utf8_lossy(&piece[..length]).to_lowercase();
            resumed.fetch_add(text.matches("\r\nlast-event-id: ").count(), Ordering::Relaxed);
            to_service.write_all(&piece[..length]).await?;
        }
        to_service.shutdown().await
    };
    let answer = async {
        copy(&mut answers, &mut to_bot).await?;
        to_bot.shutdown().await
    };
    tokio::try_join!(ask, answer)?;
    Ok(())
}

/// The shortest game of a kind at which an account sits with bots.
async fn create(owner: &Client, kind: &Value) -> String {
    let rivals = vec!["steady"; kind["seats"]["min"].as_u64().unwrap() as usize - 1];
    let known = &kind["options_schema"]["properties"];
    let least = |name: &str| Some((name.to_owned(), known.get(name)?["minimum"].clone()));
    let options: serde_json::Map<_, _> = ["hands", "target_score"].into_iter().filter_map(least).collect();
    let wanted = json!({"kind": kind["kind"], "sit": true, "bots": rivals, "options": options});
    let game = owner.post("/v1/games", &wanted).await.ok();
    format!("/v1/games/{}", game["id"].as_str().unwrap())
}

/// Waits until a game is over that a bot plays.
async fn finish(app: &TestApp, bot: &Bot, path: &str) {
    let finished = eventually(async || {
        app.tick().await;
        (app.anon().get(path).await.ok()["status"] == "finished").then_some(())
    });
    assert!(
        finished.await.is_some(),
        "{path}: {}; the bot: {:?}",
        app.anon().get(path).await.body,
        bot.ended()
    );
    assert_eq!(bot.ended(), None, "it waits for the next game");
}

async fn plays_every_kind(script: Script) {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let kinds = app.anon().get("/v1/kinds").await.ok();
    let [first, rest @ ..] = &list(&kinds["items"])[..] else { panic!("{kinds}") };
    assert_eq!(rest.len(), 4);
    // The bot finds a game in which it is its turn already.
    let path = create(&ann, first).await;
    let line = Line::to(&app).await;
    let Some(bot) = Bot::start(script, &line.url, &token(&ann).await, None) else { return };
    finish(&app, &bot, &path).await;
    let turned_away = line.turned_away.lock().unwrap().clone();
    assert!(turned_away[1] - turned_away[0] >= Duration::from_millis(900), "{turned_away:?}");
    for (nth, kind) in rest.iter().enumerate() {
        if nth % 2 == 0 {
            line.breaks.send_replace(());
        }
        // What begins while the bot has no stream is told by the next.
        let path = create(&ann, kind).await;
        finish(&app, &bot, &path).await;
    }
    assert!(line.resumed.load(Ordering::Relaxed) > 0, "a stream goes on where it was left");
}

#[tokio::test]
async fn the_example_bot_in_python_plays_every_kind_to_its_end() {
    plays_every_kind(PYTHON).await;
}

#[tokio::test]
async fn the_example_bot_in_typescript_plays_every_kind_to_its_end() {
    plays_every_kind(TYPESCRIPT).await;
}

/// The owner plays at the same seat, and is faster now and then: nothing that the bot gives up for.
async fn shares_its_seat(script: Script) {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let wanted = json!({"kind": "ritunas_favour", "sit": true, "bots": ["steady"], "options": {"hands": 10}});
    let game = ann.post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    let Some(bot) = Bot::start(script, app.base(), &token(&ann).await, None) else { return };
    let mut dice = Dice::new(5);
    let mut seen = game;
    while seen["status"] == "active" {
        if let menu @ [_, ..] = &list(&seen["legal_actions"])[..] {
            let acted = ann.post(&format!("{path}/actions"), &order(dice.pick(menu), &mut dice)).await;
            let lost = ["not_your_turn", "illegal_action", "game_over"];
            assert!(acted.status.is_success() || lost.contains(&acted.code()), "{}", acted.body);
        }
        app.tick().await;
        assert_eq!(bot.ended(), None);
        seen = ann.get(&path).await.ok();
    }
    let another = create(&ann, &json!({"kind": "sevens", "seats": {"min": 2}})).await;
    finish(&app, &bot, &another).await;
}

#[tokio::test]
async fn an_example_bot_goes_on_when_its_owner_was_faster() {
    shares_its_seat(PYTHON).await;
    shares_its_seat(TYPESCRIPT).await;
}

async fn plays_a_tournament(script: Script) {
    let app = TestApp::start().await;
    let [olga, ann] = [app.user("olga").await, app.user("ann").await];
    let cup = tournaments::made(&olga, json!({})).await;
    tournaments::bots(&olga, &cup, "steady", 5).await;
    let id = cup.rsplit('/').next().unwrap();
    let Some(bot) = Bot::start(script, app.base(), &token(&ann).await, Some(id)) else { return };
    let entered = eventually(async || (!ann.get(&cup).await.ok()["you"].is_null()).then_some(()));
    entered.await.expect("the bot enters");
    olga.post(&format!("{cup}/start"), &json!(null)).await.ok();
    let over = eventually(async || {
        app.tick().await;
        app.clock.advance(1);
        bot.ended()
    });
    let status = over.await.expect("the bot plays to the end");
    assert!(status.success(), "{status}");
    let finished = ann.get(&cup).await.ok();
    assert_eq!(finished["status"], "finished");
    let standings = olga.get(&format!("{cup}/standings")).await.ok();
    let row = list(&standings["items"]).iter().find(|row| row["player"] == "ann").unwrap();
    assert_eq!((&row["games"], &row["status"]), (&json!(2), &json!("finished")), "{row}");
}

#[tokio::test]
async fn the_example_bots_play_a_tournament_and_end_with_it() {
    plays_a_tournament(PYTHON).await;
    plays_a_tournament(TYPESCRIPT).await;
}

#[tokio::test]
async fn an_example_bot_says_why_it_cannot_play() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let cup = tournaments::made(&ann, json!({})).await;
    let id = cup.rsplit('/').next().unwrap();
    ann.post(&format!("{cup}/abort"), &json!(null)).await.ok();
    let token = token(&ann).await;
    for script in [PYTHON, TYPESCRIPT] {
        let Some(program) = interpreter(script) else { continue };
        for (token, said) in [("crt_nobody", "token"), (&*token, "over")] {
            let mut command = Command::new(&program);
            command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(script.1)).args([app.base(), id]);
            command.env("CARDROOM_TOKEN", token);
            let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
            let told = String::from_utf8(output.stderr).unwrap();
            assert!(!output.status.success() && told.contains(said), "{script:?}: {told}");
        }
    }
}
