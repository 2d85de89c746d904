//! The marks as small pictures.

use tictac::Mark;

use crate::layout::Cell;
use crate::theme::Theme;

/// Returns the rows of a mark in a square of this size; they are all of one width.
pub(super) const fn glyph(mark: Mark, cell: Cell, theme: Theme) -> &'static [&'static str] {
    match (mark, cell.height, theme.is_ascii) {
        (Mark::X, 5.., false) => &["▀▄     ▄▀", "  ▀▄ ▄▀  ", "   ▄▀▄   ", " ▄▀   ▀▄ ", "▀       ▀"],
        (Mark::O, 5.., false) => &[" ▄▀▀▀▀▀▄ ", "█       █", "█       █", "▀▄     ▄▀", "  ▀▀▀▀▀  "],
        (Mark::X, 5.., true) => &["\\   /", " \\ / ", "  X  ", " / \\ ", "/   \\"],
        (Mark::O, 5.., true) => &[" .-. ", "/   \\", "|   |", "\\   /", " '-' "],
        (Mark::X, 3..=4, false) => &["╲ ╱", " ╳ ", "╱ ╲"],
        (Mark::O, 3..=4, false) => &["╭─╮", "│ │", "╰─╯"],
        (Mark::X, 3..=4, true) => &["\\ /", " X ", "/ \\"],
        (Mark::O, 3..=4, true) => &[".-.", "| |", "'-'"],
        (Mark::X, ..) => &["X"],
        (Mark::O, ..) => &["O"],
    }
}
