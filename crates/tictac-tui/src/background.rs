//! Whether the terminal has a dark or a light background, as far as it can be asked.

use std::collections::VecDeque;
use std::mem;

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};

/// The background of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// Dark, usually with light text.
    Dark,
    /// Light, usually with dark text.
    Light,
}

/// A colour as red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TerminalColour(pub(crate) [u8; 3]);

impl TerminalColour {
    /// Returns the relative luminance of the colour, from 0 to 1.
    pub(crate) fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let channel = f64::from(channel) / 255.0;
            if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
        };
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

/// Asks the terminal for its background colour (OSC 11); terminals that do not know the question ignore it.
pub(crate) const BACKGROUND_QUERY: &str = "\x1b]11;?\x1b\\";

impl Background {
    /// Returns whether a background colour is dark, which means that white text has more contrast on it than black text.
    pub(crate) fn of(colour: TerminalColour) -> Background {
        // At this luminance black and white have the same contrast.
        if colour.luminance() < 0.179 { Background::Dark } else { Background::Light }
    }

    /// Parses the variable `COLORFGBG`, such as `15;0`, whose last number is one of the 16 colours.
    pub fn from_colorfgbg(value: &str) -> Option<Background> {
        match value.rsplit(';').next()?.trim().parse::<u8>().ok()? {
            7 | 9..=15 => Some(Background::Light),
            0..=8 => Some(Background::Dark),
            _ => None,
        }
    }

    /// Parses a reply to the query without its escape codes: `11;rgb:ffff/ffff/dddd`, with one to four digits per colour.
    fn from_reply(reply: &str) -> Option<Background> {
        let colours = reply.strip_prefix("11;rgb")?;
        let colours = colours.strip_prefix('a').unwrap_or(colours).strip_prefix(':')?;
        let mut channels = colours.split('/').map(|digits| {
            let max = 16_u32.checked_pow(digits.len() as u32).filter(|_| digits.len() <= 4)? - 1;
            let value = u32::from_str_radix(digits, 16).ok()?;
            (max > 0).then(|| (value * 255 / max) as u8)
        });
        let mut channel = || channels.next().flatten();
        Some(Background::of(TerminalColour([channel()?, channel()?, channel()?])))
    }
}

/// Takes the terminal's reply to [`BACKGROUND_QUERY`] out of the stream of keys.
///
/// The reply may come at any time, on a slow link after the player's first keys. crossterm does not know it and returns
/// its bytes as keys: Alt-], the text, and Alt-\ or Ctrl-G. Waiting for it instead would delay the first picture.
#[derive(Debug, Default)]
pub(crate) struct ReplyFilter {
    // Keys that may be the start of the reply.
    held: VecDeque<Event>,
    text: String,
    is_done: bool,
    // Whether the reply ended with Esc, which may be the first half of its end.
    has_half_end: bool,
}

/// What a terminal event turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FilteredEvent {
    /// Events to handle, oldest first; there are none while a reply is being read.
    Keys(VecDeque<Event>),
    /// The whole reply, if it makes sense.
    Reply(Option<Background>),
}

/// The length of the longest reply, `11;rgba:` and four colours of four digits.
const MAX_REPLY: usize = 27;

impl ReplyFilter {
    /// Takes an event; holds it back if it may be part of the reply.
    pub(crate) fn filter(&mut self, event: Event) -> FilteredEvent {
        let key = match &event {
            Event::Key(key) if key.kind != KeyEventKind::Release => Some(*key),
            _ => None,
        };
        let key = key.map(|key| (key.code, key.modifiers.difference(KeyModifiers::SHIFT)));
        if mem::take(&mut self.has_half_end) && key == Some((KeyCode::Char('\\'), KeyModifiers::NONE)) {
            return FilteredEvent::Keys(VecDeque::new());
        }
        let is_reading = !self.held.is_empty();
        match key {
            _ if self.is_done => return FilteredEvent::Keys(VecDeque::from([event])),
            Some((KeyCode::Char(']'), KeyModifiers::ALT)) if !is_reading => self.held.push_back(event),
            Some((KeyCode::Char('\\'), KeyModifiers::ALT) | (KeyCode::Char('g'), KeyModifiers::CONTROL))
                if is_reading && self.text.len() > 3 =>
            {
                return self.finish();
            }
            Some((KeyCode::Esc, KeyModifiers::NONE)) if self.is_reply() => {
                self.has_half_end = true;
                return self.finish();
            }
            Some((KeyCode::Char(c), KeyModifiers::NONE)) if is_reading && self.may_follow(c) => {
                self.text.push(c);
                self.held.push_back(event);
            }
            // No player types what was held back so far: it is the start of a reply and is dropped. Only this key is handled.
            _ if self.is_reply() => return FilteredEvent::Keys(VecDeque::from([event])),
            _ => {
                self.text.clear();
                let mut events = mem::take(&mut self.held);
                events.push_back(event);
                return FilteredEvent::Keys(events);
            }
        }
        FilteredEvent::Keys(VecDeque::new())
    }

