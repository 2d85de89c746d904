//! Files, folders, compressed files, threads.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tictac::{Position, Rules, Status};
use tictac_archive::{
    CheckEvent, CheckOptions, CheckSummary, Format, Input, ReadMeter, ReportedGames, StatsOptions, check,
    check_text, inputs, stats,
};

use crate::properties::{gzip, zstandard};

pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns random games, some of them with comments and tags.
fn archive(seed: u64, n_games: usize) -> Vec<u8> {
    let mut rng = fastrand::Rng::with_seed(seed);
    (0..n_games).flat_map(|_| good_game(&mut rng).into_bytes()).collect()
}

/// Returns a random finished game and the blank lines after it.
pub(crate) fn good_game(rng: &mut fastrand::Rng) -> String {
    let mut text = String::new();
    if rng.u8(..8) == 0 {
        text += "[Event \"a random game\"]\n";
    }
    let mut position = Position::default();
    while let Status::ToMove(_) = position.status() {
        let moves: Vec<_> = position.moves().collect();
        let mv = moves[rng.usize(..moves.len())];
        position.play(mv).unwrap();
        write!(text, "{} {}", position.n_moves(), mv.display(&Rules::CLASSIC)).unwrap();
        text += match rng.u8(..100) {
            0 => " #",
            1..10 => " # a comment",
            _ => "",
        };
        text.push('\n');
    }
    text + if rng.u8(..20) == 0 { " \r\n\n" } else { "\n" }
}

/// Returns the inputs of these paths; panics if one of them is skipped.
fn all_inputs(paths: &[PathBuf]) -> Vec<Input> {
    inputs(paths, |path, reason| panic!("{} is skipped: {reason}", path.display()))
}

fn checked(inputs: Vec<Input>, options: &CheckOptions) -> (String, CheckSummary) {
    let mut text = Vec::new();
    let summary = check(inputs, options, &ReadMeter::default(), |event| match event {
        CheckEvent::Game(file, report) => writeln!(text, "{file} {report:?}"),
        CheckEvent::Unreadable(file, error) => writeln!(text, "{file} {error}"),
    });
    (String::from_utf8(text).unwrap(), summary.unwrap())
}

pub(crate) fn save(path: &Path, bytes: &[u8]) -> PathBuf {
    fs::write(path, bytes).unwrap();
    path.to_owned()
}

#[test]
fn reports_and_their_order_do_not_depend_on_the_number_of_threads() {
    let folder = folder("any_number_of_threads");
    let large = save(&folder.join("large.ttt"), &archive(1, 40_000));
    let paths = [save(&folder.join("small.ttt"), &archive(2, 10)), large, folder.join("none.ttt"), folder];
    for reported in [ReportedGames::All, ReportedGames::Bad] {
        let expected = checked(all_inputs(&paths), &CheckOptions { reported, ..CheckOptions::default() });
        assert_eq!(expected.1.n_unreadable, 1);
        for n_threads in 0..=8 {
            let found =
                checked(all_inputs(&paths), &CheckOptions { reported, n_threads, ..CheckOptions::default() });
            assert!(found == expected, "{n_threads} threads");
        }
    }
}

#[test]
pub(crate) fn folders_are_read_recursively_without_hidden_files() {
    let folder = folder("folders_are_read");
    fs::create_dir_all(folder.join("b/c")).unwrap();
    fs::create_dir_all(folder.join(".git")).unwrap();
    for name in ["z.ttt", "a.ttt", "b/c/d.ttt", "b/a.ttt", ".git/config", ".hidden"] {
        fs::write(folder.join(name), "1 X A1\n").unwrap();
    }
    let names: Vec<String> = all_inputs(std::slice::from_ref(&folder))
        .iter()
        .map(|input| input.name().strip_prefix(folder.to_str().unwrap()).unwrap().to_owned())
        .collect();
    assert_eq!(names, ["/a.ttt", "/b/a.ttt", "/b/c/d.ttt", "/z.ttt"]);
}

