//! Cards as the page draws them, from what a kind says of its deck: white, with a large index in the corner.

use cardroom_core::rules::cards::CardInfo;
use tiny_skia::{PathBuilder, Transform};

use super::canvas::{Align, Area, Canvas, Ink, Type, Weight, width};
use super::marks::mark;

/// How high a card is that is 1 wide.
pub const RATIO: f32 = 1.4;

const WHITE: Ink = [0xff, 0xff, 0xff];
const EDGE: Ink = [0xc9, 0xc2, 0xb2];
const INK: Ink = [0x1d, 0x1f, 0x1e];
const SOFT: Ink = [0x5b, 0x60, 0x5d];
const RED: Ink = [0xb3, 0x26, 0x1e];
const BRASS: Ink = [0x8a, 0x5f, 0x1c];
const GREEN: Ink = [0x3d, 0x6b, 0x1e];
const BLUE: Ink = [0x0b, 0x5c, 0xad];
const ROYAL: Ink = [0x7a, 0x2e, 0x1d];
const COMMON: Ink = [0x2f, 0x46, 0x57];
const NOTABLE: Ink = [0xb9, 0x82, 0x2f];
const WEAVE: Ink = [0x9a, 0x9d, 0x9b];

/// The letters of the faces of Knights' Heads.
const LETTERS: [(&str, &str); 9] = [
    ("king", "K"),
    ("queen", "Q"),
    ("knight", "N"),
    ("armorer", "A"),
    ("merchant", "M"),
    ("messenger", "E"),
    ("dancer", "D"),
    ("juggler", "J"),
    ("blacksmith", "B"),
];

/// The suits with their colours.
const SUITS: [(&str, Ink); 7] = [
    ("spades", INK),
    ("hearts", RED),
    ("diamonds", RED),
    ("clubs", INK),
    ("coins", BRASS),
    ("grain", GREEN),
    ("ships", BLUE),
];

/// What is on a card.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Face {
    /// A card with a suit; `is_court`: its letter stands in the middle, in a frame.
    Suited { index: String, suit: &'static str, ink: Ink, is_court: bool },
    /// A card of Knights' Heads.
    Head { letter: &'static str, number: u8, face: &'static str, is_notable: bool },
    /// A card of a deck that nobody has drawn.
    Named(String),
    /// A card that the public may not see.
    Back,
}

impl Face {
    /// What is on this card.
    pub fn of(info: &CardInfo) -> Face {
        let suit = info.suit.and_then(|suit| SUITS.iter().find(|(known, _)| *known == suit));
        if let (Some(face), Some(number)) = (info.face, info.number)
            && let Some((_, letter)) = LETTERS.iter().find(|(known, _)| *known == face)
        {
            return Face::Head { letter, number, face, is_notable: info.notable.flatten().is_some() };
        }
        match (suit, info.rank, info.number) {
            (Some((suit, ink)), Some(rank), _) => {
                Face::Suited { index: index(info, rank), suit, ink: *ink, is_court: is_court(rank) }
            }
            (Some((suit, ink)), None, Some(number)) => {
                Face::Suited { index: number.to_string(), suit, ink: *ink, is_court: false }
            }
            _ => Face::Named(info.card.to_string()),
        }
    }

    /// Draws the card: its upper left corner, how wide it is, and whether another will lie on its right part.
    pub fn draw(&self, canvas: &mut Canvas, (x, y): (f32, f32), width: f32, is_covered: bool) {
        let card = Area { x, y, width, height: width * RATIO };
        canvas.surface(card, width * 0.08, WHITE);
        canvas.edge(card, width * 0.08, (width * 0.014).max(1.5), EDGE);
        let mut pen = Pen { canvas, x, y, scale: width / 100.0 };
        match self {
            Face::Suited { index, suit, ink, is_court } => pen.suited(index, suit, *ink, *is_court),
            Face::Head { letter, number, face, is_notable } => {
                if *is_notable && !is_covered {
                    pen.corner();
                }
                pen.head((letter, *number), face, if is_covered { 8.0 } else { 31.0 });
            }
            Face::Named(name) => pen.text(name, 50.0, 80.0, 30.0, INK),
            Face::Back => pen.back(),
        }
    }
}

/// The rank as it stands in the corner. Only the ten has two signs, and cards are named with one.
fn index(info: &CardInfo, rank: &str) -> String {
    match rank {
        "ten" => "10".to_owned(),
        _ => info.card.chars().take(1).collect(),
    }
}

fn is_court(rank: &str) -> bool {
    matches!(rank, "jack" | "queen" | "king")
}

/// Draws on a card that is 100 wide and 140 high.
struct Pen<'a> {
    canvas: &'a mut Canvas,
    x: f32,
    y: f32,
    scale: f32,
}

