//! Mail: the address of an account, a way back in without the password, and what owners of webhooks are told.

use cardroom::store::database::Database;
use cardroom::store::mail::take_disabled_webhooks;
use diesel_async::SimpleAsyncConnection;
use reqwest::Method;
use serde_json::{Value, json};

use super::app::{PASSWORD, TestApp};
use super::client::{Client, Reply};
use super::mail_server::{MailServer, code};
use super::receiver::Receiver;
use super::webhooks::{Delivering, happen, to_this_machine};

const NEW: &str = "an altogether different staple";

async fn propose(client: &Client, address: &str) {
    let wanted = json!({"address": address, "password": PASSWORD});
    is(202, &client.put("/v1/me/mail-address", &wanted).await);
}

fn is(status: u16, reply: &Reply) {
    assert_eq!(reply.status.as_u16(), status, "{}", reply.body);
}

#[tokio::test]
async fn a_mail_opens_an_account_whose_password_is_lost() {
    let server = MailServer::start(1).await;
    let app = TestApp::start_with(|settings| server.settings(settings)).await;
    let (ann, anon) = (app.user("ann").await, app.anon());
    let nothing = json!({"address": null, "new_address": null, "new_address_expires_at": null});
    assert_eq!(ann.get("/v1/me/mail-address").await.ok(), nothing);
    propose(&ann, "Ann@example.com").await;
    let waiting = json!({
        "address": null, "new_address": "Ann@example.com", "new_address_expires_at": "2026-11-21T18:00:00.000000Z",
    });
    assert_eq!(ann.get("/v1/me/mail-address").await.ok(), waiting);

    // Nothing goes to an address that is not confirmed.
    let recover = json!({"username": "ANN"});
    is(202, &anon.post("/v1/auth/recover/mail", &recover).await);
    // The mail server has refused the first one once.
    let confirmation = server.first(1).await[0].clone();
    assert_eq!(confirmation.to, "Ann@example.com");
    let confirm = json!({"code": code(&confirmation)});
    is(204, &anon.post("/v1/auth/confirm-mail-address", &confirm).await);
    assert_eq!(anon.post("/v1/auth/confirm-mail-address", &confirm).await.code(), "wrong_mail_code");
    assert_eq!(ann.get("/v1/me/mail-address").await.ok()["address"], "Ann@example.com");

    for name in ["nobody", "x", "ANN"] {
        let answer = anon.post("/v1/auth/recover/mail", &json!({"username": name})).await;
        assert_eq!((answer.status.as_u16(), &answer.body), (202, &Value::Null), "{name}");
    }
    let mails = server.first(2).await;
    assert_eq!(mails.len(), 2, "{mails:?}");
    assert!(mails[1].text.contains("https://cards.example.org/me?recover#ann="), "{}", mails[1].text);
    let recovery = json!({"username": "ann", "code": code(&mails[1]), "password": NEW});
    let session = anon.post("/v1/auth/recover", &recovery).await.ok();
    assert_eq!(session["account"]["id"], ann.session["account"]["id"]);
    assert_eq!(anon.post("/v1/auth/recover", &recovery).await.code(), "wrong_recovery_code");

    let export = anon.with_session(session).get("/v1/me/export").await.ok();
    assert_eq!(export["mail_address"], "Ann@example.com");
}

/// A stranger who knew the old password may have entered an address, and must not get in by it.
#[tokio::test]
async fn a_new_password_forgets_an_address_that_was_not_confirmed() {
    let server = MailServer::start(0).await;
    let app = TestApp::start_with(|settings| server.settings(settings)).await;
    let (ann, anon) = (app.user("ann").await, app.anon());
    propose(&ann, "stranger@example.com").await;
    let codes = ann.post("/v1/me/recovery-codes", &json!({"password": PASSWORD})).await.ok();
    let change = json!({"current_password": PASSWORD, "new_password": NEW});
    is(204, &ann.put("/v1/me/password", &change).await);
    assert_eq!(ann.get("/v1/me/mail-address").await.ok()["new_address"], Value::Null);
    let confirm = json!({"code": code(&server.first(1).await[0])});
    assert_eq!(anon.post("/v1/auth/confirm-mail-address", &confirm).await.code(), "wrong_mail_code");

    let wanted = json!({"address": "stranger@example.com", "password": NEW});
    is(202, &ann.put("/v1/me/mail-address", &wanted).await);
    let confirm = json!({"code": code(&server.first(2).await[1])});
    let recovery = json!({"username": "ann", "code": codes["codes"][0], "password": PASSWORD});
    anon.post("/v1/auth/recover", &recovery).await.ok();
    assert_eq!(anon.post("/v1/auth/confirm-mail-address", &confirm).await.code(), "wrong_mail_code");
}

