//! The checks, each by its name. One pass over the log does them all; each notes the first thing that is wrong.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::bundle::Bundle;
use super::json;
#[cfg(feature = "signatures")]
use super::signature::{self, Keys, Signed, TYP};
use crate::log::entry::{Aborted, Chance, Created, Drawn, Entry, Event, Finished};
use crate::log::fairness::{ALGORITHM, Seed};
use crate::log::wire::Published;
use crate::log::{Hex32, chain};
use crate::table::Table;
use crate::table::view::Summary;

/// What became of the checks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditReport)]
pub struct Report {
    /// Whether all checks passed.
    pub ok: bool,
    pub checks: Vec<Check>,
}

/// A check, by its name.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditCheck)]
pub struct Check {
    /// `commitment`, `chances`, `chain`, `signature`, `legality`, `outcome`, `game`, and `receipts` where there
    /// are any.
    #[schema(example = "chain")]
    pub name: &'static str,
    pub ok: bool,
    /// The first entry that is wrong; null where none is, or no single one.
    #[schema(required)]
    pub seq: Option<u32>,
    /// What was checked, or what is wrong.
    pub detail: String,
}

/// What a player kept of the answer to an action: which entry it was, and its hash. The answer's other fields
/// may stand beside them.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Receipt {
    pub seq: u32,
    pub hash: Hex32,
}

/// Checks a bundle against the rules, the scheme and itself, and against receipts where there are any.
#[cfg(feature = "signatures")]
pub fn verify(bundle: &Bundle, keys: &Keys, receipts: &[Receipt]) -> Report {
    let audit = Audit::through(bundle);
    let signature = audit.signature(keys);
    audit.report(Some(signature), receipts)
}

/// Checks a bundle against the rules, the scheme and itself, and leaves its signature to the caller.
pub fn verify_unsigned(bundle: &Bundle) -> Report {
    Audit::through(bundle).report(None, &[])
}

/// Where the log has been read to.
struct Audit<'a> {
    bundle: &'a Bundle,
    id: Uuid,
    seed: Seed,
    /// The game so far; none before the first entry, and none after one that cannot be.
    table: Option<Table>,
    /// The hash that the newest entry has to have.
    hash: Hex32,
    /// The hashes that the log gives.
    hashes: Vec<Option<Hex32>>,
    chances: u32,
    commitment: Verdict,
    chance: Verdict,
    chain: Verdict,
    legality: Verdict,
    outcome: Verdict,
}

/// The first thing that is wrong: at which entry, and what.
#[derive(Default)]
pub(super) struct Verdict(Option<(Option<u32>, String)>);

impl Verdict {
    pub(super) fn wrong(&mut self, seq: impl Into<Option<u32>>, detail: impl Into<String>) {
        self.0.get_or_insert_with(|| (seq.into(), detail.into()));
    }

    pub(super) fn check(self, name: &'static str, right: impl Into<String>) -> Check {
        match self.0 {
            None => Check { name, ok: true, seq: None, detail: right.into() },
            Some((seq, detail)) => Check { name, ok: false, seq, detail },
        }
    }
}

/// Whether a seed is the one that was committed to, by the scheme that this program knows.
pub(super) fn committed(algorithm: &str, commitment: Hex32, server_seed: Hex32) -> Verdict {
    let mut verdict = Verdict::default();
    if algorithm != ALGORITHM {
        verdict.wrong(None, format!("the scheme is `{algorithm}`, not `{ALGORITHM}`"));
    }
    if Seed::new(server_seed.0).commitment() != commitment {
        verdict.wrong(None, "the commitment is not the SHA-256 of the server seed");
    }
    verdict
}

