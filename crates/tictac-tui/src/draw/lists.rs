//! The first screen, the form of rules, the lessons: lists to choose from.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::text::{keys, wrap};
use crate::app::form::Field;
use crate::app::menu::Item;
use crate::app::{App, Scene};
use crate::course::COURSE;
use crate::layout::TooSmall;
use crate::theme::Theme;

const MIN_COLUMNS: u16 = 30;
/// Fewer columns than this hold no details beside the entries.
const NARROW: u16 = 52;

/// A list on the screen.
struct List {
    heading: &'static str,
    entries: Vec<Entry>,
    chosen: usize,
    keys: &'static [(&'static str, &'static str)],
}

/// A line of a list.
struct Entry {
    key: String,
    title: String,
    detail: String,
    can_change: bool,
}

/// Draws the list that fills the screen.
pub(super) fn draw(app: &App, theme: Theme, frame: &mut Frame<'_>) -> Result<(), TooSmall> {
    let Some(list) = List::of(app, theme) else { return Ok(()) };
    let area = frame.area();
    let place = list.place((area.width, area.height))?;
    if place.top >= 6 {
        draw_logo(theme, Rect { y: place.top - 6, height: 3, ..area }, frame);
    }
    let is_narrow = area.width < NARROW;
    if place.top >= 2 {
        // Where there is no room beside the entries, their details stand above them.
        let detail = list.entries.get(list.chosen).filter(|_| is_narrow).map(|entry| entry.detail.clone());
        let heading = detail.unwrap_or_else(|| list.heading.to_owned());
        let heading = Line::styled(heading, theme.heading());
        frame.render_widget(heading.centered(), Rect { y: place.top - 2, height: 1, ..area });
    }
    for (number, entry) in list.entries.iter().enumerate().skip(place.first).take(place.n_shown) {
        let y = place.top + (number - place.first) as u16 * place.step;
        let mut line = entry.line(number == list.chosen, theme);
        if is_narrow {
            line.spans.truncate(3);
        }
        frame.render_widget(line, Rect::new(place.left, y, area.width.saturating_sub(place.left), 1));
    }
    let bottom = area.height - 1;
    if let Some(note) = &app.note {
        let lines: Vec<Line<'_>> = wrap(note, usize::from(area.width).saturating_sub(4))
            .into_iter()
            .map(|line| Line::styled(line, theme.note()).centered())
            .collect();
        let height = (lines.len() as u16).min(2);
        let y = (place.bottom() + 1).min(bottom.saturating_sub(height));
        frame.render_widget(Paragraph::new(lines), Rect { y, height, ..area });
    }
    frame.render_widget(keys(theme, list.keys, area.width), Rect { y: bottom, height: 1, ..area });
    Ok(())
}

/// Returns the entry of the list in this row of the screen, if there is one.
pub(crate) fn entry_at(app: &App, row: u16) -> Option<usize> {
    let list = List::of(app, Theme::FULL)?;
    let place = list.place(app.size).ok()?;
    let below = row.checked_sub(place.top)?;
    let number = place.first + usize::from(below / place.step);
    (below % place.step == 0 && number < (place.first + place.n_shown).min(list.entries.len()))
        .then_some(number)
}

/// Where the entries are.
struct Place {
    left: u16,
    top: u16,
    step: u16,
    first: usize,
    n_shown: usize,
}

impl Place {
    fn bottom(&self) -> u16 {
        self.top + (self.n_shown as u16 - 1) * self.step
    }
}

impl List {
    fn of(app: &App, theme: Theme) -> Option<List> {
        match &app.scene {
            Scene::Menu(chosen) => Some(menu(app, *chosen)),
            Scene::Rules(form) => Some(List {
                heading: "Other rules",
                entries: Field::ALL
                    .into_iter()
                    .map(|field| Entry {
                        key: String::new(),
                        title: field.title().to_owned(),
                        detail: form.value(field),
                        can_change: true,
                    })
                    .collect(),
                chosen: form.field,
                keys: &[
                    ("arrows", "change"),
                    ("Enter", "play"),
                    ("Esc", "back"),
                    ("?", "help"),
                    ("q", "quit"),
                ],
            }),
            Scene::Lessons(chosen) => Some(lessons(app, *chosen, theme)),
            Scene::Game => None,
        }
    }

