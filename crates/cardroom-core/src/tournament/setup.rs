//! What an organiser chooses.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::conditions::{Conditions, NewConditions};
use super::details::{Details, DetailsPatch, check_name};
use super::entrants::Teams;
use super::format::{Format, LateEntry};
use super::scoring::Scoring;
use crate::log::chain;
use crate::log::entry::Policy;
use crate::rules::registry::{self, Kind, KindName};
use crate::rules::{MAX_SEATS, Refusal, within};
use crate::table::turns::Pace;

/// The most entrants of a tournament.
pub const MAX_ENTRANTS: usize = 10_000;

/// A tournament to be created; what is left out has its default.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTournament {
    #[schema(min_length = 1, max_length = 80, example = "Autumn cup")]
    pub name: String,
    #[schema(value_type = KindName)]
    pub kind: String,
    /// The kind's own options; what is left out has its default.
    #[schema(value_type = Option<Object>)]
    pub options: Option<Box<RawValue>>,
    /// The most players at a table, within the kind's seats; if left out, the kind's maximum. There are as few tables as
    /// there can be, and their sizes differ by one at most: four entrants at tables of three play two against two.
    pub table_size: Option<u8>,
    pub format: Format,
    /// What decides the winner: if left out, chips where the kind is played for them, else places.
    pub result_by: Option<ResultBy>,
    /// The other prize: if left out, courts of knights in Knights' Heads, else places.
    pub scoring: Option<Scoring>,
    /// Open if left out.
    #[serde(default)]
    pub admission: Admission,
    /// If left out, everybody may enter whom the admission lets in.
    #[serde(default)]
    pub conditions: NewConditions,
    /// If left out, everybody plays alone.
    pub teams: Option<Teams>,
    /// Seconds for each decision; a tournament always counts them. 60 if left out.
    #[schema(minimum = 5, maximum = 604_800)]
    pub turn_seconds: Option<u32>,
    /// Seconds that each seat has in reserve for a game.
    #[serde(default)]
    #[schema(maximum = 604_800)]
    pub bank_seconds: u32,
    /// Milliseconds that a bot waits before it acts.
    #[serde(default)]
    #[schema(maximum = 10_000)]
    pub bot_delay_ms: u32,
    /// The policy of the bots that take seats where entrants would sit out otherwise; without it there are byes.
    pub fill: Option<Policy>,
    /// Whether all tables of a round are dealt the same cards, and like seats are compared.
    #[serde(default)]
    pub duplicate: bool,
    /// How many hands spectators are behind.
    #[serde(default)]
    #[schema(maximum = 100)]
    pub spectator_delay_hands: u32,
    /// Whether entrants may come after the start, in a tournament of rounds; if left out, they may not.
    pub late_entry: Option<LateEntry>,
    /// Whether each next round waits for an organiser, who resumes the tournament.
    #[serde(default)]
    pub pause_after_rounds: bool,
    /// How many minutes before `starts_at` entrants can begin to check in; without `starts_at`, they can at once. Entrants
    /// who have not checked in at the start are not seated. If left out, nobody has to check in.
    #[schema(minimum = 1, maximum = 1440)]
    pub check_in_minutes: Option<u16>,
    /// After how many decisions running by the clock, at the end of a game, an entrant counts as absent, in a tournament of
    /// rounds or an arena. They are out of the next rounds until they check in. If left out, the clock plays on for them.
    #[schema(minimum = 1, maximum = 100)]
    pub no_show_limit: Option<u8>,
    /// What is told about it.
    #[serde(default)]
    pub details: DetailsPatch,
}