#[tokio::test]
async fn codes_of_mails_expire_and_a_changed_address_is_told() {
    let server = MailServer::start(0).await;
    let app = TestApp::start_with(|settings| server.settings(settings)).await;
    let (ann, anon) = (app.user("ann").await, app.anon());
    propose(&ann, "old@example.com").await;
    let late = json!({"code": code(&server.first(1).await[0])});
    app.clock.advance(24 * 3600);
    let refused = anon.post("/v1/auth/confirm-mail-address", &late).await;
    assert_eq!((refused.code(), refused.status.as_u16()), ("wrong_mail_code", 403));

    let ann = app.anon().with_session(
        anon.post("/v1/auth/login", &json!({"username": "ann", "password": PASSWORD})).await.ok(),
    );
    for (address, mails) in [("old@example.com", 2), ("new@example.com", 3)] {
        propose(&ann, address).await;
        let confirm = json!({"code": code(&server.first(mails).await[mails - 1])});
        is(204, &anon.post("/v1/auth/confirm-mail-address", &confirm).await);
    }
    let told = server.first(4).await[3].clone();
    assert_eq!(told.to, "old@example.com");
    assert!(told.text.contains("another mail address"), "{}", told.text);

    is(202, &anon.post("/v1/auth/recover/mail", &json!({"username": "ann"})).await);
    let recovery = server.first(5).await[4].clone();
    assert_eq!(recovery.to, "new@example.com");
    app.clock.advance(3600);
    let late = json!({"username": "ann", "code": code(&recovery), "password": NEW});
    assert_eq!(anon.post("/v1/auth/recover", &late).await.code(), "wrong_recovery_code");
}

#[tokio::test]
async fn mail_is_only_sent_where_it_is_wanted_and_not_too_often() {
    let server = MailServer::start(0).await;
    let app = TestApp::start_with(|settings| server.settings(settings)).await;
    let (ann, guest) = (app.user("ann").await, app.guest().await);
    let wanted = |address: &str, password: &str| json!({"address": address, "password": password});
    let path = "/v1/me/mail-address";
    assert_eq!(ann.put(path, &wanted("ann@example.com", "not the password")).await.code(), "wrong_password");
    assert_eq!(guest.put(path, &wanted("ann@example.com", PASSWORD)).await.code(), "account_required");
    for address in
        ["", "ann", "ann@", "a@b\r\nBcc: c@d", "ann@example.com, ben@example.com", "A <a@example.com>"]
    {
        assert_eq!(
            ann.put(path, &wanted(address, PASSWORD)).await.code(),
            "invalid_mail_address",
            "{address}"
        );
    }
    // Five in an hour for an account.
    for n in 0..5 {
        propose(&ann, &format!("victim+{n}@example.com")).await;
    }
    let refused = ann.put(path, &wanted("victim@example.com", PASSWORD)).await;
    assert_eq!((refused.code(), refused.header("retry-after")), ("too_many_mails", Some("3600")));
    // Ten in a day for an address, whoever causes them.
    for name in ["ben", "cem", "dan"] {
        let client = app.user(name).await;
        let mut codes = Vec::new();
        for _ in 0..4 {
            let answer = client.put(path, &wanted("VICTIM@example.com", PASSWORD)).await;
            codes.push(answer.status.as_u16());
        }
        let expected = if name == "dan" { [202, 202, 429, 429] } else { [202; 4] };
        assert_eq!(codes, expected, "{name}");
    }
    assert_eq!(server.first(15).await.len(), 15);

    let proof = serde_json::to_vec(&json!({"password": PASSWORD})).unwrap();
    is(204, &ann.clone().with("content-type", "application/json").send(Method::DELETE, path, proof).await);
    assert_eq!(ann.get(path).await.ok()["new_address"], json!(null));

    let without = TestApp::start().await;
    let ann = without.user("ann").await;
    assert_eq!(ann.put(path, &wanted("ann@example.com", PASSWORD)).await.code(), "no_mail_server");
    let recover = json!({"username": "ann"});
    assert_eq!(without.anon().post("/v1/auth/recover/mail", &recover).await.code(), "no_mail_server");
}

