//! Knights' Heads: the ranking against a slow one, written a second time from the table's words, and against
//! the exact number of ten-card hands that make each hand.

use std::sync::LazyLock;

use cardroom_core::rules::cards::Card;
use cardroom_core::rules::knights_heads::deck::KnightsCard;
use cardroom_core::rules::knights_heads::hands::{self, Ranked};
use cardroom_core::rules::registry;
use rand::rngs::{SmallRng, StdRng};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

const FACES: &str = "KQNAMEDJB";
const NOTHING: usize = 26;

/// All that the table asks of ten cards. Faces stand by their rank, the highest first.
struct Shape {
    counts: [u8; 9],
    twins: [bool; 9],
    males: u8,
}

/// The line of the table that ten cards make, counted from 0, and the faces that it is compared by.
fn by_the_book(shape: &Shape) -> (usize, Vec<usize>) {
    let [k, q, n, a, m, e, d, j, b] = shape.counts;
    let males = shape.males;
    let of = |sizes: &[u8]| -> Vec<usize> { (0..9).filter(|&f| sizes.contains(&shape.counts[f])).collect() };
    let twins: Vec<usize> = (0..9).filter(|&f| shape.twins[f]).collect();
    let (at_least_3, at_least_4) = (of(&[3, 4, 5, 6, 7, 8, 9, 10]), of(&[4, 5, 6, 7, 8, 9, 10]));
    let table = [
        (of(&[10]).len() == 1, of(&[10])),
        (k == 8, vec![]),
        (of(&[8, 9]).len() == 1, of(&[8, 9])),
        (males == 10 && shape.counts == [1, 0, 3, 1, 1, 1, 1, 1, 1], vec![]),
        (k + q + n == 10, vec![]),
        (shape.counts == [1, 1, 2, 1, 1, 1, 1, 1, 1], vec![]),
        (males == 0 && [q, m, d, j, b].iter().all(|&count| count > 0), vec![]),
        ((k, n, a, b) == (1, 1, 4, 4), vec![]),
        (of(&[5]).len() == 2, of(&[5])),
        ((a, e, m) == (4, 4, 2), vec![]),
        (twins.len() == 5, twins.clone()),
        (k >= 2 && q >= 2 && n >= 4, vec![]),
        ((d, j, m) == (4, 4, 2), vec![]),
        (at_least_4.len() == 2, at_least_4.clone()),
        (twins.len() == 4, twins.clone()),
        (of(&[2]).len() == 5, of(&[2])),
        (k == 0 && q == 0 && n == 0, vec![]),
        (k >= 1 && q >= 1 && n >= 2, vec![]),
        (twins.len() == 3, twins.clone()),
        (males == 5, vec![]),
        (at_least_3.len() == 3, at_least_3.clone()),
        (at_least_4.len() == 1, at_least_4.clone()),
        (twins.len() == 2, twins.clone()),
        (at_least_3.len() == 2, at_least_3.clone()),
        (twins.len() == 1, twins.clone()),
        (at_least_3.len() == 1, at_least_3.clone()),
    ];
    let first = table.into_iter().enumerate().find(|(_, (fits, _))| *fits);
    first.map_or((NOTHING, vec![]), |(line, (_, faces))| (line, faces))
}

/// A card's face, by rank, and its number, read from its name.
fn face_and_number(card: KnightsCard) -> (usize, u8) {
    let name = card.name();
    let (face, number) = name.split_at(1);
    (FACES.find(face).unwrap(), number.parse().unwrap())
}

fn is_male(face: usize, number: u8) -> bool {
    match &FACES[face..=face] {
        "K" | "N" | "A" | "E" => true,
        "M" | "J" => [1, 3, 4, 5, 6, 7].contains(&number),
        "D" => number == 12,
        "B" => number != 12,
        _ => false,
    }
}