#[test]
#[cfg(unix)]
fn links_to_files_are_followed_and_skipped_entries_are_reported() {
    use std::os::unix::{fs::symlink, net::UnixListener};
    let folder = folder("links_to_files");
    fs::create_dir_all(folder.join("b/c")).unwrap();
    fs::create_dir_all(folder.join("empty/.hidden")).unwrap();
    fs::write(folder.join("b/game.ttt"), "1 X A1\n").unwrap();
    symlink("b/game.ttt", folder.join("a-file.ttt")).unwrap();
    symlink("..", folder.join("b/round-in-circles")).unwrap();
    symlink("nowhere", folder.join("broken")).unwrap();
    symlink("itself", folder.join("itself")).unwrap();
    let _socket = UnixListener::bind(folder.join("socket"));
    let mut skipped = Vec::new();
    let mut skip = |path: &Path, reason: &str| skipped.push(format!("{} {reason}\n", path.display()));
    let found = inputs(&[folder.clone(), folder.join("empty")], &mut skip);
    let (reported, summary) = checked(found, &CheckOptions::default());
    let [reported, skipped] =
        [reported, skipped.concat()].map(|text| text.replace(folder.to_str().unwrap(), ""));
    let lines: Vec<&str> = reported.lines().collect();
    assert!(lines[0].starts_with("/a-file.ttt GameReport"), "{reported}");
    assert!(lines[1].starts_with("/b/game.ttt GameReport"), "{reported}");
    assert!(lines[2].starts_with("/broken ") && lines[3].starts_with("/itself "), "{reported}");
    assert_eq!(
        skipped,
        "/b/round-in-circles links to folders are not followed\n/socket it is neither a file nor a folder\n\
         /empty it contains no files\n"
    );
    assert_eq!((summary.totals.games(), summary.n_unreadable), (2, 2));
    // A link on the command line is read, whatever it points to.
    assert_eq!(inputs(&[folder.join("b/round-in-circles/b/c/../game.ttt")], |_, _| {}).len(), 1);
    assert_eq!(inputs(&[folder.join("b/round-in-circles")], |_, _| {}).len(), 4);
}

