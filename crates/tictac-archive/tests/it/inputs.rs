//! Files, folders, compressed files, threads.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tictac::{Playable, Position, Rules, Status};
use tictac_archive::{Event, Input, Meter, Options, StatsOptions, Summary, Wanted, check, inputs, stats};

use crate::properties::{gzip, zstandard};

pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Random games, some of them with comments and tags.
fn archive(seed: u64, n_games: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..n_games).flat_map(|_| good_game(&mut random).into_bytes()).collect()
}

/// A random game to its end, with what comes after it.
pub(crate) fn good_game(random: &mut fastrand::Rng) -> String {
    let mut text = String::new();
    if random.u8(..8) == 0 {
        text += "[Event \"a random game\"]\n";
    }
    let mut position = Position::start(Rules::CLASSIC);
    while let Status::ToMove(_) = position.status() {
        let moves: Vec<_> = position.moves().collect();
        let mv = moves[random.usize(..moves.len())];
        position = Playable::play(&position, mv).unwrap();
        write!(text, "{} {}", position.n_moves(), Rules::CLASSIC.written(mv)).unwrap();
        text += match random.u8(..100) {
            0 => " #",
            1..10 => " # a comment",
            _ => "",
        };
        text.push('\n');
    }
    text + if random.u8(..20) == 0 { " \r\n\n" } else { "\n" }
}

fn told(inputs: Vec<Input>, options: &Options) -> (String, Summary) {
    let mut text = Vec::new();
    let summary = check(inputs, options, &Meter::default(), |event| match event {
        Event::Game(file, report) => writeln!(text, "{file} {report:?}"),
        Event::Unreadable(file, error) => writeln!(text, "{file} {error}"),
        Event::LeftOut(file, reason) => writeln!(text, "{file} {reason}"),
    });
    (String::from_utf8(text).unwrap(), summary.unwrap())
}

pub(crate) fn save(path: &Path, bytes: &[u8]) -> PathBuf {
    fs::write(path, bytes).unwrap();
    path.to_owned()
}

#[test]
fn any_number_of_threads_tells_the_same_in_the_same_order() {
    let folder = folder("any_number_of_threads");
    let large = save(&folder.join("large.ttt"), &archive(1, 40_000));
    let paths = [save(&folder.join("small.ttt"), &archive(2, 10)), large, folder.join("none.ttt"), folder];
    for wanted in [Wanted::EveryGame, Wanted::BadGames] {
        let expected = told(inputs(&paths), &Options { wanted, ..Options::default() });
        assert_eq!(expected.1.n_unreadable, 1);
        for n_threads in 0..=8 {
            let found = told(inputs(&paths), &Options { wanted, n_threads, ..Options::default() });
            assert!(found == expected, "{n_threads} threads");
        }
    }
}

#[test]
pub(crate) fn folders_are_read_recursively_by_name_without_what_is_hidden() {
    let folder = folder("folders_are_read");
    fs::create_dir_all(folder.join("b/c")).unwrap();
    fs::create_dir_all(folder.join(".git")).unwrap();
    for name in ["z.ttt", "a.ttt", "b/c/d.ttt", "b/a.ttt", ".git/config", ".hidden"] {
        fs::write(folder.join(name), "1 X A1\n").unwrap();
    }
    let names: Vec<String> = inputs(std::slice::from_ref(&folder))
        .iter()
        .map(|input| input.name().strip_prefix(folder.to_str().unwrap()).unwrap().to_owned())
        .collect();
    assert_eq!(names, ["/a.ttt", "/b/a.ttt", "/b/c/d.ttt", "/z.ttt"]);
}

#[test]
#[cfg(unix)]
fn links_to_files_are_followed_and_whatever_else_is_not_read_is_told() {
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
    let (told, summary) = told(inputs(&[folder.clone(), folder.join("empty")]), &Options::default());
    let told = told.replace(folder.to_str().unwrap(), "");
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("/a-file.ttt GameReport"), "{told}");
    assert!(lines[1].starts_with("/b/game.ttt GameReport"), "{told}");
    assert_eq!(lines[2], "/b/round-in-circles links to folders are not followed");
    assert!(lines[3].starts_with("/broken ") && lines[4].starts_with("/itself "), "{told}");
    assert_eq!(lines[5..], ["/socket it is neither a file nor a folder", "/empty there are no files in it"]);
    assert_eq!((summary.totals.games(), summary.n_unreadable), (2, 2));
    // A link that is named itself is read, whatever it points to.
    assert_eq!(inputs(&[folder.join("b/round-in-circles/b/c/../game.ttt")]).len(), 1);
    assert_eq!(inputs(&[folder.join("b/round-in-circles")]).len(), 6);
}