fn shape(cards: &[KnightsCard]) -> Shape {
    let cards: Vec<_> = cards.iter().copied().map(face_and_number).collect();
    let mut counts = [0; 9];
    cards.iter().for_each(|&(face, _)| counts[face] += 1);
    let twins = std::array::from_fn(|face| cards.contains(&(face, 1)) && cards.contains(&(face, 2)));
    let males = cards.iter().filter(|&&(face, number)| is_male(face, number)).count() as u8;
    Shape { counts, twins, males }
}

/// The line of the table, counted from 0.
fn line(ranked: Ranked) -> usize {
    ranked.hand.number().map_or(NOTHING, |number| usize::from(number) - 1)
}

#[test]
fn the_ranking_agrees_with_the_table_read_word_by_word() {
    let deck = known_deck();
    let mut rng = StdRng::seed_from_u64(4);
    let mut seen = [0; 27];
    for _ in 0..200_000 {
        let cards = biased_hand(&deck, &mut rng);
        let (expected, faces) = by_the_book(&shape(&cards));
        let ranked = hands::rank(&cards, true);
        assert_eq!(line(ranked), expected, "{cards:?}");
        assert_eq!(ranked.faces.iter().map(|face| face as usize).collect::<Vec<_>>(), faces, "{cards:?}");
        let notables = cards.iter().filter(|&&card| face_and_number(card).1 <= 2).count();
        assert_eq!(usize::from(ranked.notables), notables, "{cards:?}");
        seen[expected] += 1;
    }
    assert!(seen.iter().all(|&times| times > 0), "some hand never came: {seen:?}");
}

/// Every card with its face and number.
fn known_deck() -> Vec<(KnightsCard, usize, u8)> {
    let known = |card| {
        let (face, number) = face_and_number(card);
        (card, face, number)
    };
    KnightsCard::deck().map(known).collect()
}

/// Ten cards of some faces only, and now and then of one sex only or with many notable cards, so that rare
/// hands come too.
fn biased_hand(deck: &[(KnightsCard, usize, u8)], rng: &mut StdRng) -> Vec<KnightsCard> {
    let some = rng.random_range(1..=9);
    let faces: Vec<usize> = [0, 1, 2, 3, 4, 5, 6, 7, 8].sample(rng, some).copied().collect();
    let bias = rng.random_range(0..5);
    let wanted = |&&(_, face, number): &&(KnightsCard, usize, u8)| {
        let fits = match bias {
            0 => is_male(face, number),
            1 => !is_male(face, number),
            2 => number <= 2,
            3 => number <= 4,
            _ => true,
        };
        fits && faces.contains(&face)
    };
    let pool: Vec<KnightsCard> = deck.iter().filter(wanted).map(|&(card, ..)| card).collect();
    let cards: Vec<_> = pool.sample(rng, 10).copied().collect();
    if cards.len() == 10 { cards } else { biased_hand(deck, rng) }
}

#[test]
fn a_card_more_never_makes_a_lower_hand() {
    let deck = known_deck();
    let mut rng = StdRng::seed_from_u64(5);
    for _ in 0..20_000 {
        let cards = biased_hand(&deck, &mut rng);
        let made: Vec<_> = (0..=10).map(|held| hands::rank(&cards[..held], true).hand).collect();
        assert!(made.is_sorted(), "{cards:?} makes {made:?}");
    }
}

#[test]
fn the_hands_of_a_sample_come_as_often_as_they_are_counted() {
    const SAMPLE: u32 = 1_000_000;
    // Its code is compiled with the test's own, and so it is fast in an unoptimised build.
    let mut rng = SmallRng::seed_from_u64(6);
    let mut deck: Vec<KnightsCard> = KnightsCard::deck().collect();
    let mut seen = [0; 27];
    for _ in 0..SAMPLE {
        let (cards, _) = deck.partial_shuffle(&mut rng, 10);
        seen[line(hands::rank(cards, true))] += 1;
    }
    for (line, exact) in EXACT.iter().enumerate() {
        let share = *exact as f64 / choose(104, 10) as f64;
        let expected = share * f64::from(SAMPLE);
        let deviation = (expected * (1.0 - share)).sqrt();
        let off = (f64::from(seen[line]) - expected).abs();
        assert!(off <= 5.0 * deviation + 1.0, "line {}: {} for {expected:.1}", line + 1, seen[line]);
    }
}

