//! Rules as text: `3,3,3`, `4,4,4 wild misere`, `6,7,4 drop`, `4x4x4,4`, `notakto boards=3`.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

use crate::grid::Grid;
use crate::line::{BoardEdges, RunLength};
use crate::mark::Mark;
use crate::notation::nearest;
use crate::rules::{Goal, InvalidRules, Marks, Placement, Rules};
use crate::shape::LineShape;
use crate::square::SquareSet;

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.with_boards(1) == Ok(Rules::NOTAKTO) {
            f.write_str("notakto")?;
        } else {
            self.fmt_board(f)?;
            if let Some(word) = self.marks().word() {
                write!(f, " {word}")?;
            }
            f.write_str(match self.goal() {
                Goal::Complete => "",
                Goal::Avoid => " misere",
            })?;
        }
        if self.n_boards() > 1 {
            write!(f, " boards={}", self.n_boards())?;
        }
        Ok(())
    }
}

impl Rules {
    /// Writes the words for the board and its lines.
    fn fmt_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (grid, lines) = (self.grid(), self.lines());
        if grid.layers() == 1 {
            write!(f, "{},{},{}", grid.rows(), grid.columns(), self.line_length())?;
        } else {
            let (rows, columns, layers) = (grid.rows_per_layer(), grid.columns(), grid.layers());
            write!(f, "{rows}x{columns}x{layers},{}", self.line_length())?;
        }
        if !lines.shape().is_none() {
            write!(f, " shape={}", lines.shape())?;
        }
        let words = [self.placement().word(), lines.edges().word(), lines.run_length().word()];
        words.into_iter().flatten().try_for_each(|word| write!(f, " {word}"))?;
        for (number, square) in self.missing_squares().iter().enumerate() {
            write!(f, "{}{}", if number == 0 { " without=" } else { "," }, grid.name(square))?;
        }
        Ok(())
    }
}

impl Placement {
    /// Returns the word for this placement in the text of rules, or `None` if it is left out.
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Placement::Anywhere => None,
            Placement::Drop => Some("drop"),
        }
    }
}

impl BoardEdges {
    /// Returns the word for these edges in the text of rules, or `None` if it is left out.
    pub const fn word(self) -> Option<&'static str> {
        match self {
            BoardEdges::Open => None,
            BoardEdges::Cylinder => Some("cylinder"),
            BoardEdges::Tube => Some("tube"),
            BoardEdges::Torus => Some("torus"),
        }
    }
}

impl RunLength {
    /// Returns the word for this length in the text of rules, or `None` if it is left out.
    pub const fn word(self) -> Option<&'static str> {
        match self {
            RunLength::AtLeast => None,
            RunLength::Exactly => Some("exact"),
        }
    }
}

/// The rows of the shape from the top, with `/` between them: `XX/XX`.
impl fmt::Display for LineShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns) = self.size();
        for row in 0..rows {
            f.write_str(if row > 0 { "/" } else { "" })?;
            for column in 0..columns {
                f.write_str(if self.positions().any(|cell| cell == (row, column)) { "X" } else { "." })?;
            }
        }
        Ok(())
    }
}

/// The shapes that have a name: Harary's animals.
const SHAPES: [(&str, &str); 6] = [
    ("el", "XX/X."),
    ("elly", "XXX/X.."),
    ("fatty", "XX/XX"),
    ("knobby", "XXX/.X."),
    ("tippy", "XX./.XX"),
    ("snaky", "XXXX./...XX"),
];

