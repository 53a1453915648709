//! The house at the table: bots, which see what anybody at their seat sees and are judged like anybody, and the default
//! actions for players who have resigned.

use cardroom_core::bots;
use cardroom_core::log::entry::Policy;
use cardroom_core::rules::Seat;
use cardroom_core::table::Table;
use cardroom_core::table::decide::Step;
use serde_json::value::RawValue;

use crate::entropy::Entropy;
use crate::games::uptime::Present;

/// The house adds to an append only while it has fewer entries than this; the scheduler goes on from there.
const ENTRIES: usize = 64;

/// Lets the bots act whose turn has come, and plays for players who have resigned.
pub(crate) fn follow(step: &mut Step, present: &Present, entropy: &Entropy) {
    while step.entries.len() < ENTRIES {
        if step.plays_for_resigned(present.now()) {
            continue;
        }
        let Some((seat, policy)) = step.table.bot_due(present.now()) else { break };
        let Some(action) = choose(&step.table, seat, policy, entropy) else { break };
        if let Err(refusal) = step.bot_acts(seat, policy, &action, present.now()) {
            // A defect of the policy, which must not stop the game.
            tracing::error!(%refusal, game = %step.table.id, "a bot's action was refused");
            step.bot_passes(seat, policy, present.now());
        }
    }
}

fn choose(table: &Table, seat: Seat, policy: Policy, entropy: &Entropy) -> Option<Box<RawValue>> {
    let seen = table.at_seat(seat)?;
    Some(bots::choose(policy, &seen, u64::from_be_bytes(entropy.bytes())))
}
