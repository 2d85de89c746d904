//! Metrics for Prometheus.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Metric, Registry, Unit};

/// The counters, gauges and histograms of one server.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    pub(crate) events: Counter,
    pub(crate) conflicts: Counter,
    pub(crate) refused: Counter,
    pub(crate) throttled: Counter,
    pub(crate) slow_readers: Counter,
    pub(crate) unknown_clients: Counter,
    pub(crate) analyses: Counter,
    pub(crate) panics: Counter,
    pub(crate) pushes: Counter,
    pub(crate) failed_pushes: Counter,
    pub(crate) sockets: Gauge,
    pub(crate) connections: Gauge,
    pub(crate) games: Gauge,
    pub(crate) commit: Histogram,
    pub(crate) batch: Histogram,
    /// How long work has waited for its turn, by kind.
    waits: Family<[(&'static str, &'static str); 1], Histogram>,
}

impl Metrics {
    /// Returns the histogram of the seconds that work of a kind has waited for its turn.
    pub(crate) fn wait(&self, kind: &'static str) -> Histogram {
        self.waits.get_or_create_owned(&[("kind", kind)])
    }

    /// Returns the metrics as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a string does not fail");
        text
    }
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("tictac");
        let commit = Histogram::new(exponential_buckets(0.000_25, 2.0, 14));
        registry.register_with_unit("commit", "Time to make a batch durable", Unit::Seconds, commit.clone());
        let batch = Histogram::new(exponential_buckets(1.0, 2.0, 11));
        registry.register("batch_events", "Events per commit", batch.clone());
        let waits = Family::new_with_constructor(
            (|| Histogram::new(exponential_buckets(0.000_25, 4.0, 10))) as fn() -> _,
        );
        let help = "Time for which work waited for its turn";
        registry.register_with_unit("wait", help, Unit::Seconds, Family::clone(&waits));
        let r = &mut registry;
        Metrics {
            events: register(r, "events", "Events stored"),
            conflicts: register(r, "conflicts", "Actions refused because their event number was taken"),
            refused: register(r, "refused", "Actions refused for any other reason"),
            throttled: register(r, "throttled", "Requests, sockets and messages beyond a rate limit"),
            slow_readers: register(r, "slow_readers", "Sockets closed because the client did not read"),
            unknown_clients: register(
                r,
                "unknown_clients",
                "Requests in which the proxy named no client address",
            ),
            analyses: register(r, "analyses", "Positions and games analysed"),
            panics: register(r, "panics", "Requests that ended in a panic"),
            pushes: register(r, "pushes", "Messages that a push service has taken"),
            failed_pushes: register(r, "failed_pushes", "Messages that a push service has not taken"),
            sockets: register(r, "sockets", "Open WebSockets"),
            connections: register(r, "connections", "Open TCP connections"),
            games: register(r, "games_in_memory", "Games in memory"),
            commit,
            batch,
            waits,
            registry,
        }
    }
}

fn register<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    registry.register(name, help, metric.clone());
    metric
}
