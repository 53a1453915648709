//! The marks on the cards, as `web/cards/suits.js` draws them: each in a square of 24 by 24, as SVG writes paths.

use std::f32::consts::PI;

use tiny_skia::{Path, PathBuilder};

/// Each mark with its name. A test compares them with those of the page.
pub const MARKS: [(&str, &str); 16] = [
    (
        "hearts",
        "M12 21.500C6.500 16.800 2 13 2 8.300A5.200 5.200 0 0 1 12 6a5.200 5.200 0 0 1 10 2.300c0 4.700-4.500 8.500-10 13.200z",
    ),
    ("diamonds", "M12 1.500 20.500 12 12 22.500 3.500 12z"),
    (
        "spades",
        "M12 1.500c3.800 4.800 9 7.700 9 12.400a4.600 4.600 0 0 1-7.900 3.200q.4 3 2.400 5.400h-7q2-2.400 2.400-5.400A4.600 4.600 0 0 1 3 13.900C3 9.200 8.200 6.300 12 1.500z",
    ),
    (
        "clubs",
        "M12 1.700a4.500 4.500 0 0 1 3.700 7.100 4.600 4.600 0 1 1-2.500 8.200q.5 3 2.300 5.500h-7q1.800-2.500 2.300-5.500a4.600 4.600 0 1 1-2.500-8.200A4.500 4.500 0 0 1 12 1.700z",
    ),
    (
        "coins",
        "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zm0 2.200a7.800 7.800 0 1 0 0 15.600 7.800 7.800 0 0 0 0-15.600zM12 6a6 6 0 1 1 0 12 6 6 0 0 1 0-12zm-2 4v4h4v-4z",
    ),
    (
        "grain",
        "M11.200 23v-6.500C8 16.500 6.500 14.800 6.500 12c2.300 0 4 .9 4.700 2.600v-2.300C8 12.300 6.500 10.600 6.500 7.800c2.300 0 4 .9 4.700 2.600V8.800C9.700 7.800 9.300 5.600 12 1c2.700 4.600 2.300 6.800.8 7.800v1.600c.7-1.700 2.400-2.600 4.700-2.600 0 2.800-1.500 4.500-4.700 4.500v2.300c.7-1.700 2.400-2.600 4.700-2.600 0 2.800-1.500 4.500-4.700 4.500V23z",
    ),
    (
        "ships",
        "M11.200 1.500v13H3.500c1-5 4-9.500 7.700-13zm1.600 2c3.600 2.600 6.300 6.500 7 11h-7zM2 16.500h20c-.8 3.200-2.800 5.500-5.500 6h-9c-2.700-.5-4.700-2.800-5.500-6z",
    ),
    ("king", "M3 7.500 7.500 12 12 3.500l4.500 8.500L21 7.500l-2 10.500H5zM5 19.500h14V22H5z"),
    (
        "queen",
        "M2.500 11c3 1.300 5 .6 6.500-1.700L12 5l3 4.300c1.500 2.300 3.500 3 6.500 1.700v5.500c-6 2.600-13 2.600-19 0zM12 1.500a1.600 1.600 0 1 1 0 3.200 1.600 1.600 0 0 1 0-3.200z",
    ),
    (
        "knight",
        "M12 2c5 0 8 3.500 8 8.500V22h-5.500l-1.700-7h-1.600l-1.700 7H4V10.500C4 5.500 7 2 12 2zM6.500 10v2h11v-2z",
    ),
    (
        "armorer",
        "M2 5h20c0 3-2.500 5-6 5.300V12l2.500 2.500V17h-13v-2.500L8 12v-1.700C4.500 10 2 8 2 5zM4.500 18.500h15V21h-15z",
    ),
    (
        "merchant",
        "M11 2h2v2.200l7 1.300 3 8.500a3.700 3.700 0 0 1-7.400 0l2.600-7.200L13 5.900V19h4v2.500H7V19h4V5.900L5.800 6.800 8.400 14A3.700 3.700 0 0 1 1 14l3-8.500 7-1.300zM4.700 9.300 3 14h3.400zm14.600 0L17.600 14H21z",
    ),
    (
        "messenger",
        "M22 3v14c-6-3.500-9.800-4.400-13-4.400A3 3 0 0 0 6 15.500 3.200 3.200 0 0 0 9.200 19c1.700 0 2.800-1.200 2.800-2.600l2 .6c0 2.600-2 4.500-4.800 4.500A5.700 5.700 0 0 1 3.500 16V9.500H2v-2h7c3.200 0 7-1 13-4.500z",
    ),
    (
        "dancer",
        "M5 2c9 1 14 3.500 14 7.500 0 3-3.500 4-7 4.800-2.500.6-4.500 1.200-4.500 2.700 0 2 3.500 3.200 10 3.500l-.5 2.500C9 23 4 21 4 17c0-3.400 3.700-4.500 7.300-5.400 2.400-.6 4.200-1.100 4.200-2.300C15.500 7 11.500 5.600 4.700 5z",
    ),
    (
        "juggler",
        "M12 2a3.800 3.800 0 1 1 0 7.600A3.800 3.800 0 0 1 12 2zM5.800 13.200a3.800 3.800 0 1 1 0 7.600 3.800 3.800 0 0 1 0-7.600zm12.400 0a3.800 3.800 0 1 1 0 7.600 3.800 3.800 0 0 1 0-7.600z",
    ),
    ("blacksmith", "M3 3h13.500L21 6.500V10h-4.500V8.800H14V22.500h-4V8.800H3z"),
];

