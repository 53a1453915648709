//! The checks of a tournament: its log, the games of its tables, how its rounds were drawn, and its standings.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use super::asked::Asked;
use super::certificate::{Certificate, certificates};
use super::checks::{Report, Verdict, committed};
use super::json;
use super::played_game::PlayedGame;
use super::signature::{self, Keys, SignedTournament, TOURNAMENT_TYP};
use super::tournament_bundle::{TournamentBundle, TournamentSeeds, summary, tournament_head};
use crate::log::Hex32;
use crate::log::chain;
use crate::log::entry::{Policy, Visibility};
use crate::log::fairness::Seed;
use crate::rules::Seat;
use crate::table::Table;
use crate::table::view::SummarySeat;
use crate::tournament::{
    AwardedHand, GameResults, RoundBegan, RoundTable, Tournament, TournamentEntry, TournamentEvent, Who,
};

/// What became of the checks of a tournament.
#[derive(Debug)]
pub struct TournamentReport {
    pub report: Report,
    /// The certificates of those who won it, as log and games lead to them; none where something is wrong.
    pub certificates: Vec<Certificate>,
}

/// Checks a tournament's bundle together with its games, by id: `signature`, `tournament`, `commitment`, `log`, `games`,
/// `rounds` and `standings`. Games of other tournaments may be among them.
pub fn verify_tournament(
    bundle: &TournamentBundle,
    keys: &Keys,
    games: &HashMap<Uuid, PlayedGame>,
) -> TournamentReport {
    let mut audit = Audit::of(bundle, games);
    audit.replay();
    audit.report(keys)
}

/// A table for which a game was dealt, and the players at its seats as they were then.
pub(super) struct Dealt<'t> {
    pub began: &'t RoundBegan,
    pub table: &'t RoundTable,
    pub seats: Vec<Option<&'t Who>>,
}

struct Audit<'a> {
    bundle: &'a TournamentBundle,
    games: &'a HashMap<Uuid, PlayedGame>,
    seed: Seed,
    /// None before the first entry, and after one that cannot be.
    tournament: Option<Tournament>,
    /// The games that were dealt, with the entry that dealt them.
    dealt: Vec<(u32, Uuid)>,
    asked: Asked,
    /// What the games have brought whose tables were drawn so far.
    game_results: GameResults,
    /// What the tables of an arena have brought, before the time has come at which it was known: rounds overlap there.
    later: Vec<AwardedHand>,
    entries: Vec<String>,
    commitment: Verdict,
    log: Verdict,
    played: Verdict,
    rounds: Verdict,
    standings: Verdict,
}

