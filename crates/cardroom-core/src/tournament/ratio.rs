//! Numbers that are compared without rounding.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;

use serde::{Serialize, Serializer};

/// A fraction. In JSON it is a number: whole where it comes out even.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    over: i128,
    under: i128,
}

impl Ratio {
    /// `over / under`, in lowest terms. `under` is above 0.
    pub fn new(over: i128, under: i128) -> Ratio {
        let by = gcd(over.unsigned_abs(), under.unsigned_abs()).max(1) as i128;
        Ratio { over: over / by, under: under / by }
    }

    /// The numerator and the denominator, in lowest terms.
    pub(super) fn parts(self) -> (i128, i128) {
        (self.over, self.under)
    }

    /// The number without rounding: `-3`, `61/12`.
    pub fn exact(self) -> String {
        if self.under == 1 { self.over.to_string() } else { format!("{}/{}", self.over, self.under) }
    }

    /// The nearest floating point number, for showing.
    pub fn to_f64(self) -> f64 {
        self.over as f64 / self.under as f64
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        (self.over * other.under).cmp(&(other.over * self.under))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Sum for Ratio {
    fn sum<I: Iterator<Item = Ratio>>(numbers: I) -> Ratio {
        let add = |a: Ratio, b: Ratio| Ratio::new(a.over * b.under + b.over * a.under, a.under * b.under);
        numbers.fold(Ratio { over: 0, under: 1 }, add)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.under == 1 { write!(f, "{}", self.over) } else { write!(f, "{}", self.to_f64()) }
    }
}

impl fmt::Debug for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.over, self.under)
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.over) {
            Ok(whole) if self.under == 1 => serializer.serialize_i64(whole),
            _ => serializer.serialize_f64(self.to_f64()),
        }
    }
}

/// The greatest number that divides both.
pub(super) fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_in_the_order_of_their_values() {
        let ordered = [(-7, 2), (-10, 3), (-1, 2), (0, 5), (1, 3), (1, 2), (2, 3), (3, 4), (10, 3), (7, 2)];
        let ordered = ordered.map(|(over, under)| Ratio::new(over, under));
        for (at, one) in ordered.iter().enumerate() {
            for (other_at, other) in ordered.iter().enumerate() {
                assert_eq!(one.cmp(other), at.cmp(&other_at), "{} {}", one.exact(), other.exact());
            }
        }
    }
}
