//! The game: boards, players, moves, notes, keys.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use tictac::{Goal, Player, Rules};

use super::board;
use super::text::{cut, keys, wrap};
use crate::app::App;
use crate::app::table::Table;
use crate::layout::{Layout, TooSmall};
use crate::seat::Seat;
use crate::session::{Session, Turn};
use crate::theme::Theme;

/// Draws the game on the table.
pub(super) fn draw(app: &App, theme: Theme, frame: &mut Frame<'_>) -> Result<(), TooSmall> {
    let Some(table) = &app.table else { return Ok(()) };
    let area = frame.area();
    let (grid, n_boards) = (table.rules().grid(), table.session.state().n_boards());
    let layout = Layout::new((area.width, area.height), grid, n_boards)?;
    frame.render_widget(Paragraph::new(title(table, theme, usize::from(area.width))), layout.title);
    board::draw(table, &layout.boards, theme, frame.buffer_mut());
    if let Some(panel) = layout.panel {
        draw_panel(app, table, theme, panel, frame);
    }
    let mut lines = vec![status(app, table, theme)];
    if layout.panel.is_none()
        && let Some((text, style)) = notes(app, table, theme).pop()
    {
        let width = usize::from(layout.status.width).saturating_sub(2);
        if layout.status.height == 1 {
            let room = width.saturating_sub(lines[0].width() + 1);
            lines[0].push_span(Span::styled(format!("  {}", cut(&text, room, theme)), style));
        }
        let room = usize::from(layout.status.height).saturating_sub(1);
        let shown = wrapped_into(&text, width, room, theme);
        lines.extend(shown.into_iter().map(|line| Line::styled(format!(" {line}"), style)));
    }
    frame.render_widget(Paragraph::new(lines), layout.status);
    frame.render_widget(Paragraph::new(keys(theme, hints(table), layout.keys.width)), layout.keys);
    Ok(())
}

/// Breaks a text into so many lines; the last one says if there is more.
fn wrapped_into(text: &str, width: usize, n_lines: usize, theme: Theme) -> Vec<String> {
    let all = wrap(text, width);
    let Some(last) = n_lines.checked_sub(1).filter(|_| all.len() > n_lines) else { return all };
    let rest = cut(&all[last..].join(" "), width, theme);
    all[..last].iter().cloned().chain([rest]).collect()
}

fn title<'a>(table: &Table, theme: Theme, width: usize) -> Line<'a> {
    let name = match (&table.lesson, &table.name) {
        (Some(attempt), _) => {
            let lesson = attempt.lesson();
            format!("{}: {}", lesson.chapter, lesson.title)
        }
        (None, Some(name)) => format!("{name}: {}", name_of(&table.rules())),
        (None, None) => name_of(&table.rules()),
    };
    Line::from(vec![
        Span::raw(" "),
        Span::styled(cut(&theme.text(&name), width.saturating_sub(2), theme), theme.heading()),
    ])
}

/// What a game of these rules is called.
pub(crate) fn name_of(rules: &Rules) -> String {
    let line = match rules.goal() {
        Goal::Complete => "win",
        Goal::Avoid => "lose",
    };
    if *rules == Rules::CLASSIC {
        "Tic-tac-toe".to_owned()
    } else if *rules == Rules::MISERE {
        "Misère tic-tac-toe: three in a row lose".to_owned()
    } else if *rules == Rules::WILD {
        "Wild tic-tac-toe: either mark".to_owned()
    } else if rules.with_boards(1) == Ok(Rules::NOTAKTO) {
        match rules.n_boards() {
            1 => "Notakto: both write X, three in a row lose".to_owned(),
            n => format!("Notakto on {n} boards: the last three in a row lose"),
        }
    } else {
        format!("{rules}: {} in a row {line}", rules.line_length())
    }
}

