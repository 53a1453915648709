//! Legal actions: the menu that a player is shown, and the one function that judges what they order from it.

use std::fmt::Write;

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeStruct, Serializer};
use smallvec::SmallVec;

use crate::rules::canonical_action::CanonicalAction;
use crate::rules::cards::{AnyOf, Card};
use crate::rules::refusal::Refusal;
use crate::rules::seats::{Seat, SeatSet};

/// Everything that a seat may do now; empty when it may do nothing.
pub type Menu<C> = SmallVec<[LegalAction<C>; 4]>;

/// What an action says for its parameters, each under the name that the menu gives it.
pub type Params<'a, C> = SmallVec<[(&'static str, Value<'a, C>); 2]>;

/// One action that is open, with the domain of each of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegalAction<C: Card> {
    pub name: &'static str,
    pub params: SmallVec<[(&'static str, Domain<C>); 2]>,
}

/// The values that a parameter may take, independent of the other parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Domain<C: Card> {
    /// A whole number, bounds included.
    Integer { min: u32, max: u32 },
    /// One card out of `from`, which stands in the order of the deck.
    Card { from: AnyOf<C> },
    /// From `min` to `max` cards, none more often than it stands in `from`, in any order.
    Cards { from: SmallVec<[C; 13]>, min: u8, max: u8 },
    /// One of these seats.
    Seat { from: SeatSet },
    /// One of these words.
    Choice { from: &'static [&'static str] },
}

/// What an action says for one parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a, C> {
    Integer(u32),
    Card(C),
    Cards(&'a [C]),
    Seat(Seat),
    Choice(&'static str),
}

/// A game's action as its menu sees it: a name and its parameters.
pub trait Action<C: Card> {
    fn name(&self) -> &'static str;

    /// The parameters, each under the name that the menu gives it, in the order of these names.
    fn params(&self) -> Params<'_, C> {
        SmallVec::new()
    }

    /// The action that is written so; none where the kind has none like it.
    fn read(written: &CanonicalAction<'_>) -> Option<Self>
    where
        Self: Sized;
}

impl<C: Card> LegalAction<C> {
    /// An action without parameters.
    #[inline]
    pub fn plain(name: &'static str) -> Self {
        LegalAction { name, params: SmallVec::new() }
    }

    /// The same action with one more parameter.
    #[inline]
    pub fn with(mut self, param: &'static str, domain: Domain<C>) -> Self {
        self.params.push((param, domain));
        self
    }
}

impl<C: Card> Domain<C> {
    fn holds(&self, value: &Value<'_, C>) -> bool {
        match (self, value) {
            (Domain::Integer { min, max }, Value::Integer(n)) => (min..=max).contains(&n),
            (Domain::Card { from }, Value::Card(card)) => from.contains(*card),
            (Domain::Cards { from, min, max }, Value::Cards(cards)) => {
                let mut left = from.clone();
                (usize::from(*min)..=usize::from(*max)).contains(&cards.len())
                    && cards.iter().all(|card| match left.iter().position(|c| c == card) {
                        Some(at) => {
                            left.swap_remove(at);
                            true
                        }
                        None => false,
                    })
            }
            (Domain::Seat { from }, Value::Seat(seat)) => from.contains(*seat),
            (Domain::Choice { from }, Value::Choice(word)) => from.contains(word),
            _ => false,
        }
    }
}

/// `{"type": "hit", "params": {}}`
impl<C: Card> Serialize for LegalAction<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Params<'a, C: Card>(&'a [(&'static str, Domain<C>)]);
        impl<C: Card> Serialize for Params<'_, C> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(Some(self.0.len()))?;
                for (name, domain) in self.0 {
                    map.serialize_entry(name, domain)?;
                }
                map.end()
            }
        }
        let mut action = serializer.serialize_struct("LegalAction", 2)?;
        action.serialize_field("type", self.name)?;
        action.serialize_field("params", &Params(&self.params))?;
        action.end()
    }
}

/// Judges an action by the menu it was ordered from. This is the only judge: what passes here is legal.
///
/// # Errors
/// `not_your_turn` where the menu is empty, `illegal_action` where the action does not stand on it.
pub fn check<C: Card>(menu: &Menu<C>, action: &impl Action<C>) -> Result<(), Refusal> {
    if menu.is_empty() {
        return Err(Refusal::not_your_turn());
    }
    let Some(offer) = menu.iter().find(|offer| offer.name == action.name()) else {
        let open: Vec<_> = menu.iter().map(|offer| offer.name).collect();
        return Err(Refusal::illegal(format!(
            "`{}` is not open to you now; open are: {}",
            action.name(),
            open.join(", ")
        )));
    };
    let params = action.params();
    for (name, domain) in &offer.params {
        match params.iter().find(|(n, _)| n == name) {
            Some((_, value)) if domain.holds(value) => {}
            _ => {
                return Err(Refusal::illegal(format!(
                    "`{name}` of `{}` is outside what `legal_actions` offers",
                    offer.name
                )));
            }
        }
    }
    Ok(())
}

/// An action as it is written. The names of its parameters stand in order, and before `type`.
pub fn canonical<C: Card>(action: &impl Action<C>) -> String {
    let mut text = String::with_capacity(64);
    text.push('{');
    for (name, value) in action.params() {
        push(&mut text, name);
        text.push(':');
        match value {
            Value::Integer(number) => write!(text, "{number}").expect("a string takes all that is written"),
            Value::Seat(seat) => write!(text, "{seat}").expect("a string takes all that is written"),
            Value::Card(card) => push(&mut text, &card.name()),
            Value::Choice(word) => push(&mut text, word),
            Value::Cards(cards) => {
                text.push('[');
                for (nth, card) in cards.iter().enumerate() {
                    text.push_str(if nth > 0 { "," } else { "" });
                    push(&mut text, &card.name());
                }
                text.push(']');
            }
        }
        text.push(',');
    }
    text.push_str(r#""type":"#);
    push(&mut text, action.name());
    text.push('}');
    text
}

fn push(text: &mut String, word: &str) {
    text.push('"');
    text.push_str(word);
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::super::cards::{CardName, French};
    use super::*;

    fn card(name: &str) -> French {
        CardName::from(name).unwrap().try_into().unwrap()
    }

    #[test]
    fn a_card_is_given_no_more_often_than_it_is_held() {
        let domain = Domain::Cards { from: [card("2C"), card("3C")].into_iter().collect(), min: 1, max: 2 };
        assert!(domain.holds(&Value::Cards(&[card("3C"), card("2C")])));
        assert!(!domain.holds(&Value::Cards(&[card("3C"), card("3C")])));
        assert!(!domain.holds(&Value::Cards(&[])));
        assert!(!domain.holds(&Value::Cards(&[card("4C")])));
    }

    #[test]
    fn a_value_of_another_type_is_never_in_a_domain() {
        let domain: Domain<French> = Domain::Integer { min: 0, max: 3 };
        assert!(domain.holds(&Value::Integer(3)));
        assert!(!domain.holds(&Value::Integer(4)));
        assert!(!domain.holds(&Value::Seat(3)));
    }
}
