//! A way back in by mail, from the page's own forms and the links of the mails.

use serde_json::json;

use super::chromium::Chromium;
use super::manners::has_manners;
use super::page::{PHONE, Person};
use super::tournament::as_player;
use crate::api::app::{PASSWORD, TestApp};
use crate::api::mail_server::MailServer;
use crate::eventually::eventually;
use crate::random::orders::list;

const NEW: &str = "an altogether different staple";

/// The path to which the link in a mail leads.
fn link(text: &str) -> String {
    text.lines().find_map(|line| line.strip_prefix("https://cards.example.org/")).unwrap().trim().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_password_is_replaced_by_the_link_in_a_mail() {
    let Some(chromium) = Chromium::here() else { return };
    let mail = MailServer::start(0).await;
    let app = TestApp::start_with(|settings| mail.settings(settings)).await;
    app.set_to_now().await;
    // A name that stands in links.
    let owner = app.user("confirm").await;
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &owner, "/me").await;
    page.click("summary", "Mail address").await;
    page.click("#ma-address", "").await;
    page.type_in("ann@example.com").await;
    page.click("#ma-password", "").await;
    page.type_in(PASSWORD).await;
    page.click("button", "Add the address").await;
    page.shows("waits for you to open the link in the mail").await;
    has_manners(&page, "an address that is not confirmed").await;

    let elsewhere = Person::new(chromium).await;
    let path = format!("/{}", link(&mail.first(1).await[0].text));
    let page = elsewhere.open(app.base(), &path, PHONE).await;
    page.shows("Your mail address is confirmed.").await;
    assert_eq!(owner.get("/v1/me/mail-address").await.ok()["address"], "ann@example.com");

    page.arrive("/me?recover").await;
    page.click("#r-name", "").await;
    page.type_in("confirm").await;
    page.click("button", "Send me a link by mail").await;
    page.shows("a link is on its way").await;
    // Somebody else is signed in where the link is opened.
    let path = format!("/{}", link(&mail.first(2).await[1].text));
    let bob = app.user("bob").await;
    let page = as_player(&elsewhere, &app, &bob, &path).await;
    page.shows("You are signed in as bob.").await;
    page.until("document.querySelector('#r-name')?.value === 'confirm'").await;
    page.click("#r-password", "").await;
    page.type_in(NEW).await;
    page.click("button", "Set the new password").await;
    page.until("JSON.parse(localStorage.getItem('session')).account.username === 'confirm'").await;
    page.shows("My account").await;
    let login = json!({"username": "confirm", "password": NEW});
    app.anon().post("/v1/auth/login", &login).await.ok();
    // Bob, who was signed in there, is signed out.
    let refresh = json!({"refresh_token": bob.session["refresh_token"]});
    let login = json!({"username": "bob", "password": PASSWORD});
    let bob = app.anon().with_session(app.anon().post("/v1/auth/login", &login).await.ok());
    let has_ended = async || (list(&bob.get("/v1/me/sessions").await.ok()["items"]).len() == 1).then_some(());
    assert!(eventually(has_ended).await.is_some());
    assert_eq!(app.anon().post("/v1/auth/refresh", &refresh).await.code(), "invalid_refresh_token");
}
