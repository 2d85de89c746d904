//! Names for players who enter none.

use super::language::{Language, text};

const NAMES: [&str; 24] = [
    text("Agile Albatross"),
    text("Bold Badger"),
    text("Brave Beaver"),
    text("Cheerful Crane"),
    text("Clever Otter"),
    text("Curious Cat"),
    text("Daring Dolphin"),
    text("Eager Eagle"),
    text("Fearless Falcon"),
    text("Friendly Fox"),
    text("Gentle Gorilla"),
    text("Happy Hippo"),
    text("Jolly Jaguar"),
    text("Kind Koala"),
    text("Lucky Lynx"),
    text("Merry Meerkat"),
    text("Nimble Newt"),
    text("Patient Panda"),
    text("Quick Quokka"),
    text("Relaxed Raven"),
    text("Sly Salamander"),
    text("Tiny Tiger"),
    text("Witty Wombat"),
    text("Zippy Zebra"),
];

/// Returns a random name.
pub(super) fn random(language: Language) -> &'static str {
    let number = getrandom::u32().unwrap_or(0) as usize;
    language.t(NAMES[number % NAMES.len()])
}
