//! How likely is what players ask about. Each kind computes its own odds from its own law.

use serde::Serialize;
use utoipa::ToSchema;

/// The odds of a kind of game.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Odds {
    pub tables: Vec<OddsTable>,
}

/// The answers to one question.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct OddsTable {
    /// Its name, which stays the same.
    #[schema(example = "ten_cards")]
    pub name: &'static str,
    /// Its name for people.
    pub title: String,
    #[schema(inline)]
    pub method: Method,
    pub rows: Vec<OddsRow>,
}

/// How a table was computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Method {
    /// Every case was counted or weighed. The probabilities are exact but for the rounding of the last digits.
    Exact {
        /// What was counted, and what was assumed, in a few sentences.
        text: String,
    },
}

/// The answer for one case.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct OddsRow {
    #[schema(inline)]
    pub of: RowKey,
    /// Its name for people.
    pub title: String,
    #[schema(minimum = 0, maximum = 1)]
    pub probability: f64,
    /// The probability as a fraction; null where the cases are not equally likely, and were weighed.
    #[schema(inline, required)]
    pub counted: Option<Counted>,
}

/// What a row is about: a number, such as a total, or a name, such as a hand's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum RowKey {
    Number(u32),
    Name(String),
}

/// Equally likely cases. Both numbers are below 2^53, so that every reader of JSON has them exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Counted {
    /// In how many of them it happens.
    pub ways: u64,
    /// How many there are, at least 1.
    pub of: u64,
}

impl OddsTable {
    /// A table that was computed without a sample.
    pub fn exact(name: &'static str, title: &str, text: &str, rows: Vec<OddsRow>) -> OddsTable {
        OddsTable { name, title: title.into(), method: Method::Exact { text: text.into() }, rows }
    }
}

impl OddsRow {
    /// What happens in `ways` of `cases` equally likely cases.
    pub fn counted(of: impl Into<RowKey>, title: impl Into<String>, ways: u64, cases: u64) -> OddsRow {
        let counted = Some(Counted { ways, of: cases });
        OddsRow { of: of.into(), title: title.into(), probability: ways as f64 / cases as f64, counted }
    }

    /// What was weighed, because its cases are not equally likely.
    pub fn weighed(of: impl Into<RowKey>, title: impl Into<String>, probability: f64) -> OddsRow {
        OddsRow { of: of.into(), title: title.into(), probability, counted: None }
    }
}

impl From<u8> for RowKey {
    fn from(number: u8) -> RowKey {
        RowKey::Number(number.into())
    }
}

impl From<&str> for RowKey {
    fn from(name: &str) -> RowKey {
        RowKey::Name(name.into())
    }
}

impl From<String> for RowKey {
    fn from(name: String) -> RowKey {
        RowKey::Name(name)
    }
}

