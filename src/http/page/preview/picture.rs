//! The picture of a hand: what happened in words, and the cards of those who played it, the winners first.

use super::canvas::{Align, Area, Canvas, Ink, Type, Weight, lines, size_for, width};
use super::cards::{Face, RATIO};

/// What messengers ask for.
pub const WIDTH: u32 = 1200;
pub const HEIGHT: u32 = 630;

const PAPER: Ink = [0xfa, 0xf7, 0xf0];
const RAISED: Ink = [0xff, 0xff, 0xff];
const INK: Ink = [0x1d, 0x1f, 0x1e];
const SOFT: Ink = [0x5b, 0x60, 0x5d];
const LINE: Ink = [0xd9, 0xd2, 0xc3];
const TABLE: Ink = [0xe7, 0xef, 0xe9];
const BRASS: Ink = [0x8a, 0x5f, 0x1c];
const GOOD: Ink = [0x1f, 0x6b, 0x3b];

/// How many players a picture shows; of the others it says how many there are.
const SHOWN: usize = 4;
/// The paper around everything.
const MARGIN: f32 = 48.0;
/// Between two places, and within a place.
const GAP: f32 = 16.0;

/// The sentence on top is at most two lines long, in the first of these sizes in which it fits; with more than two players
/// it leaves the first out.
const SENTENCE: [f32; 5] = [58.0, 48.0, 44.0, 40.0, 36.0];

/// Names in narrow places, and names that go over two lines.
const NAME: f32 = 32.0;
const LONG_NAME: f32 = 24.0;
/// A name that would be smaller in one line goes over two.
const SMALLEST: f32 = 26.0;
/// No name is smaller; what does not fit is cut.
const TINY: f32 = 15.0;
/// How many letters from the middle of a name a sign can be behind which it is broken.
const FAR: usize = 5;

/// A hand, as the public may see it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Picture {
    /// The kind's name for people.
    pub kind: String,
    /// From 1.
    pub hand: u32,
    /// What decided it, in a sentence.
    pub happened: String,
    /// Those who played it, the winners first.
    pub players: Vec<Player>,
}

/// What a hand came to for one player, or for one of the hands that a player split.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Player {
    pub name: String,
    pub cards: Vec<Face>,
    /// What it got, in a few words.
    pub note: String,
    pub has_won: bool,
}

impl Picture {
    /// The picture as a PNG.
    pub fn png(&self) -> Vec<u8> {
        let mut canvas = Canvas::new(WIDTH, HEIGHT, PAPER);
        let top = self.head(&mut canvas);
        let more = self.players.len().saturating_sub(SHOWN);
        let bottom = HEIGHT as f32 - if more > 0 { 66.0 } else { 40.0 };
        let table = Area { x: MARGIN, y: top, width: WIDTH as f32 - 2.0 * MARGIN, height: bottom - top };
        let shown = &self.players[..self.players.len().min(SHOWN)];
        let places = places(table, shown.len());
        let has_long_names = shown.iter().zip(&places).any(|(player, place)| player.has_long_name(*place));
        for (player, place) in shown.iter().zip(places) {
            player.draw(&mut canvas, place, has_long_names);
        }
        if more > 0 {
            let set = Type { size: 28.0, weight: Weight::Regular, ink: SOFT, align: Align::Right };
            canvas.text(&format!("and {more} more"), table.x + table.width, HEIGHT as f32 - 24.0, set);
        }
        canvas.png()
    }

    /// Which hand it is, and what happened; how far down that goes.
    fn head(&self, canvas: &mut Canvas) -> f32 {
        let most = WIDTH as f32 - 2.0 * MARGIN;
        canvas.surface(Area { x: 0.0, y: 0.0, width: WIDTH as f32, height: 12.0 }, 0.0, BRASS);
        let title = format!("{} · Hand {}", self.kind, self.hand);
        let set = Type { size: 32.0, weight: Weight::Regular, ink: BRASS, align: Align::Left };
        canvas.fitted(&title, MARGIN, 64.0, set, (most, 20.0));
        let (size, sentence) = self.sentence(most);
        let set = Type { size, weight: Weight::Bold, ink: INK, align: Align::Left };
        let mut y = 74.0;
        for line in &sentence {
            y += size * 1.18;
            canvas.fitted(line, MARGIN, y - size * 0.16, set, (most, 20.0));
        }
        y + 16.0
    }

