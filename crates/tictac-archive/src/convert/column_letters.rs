//! Squares as chess names them: the letter is the column, a at the left, and the number the row.

use tictac::{Grid, Square};

/// Where row 1 is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowOne {
    Top,
    Bottom,
}

/// Returns the name of a square; columns after z go on with aa, ab, …
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

/// Reads the name of a square, letters in either case; the error says what would be right.
pub(super) fn square(grid: Grid, text: &str, row_one: RowOne) -> Result<Square, String> {
    let first = |row_one| name(grid, grid.square(0, 0).expect("a grid has a square"), row_one);
    let expected = || {
        let last = grid.square(grid.rows() - 1, grid.columns() - 1).expect("a grid has a square");
        let (mut from, mut to) = (first(row_one), name(grid, last, row_one));
        if row_one == RowOne::Bottom {
            from = format!("{}1", letters(0));
            to = format!("{}{}", letters(grid.columns() - 1), grid.rows());
        }
        format!("{text:?} is not a square from {from} to {to} (the letter is the column)")
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

/// Returns the column of these letters, from 0.
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
    fn names_lead_back_to_their_squares() {
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