    fn finish(&mut self) -> FilteredEvent {
        self.is_done = true;
        self.held.clear();
        FilteredEvent::Reply(Background::from_reply(&self.text))
    }

    /// Returns whether enough has been read to be sure that it is the reply.
    fn is_reply(&self) -> bool {
        self.text.starts_with("11;rgb")
    }

    /// Returns whether a reply may go on with this character.
    fn may_follow(&self, c: char) -> bool {
        match "11;".chars().nth(self.text.len()) {
            Some(expected) => c == expected,
            None => self.text.len() < MAX_REPLY && (c.is_ascii_alphanumeric() || matches!(c, ':' | '/')),
        }
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyEvent;

    use super::*;

    fn key(c: char, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(KeyCode::Char(c), modifiers))
    }

    /// Returns the events as crossterm reads this reply.
    fn reply(text: &str) -> Vec<Event> {
        let start = [key(']', KeyModifiers::ALT)];
        let end = [key('\\', KeyModifiers::ALT)];
        start.into_iter().chain(text.chars().map(|c| key(c, KeyModifiers::NONE))).chain(end).collect()
    }

    /// Returns the keys that the filter lets through, and what it takes for a reply.
    fn run(filter: &mut ReplyFilter, events: Vec<Event>) -> (Vec<Event>, Vec<Option<Background>>) {
        let (mut keys, mut replies) = (Vec::new(), Vec::new());
        for event in events {
            match filter.filter(event) {
                FilteredEvent::Keys(events) => keys.extend(events),
                FilteredEvent::Reply(background) => replies.push(background),
            }
        }
        (keys, replies)
    }

    #[test]
    fn the_reply_of_the_terminal_is_no_key() {
        for (text, background) in [
            ("11;rgb:0000/0000/0000", Some(Background::Dark)),
            ("11;rgb:ffff/ffff/dddd", Some(Background::Light)),
            ("11;rgb:ff/ff/dd", Some(Background::Light)),
            ("11;rgba:1e1e/1e1e/1e1e/ffff", Some(Background::Dark)),
            ("11;rgb:zz/0/0", None),
            ("11;rgb:/0/0", None),
            ("11;red", None),
        ] {
            let first = key('c', KeyModifiers::NONE);
            let last = key('u', KeyModifiers::NONE);
            let events = [vec![first.clone()], reply(text), vec![last.clone()]].concat();
            let expected = (vec![first, last], vec![background]);
            assert_eq!(run(&mut ReplyFilter::default(), events), expected, "{text}");
        }
    }

    #[test]
    fn a_reply_that_comes_in_parts_is_no_key() {
        let esc = Event::Key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
        let backslash = key('\\', KeyModifiers::NONE);
        let mut whole = reply("11;rgb:0000/0000/0000");
        whole.pop();
        // The end may be split in two keys, or never come; the keys after it are the player's.
        let mut filter = ReplyFilter::default();
        let events = [whole.clone(), vec![esc.clone(), backslash.clone(), backslash.clone()]].concat();
        assert_eq!(run(&mut filter, events), (vec![backslash], vec![Some(Background::Dark)]));
        let mut filter = ReplyFilter::default();
        let after = vec![Event::Resize(80, 24), key('?', KeyModifiers::NONE)];
        assert_eq!(run(&mut filter, [whole, after.clone()].concat()), (after, vec![]));
        assert_eq!(run(&mut filter, vec![esc]), (vec![], vec![Some(Background::Dark)]));
    }

    #[test]
    fn keys_that_only_look_like_a_reply_are_kept() {
        for text in ["12", "u", "11;?", "11;rg?"] {
            let events = reply(text);
            assert_eq!(run(&mut ReplyFilter::default(), events.clone()), (events, vec![]), "{text}");
        }
        // A second reply does not come; the keys are the player's.
        let mut filter = ReplyFilter::default();
        run(&mut filter, reply("11;rgb:0/0/0"));
        assert_eq!(run(&mut filter, reply("11;rgb:0/0/0")), (reply("11;rgb:0/0/0"), vec![]));
    }

    #[test]
    fn the_variable_names_the_background_last() {
        for (value, background) in [
            ("15;0", Some(Background::Dark)),
            ("0;15", Some(Background::Light)),
            ("0;default;7", Some(Background::Light)),
            ("7;8", Some(Background::Dark)),
            ("15;default", None),
            ("", None),
            ("0;99", None),
        ] {
            assert_eq!(Background::from_colorfgbg(value), background, "{value}");
        }
    }
}
