//! Royal Gambit, steadily: every card that lies open is counted, so the chance of a bust is known. Hit while
//! the next card promises more than it threatens; and always rather than lose for sure.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::rules::bot::Observation;

const RANKS: &str = "A23456789TJQK";
const OF_EACH: usize = 4;

#[derive(Deserialize)]
struct View {
    stage: String,
    discarded: Vec<String>,
    seats: Vec<Seat>,
}

#[derive(Deserialize)]
struct Seat {
    seat: u8,
    status: String,
    row: Vec<String>,
    worth: u32,
    total: u32,
}

pub fn steady(seen: &Observation) -> Value {
    let (view, menu): (View, _) = (seen.view(), seen.menu());
    let (view, menu) = (&view, &menu);
    let seat = seen.seat;

    let seats_of = |name| menu.from(name, "seat").iter().filter_map(Value::as_u64).map(|seat| seat as u8);
    if menu.has("give") {
        // A seven in the row can bust, so it goes to the seat that is ahead.
        let ahead = seats_of("give").max_by_key(|&seat| view.seat(seat).total + view.seat(seat).worth);
        return json!({"type": "give", "seat": ahead});
    }
    if menu.has("spy") {
        let worst = seats_of("spy").max_by_key(|&target| view.harm(target, seat));
        return json!({"type": "spy", "seat": worst});
    }
    let hits = menu.has("hit") && view.wants_more(seat);
    json!({"type": if hits { "hit" } else { "stay" }})
}

impl View {
    fn seat(&self, seat: u8) -> &Seat {
        self.seats.iter().find(|other| other.seat == seat).expect("the view lists every seat")
    }

    fn wants_more(&self, seat: u8) -> bool {
        let own = self.seat(seat);
        let rivals = self.seats.iter().filter(|other| other.seat != seat);
        let ahead =
            rivals.map(|other| other.total + if other.status == "stayed" { 0 } else { other.worth / 2 });
        // In these hands a lower total is as good as none.
        let is_last_chance = self.stage != "ordinary" && ahead.max() >= Some(own.total + own.worth);
        let (threat, promise) = self.next_card(own);
        own.worth == 0 || is_last_chance || promise > threat
    }

    /// What a flip threatens and promises, in points out of all cards that may come.
    fn next_card(&self, own: &Seat) -> (usize, usize) {
        let worth = own.worth as usize;
        let doubles = if own.has('K') { 2 } else { 1 };
        let (mut threat, mut promise) = (0, 0);
        for (rank, points) in RANKS.chars().zip(1..) {
            let left = self.unseen(rank);
            match rank {
                _ if own.has(rank) && own.has('Q') => {}
                _ if own.has(rank) => threat += left * worth,
                'A' | '2' | '3' | '4' | '5' => promise += left * points * doubles,
                'K' => promise += left * worth,
                _ => {}
            }
        }
        (threat, promise)
    }

    /// How much two flips would hurt a seat: oneself most, except with nothing to lose.
    fn harm(&self, target: u8, own: u8) -> (bool, usize) {
        let (threat, promise) = self.next_card(self.seat(target));
        if target == own { (threat == 0, promise) } else { (threat > 0, threat) }
    }

    /// How many cards of a rank have not been seen in this hand.
    fn unseen(&self, rank: char) -> usize {
        let seen = self.seats.iter().flat_map(|seat| &seat.row).chain(&self.discarded);
        OF_EACH - seen.filter(|card| card.starts_with(rank)).count().min(OF_EACH)
    }
}

impl Seat {
    fn has(&self, rank: char) -> bool {
        self.row.iter().any(|card| card.starts_with(rank))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether seat 0 wants more with a row that most cards bust, worth 15, against one rival.
    fn wants_more(stage: &str, rival: Value) -> bool {
        let mut rival = rival;
        (rival["seat"], rival["row"]) = (json!(1), json!([]));
        let own = json!({"seat": 0, "status": "in", "row": ["AC", "2C", "3C", "4C", "5C"], "worth": 15, "total": 0});
        let view = json!({"stage": stage, "discarded": [], "seats": [own, rival]});
        serde_json::from_value::<View>(view).unwrap().wants_more(0)
    }

    #[test]
    fn in_a_last_hand_it_takes_a_risk_if_a_rival_is_ahead_or_may_soon_be() {
        let rival =
            |status: &str, worth: u32, total: u32| json!({"status": status, "worth": worth, "total": total});
        for (rival, risks) in [
            (rival("stayed", 0, 15), true),
            (rival("stayed", 30, 14), false),
            // What lies in a running row counts half, because it may bust.
            (rival("in", 30, 0), true),
            (rival("in", 29, 0), false),
            (rival("in", 10, 9), false),
        ] {
            assert_eq!(wants_more("extra", rival.clone()), risks, "{rival}");
            assert!(!wants_more("ordinary", rival.clone()), "{rival}");
        }
    }
}