/// What was chosen for a tournament, every default filled in.
// A log names each of its fields: `Option::deserialize` reads null, and refuses a field that is missing.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    pub name: String,
    #[schema(value_type = KindName)]
    pub kind: String,
    /// All its games are played by these.
    pub rules_version: u16,
    /// Every option of the kind.
    #[schema(value_type = Object)]
    pub options: Box<RawValue>,
    /// The most players at a table.
    pub table_size: u8,
    pub format: Format,
    pub result_by: ResultBy,
    pub scoring: Scoring,
    pub admission: Admission,
    pub conditions: Conditions,
    /// Null: everybody plays alone.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required)]
    pub teams: Option<Teams>,
    /// Seconds for each decision.
    pub turn_seconds: u32,
    /// Seconds that each seat has in reserve for a game.
    pub bank_seconds: u32,
    /// Milliseconds that a bot waits before it acts.
    pub bot_delay_ms: u32,
    /// The policy of the bots that take seats where entrants would sit out otherwise; null: there are byes.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required)]
    pub fill: Option<Policy>,
    /// Whether all tables of a round are dealt the same cards, and like seats are compared.
    pub duplicate: bool,
    /// How many hands spectators are behind.
    pub spectator_delay_hands: u32,
    /// Whether entrants may come after the start; null: they may not.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required)]
    pub late_entry: Option<LateEntry>,
    /// Whether each next round waits for an organiser, who resumes the tournament.
    pub pause_after_rounds: bool,
    /// How many minutes before `starts_at` entrants can begin to check in; without `starts_at`, they can at once. Entrants
    /// who have not checked in at the start are not seated. Null: nobody has to check in.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required, minimum = 1, maximum = 1440)]
    pub check_in_minutes: Option<u16>,
    /// After how many decisions running by the clock, at the end of a game, an entrant counts as absent. They are out of
    /// the next rounds until they check in. Null: the clock plays on for them.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required, minimum = 1, maximum = 100)]
    pub no_show_limit: Option<u8>,
}

/// What decides the winner of the tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ResultBy {
    /// Chips won and lost, in kinds that are played for them.
    Chips {},
    /// The share of opponents beaten in each game; a tie is half.
    Places {},
    /// Points for each place in a game, the first place's first; places beyond the list get 0.
    PlacingPoints {
        #[schema(min_items = 1, max_items = 10)]
        points: Vec<u32>,
    },
}

/// Which players may enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Admission {
    /// Everybody.
    Open {},
    /// Everybody, until there are so many.
    Limited {
        #[schema(minimum = 2, maximum = 10_000)]
        max: u32,
        /// Whether others wait until a place becomes free before the start.
        #[serde(default)]
        waiting_list: bool,
    },
    /// Players with the invite.
    Invite {},
}

impl Default for Admission {
    fn default() -> Admission {
        Admission::Open {}
    }
}

impl NewTournament {
    /// Fills in the defaults.
    ///
    /// # Errors
    /// `kind_not_found`; `invalid_options` where something is out of its range, or contradicts something else.
    pub fn settle(self) -> Result<(Setup, Details), Refusal> {
        let kind = registry::by_name(&self.kind)
            .ok_or_else(|| Refusal::new("kind_not_found", "there is no such kind of game"))?;
        let options = match &self.options {
            Some(options) => kind.resolve_options(options)?,
            None => kind.resolve_options(&RawValue::from_string("{}".to_owned()).expect("this is JSON"))?,
        };
        // In the order in which the log gives them back.
        let options = RawValue::from_string(chain::canonical(&options)).expect("canonical JSON is JSON");
        let chips = buy_in(&options).is_some();
        let setup = Setup {
            name: self.name.trim().to_owned(),
            kind: kind.kind.to_owned(),
            rules_version: kind.rules_version,
            options,
            table_size: self.table_size.unwrap_or(kind.max_seats),
            format: self.format,
            result_by: self.result_by.unwrap_or(if chips { ResultBy::Chips {} } else { ResultBy::Places {} }),
            scoring: self.scoring.unwrap_or_else(|| Scoring::default_of(kind)),
            admission: self.admission,
            conditions: self.conditions.into(),
            teams: self.teams,
            turn_seconds: self.turn_seconds.unwrap_or(60),
            bank_seconds: self.bank_seconds,
            bot_delay_ms: self.bot_delay_ms,
            fill: self.fill,
            duplicate: self.duplicate,
            spectator_delay_hands: self.spectator_delay_hands,
            late_entry: self.late_entry,
            pause_after_rounds: self.pause_after_rounds,
            check_in_minutes: self.check_in_minutes,
            no_show_limit: self.no_show_limit,
        };
        setup.check(kind)?;
        let details = self.details.applied_to(&Details::default());
        details.check()?;
        Ok((setup, details))
    }
}

