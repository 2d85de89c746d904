//! The screens that are lists: the menu, the rules form and the lessons.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use tictac::Mark;

use super::board::{large_mark, mark_rows};
use super::text::{HELP_AND_QUIT, KeyMeaning, key_help, wrap};
use crate::app::menu::MENU;
use crate::app::rules_form::{RULES_FIELDS, RulesForm};
use crate::app::{App, AppScreen};
use crate::game_archive::GameArchive;
use crate::layout::TooSmall;
use crate::theme::Theme;
use tictac_solver::lessons::LESSONS;

const MIN_COLUMNS: u16 = 30;
/// Windows with fewer columns have no space for details beside the entries.
const NARROW: u16 = 52;

struct ListScreen {
    heading: String,
    entries: Vec<ListEntry>,
    selected: usize,
    // The keys that matter most, before help and quit.
    keys: &'static [KeyMeaning],
}

struct ListEntry {
    key: String,
    title: String,
    detail: String,
    can_change: bool,
}

pub(super) fn draw(app: &App, theme: Theme, frame: &mut Frame<'_>) -> Result<(), TooSmall> {
    let Some(list) = ListScreen::of(app, theme) else { return Ok(()) };
    let area = frame.area();
    let layout = list.layout((area.width, area.height))?;
    if layout.logo > 0 {
        let y = layout.top - layout.logo - 3 - u16::from(layout.logo > SMALL_LOGO);
        draw_logo(theme, Rect { y, height: layout.logo, ..area }, frame);
    }
    let is_narrow = area.width < NARROW;
    if layout.top >= 2 {
        // In a narrow window the detail of the selected entry replaces the heading.
        let detail = list.entries.get(list.selected).filter(|_| is_narrow).map(|entry| entry.detail.clone());
        let heading = detail.unwrap_or_else(|| list.heading.clone());
        let heading = Line::styled(heading, theme.heading());
        frame.render_widget(heading.centered(), Rect { y: layout.top - 2, height: 1, ..area });
    }
    for number in layout.first..(layout.first + layout.n_shown).min(list.entries.len()) {
        let y = layout.top + (number - layout.first) as u16 * layout.step;
        let mut line = list.line(number, theme);
        if is_narrow {
            line.spans.truncate(3);
        }
        frame.render_widget(line, Rect::new(layout.left, y, area.width.saturating_sub(layout.left), 1));
    }
    let bottom = area.height - 1;
    if let Some(message) = &app.message {
        let lines: Vec<Line<'_>> = wrap(message, usize::from(area.width).saturating_sub(4))
            .into_iter()
            .map(|line| Line::styled(line, theme.message()).centered())
            .collect();
        let height = (lines.len() as u16).min(2);
        let below = layout.top + (layout.n_shown as u16 - 1) * layout.step + 1;
        let y = below.min(bottom.saturating_sub(height));
        frame.render_widget(Paragraph::new(lines), Rect { y, height, ..area });
    }
    let keys = key_help(theme, list.keys, &HELP_AND_QUIT, area.width);
    frame.render_widget(keys, Rect { y: bottom, height: 1, ..area });
    Ok(())
}

/// Returns the entry of the list in this row of the screen, if there is one.
pub(crate) fn entry_at(app: &App, row: u16) -> Option<usize> {
    let list = ListScreen::of(app, Theme::FULL)?;
    let layout = list.layout(app.size).ok()?;
    let below = row.checked_sub(layout.top)?;
    let number = layout.first + usize::from(below / layout.step);
    (below % layout.step == 0 && number < (layout.first + layout.n_shown).min(list.entries.len()))
        .then_some(number)
}

/// Where the entries of a list are on the screen.
struct ListLayout {
    // The height of the logo above the heading, or 0 if there is no space for it.
    logo: u16,
    left: u16,
    top: u16,
    step: u16,
    first: usize,
    n_shown: usize,
}

impl ListScreen {
    fn of(app: &App, theme: Theme) -> Option<ListScreen> {
        match &app.screen {
            AppScreen::Menu(selected) => Some(ListScreen::menu(app, *selected)),
            AppScreen::Rules(form) => Some(ListScreen::rules(form)),
            AppScreen::Lessons(selected) => Some(ListScreen::lessons(app, *selected, theme)),
            AppScreen::Archive(archive) => Some(ListScreen::archive(archive)),
            AppScreen::Game => None,
        }
    }

    fn menu(app: &App, selected: usize) -> ListScreen {
        let entries = MENU.into_iter().map(|(item, key, title)| {
            let detail = item.detail(&app.settings, app.today);
            ListEntry { key: key.to_string(), title: title.to_owned(), detail, can_change: item.can_change() }
        });
        let keys = &[("Enter", "start"), ("arrows", "select, change"), ("Tab", "who goes first")];
        let heading = "Tic-tac-toe and its relatives".to_owned();
        ListScreen { heading, entries: entries.collect(), selected, keys }
    }

