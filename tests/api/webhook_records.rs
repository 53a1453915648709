//! What is recorded of the messages to webhooks, and what happens where nothing can be recorded.

use std::time::Duration;

use diesel_async::SimpleAsyncConnection;
use serde_json::json;

use super::app::TestApp;
use super::client::Client;
use super::receiver::Receiver;
use super::webhooks::{Delivering, becomes, happen, to_this_machine, webhook};
use crate::eventually::eventually;
use crate::random::orders::list;

/// An account whose webhook has been sent its first message.
async fn told_once(app: &TestApp) -> (Delivering, Receiver, Client, String) {
    let delivering = Delivering::by(app);
    let (receiver, ann) = (Receiver::start().await, app.user("ann").await);
    let (path, _) = webhook(&ann, &receiver.url, &json!(null)).await;
    happen(&ann).await;
    becomes(&ann, &format!("{path}/deliveries"), |page| page["items"][0]["status"] == "delivered").await;
    (delivering, receiver, ann, path)
}

#[tokio::test]
async fn what_waits_to_be_sent_again_is_not_forgotten_for_what_is_newer() {
    let app = TestApp::start_with(to_this_machine).await;
    let (delivering, _receiver, ann, path) = told_once(&app).await;
    let deliveries = format!("{path}/deliveries");
    app.app.deliveries.release().await.unwrap();
    drop(delivering);
    ann.post(&format!("{path}/replay"), &json!({"from": 1})).await.ok();
    // As if a thousand others had been sent: a thousand are kept.
    let mut connection = app.database.connection().await;
    connection.batch_execute("UPDATE webhooks SET deliveries = deliveries + 1000").await.unwrap();
    ann.post(&format!("{path}/test"), &json!(null)).await.ok();
    let kept = ann.get(&deliveries).await.ok()["items"].clone();
    let of = |field: &str| list(&kept).iter().map(|delivery| delivery[field].clone()).collect::<Vec<_>>();
    assert_eq!(
        (of("n"), of("status")),
        (vec![json!(1002), json!(1)], vec![json!("delivered"), json!("pending")])
    );
    // But not for ever, or replays and tests of a webhook that is disabled would fill the table.
    connection.batch_execute("UPDATE webhooks SET deliveries = deliveries + 1000").await.unwrap();
    ann.post(&format!("{path}/test"), &json!(null)).await.ok();
    let kept = ann.get(&deliveries).await.ok()["items"].clone();
    assert_eq!((list(&kept).len(), &kept[0]["n"]), (1, &json!(2003)));
}

#[tokio::test]
async fn a_choice_of_notices_is_not_empty_and_deliveries_are_numbered_from_one() {
    let app = TestApp::start_with(to_this_machine).await;
    let (receiver, ann) = (Receiver::start().await, app.user("ann").await);
    let (path, _) = webhook(&ann, &receiver.url, &json!(null)).await;
    for bad in [json!({"from": 0}), json!({"from": 1, "to": -1})] {
        assert_eq!(ann.post(&format!("{path}/replay"), &bad).await.code(), "invalid_body");
    }
    for events in [json!([]), json!(vec!["your_turn"; 101])] {
        let wanted = json!({"url": receiver.url, "events": events});
        let refused = [ann.post("/v1/webhooks", &wanted).await, ann.put(&path, &wanted).await];
        assert!(refused.iter().all(|answer| answer.code() == "invalid_body"));
    }
}

/// The message is read and sent each time, but nobody can record that it was.
#[tokio::test]
async fn a_message_is_not_sent_for_ever_while_the_database_takes_no_writes() {
    let app = TestApp::start_with(to_this_machine).await;
    let (_delivering, receiver, ann, path) = told_once(&app).await;
    let deliveries = format!("{path}/deliveries");
    let mut connection = app.database.connection().await;
    let full = "CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'no space left'; END $$;
                CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON webhook_deliveries EXECUTE FUNCTION disk_full();
                CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON webhook_holders EXECUTE FUNCTION disk_full()";
    connection.batch_execute(full).await.unwrap();
    happen(&ann).await;
    let quiet = eventually(async || {
        let sent = receiver.received().len();
        tokio::time::sleep(Duration::from_secs(11)).await;
        (sent > 1 && receiver.received().len() == sent).then_some(sent)
    });
    let sent = quiet.await.expect("a replica that cannot say that it sends stops sending");
    connection.batch_execute("DROP FUNCTION disk_full CASCADE").await.unwrap();
    becomes(&ann, &deliveries, |page| page["items"][0]["n"] == 2).await;
    assert_eq!(receiver.received().last().unwrap().id, receiver.received()[1].id);
    assert!(receiver.received().len() > sent);
}
