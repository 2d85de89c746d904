//! The interface of the provers, and the budget of nodes that they share.

use tictac_proof::{BlockingAnswers, BlockingPosition};

/// A yes-or-no question about a position: can the attacker force a line?
///
/// The defender holds if the board fills up or if the defender completes a line first. The value of a position follows
/// from two such questions, one for each player as the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LineQuestion {
    /// The squares with the attacker's marks.
    pub(crate) attacker: u64,
    /// The squares with the defender's marks, disjoint from the attacker's.
    pub(crate) defender: u64,
    /// The player to move.
    pub(crate) to_move: AttackRole,
}

/// The two players of a [`LineQuestion`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AttackRole {
    /// The player who tries to force a line.
    Attacker,
    /// The player who tries to prevent it.
    Defender,
}

impl LineQuestion {
    /// Returns the question whether the player to move, who has the marks `mine`, can force a win.
    pub(crate) fn can_mover_win(mine: u64, theirs: u64) -> Self {
        Self { attacker: mine, defender: theirs, to_move: AttackRole::Attacker }
    }

    /// Returns the question whether the player who is not to move can force a win.
    pub(crate) fn can_mover_lose(mine: u64, theirs: u64) -> Self {
        Self { attacker: theirs, defender: mine, to_move: AttackRole::Defender }
    }
}

/// A callback, called every [`NODES_PER_POLL`] nodes with the number of nodes of its caller, that returns true to stop the search.
pub(crate) type StopCheck<'a> = &'a dyn Fn(u64) -> bool;

/// A method of answering a [`LineQuestion`].
///
/// A prover is deterministic: the same questions in the same order have the same answers and node counts, unless it is
/// stopped.
pub(crate) trait Prover {
    /// Returns whether the attacker can force a line, or `None` if the prover was stopped or its method cannot decide.
    ///
    /// If the same question is asked again after a stop, the prover continues from what it has proved.
    fn prove(&mut self, question: LineQuestion, stop: StopCheck<'_>) -> Option<bool>;

    /// Returns the answer if the prover has stored it, or finds it without a search.
    fn look_up(&mut self, question: LineQuestion) -> Option<bool>;

    /// Returns how the defender prevents every line of the attacker, who is to move, or `None` if that is not known to be possible
    /// after a search of `max_nodes` nodes.
    fn blocking_answers(
        &mut self,
        _position: BlockingPosition,
        _max_nodes: u64,
        _stop: StopCheck<'_>,
    ) -> Option<BlockingAnswers> {
        None
    }

    /// Returns whether the last question has no answer only because the prover was stopped.
    fn can_continue(&self) -> bool;

    /// Returns the number of positions searched since the prover was created.
    fn nodes(&self) -> u64;
}

/// A counter of searched nodes that stops a search at a limit or when the caller asks for it.
pub(crate) struct NodeBudget {
    pub(crate) nodes: u64,
    limit: u64,
    /// Whether the search was stopped, in which case its result is meaningless.
    pub(crate) is_stopped: bool,
    /// Whether the caller, and not the limit, has stopped the search.
    pub(crate) is_interrupted: bool,
}

/// The number of nodes between two calls of the caller's callback: up to a few milliseconds on the largest boards, where a
/// node of [`Breaker`](super::breaker::Breaker) can take a tenth of one.
pub(crate) const NODES_PER_POLL: u64 = 16;

/// The nodes after which a prover's turn in a [`Portfolio`](super::portfolio::Portfolio) may end; a multiple of
/// [`NODES_PER_POLL`].
pub(crate) const NODES_PER_TURN: u64 = 1024;

impl NodeBudget {
    pub(crate) fn new() -> Self {
        Self { nodes: 0, limit: u64::MAX, is_stopped: false, is_interrupted: false }
    }

    /// Allows `budget` more nodes; the count of nodes continues.
    pub(crate) fn restart(&mut self, budget: u64) {
        self.limit = self.nodes.saturating_add(budget);
        self.is_stopped = false;
        self.is_interrupted = false;
    }

    /// Counts a node and returns whether the search must stop.
    pub(crate) fn spend(&mut self, stop: StopCheck<'_>) -> bool {
        self.nodes += 1;
        self.is_stopped |= self.nodes > self.limit;
        if self.nodes.is_multiple_of(NODES_PER_POLL) && stop(self.nodes) {
            self.interrupt();
        }
        self.is_stopped
    }

    /// Stops the search because the caller has stopped a search within it.
    pub(crate) fn interrupt(&mut self) {
        self.is_stopped = true;
        self.is_interrupted = true;
    }
}
