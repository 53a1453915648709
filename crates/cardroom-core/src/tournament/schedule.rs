//! Schedules in which nobody meets anybody twice: the circle method for tables of two, and transversal designs over
//! finite fields for larger ones.
//!
//! A design has a group of positions for each seat and a position of each group at every table. In round `v`, the
//! position `i` of group `u` sits at table `i + u·v`, where the tables are the elements of a product of finite fields. Two
//! positions of different groups `u` and `w` meet in the rounds in which `(u - w)·v` is the difference of their
//! numbers, and that is one round at most if `u - w` can be divided by in all fields in which the rounds differ.

/// A schedule for so many tables of so many seats.
pub(super) struct Schedule {
    tables: usize,
    seats: usize,
    /// The fields whose product has as many elements as there are tables.
    fields: Vec<Field>,
}

/// A field of `prime`^`degree` elements. An element's number has the coefficients of a polynomial for its digits.
struct Field {
    prime: usize,
    order: usize,
    /// A polynomial without divisors, of the field's degree: its coefficients, the highest left out, which is 1.
    modulus: Vec<usize>,
}

impl Schedule {
    pub fn new(tables: usize, seats: usize) -> Schedule {
        let fields = if seats == 2 { Vec::new() } else { prime_powers(tables).map(Field::new).collect() };
        Schedule { tables, seats, fields }
    }

    /// How many rounds it has.
    pub fn rounds(&self) -> usize {
        if self.seats == 2 {
            return 2 * self.tables - 1;
        }
        let in_groups = usize::from(self.seats == self.tables && self.designed() == self.tables);
        self.designed() + in_groups
    }

    /// In how many rounds the positions of a group are apart.
    fn designed(&self) -> usize {
        self.wide().map(|field| field.order).product()
    }

    /// The fields that have an element for each seat.
    fn wide(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.order >= self.seats)
    }

    /// The table, from 0, at which each position sits in a round, from 0.
    pub fn round(&self, round: usize) -> Vec<usize> {
        let round = round % self.rounds().max(1);
        if self.seats == 2 {
            return circle(self.tables, round);
        }
        let positions = 0..self.tables * self.seats;
        if round >= self.designed() {
            // Each group has a table to itself.
            return positions.map(|position| position / self.tables).collect();
        }
        let shifts: Vec<Vec<usize>> = (0..self.seats).map(|group| self.shift(group, round)).collect();
        positions
            .map(|position| self.shifted(position % self.tables, &shifts[position / self.tables]))
            .collect()
    }

    /// By field: how far the tables of a group are shifted in a round.
    fn shift(&self, group: usize, round: usize) -> Vec<usize> {
        let mut rest = round;
        let of = |field: &Field| {
            if field.order < self.seats {
                return 0;
            }
            let factor = rest % field.order;
            rest /= field.order;
            field.times(group, factor)
        };
        self.fields.iter().map(of).collect()
    }

    fn shifted(&self, table: usize, shift: &[usize]) -> usize {
        let (mut rest, mut place, mut sum) = (table, 1, 0);
        for (field, &shift) in self.fields.iter().zip(shift) {
            sum += place * field.plus(rest % field.order, shift);
            rest /= field.order;
            place *= field.order;
        }
        sum
    }
}

/// The circle method: the last position stays, and the others go round it.
fn circle(tables: usize, round: usize) -> Vec<usize> {
    let on_circle = 2 * tables - 1;
    let table = |position: usize| {
        let far = (position + on_circle - round) % on_circle;
        far.min(on_circle - far)
    };
    (0..on_circle).map(table).chain([0]).collect()
}

/// The prime powers of which a number is the product, each as a prime and an exponent.
fn prime_powers(number: usize) -> impl Iterator<Item = (usize, usize)> {
    let (mut rest, mut prime) = (number, 1);
    std::iter::from_fn(move || {
        if rest < 2 {
            return None;
        }
        prime = (prime + 1..).find(|divisor| rest % divisor == 0 || divisor * divisor > rest)?;
        if rest % prime != 0 {
            prime = rest;
        }
        let mut exponent = 0;
        while rest % prime == 0 {
            rest /= prime;
            exponent += 1;
        }
        Some((prime, exponent))
    })
}

impl Field {
    fn new((prime, degree): (usize, usize)) -> Field {
        let order = prime.pow(degree as u32);
        let moduli = (0..order).map(|number| digits(number, prime, degree));
        let modulus = moduli.clone().find(|modulus| is_irreducible(modulus, prime));
        Field { prime, order, modulus: modulus.expect("there is one of each degree") }
    }