#[test]
fn compressed_is_plain_whatever_the_name_and_however_many_parts() {
    let folder = folder("compressed_is_plain");
    let text = archive(3, 8000);
    let (start, end) = text.split_at(text.len() / 3);
    let options = Options { n_threads: 2, ..Options::default() };
    let path = folder.join("archive");
    let expected = told(vec![Input::File(save(&path, &text))], &options);
    // A frame that is to be skipped: magic number, length, content.
    let skipped = [&[0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    for compressed in [
        gzip(&text),
        [gzip(start), gzip(end)].concat(),
        zstandard(&text),
        [zstandard(start), zstandard(end)].concat(),
        [skipped.clone(), zstandard(start), skipped, zstandard(end)].concat(),
    ] {
        let found = told(vec![Input::File(save(&path, &compressed))], &options);
        assert!(found == expected, "{:?}", found.1);
    }
}

#[test]
fn a_zstandard_window_that_would_take_too_much_memory_is_refused() {
    let folder = folder("a_zstandard_window");
    // The header says only how large the window is: 2 to the power of 10 + exponent; then comes one block, as it is.
    let frame = |exponent: u8| {
        let header = [0x28, 0xB5, 0x2F, 0xFD, 0, exponent << 3];
        let block = b"1 X A1\n";
        let size = (block.len() as u32) << 3 | 1;
        [&header[..], &size.to_le_bytes()[..3], block].concat()
    };
    let options = Options::default();
    let (fine, summary) = told(vec![Input::File(save(&folder.join("16 MB"), &frame(14)))], &options);
    assert_eq!((summary.totals.games(), summary.n_unreadable), (1, 0), "{fine}");
    for (exponent, size) in [(15, "32 MB"), (17, "128 MB"), (31, "2097152 MB")] {
        let path = save(&folder.join("large"), &frame(exponent));
        let (refused, summary) = told(vec![Input::File(path)], &options);
        assert_eq!((summary.totals.games(), summary.n_unreadable), (0, 1), "{refused}");
        let reason = format!("error[E0401]: its Zstandard window of {size} is larger than the 16 MB");
        assert!(refused.contains(&reason), "{refused}");
    }
}

#[test]
fn a_compressed_file_that_breaks_off_is_told_after_its_whole_games() {
    let folder = folder("a_compressed_file_that_breaks_off");
    let text = archive(4, 8000);
    for compressed in [gzip(&text), zstandard(&text)] {
        let half = save(&folder.join("half"), &compressed[..compressed.len() / 2]);
        let options = Options { wanted: Wanted::BadGames, ..Options::default() };
        let (_, summary) = told(vec![Input::File(half)], &options);
        assert_eq!(summary.n_unreadable, 1);
        assert!(summary.totals.games() > 1000, "{summary:?}");
    }
}

#[test]
fn the_game_in_which_a_file_breaks_off_is_not_counted() {
    let folder = folder("the_game_in_which_a_file_breaks_off");
    let (start, end) = (b"1 X A1\n\n1 X B2\n\n1 X C3\n2 O C2 # all ", b"of this game\n\n1 X A1\n");
    for compress in [gzip, zstandard] {
        let broken = compress(end);
        let half = [compress(start), broken[..broken.len() / 2].to_vec()].concat();
        let half = save(&folder.join("half"), &half);
        for wanted in [Wanted::EveryGame, Wanted::BadGames] {
            let options = Options { wanted, ..Options::default() };
            let (_, summary) = told(vec![Input::File(half.clone())], &options);
            assert_eq!((summary.totals.games(), summary.totals.moves), (2, 2), "{summary:?}");
            assert_eq!(summary.n_unreadable, 1);
        }
        let counted = stats(vec![Input::File(half)], &StatsOptions::default(), &Meter::default());
        assert_eq!((counted.totals.games(), counted.unreadable.len()), (2, 1));
    }
}

#[test]
fn a_checksum_that_does_not_fit_is_told() {
    let folder = folder("a_checksum_that_does_not_fit");
    // The last four bytes of a Zstandard frame; of gzip they are its length, and the checksum stands before it.
    for (mut compressed, from_end) in [(gzip(b"1 X A1\n"), 8), (zstandard(b"1 X A1\n"), 4)] {
        let at = compressed.len() - from_end;
        compressed[at] ^= 1;
        let (told, summary) =
            told(vec![Input::File(save(&folder.join("bad"), &compressed))], &Options::default());
        assert_eq!(summary.n_unreadable, 1, "{told}");
    }
}

#[test]
fn an_error_of_whoever_is_told_ends_the_check() {
    let folder = folder("an_error_ends_the_check");
    let path = save(&folder.join("large.ttt"), &archive(5, 20_000));
    for n_threads in [1, 4] {
        let mut n_told = 0;
        let options = Options { n_threads, ..Options::default() };
        let result = check(vec![Input::File(path.clone())], &options, &Meter::default(), |_| {
            n_told += 1;
            Err(io::ErrorKind::BrokenPipe.into())
        });
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(n_told, 1);
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
        let options = Options { n_threads, ..Options::default() };
        let tell = |event: Event<'_>| {
            if let Event::Game(_, report) = event {
                reports.push(report);
            }
            Ok(())
        };
        check(vec![Input::File(path.clone())], &options, &Meter::default(), tell).unwrap();
        let places: Vec<(u64, u64)> = reports.iter().map(|report| (report.line, report.moves)).collect();
        assert_eq!(places, [(1, 2), (4, 0), (100_006, 1)]);
        let fault = &reports[1].faults[0];
        assert_eq!((fault.line, fault.column, fault.fault.code.name()), (4, 1_000_004, "E0106"));
        assert_eq!(reports[1].unjudged_lines, 100_000);
    }
}