    fn rules(form: &RulesForm) -> ListScreen {
        let entries = RULES_FIELDS.into_iter().map(|(field, title)| {
            let (key, detail) = (String::new(), form.value(field));
            ListEntry { key, title: title.to_owned(), detail, can_change: true }
        });
        let keys = &[("arrows", "select, change"), ("Enter", "start"), ("Esc", "back")];
        let (heading, selected) = ("Other rules".to_owned(), form.selected);
        ListScreen { heading, entries: entries.collect(), selected, keys }
    }

    fn lessons(app: &App, selected: usize, theme: Theme) -> ListScreen {
        let entries = LESSONS.iter().zip(1..).map(|(lesson, number)| {
            let is_solved = app.settings.solved_lessons.contains(lesson.id);
            let is_due = app.settings.lesson_schedule.is_due(lesson.id, app.today);
            let solved = match (is_solved, is_due) {
                (true, true) => theme.pick("↻ repeat", "(repeat)"),
                (true, false) => theme.pick("✓", "(solved)"),
                (false, _) => "",
            };
            let (key, detail) = (format!("{number:>2}"), format!("{} {solved}", lesson.title));
            ListEntry { key, title: lesson.chapter().to_owned(), detail, can_change: false }
        });
        let keys = &[("Enter", "start"), ("arrows", "select"), ("Esc", "back")];
        ListScreen { heading: "Lessons".to_owned(), entries: entries.collect(), selected, keys }
    }

    fn archive(archive: &GameArchive) -> ListScreen {
        let entries = archive.shown().into_iter().map(|game| {
            let key = format!("{:>3}", game.number);
            ListEntry { key, title: game.result(), detail: game.detail(), can_change: false }
        });
        let keys: &[KeyMeaning] = match archive.searched {
            None => &[("Enter", "open"), ("/", "search this position"), ("Esc", "back")],
            Some(_) => &[("Enter", "open"), ("/", "all games"), ("Esc", "back")],
        };
        let (heading, selected) = (archive.heading(), archive.selected);
        ListScreen { heading, entries: entries.collect(), selected, keys }
    }

    fn layout(&self, (columns, rows): (u16, u16)) -> Result<ListLayout, TooSmall> {
        let n_entries = self.entries.len().clamp(1, 1000) as u16;
        if columns < MIN_COLUMNS || rows < 5 {
            return Err(TooSmall { columns: MIN_COLUMNS, rows: 5 });
        }
        // The last row holds the key help, and the one above it stays empty.
        let room = rows - 2;
        let step = if n_entries * 2 + 7 <= room { 2 } else { 1 };
        let n_shown = n_entries.min(room / step).max(1);
        let height = (n_shown - 1) * step + 1;
        let width_of = |entry: &ListEntry| 27 + entry.key.chars().count() + entry.detail.chars().count();
        let widest = self.entries.iter().map(width_of).max().unwrap_or(0) as u16;
        let width = if columns < NARROW { 24 } else { widest.min(columns) };
        let (header, logo) = match room - height {
            0..2 => (0, 0),
            2..7 => (2, 0),
            7..22 => (6, SMALL_LOGO),
            22.. => (13, LARGE_LOGO),
        };
        let top = header + (room - height - header) / 2;
        let n_shown = usize::from(n_shown);
        let first = (self.selected + 1).saturating_sub(n_shown);
        Ok(ListLayout { logo, left: (columns - width) / 2, top, step, first, n_shown })
    }

    fn line(&self, number: usize, theme: Theme) -> Line<'static> {
        let entry = &self.entries[number];
        let is_selected = number == self.selected;
        let (style, detail_style, arrow) = if is_selected {
            (theme.selected(), theme.selected(), theme.pick("▸ ", "> "))
        } else {
            (Style::new(), theme.label(), "  ")
        };
        let (open, close) = match (is_selected, entry.can_change) {
            (true, true) => (theme.pick("‹ ", "< "), theme.pick(" ›", " >")),
            _ => ("  ", ""),
        };
        Line::from(vec![
            Span::styled(arrow, style),
            Span::styled(format!("{} ", entry.key), theme.key()),
            Span::styled(format!("{:<20}", theme.text(&entry.title)), style),
            Span::styled(format!("{open}{}{close}", theme.text(&entry.detail)), detail_style),
        ])
    }
}

/// The height of the logo in small and in large windows.
const SMALL_LOGO: u16 = 3;
const LARGE_LOGO: u16 = 9;

fn draw_logo(theme: Theme, area: Rect, frame: &mut Frame<'_>) {
    let rows = |mark: Mark| match area.height {
        SMALL_LOGO => mark_rows(mark, SMALL_LOGO, theme).iter().map(|&row| row.to_owned()).collect(),
        height => large_mark(mark, usize::from(height), theme),
    };
    let marks = [Mark::X, Mark::O, Mark::X].map(|mark| (mark, rows(mark)));
    let space = if area.height == SMALL_LOGO { " " } else { "  " };
    let rule = Span::styled(format!("{space}{}{space}", theme.pick("│", "|")), theme.grid());
    let lines = (0..usize::from(area.height)).map(|row| {
        let [first, second, third] = marks
            .each_ref()
            .map(|(mark, rows)| Span::styled(rows.get(row).cloned().unwrap_or_default(), theme.mark(*mark)));
        Line::from(vec![first, rule.clone(), second, rule.clone(), third]).centered()
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
}
