//! Worlds of Sevens: hands of the others that fit what they have traded and bet, and the rest of the deck in any order.

use serde::Deserialize;

use super::bot::{self, Bet, Position};
use super::card::{DECK, NaykuhCard};
use super::hand::{Cards, HAND};
use super::state::{Phase, Sevens};
use super::table::Table;
use super::{Action, Options};
use crate::rules::betting::{Bets, Status};
use crate::rules::bot::{Luck, Observation};
use crate::rules::seats::{PerSeat, Seat, SeatSet};
use crate::search::{Worlds, chips};

#[derive(Deserialize)]
struct View {
    hand: u16,
    dealer: Seat,
    turn: Seat,
    bet: u32,
    carried: u64,
    cards_left: u8,
    seats: Vec<SeatView>,
}

#[derive(Deserialize)]
struct SeatView {
    status: Status,
    stack: u32,
    put_in: u32,
    traded: u8,
    cards: Vec<Option<NaykuhCard>>,
}

/// What a seat knows: the table without the cards that it does not see.
pub struct Known {
    pub(super) options: Options,
    pub(super) seat: Seat,
    pub(super) hand: u16,
    pub(super) table: Table,
    /// What lies in other hands, in the deck and under the table.
    pub(super) unseen: Vec<NaykuhCard>,
    pub(super) cards_left: usize,
}

/// How often a hand is drawn for a seat before one is taken that its seat would hardly bet on.
const TRIES: usize = 20;

impl Worlds for Sevens {
    type Known = Known;
    const MIXED: f64 = 0.004;
    const LUCK_SHARE: f64 = 0.85;

    fn known(seen: &Observation) -> Known {
        let view: View = seen.view();
        let options: Options = seen.options();
        let table = view.table(options.ante_of(view.hand));
        let mut unseen: Vec<NaykuhCard> = NaykuhCard::deck().collect();
        for card in &table.cards[usize::from(seen.seat)] {
            let at = unseen.iter().position(|other| other == card).expect("the deck holds it");
            unseen.remove(at);
        }
        Known { options, seat: seen.seat, hand: view.hand, table, unseen, cards_left: view.cards_left.into() }
    }

    fn world(known: &Known, luck: &mut Luck) -> Sevens {
        let mut table = known.table.clone();
        let mut unseen = known.unseen.clone();
        luck.shuffle(&mut unseen);
        for seat in table.bets.still_in.iter().filter(|&seat| seat != known.seat) {
            table.cards[usize::from(seat)] = known.hand_of(seat, &mut unseen, luck);
        }
        table.deck = unseen.into_iter().take(known.cards_left.min(DECK)).collect();
        Sevens {
            options: known.options,
            hand: known.hand,
            last_hand: None,
            out: SeatSet::EMPTY,
            phase: Phase::Betting(table),
        }
    }

    fn candidates(&self, seat: Seat) -> Vec<Action> {
        let Phase::Betting(table) = &self.phase else { return Vec::new() };
        // Other trades would come out best in a few worlds by luck alone.
        let may_trade = !table.tradable(seat).is_empty();
        let (_, trade) =
            bot::best_trade(&table.cards[usize::from(seat)], if may_trade { 0..=HAND } else { 0..=0 });
        let mut actions = Vec::new();
        if table.may_check(seat, self.ante()) {
            actions.push(Action::Check { trade: trade.clone() });
        }
        if table.may_call(seat) {
            actions.push(Action::Call { trade: trade.clone() });
        }
        if let Some(by) = table.bets.raise_bounds(seat, self.options.limits()) {
            let sizes = chips::raises(table.bets.pot() + u64::from(table.bets.owed(seat)), by);
            actions.extend(sizes.into_iter().map(|by| Action::Raise { by, trade: trade.clone() }));
        }
        if !table.may_check(seat, self.ante()) {
            actions.push(Action::Fold {});
        }
        actions
    }

    fn careful(&self, seat: Seat) -> Action {
        let Phase::Betting(table) = &self.phase else { return Action::Fold {} };
        let (bet, trade) = bot::bet(&Position {
            hand: &table.cards[usize::from(seat)],
            may_trade: !table.tradable(seat).is_empty(),
            may_check: table.may_check(seat, self.ante()),
            may_call: table.may_call(seat),
            raise: table.bets.raise_bounds(seat, self.options.limits()),
            rivals: table.bets.still_in.len() - 1,
            owed: table.bets.owed(seat),
            pot: table.bets.pot() as u32,
        });
        match bet {
            Bet::Check => Action::Check { trade },
            Bet::Call => Action::Call { trade },
            Bet::Raise(by) => Action::Raise { by, trade },
            Bet::Fold => Action::Fold {},
        }
    }

