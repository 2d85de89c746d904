//! Play at a chosen strength: perfect, or human on purpose.

mod look_ahead;

use self::look_ahead::LookAhead;
use crate::moves::Move;
use crate::playable::Playable;
use crate::solve::{Answer, Oracle, Question, Value};
use crate::state::State;

/// How well the computer plays.
///
/// A level below perfection looks a number of plies ahead and overlooks each square, at each ply, with a stated chance,
/// anew for every move. That is how people err: not by bad luck in the choice, but by not seeing. `docs/play.md` has
/// the measured table of each level against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Looks at his own move only, and overlooks half of the squares.
    Beginner,
    /// Looks at the answer too, and overlooks a quarter of the squares.
    Casual,
    /// Looks three plies ahead with an eye for open lines, and overlooks every tenth square.
    Club,
    /// Looks six plies ahead and hardly overlooks anything.
    Expert,
    /// Never loses what can be held and wins the quickest way, wherever the oracle answers in time.
    Perfect,
}

/// Moves are chosen by chance only from outside: a source of random numbers.
pub type Chance<'a> = &'a mut dyn FnMut() -> u64;

/// How long a choice may take; the library has no clock.
#[derive(Clone, Copy)]
pub struct Patience<'a> {
    /// Returns true when it is time to stop proving and to look ahead instead.
    pub proof: &'a dyn Fn() -> bool,
    /// Returns true when it is time to move.
    pub all: &'a dyn Fn() -> bool,
}

impl Patience<'_> {
    /// As long as it takes.
    pub const ENDLESS: Patience<'static> = Patience { proof: &|| false, all: &|| false };
}

/// A move that a level has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// What is proved about it, for the player who makes it.
    pub answer: Answer,
    /// Whether it is proved that no move brings more.
    pub proven: bool,
}

/// How a level below perfection looks at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Eyes {
    /// How many plies he looks ahead, his own move included.
    pub(crate) plies: u32,
    /// How many squares of a hundred he overlooks.
    pub(crate) overlooks: u64,
    /// Whether he counts open lines where no end is in sight.
    pub(crate) counts_lines: bool,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 5] = [Level::Beginner, Level::Casual, Level::Club, Level::Expert, Level::Perfect];

    /// The name of the level, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Beginner => "beginner",
            Level::Casual => "casual",
            Level::Club => "club",
            Level::Expert => "expert",
            Level::Perfect => "perfect",
        }
    }

    /// How many plies the level looks ahead and how many squares of a hundred it overlooks; nothing for a perfect one.
    pub const fn look_ahead(self) -> Option<(u32, u64)> {
        match self.eyes() {
            Some(eyes) => Some((eyes.plies, eyes.overlooks)),
            None => None,
        }
    }

    const fn eyes(self) -> Option<Eyes> {
        match self {
            Level::Beginner => Some(Eyes { plies: 1, overlooks: 50, counts_lines: false }),
            Level::Casual => Some(Eyes { plies: 2, overlooks: 25, counts_lines: false }),
            Level::Club => Some(Eyes { plies: 3, overlooks: 10, counts_lines: true }),
            Level::Expert => Some(Eyes { plies: 6, overlooks: 2, counts_lines: true }),
            Level::Perfect => None,
        }
    }

    /// Returns a move for the player to move, or `None` when the game is over.
    ///
    /// The oracle must know the state's rules; levels below perfection do not ask it. The same chance gives the same
    /// move, unless patience ends the search.
    ///
    /// ```
    /// use tictac::level::{Level, Patience};
    /// use tictac::solve::Oracle;
    /// use tictac::{Rules, State};
    ///
    /// let state = State::parse(&Rules::CLASSIC, "XX./OO./... X")?;
    /// let mut oracle = Oracle::new(&Rules::CLASSIC, 1 << 20);
    /// let choice = Level::Perfect.choose(&state, &mut oracle, &mut || 7, Patience::ENDLESS);
    /// assert_eq!(choice.map(|choice| Rules::CLASSIC.written(choice.mv).to_string()).as_deref(), Some("X A3"));
    /// # Ok::<(), tictac::notation::PositionError>(())
    /// ```
    pub fn choose(
        self,
        state: &State,
        oracle: &mut Oracle,
        chance: Chance<'_>,
        patience: Patience<'_>,
    ) -> Option<Choice> {
        let Some(eyes) = self.eyes() else { return perfect(state, oracle, chance, patience) };
        let seen = LookAhead::overlooking(state, eyes, chance).run(patience.all);
        let mv = one_of(&seen.best, chance)?;
        Some(Choice { mv, answer: Answer::UNKNOWN, proven: false })
    }
}

