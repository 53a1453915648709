//! The formats: which entrants play in each round.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The format: which entrants play in each round, and how many rounds there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Format {
    /// Everybody plays in every round.
    Rounds {
        #[schema(minimum = 1, maximum = 100)]
        rounds: u16,
        seating: Seating,
    },
    /// The best of each table go on, until all remaining entrants sit at one table.
    Knockout {
        /// How many of a table go on; one at least goes out.
        #[schema(minimum = 1, maximum = 9)]
        advance: u8,
    },
    /// Rounds in groups, in which everybody meets as many others of their group as can be. Then the best of each group play
    /// a knockout.
    Groups {
        /// How many groups there are. The lots of the first round say who is in which; their sizes differ by one at most.
        #[schema(minimum = 2, maximum = 1000)]
        groups: u16,
        /// How many rounds are played in the groups.
        #[schema(minimum = 1, maximum = 100)]
        rounds: u16,
        /// How many of a group go on to the knockout; one at least goes out.
        #[schema(minimum = 1, maximum = 100)]
        qualify: u8,
        /// How many of a table of the knockout go on; one at least goes out.
        #[schema(minimum = 1, maximum = 9)]
        advance: u8,
    },
    /// A tournament for chips: everybody takes their chips from round to round. Entrants who cannot pay the ante of the next
    /// round go out, and the others are seated anew at as few tables as there can be, until they are too few for a table.
    /// Each round has the kind's number of `hands`, and doubles the ante.
    Freezeout {},
    /// Players come and go, and play the next game as soon as there is a table, until the time is up. Each draw of tables
    /// is a round; rounds run beside each other. Games that run at the end are played out, and count.
    Arena {
        /// For how long after the start players are seated.
        #[schema(minimum = 1, maximum = 720)]
        minutes: u16,
    },
}

/// How entrants come after the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LateEntry {
    /// The last round in which they can begin to play.
    #[schema(minimum = 2, maximum = 100)]
    pub until_round: u16,
    /// What the rounds count that they missed. It holds for entrants who were away and came back, too.
    pub missed: Missed,
}

/// What a round counts that an entrant missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MissedRound)]
pub enum Missed {
    /// 0.
    Nothing,
    /// The mean of the entrant's games, as a bye does; 0 where chips decide.
    Mean,
}

/// Which entrants sit together in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Seating {
    /// As the lots fall.
    Random,
    /// Entrants with like results sit together, without rematches if that can be.
    Swiss,
    /// Everybody meets as many others as can be: two entrants sit together again only where that cannot be helped, as far
    /// as a search finds. At tables of two it is a round robin.
    Balanced,
}

impl Format {
    /// Whether some go out of the tournament after this round; rounds count from 1.
    pub(super) fn is_knockout_round(&self, round: u16) -> bool {
        match self {
            Format::Knockout { .. } | Format::Freezeout {} => true,
            Format::Groups { rounds, .. } => round > *rounds,
            Format::Rounds { .. } | Format::Arena { .. } => false,
        }
    }

    /// Whether entrants take their chips from round to round.
    pub(super) fn carries_chips(&self) -> bool {
        matches!(self, Format::Freezeout {})
    }

    /// Whether entrants can be out for a while and come back.
    pub(super) fn takes_back(&self) -> bool {
        matches!(self, Format::Rounds { .. } | Format::Arena { .. })
    }
}
