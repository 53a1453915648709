//! Worlds of Knights' Heads: hands of the others that fit the rabble that a seat gave and got and what the others have
//! bet, and any luck cards.

use std::cmp::Reverse;

use serde::Deserialize;

use super::bot::{self, Bet, Position};
use super::deck::KnightsCard;
use super::hands::rank;
use super::rabble::{RABBLE, Rabble, Three};
use super::state::{KnightsHeads, Phase};
use super::table::{Cards, DEALT, Round, Stage, Table};
use super::{Action, Options, PhaseName};
use crate::rules::betting::{Bets, Status};
use crate::rules::bot::{Luck, Observation};
use crate::rules::seats::{PerSeat, Seat, SeatSet};
use crate::search::{Worlds, chips};

#[derive(Deserialize)]
struct View {
    hand: u16,
    dealer: Seat,
    phase: PhaseName,
    turn: Option<Seat>,
    bet: u32,
    carried: u64,
    seats: Vec<SeatView>,
    own: Own,
}

#[derive(Deserialize)]
struct SeatView {
    status: Status,
    stack: u32,
    put_in: u32,
    cards: Vec<Option<KnightsCard>>,
}

#[derive(Deserialize)]
struct Own {
    gave: Three,
    got: Three,
}

/// What a seat knows: the table without the cards that it does not see.
pub struct Known {
    pub(super) options: Options,
    pub(super) seat: Seat,
    pub(super) hand: u16,
    /// Its rabble holds what the seat itself gives.
    pub(super) table: Table,
    /// The seats that have picked their rabble, as far as the seat can tell.
    pub(super) givers: SeatSet,
    /// The rabble that came to the seat.
    got: Three,
    /// What lies in other hands, in the deck and with nobody, but for the rabble that the seat gave.
    pub(super) unseen: Vec<KnightsCard>,
}

/// What is drawn for a seat.
struct Drawn {
    cards: Cards,
    /// Its rabble; nothing before it has picked it.
    given: Three,
}

/// How often cards are drawn for a seat before some are taken that its seat would hardly bet on.
const TRIES: usize = 16;

impl Worlds for KnightsHeads {
    type Known = Known;
    const MIXED: f64 = 0.004;
    const LUCK_SHARE: f64 = 0.6;

    fn known(seen: &Observation) -> Known {
        let view: View = seen.view();
        let options: Options = seen.options();
        let menu = seen.menu();
        let is_opened = menu.has("match") || menu.has("call");
        let table = view.table(seen.seat, is_opened);
        let own = &table.cards[usize::from(seen.seat)];
        Known {
            options,
            seat: seen.seat,
            hand: view.hand,
            givers: view.givers(options.ante_of(view.hand), is_opened),
            unseen: KnightsCard::deck()
                .filter(|card| !own.contains(card) && !view.own.gave.contains(card))
                .collect(),
            got: view.own.got,
            table,
        }
    }

    fn world(known: &Known, luck: &mut Luck) -> KnightsHeads {
        let mut table = known.table.clone();
        let mut unseen = known.unseen.clone();
        let mut passed = table.rabble.gave(known.seat).clone();
        let others = table.bets.still_in.iter().chain(known.givers.iter()).collect::<SeatSet>();
        for seat in others.from_left_of(known.seat).filter(|&seat| seat != known.seat) {
            let drawn = known.drawn(seat, &passed, &mut unseen, luck);
            if table.bets.still_in.contains(seat) {
                table.cards[usize::from(seat)] = drawn.cards;
            }
            table.rabble.pick(seat, drawn.given.clone());
            if known.givers.contains(known.seat) {
                passed = drawn.given;
            }
        }
        table.luck = (0..table.seats.len()).map(|_| drawn(&mut unseen, luck)).collect();
        KnightsHeads {
            options: known.options,
            hand: known.hand,
            last_hand: None,
            out: SeatSet::EMPTY,
            phase: Phase::Hand(table),
        }
    }

    fn candidates(&self, seat: Seat) -> Vec<Action> {
        let Phase::Hand(table) = &self.phase else { return Vec::new() };
        if table.turn() != Some(seat) {
            let rabbles = rabbles(&table.cards[usize::from(seat)], self.options.triplet_counts);
            return rabbles.into_iter().map(|cards| Action::Rabble { cards }).collect();
        }
        let mut actions = Vec::new();
        if table.may_pass() {
            actions.push(Action::Pass {});
        }
        if !table.is_unopened() {
            actions.push(table.matched(seat));
        }
        if let Some(by) = table.bets.raise_bounds(seat, self.options.limits()) {
            let sizes = chips::raises(table.bets.pot() + u64::from(table.bets.owed(seat)), by);
            actions.extend(sizes.into_iter().map(|by| table.raised(by)));
        }
        if !table.may_pass() {
            actions.push(Action::Fold {});
        }
        actions
    }

