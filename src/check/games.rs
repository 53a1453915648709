//! Games: each log by the audit that anybody can do, and the rows beside it.

use cardroom_core::audit::{Bundle, head, line, tail, verify_unsigned};
use cardroom_core::log::chain;
use cardroom_core::log::entry::{Event, Visibility};
use cardroom_core::table::Table;
use cardroom_core::table::hand_result::HandResult;
use cardroom_core::table::snapshot::RULES;
use cardroom_core::table::view::AccountResult;
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use super::log::Log;
use super::{Check, Comparison, LOOKS, PAGE, named};
use crate::games::{hand_results, snapshots};
use crate::ratings;
use crate::store::check::{GameRow, PlayerRow};
use crate::store::error::StoreError;
use crate::store::hand_results::{HandRow, NewHandRow};
use crate::store::status::Status;

/// A hand's row, as it is compared: its entry, time, number, scores, awards, places, missed decisions.
type Hand = (u32, Timestamp, u32, Vec<i64>, Option<Value>, Option<Vec<i16>>, Option<Vec<i16>>);

impl Check<'_> {
    pub(super) async fn games(&mut self, of: u64) -> Result<(), StoreError> {
        for id in self.database.games_without_row().await? {
            self.faults(&named("game", id), &["it has entries, but no row".to_owned()]);
        }
        let mut after = Uuid::nil();
        loop {
            let page = self.database.game_ids(after, PAGE).await?;
            let Some(&last) = page.last() else { return Ok(()) };
            for id in page {
                self.game(id).await?;
                self.progress("games", self.checked.games, of);
            }
            after = last;
        }
    }

    async fn game(&mut self, id: Uuid) -> Result<(), StoreError> {
        let (mut faults, mut entries) = (Vec::new(), 0);
        for _ in 0..LOOKS {
            (faults, entries) = self.faults_of_game(id).await?;
            if faults.is_empty() {
                break;
            }
        }
        self.checked.games += 1;
        self.checked.entries += entries;
        self.faults(&named("game", id), &faults);
        Ok(())
    }

    /// What is wrong, and how many entries the log has.
    async fn faults_of_game(&self, id: Uuid) -> Result<(Vec<String>, u64), StoreError> {
        // The rows are read first, so that the log is never older than they are.
        let Some((row, players)) = self.database.game_rows(id).await? else { return Ok((Vec::new(), 0)) };
        let log = match Log::read(self.database, &self.archived, id).await {
            Ok(log) => log,
            Err(error) => return Ok((vec![self.fault_of(error)?], 0)),
        };
        let count = log.entries.len() as u64;
        let mut faults = Vec::new();
        faults.extend(broken_link(&log));
        let (table, hands) = match log.replayed() {
            Ok(replayed) => replayed,
            Err(error) => {
                faults.push(self.fault_of(error)?);
                return Ok((faults, count));
            }
        };
        if table.is_over() {
            faults.extend(audited(&table, &log));
        }
        faults.extend(rows_differ(&row, &players, &table, &log));
        let is_due = table.has_dues() && table.due_by_log(&[]).is_some();
        if is_due && !self.database.has_deadline(id).await? {
            faults.push("the house is to act at some time, but no deadline says so".to_owned());
        }
        let counts = log.created().is_some_and(|created| ratings::game_of(created, &table, &hands).is_some());
        if row.status == Status::Finished && row.is_rated && counts && !row.is_counted {
            faults.push("it counts for the ratings, but neither was counted nor waits for it".to_owned());
        }
        if row.tournament_id.is_some() {
            faults.extend(self.hands_differ(&table, &hands, &log).await?);
        }
        faults.extend(self.snapshot_differs(&table, &log).await?);
        Ok((faults, count))
    }

    async fn hands_differ(
        &self,
        table: &Table,
        hands: &[HandResult],
        log: &Log,
    ) -> Result<Option<String>, StoreError> {
        let due = match hand_results::rows(table, hands, log.entries.iter().map(|(entry, ..)| entry)) {
            Ok(rows) => rows.into_iter().map(due_hand).collect::<Vec<_>>(),
            Err(error) => return Ok(Some(error.to_string())),
        };
        // The log may be newer by now than it was when it was read.
        let stored = self.database.hand_rows(table.id).await?.into_iter().map(stored_hand);
        let stored: Vec<Hand> = stored.filter(|hand| hand.0 <= table.version).collect();
        let differs = || match due.iter().zip(&stored).find(|(due, stored)| due != stored) {
            Some((due, _)) => format!("the row of hand {} is not what its log says", due.2),
            None => format!("there are rows of {} hands, its log says {}", stored.len(), due.len()),
        };
        Ok((due != stored).then(differs))
    }

    /// A snapshot has to be the table that the log led to. One that this build cannot read is never used.
    async fn snapshot_differs(&self, table: &Table, log: &Log) -> Result<Option<String>, StoreError> {
        let Some(stored) = self.database.snapshot_of(table.id, RULES).await? else { return Ok(None) };
        let version = stored.seq.unsigned_abs();
        if version > table.version {
            return Ok(Some(format!("its snapshot was taken at entry {version}, which is not there")));
        }
        let Ok(restored) = snapshots::restored(table.id, log.seed.clone(), &stored) else { return Ok(None) };
        let due = Table::replay(table.id, log.seed.clone(), log.until(version));
        let state = |table: &Table| table.snapshot().map(|snapshot| snapshot.state);
        let is_same = due.is_ok_and(|due| state(&due) == state(&restored));
        Ok((!is_same)
            .then(|| format!("its snapshot at entry {version} is not the table that the log led to")))
    }
}

