//! Games in canonical form, judged by comparing words with templates.
//!
//! # Layout
//!
//! A canonical game of ordinary tic-tac-toe has seven bytes a move and ends with an empty line:
//!
//! ```text
//! byte   0   1   2   3   4   5   6
//!        1       X       B   2  \n      number, blank, mark, blank, row, column, newline
//! ```
//!
//! All bytes of a game are known beforehand, once its opener and its length are, but four bits a line: the low two of the
//! row (A, B, C end in 01, 10, 11) and of the column (1, 2, 3 do too). So a text is right if it equals its template
//! outside of these bits, and if they name squares, which a table says.
//!
//! What the rules ask for is then asked once a game and not once a move: all squares differ, and nobody had a line
//! before the last move. Whatever is not canonical is refused here and judged by [`Judge`](crate::judge::Judge), move
//! by move; for what is accepted both say the same, which the tests try on every game there is.

use memchr::memchr;
use tictac::{Grid, Rules, SquareSet};

use crate::totals::{Ending, Totals};

/// Bytes of a canonical line.
const LINE: usize = 7;
/// The most moves of a game.
const MAX_MOVES: usize = 9;
/// Bytes of the longest game, with the empty line after it.
const WINDOW: usize = MAX_MOVES * LINE + 1;
/// The bits of row and column, read as one number, that name the square.
const NAME: u16 = 0x0303;
/// Entry of the table of squares for bits that name none: a bit that no square has.
const NO_SQUARE: u16 = 512;

/// The bits of a line that are fixed if a comment may follow its square.
const FIXED_BEFORE_COMMENT: u64 = u64::from_le_bytes([0xFF, 0xFF, 0xFF, 0xFF, 0xFC, 0xFC, 0, 0]);
/// What they are: by opener, X before O, and by move.
static LINES: [[u64; MAX_MOVES]; 2] = [lines(*b"XO"), lines(*b"OX")];
/// By twice the number of moves, plus one if O opens.
static SHAPES: [Shape; 2 * (MAX_MOVES + 1)] = shapes();

/// What is known of a game beforehand, once its opener and its number of moves are known.
// Aligned, so that a comparison can take it from memory.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Shape {
    /// The bits of the text, with the empty line after it, that are fixed.
    fixed: [u8; WINDOW],
    /// What they are.
    template: [u8; WINDOW],
    /// The bits that name the square of each move; none where there is no such move.
    names: [u16; MAX_MOVES],
}

const fn lines(marks: [u8; 2]) -> [u64; MAX_MOVES] {
    let mut lines = [0; MAX_MOVES];
    let mut at = 0;
    while at < MAX_MOVES {
        lines[at] = u64::from_le_bytes([b'1' + at as u8, b' ', marks[at % 2], b' ', b'@', b'0', 0, 0]);
        at += 1;
    }
    lines
}

const fn shapes() -> [Shape; 2 * (MAX_MOVES + 1)] {
    let mut shapes = [shape(0, *b"XO"); 2 * (MAX_MOVES + 1)];
    let mut n_moves = 0;
    while n_moves <= MAX_MOVES {
        shapes[2 * n_moves] = shape(n_moves, *b"XO");
        shapes[2 * n_moves + 1] = shape(n_moves, *b"OX");
        n_moves += 1;
    }
    shapes
}

const fn shape(n_moves: usize, marks: [u8; 2]) -> Shape {
    let (mut fixed, mut template, mut names) = ([0; WINDOW], [0; WINDOW], [0; MAX_MOVES]);
    let mut at = 0;
    while at < n_moves * LINE {
        let (number, place) = (at / LINE, at % LINE);
        let line = [b'1' + number as u8, b' ', marks[number % 2], b' ', b'@', b'0', b'\n'];
        template[at] = line[place];
        fixed[at] = if place == 4 || place == 5 { 0xFC } else { 0xFF };
        names[number] = NAME;
        at += 1;
    }
    (template[at], fixed[at]) = (b'\n', 0xFF);
    Shape { fixed, template, names }
}

/// What there is to know of a legal game in order to count it: how many moves, who opened, whether there is a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    // Invariant: 4 × moves + 2 if O opened + 1 if the last move completed a line.
    number: usize,
}

impl Kind {
    /// How many kinds there are.
    const N: usize = 4 * (MAX_MOVES + 1);