fn one_of(moves: &[Move], chance: Chance<'_>) -> Option<Move> {
    let n = moves.len() as u64;
    (n > 0).then(|| moves[(chance() % n) as usize])
}

/// How far ahead a perfect player looks where nothing can be proved; patience ends it long before.
const FAR: Eyes = Eyes { plies: 64, overlooks: 0, counts_lines: true };
/// How far he looks to know which moves are worth proving first.
const GLANCE: Eyes = Eyes { plies: 4, overlooks: 0, counts_lines: true };
/// How many moves that keep the value are enough to choose from.
const ENOUGH: usize = 4;
/// With so few empty squares the distances of all moves are found in a moment.
const FEW_SQUARES: usize = 12;

fn perfect(state: &State, oracle: &mut Oracle, chance: Chance<'_>, patience: Patience<'_>) -> Option<Choice> {
    let n_empty = state.rules().max_moves() - state.n_moves();
    if oracle.is_quick() || n_empty <= FEW_SQUARES {
        let answers = oracle.moves(state, Question::Strong, patience.proof);
        if answers.iter().all(|(_, answer)| answer.proven) {
            let best = answers.iter().map(|(_, answer)| answer.rank()).max()?;
            let alike: Vec<_> = answers.iter().filter(|(_, answer)| answer.rank() == best).collect();
            let (mv, answer) = alike[(chance() % alike.len() as u64) as usize];
            return Some(Choice { mv: *mv, answer: *answer, proven: true });
        }
    }
    on_a_large_board(state, oracle, chance, patience)
}

/// Returns a move where not everything can be known: first who wins, then which moves keep that, then the one among them
/// that looks best.
fn on_a_large_board(
    state: &State,
    oracle: &mut Oracle,
    chance: Chance<'_>,
    patience: Patience<'_>,
) -> Option<Choice> {
    let ranked = LookAhead::among(state, GLANCE, state.moves().collect()).run(patience.all).ranked;
    let answer = oracle.solve(state, Question::Weak, patience.proof);
    let mut keeping = Vec::new();
    for &mv in &ranked {
        if (patience.proof)() {
            break;
        }
        let after = state.play(mv).expect("a move from `moves` is legal");
        // A move is known to be best if it brings as much as any can.
        let keeps = match answer.best {
            Value::Win => oracle.loses(&after, patience.proof),
            Value::Draw => oracle.wins(&after, patience.proof).map(|wins| !wins),
            Value::Loss => Some(true),
        };
        if keeps == Some(true) {
            keeping.push(mv);
        }
        // The first ones are the promising ones; nobody waits for the rest.
        if keeping.len() == ENOUGH && answer.best != Value::Loss {
            break;
        }
    }
    let is_proven = !keeping.is_empty();
    // What is won or held needs no long look; what is lost or unclear deserves all the time.
    let eyes = if is_proven && answer.best != Value::Loss { GLANCE } else { FAR };
    let candidates = if is_proven { keeping } else { ranked };
    let mv = one_of(&LookAhead::among(state, eyes, candidates).run(patience.all).best, chance)?;
    let known = if is_proven { Answer { worst: answer.best, ..answer } } else { Answer::UNKNOWN };
    Some(Choice { mv, answer: known, proven: is_proven })
}