    fn plus(&self, one: usize, other: usize) -> usize {
        let degree = self.modulus.len();
        let sums = digits(one, self.prime, degree).into_iter().zip(digits(other, self.prime, degree));
        number(&sums.map(|(one, other)| (one + other) % self.prime).collect::<Vec<_>>(), self.prime)
    }

    fn times(&self, one: usize, other: usize) -> usize {
        let degree = self.modulus.len();
        let (one, other) = (digits(one, self.prime, degree), digits(other, self.prime, degree));
        let mut product = vec![0; 2 * degree];
        for (at, one) in one.iter().enumerate() {
            for (to, other) in other.iter().enumerate() {
                product[at + to] = (product[at + to] + one * other) % self.prime;
            }
        }
        number(&remainder(product, &self.modulus, self.prime), self.prime)
    }
}

/// The lowest digit first.
fn digits(number: usize, base: usize, count: usize) -> Vec<usize> {
    let mut rest = number;
    let digit = |_| {
        let digit = rest % base;
        rest /= base;
        digit
    };
    (0..count).map(digit).collect()
}

fn number(digits: &[usize], base: usize) -> usize {
    digits.iter().rev().fold(0, |number, digit| number * base + digit)
}

/// What is left of a polynomial when it is divided by another, whose highest coefficient, 1, is left out.
fn remainder(mut polynomial: Vec<usize>, divisor: &[usize], prime: usize) -> Vec<usize> {
    let degree = divisor.len();
    while polynomial.len() > degree {
        let highest = polynomial.pop().unwrap_or_default();
        let from = polynomial.len() - degree;
        for (coefficient, divisor) in polynomial[from..].iter_mut().zip(divisor) {
            *coefficient = (*coefficient + (prime - highest) * divisor) % prime;
        }
    }
    polynomial
}

/// Whether no polynomial divides this one, whose highest coefficient, 1, is left out.
fn is_irreducible(polynomial: &[usize], prime: usize) -> bool {
    let degree = polynomial.len();
    let whole: Vec<usize> = polynomial.iter().copied().chain([1]).collect();
    (1..=degree / 2).all(|lower| {
        let mut divisors = (0..prime.pow(lower as u32)).map(|number| digits(number, prime, lower));
        divisors.all(|divisor| remainder(whole.clone(), &divisor, prime).iter().any(|&left| left != 0))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Plays a whole schedule: tables are full, and nobody meets twice. Gives how many pairs have met.
    fn meetings(tables: usize, seats: usize) -> usize {
        let schedule = Schedule::new(tables, seats);
        let mut met = HashSet::new();
        for round in 0..schedule.rounds() {
            let at = schedule.round(round);
            for table in 0..tables {
                let here: Vec<usize> = (0..at.len()).filter(|&position| at[position] == table).collect();
                assert_eq!(here.len(), seats, "{tables} tables of {seats}, round {round}");
                for (number, one) in here.iter().enumerate() {
                    for other in &here[number + 1..] {
                        assert!(met.insert((*one, *other)), "{one} meets {other} again, {tables} of {seats}");
                    }
                }
            }
        }
        met.len()
    }

    #[test]
    fn everybody_meets_everybody_once_at_tables_of_two() {
        for tables in 1..=40 {
            let players = 2 * tables;
            assert_eq!(meetings(tables, 2), players * (players - 1) / 2);
        }
    }

    #[test]
    fn as_many_tables_as_seats_meet_in_full_where_there_is_a_field() {
        for seats in [3, 4, 5, 7, 8, 9] {
            let players = seats * seats;
            assert_eq!(meetings(seats, seats), players * (players - 1) / 2, "{seats}");
            assert_eq!(Schedule::new(seats, seats).rounds(), seats + 1);
        }
    }

    #[test]
    fn nobody_meets_twice_in_any_schedule() {
        for tables in 1..=72 {
            for seats in 2..=10 {
                meetings(tables, seats);
            }
        }
        // Rounds without a rematch: fifteen tables of three, and of five; ten of four; six of four.
        let rounds = |tables, seats| Schedule::new(tables, seats).rounds();
        assert_eq!((rounds(15, 3), rounds(15, 5), rounds(10, 4), rounds(6, 4)), (15, 5, 5, 1));
        assert_eq!((rounds(16, 4), rounds(27, 6), rounds(12, 4)), (16, 27, 4));
    }

    #[test]
    fn numbers_fall_into_prime_powers() {
        let of = |number| prime_powers(number).collect::<Vec<_>>();
        assert_eq!(of(360), [(2, 3), (3, 2), (5, 1)]);
        assert_eq!((of(1), of(2), of(4999)), (vec![], vec![(2, 1)], vec![(4999, 1)]));
    }
}
