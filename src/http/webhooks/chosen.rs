//! Which notices a webhook or a browser is sent.

use cardroom_core::notice::NoticeType;
use serde::Deserialize;

/// How many types a client may name: more than there are.
const MOST_TYPES: usize = 100;

/// Which notices a client chooses: one at least.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Vec<NoticeType>")]
pub struct Chosen(Vec<NoticeType>);

impl TryFrom<Vec<NoticeType>> for Chosen {
    type Error = String;

    fn try_from(types: Vec<NoticeType>) -> Result<Chosen, String> {
        match types.len() {
            1..=MOST_TYPES => Ok(Chosen(types)),
            _ => Err(format!("1 to {MOST_TYPES} types of notices; leave the field out for all")),
        }
    }
}

/// The types, if there is a choice.
pub fn types_of(chosen: &Option<Chosen>) -> Option<&[NoticeType]> {
    chosen.as_ref().map(|Chosen(types)| &**types)
}
