//! What lies on top: help, prompts, questions, who plays.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};
use tictac::Player;

use super::text::wrap;
use crate::app::{App, Overlay, Prompt, Question};
use crate::session::Session;
use crate::theme::Theme;
use crate::typed::Typed;

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

/// Draws what lies on top, if anything does.
pub(super) fn draw(app: &App, theme: Theme, frame: &mut Frame<'_>) {
    let Some(overlay) = &app.overlay else { return };
    let width = frame.area().width.saturating_sub(6).clamp(10, 70);
    let (title, lines) = match overlay {
        Overlay::Help(from) => (" Help ", help(theme, frame.area(), *from)),
        Overlay::Players(chosen) => (" Who plays ", players(app, *chosen, theme)),
        Overlay::Prompt(prompt, text) => prompt_lines(*prompt, text, theme, usize::from(width)),
        Overlay::Confirm(question) => (" ? ", confirm_lines(question, theme, usize::from(width))),
    };
    draw_box(title, lines, theme, frame);
}

fn draw_box(title: &str, lines: Vec<Line<'_>>, theme: Theme, frame: &mut Frame<'_>) {
    let area = frame.area();
    let widest = lines.iter().map(Line::width).max().unwrap_or(0).max(title.len() + 2) as u16;
    let (width, height) = ((widest + 4).min(area.width), (lines.len() as u16 + 2).min(area.height));
    let place = Rect::new((area.width - width) / 2, (area.height - height) / 2, width, height);
    let set = if theme.is_ascii { ASCII_BORDER } else { border::ROUNDED };
    let block = Block::bordered()
        .border_set(set)
        .border_style(theme.grid())
        .title(Line::styled(title, theme.heading()));
    let inner = block.inner(place);
    frame.render_widget(Clear, place);
    frame.render_widget(block, place);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    frame.render_widget(Paragraph::new(lines), inner);
}

const HELP: [(&str, &str); 18] = [
    ("arrows, j k l", "move the cursor (h too, if vi = yes in the settings)"),
    ("Enter, Space", "place a mark"),
    ("B2", "place on row B, column 2; the letter is the row, A on top"),
    ("1 to 9", "place on that square of a 3x3 board; else go to that board"),
    ("Tab", "the next board"),
    ("x, o", "in wild games: which mark to write"),
    ("u, U", "undo, redo, as often as you like"),
    ("[ ]", "one move back, one forward; Home and End: all"),
    ("h, i", "a hint: the best square, and why"),
    ("v", "what squares are worth: W3 wins in 3 plies, D draws, L4 loses"),
    ("", "? was not proved in time, a dot was not looked at yet"),
    ("p", "who plays: people or the computer, on either side"),
    ("n, r, w", "new game, resign, swap sides"),
    ("s, Ctrl-O", "save as a record, open one (FILE#2: its second game)"),
    ("mouse", "click a square or a line; the wheel steps through the moves"),
    ("Esc", "the first screen, and back to the game"),
    ("Ctrl-Z", "suspend; fg brings the game back"),
    ("?, q", "this help, quit"),
];

/// The keys, from a line on where the window does not hold them all.
fn help<'a>(theme: Theme, area: Rect, from: usize) -> Vec<Line<'a>> {
    let width = usize::from(area.width).saturating_sub(4);
    let mut lines: Vec<Line<'a>> = Vec::new();
    for (key, meaning) in HELP {
        if width >= 70 {
            let key = Span::styled(format!("{key:<15}"), theme.key());
            lines.push(Line::from(vec![key, Span::raw(meaning)]));
        } else {
            lines.push(Line::styled(key, theme.key()));
            lines.extend(
                wrap(meaning, width.saturating_sub(2)).into_iter().map(|line| Line::raw(format!("  {line}"))),
            );
        }
    }
    let room = usize::from(area.height).saturating_sub(4);
    let is_cut = lines.len() > room;
    let from = from.min(lines.len().saturating_sub(room));
    let mut lines: Vec<Line<'a>> = lines.into_iter().skip(from).take(room).collect();
    let end = if is_cut { "Down and Up show more." } else { "Any key closes this help." };
    lines.extend([Line::raw(""), Line::styled(end, theme.faint())]);
    lines
}