#[test]
fn clients_are_told_as_many_hands_as_are_counted_by_the_words_of_the_table() {
    let odds = (registry::by_name("knights_heads").unwrap().odds)().unwrap();
    let table = odds.tables.iter().find(|table| table.name == "ten_cards").unwrap();
    let told: Vec<_> = table.rows.iter().map(|row| row.counted.unwrap()).collect();
    assert_eq!(told.iter().map(|row| row.ways).collect::<Vec<_>>(), *EXACT);
    assert!(told.iter().all(|row| row.of == choose(104, 10)));
}

#[test]
fn the_hands_that_can_be_counted_by_hand_are_as_many() {
    let number = |line: usize| EXACT[line - 1];
    let (five, four, two) = (choose(12, 5), choose(12, 4), choose(12, 2));
    let many_of_a_face = |others: u64| choose(12, 8) * choose(others, 2) + choose(12, 9) * others;
    let royal_but_higher = 2 * choose(12, 10) + choose(24, 2) + 2 * many_of_a_face(20);
    assert_eq!(EXACT.iter().sum::<u64>(), choose(104, 10));
    assert_eq!(number(1), 8 * choose(12, 10));
    assert_eq!(number(2), choose(96, 2));
    assert_eq!(number(3), 8 * many_of_a_face(92));
    assert_eq!(number(4), 8 * choose(12, 3) * 12 * 6 * 12 * 6 * 11);
    assert_eq!(number(5), choose(32, 10) - royal_but_higher);
    assert_eq!(number(6), 8 * two * 12u64.pow(7));
    assert_eq!(number(8), 8 * 12 * four * four);
    assert_eq!(number(9), 27 * five * five + 6 * choose(8, 5) * five);
    assert_eq!(number(10), four * four * two);
    assert_eq!(number(11), choose(9, 5));
    assert_eq!(number(13), four * four * two);
}

#[test]
fn all_the_hands_of_a_small_deck_are_as_many_as_they_are_counted() {
    let (kings_and_queens, kings_and_jugglers, notables) = (
        all_hands(|face, _| "KQ".contains(face)),
        all_hands(|face, _| "KJ".contains(face)),
        all_hands(|_, number| number <= 2),
    );
    let twelve_and_eight = |twelve, eight| choose(12, twelve) * choose(8, eight);
    let (dynasties, twin_courts) = (choose(12, 10), twelve_and_eight(8, 2) + twelve_and_eight(9, 1));
    let expected = [(1, dynasties), (2, choose(12, 2)), (3, twin_courts)];
    let of_line = |hands: &[u64; 27], expected: &[(usize, u64)]| {
        expected.iter().for_each(|&(line, number)| assert_eq!(hands[line - 1], number, "line {line}"));
    };
    of_line(&kings_and_queens, &expected);
    of_line(&kings_and_jugglers, &expected);
    let rest = choose(20, 10) - dynasties - choose(12, 2) - twin_courts;
    of_line(&kings_and_queens, &[(5, rest)]);
    // Three kings, with two jugglers of the six men and five of the six women.
    let families = choose(8, 3) * choose(6, 2) * 6;
    let divided = twelve_and_eight(5, 5);
    let councils = twelve_and_eight(4, 6) + twelve_and_eight(6, 4);
    of_line(&kings_and_jugglers, &[(9, divided), (14, councils), (20, families)]);
    of_line(&kings_and_jugglers, &[(22, rest - divided - councils - families)]);
    // Of nine pairs: five whole; four whole and two halves; all nine faces with both the knights.
    of_line(&notables, &[(11, choose(9, 5)), (15, choose(9, 4) * choose(5, 2) * 4), (6, 1 << 8)]);
}

