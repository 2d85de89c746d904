//! Matches of the computer against itself, between two levels.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tictac::notation::Style;
use tictac::{Goal, Mark, Outcome, Player, Rules, State, Status};
use tictac_solver::level::Level;

use crate::computer_player::ComputerPlayer;
use crate::paint::{OutputStyle, Paint};
use crate::progress::DelayedBar;
use crate::summary::bar;

pub(super) struct LevelMatch {
    pub(super) rules: Rules,
    /// The levels of X and O; where marks do not name players, of the first and second player in the first game.
    pub(super) levels: [Level; 2],
    pub(super) n_games: u64,
    /// How long each position is shown; without it the positions are not shown.
    pub(super) delay: Option<Duration>,
    pub(super) time_limit: Duration,
    pub(super) seed: u64,
    pub(super) json: bool,
}

/// The results of a match.
#[derive(Default)]
struct MatchScore {
    x_won: u64,
    o_won: u64,
    drawn: u64,
    n_moves: usize,
}

impl LevelMatch {
    pub(super) fn run(&self, style: OutputStyle, out: &mut impl Write) -> io::Result<()> {
        let mut score = MatchScore::default();
        // Each side has its own random numbers, so that the moves of one do not depend on how many the other drew.
        let mut players = [Mark::X, Mark::O].map(|side| {
            let seed = self.seed.wrapping_add(side as u64);
            ComputerPlayer::new(self.levels[side as usize], self.time_limit, Some(seed))
        });
        // No bar is drawn if the boards are shown.
        let template = "{wide_bar} {pos}/{len} games, {eta} left";
        let bar = self.delay.is_none().then(|| DelayedBar::start(template, style.charset, |_| {}));
        for number in 0..self.n_games {
            if let Some(bar) = &bar {
                bar.set_length(self.n_games);
                bar.set_position(number);
            }
            let state = self.play(number, &mut players, style.paint, out)?;
            score.n_moves += state.n_moves();
            match state.status() {
                Status::Over(Outcome::Win(winner)) if side_of(winner, number) == Mark::X => score.x_won += 1,
                Status::Over(Outcome::Win(_)) => score.o_won += 1,
                _ => score.drawn += 1,
            }
        }
        drop(bar);
        if self.json { writeln!(out, "{}", self.json(&score)) } else { write!(out, "{}", self.text(&score)) }
    }

    fn json(&self, score: &MatchScore) -> Value {
        json!({
            "rules": self.rules.to_string(),
            "x": self.levels[0].name(),
            "o": self.levels[1].name(),
            "games": self.n_games,
            "x_won": score.x_won,
            "o_won": score.o_won,
            "drawn": score.drawn,
            "moves": score.n_moves,
            "seed": self.seed,
        })
    }

    fn text(&self, score: &MatchScore) -> String {
        let LevelMatch { rules, levels: [x, o], n_games, seed, .. } = self;
        let [first, second] = if rules.marks_name_players() { ["X", "O"] } else { ["1", "2"] };
        let line = |name: &str, n: u64| {
            let share = n as f64 / (*n_games).max(1) as f64;
            let line = format!("{name:<12} {n:>7} {:>6.1} %  {}", share * 100.0, bar(share));
            line.trim_end().to_owned() + "\n"
        };
        let goal = if rules.goal() == Goal::Avoid { " (a line loses)" } else { "" };
        format!("{rules}{goal}, {n_games} games, sides take turns to go first, seed {seed}\n")
            + &line(&format!("{first} {x}"), score.x_won)
            + &line(&format!("{second} {o}"), score.o_won)
            + &line("drawn", score.drawn)
    }

    /// Plays a game and returns its last state; games are numbered from 0.
    fn play(
        &self,
        number: u64,
        players: &mut [ComputerPlayer; 2],
        paint: Paint,
        out: &mut impl Write,
    ) -> io::Result<State> {
        let mut state = State::start_with(&self.rules, side_of(Player::First, number));
        if self.delay.is_some() {
            writeln!(out, "Game {} of {}", number + 1, self.n_games)?;
        }
        while let Status::ToMove(player) = state.status() {
            let side = side_of(player, number);
            let Some(choice) = players[side as usize].choose(&state, &|| false) else { break };
            let mover = state.name(player);
            state.play(choice.mv).map_err(io::Error::other)?;
            if let Some(delay) = self.delay {
                let (level, name) = (self.levels[side as usize], choice.mv.name(&self.rules));
                writeln!(out, "\n{}. {mover} ({level}): {name}", state.n_moves())?;
                write!(out, "{}", paint.boards(&state, Style::Plain))?;
                if matches!(state.status(), Status::Over(_)) {
                    writeln!(out, "\n{}\n", paint.strong(state.status_line()))?;
                }
                out.flush()?;
                thread::sleep(delay);
            }
        }
        Ok(state)
    }
}

/// Returns the side that plays as `player` in a game: X (or the first player of the first game) or O. In every other game O
/// goes first.
fn side_of(player: Player, number: u64) -> Mark {
    if (player == Player::First) == number.is_multiple_of(2) { Mark::X } else { Mark::O }
}
