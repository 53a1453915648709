//! How a rule changes, on a small one: a second version of Royal Gambit, as the tests know it, in which nobody
//! may stay with an empty row while there are cards to flip. It wraps the first; CONTRIBUTING.md tells why.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::rules::bot::Observation;
use crate::rules::cards::{CardInfo, French};
use crate::rules::facts::{Facts, Names};
use crate::rules::game::{Chance, Game, Need};
use crate::rules::hand_story::HandStory;
use crate::rules::menu::Menu;
use crate::rules::odds::Odds;
use crate::rules::outcome::Outcome;
use crate::rules::profile::{CardRole, Profile};
use crate::rules::refusal::Refusal;
use crate::rules::royal_gambit::{Action, Fact, Options, RoyalGambit, View};
use crate::rules::seats::Seat;
use crate::rules::texts::Translations;

/// Royal Gambit by the second version of its rules.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Revised(RoyalGambit);

impl Game for Revised {
    const KIND: &'static str = RoyalGambit::KIND;
    const NAME: &'static str = RoyalGambit::NAME;
    const RULES_VERSION: u16 = 2;
    const SEATS: RangeInclusive<u8> = RoyalGambit::SEATS;

    const TEXTS: Translations = RoyalGambit::TEXTS;
    const PROFILE: Profile = RoyalGambit::PROFILE;

    type Card = French;
    type Options = Options;
    type Action = Action;
    type Fact = Fact;
    type View = View;

    fn odds() -> Option<Odds> {
        RoyalGambit::odds()
    }

    fn steady(seen: &Observation) -> serde_json::Value {
        RoyalGambit::steady(seen)
    }

    fn story(facts: &[&Fact], names: Names<'_>) -> HandStory {
        RoyalGambit::story(facts, names)
    }

    fn role(card: French) -> CardRole {
        RoyalGambit::role(card)
    }

    fn deck() -> Vec<CardInfo> {
        RoyalGambit::deck()
    }

    fn new(options: Options, seats: u8) -> Result<Self, Refusal> {
        RoyalGambit::new(options, seats).map(Revised)
    }

    fn need(&self) -> Need<French> {
        self.0.need()
    }

    fn chance(&mut self, outcome: Chance<French>, facts: &mut Facts<Fact>) {
        self.0.chance(outcome, facts);
    }

    fn legal(&self, seat: Seat) -> Menu<French> {
        let mut menu = self.0.legal(seat);
        let may_hit = menu.iter().any(|offer| offer.name == "hit");
        let row_is_empty = self.0.view(None).seats[usize::from(seat)].row.is_empty();
        menu.retain(|offer| offer.name != "stay" || !may_hit || !row_is_empty);
        menu
    }

    fn act(&mut self, seat: Seat, action: &Action, facts: &mut Facts<Fact>) {
        self.0.act(seat, action, facts);
    }

    fn view(&self, viewer: Option<Seat>) -> View {
        self.0.view(viewer)
    }

    fn default_action(&self, seat: Seat) -> Action {
        match self.0.default_action(seat) {
            Action::Stay {} if self.legal(seat).iter().all(|offer| offer.name != "stay") => Action::Hit {},
            action => action,
        }
    }

    fn standings(&self) -> Outcome {
        self.0.standings()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
}
