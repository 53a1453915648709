//! Certificates of those who won a tournament, and the hash by which anybody can check one.

use std::fmt;

use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::log::entry::Time;
use crate::log::{Hex32, chain};
use crate::rules::registry::KindName;
use crate::tournament::{Row, Status, Tournament};

/// The name of the form.
pub const CERTIFICATE_FORMAT: &str = "cardroom.certificate/1";

/// What proves who won a tournament by one of its rankings.
///
/// `cardroom audit` computes the same statement from the tournament's log and its games, and prints its hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Certificate {
    /// SHA-256 of `statement` as canonical JSON (RFC 8785), in lower-case hex.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub hash: Hex32,
    #[schema(inline)]
    pub statement: Statement,
}

/// What a certificate says. Its numbers are whole, so that the same statement has the same text everywhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = CertificateStatement)]
pub struct Statement {
    /// `cardroom.certificate/1`
    pub format: &'static str,
    #[schema(inline)]
    pub ranking: Ranking,
    #[schema(inline)]
    pub tournament: CertifiedTournament,
    /// How many entrants had a place when it ended; those who were disqualified are left out.
    #[schema(value_type = u32)]
    pub entrants: usize,
    /// Those in the first place, by their numbers: one, or several that share it.
    #[schema(min_items = 1)]
    pub winners: Vec<Winner>,
    #[schema(inline)]
    pub log: LogHead,
}

/// What is ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ranking {
    /// The places of the standings.
    Result,
    /// The highest score, which is the other prize.
    Score,
}

/// The tournament that was won, as its log tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CertifiedTournament {
    pub id: Uuid,
    pub name: String,
    #[schema(value_type = KindName)]
    pub kind: String,
    pub rules_version: u16,
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Time,
    #[schema(value_type = String, format = DateTime)]
    pub ended_at: Time,
    /// The time zone in which its times are shown.
    #[schema(required)]
    pub time_zone: Option<String>,
    /// Where it was played.
    #[schema(required)]
    pub venue: Option<String>,
    /// What the first place of this ranking brings.
    #[schema(required)]
    pub prize: Option<String>,
}

/// Somebody in the first place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = CertifiedWinner)]
pub struct Winner {
    /// The entrant's number.
    pub entrant: u32,
    /// The name in the standings.
    pub player: String,
    /// The result in lowest terms: a whole number or a fraction.
    #[schema(example = "61/12", pattern = "^-?[0-9]+(/[0-9]+)?$")]
    pub result: String,
    /// Null where nothing counts.
    #[schema(required)]
    pub score: Option<i64>,
}

/// How far a log has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct LogHead {
    /// How many entries the tournament's log has.
    pub entries: u32,
    /// The hash of the last one in the chain of all, which the house signs in the tournament's audit bundle.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub head: Hex32,
}

impl fmt::Display for Ranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ranking::Result => "result",
            Ranking::Score => "score",
        })
    }
}

impl Statement {
    /// The certificate that this makes.
    fn certified(self) -> Certificate {
        Certificate { hash: Hex32(Sha256::digest(chain::canonical(&self)).into()), statement: self }
    }
}

/// The certificates of a tournament with these standings, of the best result first; none where it has not finished. Nobody
/// wins by a score where no entrant has one above 0, nor without having been in a round. `head`: of [its
/// log](super::tournament_head).
pub fn certificates(tournament: &Tournament, standings: &[Row], head: Hex32) -> Vec<Certificate> {
    let (Status::Finished, Some(started), Some(ended)) =
        (tournament.status(), tournament.started_at(), tournament.ended_at())
    else {
        return Vec::new();
    };
    let (setup, details) = (tournament.setup(), tournament.details());
    let placed = || standings.iter().filter(|row| row.place.is_some() && row.round > 0);
    let best = placed().filter_map(|row| row.score).max().filter(|&best| best > 0);
    let by_result: Vec<&Row> = placed().filter(|row| row.place == Some(1)).collect();
    let by_score: Vec<&Row> = placed().filter(|row| best.is_some() && row.score == best).collect();
    let prizes = [&details.result_prize, &details.score_prize];
    let rankings = [(Ranking::Result, by_result), (Ranking::Score, by_score)].into_iter().zip(prizes);
    let statement = |((ranking, mut rows), prize): ((Ranking, Vec<&Row>), &Option<String>)| {
        rows.sort_unstable_by_key(|row| row.entrant);
        let winners: Vec<Winner> = rows.into_iter().map(winner).collect();
        (!winners.is_empty()).then(|| Statement {
            format: CERTIFICATE_FORMAT,
            ranking,
            tournament: CertifiedTournament {
                id: tournament.id,
                name: setup.name.clone(),
                kind: setup.kind.clone(),
                rules_version: setup.rules_version,
                started_at: Time(started),
                ended_at: Time(ended),
                time_zone: details.time_zone.clone(),
                venue: details.venue.clone(),
                prize: prize.clone(),
            },
            entrants: tournament.entered(),
            winners,
            log: LogHead { entries: tournament.version, head },
        })
    };
    rankings.filter_map(statement).map(Statement::certified).collect()
}

fn winner(row: &Row) -> Winner {
    Winner { entrant: row.entrant, player: row.player.clone(), result: row.result.exact(), score: row.score }
}
