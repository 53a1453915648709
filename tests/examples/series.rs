//! A series of one tournament.

use reqwest::Method;
use serde_json::json;

use super::walk::Walk;
use crate::api::client::Client;

pub async fn series(walk: &mut Walk, ann: &Client, tournament: &str) {
    let wanted = json!({
        "name": "City league", "points": {"type": "places", "points": [25, 18, 15, 12, 10]}, "best": 4,
    });
    let made = walk.post(ann, "create_series", "/v1/series", wanted).await;
    let path = format!("/v1/series/{}", made["id"].as_str().unwrap());
    let within = format!("{path}/tournaments/{}", tournament.rsplit('/').next().unwrap());
    walk.put(ann, "add_to_series", &within, json!(null)).await;
    walk.get(ann, "list_series", "/v1/series").await;
    walk.get(ann, "get_series", &path).await;
    walk.get(ann, "get_series_standings", &format!("{path}/standings")).await;
    let change = json!({"description": "Five evenings; the best four count."});
    walk.send(ann, "edit_series", Method::PATCH, &path, change).await;
    walk.delete(ann, "take_out_of_series", &within).await;
    walk.delete(ann, "delete_series", &path).await;
}
