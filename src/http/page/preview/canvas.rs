//! A sheet to draw on: surfaces, outlines and text, in pixels from the upper left corner.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, OutlineCurve};
use tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// The fonts are Noto Sans, whose licence (OFL) allows that they are built in.
static REGULAR: LazyLock<FontRef<'static>> = LazyLock::new(|| font(notosans::REGULAR_TTF));
static BOLD: LazyLock<FontRef<'static>> = LazyLock::new(|| font(notosans::BOLD_TTF));

/// How round corners come from curves: the distance of a control point from the corner, as a share of the radius.
const ROUND: f32 = 0.4477;

/// Text that is cut ends with this.
const CUT: char = '…';

/// A colour: red, green, blue.
pub type Ink = [u8; 3];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

/// Where the text stands at its `x`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Middle,
    Right,
}

/// How a text is set. The size is the font's height of an em.
#[derive(Debug, Clone, Copy)]
pub struct Type {
    pub size: f32,
    pub weight: Weight,
    pub ink: Ink,
    pub align: Align,
}

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

pub struct Canvas {
    pixels: Pixmap,
}

impl Canvas {
    /// A sheet of one colour.
    pub fn new(width: u32, height: u32, paper: Ink) -> Canvas {
        let mut pixels = Pixmap::new(width, height).expect("a sheet has a width and a height");
        pixels.fill(color(paper));
        Canvas { pixels }
    }

    /// What was drawn, as a PNG.
    pub fn png(&self) -> Vec<u8> {
        self.pixels.encode_png().expect("a vector takes all that is written")
    }

    /// Fills a shape after it was moved and made larger: the origin of its coordinates comes to `x` and `y`.
    pub fn fill(&mut self, shape: &Path, x: f32, y: f32, scale: f32, ink: Ink) {
        let place = Transform::from_row(scale, 0.0, 0.0, scale, x, y);
        self.pixels.fill_path(shape, &paint(ink), FillRule::EvenOdd, place, None);
    }

    /// Draws the line of a shape.
    pub fn line(&mut self, shape: &Path, width: f32, ink: Ink) {
        let stroke = Stroke { width, ..Stroke::default() };
        self.pixels.stroke_path(shape, &paint(ink), &stroke, Transform::identity(), None);
    }

    /// A surface with round corners.
    pub fn surface(&mut self, area: Area, radius: f32, ink: Ink) {
        self.fill(&rounded(area, radius), 0.0, 0.0, 1.0, ink);
    }

    /// The edge of such a surface. The line lies inside it.
    pub fn edge(&mut self, area: Area, radius: f32, width: f32, ink: Ink) {
        self.line(&rounded(area.within(width / 2.0), radius - width / 2.0), width, ink);
    }

    /// Writes one line; `y` is its base line.
    pub fn text(&mut self, text: &str, x: f32, y: f32, set: Type) {
        let font = set.weight.font();
        let scale = set.size / em(font);
        let mut at = match set.align {
            Align::Left => x,
            Align::Middle => x - width(text, set.size, set.weight) / 2.0,
            Align::Right => x - width(text, set.size, set.weight),
        };
        for letter in text.chars() {
            let glyph = font.glyph_id(letter);
            if let Some(shape) = outline(font, glyph) {
                let place = Transform::from_row(scale, 0.0, 0.0, -scale, at, y);
                self.pixels.fill_path(&shape, &paint(set.ink), FillRule::Winding, place, None);
            }
            at += font.h_advance_unscaled(glyph) * scale;
        }
    }

    /// Writes one line that is at most `most` wide: smaller if it has to be, but not below `least`, and then cut.
    pub fn fitted(&mut self, text: &str, x: f32, y: f32, set: Type, (most, least): (f32, f32)) {
        let size = size_for(text, set, most).clamp(least.min(set.size), set.size);
        let text = cut(text, size, set.weight, most);
        self.text(&text, x, y, Type { size, ..set });
    }
}

impl Area {
    /// What is left of it within a margin.
    pub fn within(self, margin: f32) -> Area {
        Area {
            x: self.x + margin,
            y: self.y + margin,
            width: self.width - 2.0 * margin,
            height: self.height - 2.0 * margin,
        }
    }
}

impl Weight {
    fn font(self) -> &'static FontRef<'static> {
        match self {
            Weight::Regular => &REGULAR,
            Weight::Bold => &BOLD,
        }
    }
}