/// How often each line of the table comes among all ten-card hands of some cards, of which there are at most 20.
fn all_hands(of: impl Fn(&str, u8) -> bool) -> [u64; 27] {
    let deck: Vec<KnightsCard> = known_deck()
        .into_iter()
        .filter(|&(_, face, number)| of(&FACES[face..=face], number))
        .map(|(card, ..)| card)
        .collect();
    let mut numbers = [0; 27];
    for chosen in (0..1u32 << deck.len()).filter(|chosen| chosen.count_ones() == 10) {
        let cards: Vec<_> = (0..deck.len()).filter(|at| chosen >> at & 1 == 1).map(|at| deck[at]).collect();
        numbers[line(hands::rank(&cards, true))] += 1;
    }
    numbers
}

/// In how many ways cards can be drawn, by how many twins and how many males are among them.
type Ways = [[u64; 11]; 6];

/// How many of all ten-card hands make each line: for each way to share ten cards among the faces, by how
/// many twins and males there are.
static EXACT: LazyLock<[u64; 27]> = LazyLock::new(|| {
    let mut numbers = [0; 27];
    let mut none = Ways::default();
    none[0][0] = 1;
    add_hands([0; 9], 0, &none, &mut numbers);
    numbers
});

/// Adds up the hands that begin with these counts of the faces before `face`.
fn add_hands(counts: [u8; 9], face: usize, ways: &Ways, numbers: &mut [u64; 27]) {
    let left = 10 - counts.iter().sum::<u8>();
    if face == 9 {
        if left == 0 {
            add_shapes(counts, ways, numbers);
        }
        return;
    }
    for count in 0..=left {
        let more = of_a_face(face, count);
        if more.is_empty() {
            break;
        }
        let mut counts = counts;
        counts[face] = count;
        add_hands(counts, face + 1, &together(ways, &more), numbers);
    }
}

fn add_shapes(counts: [u8; 9], ways: &Ways, numbers: &mut [u64; 27]) {
    for (twins, by_males) in ways.iter().enumerate() {
        for (males, &ways) in by_males.iter().enumerate().filter(|(_, ways)| **ways > 0) {
            // Which faces the twins are of does not change the line.
            let twins = std::array::from_fn(|face| face < twins);
            numbers[by_the_book(&Shape { counts, twins, males: males as u8 }).0] += ways;
        }
    }
}

/// The ways to draw so many cards of a face: twins or not, males, ways.
fn of_a_face(face: usize, count: u8) -> Vec<(usize, usize, u64)> {
    let last = if face == 0 { 8 } else { 12 };
    let number_of = |male: bool, notable: bool| {
        (1..=last).filter(|&n| is_male(face, n) == male && (n <= 2) == notable).count() as u64
    };
    let [men, women, other_men, other_women] =
        [(true, true), (false, true), (true, false), (false, false)].map(|(m, n)| number_of(m, n));
    let mut all = Vec::new();
    for (m, w, o) in
        (0..=men).flat_map(|m| (0..=women).flat_map(move |w| (0..=other_men).map(move |o| (m, w, o))))
    {
        let Some(rest) = u64::from(count).checked_sub(m + w + o) else { continue };
        let ways = choose(men, m) * choose(women, w) * choose(other_men, o) * choose(other_women, rest);
        if ways > 0 {
            all.push((usize::from(m + w == 2), (m + o) as usize, ways));
        }
    }
    all
}

fn together(ways: &Ways, more: &[(usize, usize, u64)]) -> Ways {
    let mut all = Ways::default();
    for (twins, by_males) in ways.iter().enumerate() {
        for (males, &ways) in by_males.iter().enumerate().filter(|(_, ways)| **ways > 0) {
            for &(more_twins, more_males, more_ways) in more {
                all[twins + more_twins][males + more_males] += ways * more_ways;
            }
        }
    }
    all
}

fn choose(of: u64, number: u64) -> u64 {
    if number > of { 0 } else { (0..number).fold(1, |ways, drawn| ways * (of - drawn) / (drawn + 1)) }
}
