//! What a table does when a press comes late or twice, when a number is half typed, and when somebody else looks on.

use serde_json::{Value, json};

use super::chromium::Chromium;
use super::page::{PHONE, Page, Person};
use super::player::By;
use super::tournament::as_player;
use crate::api::app::TestApp;
use crate::api::client::Client;
use crate::eventually::eventually;
use crate::random::orders::list;

/// Two accounts of a card room, and the browser profile in which Ann plays.
struct Players {
    app: TestApp,
    ann: Client,
    bob: Client,
    person: Person,
}

/// `None` where no Chromium is installed.
async fn players() -> Option<Players> {
    let chromium = Chromium::here()?;
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    Some(Players { app, ann, bob, person: Person::new(chromium).await })
}

/// Makes a game for two, at which both sit, and gives its path.
async fn table(ann: &Client, bob: &Client, wanted: Value) -> String {
    let made = ann.post("/v1/games", &wanted).await.ok();
    let path = format!("/games/{}", made["id"].as_str().unwrap());
    bob.post(&format!("/v1{path}/seats"), &json!({"invite": made["invite"]})).await.ok();
    path
}

/// Sticks for whoever is to act, until it is Ann's turn.
async fn until_her_turn(ann: &Client, bob: &Client, game: &str) {
    while ann.get(game).await.ok()["legal_actions"] == json!([]) {
        bob.post(&format!("{game}/actions"), &json!({"type": "stick"})).await.ok();
    }
}

