//! The logs of tournaments: how a tournament is loaded from one, and how entries are appended to one.

use std::fmt::Display;

use cardroom_core::log::entry::Time;
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::Refusal;
use cardroom_core::table::Actor;
use cardroom_core::tournament::{self, ClockChange, GameResults, Row, Step, Tournament, TournamentEntry};
use jiff::Timestamp;
use std::sync::Arc;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;
use uuid::Uuid;

use crate::games::quotas::Quotas;
use crate::games::replays::in_background;
use crate::games::watch::Watch;
use crate::runtime::error::ServiceError;
use crate::runtime::{Aggregate, EventStore, Key};
use crate::store::append::{Append, AppendOutcome, Claim};
use crate::store::clocks as store;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::games::DealtGame;
use crate::store::participations::{NewParticipation, Topic};
use crate::store::status::Status;
use crate::store::tournaments::TournamentAppend;

/// More entries than a log can have.
const ALL: i64 = i32::MAX as i64;
/// A replay of more entries than this takes some milliseconds.
const LONG: usize = 1000;

/// About how many bytes the tournaments in memory take.
pub(crate) const IN_MEMORY: u64 = 64 * 1024 * 1024;
/// What a tournament counts for at least. It is weighed when it is loaded and may grow afterwards, so there are no more than
/// 256 of them.
const LEAST: u64 = IN_MEMORY / 256;
/// What a tournament counts for at most: one that took more than there is room for would be loaded for each request.
const MOST: u64 = IN_MEMORY / 4;
/// About how many bytes an entrant takes, with a line of the standings.
const ENTRANT: u64 = 768;
/// About how many bytes a table of a round takes, with what its game has brought.
const TABLE: u64 = 256;
/// About how many bytes a seat at it takes.
const SEAT: u64 = 64;

/// The logs of tournaments.
#[derive(Clone)]
pub struct TournamentLog {
    pub(crate) database: Database,
    pub(crate) quotas: Quotas,
    pub(crate) watch: Watch,
}

/// What a replica keeps of a tournament besides its newest state.
pub struct Companion {
    /// What has been played, as far as it was read; and the standings that were made of it.
    pub(crate) game_results: Mutex<Kept>,
    /// The standings that followers were shown last, with the tournament, and since when they are known.
    pub(crate) recent_standings: Mutex<Option<RecentStandings>>,
    /// The newest version that is known here, for followers that wait for a newer one.
    pub(crate) version: watch::Sender<u32>,
    /// When the log was last looked at on behalf of waiting followers.
    pub(crate) looked: Mutex<Instant>,
}

pub(crate) type RecentStandings = (Instant, Arc<Tournament>, Arc<Vec<Row>>);

#[derive(Default)]
pub(crate) struct Kept {
    /// Shared with those who still compute from them when the next hand ends.
    pub game_results: Arc<GameResults>,
    /// How often the rows had been written anew when the first was read.
    pub recounted: i32,
    /// How many rows were taken.
    pub rows: usize,
    /// The standings at a version of the log and after so many rows.
    pub standings: Option<(Stand, Arc<Vec<Row>>)>,
}

/// A version of a log, and how many rows have been played.
pub(crate) type Stand = (u32, usize);

impl Aggregate for Tournament {
    type Companion = Companion;

    fn id(&self) -> Uuid {
        self.id
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn weight(&self) -> u32 {
        let tables = self.rounds().iter().flat_map(|round| &round.tables);
        let played: u64 = tables.map(|table| TABLE + SEAT * table.seats.len() as u64).sum();
        let bytes = ENTRANT * self.entrants().len() as u64 + played;
        bytes.clamp(LEAST, MOST) as u32
    }

    fn companion(&self) -> Companion {
        Companion {
            game_results: Mutex::default(),
            recent_standings: Mutex::default(),
            version: watch::Sender::new(self.version),
            looked: Mutex::new(Instant::now()),
        }
    }

    fn became_newest(&self, companion: &Companion) {
        companion.version.send_replace(self.version);
    }
}

/// A step, and the games that are dealt with it.
pub struct DealtStep {
    pub step: Step,
    pub games: Vec<(DealtGame, Append)>,
}

impl EventStore for TournamentLog {
    type State = Tournament;
    type Step = DealtStep;
    type Receipt = ();

