//! The screens that are lists: the menu, the rules form and the lessons.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use tictac::Mark;

use super::text::{key_help, wrap};
use crate::app::menu::MenuItem;
use crate::app::rules_form::{RulesField, RulesForm};
use crate::app::{App, AppScreen};
use crate::layout::TooSmall;
use crate::lessons::LESSONS;
use crate::theme::Theme;

const MIN_COLUMNS: u16 = 30;
/// Windows with fewer columns have no space for details beside the entries.
const NARROW: u16 = 52;

/// A list that fills the screen.
struct ListScreen {
    heading: &'static str,
    entries: Vec<ListEntry>,
    selected: usize,
    keys: &'static [(&'static str, &'static str)],
}

/// An entry of a list.
struct ListEntry {
    key: String,
    title: String,
    detail: String,
    can_change: bool,
}

/// Draws the list on the screen.
pub(super) fn draw(app: &App, theme: Theme, frame: &mut Frame<'_>) -> Result<(), TooSmall> {
    let Some(list) = ListScreen::of(app, theme) else { return Ok(()) };
    let area = frame.area();
    let layout = list.layout((area.width, area.height))?;
    if layout.top >= 6 {
        draw_logo(theme, Rect { y: layout.top - 6, height: 3, ..area }, frame);
    }
    let is_narrow = area.width < NARROW;
    if layout.top >= 2 {
        // In a narrow window the detail of the selected entry replaces the heading.
        let detail = list.entries.get(list.selected).filter(|_| is_narrow).map(|entry| entry.detail.clone());
        let heading = detail.unwrap_or_else(|| list.heading.to_owned());
        let heading = Line::styled(heading, theme.heading());
        frame.render_widget(heading.centered(), Rect { y: layout.top - 2, height: 1, ..area });
    }
    for (number, entry) in list.entries.iter().enumerate().skip(layout.first).take(layout.n_shown) {
        let y = layout.top + (number - layout.first) as u16 * layout.step;
        let mut line = if number == list.selected { entry.selected_line(theme) } else { entry.line(theme) };
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
        let y = (layout.bottom() + 1).min(bottom.saturating_sub(height));
        frame.render_widget(Paragraph::new(lines), Rect { y, height, ..area });
    }
    frame.render_widget(key_help(theme, list.keys, area.width), Rect { y: bottom, height: 1, ..area });
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
    left: u16,
    top: u16,
    step: u16,
    first: usize,
    n_shown: usize,
}

impl ListLayout {
    fn bottom(&self) -> u16 {
        self.top + (self.n_shown as u16 - 1) * self.step
    }
}

impl ListScreen {
    fn of(app: &App, theme: Theme) -> Option<ListScreen> {
        match &app.screen {
            AppScreen::Menu(selected) => Some(menu(app, *selected)),
            AppScreen::Rules(form) => Some(rules(form)),
            AppScreen::Lessons(selected) => Some(lessons(app, *selected, theme)),
            AppScreen::Game => None,
        }
    }

    fn layout(&self, (columns, rows): (u16, u16)) -> Result<ListLayout, TooSmall> {
        let n_entries = self.entries.len() as u16;
        if columns < MIN_COLUMNS || rows < 5 {
            return Err(TooSmall { columns: MIN_COLUMNS, rows: 5 });
        }
        // The last row holds the key help, and the one above it stays empty.
        let room = rows - 2;
        let step = if n_entries * 2 + 7 <= room { 2 } else { 1 };
        let n_shown = n_entries.min(room / step).max(1);
        let height = (n_shown - 1) * step + 1;
        let widest = self.entries.iter().map(ListEntry::width).max().unwrap_or(0);
        let width = if columns < NARROW { 24 } else { widest.min(columns) };
        let header = if height + 7 <= room {
            6
        } else if height + 2 <= room {
            2
        } else {
            0
        };
        let top = header + (room - height - header) / 2;
        let n_shown = usize::from(n_shown);
        let first = (self.selected + 1).saturating_sub(n_shown);
        Ok(ListLayout { left: (columns - width) / 2, top, step, first, n_shown })
    }
}

