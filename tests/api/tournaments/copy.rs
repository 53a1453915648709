//! A tournament made like an earlier one.

use serde_json::{Value, json};

use super::{bots, made};
use crate::api::app::TestApp;
use crate::random::orders::list;

#[tokio::test]
async fn a_copy_has_setup_and_details_of_the_earlier_one_without_its_times() {
    let app = TestApp::start().await;
    let [olga, otto] = [app.user("olga").await, app.user("otto").await];
    let details = json!({
        "description": "Bring a pen.", "venue": "Town hall", "result_prize": "a cup", "time_zone": "Europe/Berlin",
        "starts_at": "2026-12-24T16:30:00Z", "registration_closes_at": "2026-12-24T16:00:00Z",
    });
    let more = json!({
        "admission": {"type": "invite"}, "check_in_minutes": 30, "no_show_limit": 3, "pause_after_rounds": true,
        "late_entry": {"until_round": 2, "missed": "mean"}, "details": details,
    });
    let path = made(&olga, more).await;
    olga.post(&format!("{path}/organisers"), &json!({"player": "otto"})).await.ok();
    bots(&olga, &path, "steady", 3).await;
    let earlier = olga.get(&path).await.ok();

    let copy = json!({"name": "Winter cup", "details": {"venue": "Library", "description": null}});
    let made = otto.clone().with("idempotency-key", "again").post(&format!("{path}/copy"), &copy).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let here = made.header("location").unwrap().to_owned();
    assert_eq!(made.header("etag").unwrap(), "\"1\"");
    let new = made.ok();
    let mut setup = earlier["setup"].clone();
    setup["name"] = json!("Winter cup");
    assert_eq!(new["setup"], setup);
    assert_eq!(
        (&new["entrants"], &new["status"], &new["created_by"]),
        (&json!(0), &json!("open"), &json!("otto"))
    );
    assert_eq!(new["organisers"], json!([{"player": "otto", "role": "owner"}]));
    assert_ne!(new["invite"], earlier["invite"]);
    let told = json!({
        "description": null, "venue": "Library", "result_prize": "a cup", "score_prize": null,
        "time_zone": "Europe/Berlin", "starts_at": null, "registration_opens_at": null,
        "registration_closes_at": null,
    });
    assert_eq!(new["details"], told);

    // The same request again makes no other one; another request under the key is refused.
    let again = otto.clone().with("idempotency-key", "again").post(&format!("{path}/copy"), &copy).await;
    assert_eq!(
        (again.header("idempotency-replayed"), again.header("location")),
        (Some("true"), Some(&*here))
    );
    let other = json!({"name": "Spring cup"});
    let other = otto.clone().with("idempotency-key", "again").post(&format!("{path}/copy"), &other).await;
    assert_eq!(other.code(), "idempotency_key_reused");
    assert_eq!(list(&app.anon().get("/v1/tournaments").await.ok()["items"]).len(), 2);
}

#[tokio::test]
async fn only_organisers_and_admins_copy_and_within_their_quota() {
    let app = TestApp::start_with(|settings| settings.games_per_account = 2).await;
    let [olga, ann, root] = [app.user("olga").await, app.user("ann").await, app.admin("root").await];
    let path = made(&olga, json!({})).await;
    let (copies, copy) = (format!("{path}/copy"), json!({"name": "Winter cup"}));
    assert_eq!(ann.post(&copies, &copy).await.code(), "not_organiser");
    assert_eq!(app.anon().post(&copies, &copy).await.code(), "unauthorized");
    assert_eq!(root.post(&copies, &copy).await.ok()["created_by"], "root");
    for (wrong, code) in [
        (json!({"name": " "}), "invalid_options"),
        (json!({"name": "Cup", "details": {"venue": "p".repeat(201)}}), "invalid_options"),
        (json!({"name": "Cup", "kind": "sevens"}), "invalid_body"),
        (Value::Null, "invalid_body"),
    ] {
        assert_eq!(olga.post(&copies, &wrong).await.code(), code, "{wrong}");
    }
    olga.post(&format!("{path}/abort"), &json!(null)).await.ok();
    olga.post(&copies, &copy).await.ok();
    olga.post(&copies, &copy).await.ok();
    assert_eq!(olga.post(&copies, &copy).await.code(), "too_many_games");
    let nothing = "/v1/tournaments/00000000-0000-0000-0000-000000000000/copy";
    assert_eq!(olga.post(nothing, &copy).await.code(), "tournament_not_found");
}
