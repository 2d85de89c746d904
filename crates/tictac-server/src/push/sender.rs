//! The requests to push services.

use std::time::Duration;

use ureq::Agent;
use ureq::unversioned::transport::DefaultConnector;

use super::address::{PublicResolver, origin};
use super::{PushConfig, PushTarget};

/// The pauses before a message is sent again.
const PAUSES: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(20)];
/// How long the push service keeps a message for a browser that is not connected, in seconds.
const KEPT: &str = "86400";

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PushResult {
    /// The push service has taken it.
    Sent,
    /// The subscription does not exist any more.
    Gone,
    /// It was refused, or the push service could not be reached in several tries.
    Failed,
}

/// Sends messages to push services.
#[derive(Debug)]
pub(crate) struct PushSender {
    agent: Agent,
    config: PushConfig,
    /// The address of this server, which a push service may use to complain.
    contact: String,
}

impl PushSender {
    pub(crate) fn new(config: PushConfig, contact: String) -> PushSender {
        let settings = Agent::config_builder()
            .http_status_as_error(false)
            .https_only(!config.allow_loopback)
            // A redirect or a proxy would lead to an address that was not checked.
            .max_redirects(0)
            .proxy(None);
        let resolver = PublicResolver::new(config.allow_loopback);
        let agent = Agent::with_parts(settings.build(), DefaultConnector::default(), resolver);
        PushSender { agent, config, contact }
    }

    /// Returns the pauses before a message is sent again; tests do not wait.
    pub(crate) fn pauses(&self) -> [Duration; 2] {
        if self.config.allow_loopback { [Duration::ZERO; 2] } else { PAUSES }
    }

    /// Sends a message within `time`, and returns `None` if it is worth trying again. It blocks the thread.
    pub(crate) fn send(
        &self,
        target: &PushTarget,
        message: &[u8],
        now: u64,
        time: Duration,
    ) -> Option<PushResult> {
        let Some(audience) = origin(&target.endpoint, self.config.allow_loopback) else {
            return Some(PushResult::Failed);
        };
        let authorization = self.config.key.authorization(&audience, &self.contact, now / 1_000);
        let (Some(authorization), Some(body)) = (authorization, target.encrypt(message)) else {
            return Some(PushResult::Failed);
        };
        let request = self
            .agent
            .post(&target.endpoint)
            .config()
            .timeout_global(Some(time))
            .build()
            .header("Authorization", authorization)
            .header("Content-Encoding", "aes128gcm")
            .header("Content-Type", "application/octet-stream")
            .header("TTL", KEPT)
            .header("Urgency", "high");
        // The response is not read: it comes from a server that a browser has named.
        match request.send(&body[..]).map(|response| response.status().as_u16()) {
            Ok(200..300) => Some(PushResult::Sent),
            Ok(404 | 410) => Some(PushResult::Gone),
            Ok(429 | 500..)
            | Err(ureq::Error::Timeout(_) | ureq::Error::Io(_) | ureq::Error::ConnectionFailed) => None,
            Ok(_) | Err(_) => Some(PushResult::Failed),
        }
    }
}