fn players<'a>(app: &App, chosen: Player, theme: Theme) -> Vec<Line<'a>> {
    let Some(session) = app.table.as_ref().map(|table| &table.session) else { return Vec::new() };
    let line = |player: Player| seat_line(session, player, player == chosen, theme);
    let mut lines: Vec<Line<'a>> = Player::BOTH.into_iter().map(line).collect();
    lines.push(Line::raw(""));
    lines.push(Line::styled("arrows change, Enter plays", theme.faint()));
    lines
}

fn seat_line<'a>(session: &Session, player: Player, is_chosen: bool, theme: Theme) -> Line<'a> {
    let name = session.state().mark_of(player).map_or_else(|| player.to_string(), |mark| mark.to_string());
    let style = if is_chosen { theme.chosen() } else { theme.label() };
    let (open, close) =
        if is_chosen { (theme.pick("‹ ", "< "), theme.pick(" ›", " >")) } else { ("  ", "  ") };
    let seat = session.seat(player);
    let sight = seat
        .level()
        .and_then(tictac::level::Level::look_ahead)
        .map_or(String::new(), |(plies, percent)| format!("  sees {plies} plies, overlooks {percent} %"));
    Line::styled(format!("{name}  {open}{seat}{close}{sight}"), style)
}

fn prompt_lines<'a>(
    prompt: Prompt,
    typed: &Typed,
    theme: Theme,
    width: usize,
) -> (&'static str, Vec<Line<'a>>) {
    let (title, question) = match prompt {
        Prompt::Save => (" Save ", "Save the game as a record in this file:"),
        Prompt::Open => (" Open ", "Open the record in this file (FILE#2: its second game):"),
    };
    let mut lines: Vec<Line<'a>> =
        wrap(question, width.saturating_sub(4)).into_iter().map(Line::raw).collect();
    lines.push(Line::raw(""));
    lines.push(typed_line(typed, theme, width.saturating_sub(6)));
    lines.push(Line::raw(""));
    if typed.is_proposal() {
        lines.push(Line::styled("typing replaces it, arrows edit it", theme.faint()));
    }
    lines.push(Line::styled("Enter does it, Esc does not", theme.faint()));
    (title, lines)
}

/// The text with its cursor: a dash at the end, within the text a square in reverse.
fn typed_line<'a>(typed: &Typed, theme: Theme, width: usize) -> Line<'a> {
    let (before, at, after) = typed.parts();
    // What is being typed must be seen, so a long text is cut at its start, and then at its end.
    let from = before.len().saturating_sub(width.saturating_sub(1));
    let before = &before[from..];
    let after = &after[..after.len().min(width.saturating_sub(before.len() + 1))];
    let text = |chars: &[char]| chars.iter().collect::<String>();
    let cursor = match at {
        Some(c) => Span::styled(c.to_string(), theme.chosen().add_modifier(Modifier::REVERSED)),
        None => Span::styled("_", theme.chosen()),
    };
    let plain = |chars: &[char]| Span::styled(text(chars), theme.chosen());
    Line::from(vec![plain(before), cursor, plain(after)])
}

fn confirm_lines<'a>(question: &Question, theme: Theme, width: usize) -> Vec<Line<'a>> {
    let text = match question {
        Question::New => "Leave this game and begin a new one?".to_owned(),
        Question::Resign => "Resign?".to_owned(),
        Question::Replace { name, warning: None } => {
            format!("There is a file {name} already. Replace it?")
        }
        Question::Replace { name, warning: Some(warning) } => {
            format!("There is a file {name} already. {warning} Replace it?")
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
