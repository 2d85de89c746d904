//! A fault as a compiler shows it: the place, the line, a caret under the culprit, help.
//!
//! Drawn by annotate-snippets, the crate that draws for rustc and cargo: it brings two small packages along where others
//! of its kind bring dozens, and it measures wide characters and cuts long lines by itself.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use tictac::notation::Code;
use tictac_archive::PlacedFault;

use crate::charset::Charset;
use crate::complaint::shown;
use crate::paint::Paint;

/// Returns the picture of a fault, several lines and an empty one.
pub(crate) fn drawn(
    file: &str,
    fault: &PlacedFault,
    n_unjudged: u64,
    paint: Paint,
    charset: Charset,
) -> String {
    let at = format!("{}:{}:{}:", shown(file.as_bytes()), fault.line, fault.column);
    let (error, message) = (format!("error[{}]:", fault.fault.code), &fault.fault.message);
    let mut text = format!("{} {} {message}\n", paint.strong(at), paint.culprit(error));
    text += &picture(fault, n_unjudged, paint, charset);
    text += "\n\n";
    text
}

fn picture(fault: &PlacedFault, n_unjudged: u64, paint: Paint, charset: Charset) -> String {
    let unjudged = match n_unjudged {
        0 => None,
        1 => Some("the line after it in this game was not judged".to_owned()),
        n => Some(format!("the {n} lines after it in this game were not judged")),
    };
    let excerpt = Excerpt::of(fault, charset);
    let mut group = Group::with_level(Level::ERROR);
    if let Some(excerpt) = &excerpt {
        group = group.element(
            Snippet::source(&excerpt.text)
                .line_start(usize::try_from(fault.line).unwrap_or(usize::MAX))
                .annotation(AnnotationKind::Primary.span(excerpt.culprit.clone())),
        );
    }
    if let Some(help) = &fault.fault.help {
        group = group.element(Level::HELP.message(help));
    }
    if let Some(unjudged) = &unjudged {
        group = group.element(Level::NOTE.message(unjudged));
    }
    let renderer = if paint == Paint::On { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// A line in printable characters, and where the culprit is in it.
struct Excerpt {
    text: String,
    culprit: Range<usize>,
}

impl Excerpt {
    /// Returns `None` where that part of the line was not kept.
    fn of(fault: &PlacedFault, charset: Charset) -> Option<Excerpt> {
        let at = usize::try_from(fault.column).ok()?.checked_sub(1)?;
        let (before, rest) = fault.text.split_at_checked(at)?;
        let (culprit, after) = rest.split_at(culprit_length(fault.fault.code, rest));
        // Spelled before the caret is placed.
        let (before, culprit) = (charset.spell(shown(before)), charset.spell(shown(culprit)));
        let range = before.len()..before.len() + culprit.len();
        Some(Excerpt { text: before + &culprit + &charset.spell(shown(after)), culprit: range })
    }
}

/// Where the line is not well formed, the first wrong character is the culprit, else the whole word.
fn culprit_length(code: Code, rest: &[u8]) -> usize {
    let end = if code.is_syntax() {
        Some(character_length(rest))
    } else {
        rest.iter().position(|byte| b" \t\r\"]".contains(byte))
    };
    end.unwrap_or(rest.len()).clamp(rest.len().min(1), rest.len())
}

/// How many bytes the first character has; what is not UTF-8 counts byte by byte.
fn character_length(bytes: &[u8]) -> usize {
    let first = bytes.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    first.map_or(1, char::len_utf8)
}
