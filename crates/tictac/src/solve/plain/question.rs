//! What a prover is asked, and what it may answer.

/// A yes-or-no question about a position: can the attacker force a line of his own?
///
/// The defender holds if the board fills up, or if he completes a line first. The value of a
/// position for the player to move is two such questions, one with each player as the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Contest {
    /// The squares with the attacker's marks.
    pub(crate) attacker: u64,
    /// The squares with the defender's marks; they share none with the attacker's.
    pub(crate) defender: u64,
    /// Whether the attacker is to move, rather than the defender.
    pub(crate) attacker_moves: bool,
}

impl Contest {
    /// Asks whether the player to move, who has the marks `mine`, can force a win.
    pub(crate) fn can_mover_win(mine: u64, theirs: u64) -> Self {
        Self { attacker: mine, defender: theirs, attacker_moves: true }
    }

    /// Asks whether the player who is not to move can force a win.
    pub(crate) fn can_mover_lose(mine: u64, theirs: u64) -> Self {
        Self { attacker: theirs, defender: mine, attacker_moves: false }
    }
}

/// A prover's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The attacker can force a line (`true`), or he cannot (`false`); this is certain.
    Proven(bool),
    /// The prover was stopped, or its method cannot tell.
    Unknown,
}

/// The caller's wish to stop, asked about every thousand nodes.
pub(crate) type Stop<'a> = &'a dyn Fn() -> bool;

/// A method of answering a [`Contest`].
///
/// Same questions in the same order, same answers and same node counts, unless stopped.
pub(crate) trait Prover {
    /// Answers the question, or gives up soon after `stop` returns true.
    ///
    /// Asked again after a stop, it profits from what it has found out so far.
    fn prove(&mut self, contest: Contest, stop: Stop<'_>) -> Verdict;

    /// Whether the last question went unanswered only because the prover was stopped.
    fn can_go_on(&self) -> bool;

    /// The number of positions searched since the prover was made.
    fn nodes(&self) -> u64;
}