impl Setup {
    /// The kind that is played, in the version of the rules that the tournament began with.
    pub fn kind(&self) -> Option<&'static Kind> {
        registry::by_version(&self.kind, self.rules_version)
    }

    /// How many chips each seat begins a game with; none where it is not played for chips.
    pub fn buy_in(&self) -> Option<u32> {
        buy_in(&self.options)
    }

    /// How fast its tables are played.
    pub fn pace(&self) -> Pace {
        let Setup { turn_seconds, bank_seconds, bot_delay_ms, .. } = *self;
        Pace { turn_seconds: Some(turn_seconds), bank_seconds, bot_delay_ms }
    }

    pub(super) fn check(&self, kind: &Kind) -> Result<(), Refusal> {
        check_name(&self.name)?;
        if let Some(minutes) = self.check_in_minutes {
            within("check_in_minutes", minutes, 1..=1440)?;
        }
        within("table_size", self.table_size, kind.min_seats..=kind.max_seats)?;
        self.pace().check()?;
        within("spectator_delay_hands", self.spectator_delay_hands, 0..=100)?;
        if let Admission::Limited { max, .. } = self.admission {
            within("max", max, 2..=MAX_ENTRANTS as u32)?;
        }
        if has_stacks(&self.options) {
            return Err(Refusal::options("all seats of a tournament's table begin alike, without `stacks`"));
        }
        self.conditions.check()?;
        self.check_format()?;
        self.check_result()?;
        self.check_scoring(kind)
    }

    fn check_result(&self) -> Result<(), Refusal> {
        match &self.result_by {
            ResultBy::Chips {} if self.buy_in().is_none() => Err(no_chips()),
            ResultBy::PlacingPoints { points } => {
                within("number of points", points.len(), 1..=MAX_SEATS)?;
                points.iter().try_for_each(|&points| within("points", points, 0..=1_000_000))?;
                if self.duplicate {
                    return Err(Refusal::options(
                        "`placing_points` goes by the places at one table, `duplicate` compares tables",
                    ));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn check_scoring(&self, kind: &Kind) -> Result<(), Refusal> {
        match &self.scoring {
            Scoring::Places => Ok(()),
            Scoring::Chips if self.buy_in().is_none() => Err(no_chips()),
            Scoring::Chips => Ok(()),
            Scoring::OfKind(own) if own.kind.kind != kind.kind => Err(Refusal::options(format!(
                "this scoring is for {}; `places` is for every kind",
                own.kind.name
            ))),
            Scoring::OfKind(own) => own.scoring.check(),
        }
    }
}

/// Whether a kind's options name stacks: the seats do not begin alike.
pub fn has_stacks(options: &RawValue) -> bool {
    stacks(options).is_some()
}

/// How many chips each of so many seats begins with, seat 0 first; none where the game is not played for chips.
pub fn starting_stacks(options: &RawValue, seats: usize) -> Option<Vec<u32>> {
    let mut starting = stacks(options).unwrap_or_default();
    starting.resize(seats, buy_in(options)?);
    Some(starting)
}

fn stacks(options: &RawValue) -> Option<Vec<u32>> {
    let options: Value = serde_json::from_str(options.get()).ok()?;
    let named = options["stacks"].as_array()?;
    Some(named.iter().filter_map(|stack| u32::try_from(stack.as_u64()?).ok()).collect())
}

/// How many chips each seat begins with that brings none, by a kind's options; none where it is not played for chips. Games of
/// chips have the option; with a charge of 0, Rituna's Favour is played for hands won.
pub fn buy_in(options: &RawValue) -> Option<u32> {
    let options: Value = serde_json::from_str(options.get()).ok()?;
    let buy_in = options["buy_in"].as_u64()?;
    (options["charge"].as_u64() != Some(0)).then_some(buy_in as u32)
}

fn no_chips() -> Refusal {
    Refusal::options("this is not played for chips; `places` is for every kind")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_organiser_chooses_is_refused_with_a_field_that_nobody_knows() {
        let chosen = r#"{"name":"Cup","kind":"sevens","format":{"type":"knockout","advance":1},"#;
        for known in [
            r#""admission":{"type":"open"}"#,
            r#""admission":{"type":"invite"}"#,
            r#""scoring":{"type":"places"}"#,
        ] {
            let whole = format!("{chosen}{known}}}");
            assert!(serde_json::from_str::<NewTournament>(&whole).is_ok(), "{whole}");
            let more = whole.replace("\"}}", "\",\"max\":5}}");
            assert_ne!(more, whole);
            assert!(serde_json::from_str::<NewTournament>(&more).is_err(), "{more}");
        }
    }
}
