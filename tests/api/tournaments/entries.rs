//! Who plays in a tournament, and who runs it.

use cardroom::runtime::Aggregate;
use serde_json::{Value, json};

use super::super::app::{TestApp, runtime};
use super::super::contract::check_event;
use super::{bots, enter, made, play, points, standings};
use crate::random::dice::Dice;
use crate::random::orders::list;

#[tokio::test]
async fn a_list_is_open_until_it_is_full_and_one_stands_on_it_once() {
    let app = TestApp::start().await;
    let (organiser, ann, ben) = (app.user("olga").await, app.user("ann").await, app.user("ben").await);
    let path = made(&organiser, json!({"admission": {"type": "limited", "max": 2}})).await;
    let entries = format!("{path}/entries");
    let entered = ann.post(&entries, &json!({"client_seed": "mine"})).await;
    assert_eq!(entered.status, 201);
    assert_eq!(entered.body["you"]["player"], "ann");
    assert_eq!(ann.post(&entries, &json!({})).await.code(), "already_entered");
    ben.post(&entries, &json!({})).await.ok();
    assert_eq!(organiser.post(&entries, &json!({})).await.code(), "tournament_full");
    let left = ben.delete(&format!("{entries}/me")).await.ok();
    assert_eq!((left["entrants"].clone(), left["you"].clone()), (json!(1), json!(null)));
    assert_eq!(ben.delete(&format!("{entries}/me")).await.code(), "not_entered");
    organiser.post(&entries, &json!({})).await.ok();
    let listed = app.anon().get(&entries).await.ok();
    let names: Vec<_> = list(&listed["items"]).iter().map(|entrant| entrant["player"].clone()).collect();
    assert_eq!(names, ["ann", "olga"]);
    assert_eq!(app.anon().post(&entries, &json!({})).await.code(), "unauthorized");
}

#[tokio::test]
async fn an_invite_is_known_to_organisers_and_opens_the_list() {
    let app = TestApp::start().await;
    let (organiser, ann) = (app.user("olga").await, app.user("ann").await);
    let path = made(&organiser, json!({"admission": {"type": "invite"}})).await;
    assert_eq!(ann.get(&path).await.ok()["invite"], json!(null));
    let invite = organiser.get(&path).await.ok()["invite"].clone();
    let entries = format!("{path}/entries");
    assert_eq!(ann.post(&entries, &json!({})).await.code(), "wrong_invite");
    assert_eq!(ann.post(&entries, &json!({"invite": "guess"})).await.code(), "wrong_invite");
    ann.post(&entries, &json!({"invite": invite})).await.ok();
}

