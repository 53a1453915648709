//! A tournament made like an earlier one.

use serde_json::value::RawValue;

use super::details::{Details, DetailsPatch, check_name};
use super::setup::Setup;
use super::state::Tournament;
use crate::log::chain;
use crate::rules::Refusal;
use crate::rules::registry;

impl Tournament {
    /// Setup and details of another tournament like this one. It is played by the newest rules of the kind, and nothing
    /// says when, unless `change` does.
    ///
    /// # Errors
    /// `invalid_options` where name or details are out of their ranges, or today's rules do not take the setup any more;
    /// `kind_not_found` where the kind is not played any more.
    pub fn copied(&self, name: &str, change: &DetailsPatch) -> Result<(Setup, Details), Refusal> {
        let name = name.trim().to_owned();
        check_name(&name)?;
        let mut setup = Setup { name, ..self.setup().clone() };
        renew(&mut setup).map_err(|refusal| {
            let detail =
                format!("the setup of the earlier tournament is not valid any more: {}", refusal.detail);
            Refusal::new(refusal.code, detail)
        })?;
        let timeless = Details {
            starts_at: None,
            registration_opens_at: None,
            registration_closes_at: None,
            ..self.details().clone()
        };
        let details = change.applied_to(&timeless);
        details.check()?;
        Ok((setup, details))
    }
}

/// Puts the newest rules of the kind into a setup.
fn renew(setup: &mut Setup) -> Result<(), Refusal> {
    let kind = registry::by_name(&setup.kind)
        .ok_or_else(|| Refusal::new("kind_not_found", "its kind of game is not played any more"))?;
    let options = chain::canonical(&kind.resolve_options(&setup.options)?);
    setup.options = RawValue::from_string(options).expect("canonical JSON is JSON");
    setup.rules_version = kind.rules_version;
    setup.check(kind)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::command::Command;
    use super::super::details::TournamentPatch;
    use super::super::simulation::{Sim, organiser};
    use super::super::tests::rounds;
    use super::*;
    use crate::log::entry::Time;

    #[test]
    fn a_copy_has_the_whole_setup_by_the_newest_rules_and_no_times() {
        let more = json!({"pause_after_rounds": true, "no_show_limit": 4, "turn_seconds": 17, "fill": "steady",
            "late_entry": {"until_round": 2, "missed": "mean"}});
        let mut sim = Sim::new(rounds("sevens", 5, 3, more), 1);
        let told: DetailsPatch = serde_json::from_value(json!({
            "description": "Bring a pen.", "venue": "Town hall", "result_prize": "a cup", "score_prize": "a book",
            "starts_at": "2026-12-24T16:30:00Z", "time_zone": "Europe/Berlin",
            "registration_opens_at": "2026-12-01T00:00:00Z", "registration_closes_at": "2026-12-24T00:00:00Z",
        }))
        .unwrap();
        let edit = Command::Edit(Box::new(TournamentPatch { name: None, details: told }));
        sim.does(&organiser(), &edit).unwrap();

        let (setup, details) = sim.now.copied(" Winter cup ", &DetailsPatch::default()).unwrap();
        let mut wanted = serde_json::to_value(sim.now.setup()).unwrap();
        wanted["name"] = json!("Winter cup");
        assert_eq!(serde_json::to_value(&setup).unwrap(), wanted);
        let before = sim.now.details().clone();
        assert!(before.starts_at.is_some() && before.registration_opens_at.is_some());
        let timeless =
            Details { starts_at: None, registration_opens_at: None, registration_closes_at: None, ..before };
        assert_eq!(details, timeless);

        let change = r#"{"venue": null, "starts_at": "2027-01-02T00:00:00Z"}"#;
        let change: DetailsPatch = serde_json::from_str(change).unwrap();
        let (_, details) = sim.now.copied("Cup", &change).unwrap();
        let starts_at = Some(Time("2027-01-02T00:00:00Z".parse().unwrap()));
        assert_eq!(details, Details { venue: None, starts_at, ..timeless });
        assert_eq!(sim.now.copied(" ", &change).unwrap_err().code, "invalid_options");
    }

    #[test]
    fn a_setup_that_todays_rules_refuse_is_refused_as_such() {
        let sim = Sim::new(rounds("sevens", 5, 3, json!({})), 1);
        let mut setup = sim.now.setup().clone();
        setup.rules_version = 0;
        renew(&mut setup).unwrap();
        assert_eq!(setup.rules_version, registry::by_name("sevens").unwrap().rules_version);
        setup.table_size = 9;
        assert_eq!(renew(&mut setup).unwrap_err().code, "invalid_options");
        setup.kind = "whist".to_owned();
        assert_eq!(renew(&mut setup).unwrap_err().code, "kind_not_found");
    }
}