    /// How many moves the game has, each in a line.
    pub(crate) const fn n_moves(self) -> usize {
        self.number / 4
    }

    /// How it ended; never badly.
    pub(crate) const fn ending(self) -> Ending {
        let (has_line, o_opened) = (self.number % 2 == 1, self.number / 2 % 2 == 1);
        match (has_line, self.n_moves()) {
            (false, MAX_MOVES) => Ending::Drawn,
            (false, _) => Ending::Unfinished,
            (true, n_moves) if (n_moves % 2 == 1) != o_opened => Ending::XWon,
            (true, _) => Ending::OWon,
        }
    }
}

/// Games that were recognised one after the other, and counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    /// How they ended.
    pub(crate) totals: Totals,
    /// Their bytes, those of the empty lines included.
    pub(crate) n_bytes: usize,
}

/// The tables, made of what the library says of the squares and lines of the 3×3 board.
#[derive(Clone, Debug)]
pub(crate) struct Recogniser {
    // By the bits of a name. No name at all is no square, and adds nothing to a sum.
    squares: Box<[u16; 1024]>,
    // By set of squares.
    sets: Box<[Set; 512]>,
}

/// What there is to know of a set of squares.
#[derive(Clone, Copy, Debug, Default)]
struct Set {
    /// 1 where it holds a line, else 0.
    has_line: u8,
    n_squares: u8,
}

impl Recogniser {
    pub(crate) fn new() -> Recogniser {
        let (grid, rules) = (Grid::THREE, Rules::CLASSIC);
        let mut squares = Box::new([NO_SQUARE; 1024]);
        squares[0] = 0;
        for square in grid.squares() {
            let (row, column) = (grid.row(square) as u8 + 1, grid.column(square) as u8 + 1);
            squares[usize::from(u16::from_le_bytes([row, column]))] = SquareSet::of(square).bits() as u16;
        }
        let mut sets = Box::new([Set::default(); 512]);
        for (bits, set) in (0..).map(SquareSet::from_bits).zip(sets.iter_mut()) {
            *set = Set { has_line: u8::from(rules.lines().any_in(bits)), n_squares: bits.len() as u8 };
        }
        Recogniser { squares, sets }
    }

