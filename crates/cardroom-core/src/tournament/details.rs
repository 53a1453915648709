//! What is told about a tournament: it can be changed while the tournament runs, and decides nothing about the games.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::log::entry::Time;
use crate::rules::Refusal;

/// The most characters of a tournament's name.
pub const NAME_MAX: usize = 80;
/// The most characters of a description, and of any other text.
const DESCRIPTION_MAX: usize = 2000;
const LINE_MAX: usize = 200;

/// What is told about a tournament. Nothing of it has to be there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TournamentDetails)]
pub struct Details {
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(max_length = 2000, required)]
    pub description: Option<String>,
    /// Where it is played.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(max_length = 200, example = "Town hall, first floor", required)]
    pub venue: Option<String>,
    /// The prize of the best result.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(max_length = 200, required)]
    pub result_prize: Option<String>,
    /// The prize of the best score.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(max_length = 200, required)]
    pub score_prize: Option<String>,
    /// When it is to start. An organiser starts it.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub starts_at: Option<Time>,
    /// The time zone in which its times are shown, by its name in the IANA database.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(max_length = 64, pattern = "^[A-Za-z0-9_+/-]+$", example = "Europe/Berlin", required)]
    pub time_zone: Option<String>,
    /// From when on players can enter by themselves before the start; null: at once.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub registration_opens_at: Option<Time>,
    /// From when on players cannot enter by themselves any more before the start; null: until the start. Late entry
    /// follows the setup.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub registration_closes_at: Option<Time>,
}

/// A change of a tournament: fields that are left out stay as they are.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TournamentPatch {
    #[schema(min_length = 1, max_length = 80, example = "Autumn cup")]
    pub name: Option<String>,
    #[serde(default)]
    pub details: DetailsPatch,
}

/// What is told about a tournament, or a change of it: fields that are left out stay as they are, and null clears a field.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DetailsPatch {
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 2000)]
    pub description: Option<Option<String>>,
    /// Where it is played.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 200)]
    pub venue: Option<Option<String>>,
    /// The prize of the best result.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 200)]
    pub result_prize: Option<Option<String>>,
    /// The prize of the best score.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 200)]
    pub score_prize: Option<Option<String>>,
    /// When it is to start.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<Option<Time>>,
    /// A name of the IANA database. The house does not check that there is such a zone.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_+/-]+$")]
    pub time_zone: Option<Option<String>>,
    /// From when on players can enter by themselves.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub registration_opens_at: Option<Option<Time>>,
    /// From when on players cannot enter by themselves any more.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub registration_closes_at: Option<Option<Time>>,
}

/// A field that is there, be it null.
pub(super) fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl DetailsPatch {
    /// The details after this change.
    pub fn applied_to(&self, details: &Details) -> Details {
        fn chosen<T: Clone>(change: &Option<Option<T>>, now: &Option<T>) -> Option<T> {
            change.clone().unwrap_or_else(|| now.clone())
        }
        Details {
            description: chosen(&self.description, &details.description),
            venue: chosen(&self.venue, &details.venue),
            result_prize: chosen(&self.result_prize, &details.result_prize),
            score_prize: chosen(&self.score_prize, &details.score_prize),
            starts_at: chosen(&self.starts_at, &details.starts_at),
            time_zone: chosen(&self.time_zone, &details.time_zone),
            registration_opens_at: chosen(&self.registration_opens_at, &details.registration_opens_at),
            registration_closes_at: chosen(&self.registration_closes_at, &details.registration_closes_at),
        }
    }
}

impl Details {
    /// # Errors
    /// `invalid_options` where something is too long, or the registration closes before it opens.
    pub fn check(&self) -> Result<(), Refusal> {
        let texts = [
            ("description", &self.description, DESCRIPTION_MAX),
            ("venue", &self.venue, LINE_MAX),
            ("result_prize", &self.result_prize, LINE_MAX),
            ("score_prize", &self.score_prize, LINE_MAX),
            ("time_zone", &self.time_zone, 64),
        ];
        for (name, text, most) in texts {
            check_text(name, text.as_deref(), most)?;
        }
        let of_zone = |letter: char| letter.is_ascii_alphanumeric() || "_+/-".contains(letter);
        if self.time_zone.as_ref().is_some_and(|zone| !zone.chars().all(of_zone)) {
            return Err(Refusal::options("`time_zone` is a name like `Europe/Berlin`"));
        }
        // Four digits of a year: so do calendars and feeds write it, and a day less is a moment, too.
        let years = -2_208_988_800..=253_370_764_800;
        let times = [self.starts_at, self.registration_opens_at, self.registration_closes_at];
        if times.into_iter().flatten().any(|time| !years.contains(&time.0.as_second())) {
            return Err(Refusal::options("times are between the years 1900 and 9999"));
        }
        match (self.registration_opens_at, self.registration_closes_at) {
            (Some(opens), Some(closes)) if opens.0 >= closes.0 => {
                Err(Refusal::options("the registration must close after it opens"))
            }
            _ => Ok(()),
        }
    }
}

/// # Errors
/// `invalid_options` where the description is too long.
pub(super) fn check_description(text: Option<&str>) -> Result<(), Refusal> {
    check_text("description", text, DESCRIPTION_MAX)
}

fn check_text(name: &str, text: Option<&str>, most: usize) -> Result<(), Refusal> {
    let Some(text) = text else { return Ok(()) };
    let is_line = name != "description";
    let is_bad = |letter: char| letter.is_control() && (is_line || letter != '\n');
    if !(1..=most).contains(&text.chars().count()) || text.chars().any(is_bad) {
        return Err(Refusal::options(format!(
            "{name}: 1 to {most} characters, none of them a control character"
        )));
    }
    Ok(())
}

/// # Errors
/// `invalid_options` where a tournament cannot be called so.
pub(super) fn check_name(name: &str) -> Result<(), Refusal> {
    if !(1..=NAME_MAX).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        return Err(Refusal::options(format!(
            "name: 1 to {NAME_MAX} characters, none of them a control character"
        )));
    }
    Ok(())
}