/// The first entry whose hash does not follow from those before it, or whose text is not canonical.
fn broken_link(log: &Log) -> Option<String> {
    let mut before = chain::GENESIS;
    for ((entry, text, hash), seq) in log.entries.iter().zip(1..) {
        before = chain::hash(before, &log.seed, seq, text);
        if *hash != before {
            return Some(format!(
                "entry {seq}: the hash does not follow from this entry and those before it"
            ));
        }
        if *text != entry.text() {
            return Some(format!("entry {seq}: it is written in another form than the log's"));
        }
    }
    None
}

/// What the audit of a game that is over finds, but for the signature, which is made when somebody asks for a bundle.
fn audited(table: &Table, log: &Log) -> Vec<String> {
    let lines: Vec<String> = log.entries.iter().map(|(_, text, hash)| line(text, *hash)).collect();
    let text = [head(table), lines.join(","), tail(table, "")].concat();
    match Bundle::parse(&text) {
        Err(error) => vec![error.to_string()],
        Ok(bundle) => {
            let wrong = verify_unsigned(&bundle).checks.into_iter().filter(|check| !check.ok);
            let told = |seq: Option<u32>| seq.map_or_else(String::new, |seq| format!("entry {seq}: "));
            wrong.map(|check| format!("{}{} ({})", told(check.seq), check.detail, check.name)).collect()
        }
    }
}

fn rows_differ(row: &GameRow, players: &[PlayerRow], table: &Table, log: &Log) -> Vec<String> {
    let mut compared = Comparison(Vec::new());
    let Some(created) = log.created() else {
        return vec!["its log does not begin with its creation".to_owned()];
    };
    let at = created.tournament.as_ref();
    let visibility = if created.visibility == Visibility::Public { "public" } else { "private" };
    compared.of("kind", row.kind.as_str(), created.kind.as_str());
    compared.of("rules_version", row.rules_version, created.rules_version.cast_signed());
    compared.of("options", json(&row.options), json(created.options.get()));
    compared.of("seats", row.seats, i16::from(created.seats));
    compared.of("visibility", row.visibility.as_str(), visibility);
    compared.of("created_by", row.created_by, created.account);
    compared.of("created_at", row.created_at.into(), log.entries[0].0.at.0);
    compared.of("turn_seconds", row.turn_seconds, created.turn_seconds.map(u32::cast_signed));
    if let Some(seconds) = row.bank_seconds {
        compared.of("bank_seconds", seconds, created.bank_seconds.cast_signed());
    }
    compared.of("is_rated", row.is_rated, created.rated);
    compared.of("tournament_id", row.tournament_id, at.map(|at| at.id));
    compared.of("shuffle_id", row.shuffle_id, at.and_then(|at| at.shuffle_id));
    compared.of("status", row.status, Status::from(table.status()));
    compared.of("ended_at", row.ended_at.map(Timestamp::from), table.is_over().then(|| table.changed_at()));
    let bots = table.summary().seats.iter().filter(|seat| seat.bot.is_some()).count();
    compared.of("bots", row.bots, bots as i16);
    let pauses = log.entries.iter().rev().find_map(|(entry, ..)| match entry.event {
        Event::Paused(_) => Some(true),
        Event::Resumed => Some(false),
        _ => None,
    });
    compared.of("is_paused", row.is_paused, pauses.unwrap_or_default());
    let mut due = due_players(table);
    due.sort_unstable();
    compared.of("its players", players, &due[..]);
    if row.version.unsigned_abs() > table.version {
        compared.0.push(format!("the row knows entry {}, the log ends at {}", row.version, table.version));
    }
    compared.0
}

/// Seats, places and scores are noted at the end.
fn due_players(table: &Table) -> Vec<PlayerRow> {
    let player = |result: AccountResult| {
        let (place, score) = result.placed.map(|(place, score)| (i16::from(place), score)).unzip();
        let seat = table.is_over().then(|| i16::from(result.seat));
        PlayerRow { account_id: result.account, seat, place, score }
    };
    table.results().into_iter().map(player).collect()
}

fn due_hand(row: NewHandRow) -> Hand {
    let NewHandRow { seq, at, hand, scores, awards, places, missed, .. } = row;
    (seq, at, hand, scores, awards.map(|text| json(&text)), places, missed)
}

fn stored_hand(row: HandRow) -> Hand {
    let HandRow { seq, at, hand, scores, awards, places, missed, .. } = row;
    let awards = awards.map(|text| json(&text));
    (seq.unsigned_abs(), at.into(), hand.unsigned_abs(), scores, awards, places, missed)
}

/// Text that is no JSON differs from all that is.
fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}
