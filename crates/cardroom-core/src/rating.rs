//! How good a player is, and how sure that is: a rating for games of many players (Weng and Lin's), and the figures
//! beside it. Pure.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use utoipa::ToSchema;
use uuid::Uuid;

/// Which games a leaderboard is about. Each has ratings of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// All that were ever played.
    #[default]
    All,
    /// Those that ended in this quarter of the year, UTC.
    Season,
    /// Those that ended in this ISO week, UTC.
    Week,
}

impl Window {
    pub const EACH: [Window; 3] = [Window::All, Window::Season, Window::Week];

    /// What the window is called that this moment lies in: `all`, `2026-Q4`, `2026-W47`.
    pub fn period(self, at: Timestamp) -> String {
        let date = at.to_zoned(TimeZone::UTC).date();
        match self {
            Window::All => "all".to_owned(),
            Window::Season => format!("{}-Q{}", date.year(), (date.month() - 1) / 3 + 1),
            Window::Week => {
                let week = date.iso_week_date();
                format!("{}-W{:02}", week.year(), week.week())
            }
        }
    }
}

/// What is known of a player in a window.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerRating {
    /// How good they seem to be; 25 before the first game.
    pub mu: f64,
    /// How far that may be off: its standard deviation.
    pub sigma: f64,
    pub games: u32,
    /// First places, shared ones too.
    pub wins: u32,
    /// The hands of their games.
    pub hands: u64,
    /// Games won in a row, up to the last.
    pub streak: u32,
    pub best_streak: u32,
    /// What the kind counts besides, by name; what was never counted is left out.
    pub counters: Counters,
}

/// Counters of a kind, by name.
pub type Counters = BTreeMap<String, u32>;

impl Default for PlayerRating {
    fn default() -> PlayerRating {
        let WengLinRating { rating: mu, uncertainty: sigma } = WengLinRating::new();
        let (games, wins, hands) = (0, 0, 0);
        PlayerRating { mu, sigma, games, wins, hands, streak: 0, best_streak: 0, counters: Counters::new() }
    }
}

impl PlayerRating {
    /// What they are listed by: `mu - 3 sigma`, which they are almost surely worth.
    pub fn rating(&self) -> f64 {
        self.mu - 3.0 * self.sigma
    }
}

/// A game that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    pub kind: String,
    pub ended_at: Timestamp,
    pub hands: u32,
    /// Two at least, each with an account of their own.
    pub players: Vec<Player>,
}

/// A player of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    pub account: Uuid,
    /// From 1. Others may have been at the table: only the order counts.
    pub place: u8,
    /// What the kind counts of the game besides, by name.
    pub counters: Counters,
}

/// The key of a player's figures: the kind, the period and the account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub kind: String,
    pub period: String,
    pub account: Uuid,
}

/// Everybody's figures, as far as they are needed.
pub type PlayerRatings = BTreeMap<Key, PlayerRating>;

impl Game {
    /// Counts the game. Figures that are not in the ladder begin here.
    pub fn count(&self, ratings: &mut PlayerRatings) {
        for window in Window::EACH {
            let period = window.period(self.ended_at);
            let keys: Vec<Key> = self
                .players
                .iter()
                .map(|player| Key {
                    kind: self.kind.clone(),
                    period: period.clone(),
                    account: player.account,
                })
                .collect();
            let before: Vec<PlayerRating> =
                keys.iter().map(|key| ratings.get(key).cloned().unwrap_or_default()).collect();
            for (key, figures) in keys.into_iter().zip(self.after(&before)) {
                ratings.insert(key, figures);
            }
        }
    }

    /// The players' figures after the game.
    fn after(&self, before: &[PlayerRating]) -> Vec<PlayerRating> {
        let ratings: Vec<[WengLinRating; 1]> = before
            .iter()
            .map(|figures| [WengLinRating { rating: figures.mu, uncertainty: figures.sigma }])
            .collect();
        let places = self.players.iter().map(|player| MultiTeamOutcome::new(player.place.into()));
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> =
            ratings.iter().map(|team| team.as_slice()).zip(places).collect();
        let rated = weng_lin_multi_team(&teams, &WengLinConfig::new());
        let after = |((figures, player), rated): ((&PlayerRating, &Player), Vec<WengLinRating>)| {
            let won = player.place == 1;
            let streak = if won { figures.streak + 1 } else { 0 };
            PlayerRating {
                mu: rated[0].rating,
                sigma: rated[0].uncertainty,
                games: figures.games + 1,
                wins: figures.wins + u32::from(won),
                hands: figures.hands + u64::from(self.hands),
                streak,
                best_streak: figures.best_streak.max(streak),
                counters: added(&figures.counters, &player.counters),
            }
        };
        before.iter().zip(&self.players).zip(rated).map(after).collect()
    }
}

