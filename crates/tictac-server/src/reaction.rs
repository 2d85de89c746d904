//! Reactions: emoji that a player shows to everyone who follows the game. They are never stored: a client that is not connected at that
//! moment, or that is connected to another node, does not see them.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::event::Side;

/// The shortest time between two reactions of a player.
const PAUSE: Duration = Duration::from_millis(700);

/// An emoji that players can send. There are no others and no text, so that no one can be insulted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Reaction {
    ThumbsUp,
    Applause,
    Laugh,
    Surprise,
    Thinking,
    Party,
}

/// A message from a client over the socket that sends a reaction.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReactionMessage {
    /// A number chosen by the client; a refusal repeats it as `re`.
    pub(crate) id: u64,
    pub(crate) reaction: Reaction,
}

impl Reaction {
    pub(crate) const ALL: [Reaction; 6] = [
        Reaction::ThumbsUp,
        Reaction::Applause,
        Reaction::Laugh,
        Reaction::Surprise,
        Reaction::Thinking,
        Reaction::Party,
    ];

    pub(crate) const fn emoji(self) -> &'static str {
        match self {
            Reaction::ThumbsUp => "👍",
            Reaction::Applause => "👏",
            Reaction::Laugh => "😄",
            Reaction::Surprise => "😮",
            Reaction::Thinking => "🤔",
            Reaction::Party => "🎉",
        }
    }
}

/// The latest reaction in a game. An earlier one that was not sent yet is lost.
#[derive(Debug, Default)]
pub(crate) struct LatestReaction {
    latest: Option<(Side, Reaction)>,
    /// How many there have been.
    pub(crate) count: u64,
    /// When each player sent their last one.
    sent_at: [Option<Instant>; 2],
}

impl LatestReaction {
    /// Replaces the latest reaction; returns false if the player has sent one just before.
    pub(crate) fn replace(&mut self, by: Side, reaction: Reaction, now: Instant) -> bool {
        let sent_at = &mut self.sent_at[usize::from(by == Side::Second)];
        if sent_at.is_some_and(|sent_at| now.duration_since(sent_at) < PAUSE) {
            return false;
        }
        *sent_at = Some(now);
        self.latest = Some((by, reaction));
        self.count += 1;
        true
    }

    /// Returns the latest reaction if it is newer than the first `n_seen`.
    pub(crate) fn after(&self, n_seen: u64) -> Option<(Side, Reaction)> {
        self.latest.filter(|_| self.count > n_seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_player_has_to_wait_between_reactions() {
        let mut latest = LatestReaction::default();
        let start = Instant::now();
        assert!(latest.replace(Side::First, Reaction::Laugh, start));
        assert!(!latest.replace(Side::First, Reaction::Party, start + PAUSE / 2));
        assert_eq!(latest.after(0), Some((Side::First, Reaction::Laugh)));
        assert!(latest.replace(Side::Second, Reaction::Party, start + PAUSE / 2));
        assert!(latest.replace(Side::First, Reaction::Applause, start + PAUSE));
        assert_eq!((latest.after(2), latest.after(3)), (Some((Side::First, Reaction::Applause)), None));
    }
}
