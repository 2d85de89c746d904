//! Rules as text: `3,3,3`, `4,4,4 wild misere`, `notakto boards=3`.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::grid::Grid;
use crate::rules::{Goal, InvalidRules, Marks, Rules};
use crate::square::SquareSet;

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.with_boards(1) == Ok(Rules::NOTAKTO) {
            f.write_str("notakto")?;
        } else {
            write!(f, "{},{},{}", self.grid().rows(), self.grid().columns(), self.line_length())?;
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

impl Marks {
    /// Returns the word for these marks in the text of rules, or `None` where it is left out.
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

/// Reads rules, the words in any order and in either case.
///
/// ```text
/// rules := m,n,k [wild | x-only] [misere] [boards=N]   |   notakto [boards=N]   |   classic   |   misere   |   wild
/// ```
///
/// m rows, n columns, k in a row. Without `m,n,k` the other words mean 3,3,3.
impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let mut words = Words::default();
        for word in text.split_whitespace() {
            words.add(word)?;
        }
        words.rules()
    }
}

/// What has been said so far; each thing may be said once.
#[derive(Default)]
struct Words {
    size: Option<Rules>,
    marks: Option<Marks>,
    misere: bool,
    notakto: bool,
    boards: Option<u32>,
}

impl Words {
    fn add(&mut self, word: &str) -> Result<(), RulesError> {
        let twice = || RulesError::Twice(word.to_owned());
        match word.to_lowercase().as_str() {
            "classic" => set(&mut self.size, Rules::CLASSIC).ok_or_else(twice),
            "misere" | "misère" if self.misere => Err(twice()),
            "misere" | "misère" => {
                self.misere = true;
                Ok(())
            }
            "notakto" if self.notakto => Err(twice()),
            "notakto" => {
                self.notakto = true;
                Ok(())
            }
            lower => match lower.strip_prefix("boards=") {
                Some(number) => {
                    let number = number.parse().map_err(|_| RulesError::BadBoards(word.to_owned()))?;
                    set(&mut self.boards, number).ok_or_else(twice)
                }
                None => match Marks::ALL.into_iter().find(|marks| marks.word() == Some(lower)) {
                    Some(marks) => set(&mut self.marks, marks).ok_or_else(twice),
                    None => set(&mut self.size, parse_size(word)?).ok_or_else(twice),
                },
            },
        }
    }

    fn rules(self) -> Result<Rules, RulesError> {
        let says_nothing = self.size.is_none() && self.marks.is_none() && !self.misere && !self.notakto;
        if says_nothing {
            return Err(RulesError::Missing);
        }
        let rules = if self.notakto {
            if self.size.is_some() || self.marks.is_some() || self.misere {
                return Err(RulesError::NotaktoIsComplete);
            }
            Rules::NOTAKTO
        } else {
            let goal = if self.misere { Goal::Avoid } else { Goal::Complete };
            let size = self.size.unwrap_or(Rules::CLASSIC);
            size.with_marks(self.marks.unwrap_or(Marks::Own)).with_goal(goal)
        };
        Ok(rules.with_boards(self.boards.unwrap_or(1))?)
    }
}

/// Fills an empty place; `None` where it is taken.
fn set<T>(place: &mut Option<T>, value: T) -> Option<()> {
    if place.is_some() {
        return None;
    }
    *place = Some(value);
    Some(())
}

fn parse_size(word: &str) -> Result<Rules, RulesError> {
    let unknown = || RulesError::Unknown(word.to_owned());
    let mut numbers = word.split(',').map(|number| {
        let plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if !plain {
            return Err(unknown());
        }
        number.parse::<usize>().map_err(|_| RulesError::TooLarge(number.to_owned()))
    });
    let mut next = || numbers.next().unwrap_or_else(|| Err(unknown()));
    let (rows, columns, line_length) = (next()?, next()?, next()?);
    if numbers.next().is_some() {
        return Err(unknown());
    }
    let grid = Grid::new(rows, columns).ok_or(RulesError::GridSize { rows, columns })?;
    Ok(Rules::new(grid, line_length)?)
}

/// Why a text does not say rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesError {
    /// The text is empty, or says only how many boards.
    Missing,
    /// A word that means nothing here.
    Unknown(String),
    /// Something is said twice, or two things that exclude each other.
    Twice(String),
    /// The number of boards is not a number.
    BadBoards(String),
    /// `notakto` stands beside a size or another variant.
    NotaktoIsComplete,
    /// A grid without squares, or with too many.
    GridSize {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        columns: usize,
    },
    /// A number that is too large to be a size.
    TooLarge(String),
    /// The words are understood, but there are no such rules.
    Invalid(InvalidRules),
}

impl From<InvalidRules> for RulesError {
    fn from(invalid: InvalidRules) -> RulesError {
        RulesError::Invalid(invalid)
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesError::Missing => {
                f.write_str("expected rules, such as \"3,3,3\", \"4,4,4 misere\" or \"notakto boards=3\"")
            }
            RulesError::Unknown(word) => {
                let marks: Vec<&str> = Marks::ALL.into_iter().filter_map(Marks::word).collect();
                write!(
                    f,
                    "{word:?} is not understood: expected rows,columns,line such as 4,4,3, \
                     or one of {}, misere, notakto, classic, boards=N",
                    marks.join(", ")
                )
            }
            RulesError::TooLarge(number) => {
                write!(f, "{number} is far too large: a grid has 1 to 64 squares")
            }
            RulesError::Twice(word) => write!(f, "{word:?} says again, or otherwise, what was said before"),
            RulesError::BadBoards(word) => {
                write!(f, "{word:?} is not understood: expected boards=N, such as boards=3")
            }
            RulesError::NotaktoIsComplete => f.write_str(
                "notakto is 3,3,3 x-only misere: for another grid say, for example, \"4,4,4 x-only misere\"",
            ),
            RulesError::GridSize { rows, columns } => write!(
                f,
                "a grid of {rows} rows and {columns} columns cannot be played: it may have 1 to {} squares for now",
                SquareSet::CAPACITY
            ),
            RulesError::Invalid(invalid) => invalid.fmt(f),
        }
    }
}

impl Error for RulesError {}
