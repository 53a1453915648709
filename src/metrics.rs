//! What the service counts about itself, for Prometheus. `docs/metrics.md` says what each number means.
//!
//! No label is a card, a game, a player or a value that a client chooses. So the number of series is bounded by the
//! words in this file, the kinds of games and the codes of problems.

use std::sync::Arc;

use prometheus::core::Collector;
use prometheus::{
    Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder,
};

/// Buckets for how late a due game was handled, in seconds.
const LAGS: [f64; 9] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0];

/// All metrics of one replica.
pub struct Metrics {
    registry: Registry,
    /// Entries by which a seat acted.
    pub actions: Actions,
    /// Games of the whole card room that are not over, by kind and status.
    pub games: IntGaugeVec,
    /// Games that ended on this replica, by kind and status.
    pub games_over: IntCounterVec,
    /// Appends that failed because the log had moved on.
    pub conflicts: IntCounter,
    statements: Statements,
    connections: IntGaugeVec,
    connections_awaited: IntGauge,
    /// How late due games were handled, in seconds.
    pub lag: Histogram,
    /// Open streams, by what they show.
    pub streams: IntGaugeVec,
    /// Streams that were cut off before the end of what they show.
    pub cut_off: CutOff,
    /// Problems that were sent to clients, by code.
    pub problems: IntCounterVec,
    pub logins_refused: LoginsRefused,
    pub webhook_attempts: WebhookAttempts,
    pub mails: Mails,
}

/// Actions, by who took them: a player, a bot or the clock.
pub struct Actions {
    pub player: IntCounter,
    pub bot: IntCounter,
    pub clock: IntCounter,
}

/// Streams that were cut off, by reason.
#[derive(Clone)]
pub struct CutOff {
    /// The client was too far behind.
    pub behind: IntCounter,
    /// The caller may not see the game any longer.
    pub hidden: IntCounter,
    /// The data for the stream could not be read.
    pub failed: IntCounter,
}

/// Refused logins, by reason.
pub struct LoginsRefused {
    pub credentials: IntCounter,
    pub limit: IntCounter,
}

/// Attempts to deliver a message to a webhook, by what came of them.
pub struct WebhookAttempts {
    pub delivered: IntCounter,
    pub failed: IntCounter,
}

/// Mails, by what came of them.
pub struct Mails {
    pub sent: IntCounter,
    pub failed: IntCounter,
}

/// The requests that share statements, by their kind.
struct Statements {
    waiting: IntGaugeVec,
    requests: IntCounterVec,
    sent: IntCounterVec,
}

/// Requests of one kind that share statements.
#[derive(Clone)]
pub struct Batching {
    /// How many requests wait for a statement.
    pub waiting: IntGauge,
    alone: IntCounter,
    shared: IntCounter,
    sent: IntCounter,
}

impl Batching {
    /// Counts `requests` that no longer wait, because one statement runs them.
    pub fn taken(&self, requests: usize) {
        self.waiting.sub(i64::try_from(requests).unwrap_or(i64::MAX));
        self.sent(requests);
    }

    /// Counts a statement that runs `requests` which have not waited.
    pub fn sent(&self, requests: usize) {
        self.sent.inc();
        if requests == 1 { self.alone.inc() } else { self.shared.inc_by(requests as u64) }
    }
}

/// The connections of the pool.
#[derive(Debug, Clone, Copy)]
pub struct Pool {
    pub idle: usize,
    pub in_use: usize,
    /// Requests that wait for a connection.
    pub waiting: usize,
}

