//! What an inquiry has found.

use std::process::ExitCode;
use std::time::Duration;

use tictac::solve::{Answer, Question};
use tictac::{Move, State};

/// What is known about a state of play.
pub(super) struct Findings {
    pub(super) state: State,
    pub(super) question: Question,
    pub(super) answer: Answer,
    /// The moves about which something was asked, in the order of squares.
    pub(super) moves: Vec<(Move, Answer)>,
    /// A line of best play; empty where none was asked for or found.
    pub(super) line: Vec<Move>,
    /// Why several boards are won or lost, where there is a short reason.
    pub(super) why: Option<String>,
    /// How it was found, in a few words.
    pub(super) method: &'static str,
    pub(super) nodes: u64,
    pub(super) elapsed: Duration,
}

impl Findings {
    /// Returns findings of nothing but an answer.
    pub(super) fn of_answer(state: State, question: Question, answer: Answer) -> Findings {
        let (moves, line) = (Vec::new(), Vec::new());
        Findings {
            state,
            question,
            answer,
            moves,
            line,
            why: None,
            method: "rules alone",
            nodes: 0,
            elapsed: Duration::ZERO,
        }
    }

    /// 0 where everything that was asked is proved, else 2.
    pub(super) fn exit_code(&self) -> ExitCode {
        if self.is_proven() { ExitCode::SUCCESS } else { ExitCode::from(2) }
    }

    /// Returns whether everything that was asked is proved.
    pub(super) fn is_proven(&self) -> bool {
        self.answer.proven && self.moves.iter().all(|(_, answer)| answer.proven)
    }
}

/// Returns what the answers about all moves, and what was known before, say of the position.
pub(super) fn combined(moves: &[(Move, Answer)], known: Answer) -> Answer {
    let found = Answer::from_moves(moves);
    let (worst, best) = (found.worst.max(known.worst), found.best.min(known.best));
    // What was known before may have settled the value, but only the moves know the distance.
    Answer { worst, best, ..found }
}

/// Returns the moves that are as good as any.
pub(super) fn best_moves<'a>(
    moves: &'a [(Move, Answer)],
    answer: &'a Answer,
) -> impl Iterator<Item = Move> + 'a {
    moves
        .iter()
        .filter(|(_, reply)| reply.worst == answer.worst && reply.distance == answer.distance)
        .map(|&(mv, _)| mv)
}

#[cfg(test)]
mod tests {
    use tictac::solve::Value;

    use super::*;

    #[test]
    fn what_was_known_before_narrows_what_the_moves_show() {
        let known = Answer { worst: Value::Draw, ..Answer::UNKNOWN };
        let combined = combined(&[], known);
        assert_eq!(combined.worst, Value::Draw);
    }
}