/// Parses the rows of a shape, such as `XX/XX`, or its name, such as `fatty`.
impl FromStr for LineShape {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<LineShape, RulesError> {
        let named = SHAPES.into_iter().find(|(name, _)| text.eq_ignore_ascii_case(name));
        let rows = named.map_or(text, |(_, rows)| rows);
        let is_picture = rows.bytes().all(|byte| matches!(byte, b'X' | b'x' | b'.' | b'/'));
        let cells = rows.split('/').enumerate().flat_map(|(row, cells)| {
            let marked = cells.bytes().enumerate().filter(|(_, cell)| matches!(cell, b'X' | b'x'));
            marked.map(move |(column, _)| (row, column))
        });
        LineShape::new(cells).filter(|_| is_picture).ok_or_else(|| {
            let known: Vec<&str> = SHAPES.into_iter().map(|(name, _)| name).collect();
            RulesError::new(format!(
                "{text:?} is not a shape: expected its rows, such as XX/X., at most 8 by 8, or one of {}",
                known.join(", ")
            ))
        })
    }
}

impl Marks {
    /// Returns the word for these marks in the text of rules, or `None` if it is left out.
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Marks::Own => None,
            Marks::Either => Some("wild"),
            Marks::OnlyX => Some("x-only"),
        }
    }

    /// Returns a short description for players, such as `only X`.
    pub const fn description(self) -> &'static str {
        match self {
            Marks::Own => "X against O",
            Marks::Either => "X or O on each turn",
            Marks::OnlyX => "only X",
        }
    }
}

/// Parses rules; the words may be in any order and in upper or lower case.
///
/// ```text
/// rules := [m,n,k | mxnxl,k | classic | NAME] [shape=ROWS] [drop] [cylinder | tube | torus] [exact] [without=SQUARES]
///          [wild | x-only] [misere] [boards=N]   |   notakto [boards=N]
/// ```
///
/// NAME is `connect-four`, `qubic` or `score-four`. `m,n,k` is the number of rows, of columns and of marks in a row; the default is 3,3,3, also called `classic`. At least one word other
/// than `boards=N` is needed.
impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let mut words = RulesWords::default();
        for word in text.split_whitespace() {
            let at = word.as_ptr().addr() - text.as_ptr().addr();
            words.add(word).map_err(|error| RulesError { at, ..error })?;
        }
        let size_at = words.size.map_or(0, |(word, _)| word.as_ptr().addr() - text.as_ptr().addr());
        words.rules().map_err(|error| if error.is_size { RulesError { at: size_at, ..error } } else { error })
    }
}

/// What the first word of rules says about the board.
#[derive(Clone, Copy)]
struct BoardSize {
    grid: Grid,
    line_length: usize,
    placement: Placement,
}

impl BoardSize {
    fn of(rules: &Rules) -> BoardSize {
        BoardSize { grid: rules.grid(), line_length: rules.line_length(), placement: rules.placement() }
    }
}

