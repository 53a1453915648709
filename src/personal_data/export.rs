//! All that is held about an account, as one JSON object. Its lists are read a page at a time, so that an account with
//! many games costs little memory.

use std::fmt::Write;

use cardroom_core::log::entry::Time;
use cardroom_core::rules::registry;
use futures_util::stream::{self, Stream};
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use crate::accounts::AccountError;
use crate::personal_data::PersonalData;
use crate::store::error::StoreError;
use crate::store::lists::Filter;
use crate::store::series::{self, SeriesFilter};
use crate::store::{personal_data, profiles};

/// How many rows are read at a time.
const PAGE: i64 = 200;
/// The most rows of the lists that are read at once. Their own bounds are lower.
const ALL: i64 = 1000;

/// The parts of an export, in their order.
enum Part {
    /// What is read at once.
    Head,
    /// Games from the one with this number on, and so on.
    Games(Option<i32>),
    Tournaments(Option<i32>),
    /// Ratings of the kind with this number, and whether some have been written.
    Ratings(usize, Option<i64>, bool),
    End,
}

impl PersonalData {
    /// The pieces of the export.
    pub fn export(self, account: Uuid) -> impl Stream<Item = Result<String, AccountError>> {
        stream::try_unfold(Part::Head, move |part| {
            let data = self.clone();
            async move { data.piece(account, part).await }
        })
    }

    async fn piece(&self, account: Uuid, part: Part) -> Result<Option<(String, Part)>, AccountError> {
        Ok(Some(match part {
            Part::Head => (self.head(account).await? + ",\"games\":[", Part::Games(None)),
            Part::Games(before) => {
                let (rows, last) = self.games(account, before).await?;
                match last {
                    None => (list(&rows, before.is_none())? + "],\"tournaments\":[", Part::Tournaments(None)),
                    last => (list(&rows, before.is_none())?, Part::Games(last)),
                }
            }
            Part::Tournaments(before) => {
                let (rows, last) = self.tournaments(account, before).await?;
                match last {
                    None => {
                        (list(&rows, before.is_none())? + "],\"ratings\":[", Part::Ratings(0, None, false))
                    }
                    last => (list(&rows, before.is_none())?, Part::Tournaments(last)),
                }
            }
            Part::Ratings(nth, before, has_some) => {
                let Some(kind) = registry::newest().nth(nth) else {
                    return Ok(Some(("]}".to_owned(), Part::End)));
                };
                let (rows, last) = self.ratings(account, kind.kind, before).await?;
                let has_more = has_some || !rows.is_empty();
                let next = match last {
                    None => Part::Ratings(nth + 1, None, has_more),
                    last => Part::Ratings(nth, last, has_more),
                };
                (list(&rows, !has_some)?, next)
            }
            Part::End => return Ok(None),
        }))
    }

    /// The beginning of the object, without its end.
    async fn head(&self, account: Uuid) -> Result<String, AccountError> {
        let found = self.accounts.account(account).await?;
        let sessions = self.accounts.sessions(account, None, ALL).await?;
        let tokens =
            crate::store::personal_tokens::of(&self.database, account, None, ALL, self.clock.now()).await?;
        let webhooks = self.database.webhooks(account, None, ALL).await?;
        let browsers = self.database.push_subscriptions(account, None, ALL).await?;
        let sent_mails = crate::store::mail::sent(&self.database, account).await?;
        let mail = crate::store::mail::addresses(&self.database, account).await?;
        let networks = personal_data::networks(&self.database, account).await?;
        let series = self.series(&found.username).await?;
        let head = json!({
            "account": {
                "id": found.id, "username": found.username, "role": found.role,
                "guest": found.password_hash.is_none(), "program": found.is_program,
                "created_at": Time(found.created_at),
            },
            "recovery_codes_left": self.accounts.recovery_codes_left(account).await?,
            "mail_address": mail.address,
            "new_mail_address": mail.new_address,
            "sessions": sessions.iter().map(|session| json!({
                "id": session.id, "created_at": Time(session.created_at),
                "refreshed_at": Time(session.refreshed_at), "expires_at": Time(session.expires_at),
            })).collect::<Vec<_>>(),
            "personal_tokens": tokens.iter().map(|token| json!({
                "id": token.id, "name": token.name, "scopes": token.scopes, "created_at": Time(token.created_at),
                "expires_at": Time(token.expires_at), "used_at": token.used_at.map(Time),
            })).collect::<Vec<_>>(),
            "webhooks": webhooks.iter().map(|webhook| json!({
                "id": webhook.id, "url": webhook.url, "events": webhook.events,
                "created_at": Time(webhook.created_at),
            })).collect::<Vec<_>>(),
            "push_subscriptions": browsers.iter().map(|browser| json!({
                "id": browser.id, "endpoint": browser.url, "events": browser.events,
                "created_at": Time(browser.created_at),
            })).collect::<Vec<_>>(),
            "sent_mails": sent_mails.iter().map(|(address, sent_at)| json!({
                "address": address, "sent_at": Time(*sent_at),
            })).collect::<Vec<_>>(),
            "networks": networks.iter().map(|(network, seen_at)| json!({
                "network": network, "seen_at": Time(*seen_at),
            })).collect::<Vec<_>>(),
            "series": series,
        });
        let mut text = head.to_string();
        text.pop();
        Ok(text)
    }

