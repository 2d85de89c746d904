//! Reactions: emoji that a player shows to everyone who follows the game. They are never stored: a client that is not connected at that
//! moment, or that is connected to another node, does not see them.

use tictac::Player;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

/// The shortest time between two reactions of a player.
const PAUSE: Duration = Duration::from_millis(700);

/// An emoji that players can send. There are no others and no text, so that no one can be insulted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reaction {
    /// 👍, a thumb up.
    ThumbsUp,
    /// 👏, clapping hands.
    Applause,
    /// 😄, a laughing face.
    Laugh,
    /// 😮, a surprised face.
    Surprise,
    /// 🤔, a thinking face.
    Thinking,
    /// 🎉, a party popper.
    Party,
}

/// A message from a client over the socket that sends a reaction.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReactionMessage {
    /// A number chosen by the client; a refusal repeats it as `re`.
    pub id: u64,
    /// What the player shows.
    pub reaction: Reaction,
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
    latest: Option<(Player, Reaction)>,
    /// How many there have been.
    pub(crate) count: u64,
    /// When each player sent their last one.
    sent_at: [Option<Instant>; 2],
}

impl LatestReaction {
    /// Replaces the latest reaction; returns false if the player has sent one just before.
    pub(crate) fn replace(&mut self, by: Player, reaction: Reaction, now: Instant) -> bool {
        let sent_at = &mut self.sent_at[by as usize];
        if sent_at.is_some_and(|sent_at| now.duration_since(sent_at) < PAUSE) {
            return false;
        }
        *sent_at = Some(now);
        self.latest = Some((by, reaction));
        self.count += 1;
        true
    }

    /// Returns the latest reaction if it is newer than the first `n_seen`.
    pub(crate) fn after(&self, n_seen: u64) -> Option<(Player, Reaction)> {
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
        assert!(latest.replace(Player::First, Reaction::Laugh, start));
        assert!(!latest.replace(Player::First, Reaction::Party, start + PAUSE / 2));
        assert_eq!(latest.after(0), Some((Player::First, Reaction::Laugh)));
        assert!(latest.replace(Player::Second, Reaction::Party, start + PAUSE / 2));
        assert!(latest.replace(Player::First, Reaction::Applause, start + PAUSE));
        assert_eq!((latest.after(2), latest.after(3)), (Some((Player::First, Reaction::Applause)), None));
    }
}
