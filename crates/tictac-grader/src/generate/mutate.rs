//! Valid input with a few bytes changed.

use fastrand::Rng;

/// Bytes that may occur in a record, and others that programs often handle wrongly.
pub(super) const ALPHABET: &[u8] = b"0123456789XOxoABCDabcd#+-.,:;_ \t\x0b\x0c\r\nZ";

/// Returns every text that differs from `text` by one byte: removed, or replaced or inserted from `alphabet`.
pub(super) fn neighbours(text: &[u8], alphabet: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for at in 0..text.len() {
        all.push([&text[..at], &text[at + 1..]].concat());
    }
    for at in 0..=text.len() {
        for &byte in alphabet {
            all.push([&text[..at], &[byte], &text[at..]].concat());
            if at < text.len() {
                all.push([&text[..at], &[byte], &text[at + 1..]].concat());
            }
        }
    }
    all
}

/// Returns `text` with one to three random changes.
pub(super) fn mutated(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..rng.usize(1..=3) {
        let at = rng.usize(..=text.len());
        let byte = ALPHABET[rng.usize(..ALPHABET.len())];
        let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        match rng.u8(..5) {
            0 if at < text.len() => drop(text.remove(at)),
            1 if at < text.len() => text[at] = byte,
            2 if lines.len() > 1 => {
                let at = rng.usize(..lines.len() - 1);
                lines.swap(at, at + 1);
                text = lines.concat();
            }
            3 if !lines.is_empty() => {
                let at = rng.usize(..lines.len());
                lines.insert(at, lines[at]);
                text = lines.concat();
            }
            2 | 3 => {}
            _ => text.insert(at, byte),
        }
    }
    text
}
