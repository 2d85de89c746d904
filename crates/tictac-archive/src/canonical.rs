//! Fast check of games in canonical form, by comparison with templates.
//!
//! # Layout
//!
//! A canonical game of ordinary tic-tac-toe has seven bytes per move and ends with an empty line:
//!
//! ```text
//! byte   0   1   2   3   4   5   6
//!        1       X       B   2  \n      number, space, mark, space, row, column, newline
//! ```
//!
//! The opener and the number of moves determine all bits of a game except four per line: the low two of the row (A, B, C end
//! in 01, 10, 11) and of the column (so do 1, 2, 3). A text is well formed if it equals its template in all other bits and
//! if a table maps these four to squares.
//!
//! The rules are then checked once per game instead of once per move: all squares differ, and no player had a line before
//! the last move. Tags before the moves are only split into name and value; only `Rules` and `Result` are interpreted. Everything else is
//! left to [`Judge`](crate::judge::Judge), which reads move by move. The tests compare the two on every possible game.

use memchr::{memchr, memchr3};
use tictac::{Grid, Rules, SquareSet};

use crate::game::MAX_TAG_LINE;
use crate::report::{Ending, Totals};
use crate::tag::is_name_byte;

/// The number of bytes of a canonical line.
const LINE: usize = 7;
const MAX_MOVES: usize = 9;
/// The number of bytes of the longest game, including the empty line after it.
const WINDOW: usize = MAX_MOVES * LINE + 1;
/// The bits of row and column, read as one number, that determine the square.
const NAME: u16 = 0x0303;
/// The entry in the table of squares for bits that name no square: a bit that no square uses.
const NO_SQUARE: u16 = 512;

/// The fixed bits of a line, up to the byte after its square.
const FIXED_BEFORE_COMMENT: u64 = u64::from_le_bytes([0xFF, 0xFF, 0xFF, 0xFF, 0xFC, 0xFC, 0, 0]);
/// The shapes, indexed by twice the number of moves, plus one if O opens.
static SHAPES: [Shape; 2 * (MAX_MOVES + 1)] = shapes();

/// The bits that are determined by the opener and the number of moves of a game.
// Aligned so that comparisons can use it directly from memory.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Shape {
    /// A mask of the fixed bits of the text, including the empty line after it.
    fixed: [u8; WINDOW],
    /// The values of the fixed bits.
    template: [u8; WINDOW],
    /// A mask of the bits that determine the square of each move; 0 if there is no such move.
    names: [u16; MAX_MOVES],
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

/// The properties of a legal game that are counted: the number of moves, the opener, and whether the last move completed a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameKind {
    // Invariant: 4 × moves + 2 if O opened + 1 if the last move completed a line.
    number: usize,
}

impl GameKind {
    const N: usize = 4 * (MAX_MOVES + 1);

    /// Returns the number of moves; each has one line.
    pub(crate) const fn n_moves(self) -> usize {
        self.number / 4
    }

    const fn o_opened(self) -> bool {
        self.number / 2 % 2 == 1
    }

    /// Returns the ending, which is never [`Ending::Bad`].
    pub(crate) const fn ending(self) -> Ending {
        match (self.number % 2 == 1, self.n_moves()) {
            (false, MAX_MOVES) => Ending::Drawn,
            (false, _) => Ending::Unfinished,
            (true, n_moves) if (n_moves % 2 == 1) != self.o_opened() => Ending::XWon,
            (true, _) => Ending::OWon,
        }
    }

    /// Returns whether the value of a `Result` tag agrees with the moves.
    fn agrees_with(self, result: &[u8]) -> bool {
        let agreeing: [&[u8]; 3] = match (self.ending(), self.o_opened()) {
            (Ending::XWon, false) => [b"X", b"1", b"1-0"],
            (Ending::XWon, true) => [b"X", b"2", b"0-1"],
            (Ending::OWon, false) => [b"O", b"2", b"0-1"],
            (Ending::OWon, true) => [b"O", b"1", b"1-0"],
            (Ending::Drawn, _) => [b"draw", b"draw", b"1/2-1/2"],
            (Ending::Unfinished | Ending::Bad, _) => [b"*"; 3],
        };
        agreeing.contains(&result)
    }
}

/// A canonical and legal game at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CanonicalGame {
    pub(crate) kind: GameKind,
    /// The lines before the moves: tags, and the empty line that may follow them.
    pub(crate) n_heading_lines: u64,
    /// The offset of the first move.
    pub(crate) moves_at: usize,
    /// The length in bytes, including the empty line after the game.
    pub(crate) n_bytes: usize,
}

