//! What a bot sees: what any client at its seat gets, the options, the view and the legal actions. Nothing else reaches
//! it, so it cannot cheat.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// What a bot sees.
#[derive(Debug, Clone)]
pub struct Observation {
    pub kind: &'static str,
    /// Of the rules that the game is played by.
    pub rules_version: u16,
    /// Its own seat.
    pub seat: u8,
    /// All options of the game, defaults filled in.
    pub options: Box<RawValue>,
    pub view: Box<RawValue>,
    /// Not empty.
    pub legal_actions: Box<RawValue>,
}

/// Whether it pays to put in what is owed: what it costs, against what is to be won with this chance, out of a hundred.
pub fn pays(chance: u32, pot: u32, owed: u32) -> bool {
    // Large stacks times a hundred are more than 32 bits.
    let (chance, pot, owed) = (u64::from(chance), u64::from(pot), u64::from(owed));
    chance * (pot + owed) > owed * 100
}

/// Whether a raise by so much at most adds a hundredth to this pot. With a small `max_raise` and many chips, two bots
/// would otherwise raise each other hundreds of thousands of times in a hand.
pub fn is_worth_raising(most: u32, pot: u32) -> bool {
    u64::from(most) * 100 >= u64::from(pot)
}

impl Observation {
    pub fn menu(&self) -> Menu {
        Menu::of(&self.legal_actions)
    }

    /// The options of the game.
    ///
    /// # Panics
    /// Where they are those of another kind.
    pub fn options<O: DeserializeOwned>(&self) -> O {
        serde_json::from_str(self.options.get()).expect("a policy knows the options of its kind")
    }

    /// As much of the view as a policy looks at.
    ///
    /// # Panics
    /// Where it is the view of another kind.
    pub fn view<V: DeserializeOwned>(&self) -> V {
        serde_json::from_str(self.view.get()).expect("a policy knows the views of its kind")
    }
}

/// What the bot may do: some line of it.
pub struct Menu(Vec<Line>);

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type")]
    name: String,
    params: BTreeMap<String, Domain>,
}

/// What a parameter may be.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Domain {
    Integer {
        min: u32,
        max: u32,
    },
    Cards {
        from: Vec<Value>,
        min: usize,
        max: usize,
    },
    #[serde(untagged)]
    One {
        from: Vec<Value>,
    },
}

/// A row of random numbers out of one (SplitMix64).
pub struct Luck(u64);

impl Luck {
    pub fn new(luck: u64) -> Luck {
        Luck(luck)
    }

    /// A number below `n`, which is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    /// Puts a list into any order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }

    /// The next number of the row.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }
}

impl Menu {
    pub fn of(legal_actions: &RawValue) -> Menu {
        Menu(serde_json::from_str(legal_actions.get()).expect("menus keep to the contract"))
    }

    pub fn has(&self, name: &str) -> bool {
        self.line(name).is_some()
    }

    /// The first of these actions that is open, without parameters.
    ///
    /// # Panics
    /// Where none is.
    pub fn first(&self, names: &[&str]) -> Value {
        let open = names.iter().find(|name| self.has(name));
        json!({"type": open.expect("the game waits for one of these")})
    }

    /// The bounds of an action's whole number; none where the action is not open.
    pub fn range(&self, name: &str, param: &str) -> Option<(u32, u32)> {
        match self.line(name)?.params.get(param)? {
            Domain::Integer { min, max } => Some((*min, *max)),
            Domain::Cards { .. } | Domain::One { .. } => None,
        }
    }

    /// What an action's card, cards, seat or word can be; nothing where the action is not open.
    pub fn from(&self, name: &str, param: &str) -> &[Value] {
        match self.line(name).and_then(|line| line.params.get(param)) {
            Some(Domain::Cards { from, .. } | Domain::One { from }) => from,
            Some(Domain::Integer { .. }) | None => &[],
        }
    }

    /// Any action of the menu.
    pub fn any(&self, luck: &mut Luck) -> Value {
        let line = &self.0[luck.below(self.0.len())];
        let mut action = Map::from_iter([("type".to_owned(), json!(line.name))]);
        for (name, domain) in &line.params {
            action.insert(name.clone(), domain.any(luck));
        }
        Value::Object(action)
    }

    fn line(&self, name: &str) -> Option<&Line> {
        self.0.iter().find(|line| line.name == name)
    }
}

impl Domain {
    fn any(&self, luck: &mut Luck) -> Value {
        match self {
            Domain::Integer { min, max } => json!(min + luck.below((max - min) as usize + 1) as u32),
            Domain::One { from } => from[luck.below(from.len())].clone(),
            Domain::Cards { from, min, max } => {
                let (mut left, count) = (from.clone(), min + luck.below(max - min + 1));
                (0..count).map(|_| left.swap_remove(luck.below(left.len()))).collect()
            }
        }
    }
}
