//! Properties of every input: no panic, no game lost, and the same result however it is read.
//!
//! Used by the fuzz targets and by the tests in `seeds`.

use std::io::{Cursor, Read, Write};

use tictac_archive::{
    CheckOptions, Ending, Format, GameReport, ReportedGames, Totals, check_text, decompress,
};

/// Checks all properties.
pub(crate) fn all(bytes: &[u8]) {
    archive(bytes);
    tag(bytes);
    decoder(bytes);
}

/// Checks that all games are reported and counted, that faults lie inside the text, and that games do not affect each other.
pub(crate) fn archive(bytes: &[u8]) {
    for rules in ["classic", "wild", "4,4,3 misere", "notakto boards=2"] {
        let options = CheckOptions { rules: rules.parse().expect("rules"), ..CheckOptions::default() };
        let whole = check_text(bytes, &options);
        check_report(bytes, &whole);
        let bad_only = check_text(bytes, &CheckOptions { reported: ReportedGames::Bad, ..options });
        let bad: Vec<GameReport> =
            whole.0.iter().filter(|report| report.ending == Ending::Bad).cloned().collect();
        assert_eq!(bad_only, (bad, whole.1));
        let strict = check_text(bytes, &CheckOptions { format: Format::Strict, ..options });
        assert_eq!(strict.1.games(), 1);
        check_report(bytes, &strict);
    }
    check_surroundings(bytes);
    check_line_ends(bytes);
}

fn check_report(bytes: &[u8], (reports, totals): &(Vec<GameReport>, Totals)) {
    assert_eq!(reports.len() as u64, totals.games());
    assert_eq!(reports.iter().map(|report| report.moves).sum::<u64>(), totals.moves);
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    for (number, report) in (1..).zip(reports) {
        assert_eq!(report.game, number);
        assert_eq!(report.ending == Ending::Bad, !report.faults.is_empty());
        for fault in &report.faults {
            let line = lines[usize::try_from(fault.line).expect("a line") - 1];
            assert!(fault.line >= report.line && fault.column >= 1);
            assert!(fault.column as usize <= line.len() + 1, "{}:{}", fault.line, fault.column);
            let rest = line.get(fault.n_cut..).expect("a fault lies in its line");
            assert!(rest.starts_with(&fault.text), "{:?}", fault.text);
        }
    }
}

/// Returns the endings and lengths of all games.
fn endings(bytes: &[u8]) -> Vec<(Ending, u64)> {
    let (reports, _) = check_text(bytes, &CheckOptions::default());
    reports.iter().map(|report| (report.ending, report.moves)).collect()
}

/// Checks that the result is the same between two other games.
fn check_surroundings(bytes: &[u8]) {
    let other = &b"1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n"[..];
    let expected = match endings(bytes) {
        // A text without a game counts as one only if it is alone.
        alone if alone == [(Ending::Unfinished, 0)] => return,
        games => [vec![(Ending::XWon, 5)], games, vec![(Ending::XWon, 5)]].concat(),
    };
    assert_eq!(endings(&[other, b"\n", bytes, b"\n\n\n", other].concat()), expected);
}

/// Checks that the result is the same with CRLF, which the fast check does not read.
fn check_line_ends(bytes: &[u8]) {
    // With one more byte some tags would be too long.
    if bytes.split(|&byte| byte == b'\n').all(|line| line.len() < 4096) {
        let mut other = Vec::new();
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            match line.strip_suffix(b"\n") {
                Some(line) => other.extend([line, b"\r\n"].concat()),
                None => other.extend(line),
            }
        }
        assert_eq!(endings(&other), endings(bytes));
    }
}

/// Checks that a tag is the same after writing and reading it.
pub(crate) fn tag(bytes: &[u8]) {
    let line = [&b"["[..], bytes.split(|&byte| byte == b'\n').next().unwrap_or_default()].concat();
    let tags = |text: &[u8]| check_text(text, &CheckOptions::default()).0.swap_remove(0).tags;
    for tag in tags(&line) {
        let mut written = format!("[{} \"", tag.name).into_bytes();
        for &byte in &tag.value {
            if matches!(byte, b'"' | b'\\') {
                written.push(b'\\');
            }
            written.push(byte);
        }
        written.extend_from_slice(b"\"]");
        assert_eq!(tags(&written), [tag]);
    }
}

/// Checks that plain text is not changed, that compressed text comes back, and that decompression always ends.
pub(crate) fn decoder(bytes: &[u8]) {
    let decode = |bytes: &[u8]| {
        let mut text = Vec::new();
        // A few bytes may decompress to gigabytes.
        let reader = decompress(Cursor::new(bytes.to_owned())).expect("memory can be read");
        reader.take(1 << 20).read_to_end(&mut text).map(|_| text)
    };
    let is_compressed = bytes.starts_with(&[0x1F, 0x8B])
        || bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD])
        || matches!(bytes, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]);
    let found = decode(bytes);
    if !is_compressed {
        assert_eq!(found.expect("plain text"), bytes);
    }
    assert_eq!(decode(&gzip(bytes)).expect("gzip"), bytes);
    assert_eq!(decode(&zstandard(bytes)).expect("Zstandard"), bytes);
}

/// Compresses `bytes` with gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

/// Compresses `bytes` with Zstandard.
pub(crate) fn zstandard(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}