impl<'a> Audit<'a> {
    fn of(bundle: &'a TournamentBundle, games: &'a HashMap<Uuid, PlayedGame>) -> Audit<'a> {
        let TournamentSeeds { algorithm, commitment, server_seed } = &bundle.fairness;
        let (seed, commitment) = (Seed::new(server_seed.0), committed(algorithm, *commitment, *server_seed));
        Audit {
            bundle,
            games,
            seed,
            tournament: None,
            dealt: Vec::new(),
            asked: Asked::default(),
            game_results: GameResults::new(),
            later: Vec::new(),
            entries: Vec::with_capacity(bundle.log.len()),
            commitment,
            log: Verdict::default(),
            played: Verdict::default(),
            rounds: Verdict::default(),
            standings: Verdict::default(),
        }
    }

    fn replay(&mut self) {
        for (raw, seq) in self.bundle.log.iter().zip(1..) {
            let entry = match TournamentEntry::parse(raw.get()) {
                Ok(entry) => entry,
                Err(error) => return self.lose(seq, format!("this is no entry: {error}")),
            };
            match json::canonical(raw.get()) {
                // A null for a field that is left out would mean the same, and have another hash.
                Ok(text) if text != entry.text() => {
                    return self.lose(seq, "this entry is not written as logs write it".to_owned());
                }
                Ok(text) => self.entries.push(text),
                Err(error) => return self.lose(seq, format!("this entry has no single meaning: {error}")),
            }
            if let Err(detail) = self.happen(seq, &entry) {
                return self.lose(seq, detail);
            }
        }
    }

    fn happen(&mut self, seq: u32, entry: &TournamentEntry) -> Result<(), String> {
        let Some(before) = self.tournament.take() else {
            if let TournamentEvent::Created(created) = &entry.event
                && created.commitment != self.bundle.fairness.commitment
            {
                self.commitment.wrong(seq, "the tournament was begun with another commitment");
            }
            let first = Tournament::replay(self.id()?, self.seed.clone(), [entry.clone()]);
            self.tournament = Some(first.map_err(|fault| fault.detail)?);
            return Ok(());
        };
        self.check_due(seq, entry, &before);
        let objection = before.objection(entry);
        let mut after = before;
        after.evolve(entry).map_err(|fault| fault.detail)?;
        if let Some(detail) = objection {
            self.log.wrong(seq, detail);
        }
        match &entry.event {
            TournamentEvent::RoundBegan(began) => {
                for table in &began.tables {
                    self.draw(seq, &after, began, table);
                }
            }
            TournamentEvent::TableRedone(redone) => {
                if let Some((began, table)) = after.table_of(redone.game) {
                    self.draw(seq, &after, began, table);
                }
            }
            _ => {}
        }
        self.asked.take(entry, &after);
        self.tournament = Some(after);
        Ok(())
    }

    fn id(&self) -> Result<Uuid, String> {
        let head: Value = serde_json::from_str(self.bundle.tournament.get()).unwrap_or_default();
        let id = head["id"].as_str().and_then(|id| id.parse().ok());
        id.ok_or_else(|| "the bundle names no tournament".to_owned())
    }

    /// Whether the house drew the round, or ended the tournament, as it had to after the games before.
    fn check_due(&mut self, seq: u32, entry: &TournamentEntry, before: &Tournament) {
        let mut ids = match &entry.event {
            TournamentEvent::RoundBegan(began) => {
                began.tables.iter().map(|table| table.game).collect::<Vec<_>>()
            }
            TournamentEvent::Finished(_) | TournamentEvent::RoundEnded(_) => Vec::new(),
            _ => return,
        };
        if before.arena_ends_at().is_some() {
            self.take_until(Some(entry.at.0));
            if let Some(fault) = before.arena_fault(&entry.event, &self.game_results, entry.at.0) {
                self.rounds.wrong(seq, fault);
            }
            return;
        }
        ids.reverse();
        let due = before.advance(&self.game_results, entry.at.0, &mut || ids.pop().unwrap_or_default());
        if due.entries.first().map(|(due, _)| due.text()) != Some(entry.text()) {
            let what = match &entry.event {
                TournamentEvent::Finished(_) => "the tournament had not come to its end",
                TournamentEvent::RoundEnded(_) => {
                    "by the games the round had not ended, or others were absent"
                }
                _ => "by the results so far the round had to be drawn otherwise",
            };
            self.rounds.wrong(seq, what);
        }
    }

    /// Counts what the tables of an arena had brought at this time, or at the end.
    fn take_until(&mut self, at: Option<Timestamp>) {
        let is_known = |hand: &mut AwardedHand| at.is_none_or(|at| hand.at <= at);
        for hand in self.later.extract_if(.., is_known) {
            self.game_results.take(hand);
        }
    }

    /// Checks the game that was dealt for a table, and counts what it brought.
    fn draw(&mut self, seq: u32, now: &Tournament, began: &RoundBegan, table: &RoundTable) {
        let who = |entrant: &Option<u32>| {
            let listed = now.entrants().get((*entrant)? as usize)?;
            Some(&listed.entrant.who)
        };
        self.dealt.push((seq, table.game));
        let dealt = Dealt { began, table, seats: table.seats.iter().map(who).collect() };
        match self.check_game(now, &dealt) {
            Ok(hands) if now.arena_ends_at().is_some() => self.later.extend_from_slice(hands),
            Ok(hands) => {
                for hand in hands {
                    self.game_results.take(hand.clone());
                }
            }
            Err(detail) => {
                let RoundTable { table, game, .. } = table;
                let detail = format!("round {}, table {table}, game {game}: {detail}", began.round);
                self.played.wrong(seq, detail);
            }
        }
    }

    /// From here on the tournament cannot be followed.
    fn lose(&mut self, seq: u32, detail: String) {
        self.tournament = None;
        self.log.wrong(seq, detail);
        let blind = "from here on it cannot be checked, because the tournament cannot be followed";
        self.rounds.wrong(seq, blind);
        self.standings.wrong(seq, blind);
    }

    fn report(mut self, keys: &Keys) -> TournamentReport {
        self.take_until(None);
        let (mut head, mut signature, mut whose) = (Verdict::default(), Verdict::default(), String::new());
        let Some(tournament) = self.tournament.take() else {
            let blind = "it cannot be checked, because the tournament cannot be followed";
            self.log.wrong(None, "the log is empty");
            for verdict in [&mut head, &mut signature, &mut self.played, &mut self.standings] {
                verdict.wrong(None, blind);
            }
            return TournamentReport { report: self.told(head, signature, &whose), certificates: Vec::new() };
        };
        if !tournament.is_over() {
            self.log.wrong(None, "the log ends before the tournament does");
        }
        for &(seq, game) in &self.dealt {
            let Some(PlayedGame { done, .. }) = self.games.get(&game) else { continue };
            if let Some(objection) = self.asked.objection(game, done, &tournament) {
                self.played.wrong(seq, format!("game {game}: {objection}"));
            }
        }
        let rows = tournament.standings(&self.game_results);
        // Both are read from texts, so that a number is the same number.
        let read = |text: &str| serde_json::from_str::<Value>(text).ok();
        let real = serde_json::to_string(&rows).unwrap_or_default();
        let (real, told) = (read(&real), read(self.bundle.standings.get()));
        if told.is_none() || told != real {
            let row = real.zip(told).and_then(|(real, told)| difference(&real, &told));
            self.standings.wrong(None, row.unwrap_or_else(|| "the bundle tells others".to_owned()));
        }
        let told = json::canonical(self.bundle.tournament.get()).ok();
        if told != Some(chain::canonical(&summary(&tournament))) {
            head.wrong(None, "the bundle tells another tournament than its log");
        }
        let hash = tournament_head(&self.seed, self.entries.iter().map(String::as_str));
        match self.check_signature(&tournament, hash, keys) {
            Ok(found) => whose = found,
            Err(detail) => signature.wrong(None, detail),
        }
        let report = self.told(head, signature, &whose);
        let certificates = if report.ok { certificates(&tournament, &rows, hash) } else { Vec::new() };
        TournamentReport { report, certificates }
    }

    fn told(self, head: Verdict, signature: Verdict, whose: &str) -> Report {
        let (entries, games) = (self.bundle.log.len(), self.dealt.len());
        let checks = vec![
            signature.check("signature", format!("the log as a whole is signed, {whose}")),
            head.check("tournament", "name, kind and status are those of the log"),
            self.commitment.check("commitment", "the server seed is the one that the first entry commits to"),
            self.log.check("log", format!("each of {entries} entries is one that the rules allow")),
            self.played
                .check("games", format!("each of {games} games is there, whole, and played by those drawn")),
            self.rounds.check("rounds", "each round follows from the lots and from the results before it"),
            self.standings.check("standings", "they are what the log and the games lead to"),
        ];
        Report { ok: checks.iter().all(|check| check.ok), checks }
    }

    /// What a table's game brought, if it is there, whole, and the one that was dealt.
    fn check_game(&self, tournament: &Tournament, dealt: &Dealt<'_>) -> Result<&'a [AwardedHand], String> {
        let Some(PlayedGame { table: game, hands, wrong, .. }) = self.games.get(&dealt.table.game) else {
            return Err("its bundle is missing".to_owned());
        };
        if let Some(wrong) = wrong {
            return Err(wrong.clone());
        }
        check_place(game, tournament, dealt)?;
        let setup = tournament.setup();
        let summary = game.summary();
        if (summary.kind, summary.rules_version) != (&*setup.kind, setup.rules_version)
            || json::canonical(summary.options.get()).ok()
                != json::canonical(setup.options_of(dealt.began.round, dealt.table).get()).ok()
        {
            return Err("it was played by other rules".to_owned());
        }
        if (game.pace(), game.is_rated(), game.visibility())
            != (setup.pace(), setup.is_rated(), Visibility::Public)
        {
            return Err(
                "it was played at another speed, or not as rated or public as its tournament".to_owned()
            );
        }
        let accounts: HashMap<Seat, Uuid> = game.accounts().collect();
        let is_theirs = |(seat, who): (&SummarySeat<'_>, &Option<&Who>)| {
            let account = accounts.get(&seat.seat).copied();
            let (of, client_seed, bot) = match who {
                Some(Who::Player { account, client_seed, .. }) => (Some(*account), &**client_seed, None),
                Some(Who::Bot { bot, .. }) => (None, "", Some(*bot)),
                None => (None, "", Some(setup.fill.unwrap_or(Policy::Steady))),
            };
            // Tables that share their cards share them whatever the players bring.
            let client_seed = if dealt.began.shuffle_id.is_some() { "" } else { client_seed };
            (account, seat.client_seed, seat.bot) == (of, client_seed, bot)
        };
        if summary.seats.len() != dealt.seats.len() || !summary.seats.iter().zip(&dealt.seats).all(is_theirs)
        {
            return Err("others sat there than were drawn".to_owned());
        }
        Ok(hands)
    }

    /// Whose signature it is, in words.
    fn check_signature(&self, tournament: &Tournament, hash: Hex32, keys: &Keys) -> Result<String, String> {
        let read = signature::read::<SignedTournament>(&self.bundle.signature, TOURNAMENT_TYP, keys);
        let (signed, whose) = read?;
        if signed != (SignedTournament { tournament: tournament.id, version: tournament.version, hash }) {
            return Err("it was made for another log".to_owned());
        }
        Ok(whose)
    }
}