impl CanonicalGame {
    const fn untagged((kind, n_bytes): (GameKind, usize)) -> CanonicalGame {
        CanonicalGame { kind, n_heading_lines: 0, moves_at: 0, n_bytes }
    }

    /// Returns the number of lines, including the empty line after the game.
    pub(crate) const fn n_lines(self) -> u64 {
        self.n_heading_lines + self.kind.n_moves() as u64 + 1
    }
}

/// Games with more tags are left to the judge.
const MAX_CANONICAL_TAGS: usize = 16;

/// The tags at the start of a game, of which none is malformed and no two have the same name.
#[derive(Default)]
struct TagBlock<'a> {
    names: [&'a [u8]; MAX_CANONICAL_TAGS],
    n_tags: usize,
    result: Option<&'a [u8]>,
    n_bytes: usize,
}

impl<'a> TagBlock<'a> {
    /// Returns the tags at the start of `bytes`, or `None` if the judge must read them.
    #[inline]
    fn parse(bytes: &'a [u8]) -> Option<TagBlock<'a>> {
        let mut tags = TagBlock::default();
        while *bytes.get(tags.n_bytes)? == b'[' {
            let line = &bytes[tags.n_bytes + 1..];
            let line = &line[..line.len().min(MAX_TAG_LINE)];
            let n_name = line.iter().position(|&byte| !is_name_byte(byte))?;
            let (name, rest) = line.split_at(n_name);
            let value = rest.strip_prefix(b" \"")?;
            let n_value = memchr3(b'"', b'\\', b'\n', value)?;
            let (value, end) = value.split_at(n_value);
            if n_name == 0 || !end.starts_with(b"\"]\n") || tags.names[..tags.n_tags].contains(&name) {
                return None;
            }
            match name {
                b"Rules" if value != b"3,3,3" => return None,
                b"Result" => tags.result = Some(value),
                _ => {}
            }
            *tags.names.get_mut(tags.n_tags)? = name;
            tags.n_tags += 1;
            tags.n_bytes += n_name + n_value + b"[ \"\"]\n".len();
        }
        Some(tags)
    }
}

/// Recognises canonical games with tables derived from the squares and lines of the 3×3 board.
#[derive(Clone, Debug)]
pub(crate) struct Recogniser {
    // By the bits that determine a square. The entry of 0 is 0, so that a move that does not exist adds nothing to a sum.
    squares: Box<[u16; 1024]>,
    // By set of squares.
    sets: Box<[SetInfo; 512]>,
}

/// The properties of a set of squares.
#[derive(Clone, Copy, Debug, Default)]
struct SetInfo {
    /// 1 if the set contains a line, 0 otherwise.
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
        let mut sets = Box::new([SetInfo::default(); 512]);
        for (bits, set) in (0..).map(SquareSet::from_bits).zip(sets.iter_mut()) {
            *set = SetInfo { has_line: u8::from(rules.lines().any_in(bits)), n_squares: bits.len() as u8 };
        }
        Recogniser { squares, sets }
    }

