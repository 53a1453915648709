//! Actions as logs keep them, which is canonical JSON: `{"by":10,"trade":["6C"],"type":"raise"}`. Nearly every
//! action comes in this form, so it is read and written without a detour; what comes in another goes through serde.

use arrayvec::ArrayVec;
use smallvec::SmallVec;

use crate::rules::cards::{Card, CardName};
use crate::rules::seats::Seat;

/// An action as canonical JSON has it, taken apart.
#[derive(Debug, Clone)]
pub struct CanonicalAction<'a> {
    /// Its type.
    pub name: &'a str,
    /// The parameters, each with its name.
    pub params: SmallVec<[(&'a str, Param<'a>); 2]>,
}

/// A parameter as it is written. Each kind knows which of its parameters are what.
#[derive(Debug, Clone, Copy)]
pub struct Param<'a>(&'a str);

impl<'a> CanonicalAction<'a> {
    /// None where the text is in another form, or is no action of any kind. What is in a string is not looked at:
    /// a kind compares it with the words that it knows.
    pub fn of(text: &'a str) -> Option<CanonicalAction<'a>> {
        let mut rest = Rest(text);
        let mut params = SmallVec::new();
        rest.skip(b'{')?;
        loop {
            if let Some(name) = rest.0.strip_prefix(r#""type":""#) {
                return Some(CanonicalAction { name: name.strip_suffix(r#""}"#)?, params });
            }
            let name = rest.string()?;
            rest.skip(b':')?;
            params.push((name, Param(rest.value()?)));
            rest.skip(b',')?;
        }
    }

    /// Whether the text of some action is canonical JSON. It may be where this is false.
    pub fn is(text: &str) -> bool {
        let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'\\');
        let is_in_order = |written: CanonicalAction<'_>| {
            let names = written.params.iter().map(|(name, _)| *name).chain(["type"]);
            names.is_sorted_by(|before, after| before < after) && !written.name.contains('"')
        };
        is_plain && CanonicalAction::of(text).is_some_and(is_in_order)
    }
}

impl<'a> Param<'a> {
    pub fn integer(self) -> Option<u32> {
        self.0.parse().ok()
    }

    pub fn seat(self) -> Option<Seat> {
        self.0.parse().ok()
    }

    pub fn word(self) -> Option<&'a str> {
        Rest(self.0).string()
    }

    pub fn card<C: Card>(self) -> Option<C> {
        card(self.word()?)
    }

    /// At most `N` cards.
    pub fn cards<C: Card, const N: usize>(self) -> Option<ArrayVec<C, N>> {
        let mut cards = ArrayVec::new();
        Rest(self.0).list(|name| cards.try_push(card(name)?).ok())?;
        Some(cards)
    }
}

fn card<C: Card>(name: &str) -> Option<C> {
    C::try_from(CardName::from(name).ok()?).ok()
}

/// What is still to be read.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn next(&self) -> Option<u8> {
        self.0.as_bytes().first().copied()
    }

    fn skip(&mut self, byte: u8) -> Option<()> {
        self.next().filter(|next| *next == byte)?;
        self.0 = &self.0[1..];
        Some(())
    }

    /// A string, up to the next quote.
    fn string(&mut self) -> Option<&'a str> {
        self.skip(b'"')?;
        let end = self.0.bytes().position(|byte| byte == b'"')?;
        let string = &self.0[..end];
        self.0 = &self.0[end + 1..];
        Some(string)
    }

    /// Strings between brackets, each of which `takes` has to take.
    fn list(&mut self, mut takes: impl FnMut(&'a str) -> Option<()>) -> Option<()> {
        self.skip(b'[')?;
        if self.skip(b']').is_some() {
            return Some(());
        }
        loop {
            takes(self.string()?)?;
            if self.skip(b',').is_none() {
                return self.skip(b']');
            }
        }
    }

    /// A whole number, a string or a list of strings, as it is written.
    fn value(&mut self) -> Option<&'a str> {
        let text = self.0;
        match self.next()? {
            b'"' => drop(self.string()?),
            b'[' => self.list(|_| Some(()))?,
            b'0' => self.skip(b'0')?,
            b'1'..=b'9' => self.0 = text.trim_start_matches(|c: char| c.is_ascii_digit()),
            _ => return None,
        }
        Some(&text[..text.len() - self.0.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::knights_heads::Action as Knights;
    use crate::rules::menu::{self, Action as _};
    use crate::rules::ricketts_hearts::Action as Hearts;
    use crate::rules::royal_gambit::Action as RoyalGambit;
    use crate::rules::sevens::Action as Seven;

    fn read(text: &str) -> Option<Seven> {
        Seven::read(&CanonicalAction::of(text)?)
    }

    #[test]
    fn what_is_canonical_is_read_and_written_again() {
        for canonical in [
            r#"{"type":"fold"}"#,
            r#"{"trade":[],"type":"check"}"#,
            r#"{"by":0,"trade":["6C"],"type":"raise"}"#,
            r#"{"by":4294967295,"trade":["6C","1G","6C"],"type":"raise"}"#,
        ] {
            let action = read(canonical).unwrap();
            assert_eq!(menu::canonical(&action), canonical);
            assert!(CanonicalAction::is(canonical));
            assert_eq!(action, serde_json::from_str(canonical).unwrap());
        }
    }

    #[test]
    fn a_seat_is_read_without_serde() {
        let spy = |text: &str| RoyalGambit::read(&CanonicalAction::of(text)?);
        assert_eq!(spy(r#"{"seat":3,"type":"spy"}"#), Some(RoyalGambit::Spy { seat: 3 }));
        assert_eq!(spy(r#"{"seat":256,"type":"spy"}"#), None);
    }

    #[test]
    fn cards_and_words_are_read_without_serde() {
        let hearts = |text: &str| Hearts::read(&CanonicalAction::of(text)?);
        for text in [
            r#"{"cards":["QS","AH","KH"],"type":"pass"}"#,
            r#"{"card":"QS","type":"play"}"#,
            r#"{"choice":"minus","type":"moon"}"#,
            r#"{"choice":"plus","type":"moon"}"#,
        ] {
            assert_eq!(hearts(text), Some(serde_json::from_str(text).unwrap()));
        }
        for text in [r#"{"card":"1S","type":"play"}"#, r#"{"choice":"both","type":"moon"}"#] {
            assert_eq!(hearts(text), None);
        }
        let rabble = |text: &str| Knights::read(&CanonicalAction::of(text)?);
        let three = r#"{"cards":["N3","D4","B7"],"type":"rabble"}"#;
        assert_eq!(rabble(three), Some(serde_json::from_str(three).unwrap()));
        assert_eq!(rabble(r#"{"cards":["N3","D4","B7","K1"],"type":"rabble"}"#), None);
    }

    #[test]
    fn what_may_be_written_in_another_way_is_not_called_canonical() {
        for other in [
            r#"{"type":"fold" }"#,
            r#"{"trade":[],"by":1,"type":"raise"}"#,
            r#"{"by":1,"by":1,"type":"raise"}"#,
            r#"{"x":1,"type":"raise"}"#,
            r#"{"type":"raise","by":"1"}"#,
            r#"{"by":"\u0041","type":"raise"}"#,
            r#"{"by":"ä","type":"raise"}"#,
            r#"{"by":1.0,"type":"raise"}"#,
        ] {
            assert!(!CanonicalAction::is(other), "{other}");
        }
    }

    #[test]
    fn what_is_not_canonical_or_no_action_is_left_to_serde() {
        for other in [
            "",
            "{}",
            "{",
            "7",
            r#""fold""#,
            r#"{"type":"fold""#,
            r#"{"type":"fold"} "#,
            r#"{ "type":"fold"}"#,
            r#"{"type": "fold"}"#,
            r#"{"type":"fold",}"#,
            r#"{"type":"fold","by":1}"#,
            r#"{"type":"fo\u006cd"}"#,
            r#"{"type":"föld"}"#,
            r#"{"by":1,"type":"fold"}"#,
            r#"{"type":"check"}"#,
            r#"{"trade":[],"type":"trade"}"#,
            r#"{"trade":[,],"type":"check"}"#,
            r#"{"trade":["6C",],"type":"check"}"#,
            r#"{"trade":["6C""6C"],"type":"check"}"#,
            r#"{"trade":["6C","6C","6C","6C"],"type":"check"}"#,
            r#"{"trade":["7C"],"type":"check"}"#,
            r#"{"trade":[6],"type":"check"}"#,
            r#"{"trade":"6C","type":"check"}"#,
            r#"{"trade":[],"trade":[],"type":"check"}"#,
            r#"{"trade":[],"by":1,"type":"raise"}"#,
            r#"{"by":01,"trade":[],"type":"raise"}"#,
            r#"{"by":-1,"trade":[],"type":"raise"}"#,
            r#"{"by":+1,"trade":[],"type":"raise"}"#,
            r#"{"by":1.0,"trade":[],"type":"raise"}"#,
            r#"{"by":,"trade":[],"type":"raise"}"#,
            r#"{"by":"1","trade":[],"type":"raise"}"#,
            r#"{"by":4294967296,"trade":[],"type":"raise"}"#,
            r#"{"by":1,"trade":[],"type":"raise","x":1}"#,
            r#"{"by":1,"trade":[],"turn":1,"type":"raise"}"#,
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