#[tokio::test]
async fn many_are_entered_all_or_none_and_the_refusal_names_each_bad_row() {
    let app = TestApp::start().await;
    let organiser = app.user("olga").await;
    for name in ["ann", "ben", "cleo"] {
        app.user(name).await;
    }
    let path = made(&organiser, json!({})).await;
    let bulk = format!("{path}/entries/bulk");
    let rows = json!({"entries": [{"player": "ann"}, {"player": "nobody"}, {"bot": "steady"}, {"player": "no one"}]});
    let refused = organiser.post(&bulk, &rows).await;
    assert_eq!(refused.code(), "player_not_found");
    let detail = refused.body["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("row 2") && detail.contains("row 4") && !detail.contains("row 1"), "{detail}");
    let twice = json!({"entries": [{"player": "ann"}, {"player": "Ann"}]});
    let refused = organiser.post(&bulk, &twice).await;
    assert_eq!(refused.code(), "already_entered");
    assert!(refused.body["detail"].as_str().unwrap().contains("row 2"));
    assert_eq!(organiser.get(&path).await.ok()["entrants"], 0);
    let rows = json!({"entries": [{"player": "ann"}, {"player": "BEN"}, {"bot": "steady"}, {"bot": "random"}, {"bot": "steady"}]});
    let keyed = organiser.clone().with("idempotency-key", "the-list");
    keyed.post(&bulk, &rows).await.ok();
    let again = keyed.post(&bulk, &rows).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let listed = app.anon().get(&format!("{path}/entries")).await.ok();
    let names: Vec<_> = list(&listed["items"]).iter().map(|entrant| entrant["player"].clone()).collect();
    assert_eq!(names, ["ann", "ben", "steady 1", "random 1", "steady 2"]);
    let credentials = json!({"username": "ann", "password": super::super::app::PASSWORD});
    let ann = app.anon().post("/v1/auth/login", &credentials).await.ok();
    let ann = app.anon().with_session(ann);
    assert_eq!(ann.post(&bulk, &rows).await.code(), "not_organiser");
    for body in
        [json!({"entries": []}), json!({"entries": [{"bot": "wild"}]}), json!({"entries": [{}]}), json!({})]
    {
        assert_eq!(organiser.post(&bulk, &body).await.code(), "invalid_body", "{body}");
    }
    let both = json!({"entries": [{"bot": "steady"}, {"player": "ann", "bot": "steady"}]});
    let detail = organiser.post(&bulk, &both).await.body["detail"].as_str().unwrap().to_owned();
    assert!(detail.starts_with("entries[1]: an entrant is a `player` or a `bot`"), "{detail}");
}

#[tokio::test]
async fn whom_its_maker_names_runs_a_tournament_too_and_nobody_else_does() {
    let app = TestApp::start().await;
    let (olga, ann, ben) = (app.user("olga").await, app.user("ann").await, app.user("ben").await);
    let path = made(&olga, json!({})).await;
    bots(&olga, &path, "random", 3).await;
    let organisers = format!("{path}/organisers");
    assert_eq!(ann.post(&format!("{path}/start"), &json!({})).await.code(), "not_organiser");
    assert_eq!(ann.post(&organisers, &json!({"player": "ann"})).await.code(), "not_creator");
    let named = olga.post(&organisers, &json!({"player": "Ann"})).await;
    assert_eq!(named.status, 201);
    assert_eq!(named.ok(), json!({"player": "ann", "role": "director"}));
    let both = json!([{"player": "olga", "role": "owner"}, {"player": "ann", "role": "director"}]);
    assert_eq!(app.anon().get(&path).await.ok()["organisers"], both);
    assert_eq!(ann.post(&organisers, &json!({"player": "ben"})).await.code(), "not_creator");
    assert_eq!(olga.post(&organisers, &json!({"player": "nobody"})).await.code(), "player_not_found");
    ann.post(&format!("{path}/start"), &json!({})).await.ok();
    assert_eq!(olga.post(&format!("{path}/start"), &json!({})).await.code(), "tournament_not_open");
    assert_eq!(ben.post(&format!("{path}/entries"), &json!({})).await.code(), "tournament_not_open");
    assert_eq!(ben.post(&format!("{path}/abort"), &json!({})).await.code(), "not_organiser");
}

#[tokio::test]
async fn a_start_takes_enough_for_a_table() {
    let app = TestApp::start().await;
    let organiser = app.user("olga").await;
    let path = made(&organiser, json!({"kind": "ricketts_hearts", "table_size": 4, "options": {}})).await;
    bots(&organiser, &path, "random", 3).await;
    assert_eq!(organiser.post(&format!("{path}/start"), &json!({})).await.code(), "too_few_entrants");
    organiser.post(&format!("{path}/bots"), &json!({"policy": "steady"})).await.ok();
    assert_eq!(organiser.post(&format!("{path}/start"), &json!({})).await.ok()["status"], "active");
}

#[tokio::test]
async fn a_request_under_one_key_is_done_once() {
    let app = TestApp::start().await;
    let organiser = app.user("olga").await.with("idempotency-key", "k1");
    let path = made(&organiser, json!({})).await;
    assert_eq!(made(&organiser, json!({})).await, path);
    let other = json!({"name": "Other", "kind": "sevens", "format": {"type": "knockout", "advance": 1}});
    assert_eq!(organiser.post("/v1/tournaments", &other).await.code(), "idempotency_key_reused");
    let ann = app.user("ann").await.with("idempotency-key", "enter");
    let replicas = [app.replica().await, app.replica().await];
    let entries = format!("{path}/entries");
    let racing = (0..12).map(|n| {
        let (ann, entries) = (replicas[n % 2].at(&ann), entries.clone());
        async move { ann.post(&entries, &json!({"client_seed": "s"})).await }
    });
    for reply in futures_util::future::join_all(racing).await {
        assert_eq!(reply.status, 201, "{}", reply.body);
        assert_eq!(reply.body["entrants"], 1);
    }
    assert_eq!(app.anon().get(&path).await.ok()["version"], 2);
}

#[tokio::test]
async fn what_cannot_be_played_is_not_made() {
    let app = TestApp::start().await;
    let organiser = app.user("olga").await;
    let wrong = [
        (json!({"kind": "poker"}), "kind_not_found"),
        (json!({"name": ""}), "invalid_options"),
        (json!({"table_size": 6}), "invalid_options"),
        (json!({"options": {"target_score": 0}}), "invalid_options"),
        (json!({"format": {"type": "rounds", "rounds": 0, "seating": "random"}}), "invalid_options"),
        (json!({"format": {"type": "knockout", "advance": 5}}), "invalid_options"),
        (json!({"format": {"type": "ladder"}}), "invalid_body"),
        (json!({"scoring": {"type": "courts_of_knights"}}), "invalid_options"),
        (json!({"scoring": {"type": "chips"}}), "invalid_options"),
        (json!({"result_by": {"type": "chips"}}), "invalid_options"),
        (json!({"turn_seconds": 4}), "invalid_options"),
        (json!({"stakes": 5}), "invalid_body"),
    ];
    for (change, code) in wrong {
        let mut wanted =
            json!({"name": "Cup", "kind": "royal_gambit", "format": {"type": "knockout", "advance": 1}});
        for (field, value) in change.as_object().unwrap() {
            wanted[field] = value.clone();
        }
        assert_eq!(organiser.post("/v1/tournaments", &wanted).await.code(), code, "{change}");
    }
    assert_eq!(app.anon().post("/v1/tournaments", &json!({})).await.code(), "unauthorized");
    let nowhere = "/v1/tournaments/018f0000-0000-7000-8000-000000000000";
    for path in ["", "/standings", "/points", "/log", "/entries"] {
        let reply = app.anon().get(&format!("{nowhere}{path}")).await;
        assert_eq!(reply.code(), "tournament_not_found", "{path}");
    }
}

#[tokio::test]
async fn who_withdraws_is_played_for_and_who_is_disqualified_was_never_there() {
    let app = TestApp::start().await;
    let (olga, ann, ben) = (app.user("olga").await, app.user("ann").await, app.user("ben").await);
    let path = made(&olga, json!({"turn_seconds": 5})).await;
    enter(&path, &[ann.clone(), ben.clone()]).await;
    bots(&olga, &path, "random", 4).await;
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    app.tick().await;
    assert_eq!(ann.get(&path).await.ok()["rounds"].as_array().unwrap().len(), 1);
    ann.delete(&format!("{path}/entries/me")).await.ok();
    for _ in 0..600 {
        if app.anon().get(&path).await.ok()["status"] == "finished" {
            break;
        }
        app.pass(5).await;
    }
    let tournament = app.anon().get(&path).await.ok();
    assert_eq!(tournament["status"], "finished");
    let second = tournament["rounds"][1].to_string();
    assert!(!second.contains("\"ann\"") && second.contains("\"ben\""), "{second}");
    let rows = standings(&app.anon(), &path).await;
    let row = |name: &str| rows.iter().find(|row| row["player"] == name).unwrap().clone();
    assert_eq!((row("ann")["status"].clone(), row("ann")["games"].clone()), (json!("withdrawn"), json!(1)));
    assert_eq!(row("ben")["games"], 2);

    let out = format!("{path}/entries/ben/disqualify");
    assert_eq!(ann.post(&out, &json!({"reason": "?"})).await.code(), "not_organiser");
    assert_eq!(olga.post(&out, &json!({"reason": ""})).await.code(), "invalid_body");
    olga.post(&out, &json!({"reason": "looked into the cards"})).await.ok();
    assert_eq!(olga.post(&out, &json!({"reason": "again"})).await.code(), "entrant_not_found");
    let rows = standings(&app.anon(), &path).await;
    let last = rows.last().unwrap();
    assert_eq!((last["player"].clone(), last["place"].clone()), (json!("ben"), json!(null)));
    assert_eq!((last["status"].clone(), last["score"].clone()), (json!("disqualified"), json!(null)));
    let told = super::points(&app.anon(), &path).await;
    assert!(told.iter().all(|point| point["player"] != "ben"));
}

#[tokio::test]
async fn a_tournament_s_stream_tells_each_change_once_at_any_replica() {
    let app = TestApp::start().await;
    let other = app.replica().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({"format": {"type": "rounds", "rounds": 1, "seating": "random"}})).await;
    let here = olga.stream(&format!("{path}/stream")).await.rest();
    let there = other.anon().stream(&format!("{path}/stream?after=0")).await.rest();
    let run = async {
        enter(&path, &[app.user("ann").await]).await;
        bots(&olga, &path, "random", 2).await;
        app.anon().get(&path).await.ok();
        let ann = app.anon().get(&format!("{path}/entries")).await.ok();
        assert_eq!(ann["items"][0]["player"], "ann");
        olga.post(&format!("{path}/start"), &json!({})).await.ok();
        app.tick().await;
        olga.post(&format!("{path}/abort"), &json!({})).await.ok();
    };
    let (here, there, ()) = tokio::join!(here, there, run);
    here.iter().chain(&there).for_each(|event| check_event("TournamentEvent", event));
    let last = app.anon().get(&path).await.ok();
    let seqs: Vec<String> = there.iter().map(|event| event.id.clone()).collect();
    let all: Vec<String> = (1..=last["version"].as_u64().unwrap()).map(|seq| seq.to_string()).collect();
    assert_eq!(seqs, all);
    let mut log = app.anon().get(&format!("{path}/log")).await.ok();
    for (event, entry) in there.iter().zip(log["items"].as_array_mut().unwrap()) {
        assert_eq!(event.json()["entry"], *entry);
        assert_eq!(event.json()["tournament"]["version"], entry["seq"]);
    }
    assert_eq!(there.last().unwrap().json()["tournament"], last);
    assert_eq!((here[0].name.as_str(), here[0].id.as_str()), ("tournament", "1"));
    assert_eq!(here.len(), there.len());
    let done = app.anon().get(&format!("{path}/stream?after={}", last["version"])).await;
    assert_eq!(done.status, 204);
    assert_eq!(app.anon().get(&format!("{path}/stream?after=99")).await.code(), "no_such_version");
}

