//! The computer against itself: matches between two levels.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use tictac::level::Level;
use tictac::notation::Style;
use tictac::{Goal, Mark, Outcome, Player, Rules, State, Status};

use crate::charset::Charset;
use crate::computer_player::ComputerPlayer;
use crate::paint::Paint;
use crate::scene::Scene;

/// A match: who plays, by which rules, how many games.
pub(super) struct Contest {
    pub(super) rules: Rules,
    /// Who writes X and who writes O; where marks do not name players, who is first and who second in the first game.
    pub(super) levels: [Level; 2],
    pub(super) n_games: u64,
    /// How long each position is shown; none are without it.
    pub(super) delay: Option<Duration>,
    pub(super) think: Duration,
    pub(super) seed: u64,
    pub(super) is_json: bool,
}

/// What came out, as the JSON has it.
#[derive(Serialize)]
struct Tally {
    rules: String,
    x: &'static str,
    o: &'static str,
    games: u64,
    x_won: u64,
    o_won: u64,
    drawn: u64,
    moves: u64,
    seed: u64,
}

impl Contest {
    /// Plays the games and prints the tally.
    pub(super) fn run(
        &self,
        paint: Paint,
        charset: Charset,
        out: &mut impl Write,
    ) -> anyhow::Result<ExitCode> {
        let mut tally = Tally {
            rules: self.rules.to_string(),
            x: self.levels[0].name(),
            o: self.levels[1].name(),
            games: self.n_games,
            x_won: 0,
            o_won: 0,
            drawn: 0,
            moves: 0,
            seed: self.seed,
        };
        // Each side has its own chance, so that one side's thinking does not change the other's.
        let mut players = [0, 1].map(|side| {
            ComputerPlayer::new(self.levels[side], self.think, Some(self.seed.wrapping_add(side as u64)))
        });
        let bar = self.progress_bar(charset);
        for number in 0..self.n_games {
            let game = Bout { contest: self, number };
            let state = game.play(&mut players, paint, out)?;
            tally.moves += state.n_moves() as u64;
            match state.status() {
                Status::Over(Outcome::Win(winner)) if game.side_of(winner) == 0 => tally.x_won += 1,
                Status::Over(Outcome::Win(_)) => tally.o_won += 1,
                _ => tally.drawn += 1,
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        if self.is_json {
            writeln!(out, "{}", serde_json::to_string(&tally)?)?;
        } else {
            write!(out, "{}", tally.in_words(&self.rules))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn progress_bar(&self, charset: Charset) -> ProgressBar {
        // Whoever watches the boards needs no bar, and whoever reads a file no progress.
        if self.delay.is_some() || !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let style = if charset == Charset::Ascii { style.progress_chars("#>-") } else { style };
        ProgressBar::new(self.n_games).with_style(style)
    }
}

/// One game of a match.
struct Bout<'a> {
    contest: &'a Contest,
    /// Which one, from 0; in every other game the second side opens.
    number: u64,
}

impl Bout<'_> {
    /// Returns which side plays as `player`: 0 is X, or the first of the first game.
    const fn side_of(&self, player: Player) -> usize {
        let second_opens = self.number % 2 == 1;
        match (player, second_opens) {
            (Player::First, false) | (Player::Second, true) => 0,
            (Player::Second, false) | (Player::First, true) => 1,
        }
    }

    fn play(
        &self,
        players: &mut [ComputerPlayer; 2],
        paint: Paint,
        out: &mut impl Write,
    ) -> io::Result<State> {
        let opener = if self.side_of(Player::First) == 0 { Mark::X } else { Mark::O };
        let mut state = State::start_with(&self.contest.rules, opener);
        if self.contest.delay.is_some() {
            writeln!(out, "Game {} of {}", self.number + 1, self.contest.n_games)?;
        }
        while let Status::ToMove(player) = state.status() {
            let side = self.side_of(player);
            let Some(choice) = players[side].choose(&state, &|| false) else { break };
            let mover = state.name(player);
            state.play(choice.mv).map_err(io::Error::other)?;
            if let Some(delay) = self.contest.delay {
                let level = self.contest.levels[side];
                let name = choice.mv.name(&self.contest.rules);
                writeln!(out, "\n{}. {mover} ({level}): {name}", state.n_moves())?;
                Bout::show(&state, paint, out)?;
                thread::sleep(delay);
            }
        }
        Ok(state)
    }

    fn show(state: &State, paint: Paint, out: &mut impl Write) -> io::Result<()> {
        let scene = Scene::of_state(state);
        write!(out, "{}", scene.diagram(Style::Plain, paint))?;
        if matches!(state.status(), Status::Over(_)) {
            writeln!(out, "\n{}\n", paint.strong(scene.standing()))?;
        }
        out.flush()
    }
}

/// The length of a bar that stands for all games.
const WIDTH: u32 = 40;

impl Tally {
    fn in_words(&self, rules: &Rules) -> String {
        let names = if rules.marks_name_players() {
            [format!("X {}", self.x), format!("O {}", self.o)]
        } else {
            [format!("1 {}", self.x), format!("2 {}", self.o)]
        };
        let line = |name: &str, n: u64| {
            let share = n as f64 / self.games.max(1) as f64;
            let bar: String = (0..WIDTH)
                .filter(|&place| share * f64::from(WIDTH) > f64::from(place))
                .map(|_| '#')
                .collect();
            format!("{name:<12} {n:>7} {:>6.1} %  {bar}", share * 100.0).trim_end().to_owned() + "\n"
        };
        let goal = if rules.goal() == Goal::Avoid { " (a line loses)" } else { "" };
        format!(
            "{}{goal}, {} games, each side opens every other one, seed {}\n",
            self.rules, self.games, self.seed
        ) + &line(&names[0], self.x_won)
            + &line(&names[1], self.o_won)
            + &line("drawn", self.drawn)
    }
}