    fn is_settled(&self) -> bool {
        !matches!(self.phase, Phase::Betting(_))
    }

    fn worth(&self, seat: Seat) -> f64 {
        self.standing(seat, chips::swing(self.ante()))
    }

    fn win_chance(&self, seat: Seat) -> f64 {
        self.standing(seat, chips::WIDE * chips::swing(self.ante()))
    }
}

impl Sevens {
    fn standing(&self, seat: Seat, swing: f64) -> f64 {
        let stacks: PerSeat<u64> = self.stacks().iter().map(|&stack| u64::from(stack)).collect();
        let left = match self.phase {
            Phase::Over { .. } => 0,
            _ => u32::from(self.options.hands - self.hand),
        };
        chips::worth(&stacks, seat, left, swing)
    }
}

impl View {
    fn table(&self, ante: u32) -> Table {
        let seats_that = |is: &dyn Fn(&SeatView) -> bool| -> SeatSet {
            self.seats.iter().zip(0..).filter(|(seat, _)| is(seat)).map(|(_, seat)| seat).collect()
        };
        let seats = seats_that(&|seat| seat.status != Status::Out);
        let still_in = seats_that(&|seat| matches!(seat.status, Status::In | Status::AllIn));
        let unheard = self.unheard(seats, ante);
        let acted = match self.bet == ante {
            true => seats.iter().filter(|&seat| !unheard.contains(seat)).collect(),
            // A seat that has put in as much as the bet has made it or answered it.
            false => seats_that(&|seat| seat.put_in == self.bet),
        };
        Table {
            dealer: self.dealer,
            seats,
            turn: self.turn,
            unheard,
            bets: Bets {
                stacks: self.seats.iter().map(|seat| seat.stack).collect(),
                put_in: self.seats.iter().map(|seat| seat.put_in).collect(),
                still_in,
                bet: self.bet,
                carried: self.carried,
                acted,
            },
            cards: self.seats.iter().map(|seat| seat.cards.iter().copied().flatten().collect()).collect(),
            traded: self.seats.iter().map(|seat| seat.traded).collect(),
            deck: Default::default(),
        }
    }

    /// The seats that have not had a turn: the one whose turn it is and those after it, as long as none of these has put
    /// in more than the ante.
    fn unheard(&self, seats: SeatSet, ante: u32) -> SeatSet {
        let from_turn: SeatSet =
            seats.from_left_of(self.dealer).skip_while(|&seat| seat != self.turn).collect();
        let put_in_more = |seat: Seat| self.seats[usize::from(seat)].put_in > ante;
        let has_traded = |seat: Seat| self.seats[usize::from(seat)].traded > 0;
        match from_turn.iter().any(|seat| put_in_more(seat) || has_traded(seat)) {
            true => SeatSet::EMPTY,
            false => from_turn,
        }
    }
}

impl Known {
    /// A hand for a seat, drawn from the top of what is unseen. What the seat has traded for it is gone.
    fn hand_of(&self, seat: Seat, unseen: &mut Vec<NaykuhCard>, luck: &mut Luck) -> Cards {
        let traded = usize::from(self.table.traded[usize::from(seat)]);
        for nth in 1.. {
            let mut cards: Cards = unseen.split_off(unseen.len() - HAND).into_iter().collect();
            let (chance, trade) = bot::best_trade(&cards, traded..=traded);
            if nth < TRIES && luck.below(100) >= self.plausible(seat, chance, &cards) {
                unseen.extend(cards);
                luck.shuffle(unseen);
                continue;
            }
            for card in trade {
                let at = cards.iter().position(|&held| held == card).expect("it is traded from the hand");
                cards.remove(at);
            }
            while cards.len() < HAND {
                cards.extend(unseen.pop());
            }
            cards.sort_unstable();
            return cards;
        }
        unreachable!("the last try is taken");
    }

    /// Out of a hundred: how often the seat would have bet as it has with these cards, whose best trade of as many
    /// cards as it traded has this chance to win.
    pub(super) fn plausible(&self, seat: Seat, chance: u32, cards: &Cards) -> usize {
        let Table { bets, unheard, traded, .. } = &self.table;
        if unheard.contains(seat) {
            return 100;
        }
        let (best, trade) = bot::best_trade(cards, 0..=HAND);
        let trades_so = trade.len() == usize::from(traded[usize::from(seat)]) || best < chance + 5;
        let by_trade = if trades_so { 100 } else { 20 };
        let has_paid = bets.put_in[usize::from(seat)] > self.options.ante_of(self.hand);
        let by_bet = match (has_paid, chance) {
            (true, 65..) | (false, ..65) => 100,
            (true, 50..) | (false, _) => 40,
            (true, _) => 12,
        };
        by_trade * by_bet / 100
    }
}
