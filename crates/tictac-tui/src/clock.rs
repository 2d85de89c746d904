//! The clock of a game: the time that each player has left.

use std::time::Duration;

use tictac::Player;

/// The time that each player has left for the rest of the game. It does not measure time itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    time: Duration,
    left: [Duration; 2],
}

/// With less time than this, tenths of a second are shown.
const SHORT: Duration = Duration::from_secs(10);

impl GameClock {
    /// Returns a clock with this much time for each player.
    pub const fn new(time: Duration) -> GameClock {
        GameClock { time, left: [time; 2] }
    }

    /// Returns a clock with a time for each player, such as in the middle of a game.
    pub fn with_times(left: [Duration; 2]) -> GameClock {
        GameClock { time: left[0].max(left[1]), left }
    }

    /// Gives both players their whole time again.
    pub const fn reset(&mut self) {
        self.left = [self.time; 2];
    }

    /// Takes time from a player; returns whether none is left.
    pub fn run(&mut self, player: Player, elapsed: Duration) -> bool {
        let left = &mut self.left[player as usize];
        *left = left.saturating_sub(elapsed);
        left.is_zero()
    }

    /// Returns the time that a player has left, such as `2:45` or `9.3`; started seconds count.
    pub fn text(&self, player: Player) -> String {
        let left = self.left[player as usize];
        if left < SHORT {
            let tenths = left.as_millis().div_ceil(100);
            return format!("{}.{}", tenths / 10, tenths % 10);
        }
        let seconds = left.as_millis().div_ceil(1000);
        match seconds / 3600 {
            0 => format!("{}:{:02}", seconds / 60, seconds % 60),
            hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
        }
    }

    /// Returns how long it takes until the text for this player changes while their time runs.
    pub fn until_next_text(&self, player: Player) -> Duration {
        let left = self.left[player as usize];
        let step = if left <= SHORT { 100 } else { 1000 };
        let rest = left.as_millis() as u64 % step;
        Duration::from_millis(if rest == 0 { step } else { rest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_counts_started_seconds_and_at_the_end_tenths() {
        let mut clock = GameClock::new(Duration::from_secs(3723));
        for (elapsed, text) in [
            (0, "1:02:03"),
            (1, "1:02:03"),
            (999, "1:02:02"),
            (3_600_000, "2:02"),
            (112_000, "0:10"),
            (100, "9.9"),
            (9_850, "0.1"),
            (49, "0.1"),
        ] {
            assert!(!clock.run(Player::Second, Duration::from_millis(elapsed)));
            assert_eq!(clock.text(Player::Second), text);
        }
        assert!(clock.run(Player::Second, Duration::from_secs(1)));
        assert_eq!(
            (clock.text(Player::Second).as_str(), clock.text(Player::First).as_str()),
            ("0.0", "1:02:03")
        );
        clock.reset();
        assert_eq!(clock, GameClock::new(Duration::from_secs(3723)));
    }

    #[test]
    fn the_text_changes_when_it_says() {
        for left in [1, 99, 100, 101, 9_999, 10_000, 10_001, 10_999, 11_000, 60_000] {
            let mut clock = GameClock::new(Duration::from_millis(left));
            let (text, wait) = (clock.text(Player::First), clock.until_next_text(Player::First));
            clock.run(Player::First, wait + Duration::from_millis(1));
            assert_ne!(clock.text(Player::First), text, "{left} ms");
        }
    }
}