fn added(counters: &Counters, more: &Counters) -> Counters {
    let mut sums = counters.clone();
    for (name, count) in more {
        *sums.entry(name.clone()).or_default() += count;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(places: &[u8]) -> Game {
        let player = |(account, &place)| Player {
            account: Uuid::from_u128(account),
            place,
            counters: Counters::from([("courts_of_knights".to_owned(), 1)]),
        };
        Game {
            kind: "sevens".to_owned(),
            ended_at: "2026-12-31T23:59:59Z".parse().unwrap(),
            hands: 10,
            players: (1..).zip(places).map(player).collect(),
        }
    }

    fn figures(ratings: &PlayerRatings, account: u128) -> PlayerRating {
        let found = ratings.iter().find(|(key, _)| key.account.as_u128() == account && key.period == "all");
        found.unwrap().1.clone()
    }

    #[test]
    fn windows_are_quarters_and_iso_weeks() {
        let of = |at: &str| Window::EACH.map(|window| window.period(at.parse().unwrap()));
        assert_eq!(of("2026-12-31T23:59:59.999999Z"), ["all", "2026-Q4", "2026-W53"]);
        assert_eq!(of("2027-01-01T00:00:00Z"), ["all", "2027-Q1", "2026-W53"]);
        assert_eq!(of("2027-01-04T00:00:00Z"), ["all", "2027-Q1", "2027-W01"]);
        assert_eq!(of("2024-12-30T00:00:00Z"), ["all", "2024-Q4", "2025-W01"]);
    }

    #[test]
    fn who_comes_in_before_others_is_rated_above_them() {
        let mut ratings = PlayerRatings::new();
        game(&[2, 1, 4, 2]).count(&mut ratings);
        let [a, b, c, d] = [1, 2, 3, 4].map(|account| figures(&ratings, account));
        assert!(b.mu > a.mu && a.mu > c.mu);
        assert_eq!((a.mu, a.sigma), (d.mu, d.sigma), "a shared place is worth the same");
        let new = PlayerRating::default();
        assert!([a, b, c].iter().all(|figures| figures.sigma < new.sigma), "each game makes it surer");
        assert!((new.rating()).abs() < 1e-9, "a rating begins at 0");
        assert_eq!(ratings.len(), 12, "all time, season and week");
    }

    #[test]
    fn only_the_order_of_the_places_counts() {
        let (mut all, mut some) = (PlayerRatings::new(), PlayerRatings::new());
        game(&[1, 2, 3]).count(&mut all);
        game(&[2, 4, 5]).count(&mut some);
        for account in 1..=3 {
            let (one, other) = (figures(&all, account), figures(&some, account));
            assert_eq!((one.mu, one.sigma), (other.mu, other.sigma));
        }
        assert_eq!(figures(&some, 1).wins, 0, "but a win is a first place");
    }

    #[test]
    fn streaks_are_games_won_in_a_row() {
        let mut ratings = PlayerRatings::new();
        for places in [[1, 2], [1, 1], [2, 1], [1, 2]] {
            game(&places).count(&mut ratings);
        }
        let one = figures(&ratings, 1);
        assert_eq!((one.games, one.wins, one.streak, one.best_streak), (4, 3, 1, 2));
        assert_eq!((one.hands, one.counters["courts_of_knights"]), (40, 4));
        assert_eq!((figures(&ratings, 2).streak, figures(&ratings, 2).best_streak), (0, 2));
    }

    #[test]
    fn the_better_player_comes_out_on_top() {
        let mut ratings = PlayerRatings::new();
        for turn in 0..60 {
            let places = match turn % 3 {
                0 | 1 => [1, 2, 3],
                _ => [2, 1, 3],
            };
            game(&places).count(&mut ratings);
        }
        let [a, b, c] = [1, 2, 3].map(|account| figures(&ratings, account).rating());
        assert!(a > b && b > c, "{a} {b} {c}");
    }
}