#[test]
fn compressed_files_are_read_like_plain_ones() {
    let folder = folder("compressed_is_plain");
    let text = archive(3, 8000);
    let (start, end) = text.split_at(text.len() / 3);
    let options = CheckOptions { n_threads: 2, ..CheckOptions::default() };
    let path = folder.join("archive");
    let expected = checked(vec![Input::File(save(&path, &text))], &options);
    // A skippable frame: magic number, length, content.
    let skipped = [&[0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    for compressed in [
        gzip(&text),
        [gzip(start), gzip(end)].concat(),
        zstandard(&text),
        [zstandard(start), zstandard(end)].concat(),
        [skipped.clone(), zstandard(start), skipped, zstandard(end)].concat(),
    ] {
        let found = checked(vec![Input::File(save(&path, &compressed))], &options);
        assert!(found == expected, "{:?}", found.1);
    }
}

#[test]
fn a_large_zstandard_window_is_refused() {
    let folder = folder("a_zstandard_window");
    // The header contains only the size of the window, 2 to the power of 10 + exponent; one raw block follows.
    let frame = |exponent: u8| {
        let header = [0x28, 0xB5, 0x2F, 0xFD, 0, exponent << 3];
        let block = b"1 X A1\n";
        let size = (block.len() as u32) << 3 | 1;
        [&header[..], &size.to_le_bytes()[..3], block].concat()
    };
    let options = CheckOptions::default();
    let (fine, summary) = checked(vec![Input::File(save(&folder.join("16 MB"), &frame(14)))], &options);
    assert_eq!((summary.totals.games(), summary.n_unreadable), (1, 0), "{fine}");
    for (exponent, size) in [(15, "32 MB"), (17, "128 MB"), (31, "2097152 MB")] {
        let path = save(&folder.join("large"), &frame(exponent));
        let (refused, summary) = checked(vec![Input::File(path)], &options);
        assert_eq!((summary.totals.games(), summary.n_unreadable), (0, 1), "{refused}");
        let reason = format!("error[E0401]: its Zstandard window of {size} exceeds the limit of 16 MB");
        assert!(refused.contains(&reason), "{refused}");
    }
}

#[test]
fn zeros_after_a_gzip_file_are_skipped_and_anything_else_is_reported_after_all_games() {
    let folder = folder("after_a_gzip_file");
    let text = b"1 X A1\n2 O B1\n\n1 X B2\n";
    let options = CheckOptions::default();
    let after = |rest: &[u8]| {
        let path = save(&folder.join("padded.gz"), &[&gzip(text), rest].concat());
        let (found, summary) = checked(vec![Input::File(path.clone())], &options);
        let counted = stats(vec![Input::File(path)], &StatsOptions::default(), &ReadMeter::default());
        assert_eq!((summary.totals.games(), counted.totals.games()), (2, 2), "{found}");
        assert_eq!(summary.n_unreadable, counted.unreadable.len() as u64);
        (summary.n_unreadable, found)
    };
    assert_eq!(after(b"").0, 0);
    assert_eq!(after(&vec![0; 100_000]).0, 0);
    for rest in [&b"garbage"[..], b"\0\0\0garbage", b"\n"] {
        let (n_unreadable, found) = after(rest);
        assert_eq!(n_unreadable, 1);
        let reason = "the compressed data is followed by something else, which was ignored";
        assert!(found.contains(reason), "{found}");
    }
    // gzip reads a member after another one, but not after zeros.
    for (n_zeros, expected) in [(0, (3, 0)), (9, (2, 1))] {
        let members = [gzip(text), vec![0; n_zeros], gzip(b"\n1 X C3\n")].concat();
        let (_, two) = checked(vec![Input::File(save(&folder.join("two.gz"), &members))], &options);
        assert_eq!((two.totals.games(), two.n_unreadable), expected);
    }
}

#[test]
fn a_byte_order_mark_is_skipped_and_utf_16_is_named() {
    let folder = folder("byte_order_marks");
    let text = b"1 X A1\n2 O A1\n";
    let marked = [b"\xEF\xBB\xBF", &text[..]].concat();
    let options = CheckOptions::default();
    let check_file = |bytes: &[u8], options: &CheckOptions| {
        checked(vec![Input::File(save(&folder.join("marked.ttt"), bytes))], options)
    };
    let plain = check_file(text, &options);
    assert_eq!(plain.1.totals.bad, 1);
    for bytes in [marked.clone(), gzip(&marked), zstandard(&marked)] {
        assert_eq!(check_file(&bytes, &options).0, plain.0);
    }
    assert_eq!(check_text(&marked, &options), check_text(text, &options));
    // The course's format has no place for a mark.
    let strict = CheckOptions { format: Format::Strict, ..options };
    let (refused, _) = check_file(&marked, &strict);
    assert!(refused.contains("found byte 0xEF, which starts a byte order mark"), "{refused}");
    let utf_16: Vec<u8> = "1 X A1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [[b"\xFF\xFE", &utf_16[..]].concat(), b"\xFE\xFF\x001".to_vec()] {
        let (refused, summary) = check_file(&bytes, &options);
        assert_eq!((summary.totals.games(), summary.n_unreadable), (0, 1));
        let reason = "error[E0402]: it is in UTF-16; convert it with iconv -f UTF-16 -t UTF-8";
        assert!(refused.contains(reason), "{refused}");
    }
}

#[test]
fn complete_games_of_a_truncated_file_are_reported() {
    let folder = folder("a_compressed_file_that_breaks_off");
    let text = archive(4, 8000);
    for compressed in [gzip(&text), zstandard(&text)] {
        let half = save(&folder.join("half"), &compressed[..compressed.len() / 2]);
        let options = CheckOptions { reported: ReportedGames::Bad, ..CheckOptions::default() };
        let (_, summary) = checked(vec![Input::File(half)], &options);
        assert_eq!(summary.n_unreadable, 1);
        assert!(summary.totals.games() > 1000, "{summary:?}");
    }
}

#[test]
fn the_incomplete_game_of_a_truncated_file_is_not_counted() {
    let folder = folder("the_game_in_which_a_file_breaks_off");
    let (start, end) = (b"1 X A1\n\n1 X B2\n\n1 X C3\n2 O C2 # all ", b"of this game\n\n1 X A1\n");
    for compress in [gzip, zstandard] {
        let broken = compress(end);
        let half = [compress(start), broken[..broken.len() / 2].to_vec()].concat();
        let half = save(&folder.join("half"), &half);
        for reported in [ReportedGames::All, ReportedGames::Bad] {
            let options = CheckOptions { reported, ..CheckOptions::default() };
            let (_, summary) = checked(vec![Input::File(half.clone())], &options);
            assert_eq!((summary.totals.games(), summary.totals.moves), (2, 2), "{summary:?}");
            assert_eq!(summary.n_unreadable, 1);
        }
        let counted = stats(vec![Input::File(half)], &StatsOptions::default(), &ReadMeter::default());
        assert_eq!((counted.totals.games(), counted.unreadable.len()), (2, 1));
    }
}

#[test]
fn a_wrong_checksum_is_reported() {
    let folder = folder("a_checksum_that_does_not_fit");
    // The checksum is the last four bytes of a Zstandard frame; in gzip, four bytes of length follow it.
    for (mut compressed, from_end) in [(gzip(b"1 X A1\n"), 8), (zstandard(b"1 X A1\n"), 4)] {
        let at = compressed.len() - from_end;
        compressed[at] ^= 1;
        let (reported, summary) =
            checked(vec![Input::File(save(&folder.join("bad"), &compressed))], &CheckOptions::default());
        assert_eq!(summary.n_unreadable, 1, "{reported}");
    }
}

#[test]
fn an_error_of_the_callback_ends_the_check() {
    let folder = folder("an_error_ends_the_check");
    let path = save(&folder.join("large.ttt"), &archive(5, 20_000));
    for n_threads in [1, 4] {
        let mut n_events = 0;
        let options = CheckOptions { n_threads, ..CheckOptions::default() };
        let result = check(vec![Input::File(path.clone())], &options, &ReadMeter::default(), |_| {
            n_events += 1;
            Err(io::ErrorKind::BrokenPipe.into())
        });
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(n_events, 1);
    }
}

#[test]
fn a_line_and_a_game_may_be_longer_than_any_buffer() {
    let folder = folder("longer_than_any_buffer");
    let path = folder.join("long.ttt");
    let mut file = File::create(&path).unwrap();
    file.write_all(b"1 X A1 # ").unwrap();
    file.write_all(&vec![b'c'; 3_000_000]).unwrap();
    file.write_all(b"\n2 O B1\n\n1 X").unwrap();
    file.write_all(&vec![b' '; 1_000_000]).unwrap();
    file.write_all(b"D1\n").unwrap();
    file.write_all("nonsense\n".repeat(100_000).as_bytes()).unwrap();
    file.write_all(b"\n1 X A1\n").unwrap();
    for n_threads in [1, 3] {
        let mut reports = Vec::new();
        let options = CheckOptions { n_threads, ..CheckOptions::default() };
        let report_game = |event: CheckEvent<'_>| {
            if let CheckEvent::Game(_, report) = event {
                reports.push(report);
            }
            Ok(())
        };
        check(vec![Input::File(path.clone())], &options, &ReadMeter::default(), report_game).unwrap();
        let places: Vec<(u64, u64)> = reports.iter().map(|report| (report.line, report.moves)).collect();
        assert_eq!(places, [(1, 2), (4, 0), (100_006, 1)]);
        let fault = &reports[1].faults[0];
        assert_eq!((fault.line, fault.column, fault.fault.code.name()), (4, 1_000_004, "E0106"));
        assert_eq!(reports[1].unjudged_lines, 100_000);
    }
}