    /// The series of an account, with the ids of their tournaments.
    async fn series(&self, username: &str) -> Result<Vec<impl Serialize + use<>>, StoreError> {
        let own = SeriesFilter { created_by: Some(username.to_owned()), tournament: None };
        let mut found = Vec::new();
        for one in series::list(&self.database, &own, None, ALL).await? {
            let tournaments = series::tournaments(&self.database, one.id).await?;
            let tournaments: Vec<Uuid> = tournaments.iter().map(|tournament| tournament.id).collect();
            found.push(json!({
                "series": one.id, "name": one.name, "description": one.description,
                "created_at": Time(one.created_at), "tournaments": tournaments,
            }));
        }
        Ok(found)
    }

    async fn games(
        &self,
        account: Uuid,
        before: Option<i32>,
    ) -> Result<(Vec<impl Serialize>, Option<i32>), StoreError> {
        let found = self.database.games_of(account, &Filter::default(), before, PAGE).await?;
        let last = next(&found, |(n, _)| *n);
        let row = |(_, listed): (i32, crate::store::lists::ListedGame)| {
            let seat =
                listed.players.iter().find(|player| player.account == account).and_then(|player| player.seat);
            json!({
                "game": listed.game.id, "kind": listed.game.kind, "status": listed.game.status.as_str(),
                "created_at": Time(listed.game.created_at.into()), "created_by": listed.game.created_by, "seat": seat,
            })
        };
        Ok((found.into_iter().map(row).collect(), last))
    }

    async fn tournaments(
        &self,
        account: Uuid,
        before: Option<i32>,
    ) -> Result<(Vec<impl Serialize>, Option<i32>), StoreError> {
        let found = self.database.tournaments_of(account, (None, None), before, PAGE).await?;
        let last = next(&found, |(n, _)| *n);
        let row = |(_, listed): (i32, crate::store::tournaments::ListedTournament)| {
            json!({
                "tournament": listed.id, "name": listed.name, "kind": listed.kind, "status": listed.status.as_str(),
                "created_at": Time(listed.created_at.into()), "created_by": listed.created_by,
            })
        };
        Ok((found.into_iter().map(row).collect(), last))
    }

    async fn ratings(
        &self,
        account: Uuid,
        kind: &str,
        before: Option<i64>,
    ) -> Result<(Vec<impl Serialize>, Option<i64>), StoreError> {
        let found = profiles::rating_history(&self.database, account, kind, before, PAGE).await?;
        let last = next(&found, |point| point.n);
        let row = |point: profiles::RatedGame| {
            json!({
                "kind": kind, "game": point.game_id, "at": Time(point.ended_at), "rating": point.rating,
            })
        };
        Ok((found.into_iter().map(row).collect(), last))
    }
}

/// Where the next page begins, if this one is full.
fn next<T, N>(found: &[T], number: impl Fn(&T) -> N) -> Option<N> {
    found.last().filter(|_| found.len() as i64 == PAGE).map(number)
}

/// The rows as a part of a JSON array.
fn list(rows: &[impl Serialize], is_first: bool) -> Result<String, StoreError> {
    let mut text = String::new();
    for (row, nth) in rows.iter().zip(0..) {
        let row = serde_json::to_string(row).map_err(|error| StoreError::Broken(error.to_string()))?;
        let comma = if is_first && nth == 0 { "" } else { "," };
        let _ = write!(text, "{comma}{row}");
    }
    Ok(text)
}