    /// Returns the game at the start of `bytes`, if it is canonical and legal and the empty line after it is in `bytes`.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(crate) fn game(&self, bytes: &[u8]) -> Option<CanonicalGame> {
        self.bare_game(bytes).map(CanonicalGame::untagged).or_else(|| self.game_with_text(bytes))
    }

    /// Returns the game at the start of `bytes` if it has tags or comments.
    fn game_with_text(&self, bytes: &[u8]) -> Option<CanonicalGame> {
        match bytes.first()? {
            b'[' => self.tagged_game(bytes),
            _ => self.annotated_game(bytes).map(CanonicalGame::untagged),
        }
    }

    /// Counts the games at the start of `bytes` that [`Recogniser::game`] recognises; returns the totals, the number of lines and
    /// the length in bytes.
    // Inlined, it would compete with its caller for registers.
    #[inline(never)]
    pub(crate) fn run(&self, bytes: &[u8]) -> (Totals, u64, usize) {
        let (mut totals, mut n_heading_lines, mut at) = (Totals::default(), 0, 0);
        let mut counts = [0; GameKind::N];
        loop {
            // Games without tags and comments have a loop of their own: with the others in it, it takes a third longer.
            while let Some((kind, n_bytes)) = self.bare_game(&bytes[at..]) {
                counts[kind.number] += 1;
                at += n_bytes;
            }
            let Some(game) = self.game_with_text(&bytes[at..]) else { break };
            counts[game.kind.number] += 1;
            n_heading_lines += game.n_heading_lines;
            at += game.n_bytes;
        }
        for (number, count) in counts.into_iter().enumerate() {
            totals.count(GameKind { number }.ending(), GameKind { number }.n_moves() as u64, count);
        }
        (totals, n_heading_lines + totals.moves + totals.games(), at)
    }

    /// Returns the game at the start of `bytes`, which starts with a tag.
    #[inline(never)]
    fn tagged_game(&self, bytes: &[u8]) -> Option<CanonicalGame> {
        let tags = TagBlock::parse(bytes)?;
        let has_empty_line = bytes[tags.n_bytes] == b'\n';
        let moves_at = tags.n_bytes + usize::from(has_empty_line);
        let moves = &bytes[moves_at..];
        let (kind, n_bytes) = self.bare_game(moves).or_else(|| self.annotated_game(moves))?;
        if tags.result.is_some_and(|result| !kind.agrees_with(result)) {
            return None;
        }
        let n_heading_lines = tags.n_tags as u64 + u64::from(has_empty_line);
        Some(CanonicalGame { kind, n_heading_lines, moves_at, n_bytes: moves_at + n_bytes })
    }

    /// Returns the game at the start of `bytes`, if it has at least five moves and no comments.
    ///
    /// The length of a game does not cause a branch, which would be mispredicted in every other game.
    // A call would cost half as much as the work itself.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn bare_game(&self, bytes: &[u8]) -> Option<(GameKind, usize)> {
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
        // The compiler turns this loop into four vector comparisons.
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
        // The length does not depend on the kind, so the processor can start reading the next game before this one
        // is checked.
        Some((self.kind(sums, last, shape, is_canonical)?, n_moves * LINE + 1))
    }

    /// Returns the game at the start of `bytes`, which may have any length and comments.
    #[inline(never)]
    fn annotated_game(&self, bytes: &[u8]) -> Option<(GameKind, usize)> {
        let opener = usize::from(*bytes.get(2)? == b'O');
        // The template of the longest game starts with the lines of every shorter one.
        let lines = &SHAPES[MAX_MOVES * 2 + opener].template;
        let (mut sums, mut last) = ([0; 2], 0);
        let (mut at, mut n_moves) = (0, 0);
        while *bytes.get(at)? != b'\n' {
            let line = &bytes[at..];
            let &head = line.first_chunk::<8>()?;
            let &expected = lines.get(n_moves * LINE..)?.first_chunk::<8>()?;
            if (u64::from_le_bytes(head) ^ u64::from_le_bytes(expected)) & FIXED_BEFORE_COMMENT != 0 {
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

    /// Returns the kind of a game of this shape, given the sum of each player's squares, if it is legal.
    #[inline]
    fn kind(&self, sums: [u16; 2], last: u16, shape: usize, is_canonical: bool) -> Option<GameKind> {
        let n_moves = shape / 2;
        let [first, second] = sums.map(usize::from);
        let all = first + second;
        // Swaps the two without a branch if the second player moved last.
        let exchange = (first ^ second) & (n_moves % 2).wrapping_sub(1);
        let (mover, other) = (first ^ exchange, second ^ exchange);
        let before = mover.wrapping_sub(usize::from(last));
        let set = |bits: usize| self.sets[bits % 512];
        // A sum has as many bits as squares were added if and only if no square was added twice.
        let all_differ = (all < usize::from(NO_SQUARE)) & (usize::from(set(all).n_squares) == n_moves);
        let was_open = set(before).has_line | set(other).has_line == 0;
        let number = shape * 2 + usize::from(set(mover).has_line);
        (is_canonical & all_differ & was_open && number < GameKind::N).then_some(GameKind { number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognised(text: &str) -> Option<(Ending, usize, usize)> {
        let padded = format!("{text}{}", "1 X A1\n".repeat(10));
        let found = Recogniser::new().game(padded.as_bytes());
        found.map(|game| (game.kind.ending(), game.kind.n_moves(), game.n_bytes))
    }

    #[test]
    fn a_canonical_game_is_recognised_with_its_length() {
        let won = "1 O A1\n2 X B1\n3 O A2\n4 X B2\n5 O A3\n\n";
        assert_eq!(recognised(won), Some((Ending::OWon, 5, 36)));
        assert_eq!(recognised("1 X B2\n\n"), Some((Ending::Unfinished, 1, 8)));
        assert_eq!(recognised("1 X B2 # centre\n2 O A1 #\n\n"), Some((Ending::Unfinished, 2, 26)));
    }

    #[test]
    fn games_that_are_not_canonical_or_not_legal_are_left_to_the_judge() {
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
