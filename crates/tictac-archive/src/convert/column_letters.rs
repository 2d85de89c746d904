//! Names of squares as in chess: the letter is the column, a on the left, and the number is the row.

use tictac::{Grid, Square};

/// The position of row 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowOne {
    Top,
    Bottom,
}

/// Returns the name of a square; columns after z are aa, ab, …
pub(super) fn name(grid: Grid, square: Square, row_one: RowOne) -> String {
    let row = grid.row(square);
    let number = match row_one {
        RowOne::Top => row + 1,
        RowOne::Bottom => grid.rows() - row,
    };
    format!("{}{number}", letters(grid.column(square)))
}

fn letters(column: usize) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    if column < 26 { letter.to_string() } else { letters(column / 26 - 1) + &letter.to_string() }
}

/// Parses the name of a square, in upper or lower case; the error is a message.
pub(super) fn square(grid: Grid, text: &str, row_one: RowOne) -> Result<Square, String> {
    let expected = || {
        let (last_column, last_row) = (letters(grid.columns() - 1), grid.rows());
        format!("{text:?} is not a square from a1 to {last_column}{last_row} (the letter is the column)")
    };
    let at = text.bytes().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(text.len());
    let (letters, number) = text.split_at(at);
    let column = column(letters).ok_or_else(expected)?;
    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    let number: usize = number.parse().ok().filter(|_| is_plain).ok_or_else(expected)?;
    let row = match row_one {
        RowOne::Top => number.checked_sub(1),
        RowOne::Bottom => grid.rows().checked_sub(number),
    };
    row.and_then(|row| grid.square(row, column)).ok_or_else(expected)
}

fn column(letters: &str) -> Option<usize> {
    let add = |column: usize, byte: u8| {
        Some(column.checked_mul(26)? + usize::from(byte.to_ascii_lowercase().checked_sub(b'a')?) + 1)
    };
    letters.bytes().try_fold(0, add)?.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_back_to_their_squares() {
        for (rows, columns) in [(3, 3), (4, 2), (2, 5), (1, 64), (64, 1)] {
            let grid = Grid::new(rows, columns).unwrap();
            for row_one in [RowOne::Top, RowOne::Bottom] {
                for place in grid.squares() {
                    assert_eq!(square(grid, &name(grid, place, row_one), row_one), Ok(place));
                }
            }
        }
    }

    #[test]
    fn the_letter_is_the_column() {
        let top_right = Grid::THREE.square(0, 2).unwrap();
        assert_eq!(name(Grid::THREE, top_right, RowOne::Bottom), "c3");
        assert_eq!(name(Grid::THREE, top_right, RowOne::Top), "c1");
        for text in
            ["", "a", "1", "d1", "a4", "a0", "a01", "a1 ", "ä1", "a99999999999999999999", "zzzzzzzzzzzzzzzz1"]
        {
            let expected = format!("{text:?} is not a square from a1 to c3 (the letter is the column)");
            assert_eq!(square(Grid::THREE, text, RowOne::Bottom), Err(expected.clone()));
            assert_eq!(square(Grid::THREE, text, RowOne::Top), Err(expected));
        }
    }
}