    async fn load(&self, id: Uuid) -> Result<Tournament, ServiceError> {
        self.replay(id, ALL).await
    }

    async fn newer(&self, known: &Tournament) -> Result<Option<Tournament>, ServiceError> {
        let newer = self.entries(known.id, known.version, ALL).await?;
        if newer.is_empty() {
            return Ok(None);
        }
        let mut tournament = known.clone();
        for entry in newer {
            tournament.evolve(&entry).map_err(|fault| broken(known.id, &fault))?;
        }
        Ok(Some(tournament))
    }

    async fn append(
        &self,
        caller: Option<&Actor>,
        key: &Key,
        _before: &Tournament,
        DealtStep { step, games }: &DealtStep,
    ) -> Result<AppendOutcome, ServiceError> {
        let claim = caller.and_then(|caller| claim(caller, key));
        let append = tournament_append(step, claim, games.clone(), self.quotas.participations());
        self.append_entries(append).await.map_err(|error| self.quotas.exceeded(error))
    }

    async fn created(&self, caller: Uuid, key: &str) -> Result<Option<Uuid>, ServiceError> {
        Ok(self.database.tournament_made(caller, key).await?)
    }

    async fn answered(
        &self,
        id: Uuid,
        caller: Uuid,
        key: &str,
        request: &[u8; 32],
    ) -> Result<Option<(Tournament, ())>, ServiceError> {
        let Some(claimed) = self.database.tournament_claimed(id, caller, key).await? else { return Ok(None) };
        if !claimed.is_for(request) {
            return Err(ServiceError::KeyReused);
        }
        Ok(Some((self.replay(id, i64::from(claimed.answer())).await?, ())))
    }

    fn complete(dealt: DealtStep) -> (Tournament, ()) {
        (dealt.step.tournament, ())
    }
}

impl TournamentLog {
    /// Appends to the log, and passes on which accounts take part from now on.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer; [`StoreError::Constraint`] where a quota is used up.
    pub(crate) async fn append_entries(&self, append: TournamentAppend) -> Result<AppendOutcome, StoreError> {
        let dealt = append.games.iter().flat_map(|(game, _)| game.players.iter().copied());
        let accounts: Vec<Uuid> =
            append.participations.iter().map(|begun| begun.account).chain(dealt).collect();
        let appended = self.database.append_tournament(append).await?;
        if appended == AppendOutcome::Done {
            self.watch.participating(accounts);
        }
        Ok(appended)
    }

    /// The tournament that the first `version` entries lead to.
    pub(crate) async fn replay(&self, id: Uuid, version: i64) -> Result<Tournament, ServiceError> {
        let (seed, entries) = (self.seed(id).await?, self.entries(id, 0, version).await?);
        replay(id, seed, entries).await
    }

    /// The tournament as it was at a time; none where it had not been created yet.
    pub(crate) async fn replay_until(
        &self,
        id: Uuid,
        at: Timestamp,
    ) -> Result<Option<Tournament>, ServiceError> {
        let (seed, entries) = (self.seed(id).await?, self.entries(id, 0, ALL).await?);
        let entries: Vec<_> = entries.into_iter().take_while(|entry| entry.at.0 <= at).collect();
        if entries.is_empty() {
            return Ok(None);
        }
        replay(id, seed, entries).await.map(Some)
    }

    async fn seed(&self, id: Uuid) -> Result<Seed, ServiceError> {
        Ok(Seed::new(self.database.tournament_seed(id).await?.ok_or_else(not_found)?))
    }