/// Ann's page of a game of several hands with Bob, and the game's path in the API. It is her turn.
async fn her_turn(person: &Person, app: &TestApp, ann: &Client, bob: &Client) -> (Page, String) {
    let wanted = json!({"kind": "ritunas_favour", "seats": 2, "sit": true, "options": {"hands": 9}});
    let path = table(ann, bob, wanted).await;
    let game = format!("/v1{path}");
    until_her_turn(ann, bob, &game).await;
    let page = as_player(person, app, ann, &path).await;
    page.until("offer().state === 'mine'").await;
    (page, game)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_that_comes_late_is_not_played_in_another_hand() {
    let Some(Players { app, ann, bob, person }) = players().await else { return };
    let (page, game) = her_turn(&person, &app, &ann, &bob).await;
    // The line is so bad that the request waits.
    page.eval(
        "(window.real = window.fetch, window.held = [], window.fetch = (input, init) =>
            window.held !== null && String(input).includes('/actions')
                ? new Promise((go) => window.held.push(() => go(window.real(input, init))))
                : window.real(input, init), true)",
    )
    .await;
    page.click("button", "Stick").await;
    page.until("window.held.length === 1").await;
    // The hand comes to its end without it, and she is to act in another one.
    let hand = |game: &Value| game["view"]["hand"].as_u64().unwrap();
    let before = hand(&ann.get(&game).await.ok());
    while hand(&ann.get(&game).await.ok()) == before {
        until_her_turn(&ann, &bob, &game).await;
        ann.post(&format!("{game}/actions"), &json!({"type": "stick"})).await.ok();
    }
    until_her_turn(&ann, &bob, &game).await;
    let version = ann.get(&game).await.ok()["version"].clone();
    page.eval("(window.late = window.held, window.held = null, window.late.forEach((go) => go()), true)")
        .await;
    page.shows("The table has moved on, so this was not done.").await;
    assert_eq!(ann.get(&game).await.ok()["version"], version);
    // Her next press is meant for this hand.
    page.click("button", "Stick").await;
    let acted = eventually(async || {
        let log = ann.get(&format!("{game}/log?after={version}")).await.ok();
        list(&log["items"]).first().map(|entry| entry["type"].clone())
    });
    assert_eq!(acted.await.expect("an entry"), "acted");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_double_click_and_a_held_key_decide_once() {
    let Some(Players { app, ann, bob, person }) = players().await else { return };
    let (page, game) = her_turn(&person, &app, &ann, &bob).await;
    let stick = ".t-bar [data-type=stick]";
    for by in [By::Clicks, By::Keys] {
        // She decides, and by the time that she presses again it is her turn once more.
        let version = ann.get(&game).await.ok()["version"].clone();
        page.until("offer().state === 'mine'").await;
        let at = page.eval(&format!("document.querySelector({}).dataset.action", json!(stick))).await;
        let key = (at.as_str().unwrap().parse::<u8>().unwrap() + 1).to_string();
        match by {
            By::Clicks => page.click(stick, "").await,
            By::Keys => page.press(&key).await,
        }
        let acted = async || (ann.get(&game).await.ok()["version"] != version).then_some(());
        eventually(acted).await.expect("she has decided");
        until_her_turn(&ann, &bob, &game).await;
        let version = ann.get(&game).await.ok()["version"].as_u64().unwrap();
        page.until(&format!("window.received.some((text) => text.includes('\"version\":{version}'))")).await;
        page.until("offer().state === 'mine' && drawn()").await;
        match by {
            By::Clicks => page.click_again(stick).await,
            By::Keys => page.hold(&key).await,
        }
        page.until("window.pending === 0 && drawn()").await;
        assert_eq!(ann.get(&game).await.ok()["version"], version, "{by:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_is_half_typed_stays_whatever_happens_at_the_table() {
    let Some(Players { app, ann, bob, person }) = players().await else { return };
    let path = table(&ann, &bob, json!({"kind": "sevens", "seats": 2, "sit": true})).await;
    let game = format!("/v1{path}");
    let seat = ann.get(&game).await.ok()["you"].clone();
    if ann.get(&game).await.ok()["to_act"][0] != seat {
        bob.post(&format!("{game}/actions"), &json!({"type": "check", "trade": []})).await.ok();
    }
    let page = as_player(&person, &app, &ann, &path).await;
    page.click(".t-bar [data-type=raise]", "").await;
    page.click("#p-by", "").await;
    page.eval("(document.querySelector('#p-by').select(), true)").await;
    page.type_in("17").await;
    bob.post(&format!("{game}/abort"), &json!(null)).await.ok();
    page.until("window.received.some((text) => text.includes('\"agrees_to_abort\":true')) && drawn()").await;
    assert_eq!(page.eval("document.querySelector('#p-by').value").await, "17");
    // Once she is done with it, the number counts.
    page.press("Tab").await;
    page.click(".sheet .likely", "Raise by 17").await;
    let raised = eventually(async || {
        let log = ann.get(&format!("{game}/log?limit=200")).await.ok();
        let raised = |entry: &&Value| entry["data"]["action"]["type"] == "raise";
        list(&log["items"]).iter().find(raised).map(|entry| entry["data"]["action"]["by"].clone())
    });
    assert_eq!(raised.await.expect("a raise"), 17);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_links_of_a_private_hand_keep_the_invite() {
    let Some(Players { app, ann, bob, person }) = players().await else { return };
    let wanted = json!({"kind": "ritunas_favour", "seats": 2, "sit": true, "visibility": "private",
        "options": {"hands": 2}});
    let made = ann.post("/v1/games", &wanted).await.ok();
    let (id, invite) = (made["id"].as_str().unwrap(), made["invite"].as_str().unwrap());
    let game = format!("/v1/games/{id}");
    bob.post(&format!("{game}/seats"), &json!({"invite": invite})).await.ok();
    while ann.get(&game).await.ok()["status"] == "active" {
        for player in [&ann, &bob] {
            if player.get(&game).await.ok()["legal_actions"] != json!([]) {
                player.post(&format!("{game}/actions"), &json!({"type": "stick"})).await.ok();
            }
        }
    }
    // Somebody who was given the address looks on.
    let page = person.open(app.base(), &format!("/games/{id}/hands/1?invite={invite}"), PHONE).await;
    page.click("a", "Next hand").await;
    page.until("location.pathname.endsWith('/hands/2') && document.querySelector('main h1')").await;
    page.click("a", "Replay it").await;
    page.until("document.querySelector('#version')").await;
    page.click(".hands a", "1").await;
    page.until("location.pathname.endsWith('/hands/1') && document.querySelector('main h1')").await;
    page.click("a", "The table").await;
    page.until("offer().state === 'over'").await;
    assert_eq!(page.eval("new URLSearchParams(location.search).get('invite')").await, invite);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_signs_out_leaves_no_hand_on_the_screen() {
    let Some(Players { app, ann, bob, person }) = players().await else { return };
    for visibility in ["private", "public"] {
        let wanted = json!({"kind": "sevens", "seats": 2, "sit": true, "visibility": visibility});
        let path = table(&ann, &bob, wanted).await;
        let page = as_player(&person, &app, &ann, &path).await;
        let cards = "[...document.querySelectorAll('.hand li')].length";
        page.until(&format!("{cards} > 0")).await;
        page.click("button", "Sign out").await;
        match visibility {
            "private" => page.shows("Nothing is here.").await,
            _ => drop(page.until(&format!("{cards} === 0")).await),
        }
        // Nor does it come back with the address.
        page.arrive(&path).await;
        page.until("document.querySelector('h1')").await;
        assert_eq!(page.eval(cards).await, 0, "{visibility}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_called_off_after_a_question_and_shows_its_seed() {
    let Some(Players { app, ann, bob, person }) = players().await else { return };
    let (page, game) = her_turn(&person, &app, &ann, &bob).await;
    let agrees = async || {
        let game = ann.get(&game).await.ok();
        let seats = list(&game["seats"]);
        seats.iter().find(|seat| seat["player"] == "ann").unwrap()["agrees_to_abort"] == true
    };
    page.click(".leaving button", "Call it off").await;
    page.click("dialog button", "Play on").await;
    assert!(!agrees().await, "nothing was decided");
    page.click(".leaving button", "Call it off").await;
    page.click("dialog button", "Call it off").await;
    page.until("document.querySelector('dialog') === null").await;
    assert!(agrees().await);
    bob.post(&format!("{game}/abort"), &json!({})).await.ok();
    page.shows("The game was called off.").await;
    let seed = ann.get(&game).await.ok()["fairness"]["server_seed"].as_str().unwrap().to_owned();
    let shown = page.eval("document.querySelector('[data-key=fairness]').textContent").await;
    assert!(shown.as_str().unwrap().contains(&seed), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_whose_answer_never_comes_is_sent_again_and_done_once() {
    let Some(Players { app, ann, bob, person }) = players().await else { return };
    let (page, game) = her_turn(&person, &app, &ann, &bob).await;
    // The first try is sent and not answered, and the page's minute is over at once.
    page.eval(
        "(window.real = window.fetch, window.later = window.setTimeout, window.tries = 0,
          window.setTimeout = (work, wait) => later(work, wait === 60000 ? 200 : wait),
          window.fetch = (input, init) => {
            const answer = real(input, { ...init, signal: null });
            if (!String(input).includes('/actions') || window.tries++ > 0) return answer;
            return new Promise((_, fail) => init.signal.addEventListener('abort', () => fail(init.signal.reason)));
          }, true)",
    )
    .await;
    let before = ann.get(&game).await.ok()["version"].as_u64().unwrap();
    page.click(".t-bar [data-type=stick]", "").await;
    page.until("window.tries === 2 && document.querySelector('.t-bar :disabled') === null").await;
    let log = ann.get(&format!("{game}/log?after={before}")).await.ok();
    let hers = list(&log["items"]).iter().filter(|entry| entry["type"] == "acted").count();
    assert_eq!(hers, 1, "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn before_the_start_a_double_click_sits_down_once_and_calling_off_asks() {
    let Some(Players { app, ann, bob, person }) = players().await else { return };
    let made = ann.post("/v1/games", &json!({"kind": "sevens", "seats": 5})).await.ok();
    let path = format!("/games/{}", made["id"].as_str().unwrap());
    let game = async || ann.get(&format!("/v1{path}")).await.ok();
    let page = as_player(&person, &app, &ann, &path).await;
    page.click(".desk .likely", "Sit down").await;
    page.until("document.querySelector('.desk .likely').textContent === 'Add a bot'").await;
    page.click_again(".desk .likely").await;
    page.until("window.pending === 0 && drawn()").await;
    let bots = async || list(&game().await["seats"]).iter().filter(|seat| !seat["bot"].is_null()).count();
    assert_eq!(bots().await, 0);
    page.click(".desk .likely", "Add a bot").await;
    eventually(async || (bots().await == 1).then_some(())).await.expect("a bot");
    page.until("window.pending === 0 && drawn()").await;
    page.click_again(".desk .likely").await;
    eventually(async || (bots().await == 2).then_some(())).await.expect("a bot for each click");
    page.until("window.pending === 0 && drawn()").await;
    // She presses Enter and holds it: the question is asked, and not answered.
    page.eval("([...document.querySelectorAll('.desk button')].at(-1).focus(), true)").await;
    page.press("Enter").await;
    page.until("document.querySelector('dialog[open]') !== null").await;
    page.hold("Enter").await;
    page.click("dialog button", "Keep it open").await;
    assert_eq!(game().await["status"], "open");
    // Somebody sits down while she is asked.
    page.click(".desk button", "Call it off").await;
    bob.post(&format!("/v1{path}/seats"), &json!({})).await.ok();
    page.click("dialog button", "Call it off").await;
    page.until("document.querySelector('dialog') === null").await;
    assert_eq!(game().await["status"], "open");

    page.click(".desk button", "Call it off").await;
    page.click("dialog button", "Call it off").await;
    page.shows("The game was called off.").await;
    assert_eq!(game().await["status"], "aborted");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_gone_when_her_next_turn_begins() {
    let Some(Players { app, ann, bob, person }) = players().await else { return };
    let (page, game) = her_turn(&person, &app, &ann, &bob).await;
    page.eval(
        "(window.real = window.fetch, window.fetch = (input, init) => {
            if (!String(input).includes('/actions')) return real(input, init);
            const told = JSON.stringify({code: 'unknown', title: 'No', detail: 'The deck is wet.', status: 422});
            return Promise.resolve(new Response(told, {status: 422, headers: {'content-type': 'application/problem+json'}}));
          }, true)",
    )
    .await;
    page.click(".t-bar [data-type=stick]", "").await;
    page.shows("The deck is wet").await;
    // She plays on another device.
    ann.post(&format!("{game}/actions"), &json!({"type": "stick"})).await.ok();
    until_her_turn(&ann, &bob, &game).await;
    page.until("offer().state === 'mine' && !document.body.innerText.includes('The deck is wet')").await;
}