/// Whether a game was dealt for this table, from the seed that was settled with the tournament's.
pub(super) fn check_place(game: &Table, tournament: &Tournament, dealt: &Dealt<'_>) -> Result<(), String> {
    let setup = tournament.setup();
    let here = game.tournament().is_some_and(|place| {
        (place.id, place.round, place.table) == (tournament.id, dealt.began.round, dealt.table.table)
            && place.shuffle_id == dealt.began.shuffle_id
            && place.spectator_delay_hands == setup.spectator_delay_hands
            && serde_json::to_value(&place.scoring).ok() == serde_json::to_value(&setup.scoring).ok()
    });
    if !here {
        return Err("it was dealt for another table".to_owned());
    }
    if game.seed().bytes() != tournament.game_seed(dealt.began, dealt.table).bytes() {
        return Err("its seed does not follow from the tournament's".to_owned());
    }
    Ok(())
}

/// The first line of the standings that differs, in words.
fn difference(real: &Value, told: &Value) -> Option<String> {
    let (real, told) = (real.as_array()?, told.as_array()?);
    let at = real.iter().zip(told).position(|(real, told)| real != told)?;
    let (real, told) = (&real[at], &told[at]);
    Some(format!(
        "line {}: the log leads to {} in place {}, with a result of {}; the bundle tells {}, {}, {}",
        at + 1,
        real["player"],
        real["place"],
        real["result"],
        told["player"],
        told["place"],
        told["result"]
    ))
}