    /// The sentence in lines, and how large they are. A longer one is cut.
    fn sentence(&self, most: f32) -> (f32, Vec<String>) {
        let sizes = if self.players.len() > 2 { &SENTENCE[1..] } else { &SENTENCE };
        let broken = |size: f32| (size, lines(&self.happened, size, Weight::Bold, most));
        let fits = |(size, lines): &(f32, Vec<String>)| {
            lines.len() <= 2 && lines.iter().all(|line| width(line, *size, Weight::Bold) <= most)
        };
        let (size, mut sentence) =
            sizes.iter().copied().map(broken).find(fits).unwrap_or_else(|| broken(36.0));
        if sentence.len() > 2 {
            let rest = sentence.split_off(1).join(" ");
            sentence.push(rest);
        }
        (size, sentence)
    }
}

/// Where each of so many players has its place: up to two one below the other, three or four in two columns.
fn places(table: Area, players: usize) -> Vec<Area> {
    let half = Area { width: (table.width - GAP) / 2.0, height: (table.height - GAP) / 2.0, ..table };
    let (right, low) = (table.x + half.width + GAP, table.y + half.height + GAP);
    match players {
        0 => Vec::new(),
        1 => vec![table],
        2 => vec![Area { width: table.width, ..half }, Area { y: low, width: table.width, ..half }],
        3 => vec![
            Area { width: table.width, ..half },
            Area { y: low, ..half },
            Area { x: right, y: low, ..half },
        ],
        _ => {
            vec![half, Area { x: right, ..half }, Area { y: low, ..half }, Area { x: right, y: low, ..half }]
        }
    }
}

fn is_wide(place: Area) -> bool {
    place.width > WIDTH as f32 / 2.0
}

impl Player {
    /// `has_long_names`: somebody's name goes over two lines, so all have as much room for it.
    fn draw(&self, canvas: &mut Canvas, place: Area, has_long_names: bool) {
        canvas.surface(place, 14.0, if self.has_won { TABLE } else { RAISED });
        let (width, ink) = if self.has_won { (4.0, GOOD) } else { (2.0, LINE) };
        canvas.edge(place, 14.0, width, ink);
        let inner = place.within(GAP);
        if is_wide(place) { self.beside(canvas, inner) } else { self.above(canvas, inner, has_long_names) }
    }

    /// In a wide place the name stands beside the cards.
    fn beside(&self, canvas: &mut Canvas, inner: Area) {
        let text = inner.width * 0.34;
        let (x, most, middle) = (inner.x + 8.0, text - 28.0, inner.y + inner.height / 2.0);
        let (names, set) = self.names(most, (40.0, LONG_NAME + 4.0));
        for (name, above) in names.iter().rev().zip(0_u8..) {
            let base = middle - 6.0 - f32::from(above) * set.size * 1.2;
            canvas.fitted(name, x, base, set, (most, TINY));
        }
        canvas.fitted(&self.note, x, middle + 36.0, self.noted(32.0), (most, 22.0));
        self.lay(canvas, Area { x: inner.x + text, width: inner.width - text, ..inner });
    }

    /// In a narrow one it stands above them, and what the player got at the end of the same line.
    fn above(&self, canvas: &mut Canvas, inner: Area, has_long_names: bool) {
        let base = inner.y + 24.0;
        let note = Type { align: Align::Right, ..self.noted(28.0) };
        canvas.fitted(&self.note, inner.x + inner.width, base, note, (inner.width * 0.55, 22.0));
        let most = self.room_for_name(inner);
        let (names, set) = self.names(most, (NAME, LONG_NAME));
        let first = if names.len() > 1 { base - 5.0 } else { base };
        for (name, below) in names.iter().zip(0_u8..) {
            canvas.fitted(name, inner.x, first + f32::from(below) * 26.0, set, (most, TINY));
        }
        let high = if has_long_names { 58.0 } else { 40.0 };
        self.lay(canvas, Area { y: inner.y + high, height: inner.height - high, ..inner });
    }

    fn has_long_name(&self, place: Area) -> bool {
        !is_wide(place) && self.halves(self.room_for_name(place.within(GAP)), NAME).len() > 1
    }

    /// How wide a name can be beside the note.
    fn room_for_name(&self, inner: Area) -> f32 {
        let note = width(&self.note, 28.0, Weight::Regular).min(inner.width * 0.55);
        inner.width - note - if self.note.is_empty() { 0.0 } else { 20.0 }
    }

