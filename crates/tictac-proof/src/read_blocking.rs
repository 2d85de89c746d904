//! Parsing of blocking strategies, and their check while they are read.

use crate::blocking::{BlockingAnswers, BlockingPosition, PairingAnswer};
use crate::blocking_check::{BlockingBatch, BlockingEntry, BlockingProgress, CheckedBatch};
use crate::read::{CertificateReader, FaultAt, LineWords, ReadStage, parse_square};
use crate::verify::Refuted;
use crate::{BlockingPlan, State, StrategyPlan};
use tictac::notation::Found;
use tictac::{Mark, Player, Rules, Square, SquareSet};

/// The largest number of lines of pairs in an entry; each answers at least one move.
const MAX_PAIRINGS: usize = SquareSet::CAPACITY;

impl CertificateReader {
    /// Takes the entries that have been read of a strategy that blocks, to check them before the rest is read; the last one may be
    /// incomplete and is left.
    ///
    /// Call this regularly, check the batch (or the parts of it on several threads), and hand the result to
    /// [`accept`](CertificateReader::accept). The memory of a check is then bounded by the positions that wait for an entry. Entries
    /// that are not taken are checked by [`Certificate::verify`](super::Certificate::verify).
    ///
    /// # Errors
    ///
    /// Returns a flaw of the start or of the strategy's heading.
    pub fn take_blocking(&mut self) -> Result<Option<BlockingBatch>, Refuted> {
        let ReadStage::Claim(certificate) = &mut self.stage else { return Ok(None) };
        let start = &certificate.start;
        let Some(strategy) = certificate.strategies.last_mut() else { return Ok(None) };
        let progress = match &strategy.plan {
            StrategyPlan::Blocks(plan) if plan.entries.len() < 2 => return Ok(None),
            StrategyPlan::Blocks(BlockingPlan { progress: Some(_), .. }) => None,
            StrategyPlan::Blocks(_) => Some(Box::new(BlockingProgress::new(start, strategy)?)),
            StrategyPlan::Moves(_) | StrategyPlan::Copies => return Ok(None),
        };
        let StrategyPlan::Blocks(plan) = &mut strategy.plan else { return Ok(None) };
        plan.progress = progress.or(plan.progress.take());
        let last = plan.entries.split_off(plan.entries.len() - 1);
        let entries = std::mem::replace(&mut plan.entries, last);
        plan.n_checked += entries.len();
        Ok(plan.progress.as_ref().map(|progress| BlockingBatch { board: progress.board.clone(), entries }))
    }

    /// Records that the entries of a batch have been checked, in the order of their lines.
    ///
    /// # Errors
    ///
    /// Returns the first entry that no other one leads to.
    pub fn accept(&mut self, checked: CheckedBatch) -> Result<(), Refuted> {
        let ReadStage::Claim(certificate) = &mut self.stage else { return Ok(()) };
        match certificate.strategies.last_mut().map(|strategy| &mut strategy.plan) {
            Some(StrategyPlan::Blocks(BlockingPlan { progress: Some(progress), .. })) => {
                progress.accept(checked)
            }
            _ => Ok(()),
        }
    }
}

impl LineWords<'_> {
    /// Parses a line of a blocking strategy, and returns whether it starts a new entry.
    pub(crate) fn blocking_line(
        &mut self,
        start: &State,
        owner: Player,
        line: usize,
        entries: &mut Vec<BlockingEntry>,
    ) -> Result<bool, FaultAt> {
        let rules = start.rules();
        match entries.last_mut().map(|entry| &mut entry.answers) {
            Some(answers) if self.skip("pairs") => {
                if answers.pairings.len() == MAX_PAIRINGS || !answers.moves.is_empty() {
                    return Err((
                        0,
                        format!("expected at most {MAX_PAIRINGS} lines of pairs, before the moves"),
                    ));
                }
                let (at, text) = self.next(1);
                let square = parse_square(rules, at, text)?;
                let pairs = self.pairs(rules, '-')?;
                answers.pairings.push(PairingAnswer { square, pairs });
                Ok(false)
            }
            Some(answers) if answers.moves.is_empty() && self.skip("moves") => {
                answers.moves = self.pairs(rules, ':')?;
                if answers.moves.is_empty() {
                    return Err(self.expected("a move and its answer, such as A1:B2"));
                }
                Ok(false)
            }
            _ => {
                let opponent = start.mark_of(!owner).unwrap_or(Mark::X);
                let position = self.blocking_position(rules, opponent)?;
                entries.push(BlockingEntry { line, position, answers: BlockingAnswers::default() });
                Ok(true)
            }
        }
    }

    fn pairs(&mut self, rules: &Rules, between: char) -> Result<Vec<[Square; 2]>, FaultAt> {
        let mut pairs = Vec::new();
        while !self.is_at_end() {
            pairs.push(self.pair(rules, between)?);
        }
        Ok(pairs)
    }

    /// Parses rows of the opponent's marks, empty squares and others.
    fn blocking_position(&self, rules: &Rules, opponent: Mark) -> Result<BlockingPosition, FaultAt> {
        let grid = rules.grid();
        let mark = if opponent == Mark::X { 'X' } else { 'O' };
        let (mut marks, mut empty) = (SquareSet::EMPTY, SquareSet::EMPTY);
        let mut rest = self.text.char_indices();
        let mut expect = |allowed: &[char], expected: &str| match rest.next() {
            Some((_, letter)) if allowed.contains(&letter) => Ok(letter),
            found => {
                let at = found.map_or(self.text.len(), |(at, _)| at);
                let found = Found(self.text.as_bytes().get(at).copied());
                Err((at, format!("expected {expected}, found {found}")))
            }
        };
        let expected = format!("{mark}, a full stop or a hyphen");
        for square in grid.squares() {
            if grid.column(square) == 0 && grid.row(square) > 0 {
                expect(&['/'], "a slash")?;
            }
            match expect(&[mark, '.', '-'], &expected)? {
                '.' => empty = empty.with(square),
                '-' => {}
                _ => marks = marks.with(square),
            }
        }
        match rest.next() {
            Some((at, _)) => Err((at, "expected the end of the line".to_owned())),
            None => Ok(BlockingPosition { marks, empty }),
        }
    }
}