/// How wide a line is.
pub fn width(text: &str, size: f32, weight: Weight) -> f32 {
    let font = weight.font();
    let units: f32 = text.chars().map(|letter| font.h_advance_unscaled(font.glyph_id(letter))).sum();
    units * size / em(font)
}

/// Breaks a text into lines that are at most `most` wide, between words where it can.
pub fn lines(text: &str, size: f32, weight: Weight, most: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size, weight) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The text, or as much of its beginning as is at most `most` wide.
pub fn cut(text: &str, size: f32, weight: Weight, most: f32) -> String {
    if width(text, size, weight) <= most {
        return text.to_owned();
    }
    let mut text = text.to_owned();
    while text.pop().is_some() {
        let short = format!("{}{CUT}", text.trim_end());
        if width(&short, size, weight) <= most {
            return short;
        }
    }
    text
}

/// The size in which a line is at most `most` wide.
pub fn size_for(text: &str, set: Type, most: f32) -> f32 {
    let now = width(text, set.size, set.weight);
    if now <= most { set.size } else { set.size * most / now }
}

fn font(bytes: &'static [u8]) -> FontRef<'static> {
    FontRef::try_from_slice(bytes).expect("the font is one")
}

fn em(font: &FontRef<'_>) -> f32 {
    font.units_per_em().expect("the font says so")
}

/// A letter in the font's own units, with the base line at 0 and `y` upwards. None for a space.
fn outline(font: &FontRef<'_>, glyph: GlyphId) -> Option<Path> {
    let mut path = PathBuilder::new();
    for curve in font.outline(glyph)?.curves {
        let (from, to) = match curve {
            OutlineCurve::Line(from, to)
            | OutlineCurve::Quad(from, _, to)
            | OutlineCurve::Cubic(from, _, _, to) => (from, to),
        };
        if path.last_point().is_none_or(|last| (last.x, last.y) != (from.x, from.y)) {
            path.move_to(from.x, from.y);
        }
        match curve {
            OutlineCurve::Line(..) => path.line_to(to.x, to.y),
            OutlineCurve::Quad(_, by, _) => path.quad_to(by.x, by.y, to.x, to.y),
            OutlineCurve::Cubic(_, by, and, _) => path.cubic_to(by.x, by.y, and.x, and.y, to.x, to.y),
        }
    }
    path.finish()
}

fn rounded(Area { x, y, width, height }: Area, radius: f32) -> Path {
    let (right, bottom, near) = (x + width, y + height, radius * ROUND);
    let mut path = PathBuilder::new();
    path.move_to(x + radius, y);
    path.line_to(right - radius, y);
    path.cubic_to(right - near, y, right, y + near, right, y + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(right, bottom - near, right - near, bottom, right - radius, bottom);
    path.line_to(x + radius, bottom);
    path.cubic_to(x + near, bottom, x, bottom - near, x, bottom - radius);
    path.line_to(x, y + radius);
    path.cubic_to(x, y + near, x + near, y, x + radius, y);
    path.close();
    path.finish()
        .or_else(|| Rect::from_xywh(x, y, 1.0, 1.0).map(PathBuilder::from_rect))
        .expect("it has corners")
}

fn color([red, green, blue]: Ink) -> Color {
    Color::from_rgba8(red, green, blue, 255)
}

fn paint([red, green, blue]: Ink) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_or_broken_so_that_it_is_not_wider_than_its_place() {
        let name = "W".repeat(32);
        assert!(width(&cut(&name, 30.0, Weight::Bold, 200.0), 30.0, Weight::Bold) <= 200.0);
        assert_eq!(cut("ann", 30.0, Weight::Bold, 200.0), "ann");
        let words = lines("ann wins 20: of equal totals, more cards of one suit", 30.0, Weight::Bold, 300.0);
        assert!(words.len() > 1 && words.iter().all(|line| width(line, 30.0, Weight::Bold) <= 300.0));
        assert_eq!(words.join(" "), "ann wins 20: of equal totals, more cards of one suit");
    }

    #[test]
    fn every_letter_of_the_keyboard_is_in_the_fonts() {
        for weight in [Weight::Regular, Weight::Bold] {
            for letter in ('!'..='~').chain(['·', '–', CUT]) {
                assert_ne!(weight.font().glyph_id(letter), GlyphId(0), "{letter}");
            }
        }
    }
}
