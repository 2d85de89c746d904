//! The screen, drawn from the app; nothing here changes anything.

mod board;
mod game;
mod glyph;
mod lists;
mod overlay;
mod text;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::app::{App, Scene};
use crate::layout::TooSmall;
use crate::theme::Theme;

pub(crate) use self::game::{name_of, seat_name};
pub(crate) use self::lists::entry_at;

/// Draws the app.
pub fn draw(app: &App, theme: Theme, frame: &mut Frame<'_>) {
    let drawn = match &app.scene {
        Scene::Game => game::draw(app, theme, frame),
        Scene::Menu(_) | Scene::Rules(_) | Scene::Lessons(_) => lists::draw(app, theme, frame),
    };
    match drawn {
        Ok(()) => overlay::draw(app, theme, frame),
        Err(too_small) => draw_too_small(too_small, theme, frame),
    }
}

fn draw_too_small(needed: TooSmall, theme: Theme, frame: &mut Frame<'_>) {
    let area = frame.area();
    let by = theme.pick("×", "x");
    let lines = vec![
        Line::styled("too small", theme.heading()),
        Line::raw(format!("needs {}{by}{}", needed.columns, needed.rows)),
        Line::raw(format!("is {}{by}{}", area.width, area.height)),
    ];
    let height = (lines.len() as u16).min(area.height);
    let middle = Rect { y: area.y + (area.height - height) / 2, height, ..area };
    frame.render_widget(Paragraph::new(lines).centered(), middle);
}
