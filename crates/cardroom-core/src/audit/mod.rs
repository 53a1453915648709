//! What a game or a tournament that is over claims, and whether it is true. Pure: no database, no network, no time.
//!
//! A [bundle](Bundle) holds all that is needed: the seeds, the whole log, the result, and the house's
//! signature. `verify` trusts none of it, and neither does [`verify_unsigned`]. What it proves, and what it cannot, is told in `docs/fairness.md`.

#[cfg(feature = "signatures")]
mod asked;
#[cfg(all(test, feature = "signatures"))]
mod asked_tests;
mod bundle;
mod certificate;
mod checks;
#[cfg(test)]
mod dealt_tests;
mod json;
#[cfg(feature = "signatures")]
mod played_game;
mod reader;
#[cfg(feature = "signatures")]
mod signature;
mod tournament_bundle;
#[cfg(feature = "signatures")]
mod tournament_checks;

pub use bundle::{AuditBundle, Bundle, FORMAT, NotABundle, head, line, tail};
pub use certificate::{
    CERTIFICATE_FORMAT, Certificate, CertifiedTournament, LogHead, Ranking, Statement, Winner, certificates,
};
#[cfg(feature = "signatures")]
pub use checks::verify;
pub use checks::{Check, Receipt, Report, verify_unsigned};
#[cfg(feature = "signatures")]
pub use played_game::PlayedGame;
#[cfg(feature = "signatures")]
pub use signature::{Keys, Signed, SignedTournament, TOURNAMENT_TYP, TYP};
pub use tournament_bundle::{
    TOURNAMENT_FORMAT, TournamentAuditBundle, TournamentBundle, tournament_bundle, tournament_head,
};
#[cfg(feature = "signatures")]
pub use tournament_checks::{TournamentReport, verify_tournament};
