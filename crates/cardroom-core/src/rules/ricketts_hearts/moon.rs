//! What a seat that shot the moon can choose in Ricketts House Hearts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::rules::action::Parameter;
use crate::rules::canonical_action::Param;
use crate::rules::cards::Card;
use crate::rules::menu::Value;

/// What shooting the moon does to the scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MoonChoice {
    /// 26 off one's own.
    Minus,
    /// 26 onto each of the others'.
    Plus,
}

impl MoonChoice {
    pub const WORDS: [&'static str; 2] = ["minus", "plus"];

    pub fn word(self) -> &'static str {
        match self {
            MoonChoice::Minus => "minus",
            MoonChoice::Plus => "plus",
        }
    }

    pub fn of(word: &str) -> Option<MoonChoice> {
        [MoonChoice::Minus, MoonChoice::Plus].into_iter().find(|choice| choice.word() == word)
    }
}

impl<C: Card> Parameter<C> for MoonChoice {
    fn value(&self) -> Value<'_, C> {
        Value::Choice(self.word())
    }

    fn read(param: Param<'_>) -> Option<MoonChoice> {
        MoonChoice::of(param.word()?)
    }
}