#[tokio::test]
async fn a_tournament_takes_the_more_of_the_memory_the_larger_it_is() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let mut weights = Vec::new();
    for entrants in [10, 500, 1000] {
        let path = made(&olga, json!({})).await;
        bots(&olga, &path, "random", entrants).await;
        let (id, tournaments) =
            (path.rsplit('/').next().unwrap().parse().unwrap(), app.app.tournaments.clone());
        let tournament = runtime().spawn(async move { tournaments.look(id).await.unwrap() }).await.unwrap();
        weights.push(tournament.weight());
    }
    assert!(weights.is_sorted_by(|less, more| less < more), "{weights:?}");
}

#[tokio::test]
async fn a_player_can_enter_again_but_not_for_ever() {
    let app = TestApp::start().await;
    let (olga, ann, ben) = (app.user("olga").await, app.user("ann").await, app.user("ben").await);
    let path = made(&olga, json!({})).await;
    let (entries, own) = (format!("{path}/entries"), format!("{path}/entries/me"));
    for _ in 0..20 {
        ann.post(&entries, &json!({})).await.ok();
        ann.delete(&own).await.ok();
    }
    let refused = ann.post(&entries, &json!({})).await;
    assert_eq!((refused.code(), refused.status.as_u16()), ("too_many_changes", 409));
    olga.post(&format!("{entries}/bulk"), &json!({"entries": [{"player": "ann"}]})).await.ok();
    ben.post(&entries, &json!({})).await.ok();
    ben.delete(&own).await.ok();
    ben.post(&entries, &json!({})).await.ok();
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    play(&app, &path, &[ann, ben], &mut Dice::new(20)).await;

    // Their points are found by their names, whoever was on the list by the same name before.
    let all = points(&app.anon(), &path).await;
    assert!(!all.is_empty());
    for name in ["ann", "ben"] {
        let own: Vec<&Value> = all.iter().filter(|point| point["player"] == name).collect();
        let found = app.anon().get(&format!("{path}/points?player={name}&limit=200")).await.ok();
        assert_eq!(list(&found["items"]).iter().collect::<Vec<_>>(), own);
    }
}
