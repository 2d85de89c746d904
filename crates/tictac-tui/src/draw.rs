//! Draws the app without changing it.

mod board;
mod dialogs;
mod game;
mod lists;
mod panel;
mod text;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

pub(crate) use self::lists::entry_at;
use crate::app::{App, AppScreen};
use crate::layout::TooSmall;
use crate::theme::Theme;

/// Draws the app.
pub fn draw(app: &App, theme: Theme, frame: &mut Frame<'_>) {
    let area = frame.area();
    frame.buffer_mut().set_style(area, theme.base());
    let drawn = match &app.screen {
        AppScreen::Game => game::draw(app, theme, frame),
        AppScreen::Menu(_) | AppScreen::Rules(_) | AppScreen::Lessons(_) | AppScreen::Archive(_) => {
            lists::draw(app, theme, frame)
        }
    };
    match drawn {
        Ok(()) => dialogs::draw(app, theme, frame),
        Err(too_small) => draw_too_small(too_small, theme, frame),
    }
}

fn draw_too_small(needed: TooSmall, theme: Theme, frame: &mut Frame<'_>) {
    let area = frame.area();
    let by = theme.pick("×", "x");
    let lines = vec![
        Line::styled("Window too small", theme.heading()),
        Line::raw(format!("needs {}{by}{}", needed.columns, needed.rows)),
        Line::raw(format!("has {}{by}{}", area.width, area.height)),
    ];
    let height = (lines.len() as u16).min(area.height);
    let middle = Rect { y: area.y + (area.height - height) / 2, height, ..area };
    frame.render_widget(Paragraph::new(lines).centered(), middle);
}
