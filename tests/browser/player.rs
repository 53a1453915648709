//! A player that presses what the page offers, and knows no game.

use serde::Deserialize;
use serde_json::json;

use super::page::Page;
use crate::api::app::TestApp;
use crate::random::dice::Dice;

/// How somebody reaches what is on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Clicks,
    Keys,
}

/// A game that takes more steps than this goes in circles.
const MOST_STEPS: usize = 6000;

#[derive(Debug, Deserialize)]
pub struct Offer {
    state: String,
    #[serde(default)]
    sheet: bool,
    #[serde(default)]
    actions: Vec<Action>,
    #[serde(default)]
    cards: Vec<Card>,
    #[serde(default)]
    refusal: String,
}

#[derive(Debug, Deserialize)]
struct Action {
    at: usize,
    #[serde(rename = "type")]
    kind: String,
    /// How many cards are still to be chosen for it.
    wants: usize,
}

#[derive(Debug, Deserialize)]
struct Card {
    at: usize,
    usable: bool,
    chosen: bool,
}

impl Offer {
    pub async fn on(page: &Page) -> Offer {
        serde_json::from_value(page.eval("(await drawn(), offer())").await).unwrap()
    }

    pub fn is_mine(&self) -> bool {
        self.state == "mine"
    }

    /// Whether a question covers the table.
    fn is_asked(&self) -> bool {
        self.state == "asked"
    }

    pub fn is_over(&self) -> bool {
        self.state == "over"
    }
}

/// Plays at all these pages until the game is over. Time passes when nobody here has a turn, for bots take some.
pub async fn play(app: &TestApp, pages: &[&Page], by: By, dice: &mut Dice) {
    for _ in 0..MOST_STEPS {
        let mut moved = false;
        for page in pages {
            let offer = Offer::on(page).await;
            if offer.is_over() {
                return;
            }
            if offer.is_mine() {
                step(page, &offer, by, dice).await;
                moved = true;
            } else if offer.is_asked() {
                // The bar had moved before the press, which met a button for leaving.
                page.try_click("dialog button:last-child", "").await;
            } else if page.eval("new URLSearchParams(location.search).has('version')").await == true {
                // The buttons had gone before the press, which met a link in the story beneath them.
                for way_back in ["Back to now", "To the end"] {
                    page.try_click("button", way_back).await;
                }
            }
        }
        if !moved {
            app.pass(1).await;
        }
    }
    panic!("the game does not end:\n{}", pages[0].text().await);
}

/// One press, or a card that is chosen for it; nothing where it is not their turn.
pub async fn step(page: &Page, offer: &Offer, by: By, dice: &mut Dice) {
    if !offer.is_mine() {
        return;
    }
    if offer.sheet {
        return by.send(page).await;
    }
    let mut chosen = offer.cards.iter().filter(|card| card.chosen);
    if !offer.refusal.is_empty()
        && let Some(card) = chosen.next_back()
    {
        return by.choose(page, card.at).await;
    }
    // Mostly the likely one, or nobody would ever come to the end of a hand.
    let choices: Vec<&Action> = offer.actions.iter().filter(|action| action.kind != "fold").collect();
    let action = if dice.one_in(3) { *dice.pick(&choices) } else { choices[0] };
    let usable: Vec<usize> =
        offer.cards.iter().filter(|card| card.usable && !card.chosen).map(|card| card.at).collect();
    if action.wants > 0 && !usable.is_empty() {
        return by.choose(page, *dice.pick(&usable)).await;
    }
    by.press(page, action.at).await;
}

impl By {
    async fn press(self, page: &Page, action: usize) {
        match self {
            By::Clicks => page.try_click(&format!(".t-bar [data-action='{action}']"), "").await,
            By::Keys => page.press(&(action + 1).to_string()).await,
        }
    }

    async fn choose(self, page: &Page, card: usize) {
        let selector = format!(".t-hand [data-card='{card}']");
        if self == By::Clicks {
            return page.try_click(&selector, "").await;
        }
        // Arrows walk the cards, and space chooses. The hand may have changed meanwhile.
        let is_there = format!("!!document.activeElement?.matches({})", json!(selector));
        for _ in 0..30 {
            if page.eval(&is_there).await == true {
                return page.press(" ").await;
            }
            page.press("ArrowRight").await;
        }
    }

    async fn send(self, page: &Page) {
        match self {
            By::Clicks => page.try_click(".sheet .likely", "").await,
            By::Keys => {
                page.tab_to(".sheet .likely").await;
                let is_somewhere =
                    page.eval("(await drawn(), document.activeElement !== document.body)").await;
                assert_eq!(is_somewhere, true, "what was pressed has gone, and the focus with it");
            }
        }
    }
}