    fn place(&self, (columns, rows): (u16, u16)) -> Result<Place, TooSmall> {
        // A line for the keys and one above them.
        let n_entries = self.entries.len() as u16;
        if columns < MIN_COLUMNS || rows < 5 {
            return Err(TooSmall { columns: MIN_COLUMNS, rows: 5 });
        }
        let room = rows - 2;
        let step = if n_entries * 2 + 7 <= room { 2 } else { 1 };
        let n_shown = n_entries.min(room / step).max(1);
        let height = (n_shown - 1) * step + 1;
        let detailed = self.entries.iter().map(Entry::width).max().unwrap_or(0);
        let width = if columns < NARROW { 24 } else { detailed.min(columns) };
        let logo = if height + 7 <= room {
            6
        } else if height + 2 <= room {
            2
        } else {
            0
        };
        let top = logo + (room - height - logo) / 2;
        let n_shown = usize::from(n_shown);
        let first = (self.chosen + 1).saturating_sub(n_shown);
        Ok(Place { left: (columns - width) / 2, top, step, first, n_shown })
    }
}

fn menu(app: &App, chosen: usize) -> List {
    let entries = Item::ALL.into_iter().map(|item| Entry {
        key: item.key().to_string(),
        title: item.title().to_owned(),
        detail: item.detail(&app.settings),
        can_change: item.can_change(),
    });
    List {
        heading: "Three in a row, and what became of it",
        entries: entries.collect(),
        chosen,
        keys: &[
            ("Enter", "start"),
            ("arrows", "choose, change"),
            ("Tab", "who begins"),
            ("?", "help"),
            ("q", "quit"),
        ],
    }
}

fn lessons(app: &App, chosen: usize, theme: Theme) -> List {
    let entries = COURSE.iter().zip(1..).map(|(lesson, number)| {
        let is_solved = app.settings.learned.contains(lesson.id);
        Entry {
            key: format!("{number:>2}"),
            title: lesson.chapter.to_owned(),
            detail: format!("{} {}", lesson.title, if is_solved { theme.pick("✓", "(solved)") } else { "" }),
            can_change: false,
        }
    });
    List {
        heading: "Learn",
        entries: entries.collect(),
        chosen,
        keys: &[("Enter", "begin"), ("arrows", "choose"), ("Esc", "back"), ("?", "help"), ("q", "quit")],
    }
}

impl Entry {
    fn line<'a>(&self, is_chosen: bool, theme: Theme) -> Line<'a> {
        let style = if is_chosen { theme.chosen() } else { Style::new() };
        let arrow = if is_chosen { theme.pick("▸ ", "> ") } else { "  " };
        let (open, close) = if is_chosen && self.can_change {
            (theme.pick("‹ ", "< "), theme.pick(" ›", " >"))
        } else {
            ("  ", "")
        };
        Line::from(vec![
            Span::styled(arrow.to_owned(), style),
            Span::styled(format!("{} ", self.key), theme.key()),
            Span::styled(format!("{:<20}", theme.text(&self.title)), style),
            Span::styled(
                format!("{open}{}{close}", theme.text(&self.detail)),
                if is_chosen { style } else { theme.label() },
            ),
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
        let parts: Vec<char> = row.chars().collect();
        let part = |from: usize, to: usize| parts[from..to].iter().collect::<String>();
        Line::from(vec![
            Span::styled(part(0, 3), theme.mark(tictac::Mark::X)),
            Span::styled(part(3, 6), theme.grid()),
            Span::styled(part(6, 9), theme.mark(tictac::Mark::O)),
            Span::styled(part(9, 12), theme.grid()),
            Span::styled(part(12, 15), theme.mark(tictac::Mark::X)),
        ])
        .centered()
    });
    frame.render_widget(Paragraph::new(lines.to_vec()), area);
}