/// The mark of this name.
pub fn mark(name: &str) -> Option<Path> {
    MARKS.iter().find(|(known, _)| *known == name).and_then(|(_, data)| path(data))
}

/// A path as SVG writes it, with the commands that our marks use.
pub fn path(data: &str) -> Option<Path> {
    let mut reader = Reader { left: data, at: (0.0, 0.0), start: (0.0, 0.0), path: PathBuilder::new() };
    let mut command = None;
    while let Some(next) = reader.peek() {
        if next.is_ascii_alphabetic() {
            reader.left = &reader.left[1..];
            command = Some(next);
        }
        reader.draw(command?)?;
        // A second pair of numbers after a move is a line.
        command = match command {
            Some('M') => Some('L'),
            Some('m') => Some('l'),
            Some('Z' | 'z') => None,
            command => command,
        };
    }
    reader.path.finish()
}

/// What is left of a path's text, and what was drawn of it.
struct Reader<'a> {
    left: &'a str,
    /// Where the pen is.
    at: (f32, f32),
    /// Where the shape that it draws began.
    start: (f32, f32),
    path: PathBuilder,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        self.left = self.left.trim_start_matches([' ', ',']);
        self.left.chars().next()
    }

    /// One command. A small letter counts from where the pen is. None where the text does not read so.
    fn draw(&mut self, command: char) -> Option<()> {
        let from = if command.is_ascii_lowercase() { self.at } else { (0.0, 0.0) };
        match command.to_ascii_uppercase() {
            'M' => {
                self.at = self.point(from)?;
                self.start = self.at;
                self.path.move_to(self.at.0, self.at.1);
            }
            'L' => {
                let to = self.point(from)?;
                self.line(to);
            }
            'H' => {
                let to = (from.0 + self.number()?, self.at.1);
                self.line(to);
            }
            'V' => {
                let to = (self.at.0, from.1 + self.number()?);
                self.line(to);
            }
            'Q' => {
                let (by, to) = (self.point(from)?, self.point(from)?);
                self.path.quad_to(by.0, by.1, to.0, to.1);
                self.at = to;
            }
            'C' => {
                let (by, and, to) = (self.point(from)?, self.point(from)?, self.point(from)?);
                self.path.cubic_to(by.0, by.1, and.0, and.1, to.0, to.1);
                self.at = to;
            }
            'A' => {
                // Our arcs are parts of circles.
                let (radius, _, _) = (self.number()?, self.number()?, self.number()?);
                let (is_large, is_clockwise) = (self.number()? == 1.0, self.number()? == 1.0);
                let to = self.point(from)?;
                self.arc(radius, is_large, is_clockwise, to);
            }
            'Z' => {
                self.path.close();
                self.at = self.start;
            }
            _ => return None,
        }
        Some(())
    }

    fn line(&mut self, to: (f32, f32)) {
        self.path.line_to(to.0, to.1);
        self.at = to;
    }

    /// A part of a circle, as curves of at most a quarter each.
    fn arc(&mut self, radius: f32, is_large: bool, is_clockwise: bool, to: (f32, f32)) {
        let (dx, dy) = ((to.0 - self.at.0) / 2.0, (to.1 - self.at.1) / 2.0);
        let half = dx.hypot(dy);
        // A circle that is too small to reach grows until it does.
        let radius = radius.max(half);
        let aside = (radius * radius - half * half).max(0.0).sqrt() / half.max(f32::EPSILON);
        let side = if is_large == is_clockwise { 1.0 } else { -1.0 };
        let center = (self.at.0 + dx + side * aside * dy, self.at.1 + dy - side * aside * dx);
        let angle = |point: (f32, f32)| (point.1 - center.1).atan2(point.0 - center.0);
        let (begin, end) = (angle(self.at), angle(to));
        let turn = if is_clockwise {
            (end - begin).rem_euclid(2.0 * PI)
        } else {
            -(begin - end).rem_euclid(2.0 * PI)
        };
        let parts = (turn.abs() / (PI / 2.0)).ceil().max(1.0);
        let step = turn / parts;
        let reach = 4.0 / 3.0 * (step / 4.0).tan() * radius;
        let on = |angle: f32| (center.0 + radius * angle.cos(), center.1 + radius * angle.sin());
        for part in 0..parts as u32 {
            let (from, until) = (begin + step * part as f32, begin + step * (part + 1) as f32);
            let (start, stop) = (on(from), on(until));
            self.path.cubic_to(
                start.0 - reach * from.sin(),
                start.1 + reach * from.cos(),
                stop.0 + reach * until.sin(),
                stop.1 - reach * until.cos(),
                stop.0,
                stop.1,
            );
        }
        self.at = to;
    }

    fn point(&mut self, from: (f32, f32)) -> Option<(f32, f32)> {
        Some((from.0 + self.number()?, from.1 + self.number()?))
    }

    /// The next number. A sign or a second point begins another.
    fn number(&mut self) -> Option<f32> {
        self.peek()?;
        let mut has_point = false;
        let ends = self.left.char_indices().find(|(at, letter)| match letter {
            '0'..='9' => false,
            '-' => *at > 0,
            '.' => std::mem::replace(&mut has_point, true),
            _ => true,
        });
        let (number, rest) = self.left.split_at(ends.map_or(self.left.len(), |(at, _)| at));
        self.left = rest;
        number.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_drawn_in_its_square_and_is_the_one_of_the_page() {
        let page = include_str!("../../../../web/cards/suits.js");
        for (name, data) in MARKS {
            let bounds = mark(name).unwrap().bounds();
            assert!(bounds.left() >= 0.0 && bounds.right() <= 24.0, "{name}: {bounds:?}");
            assert!(bounds.top() >= 0.0 && bounds.bottom() <= 24.0, "{name}: {bounds:?}");
            assert!(page.contains(&format!("\"{data}\"")), "{name}");
        }
        assert!(mark("stars").is_none());
    }

    #[test]
    fn arcs_are_parts_of_circles() {
        let circle = path("M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20z").unwrap().bounds();
        for (found, expected) in
            [(circle.left(), 2.0), (circle.top(), 2.0), (circle.right(), 22.0), (circle.bottom(), 22.0)]
        {
            assert!((found - expected).abs() < 0.1, "{circle:?}");
        }
        assert!(path("M1 1x").is_none() && path("L").is_none() && path("").is_none());
    }
}
