//! The house at the table: bots, which see what anybody at their seat sees and are judged like anybody, and the default
//! actions for players who have resigned.

use cardroom_core::bots;
use cardroom_core::log::entry::Policy;
use cardroom_core::rules::Seat;
use cardroom_core::table::decide::Step;
use serde_json::value::RawValue;

use crate::entropy::Entropy;
use crate::games::uptime::Present;

/// The house adds to an append only while it has fewer entries than this; the scheduler goes on from there.
const ENTRIES: usize = 64;

/// Lets the bots act whose turn has come, and plays for players who have resigned. A bot that thinks ahead is left to the
/// scheduler, and so is all that comes after it.
pub(crate) fn follow(step: &mut Step, present: &Present, entropy: &Entropy) {
    while step.entries.len() < ENTRIES {
        if step.plays_for_resigned(present.now()) {
            continue;
        }
        let Some((seat, policy)) = step.table.bot_due(present.now()) else { break };
        if policy.thinks_ahead() {
            break;
        }
        let Some(seen) = step.table.at_seat(seat) else { break };
        let action = bots::choose(policy, &seen, u64::from_be_bytes(entropy.bytes()));
        act(step, seat, policy, Some(&action), present);
    }
}

/// A bot does what it has chosen. Where it has failed to choose, or chosen what it may not do, it does what the clock
/// would: a defect of its policy must not stop the game.
pub(crate) fn act(step: &mut Step, seat: Seat, policy: Policy, chosen: Option<&RawValue>, present: &Present) {
    let acted = chosen.map(|action| step.bot_acts(seat, policy, action, present.now()));
    match acted {
        Some(Ok(())) => return,
        Some(Err(refusal)) => {
            tracing::error!(%refusal, game = %step.table.id, "a bot's action was refused");
        }
        None => tracing::error!(game = %step.table.id, "a bot failed to choose an action"),
    }
    step.bot_passes(seat, policy, present.now());
}