impl Pen<'_> {
    fn suited(&mut self, index: &str, suit: &str, ink: Ink, is_court: bool) {
        self.index(index, 22.0, 40.0, ink);
        self.mark(suit, (9.0, 46.0), 1.08, ink);
        if is_court {
            let frame = Area { x: 42.0, y: 52.0, width: 48.0, height: 76.0 };
            self.canvas.edge(self.area(frame), 3.0 * self.scale, 2.0 * self.scale, ink);
            self.text(index, 66.0, 107.0, 46.0, ink);
        } else {
            self.mark(suit, (38.0, 74.0), 2.3, ink);
        }
    }

    /// `x`: where the device of its face begins.
    fn head(&mut self, (letter, number): (&str, u8), face: &str, x: f32) {
        let is_royal = ["king", "queen", "knight"].contains(&face);
        let ink = if is_royal { ROYAL } else { COMMON };
        self.index(letter, 22.0, 40.0, ink);
        self.text(&number.to_string(), 22.0, 72.0, 30.0, ink);
        self.mark(face, (x, 76.0), 2.5, ink);
    }

    /// The brass corner of a notable card: its upper right one.
    fn corner(&mut self) {
        let mut path = PathBuilder::new();
        path.move_to(56.0, 1.0);
        path.line_to(92.0, 1.0);
        path.quad_to(99.0, 1.0, 99.0, 8.0);
        path.line_to(99.0, 44.0);
        path.close();
        let corner = path.finish().expect("it has three corners");
        self.canvas.fill(&corner, self.x, self.y, self.scale, NOTABLE);
    }

    /// What is seen of a card on which others lie. An index of two signs is as wide as one.
    fn index(&mut self, index: &str, x: f32, y: f32, ink: Ink) {
        let size = if index.len() > 1 { 35.0 } else { 42.0 };
        self.text(index, x, y, size, ink);
    }

    fn text(&mut self, text: &str, x: f32, y: f32, size: f32, ink: Ink) {
        let set = Type { size, weight: Weight::Bold, ink, align: Align::Middle };
        let most = 2.0 * x.min(100.0 - x) - 4.0;
        let size = size * (most / width(text, size, Weight::Bold)).min(1.0) * self.scale;
        self.canvas.text(text, self.x + x * self.scale, self.y + y * self.scale, Type { size, ..set });
    }

    fn mark(&mut self, name: &str, (x, y): (f32, f32), scale: f32, ink: Ink) {
        if let Some(shape) = mark(name) {
            let (x, y) = (self.x + x * self.scale, self.y + y * self.scale);
            self.canvas.fill(&shape, x, y, scale * self.scale, ink);
        }
    }

    /// A grid of lines within a frame.
    fn back(&mut self) {
        let mut weave = PathBuilder::new();
        let (left, top, right, bottom) = (11.0, 11.0, 89.0, 129.0);
        for step in 0..16 {
            // Two lines lean from each point of the upper edge and of the left one, as far as the frame goes.
            let at = step as f32 * 14.0 - 118.0 + left;
            let (x, y) = (at.max(left), top + (left - at).max(0.0));
            let length = (right - x).min(bottom - y);
            if length > 0.0 {
                weave.move_to(x, y);
                weave.line_to(x + length, y + length);
                weave.move_to(100.0 - x, y);
                weave.line_to(100.0 - x - length, y + length);
            }
        }
        let frame = Area { x: 8.0, y: 8.0, width: 84.0, height: 124.0 };
        let place = Transform::from_row(self.scale, 0.0, 0.0, self.scale, self.x, self.y);
        if let Some(weave) = weave.finish().and_then(|weave| weave.transform(place)) {
            self.canvas.line(&weave, 1.6 * self.scale, WEAVE);
        }
        self.canvas.edge(self.area(frame), 4.0 * self.scale, 2.2 * self.scale, SOFT);
    }

    fn area(&self, Area { x, y, width, height }: Area) -> Area {
        Area {
            x: self.x + x * self.scale,
            y: self.y + y * self.scale,
            width: width * self.scale,
            height: height * self.scale,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use cardroom_core::rules::registry;

    use super::*;

    #[test]
    fn every_card_of_every_kind_has_a_picture_and_a_mark_and_looks_like_no_other() {
        for kind in registry::all() {
            let deck = (kind.deck)();
            let faces: HashSet<Face> = deck.iter().map(Face::of).collect();
            assert_eq!(faces.len(), deck.len(), "{}", kind.kind);
            for face in faces {
                let marks = match &face {
                    Face::Suited { suit, .. } => vec![*suit],
                    Face::Head { face, .. } => vec![*face],
                    Face::Named(_) | Face::Back => panic!("{}: {face:?}", kind.kind),
                };
                assert!(marks.iter().all(|name| mark(name).is_some()), "{face:?}");
                face.draw(&mut Canvas::new(100, 140, WHITE), (0.0, 0.0), 100.0, false);
            }
        }
    }

    #[test]
    fn a_back_and_a_card_that_nobody_has_drawn_are_drawn_within_their_edges() {
        for face in [Face::Back, Face::Named("Q12?".to_owned())] {
            face.draw(&mut Canvas::new(100, 140, WHITE), (0.0, 0.0), 100.0, true);
        }
    }
}