/// `1 flip`, `2 flips`.
pub fn several(number: u8, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// In how many ways so many things can be chosen out of `of` things.
///
/// # Panics
/// If the ways are too many for the type.
pub fn choose(of: u64, number: u64) -> u64 {
    if number > of { 0 } else { (0..number).fold(1, |ways, chosen| ways * (of - chosen) / (chosen + 1)) }
}

#[cfg(test)]
pub mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde_json::{Value, json};
    use utoipa::PartialSchema;

    use super::*;
    use crate::rules::registry;

    /// A table by its name.
    pub fn table<'a>(odds: &'a Odds, name: &str) -> &'a OddsTable {
        odds.tables.iter().find(|table| table.name == name).unwrap()
    }

    /// A row of a table.
    pub fn row(table: &OddsTable, of: impl Into<RowKey>) -> &OddsRow {
        let of = of.into();
        table.rows.iter().find(|row| row.of == of).unwrap()
    }

    /// The fraction of a row.
    pub fn fraction(table: &OddsTable, of: impl Into<RowKey>) -> (u64, u64) {
        let Counted { ways, of } = row(table, of).counted.unwrap();
        (ways, of)
    }

    /// The rows are all that can happen, and no two of them happen together.
    pub fn assert_whole(table: &OddsTable) {
        let sum: f64 = table.rows.iter().map(|row| row.probability).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{} adds up to {sum}", table.name);
        let counted: Option<Vec<Counted>> = table.rows.iter().map(|row| row.counted).collect();
        if let Some(counted) = counted {
            let ways: u64 = counted.iter().map(|row| row.ways).sum();
            assert!(counted.iter().all(|row| row.of == ways), "{}: {ways} in all", table.name);
        }
    }

    /// What was seen in a sample is within five standard errors of what was computed, and one more for what is rare.
    pub fn assert_near(seen: u32, sample: u32, probability: f64, what: &str) {
        let expected = f64::from(sample) * probability;
        let deviation = (expected * (1.0 - probability)).sqrt();
        let off = (f64::from(seen) - expected).abs();
        assert!(off <= 5.0 * deviation + 1.0, "{what}: {seen} for {expected:.1} of {sample}");
    }

    fn is_well_formed(row: &OddsRow) -> bool {
        let is_counted = row.counted.is_none_or(|Counted { ways, of }| {
            ways <= of && of < 1 << 53 && row.probability == ways as f64 / of as f64
        });
        (0.0..=1.0).contains(&row.probability) && is_counted && !row.title.is_empty()
    }

    /// The schema of odds with the components that it refers to.
    fn schema() -> Value {
        let mut parts = Vec::new();
        Odds::schemas(&mut parts);
        let mut document = serde_json::to_value(Odds::schema()).unwrap();
        document["components"] = json!({"schemas": parts.into_iter().collect::<BTreeMap<_, _>>()});
        document
    }

    #[test]
    fn the_odds_of_all_kinds_are_well_formed_and_fit_their_schema() {
        let schema = jsonschema::validator_for(&schema()).unwrap();
        assert!(!schema.is_valid(&json!({"tables": [{"name": "a_table_of_nothing_else"}]})));
        for kind in registry::newest() {
            let odds = (kind.odds)().unwrap();
            assert!(schema.is_valid(&serde_json::to_value(&odds).unwrap()), "{}", kind.kind);
            let names: BTreeSet<&str> = odds.tables.iter().map(|table| table.name).collect();
            assert_eq!(names.len(), odds.tables.len(), "{}: two tables have one name", kind.kind);
            for table in &odds.tables {
                let is_snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                assert!(table.name.chars().all(is_snake), "{}", table.name);
                let keys: BTreeSet<String> = table.rows.iter().map(|row| format!("{:?}", row.of)).collect();
                assert_eq!(keys.len(), table.rows.len(), "{}: two rows are of one thing", table.name);
                assert!(!table.rows.is_empty() && table.rows.iter().all(is_well_formed), "{}", table.name);
            }
        }
    }

    #[test]
    fn rows_and_methods_are_written_as_the_interface_tells() {
        let rows = vec![OddsRow::counted(7, "seven", 1, 4), OddsRow::weighed("bust", "bust", 0.5)];
        let table = OddsTable::exact("example", "Example", "Counted.", rows);
        let expected = json!({
            "name": "example", "title": "Example", "method": {"type": "exact", "text": "Counted."},
            "rows": [
                {"of": 7, "title": "seven", "probability": 0.25, "counted": {"ways": 1, "of": 4}},
                {"of": "bust", "title": "bust", "probability": 0.5, "counted": null},
            ],
        });
        assert_eq!(serde_json::to_value(table).unwrap(), expected);
    }

    #[test]
    fn things_are_counted_in_words_and_in_ways_to_choose() {
        assert_eq!((several(0, "flip"), several(1, "flip")), ("0 flips".into(), "1 flip".into()));
        assert_eq!((choose(4, 2), choose(5, 0), choose(5, 5), choose(3, 4)), (6, 1, 1, 0));
        assert_eq!((choose(52, 13), choose(104, 10)), (635_013_559_600, 26_100_986_351_440));
    }
}