/// What a seat is called: a single person is you.
pub(crate) fn seat_name(session: &Session, player: Player) -> String {
    match (session.seat(player), session.seat(!player)) {
        (Seat::Person, Seat::Computer(_)) => "you".to_owned(),
        (Seat::Person, Seat::Person) => "person".to_owned(),
        (Seat::Computer(level), _) => format!("computer, {level}"),
    }
}

fn draw_panel(app: &App, table: &Table, theme: Theme, panel: Rect, frame: &mut Frame<'_>) {
    let width = usize::from(panel.width).saturating_sub(1);
    let notes: Vec<Line<'_>> = notes(app, table, theme)
        .iter()
        .flat_map(|(text, style)| {
            let lines = wrap(&theme.text(text), width).into_iter();
            lines.map(|line| Line::styled(line, *style)).chain([Line::raw("")]).collect::<Vec<_>>()
        })
        .collect();
    let mut lines = if table.lesson.is_some() { Vec::new() } else { players(app, table, theme) };
    if table.lesson.is_none() {
        let room = usize::from(panel.height).saturating_sub(lines.len() + notes.len() + 2);
        lines.extend(moves(table, theme, width, room));
        lines.push(Line::raw(""));
    }
    lines.extend(notes);
    frame.render_widget(Paragraph::new(lines), panel);
}

fn players<'a>(app: &App, table: &Table, theme: Theme) -> Vec<Line<'a>> {
    let state = table.session.state();
    let turn = match table.session.turn() {
        Turn::Person(player) | Turn::Computer(player, _) | Turn::Held(player, _) => Some(player),
        Turn::DeadDraw(_) | Turn::Over(_) => None,
    };
    let mut lines: Vec<Line<'a>> = Player::BOTH
        .into_iter()
        .map(|player| {
            let arrow = if turn == Some(player) { theme.pick("▸ ", "> ") } else { "  " };
            let name = state.mark_of(player).map_or_else(|| player.to_string(), |mark| mark.to_string());
            let style = state.mark_of(player).map_or(theme.heading(), |mark| theme.mark(mark));
            let waits =
                if turn == Some(player) && app.is_thinking() { theme.pick(" …", " ...") } else { "" };
            Line::from(vec![
                Span::styled(arrow.to_owned(), theme.chosen()),
                Span::styled(name, style),
                Span::raw(format!("  {}{waits}", seat_name(&table.session, player))),
            ])
        })
        .collect();
    lines.push(Line::raw(""));
    lines
}

/// The moves, two a line; those that were taken back are faint and in brackets.
fn moves<'a>(table: &Table, theme: Theme, width: usize, room: usize) -> Vec<Line<'a>> {
    let session = &table.session;
    let (n_made, rules) = (session.game().moves().len(), session.rules());
    let first = session.game().start().n_moves() + 1;
    let all: Vec<Span<'a>> = (first..)
        .zip(session.game().moves().iter().copied().chain(session.future()))
        .map(|(number, mv)| {
            let is_made = number - first < n_made;
            let is_last = number - first + 1 == n_made;
            let style = match (is_made, is_last) {
                (false, _) => theme.faint(),
                (true, false) => Style::new(),
                (true, true) => theme.heading(),
            };
            let written = mv.display(&rules).to_string();
            // Brackets as well as a fainter colour, which not every terminal and not everybody sees.
            let written = if is_made { written } else { format!("({written})") };
            Span::styled(format!("{number:>3} {written:<8}"), style)
        })
        .collect();
    let per_line = (width / 12).max(1);
    let lines: Vec<Line<'a>> = all.chunks(per_line).map(|spans| Line::from(spans.to_vec())).collect();
    let current = n_made.saturating_sub(1) / per_line;
    let from = (current + 1).saturating_sub(room.max(1));
    lines.into_iter().skip(from).take(room.max(1)).collect()
}

