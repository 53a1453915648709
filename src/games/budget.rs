//! The budget for unattended play: how many entries a minute the house writes for games that it plays by itself, where
//! no person acts. They are charged to the account that created the game, to the network that this account's requests
//! came from, and to the replica.
//!
//! Nothing is counted in the database. What a game has written puts off the time at which it is due again, and that
//! time is stored in its row. So a game that has to wait takes nobody's turn, and it waits on every replica.

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};
use moka::sync::Cache;
use uuid::Uuid;

/// Accounts and networks that are remembered.
const REMEMBERED: u64 = 100_000;
/// What is not used is saved up for this long.
const SAVED: SignedDuration = SignedDuration::from_mins(1);
/// The longest wait. A charge that lies further ahead was made while the clock was ahead, and is forgotten.
const OWED: SignedDuration = SignedDuration::from_hours(1);

/// How much may be written, in entries a minute.
#[derive(Debug, Clone, Copy)]
pub struct Rates {
    /// For one account, and for one network.
    pub each: u32,
    /// For all together, on one replica.
    pub all: u32,
}

/// How much of the budget each payer has used.
#[derive(Clone)]
pub(crate) struct Budget {
    rates: Rates,
    /// Until when each payer has used up its budget. This lies a minute back at the most.
    used: Cache<Payer, Timestamp>,
    /// The network that an account's requests last came from.
    networks: Cache<Uuid, IpAddr>,
}

/// To whom entries are charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Payer {
    Account(Uuid),
    Network(IpAddr),
    Replica,
}

impl Budget {
    pub fn new(rates: Rates) -> Budget {
        Budget { rates, used: Cache::new(REMEMBERED), networks: Cache::new(REMEMBERED) }
    }

    /// Notes where an account's requests come from.
    pub fn note(&self, account: Uuid, network: IpAddr) {
        self.networks.insert(account, network);
    }

    /// The network that an account's requests last came from, as far as it is known here.
    pub fn network(&self, account: Uuid) -> Option<IpAddr> {
        self.networks.get(&account)
    }

    /// Charges entries, and returns when the house may go on.
    pub fn charge(&self, account: Uuid, entries: usize, now: Timestamp) -> Timestamp {
        let used = self.payers(account).map(|payer| {
            let cost = cost(entries, self.rate(payer));
            let kept = self.used.entry(payer).and_upsert_with(|before| {
                let before = before.map(|before| before.into_value()).filter(|before| *before <= now + OWED);
                (before.map_or(now - SAVED, |before| before.max(now - SAVED)) + cost).min(now + OWED)
            });
            kept.into_value()
        });
        used.max().unwrap_or(now).max(now)
    }

    /// How long this account has to wait before something more can be begun for it; none where it need not wait.
    pub fn wait(&self, account: Uuid, now: Timestamp) -> Option<SignedDuration> {
        let used = self.payers(account).filter_map(|payer| self.used.get(&payer));
        let used = used.filter(|used| *used <= now + OWED).max()?;
        Some(used.duration_since(now)).filter(SignedDuration::is_positive)
    }

    fn payers(&self, account: Uuid) -> impl Iterator<Item = Payer> {
        let network = self.network(account).map(Payer::Network);
        [Payer::Account(account), Payer::Replica].into_iter().chain(network)
    }

    fn rate(&self, payer: Payer) -> u32 {
        match payer {
            Payer::Account(_) | Payer::Network(_) => self.rates.each,
            Payer::Replica => self.rates.all,
        }
    }
}

/// How long it takes until so much may be written, at a rate a minute; an hour at the most.
fn cost(entries: usize, rate: u32) -> SignedDuration {
    let entries = i64::try_from(entries).unwrap_or(i64::MAX);
    SignedDuration::from_nanos(entries.saturating_mul(60_000_000_000 / i64::from(rate.max(1)))).min(OWED)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: Rates = Rates { each: 60, all: 120 };

    fn seconds(count: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_secs(count)
    }

    #[test]
    fn a_minute_s_worth_is_free_and_then_each_entry_puts_the_next_one_off() {
        let (budget, ann) = (Budget::new(RATES), Uuid::from_u128(1));
        assert_eq!(budget.charge(ann, 60, seconds(0)), seconds(0));
        assert_eq!(budget.wait(ann, seconds(0)), None);
        assert_eq!(budget.charge(ann, 5, seconds(0)), seconds(5));
        assert_eq!(budget.wait(ann, seconds(2)), Some(SignedDuration::from_secs(3)));
        // What is saved up is a minute's worth at the most.
        assert_eq!(budget.charge(ann, 61, seconds(10_000)), seconds(10_001));
        // The clock is put back.
        assert_eq!(budget.wait(ann, seconds(100)), None);
        assert_eq!(budget.charge(ann, 1, seconds(100)), seconds(100));
    }

    #[test]
    fn accounts_of_one_network_share_what_it_is_given_and_all_share_what_the_replica_is_given() {
        let budget = Budget::new(RATES);
        let [ann, bob, cat] = [1, 2, 3].map(Uuid::from_u128);
        let network = "2001:db8::".parse().unwrap();
        budget.note(ann, network);
        budget.note(bob, network);
        assert_eq!(budget.charge(ann, 50, seconds(0)), seconds(0));
        assert_eq!(budget.charge(bob, 20, seconds(0)), seconds(10), "70 of the network's 60");
        assert_eq!(budget.wait(cat, seconds(0)), None);
        assert_eq!(budget.charge(cat, 54, seconds(0)), seconds(2), "124 of the replica's 120");
    }
}
