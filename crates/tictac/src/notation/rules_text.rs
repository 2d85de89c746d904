//! Rules as text: `3,3,3`, `4,4,4 wild misere`, `notakto boards=3`.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

use crate::grid::Grid;
use crate::notation::nearest;
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
/// rules := [m,n,k | classic] [wild | x-only] [misere] [boards=N]   |   notakto [boards=N]
/// ```
///
/// `m,n,k` is the number of rows, of columns and of marks in a row; the default is 3,3,3, also called `classic`. At least one word other
/// than `boards=N` is needed.
impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let mut words = RulesWords::default();
        for word in text.split_whitespace() {
            let at = word.as_ptr().addr() - text.as_ptr().addr();
            words.add(word).map_err(|error| RulesError { at, ..error })?;
        }
        words.rules()
    }
}

/// The words read so far, each with its meaning; every kind of word may occur once.
#[derive(Default)]
struct RulesWords<'a> {
    size: Option<(&'a str, Rules)>,
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
        if let Some(number) = lower.strip_prefix("boards=") {
            // A sign is no part of a number here, as in the size of a grid.
            let number = number.parse().ok().filter(|_| number.bytes().all(|byte| byte.is_ascii_digit()));
            let number = number.ok_or_else(|| {
                RulesError::new(format!("{word:?} is not understood: expected boards=N, such as boards=3"))
            })?;
            return set(&mut self.boards, word, number);
        }
        match lower.as_str() {
            "classic" => set(&mut self.size, word, Rules::CLASSIC),
            "misere" | "misère" => set(&mut self.goal, word, Goal::Avoid),
            "notakto" => set(&mut self.notakto, word, Rules::NOTAKTO),
            _ => set(&mut self.size, word, parse_size(word)?),
        }
    }

    fn rules(self) -> Result<Rules, RulesError> {
        let has_variant = self.size.is_some() || self.marks.is_some() || self.goal.is_some();
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
                let size = self.size.map_or(Rules::CLASSIC, |(_, size)| size);
                let marks = self.marks.map_or(Marks::Own, |(_, marks)| marks);
                size.with_marks(marks).with_goal(self.goal.map_or(Goal::Complete, |(_, goal)| goal))
            }
        };
        Ok(rules.with_boards(self.boards.map_or(1, |(_, number)| number))?)
    }
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

fn parse_size(word: &str) -> Result<Rules, RulesError> {
    let unknown = || {
        let marks: Vec<&str> = Marks::ALL.into_iter().filter_map(Marks::word).collect();
        let words = marks.iter().copied().chain(["misere", "notakto", "classic"]);
        if let Some(known) = nearest(word, words) {
            return RulesError::new(format!("{word:?} is not understood: did you mean {known}?"));
        }
        RulesError::new(format!(
            "{word:?} is not understood: expected rows,columns,line such as 4,4,3, \
             or one of {}, misere, notakto, classic, boards=N",
            marks.join(", ")
        ))
    };
    let mut numbers = word.split(',').map(|number| {
        let plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if !plain {
            return Err(unknown());
        }
        number
            .parse::<usize>()
            .map_err(|_| RulesError::new(format!("{number} is far too large: a grid has 1 to 64 squares")))
    });
    let mut next = || numbers.next().unwrap_or_else(|| Err(unknown()));
    let (rows, columns, line_length) = (next()?, next()?, next()?);
    if numbers.next().is_some() {
        return Err(unknown());
    }
    let grid = Grid::new(rows, columns).ok_or_else(|| {
        RulesError::new(format!(
            "a grid of {rows} rows and {columns} columns cannot be played: it may have 1 to {} squares for now",
            SquareSet::CAPACITY
        ))
    })?;
    Ok(Rules::new(grid, line_length)?)
}

/// The reason why a text cannot be parsed as rules; its text is a message for the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    message: String,
    at: usize,
}

impl RulesError {
    fn new(message: String) -> RulesError {
        RulesError { message, at: 0 }
    }

    /// Returns where the word starts that cannot be understood, in bytes; 0 if the words do not fit together.
    pub fn at(&self) -> usize {
        self.at
    }
}

impl From<InvalidRules> for RulesError {
    fn from(invalid: InvalidRules) -> RulesError {
        RulesError::new(invalid.to_string())
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for RulesError {}
