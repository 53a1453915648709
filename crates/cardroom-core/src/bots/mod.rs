//! Bots. A policy sees what any client at its seat gets, the view and the legal actions, and a random number;
//! nothing else reaches it, so it cannot cheat. It answers with an action. Pure.

mod knights_heads;
mod menu;
mod ricketts_hearts;
mod ritunas_favour;
mod royal_gambit;
mod sevens;

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use self::menu::{Luck, Menu};

/// What a bot sees.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    pub kind: &'a str,
    /// Its own seat.
    pub seat: u8,
    pub view: &'a RawValue,
    /// Not empty.
    pub legal_actions: &'a RawValue,
}

/// Any legal action: each line of the menu is as likely as the others, and so is each value of a parameter.
pub fn random(sight: Sight<'_>, luck: u64) -> Box<RawValue> {
    written(&sight.menu().any(&mut Luck::new(luck)))
}

/// What a careful player would do. Where it does not know the kind, any legal action.
pub fn steady(sight: Sight<'_>, luck: u64) -> Box<RawValue> {
    let menu = sight.menu();
    let action = match sight.kind {
        "knights_heads" => knights_heads::action(&sight.view(), sight.seat, &menu),
        "ricketts_hearts" => ricketts_hearts::action(&sight.view(), sight.seat, &menu),
        "ritunas_favour" => ritunas_favour::action(&sight.view(), &menu),
        "royal_gambit" => royal_gambit::action(&sight.view(), sight.seat, &menu),
        "sevens" => sevens::action(&sight.view(), sight.seat, &menu),
        _ => return random(sight, luck),
    };
    written(&action)
}

impl Sight<'_> {
    fn menu(&self) -> Menu {
        Menu::of(self.legal_actions)
    }

    /// As much of the view as a policy looks at.
    fn view<V: DeserializeOwned>(&self) -> V {
        serde_json::from_str(self.view.get()).expect("a policy knows the views of its kind")
    }
}

fn written(action: &Value) -> Box<RawValue> {
    to_raw_value(action).expect("an action is plain JSON")
}