    /// The lines of the name, and how they are set. `sizes`: of a name in one line, and of one in two.
    fn names(&self, most: f32, sizes: (f32, f32)) -> (Vec<&str>, Type) {
        let names = self.halves(most, sizes.0);
        let size = if names.len() > 1 { sizes.1 } else { sizes.0 };
        let set = Type { size, weight: Weight::Bold, ink: INK, align: Align::Left };
        let size = names.iter().map(|name| size_for(name, set, most)).fold(size, f32::min);
        (names, Type { size, ..set })
    }

    /// The name, in two halves where it would be too small in one line.
    fn halves(&self, most: f32, size: f32) -> Vec<&str> {
        if width(&self.name, SMALLEST.min(size), Weight::Bold) <= most {
            return vec![&self.name];
        }
        let letters: Vec<(usize, char)> = self.name.char_indices().collect();
        let middle = letters.len() / 2;
        // Behind the sign nearest to the middle, if there is one that is not far from it.
        let near = (middle.saturating_sub(FAR)..letters.len().min(middle + FAR))
            .filter(|at| matches!(letters[*at].1, '_' | '-' | ' '))
            .min_by_key(|at| at.abs_diff(middle));
        let at = letters.get(near.map_or(middle, |at| at + 1)).map_or(self.name.len(), |(at, _)| *at);
        let (one, other) = self.name.split_at(at);
        vec![one, other]
    }

    fn noted(&self, size: f32) -> Type {
        let ink = if self.has_won { GOOD } else { SOFT };
        Type { size, weight: Weight::Regular, ink, align: Align::Left }
    }

    /// The cards side by side, or each over the one before it where there is not enough room.
    fn lay(&self, canvas: &mut Canvas, room: Area) {
        let width = (room.height / RATIO).min(room.width);
        let steps = self.cards.len().saturating_sub(1) as f32;
        let step = if steps > 0.0 { ((room.width - width) / steps).min(width + 8.0) } else { 0.0 };
        for (at, card) in self.cards.iter().enumerate() {
            let is_covered = step < width && at + 1 < self.cards.len();
            card.draw(canvas, (room.x + at as f32 * step, room.y), width, is_covered);
        }
    }
}

#[cfg(test)]
mod tests {
    use cardroom_core::rules::registry;

    use super::*;

    /// The width and the height that a PNG says it has.
    fn size(png: &[u8]) -> (u32, u32) {
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        (number(16), number(20))
    }

    fn picture(players: usize, cards: usize, name: &str) -> Picture {
        let deck: Vec<Face> =
            registry::all().iter().flat_map(|kind| (kind.deck)()).map(|card| Face::of(&card)).collect();
        let player = |at: usize| Player {
            name: name.to_owned(),
            cards: deck.iter().cycle().skip(at * 17).take(cards).cloned().collect(),
            note: "wins 4294967295, court of twins".to_owned(),
            has_won: at == 0,
        };
        Picture {
            kind: "Ricketts House Hearts".to_owned(),
            hand: u32::MAX,
            happened: format!("{name} and {name} share the pot: of equal totals, more cards of one suit"),
            players: (0..players).map(player).collect(),
        }
    }

    #[test]
    fn any_number_of_players_and_of_cards_and_any_name_gives_a_picture_of_the_size_that_messengers_ask_for() {
        let long = "W".repeat(32);
        for (name, players, cards) in [
            ("", 0, 0),
            ("ann", 1, 0),
            ("ann", 2, 1),
            (&long, 2, 14),
            (&long, 3, 52),
            (&long, 10, 14),
            ("two words, and more of them than fit into any place", 4, 3),
        ] {
            let png = picture(players, cards, name).png();
            assert_eq!(size(&png), (WIDTH, HEIGHT), "{name}, {players}, {cards}");
        }
    }

    #[test]
    fn no_two_places_lie_over_each_other_and_all_are_on_the_table() {
        let table = Area { x: 10.0, y: 20.0, width: 1000.0, height: 400.0 };
        for players in 0..=SHOWN {
            let places = places(table, players);
            assert_eq!(places.len(), players);
            for (at, one) in places.iter().enumerate() {
                assert!(one.x >= table.x && one.x + one.width <= table.x + table.width);
                assert!(one.y >= table.y && one.y + one.height <= table.y + table.height);
                for other in &places[at + 1..] {
                    let beside = one.x + one.width <= other.x || other.x + other.width <= one.x;
                    let below = one.y + one.height <= other.y || other.y + other.height <= one.y;
                    assert!(beside || below, "{one:?} {other:?}");
                }
            }
        }
    }
}
