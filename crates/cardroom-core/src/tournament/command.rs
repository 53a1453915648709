//! What can be asked of a tournament.

use uuid::Uuid;

use super::acts::TableScores;
use super::details::TournamentPatch;
use super::entrants::{Role, Who};
use crate::log::entry::Policy;

/// A command on a tournament that is there.
#[derive(Debug, Clone)]
pub enum Command {
    /// Play in it, with one's own part in the chances. Some tournaments want an invite.
    Enter(Application),
    /// Put others on the list, all or none; organisers only.
    EnterMany(Vec<NewEntrant>),
    /// Put a bot on the list; organisers only.
    EnterBot {
        policy: Policy,
        team: Option<String>,
    },
    /// Play on no more: before the start, the entrant is taken off the list; after it, the clock plays on.
    Withdraw,
    /// Put an entrant out, by the name in the standings; organisers only.
    Disqualify {
        player: String,
        reason: String,
    },
    /// Let another account run it, too, or give it another role; its owner only.
    NameOrganiser {
        account: Uuid,
        name: String,
        role: Role,
    },
    /// Let an organiser run it no longer; its owner, or the organiser.
    DismissOrganiser {
        player: String,
    },
    /// Say something to everybody in it; organisers only, like all that follow but [`Command::CheckIn`].
    Announce {
        text: String,
    },
    /// Add to what an entrant has earned, or take off; the result in thousandths.
    Penalise {
        player: String,
        reason: String,
        result: i64,
        score: i64,
    },
    /// Let a penalty count no more.
    CancelPenalty {
        penalty: u32,
    },
    /// Let an entrant in again who has withdrawn or was disqualified.
    Reinstate {
        player: String,
    },
    /// Give an entrant's place to another player, from the next round on.
    Replace {
        player: String,
        by: Who,
    },
    /// Put an entrant into another team, or into none.
    ChangeTeam {
        player: String,
        team: Option<String>,
    },
    /// Say who sits together in the next round; with no tables, it is drawn again.
    PrescribeTables {
        round: u16,
        tables: Vec<Vec<String>>,
    },
    /// Draw no round until it is resumed, and stop the clocks of all tables if that is wanted.
    Pause {
        reason: String,
        stop_clocks: bool,
    },
    Resume,
    /// Stop the clocks of a table of the running round.
    PauseTable {
        round: u16,
        table: u16,
    },
    ResumeTable {
        round: u16,
        table: u16,
    },
    /// Give each player at a table of the running round more time in reserve, or one of them.
    AddTime {
        round: u16,
        table: u16,
        seconds: u32,
        player: Option<String>,
    },
    /// Note that a call was seen to.
    AnswerCall {
        call: u32,
        answer: String,
    },
    /// Play a table of the running round once more, by the game `game`.
    Redo {
        round: u16,
        table: u16,
        reason: String,
        /// The table's game that is meant.
        replaced: Uuid,
        /// A fresh id.
        game: Uuid,
    },
    /// Say how a table ended. Its game is called off if it runs.
    SetResult {
        round: u16,
        table: u16,
        reason: String,
        /// The table's game that is meant.
        game: Uuid,
        result: TableScores,
    },
    /// Let a table's own result count again.
    CancelResult {
        round: u16,
        table: u16,
    },
    /// Ask for a referee; entrants only.
    CallReferee {
        text: String,
    },
    /// Say that an entrant is there, or is not; the entrant's own account or an organiser.
    CheckIn {
        player: String,
        is_present: bool,
    },
    /// Change what is told about the tournament.
    Edit(Box<TournamentPatch>),
    /// Close the list; the first round follows by [`Tournament::advance`](super::Tournament::advance).
    Start,
    /// Call it off.
    Abort,
}

/// An entrant to be entered by an organiser.
#[derive(Debug, Clone)]
pub enum NewEntrant {
    Player { account: Uuid, name: String, is_program: bool, team: Option<String> },
    Bot { policy: Policy, team: Option<String> },
}

/// What a player says to enter.
#[derive(Debug, Clone, Default)]
pub struct Application {
    pub client_seed: String,
    pub invite: Option<String>,
    /// Where it is played in teams.
    pub team: Option<String>,
    /// The player's rating of all time in the kind, where a condition asks for it; none where they have none.
    pub rating: Option<f64>,
}

impl NewEntrant {
    pub fn is_bot(&self) -> bool {
        matches!(self, NewEntrant::Bot { .. })
    }

    pub fn team(&self) -> Option<&str> {
        let (NewEntrant::Player { team, .. } | NewEntrant::Bot { team, .. }) = self;
        team.as_deref()
    }
}