/// What is to be said, and how it looks.
fn notes(app: &App, table: &Table, theme: Theme) -> Vec<(String, Style)> {
    let mut notes = Vec::new();
    if let Some(attempt) = &table.lesson {
        notes.push((attempt.lesson().task.to_owned(), Style::new()));
        match &attempt.mark {
            Some(mark) if mark.is_right => {
                notes.push((format!("Right! {}", mark.words), theme.good()));
                notes.push((attempt.lesson().moral.to_owned(), Style::new()));
            }
            Some(mark) => notes.push((format!("No. {}", mark.words), theme.note())),
            None => {}
        }
    }
    match (&app.note, table.session.turn()) {
        (Some(note), _) => notes.push((note.clone(), theme.note())),
        (None, Turn::DeadDraw(dead)) => {
            notes.push((format!("A dead draw: {dead}. Stop here, or play on?"), theme.note()));
        }
        (None, Turn::Held(..)) => {
            notes.push(("The computer waits: Enter lets it move.".to_owned(), theme.note()));
        }
        (None, _) => {
            if let Some(remark) = table.remark() {
                notes.push((format!("{remark}."), theme.label()));
            }
        }
    }
    notes
}

fn status<'a>(app: &App, table: &Table, theme: Theme) -> Line<'a> {
    let session = &table.session;
    let mut standing = session.standing();
    if let Turn::Person(player) = session.turn()
        && session.seat(!player) != Seat::Person
    {
        standing = format!("your move ({})", session.state().name(player));
    }
    if let Turn::DeadDraw(_) = session.turn() {
        "a dead draw".clone_into(&mut standing);
    }
    match table.lesson.as_ref().and_then(|attempt| attempt.mark.as_ref()) {
        Some(mark) if mark.is_right => "solved".clone_into(&mut standing),
        Some(_) => "not yet".clone_into(&mut standing),
        None => {}
    }
    let mut spans = vec![Span::raw(" "), Span::styled(standing, theme.heading())];
    if session.only_mark().is_none() && matches!(session.turn(), Turn::Person(_)) {
        spans.push(Span::raw(format!("  writes {} (x or o changes)", table.mark)));
    }
    if app.is_thinking() || app.is_looking() {
        spans.push(Span::raw(theme.pick("  thinking …", "  thinking ...").to_owned()));
    }
    if !table.typed.is_empty() {
        spans.push(Span::styled(format!("  {}_", table.typed), theme.chosen()));
    }
    Line::from(spans)
}

/// The keys that matter most now.
fn hints(table: &Table) -> &'static [(&'static str, &'static str)] {
    if let Some(attempt) = &table.lesson {
        return match &attempt.mark {
            None => &[("Enter", "place"), ("h", "hint"), ("n", "next"), ("Esc", "lessons"), ("q", "quit")],
            Some(mark) if mark.is_right => {
                &[("Enter", "next lesson"), ("u", "again"), ("Esc", "lessons"), ("q", "quit")]
            }
            Some(_) => &[("Enter", "try again"), ("Esc", "lessons"), ("q", "quit")],
        };
    }
    match table.session.turn() {
        Turn::DeadDraw(_) => {
            &[("Enter", "stop"), ("p", "play on"), ("u", "undo"), ("?", "help"), ("q", "quit")]
        }
        Turn::Over(_) => &[
            ("n", "new"),
            ("w", "swap sides"),
            ("u", "undo"),
            ("s", "save"),
            ("Esc", "menu"),
            ("?", "help"),
            ("q", "quit"),
        ],
        Turn::Held(..) => {
            &[("Enter", "go on"), ("[ ]", "step"), ("p", "players"), ("?", "help"), ("q", "quit")]
        }
        Turn::Person(_) if table.session.future().len() > 0 => &[
            ("]", "forward"),
            ("[", "back"),
            ("Enter", "take over"),
            ("p", "players"),
            ("h", "hint"),
            ("?", "help"),
            ("q", "quit"),
        ],
        Turn::Person(_) | Turn::Computer(..) => &[
            ("Enter", "place"),
            ("u", "undo"),
            ("h", "hint"),
            ("v", "values"),
            ("n", "new"),
            ("s", "save"),
            ("p", "players"),
            ("?", "help"),
            ("q", "quit"),
        ],
    }
}