fn menu(app: &App, selected: usize) -> ListScreen {
    let entries = MenuItem::ALL.into_iter().map(|item| ListEntry {
        key: item.key().to_string(),
        title: item.title().to_owned(),
        detail: item.detail(&app.settings),
        can_change: item.can_change(),
    });
    ListScreen {
        heading: "Tic-tac-toe and its relatives",
        entries: entries.collect(),
        selected,
        keys: &[
            ("Enter", "start"),
            ("arrows", "select, change"),
            ("Tab", "who goes first"),
            ("?", "help"),
            ("q", "quit"),
        ],
    }
}

fn rules(form: &RulesForm) -> ListScreen {
    let entries = RulesField::ALL.into_iter().map(|field| ListEntry {
        key: String::new(),
        title: field.title().to_owned(),
        detail: form.value(field),
        can_change: true,
    });
    ListScreen {
        heading: "Other rules",
        entries: entries.collect(),
        selected: form.selected,
        keys: &[
            ("arrows", "select, change"),
            ("Enter", "start"),
            ("Esc", "back"),
            ("?", "help"),
            ("q", "quit"),
        ],
    }
}

fn lessons(app: &App, selected: usize, theme: Theme) -> ListScreen {
    let entries = LESSONS.iter().zip(1..).map(|(lesson, number)| {
        let is_solved = app.settings.solved_lessons.contains(lesson.id);
        ListEntry {
            key: format!("{number:>2}"),
            title: lesson.chapter.to_owned(),
            detail: format!("{} {}", lesson.title, if is_solved { theme.pick("✓", "(solved)") } else { "" }),
            can_change: false,
        }
    });
    ListScreen {
        heading: "Lessons",
        entries: entries.collect(),
        selected,
        keys: &[("Enter", "start"), ("arrows", "select"), ("Esc", "back"), ("?", "help"), ("q", "quit")],
    }
}

impl ListEntry {
    fn line<'a>(&self, theme: Theme) -> Line<'a> {
        self.spans(theme, Style::new(), theme.label(), ["  ", "  ", ""])
    }

    fn selected_line<'a>(&self, theme: Theme) -> Line<'a> {
        let [open, close] =
            if self.can_change { [theme.pick("‹ ", "< "), theme.pick(" ›", " >")] } else { ["  ", ""] };
        let style = theme.selected();
        self.spans(theme, style, style, [theme.pick("▸ ", "> "), open, close])
    }

    fn spans<'a>(
        &self,
        theme: Theme,
        style: Style,
        detail_style: Style,
        [arrow, open, close]: [&str; 3],
    ) -> Line<'a> {
        Line::from(vec![
            Span::styled(arrow.to_owned(), style),
            Span::styled(format!("{} ", self.key), theme.key()),
            Span::styled(format!("{:<20}", theme.text(&self.title)), style),
            Span::styled(format!("{open}{}{close}", theme.text(&self.detail)), detail_style),
        ])
    }

    fn width(&self) -> u16 {
        (2 + self.key.chars().count() + 1 + 20 + self.detail.chars().count() + 4) as u16
    }
}

fn draw_logo(theme: Theme, area: Rect, frame: &mut Frame<'_>) {
    let rows = if theme.is_ascii {
        ["\\ / | .-. | \\ /", " X  | | | |  X ", "/ \\ | '-' | / \\"]
    } else {
        ["╲ ╱ │ ╭─╮ │ ╲ ╱", " ╳  │ │ │ │  ╳ ", "╱ ╲ │ ╰─╯ │ ╱ ╲"]
    };
    let lines = rows.map(|row| {
        let chars: Vec<char> = row.chars().collect();
        let part = |from: usize, to: usize| chars[from..to].iter().collect::<String>();
        Line::from(vec![
            Span::styled(part(0, 3), theme.mark(Mark::X)),
            Span::styled(part(3, 6), theme.grid()),
            Span::styled(part(6, 9), theme.mark(Mark::O)),
            Span::styled(part(9, 12), theme.grid()),
            Span::styled(part(12, 15), theme.mark(Mark::X)),
        ])
        .centered()
    });
    frame.render_widget(Paragraph::new(lines.to_vec()), area);
}