    fn careful(&self, seat: Seat) -> Action {
        let Phase::Hand(table) = &self.phase else { return Action::Fold {} };
        let hand = &table.cards[usize::from(seat)];
        if table.turn() != Some(seat) {
            return Action::Rabble { cards: bot::rabble(hand) };
        }
        let bet = bot::bet(&Position {
            makes: rank(hand, self.options.triplet_counts).hand,
            is_first_round: matches!(table.stage, Stage::Betting { round: Round::First, .. }),
            may_pass: table.may_pass(),
            may_match: !table.is_unopened(),
            raise: table.bets.raise_bounds(seat, self.options.limits()),
            in_hand: table.bets.still_in.len(),
            owed: table.bets.owed(seat),
            pot: table.bets.pot() as u32,
        });
        match bet {
            Bet::Pass => Action::Pass {},
            Bet::Match => table.matched(seat),
            Bet::Raise(by) => table.raised(by),
            Bet::Fold => Action::Fold {},
        }
    }

    fn is_settled(&self) -> bool {
        !matches!(self.phase, Phase::Hand(_))
    }

    fn worth(&self, seat: Seat) -> f64 {
        self.standing(seat, chips::swing(self.options.ante_of(self.hand)))
    }

    fn win_chance(&self, seat: Seat) -> f64 {
        self.standing(seat, chips::WIDE * chips::swing(self.options.ante_of(self.hand)))
    }
}

impl KnightsHeads {
    fn standing(&self, seat: Seat, swing: f64) -> f64 {
        let stacks: PerSeat<u64> = self.stacks().iter().map(|&stack| u64::from(stack)).collect();
        let left = match self.phase {
            Phase::Over { .. } => 0,
            _ => u32::from(self.options.hands - self.hand),
        };
        chips::worth(&stacks, seat, left, swing)
    }
}

impl Table {
    /// How a seat puts in what it owes.
    fn matched(&self, seat: Seat) -> Action {
        if self.match_calls(seat) { Action::Call {} } else { Action::Match {} }
    }

    /// How the seat whose turn it is puts in so much more than it owes.
    fn raised(&self, by: u32) -> Action {
        if self.is_unopened() { Action::Bet { by } } else { Action::Raise { by } }
    }
}

impl View {
    /// The table as `viewer` sees it, which gives what it gave.
    fn table(&self, viewer: Seat, is_opened: bool) -> Table {
        let mut rabble = Rabble::none(self.seats.len());
        rabble.pick(viewer, self.own.gave.clone());
        Table {
            dealer: self.dealer,
            seats: self.seats_that(|seat| seat.status != Status::Out),
            bets: self.bets(is_opened),
            cards: self.seats.iter().map(|seat| seat.cards.iter().copied().flatten().collect()).collect(),
            rabble,
            stage: self.stage(is_opened),
            luck: Default::default(),
        }
    }

    fn bets(&self, is_opened: bool) -> Bets {
        let still_in = self.seats_that(|seat| matches!(seat.status, Status::In | Status::AllIn));
        let acted = match self.turn {
            // A seat that has put in as much as the bet has made it or answered it.
            _ if is_opened => self.seats_that(|seat| seat.put_in == self.bet),
            Some(turn) => still_in.from_left_of(self.dealer).take_while(|&seat| seat != turn).collect(),
            None => SeatSet::EMPTY,
        };
        Bets {
            stacks: self.seats.iter().map(|seat| seat.stack).collect(),
            put_in: self.seats.iter().map(|seat| seat.put_in).collect(),
            still_in,
            bet: self.bet,
            carried: self.carried,
            acted,
        }
    }

    fn stage(&self, is_opened: bool) -> Stage {
        let round = match self.phase {
            PhaseName::FirstBetting => Round::First,
            PhaseName::SecondBetting => Round::Second,
            _ => Round::Final,
        };
        // All that counts of what the bet was when the round began is whether it is higher now.
        let opening = if is_opened { 0 } else { self.bet };
        self.turn.map_or(Stage::Rabble, |turn| Stage::Betting { round, turn, opening })
    }

    /// The seats that have picked their rabble. The view does not tell which of the folded seats had: most likely those
    /// that had put in more than the ante, and before the next bet as much as is asked for.
    fn givers(&self, ante: u32, is_opened: bool) -> SeatSet {
        let had_picked = |seat: &SeatView| match self.phase {
            PhaseName::SecondBetting if !is_opened => seat.put_in == self.bet,
            _ => seat.put_in > ante,
        };
        match self.phase {
            PhaseName::FirstBetting => SeatSet::EMPTY,
            PhaseName::Rabble => self.seats_that(|seat| seat.cards.len() == DEALT - RABBLE),
            _ => self.seats_that(|seat| match seat.status {
                Status::Out => false,
                Status::Folded => had_picked(seat),
                Status::In | Status::AllIn => true,
            }),
        }
    }

    fn seats_that(&self, is: impl Fn(&SeatView) -> bool) -> SeatSet {
        self.seats.iter().zip(0..).filter(|(seat, _)| is(seat)).map(|(_, seat)| seat).collect()
    }
}