    /// Returns the kind and the length in bytes of the game at the start of `bytes`, if it is canonical and legal and ends
    /// with an empty line within them.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(crate) fn game(&self, bytes: &[u8]) -> Option<(Kind, usize)> {
        self.bare_game(bytes).or_else(|| self.annotated_game(bytes))
    }

    /// Counts the games at the start of `bytes`, as long as [`Recogniser::game`] knows them.
    // Not part of its caller, whose variables would take the registers.
    #[inline(never)]
    pub(crate) fn run(&self, bytes: &[u8]) -> Run {
        let mut run = Run::default();
        let mut counts = [0; Kind::N];
        while let Some((kind, n_bytes)) = self.game(&bytes[run.n_bytes..]) {
            counts[kind.number] += 1;
            run.n_bytes += n_bytes;
        }
        for (number, count) in counts.into_iter().enumerate() {
            run.totals.count_many(Kind { number }.ending(), Kind { number }.n_moves() as u64, count);
        }
        run
    }

    /// Returns the game at the start of `bytes`, if it has at least five moves and no comments.
    ///
    /// Games of all lengths take the same way, without a branch: it would be guessed wrong with every other game.
    // A call costs as much as half of the work.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn bare_game(&self, bytes: &[u8]) -> Option<(Kind, usize)> {
        let window = bytes.first_chunk::<WINDOW>()?;
        let mut n_moves = 5;
        let mut goes_on = 1;
        for at in 5..MAX_MOVES {
            goes_on &= usize::from(window[at * LINE] != b'\n');
            n_moves += goes_on;
        }
        let shape = n_moves * 2 + usize::from(window[2] == b'O');
        let Shape { fixed, template, names } = &SHAPES[shape];
        let mut difference = 0;
        // Byte by byte here; the compiler makes four vector comparisons of it.
        for at in 0..WINDOW {
            difference |= (window[at] & fixed[at]) ^ template[at];
        }
        let is_canonical = difference == 0;
        let mut sums = [0; 2];
        for at in 0..MAX_MOVES {
            let name = if at < 5 { NAME } else { names[at] };
            sums[at % 2] += self.square([window[at * LINE + 4], window[at * LINE + 5]], name);
        }
        let last = self.square([window[n_moves * LINE - 3], window[n_moves * LINE - 2]], NAME);
        // Not by way of the kind: the next game can begin to be read before this one is judged.
        Some((self.kind(sums, last, shape, is_canonical)?, n_moves * LINE + 1))
    }

    /// The same for games of any length in which comments may follow the squares.
    #[inline(never)]
    fn annotated_game(&self, bytes: &[u8]) -> Option<(Kind, usize)> {
        let opener = usize::from(*bytes.get(2)? == b'O');
        let lines = &LINES[opener];
        let (mut sums, mut last) = ([0; 2], 0);
        let (mut at, mut n_moves) = (0, 0);
        while *bytes.get(at)? != b'\n' {
            let line = &bytes[at..];
            let &head = line.first_chunk::<8>()?;
            if (u64::from_le_bytes(head) ^ lines.get(n_moves)?) & FIXED_BEFORE_COMMENT != 0 {
                return None;
            }
            last = self.square([head[4], head[5]], NAME);
            sums[n_moves % 2] += last;
            n_moves += 1;
            at += match (head[6], head[7]) {
                (b'\n', _) => LINE,
                (b' ', b'#') => memchr(b'\n', line)? + 1,
                _ => return None,
            };
        }
        Some((self.kind(sums, last, n_moves * 2 + opener, n_moves > 0)?, at + 1))
    }

    #[inline]
    fn square(&self, name: [u8; 2], bits: u16) -> u16 {
        self.squares[usize::from(u16::from_le_bytes(name) & bits & NAME)]
    }

    /// Returns the kind of a game of this shape whose players took squares of these sums, if it is legal.
    #[inline]
    fn kind(&self, sums: [u16; 2], last: u16, shape: usize, is_canonical: bool) -> Option<Kind> {
        let n_moves = shape / 2;
        let [first, second] = sums.map(usize::from);
        let all = first + second;
        // Changes places without a branch if the second player moved last.
        let exchange = (first ^ second) & (n_moves % 2).wrapping_sub(1);
        let (mover, other) = (first ^ exchange, second ^ exchange);
        let before = mover.wrapping_sub(usize::from(last));
        let set = |bits: usize| self.sets[bits % 512];
        // A sum has as many bits as squares were added exactly if no two of them were the same.
        let all_differ = (all < usize::from(NO_SQUARE)) & (usize::from(set(all).n_squares) == n_moves);
        let was_open = set(before).has_line | set(other).has_line == 0;
        let number = shape * 2 + usize::from(set(mover).has_line);
        (is_canonical & all_differ & was_open && number < Kind::N).then_some(Kind { number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognised(text: &str) -> Option<(Ending, usize, usize)> {
        let padded = format!("{text}{}", "1 X A1\n".repeat(10));
        let found = Recogniser::new().game(padded.as_bytes());
        found.map(|(kind, n_bytes)| (kind.ending(), kind.n_moves(), n_bytes))
    }

    #[test]
    fn a_canonical_game_is_recognised_with_its_length() {
        let won = "1 O A1\n2 X B1\n3 O A2\n4 X B2\n5 O A3\n\n";
        assert_eq!(recognised(won), Some((Ending::OWon, 5, 36)));
        assert_eq!(recognised("1 X B2\n\n"), Some((Ending::Unfinished, 1, 8)));
        assert_eq!(recognised("1 X B2 # centre\n2 O A1 #\n\n"), Some((Ending::Unfinished, 2, 26)));
    }

    #[test]
    fn what_is_not_canonical_or_not_legal_is_left_to_the_judge() {
        for text in [
            "\n",
            "1 X B2\r\n\n",
            "1 x B2\n\n",
            "1 X B2 \n\n",
            "1 X B2#\n\n",
            "1 X @2\n\n",
            "1 X B0\n\n",
            "1 X B2\n2 O B2\n\n",
            "1 X B2\n2 X A1\n\n",
            "1 X B2\n3 O A1\n\n",
            "1 W B2\n\n",
            "1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n6 O B3\n\n",
        ] {
            assert_eq!(recognised(text), None, "{text:?}");
        }
    }
}
