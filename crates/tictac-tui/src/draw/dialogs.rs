//! The dialogs: help, file names, confirmations and the choice of players.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};
use tictac::Player;

use super::text::{shorten, wrap};
use crate::app::{App, Confirmation, Dialog, FileDialog, FilePrompt};
use crate::kept_game;
use crate::seat::Seat;
use crate::text_input::TextInput;
use crate::theme::Theme;
use crate::words;

const ASCII_BORDER: border::Set<'_> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

pub(super) fn draw(app: &App, theme: Theme, frame: &mut Frame<'_>) {
    let Some(dialog) = &app.dialog else { return };
    let width = usize::from(frame.area().width.saturating_sub(6).clamp(10, 70));
    let (title, lines) = match dialog {
        Dialog::Help(from) => (" Help ", help(theme, frame.area(), *from)),
        Dialog::LessonsDone => (" Lessons ", lessons_done(app, theme, width)),
        Dialog::Players(selected) => (" Players ", players(app, *selected, theme)),
        Dialog::FileName(dialog) => match dialog.prompt {
            FilePrompt::Save => {
                (" Save ", file_name("Save the game to this file:", "save", dialog, theme, width))
            }
            FilePrompt::Open => {
                let question = "Open the record or archive in this file (FILE#2 for its second game):";
                (" Open ", file_name(question, "open", dialog, theme, width))
            }
        },
        Dialog::Confirm(confirmation) => (" Confirm ", confirm(confirmation, theme, width)),
    };
    draw_box(title, lines, theme, frame);
}

/// Returns a frame with a title.
pub(super) fn framed(title: &str, theme: Theme) -> Block<'_> {
    Block::bordered()
        .border_set(if theme.is_ascii { ASCII_BORDER } else { border::ROUNDED })
        .border_style(theme.grid())
        .title(Line::styled(title, theme.heading()))
}

fn draw_box(title: &str, lines: Vec<Line<'_>>, theme: Theme, frame: &mut Frame<'_>) {
    let area = frame.area();
    let widest = lines.iter().map(Line::width).max().unwrap_or(0).max(title.len() + 2) as u16;
    let (width, height) = ((widest + 4).min(area.width), (lines.len() as u16 + 2).min(area.height));
    let place = Rect::new((area.width - width) / 2, (area.height - height) / 2, width, height);
    let block = framed(title, theme);
    let inner = block.inner(place);
    frame.render_widget(Clear, place);
    frame.buffer_mut().set_style(place, theme.base());
    frame.render_widget(block, place);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    frame.render_widget(Paragraph::new(lines), inner);
}

/// Returns what the player has learned, and what to do next.
fn lessons_done<'a>(app: &App, theme: Theme, width: usize) -> Vec<Line<'a>> {
    let advice = "Now play a game, and review your mistakes with m.";
    let texts = [app.lessons_summary(), advice.to_owned()];
    let lines = texts.iter().flat_map(|text| wrap(text, width)).map(Line::raw);
    lines.chain([Line::raw(""), Line::styled("Enter for the list of lessons", theme.label())]).collect()
}

const HELP: [(&str, &str); 20] = [
    ("arrows, j k l", "move the cursor (h too, with vi = yes in the settings)"),
    ("Enter, Space", "play on the square under the cursor"),
    ("B2", "play on row B, column 2; rows are lettered from the top"),
    ("1 to 9", "play on that square of a 3x3 board, or go to that board"),
    ("Tab", "go to the next board"),
    ("x, o", "in wild games: choose the mark to play"),
    ("u, U", "undo, redo"),
    ("[ ]", "step one move back or forward; Home and End: all the way"),
    ("h, i", "hint: the best square and why"),
    ("v", "values of all squares: W2 wins in 2 moves, D draws, L3 loses"),
    ("", "~+ ~= ~- are estimates, ? not proved, a dot not known yet"),
    ("y", "why: the verdict on the last move, and the better move"),
    ("m", "mistakes: play them again until you find the better move"),
    ("p", "choose the players: people or the computer, on either side"),
    ("n, r, w", "new game, resign, swap sides"),
    ("s, Ctrl-O", "save the game, open a record (FILE#2: its second game)"),
    ("mouse", "click a square or a list entry; the wheel steps through moves"),
    ("t", "next theme: auto, dark, light, high-contrast, mono"),
    ("Esc", "go to the menu and back to the game"),
    ("?, q, Ctrl-Z", "help, quit, suspend (fg brings the game back)"),
];