impl Metrics {
    pub fn new() -> Arc<Metrics> {
        let registry = Registry::new();
        let made = Maker(&registry);
        let by = |counts: IntCounterVec| move |word| counts.with_label_values(&[word]);
        let actions = by(made.counters("actions_total", "Entries by which a seat acted.", &["by"]));
        let cut_off =
            by(made.counters("streams_cut_off_total", "Streams cut off before the end.", &["reason"]));
        let attempted = "Attempts to deliver a message to a webhook.";
        let attempted = by(made.counters("webhook_attempts_total", attempted, &["result"]));
        let mails = by(made.counters("mails_total", "Mails that were sent or given up.", &["result"]));
        let refused = by(made.counters("logins_refused_total", "Logins that were refused.", &["reason"]));
        let metrics = Metrics {
            actions: Actions { player: actions("player"), bot: actions("bot"), clock: actions("clock") },
            games: made.gauges("games", "Games that are not over.", &["kind", "status"]),
            games_over: made.counters("games_over_total", "Games that ended here.", &["kind", "status"]),
            conflicts: made.counter("append_conflicts_total", "Appends that came too late."),
            statements: Statements {
                waiting: made.gauges("queue_waiting", "Requests that wait for a statement.", &["what"]),
                requests: made.counters(
                    "statement_requests_total",
                    "Requests that went into statements.",
                    &["what", "statement"],
                ),
                sent: made.counters("statements_total", "Statements that do such requests.", &["what"]),
            },
            connections: made.gauges("pool_connections", "Connections of the pool.", &["state"]),
            connections_awaited: made.gauge("pool_waiting", "Requests that wait for a connection."),
            lag: made.histogram("scheduler_lag_seconds", "How late games were taken up.", &LAGS),
            streams: made.gauges("streams_open", "Streams that are open.", &["stream"]),
            cut_off: CutOff {
                behind: cut_off("behind"),
                hidden: cut_off("hidden"),
                failed: cut_off("failed"),
            },
            problems: made.problems(),
            logins_refused: LoginsRefused { credentials: refused("credentials"), limit: refused("limit") },
            webhook_attempts: WebhookAttempts {
                delivered: attempted("delivered"),
                failed: attempted("failed"),
            },
            mails: Mails { sent: mails("sent"), failed: mails("failed") },
            registry,
        };
        metrics.see(Pool { idle: 0, in_use: 0, waiting: 0 });
        Arc::new(metrics)
    }

    /// The registry, to which the HTTP server adds its own metrics.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The metrics for requests of this kind. Call this once, not for each request.
    pub fn batching(&self, what: &'static str) -> Batching {
        let Statements { waiting, requests, sent } = &self.statements;
        Batching {
            waiting: waiting.with_label_values(&[what]),
            alone: requests.with_label_values(&[what, "alone"]),
            shared: requests.with_label_values(&[what, "shared"]),
            sent: sent.with_label_values(&[what]),
        }
    }

    /// Records the state of the pool now.
    pub fn see(&self, pool: Pool) {
        let set = |gauge: &IntGauge, value: usize| gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        set(&self.connections.with_label_values(&["idle"]), pool.idle);
        set(&self.connections.with_label_values(&["in_use"]), pool.in_use);
        set(&self.connections_awaited, pool.waiting);
    }

    /// All metrics, in Prometheus' text format.
    ///
    /// # Errors
    /// [`prometheus::Error`] where a metric cannot be written.
    pub fn text(&self) -> prometheus::Result<String> {
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }
}

/// Creates metrics and registers them.
struct Maker<'r>(&'r Registry);

impl Maker<'_> {
    fn counter(&self, name: &str, help: &str) -> IntCounter {
        self.register(IntCounter::with_opts(options(name, help)))
    }

    fn counters(&self, name: &str, help: &str, labels: &[&str]) -> IntCounterVec {
        self.register(IntCounterVec::new(options(name, help), labels))
    }

    fn problems(&self) -> IntCounterVec {
        let problems = self.counters("problems_total", "Problems that were answered.", &["code"]);
        // A rate sees the first problem only where there was a zero before.
        for code in ["internal", "unavailable"] {
            problems.with_label_values(&[code]);
        }
        problems
    }

    fn gauge(&self, name: &str, help: &str) -> IntGauge {
        self.register(IntGauge::with_opts(options(name, help)))
    }

    fn gauges(&self, name: &str, help: &str, labels: &[&str]) -> IntGaugeVec {
        self.register(IntGaugeVec::new(options(name, help), labels))
    }

    fn histogram(&self, name: &str, help: &str, buckets: &[f64]) -> Histogram {
        let options = HistogramOpts::new(format!("cardroom_{name}"), help).buckets(buckets.to_vec());
        self.register(Histogram::with_opts(options))
    }

    fn register<C: Collector + Clone + 'static>(&self, made: prometheus::Result<C>) -> C {
        let made = made.expect("names and labels are well-formed");
        self.0.register(Box::new(made.clone())).expect("each name is used once");
        made
    }
}

fn options(name: &str, help: &str) -> Opts {
    Opts::new(format!("cardroom_{name}"), help)
}
