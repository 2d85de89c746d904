//! What the operator can measure, in the words of Prometheus.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

/// Counters and gauges of one server.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    pub(crate) events: Counter,
    pub(crate) conflicts: Counter,
    pub(crate) refused: Counter,
    pub(crate) throttled: Counter,
    pub(crate) slow_readers: Counter,
    pub(crate) analyses: Counter,
    pub(crate) panics: Counter,
    pub(crate) sockets: Gauge,
    pub(crate) connections: Gauge,
    pub(crate) games: Gauge,
    pub(crate) commit: Histogram,
    pub(crate) batch: Histogram,
}

impl Metrics {
    /// Returns the metrics as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("a string takes everything");
        text
    }
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("tictac");
        let metrics = Metrics {
            events: Counter::default(),
            conflicts: Counter::default(),
            refused: Counter::default(),
            throttled: Counter::default(),
            slow_readers: Counter::default(),
            analyses: Counter::default(),
            panics: Counter::default(),
            sockets: Gauge::default(),
            connections: Gauge::default(),
            games: Gauge::default(),
            commit: Histogram::new(exponential_buckets(0.000_25, 2.0, 14)),
            batch: Histogram::new(exponential_buckets(1.0, 2.0, 11)),
            registry: Registry::default(),
        };
        registry.register("events", "Events stored", metrics.events.clone());
        registry.register(
            "conflicts",
            "Events refused because another had their number",
            metrics.conflicts.clone(),
        );
        registry.register("refused", "Commands refused for any other reason", metrics.refused.clone());
        registry.register("throttled", "Requests and sockets beyond a rate limit", metrics.throttled.clone());
        registry.register("slow_readers", "Sockets dropped for not reading", metrics.slow_readers.clone());
        registry.register("analyses", "Questions to the solver", metrics.analyses.clone());
        registry.register("panics", "Requests that ended in a bug", metrics.panics.clone());
        registry.register("sockets", "WebSockets open now", metrics.sockets.clone());
        registry.register("connections", "TCP connections open now", metrics.connections.clone());
        registry.register("games_in_memory", "Games in memory now", metrics.games.clone());
        let commit = metrics.commit.clone();
        registry.register_with_unit("commit", "Time to make a batch durable", Unit::Seconds, commit);
        registry.register("batch_events", "Events stored by one commit", metrics.batch.clone());
        Metrics { registry, ..metrics }
    }
}
