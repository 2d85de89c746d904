//! Web Push: a message to a player's browser when it is their turn and the page is closed (RFC 8030, 8291 and 8292).
//!
//! The address of a push service comes from a browser and is hostile input, so requests go only to `https` and to public addresses.

mod address;
mod encryption;
mod key;
mod sender;

use std::fmt;
use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use self::key::PushKey;
pub(crate) use self::sender::{PushResult, PushSender};
use tictac::Player;

use crate::failure::Failure;

/// The longest address of a push service, in bytes.
const MAX_ENDPOINT: usize = 1_000;

/// How the server sends messages to browsers.
#[derive(Clone, Debug)]
pub struct PushConfig {
    /// The key that identifies the server.
    pub key: Arc<PushKey>,
    /// Whether a push service may be on this machine and without TLS, as in tests. It must be off everywhere else.
    pub allow_loopback: bool,
}

/// The browser that gets messages: the JSON of its `PushSubscription`.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct PushTarget {
    pub(crate) endpoint: String,
    pub(crate) keys: PushTargetKeys,
}

/// The keys of a browser, in unpadded URL-safe base64.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PushTargetKeys {
    p256dh: String,
    auth: String,
}

/// A request of a player to be told when it is their turn, as it is stored.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct TurnSubscription {
    pub(crate) side: Player,
    /// The language of the messages.
    pub(crate) lang: String,
    pub(crate) target: PushTarget,
}

impl fmt::Debug for TurnSubscription {
    // The address lets anyone with the server's key write to the player, so it is never logged.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnSubscription").field("side", &self.side).finish_non_exhaustive()
    }
}

impl fmt::Debug for PushTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PushTarget(…)")
    }
}

impl PushTarget {
    /// Checks everything that can be checked without a request.
    pub(crate) fn check(&self, config: &PushConfig) -> Result<(), Failure> {
        let refused = |message: &str| Failure::BadRequest(message.to_owned());
        if self.endpoint.len() > MAX_ENDPOINT {
            return Err(refused("the address of the push service is too long"));
        }
        address::origin(&self.endpoint, config.allow_loopback).ok_or_else(|| {
            refused("the address of the push service must begin with https:// and name a host")
        })?;
        self.encrypt(b"").map(drop).ok_or_else(|| refused("the keys of the browser are not valid"))
    }

    /// Returns a name of the subscription that does not reveal it.
    pub(crate) fn name(&self) -> String {
        name_of(&self.endpoint)
    }

    /// Returns a message that only the browser can read.
    fn encrypt(&self, message: &[u8]) -> Option<Vec<u8>> {
        // Browsers differ in whether they write the padding.
        let decode = |text: &str| BASE64URL_NOPAD.decode(text.trim_end_matches('=').as_bytes()).ok();
        encryption::encrypt(message, &decode(&self.keys.p256dh)?, &decode(&self.keys.auth)?)
    }
}

/// Returns the name of the subscription with this address.
pub(crate) fn name_of(endpoint: &str) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(endpoint)[..16])
}