    async fn entries(&self, id: Uuid, after: u32, limit: i64) -> Result<Vec<TournamentEntry>, ServiceError> {
        let texts = self.database.tournament_entries(id, after, limit).await?;
        let parse = |text: &String| TournamentEntry::parse(text).map_err(|error| broken(id, &error));
        texts.iter().map(parse).collect()
    }
}

/// Replays a log; a long one on a thread of its own.
async fn replay(id: Uuid, seed: Seed, entries: Vec<TournamentEntry>) -> Result<Tournament, ServiceError> {
    let is_long = entries.len() > LONG;
    let replay = move || Tournament::replay(id, seed, entries);
    let replayed = if is_long { in_background(replay).await? } else { replay() };
    replayed.map_err(|fault| broken(id, &fault))
}

pub(crate) fn claim(actor: &Actor, key: &Key) -> Option<Claim> {
    key.clone().map(|(key, request)| Claim { caller: actor.account, key, request })
}

/// The participation that begins with an entry.
fn participation(tournament: Uuid, entry: &TournamentEntry) -> Option<NewParticipation> {
    let begun = NewParticipation::of(entry.account()?, Topic::Tournament(tournament), entry.seq);
    Some(NewParticipation { by_others: entry.is_by_others(), ..begun })
}

/// The same change, as it is stored.
fn stored(change: ClockChange) -> store::ClockChange {
    match change {
        ClockChange::All { stopped } => store::ClockChange::All { stopped },
        ClockChange::Game { game, stopped } => store::ClockChange::Game { game, stopped },
        ClockChange::TimeAdded { game, seconds } => {
            let seconds = seconds.into_iter().map(u32::cast_signed).collect();
            store::ClockChange::TimeAdded { game, seconds }
        }
    }
}

/// What is written of a step, and with it the games of a round.
pub(crate) fn tournament_append(
    step: &Step,
    claim: Option<Claim>,
    games: Vec<(DealtGame, Append)>,
    most_participations: u32,
) -> TournamentAppend {
    let tournament = &step.tournament;
    let entries = || step.entries.iter().map(|(entry, _)| entry);
    TournamentAppend {
        tournament_id: tournament.id,
        first: step.entries[0].0.seq,
        entries: step.entries.iter().map(|(_, text)| text.clone()).collect(),
        participations: entries().filter_map(|entry| participation(tournament.id, entry)).collect(),
        most_participations,
        left: entries().filter_map(|entry| tournament.taken_off(entry)).collect(),
        claim,
        name: tournament.setup().name.clone(),
        status: tournament.status().into(),
        entrants: tournament.entered() as u32,
        round: tournament.rounds().len() as u16,
        is_paused: tournament.is_paused(),
        is_unsettled: tournament.is_unsettled(),
        present: tournament.playing_on() as u32,
        arena_ends_at: tournament.arena_ends_at(),
        starts_at: tournament.details().starts_at.map(|Time(at)| at),
        clocks: entries().filter_map(|entry| tournament.clock_change(&entry.event)).map(stored).collect(),
        seated: entries()
            .flat_map(|entry| tournament.tables_left(entry))
            .map(|table| (table.game, tournament.players_on(table) as i16))
            .collect(),
        void: entries().filter_map(TournamentEntry::voided_game).collect(),
        games,
    }
}

pub(crate) fn not_found() -> ServiceError {
    ServiceError::refused(Refusal::new("tournament_not_found", "there is no such tournament"))
}

pub(crate) fn broken(id: Uuid, fault: &impl Display) -> ServiceError {
    ServiceError::BrokenTournament(id, fault.to_string())
}

impl From<tournament::Status> for Status {
    fn from(status: tournament::Status) -> Status {
        match status {
            tournament::Status::Open => Status::Open,
            tournament::Status::Active => Status::Active,
            tournament::Status::Finished => Status::Finished,
            tournament::Status::Aborted => Status::Aborted,
        }
    }
}
