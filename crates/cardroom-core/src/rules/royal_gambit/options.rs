//! The options of Royal Gambit.

use serde::{Deserialize, Serialize};
use utoipa::{PartialSchema, ToSchema};

/// What can be chosen when a game is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The total that brings on the last hands.
    #[schema(minimum = 1, maximum = 500, default = 30)]
    pub target_score: u32,
    #[schema(schema_with = Turns::schema)]
    pub turns: Turns,
    /// A ten in a row keeps jacks away from it.
    #[schema(default = false)]
    pub ten_blocks_jack: bool,
    /// A seat with nothing to lose is not asked.
    #[schema(default = false)]
    pub auto_hit: bool,
}

/// How turns go round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(default = "sequential")]
pub enum Turns {
    /// A turn goes on until the seat stays or busts.
    #[default]
    Sequential,
    /// A turn is one decision.
    Alternating,
}

impl Default for Options {
    fn default() -> Self {
        Options { target_score: 30, turns: Turns::Sequential, ten_blocks_jack: false, auto_hit: false }
    }
}