/// Returns the help, scrolled down by `from` lines where the window does not hold all of it.
fn help<'a>(theme: Theme, area: Rect, from: usize) -> Vec<Line<'a>> {
    let width = usize::from(area.width).saturating_sub(4);
    let mut lines: Vec<Line<'a>> = Vec::new();
    for (key, meaning) in HELP {
        if width >= 70 {
            let key = Span::styled(format!("{key:<15}"), theme.key());
            lines.push(Line::from(vec![key, Span::raw(meaning)]));
        } else {
            lines.push(Line::styled(key, theme.key()));
            let wrapped = wrap(meaning, width.saturating_sub(2)).into_iter();
            lines.extend(wrapped.map(|line| Line::raw(format!("  {line}"))));
        }
    }
    let room = usize::from(area.height).saturating_sub(4);
    let is_cut = lines.len() > room;
    let from = from.min(lines.len().saturating_sub(room));
    let mut lines: Vec<Line<'a>> = lines.into_iter().skip(from).take(room).collect();
    let end = if is_cut { "Up and Down to scroll" } else { "Any key to close" };
    lines.extend([Line::raw(""), Line::styled(end, theme.faint())]);
    lines
}

fn players(app: &App, selected: Player, theme: Theme) -> Vec<Line<'static>> {
    let Some(session) = app.view.as_ref().map(|view| &view.session) else { return Vec::new() };
    let line = |player: Player| {
        let (style, open, close) = if player == selected {
            (theme.selected(), theme.pick("‹ ", "< "), theme.pick(" ›", " >"))
        } else {
            (theme.label(), "  ", "  ")
        };
        let name = words::short_name(session.state(), player);
        let seat = session.seat(player);
        let strength = match seat {
            Seat::Computer(level) => level.look_ahead().map(|(plies, percent)| {
                let plies = if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
                format!("  looks {plies} ahead, overlooks {percent}%")
            }),
            Seat::Person | Seat::Remote => None,
        };
        Line::styled(format!("{name}  {open}{seat}{close}{}", strength.unwrap_or_default()), style)
    };
    let end = [Line::raw(""), Line::styled("Arrows to change, Enter to close", theme.faint())];
    Player::BOTH.into_iter().map(line).chain(end).collect()
}

/// The number of names that are shown at once.
const N_NAMES: usize = 6;

fn file_name<'a>(
    question: &str,
    verb: &str,
    dialog: &FileDialog,
    theme: Theme,
    width: usize,
) -> Vec<Line<'a>> {
    let input = &dialog.input;
    let mut lines: Vec<Line<'a>> =
        wrap(question, width.saturating_sub(4)).into_iter().map(Line::raw).collect();
    lines.push(Line::raw(""));
    lines.push(input_line(input, theme, width.saturating_sub(6)));
    let first = dialog.selected.map_or(0, |index| (index + 1).saturating_sub(N_NAMES));
    for (index, name) in dialog.names.iter().enumerate().skip(first).take(N_NAMES) {
        let style = if dialog.selected == Some(index) { theme.selected() } else { theme.label() };
        lines.push(Line::styled(format!("  {}", shorten(name, width.saturating_sub(8), theme)), style));
    }
    lines.push(Line::raw(""));
    if input.is_suggestion {
        lines.push(Line::styled("Type to replace the name, arrows to edit it", theme.faint()));
    }
    let choose = if dialog.names.is_empty() { "" } else { ", Up and Down to choose" };
    let keys = format!("Tab to complete{choose}, Enter to {verb}, Esc to cancel");
    lines.extend(
        wrap(&keys, width.saturating_sub(4)).into_iter().map(|line| Line::styled(line, theme.faint())),
    );
    lines
}

/// Returns the text with its cursor: an underscore at the end, a reversed character within the text.
fn input_line<'a>(input: &TextInput, theme: Theme, width: usize) -> Line<'a> {
    let (before, at, after) = input.parts();
    // The cursor must stay visible, so a long text is cut at its start first.
    let from = before.len().saturating_sub(width.saturating_sub(1));
    let before = &before[from..];
    let after = &after[..after.len().min(width.saturating_sub(before.len() + 1))];
    let cursor = match at {
        Some(c) => Span::styled(c.to_string(), theme.selected().reversed()),
        None => Span::styled("_", theme.selected()),
    };
    let plain = |chars: &[char]| Span::styled(chars.iter().collect::<String>(), theme.selected());
    Line::from(vec![plain(before), cursor, plain(after)])
}

fn confirm<'a>(confirmation: &Confirmation, theme: Theme, width: usize) -> Vec<Line<'a>> {
    let text = match confirmation {
        Confirmation::New => "Start a new game? This one will be lost.".to_owned(),
        Confirmation::Resign => "Resign?".to_owned(),
        Confirmation::Resume(kept) => {
            let game = theme.text(&kept_game::description(&kept.session));
            format!("You have an unfinished game: {game}. Continue it?")
        }
        Confirmation::Replace { name, warning: None } => format!("{name} already exists. Replace it?"),
        Confirmation::Replace { name, warning: Some(warning) } => {
            format!("{name} already exists. {warning} Replace it?")
        }
    };
    let mut lines: Vec<Line<'a>> = wrap(&text, width.saturating_sub(4)).into_iter().map(Line::raw).collect();
    lines.push(Line::raw(""));
    lines.push(Line::from(vec![
        Span::styled("y", theme.key()),
        Span::raw(" yes   "),
        Span::styled("n", theme.key()),
        Span::raw(" no"),
    ]));
    lines
}