impl Known {
    /// Cards for a seat that got these as rabble, from its right.
    fn drawn(&self, seat: Seat, got: &Three, unseen: &mut Vec<KnightsCard>, luck: &mut Luck) -> Drawn {
        let known = self.known_of(seat);
        for nth in 1.. {
            let mut dealt: Cards = known.iter().copied().collect();
            while dealt.len() < DEALT {
                dealt.push(drawn(unseen, luck));
            }
            dealt.sort_unstable();
            let given = match self.givers.contains(seat) {
                true if known.is_empty() => bot::rabble(&dealt),
                // Nothing is known of the rabble of a seat that has given none.
                _ => known.clone(),
            };
            let mut cards: Cards = dealt.iter().copied().filter(|card| !given.contains(card)).collect();
            cards.extend(got.iter().copied());
            if self.is_final() {
                cards.push(drawn(unseen, luck));
            }
            cards.sort_unstable();
            let bets_on = if self.is_before_second() { &dealt } else { &cards };
            if nth < TRIES && luck.below(100) >= self.plausible(seat, bets_on) {
                unseen.extend(
                    cards.iter().chain(&given).filter(|card| !got.contains(card) && !known.contains(card)),
                );
                continue;
            }
            return Drawn { cards, given };
        }
        unreachable!("the last try is taken");
    }

    /// What the seat is known to have been dealt: what it gave.
    fn known_of(&self, seat: Seat) -> Three {
        match self.givers.contains(seat) && self.givers.from_left_of(seat).next() == Some(self.seat) {
            true => self.got.clone(),
            false => Three::new(),
        }
    }

    fn is_final(&self) -> bool {
        matches!(self.table.stage, Stage::Betting { round: Round::Final, .. })
    }

    /// Whether the bets so far were made before the rabble was passed.
    fn is_before_second(&self) -> bool {
        matches!(self.table.stage, Stage::Rabble | Stage::Betting { round: Round::First, .. })
    }

    /// Out of a hundred: how often the seat would have bet as it has with these cards.
    fn plausible(&self, seat: Seat, cards: &Cards) -> usize {
        let Table { bets, .. } = &self.table;
        if !bets.still_in.contains(seat) {
            return 100;
        }
        let makes = rank(cards, self.options.triplet_counts).hand;
        let is_first = self.is_before_second();
        let chance = bot::against_one(makes, is_first);
        let ante = self.options.ante_of(self.hand).max(1);
        let put_in = bets.put_in[usize::from(seat)];
        if is_first {
            return if put_in > ante && chance < 35 { 10 } else { 100 };
        }
        let has_made_the_bet = bets.put_in.iter().filter(|&&chips| chips >= put_in).count() == 1;
        if self.table.is_unopened() {
            let has_passed = bets.acted.contains(seat);
            return match chance {
                65.. if has_passed => 30,
                25.. => 100,
                _ => 50,
            };
        }
        match (has_made_the_bet, chance) {
            (_, 65..) => 100,
            (true, 45..) => 15,
            (true, 25..) => 10,
            (true, _) => 5,
            (false, 45..) => 80,
            (false, 25..) => 50,
            (false, _) => 20,
        }
    }
}

/// Any card of these, which is taken from them.
fn drawn(unseen: &mut Vec<KnightsCard>, luck: &mut Luck) -> KnightsCard {
    unseen.swap_remove(luck.below(unseen.len()))
}

/// How many rabbles are thought about.
const RABBLES: usize = 8;

/// The rabbles that leave most: first the one that steady play gives, then those whose rest wins most often with four
/// more cards.
fn rabbles(hand: &[KnightsCard], triplet_counts: bool) -> Vec<Three> {
    let mut unseen: Vec<KnightsCard> = KnightsCard::deck().filter(|card| !hand.contains(card)).collect();
    // Each rabble is tried with the same cards, which are the same for the same hand.
    Luck::new(0).shuffle(&mut unseen);
    let mut rabbles = Vec::new();
    for third in 2..hand.len() {
        for second in 1..third {
            for first in 0..second {
                let given = Three::from([hand[first], hand[second], hand[third]]);
                let kept = hand.iter().filter(|card| !given.contains(card));
                let mut cards: Cards = kept.copied().collect();
                let mut wins = 0;
                for more in unseen.chunks_exact(4) {
                    cards.truncate(hand.len() - RABBLE);
                    cards.extend(more.iter().copied());
                    wins += bot::against_one(rank(&cards, triplet_counts).hand, false);
                }
                rabbles.push((wins, given));
            }
        }
    }
    rabbles.sort_by_key(|&(wins, _)| Reverse(wins));
    let steady = bot::rabble(hand);
    let others = rabbles.into_iter().map(|(_, given)| given);
    let others = others.filter(|given| given.iter().any(|card| !steady.contains(card)));
    [steady.clone()].into_iter().chain(others).take(RABBLES).collect()
}