#[tokio::test]
async fn the_owner_of_a_disabled_webhook_is_told_so_once() {
    let server = MailServer::start(0).await;
    let app = TestApp::start_with(|settings| {
        to_this_machine(settings);
        server.settings(settings);
    })
    .await;
    let ann = app.user("ann").await;
    propose(&ann, "ann@example.com").await;
    let confirm = json!({"code": code(&server.first(1).await[0])});
    is(204, &app.anon().post("/v1/auth/confirm-mail-address", &confirm).await);
    let gone = Receiver::answering(|_| (410, "", "gone")).await;
    let own = ann.post("/v1/webhooks", &json!({"url": Receiver::start().await.url})).await.ok();
    let to_gone = ann.post("/v1/webhooks", &json!({"url": gone.url})).await.ok();
    let disabled = json!({"url": "http://127.0.0.1:9/", "enabled": false});
    let own = format!("/v1/webhooks/{}", own["webhook"]["id"].as_str().unwrap());
    ann.put(&own, &disabled).await.ok();

    let _delivering = [Delivering::by(&app), Delivering::by(&app)];
    happen(&ann).await;
    let told = server.first(2).await[1].clone();
    assert_eq!(told.to, "ann@example.com");
    assert!(told.text.contains(&gone.url) && told.text.contains("gone (410)"), "{}", told.text);
    // Nor once more if its owner changes it and leaves it disabled.
    let to_gone = format!("/v1/webhooks/{}", to_gone["webhook"]["id"].as_str().unwrap());
    assert_eq!(ann.put(&to_gone, &disabled).await.ok()["disabled_reason"], "gone");
    // Two more rounds of both replicas.
    tokio::time::sleep(std::time::Duration::from_millis(2500)).await;
    assert_eq!(server.first(2).await.len(), 2);
}

#[tokio::test]
async fn nobody_keeps_an_owner_from_a_recovery_code_by_having_mail_sent() {
    let server = MailServer::start(0).await;
    let app = TestApp::start_with(|settings| server.settings(settings)).await;
    propose(&app.user("ann").await, "ann@example.com").await;
    let confirm = json!({"code": code(&server.first(1).await[0])});
    is(204, &app.anon().post("/v1/auth/confirm-mail-address", &confirm).await);
    app.clock.advance(3600);
    let (ben, cem) = (app.user("ben").await, app.user("cem").await);
    // Strangers use up what an address that is not confirmed is sent in a day.
    for (stranger, mails) in [(&ben, 5), (&cem, 4)] {
        for _ in 0..mails {
            propose(stranger, "ann@example.com").await;
        }
    }
    let wanted = json!({"address": "ann@example.com", "password": PASSWORD});
    is(429, &cem.put("/v1/me/mail-address", &wanted).await);
    server.first(10).await;
    // The owner gets each of three codes an hour, also if a stranger has asked for it.
    let ask = async || is(202, &app.anon().post("/v1/auth/recover/mail", &json!({"username": "ann"})).await);
    for sent in 11..=13 {
        ask().await;
        server.first(sent).await;
    }
    ask().await;
    app.clock.advance(3600);
    ask().await;
    let sent = server.first(14).await;
    assert_eq!(sent.len(), 14);
    let recovery = json!({"username": "ann", "code": code(&sent[13]), "password": NEW});
    app.anon().post("/v1/auth/recover", &recovery).await.ok();
}

#[tokio::test]
async fn an_account_is_sent_ten_mails_a_day_about_its_webhooks() {
    let app = TestApp::start_with(to_this_machine).await;
    let ann = app.user("ann").await;
    ann.post("/v1/webhooks", &json!({"url": Receiver::start().await.url})).await.ok();
    let database = Database::new(&app.database.url, 1).unwrap();
    let now = app.clock.now();
    let told = async || take_disabled_webhooks(&database, now, 5).await.unwrap().len();
    let account = ann.session["account"]["id"].as_str().unwrap();
    let run = async |sql: &str| app.database.connection().await.batch_execute(sql).await.unwrap();
    run(&format!(
        "INSERT INTO mail_addresses (account_id, address) VALUES ('{account}', 'ann@example.com');
         INSERT INTO sent_mails (mail_id, account_id, address, sent_at, kind)
             SELECT gen_random_uuid(), '{account}', 'ann@example.com', '{now}', 'webhook' FROM generate_series(1, 10);
         UPDATE webhooks SET disabled_at = '{now}', disabled_reason = 'gone'"
    ))
    .await;
    assert_eq!(told().await, 0);
    run("UPDATE sent_mails SET sent_at = sent_at - interval '1 day'").await;
    assert_eq!((told().await, told().await), (1, 0));
    // What was disabled long before the address was confirmed is no news.
    run("UPDATE webhooks SET is_disabled_told = false, disabled_at = disabled_at - interval '7 days'").await;
    assert_eq!(told().await, 0);
}