/// The words read so far, each with its meaning; every kind of word may occur once.
#[derive(Default)]
struct RulesWords<'a> {
    size: Option<(&'a str, BoardSize)>,
    shape: Option<(&'a str, LineShape)>,
    placement: Option<(&'a str, Placement)>,
    edges: Option<(&'a str, BoardEdges)>,
    run_length: Option<(&'a str, RunLength)>,
    missing: Option<(&'a str, &'a str)>,
    marks: Option<(&'a str, Marks)>,
    goal: Option<(&'a str, Goal)>,
    notakto: Option<(&'a str, Rules)>,
    boards: Option<(&'a str, u32)>,
}

impl<'a> RulesWords<'a> {
    fn add(&mut self, word: &'a str) -> Result<(), RulesError> {
        let lower = word.to_lowercase();
        if let Some(marks) = Marks::ALL.into_iter().find(|marks| marks.word() == Some(&lower)) {
            return set(&mut self.marks, word, marks);
        }
        if let Some(edges) = BoardEdges::ALL.into_iter().find(|edges| edges.word() == Some(&lower)) {
            return set(&mut self.edges, word, edges);
        }
        if lower.starts_with("shape=") {
            return set(&mut self.shape, word, word["shape=".len()..].parse()?);
        }
        if lower.starts_with("without=") {
            return set(&mut self.missing, word, &word["without=".len()..]);
        }
        if let Some(number) = lower.strip_prefix("boards=") {
            // A sign is no part of a number here, as in the size of a grid.
            let number = number.parse().ok().filter(|_| number.bytes().all(|byte| byte.is_ascii_digit()));
            let number = number.ok_or_else(|| {
                RulesError::new(format!("{word:?} is not understood: expected boards=N, such as boards=3"))
            })?;
            return set(&mut self.boards, word, number);
        }
        match lower.as_str() {
            "classic" => set(&mut self.size, word, BoardSize::of(&Rules::CLASSIC)),
            "drop" => set(&mut self.placement, word, Placement::Drop),
            "exact" => set(&mut self.run_length, word, RunLength::Exactly),
            "connect-four" => set(&mut self.size, word, BoardSize::of(&Rules::CONNECT_FOUR)),
            "qubic" => set(&mut self.size, word, BoardSize::of(&Rules::QUBIC)),
            "score-four" => set(&mut self.size, word, BoardSize::of(&Rules::SCORE_FOUR)),
            "misere" | "misère" => set(&mut self.goal, word, Goal::Avoid),
            "notakto" => set(&mut self.notakto, word, Rules::NOTAKTO),
            _ => set(&mut self.size, word, parse_size(word)?),
        }
    }

    fn rules(self) -> Result<Rules, RulesError> {
        let has_board = self.size.is_some()
            || self.shape.is_some()
            || self.placement.is_some()
            || self.edges.is_some()
            || self.run_length.is_some()
            || self.missing.is_some();
        let has_variant = has_board || self.marks.is_some() || self.goal.is_some();
        let rules = match self.notakto {
            Some(_) if has_variant => {
                return Err(RulesError::new(
                    "notakto is 3,3,3 x-only misere: for another grid write, for example, \"4,4,4 x-only misere\""
                        .to_owned(),
                ));
            }
            Some((_, notakto)) => notakto,
            None if !has_variant => {
                return Err(RulesError::new(
                    "expected rules, such as \"3,3,3\", \"4,4,4 misere\" or \"notakto boards=3\"".to_owned(),
                ));
            }
            None => {
                let board = self.board()?;
                let marks = self.marks.map_or(Marks::Own, |(_, marks)| marks);
                board.with_marks(marks).with_goal(self.goal.map_or(Goal::Complete, |(_, goal)| goal))
            }
        };
        Ok(rules.with_boards(self.boards.map_or(1, |(_, number)| number))?)
    }

    /// Returns the rules that the words for the board and its lines give.
    fn board(&self) -> Result<Rules, RulesError> {
        let size = self.size.map_or(BoardSize::of(&Rules::CLASSIC), |(_, size)| size);
        let mut rules = if let Some((word, shape)) = self.shape {
            let (grid, n_squares) = (size.grid, shape.len());
            if self.size.is_some() && size.line_length != n_squares {
                return Err(RulesError::new(format!(
                    "{word:?} has {n_squares} squares: write {},{},{n_squares}",
                    grid.rows(),
                    grid.columns()
                )));
            }
            Rules::with_shape(grid, shape)?
        } else {
            Rules::new(size.grid, size.line_length)?
        };
        rules = rules.with_placement(self.placement.map_or(size.placement, |(_, placement)| placement))?;
        rules = rules.with_edges(self.edges.map_or(BoardEdges::Open, |(_, edges)| edges))?;
        rules = rules.with_run_length(self.run_length.map_or(RunLength::AtLeast, |(_, length)| length))?;
        match self.missing {
            Some((word, names)) => Ok(rules.without_squares(parse_squares(word, names, &rules)?)?),
            None => Ok(rules),
        }
    }
}

/// Parses the names of squares with commas between them.
fn parse_squares(word: &str, names: &str, rules: &Rules) -> Result<SquareSet, RulesError> {
    names.split(',').try_fold(SquareSet::EMPTY, |squares, name| match rules.parse_square(name, Mark::X) {
        Ok(mv) if !squares.contains(mv.square) => Ok(squares.with(mv.square)),
        Ok(_) => Err(RulesError::new(format!("{word:?} has {name} twice"))),
        Err(error) => Err(RulesError::new(format!("{word:?} is not understood: in {name:?} {error}"))),
    })
}

/// Stores a word and its meaning, unless an earlier word of the same kind is already there.
fn set<'a, T>(place: &mut Option<(&'a str, T)>, word: &'a str, meaning: T) -> Result<(), RulesError> {
    match place {
        Some((earlier, _)) if word.eq_ignore_ascii_case(earlier) => {
            Err(RulesError::new(format!("{word:?} is given twice")))
        }
        Some((earlier, _)) => Err(RulesError::new(format!("{word:?} contradicts {earlier:?}"))),
        None => {
            *place = Some((word, meaning));
            Ok(())
        }
    }
}

/// The words without a value, apart from those for marks.
const WORDS: [&str; 11] = [
    "misere",
    "notakto",
    "classic",
    "drop",
    "torus",
    "cylinder",
    "tube",
    "exact",
    "connect-four",
    "qubic",
    "score-four",
];

fn parse_size(word: &str) -> Result<BoardSize, RulesError> {
    let unknown = || {
        let marks: Vec<&str> = Marks::ALL.into_iter().filter_map(Marks::word).collect();
        let words = marks.iter().copied().chain(WORDS);
        if let Some(known) = nearest(word, words) {
            return RulesError::new(format!("{word:?} is not understood: did you mean {known}?"));
        }
        RulesError::new(format!(
            "{word:?} is not understood: expected rows,columns,line such as 4,4,3, \
             or one of {}, {}, boards=N, shape=ROWS, without=SQUARES",
            marks.join(", "),
            WORDS.join(", ")
        ))
    };
    let n_layered = word.split(',').next().map_or(0, |sizes| sizes.split(['x', 'X', '×']).count());
    let separators: &[char] = if n_layered == 3 { &[',', 'x', 'X', '×'] } else { &[','] };
    let mut numbers = word.split(separators).map(|number| {
        let plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if !plain {
            return Err(unknown());
        }
        number
            .parse::<usize>()
            .map_err(|_| RulesError::new(format!("{number} is far too large: a grid has 1 to 64 squares")))
    });
    let mut next = || numbers.next().unwrap_or_else(|| Err(unknown()));
    let (rows, columns) = (next()?, next()?);
    let layers = if n_layered == 3 { next()? } else { 1 };
    let line_length = next()?;
    if numbers.next().is_some() {
        return Err(unknown());
    }
    let grid = Grid::layered(rows, columns, layers).ok_or_else(|| {
        let layers = if n_layered == 3 { format!(" in {layers} layers") } else { String::new() };
        RulesError::new(format!(
            "a grid of {rows} rows and {columns} columns{layers} cannot be played: it may have 1 to {} squares for now",
            SquareSet::CAPACITY
        ))
    })?;
    Ok(BoardSize { grid, line_length, placement: Placement::Anywhere })
}

/// The reason why a text cannot be parsed as rules; its text is a message for the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    message: String,
    at: usize,
    // Whether the size of the board is at fault.
    is_size: bool,
}

impl RulesError {
    fn new(message: String) -> RulesError {
        RulesError { message, at: 0, is_size: false }
    }

    /// Returns where the word starts that cannot be understood, in bytes; 0 if the words do not fit together.
    pub fn at(&self) -> usize {
        self.at
    }
}

impl From<InvalidRules> for RulesError {
    fn from(invalid: InvalidRules) -> RulesError {
        let is_size = matches!(invalid, InvalidRules::LineLength { .. });
        RulesError { is_size, ..RulesError::new(invalid.to_string()) }
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for RulesError {}
