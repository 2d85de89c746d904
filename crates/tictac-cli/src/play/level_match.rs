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

impl LevelMatch {
    pub(super) fn run(&self, style: OutputStyle, out: &mut impl Write) -> io::Result<()> {
        let (mut counts, mut n_moves) = ([0; 3], 0);
        // Each side has its own random numbers, so that the moves of one do not depend on how many the other drew.
        let mut players = [0, 1].map(|side| {
            ComputerPlayer::new(self.levels[side], self.time_limit, Some(self.seed.wrapping_add(side as u64)))
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
            n_moves += state.n_moves();
            counts[match state.status() {
                Status::Over(Outcome::Win(winner)) => side_of(winner, number),
                _ => 2,
            }] += 1;
        }
        drop(bar);
        if self.json {
            writeln!(out, "{}", self.json(counts, n_moves))
        } else {
            write!(out, "{}", self.text(counts))
        }
    }

    fn json(&self, [x_won, o_won, drawn]: [u64; 3], n_moves: usize) -> Value {
        json!({
            "rules": self.rules.to_string(),
            "x": self.levels[0].name(),
            "o": self.levels[1].name(),
            "games": self.n_games,
            "x_won": x_won,
            "o_won": o_won,
            "drawn": drawn,
            "moves": n_moves,
            "seed": self.seed,
        })
    }

    fn text(&self, [x_won, o_won, drawn]: [u64; 3]) -> String {
        let LevelMatch { rules, levels: [x, o], n_games, seed, .. } = self;
        let [first, second] = if rules.marks_name_players() { ["X", "O"] } else { ["1", "2"] };
        let line = |name: &str, n: u64| {
            let share = n as f64 / (*n_games).max(1) as f64;
            let line = format!("{name:<12} {n:>7} {:>6.1} %  {}", share * 100.0, bar(share));
            line.trim_end().to_owned() + "\n"
        };
        let goal = if rules.goal() == Goal::Avoid { " (a line loses)" } else { "" };
        format!("{rules}{goal}, {n_games} games, sides take turns to go first, seed {seed}\n")
            + &line(&format!("{first} {x}"), x_won)
            + &line(&format!("{second} {o}"), o_won)
            + &line("drawn", drawn)
    }

    /// Plays a game and returns its last state; games are numbered from 0.
    fn play(
        &self,
        number: u64,
        players: &mut [ComputerPlayer; 2],
        paint: Paint,
        out: &mut impl Write,
    ) -> io::Result<State> {
        let opener = if side_of(Player::First, number) == 0 { Mark::X } else { Mark::O };
        let mut state = State::start_with(&self.rules, opener);
        if self.delay.is_some() {
            writeln!(out, "Game {} of {}", number + 1, self.n_games)?;
        }
        while let Status::ToMove(player) = state.status() {
            let side = side_of(player, number);
            let Some(choice) = players[side].choose(&state, &|| false) else { break };
            let mover = state.name(player);
            state.play(choice.mv).map_err(io::Error::other)?;
            if let Some(delay) = self.delay {
                let (level, name) = (self.levels[side], choice.mv.name(&self.rules));
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

/// Returns the side that plays as `player` in a game: 0 is X, or the first player of the first game.
///
/// In every other game the second side goes first.
const fn side_of(player: Player, number: u64) -> usize {
    match player {
        Player::First => (number % 2) as usize,
        Player::Second => ((number + 1) % 2) as usize,
    }
}