impl<'a> Audit<'a> {
    /// The whole log, read.
    fn through(bundle: &'a Bundle) -> Audit<'a> {
        let mut audit = Audit::of(bundle);
        for (raw, seq) in bundle.log.iter().zip(1..) {
            audit.entry(seq, raw.get());
        }
        audit
    }

    fn of(bundle: &'a Bundle) -> Audit<'a> {
        let (seeds, seed) = (&bundle.fairness, Seed::new(bundle.fairness.server_seed.0));
        let commitment = committed(&seeds.algorithm, seeds.commitment, seeds.server_seed);
        Audit {
            bundle,
            id: seeds.shuffle_id,
            seed,
            table: None,
            hash: chain::GENESIS,
            hashes: Vec::with_capacity(bundle.log.len()),
            chances: 0,
            commitment,
            chance: Verdict::default(),
            chain: Verdict::default(),
            legality: Verdict::default(),
            outcome: Verdict::default(),
        }
    }

    fn entry(&mut self, seq: u32, raw: &str) {
        match Published::parse(raw) {
            Ok(Published { entry, hash }) => {
                self.link(seq, &entry, hash, raw);
                self.hashes.push(Some(hash));
                self.happen(seq, entry, hash);
            }
            Err(error) => {
                self.hashes.push(None);
                self.chain.wrong(seq, format!("this is no entry: {error}"));
                self.lose(seq, format!("this is no entry: {error}"));
            }
        }
    }

    /// The chain: the hash follows from all entries so far, and the entry is written as the log writes it.
    fn link(&mut self, seq: u32, entry: &Entry, hash: Hex32, raw: &str) {
        let text = entry.text();
        if !is_line(raw, &text) && !is_same(raw, &text) {
            self.chain.wrong(seq, "the entry is written in another form than the log's");
        }
        self.hash = chain::hash(self.hash, &self.seed, seq, &text);
        if hash != self.hash {
            self.chain.wrong(seq, "the hash does not follow from this entry and those before it");
        }
    }

    /// What the entry does to the game.
    fn happen(&mut self, seq: u32, mut entry: Entry, hash: Hex32) {
        let seeds = &self.bundle.fairness;
        match &entry.event {
            Event::Created(created) if created.commitment != seeds.commitment => {
                self.commitment.wrong(seq, "the game was begun with another commitment");
            }
            Event::Finished(Finished { server_seed, .. }) | Event::Aborted(Aborted { server_seed, .. })
                if *server_seed != seeds.server_seed =>
            {
                self.commitment.wrong(seq, "the game was ended with another server seed");
            }
            _ => {}
        }
        let replayed = match self.table.take() {
            None if seq == 1 => {
                if is_of_tournament(&entry) {
                    // The head alone says which of its tables it is; the signature holds it.
                    self.id = self.bundle.id().unwrap_or_default();
                }
                Table::replay(self.id, self.seed.clone(), [(entry, hash)]).map(Some)
            }
            None => return,
            Some(mut table) => {
                self.compare(seq, &mut entry, &table);
                table.evolve(&entry, hash).map(|()| Some(table))
            }
        };
        match replayed {
            Ok(table) => self.table = table,
            Err(fault) => self.lose(seq, fault.detail),
        }
    }

    /// Compares what the house did with what it had to do. What is to happen next is the log's word as far as
    /// chances go, so that one wrong order is not taken for illegal actions; and the rules' word for the end.
    fn compare(&mut self, seq: u32, entry: &mut Entry, table: &Table) {
        match &mut entry.event {
            Event::Chance(chance) => {
                self.chances += 1;
                if let Some(Event::Chance(due)) = table.next_by_house()
                    && let Some(detail) = difference(&due, chance)
                {
                    self.chance.wrong(seq, detail);
                }
            }
            Event::Finished(finished) => {
                if let Some(Event::Finished(due)) = table.next_by_house()
                    && due.outcome != finished.outcome
                {
                    self.outcome.wrong(seq, "by the rules the game ended with another result");
                    finished.outcome = due.outcome;
                }
            }
            _ => {}
        }
    }

    /// From here on the game cannot be followed.
    fn lose(&mut self, seq: u32, detail: String) {
        self.table = None;
        self.legality.wrong(seq, detail);
        let blind = "from here on it cannot be checked, because the game cannot be followed";
        self.chance.wrong(seq, blind);
        self.outcome.wrong(seq, blind);
    }

    fn report(mut self, signature: Option<Check>, receipts: &[Receipt]) -> Report {
        let entries = self.bundle.log.len();
        if !self.table.as_ref().is_some_and(Table::is_over) {
            self.legality.wrong(None, "the log ends before the game does");
        }
        let shuffle_id = self.table.as_ref().map(Table::shuffle_id);
        if shuffle_id.is_some_and(|id| id != self.bundle.fairness.shuffle_id) {
            self.chance.wrong(1, "the game was begun with another id in its chances");
        }
        let summary = self.table.as_ref().map(Table::summary);
        if let Some(table) = &self.table {
            match json::canonical(self.bundle.outcome.get()) {
                Ok(told) if told == chain::canonical(&table.outcome()) => {}
                Ok(_) => self.outcome.wrong(None, "the bundle tells another result than its log"),
                Err(error) => {
                    self.outcome.wrong(None, format!("the bundle's result cannot be read: {error}"))
                }
            }
        }
        let mut checks: Vec<Check> = signature.into_iter().collect();
        checks.extend([
            self.game(summary.as_ref()),
            self.commitment.check("commitment", "the server seed is the one that the first entry commits to"),
            self.chance.check(
                "chances",
                format!("{} picks and orders follow from the seeds of house and players", self.chances),
            ),
            self.chain.check("chain", format!("each of {entries} hashes follows from all before it")),
            self.legality.check("legality", format!("each of {entries} entries is one that the rules allow")),
            self.outcome.check("outcome", "the result is what the rules make of the log"),
        ]);
        if !receipts.is_empty() {
            checks.push(kept(&self.hashes, receipts));
        }
        Report { ok: checks.iter().all(|check| check.ok), checks }
    }

    #[cfg(feature = "signatures")]
    fn signature(&self, keys: &Keys) -> Check {
        let mut verdict = Verdict::default();
        let mut right = String::new();
        match signature::read::<Signed>(&self.bundle.signature, TYP, keys) {
            Err(detail) => verdict.wrong(None, detail),
            Ok((signed, whose)) => {
                let last = self.hashes.last().copied().flatten();
                let here = (self.id, self.hashes.len(), last);
                let Signed { game, version, hash } = signed;
                if (game, version as usize, Some(hash)) != here {
                    verdict.wrong(None, "it was made for another log");
                }
                right = format!("the log as a whole is signed, {whose}");
            }
        }
        verdict.check("signature", right)
    }

    /// What the bundle says of the game in its head.
    fn game(&self, summary: Option<&Summary<'_>>) -> Check {
        let mut verdict = Verdict::default();
        let told = json::read(self.bundle.game.get());
        match (summary.map(|summary| serde_json::to_value(summary).unwrap_or_default()), told) {
            (None, _) => verdict.wrong(None, "it cannot be compared, because the game cannot be followed"),
            (_, Err(error)) => verdict.wrong(None, format!("it cannot be read: {error}")),
            (Some(real), Ok(told)) if real == told => {}
            (Some(real), Ok(told)) => {
                let parts = ["id", "kind", "rules_version", "options", "seats"];
                let part = parts.into_iter().find(|part| real.get(part) != told.get(part));
                let part =
                    part.map_or_else(|| "something more".to_owned(), |part| format!("another `{part}`"));
                verdict.wrong(None, format!("the bundle tells {part} than its log"));
            }
        }
        verdict.check("game", "kind, options and seats are those of the log")
    }
}

/// Whether it begins the game of a tournament, whose id does not go into the chances.
fn is_of_tournament(entry: &Entry) -> bool {
    matches!(&entry.event, Event::Created(Created { tournament: Some(_), .. }))
}

/// Whether `raw` is the line that the house writes for this entry.
fn is_line(raw: &str, text: &str) -> bool {
    let body = text.strip_suffix('}').and_then(|open| raw.strip_prefix(open));
    // What stands behind is the hash, which has been read.
    body.is_some_and(|rest| rest.starts_with(r#","hash":""#) && rest.len() == r#","hash":""}"#.len() + 64)
}

/// Whether `raw` is another way of writing this entry: spaces and the order of names do not count.
fn is_same(raw: &str, text: &str) -> bool {
    let Ok(mut value) = json::read(raw) else { return false };
    value.as_object_mut().is_some_and(|fields| fields.remove("hash").is_some())
        && chain::canonical(&value) == text
}

/// What is wrong with a chance, if anything.
fn difference(due: &Chance, told: &Chance) -> Option<String> {
    match (&due.drawn, &told.drawn) {
        (Drawn::Pick { result, .. }, Drawn::Pick { result: told, .. }) if result != told => {
            Some(format!("the seeds pick {result}, the log {told}"))
        }
        (Drawn::Shuffle { result: Some(order) }, Drawn::Shuffle { result: Some(told) }) => {
            let at = order.iter().zip(told).position(|(due, told)| due != told)?;
            Some(format!(
                "the seeds put {} at place {} of the order, the log {}",
                order[at],
                at + 1,
                told[at]
            ))
        }
        // What is not of the form that the rules ask for is not legal either, and is told there.
        _ => None,
    }
}

/// Whether the log still has the entries that were acknowledged to players.
fn kept(hashes: &[Option<Hex32>], receipts: &[Receipt]) -> Check {
    let mut verdict = Verdict::default();
    for Receipt { seq, hash } in receipts {
        let found = hashes.get((*seq as usize).wrapping_sub(1)).copied().flatten();
        if found != Some(*hash) {
            verdict.wrong(*seq, "the log has another entry here than the one that was acknowledged");
        }
    }
    verdict.check("receipts", format!("{} acknowledged entries stand in the log", receipts.len()))
}
