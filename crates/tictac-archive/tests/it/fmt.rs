//! Records in canonical form.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

use proptest::prelude::*;
use tictac::Rules;
use tictac_archive::{FmtEvent, Formatted, MAX_LINE, Rewrite, reformat_file};

use crate::inputs::folder;
use crate::rewriting::{self, formatted};
use crate::texts;

#[track_caller]
fn check(text: &str, expected: &str) {
    let (found, formatted) = formatted(text.as_bytes(), &Rules::CLASSIC);
    assert_eq!(formatted.n_bad, 0, "{text:?}");
    assert_eq!(String::from_utf8_lossy(&found), expected, "{text:?}");
    rewriting::fmt(text.as_bytes());
}

#[test]
fn moves_have_single_spaces_and_capitals() {
    check("1 X B2\n", "1 X B2\n");
    check("1\t x \x0B b2 \r\n2   O\tA1", "1 X B2\n2 O A1\n");
}

#[test]
fn every_comment_is_kept_with_one_space_on_both_sides_of_its_hash() {
    check("1 X B2\t  # Oops...  \r\n", "1 X B2 # Oops...\n");
    check(
        "1 X B2 #no blank\n2 O A1 ##\n3 X A2 #   indented\n",
        "1 X B2 # no blank\n2 O A1 # #\n3 X A2 #   indented\n",
    );
    check("1 X B2 #\n2 O A1 # \t \n", "1 X B2 #\n2 O A1 #\n");
    let bytes = b"1 X B2 # \x00\xFF\xFE\x1B[2J \r x\n";
    assert_eq!(formatted(bytes, &Rules::CLASSIC).0, bytes);
}

#[test]
fn one_empty_line_separates_games() {
    check("\n \n1 X A1\n\t\n\r\n\n1 O B2\n\n\n", "1 X A1\n\n1 O B2\n");
    check("", "");
    check(" \r\n\n", "");
}

#[test]
fn no_line_separates_tags_from_their_moves_and_two_separate_them_from_those_of_others() {
    check("[X \"Ada\"]\n\n1 X A1\n", "[X \"Ada\"]\n1 X A1\n");
    check("[X \"Ada\"]\n\n\n\n1 X A1\n", "[X \"Ada\"]\n\n\n1 X A1\n");
    check("[X \"Ada\"]\n\n\n[O \"Bea\"]\n\n", "[X \"Ada\"]\n\n[O \"Bea\"]\n");
}

#[test]
fn tags_have_a_fixed_order_with_unknown_ones_last() {
    check(
        "[ Zebra   \"z\" ]\n[Result \"1-0\"]\n[O \"Bob\"] \r\n[X \"Ada \\\"\\\\\"]\n[apple \"a\"]\n[Rules \"Misère 3,3,3\"]\n1 O A1\n2 X B1\n3 O A2\n4 X B2\n5 O C3\n6 X B3\n",
        "[Rules \"3,3,3 misere\"]\n[X \"Ada \\\"\\\\\"]\n[O \"Bob\"]\n[Result \"O\"]\n[Zebra \"z\"]\n[apple \"a\"]\n1 O A1\n2 X B1\n3 O A2\n4 X B2\n5 O C3\n6 X B3\n",
    );
    check(
        "[Result \"*\"]\n\n[Rules \"notakto\"]\n[Result \"0-1\"]\n1 X A1\n2 X A2\n3 X A3\n",
        "[Result \"*\"]\n\n[Rules \"notakto\"]\n[Result \"2\"]\n1 X A1\n2 X A2\n3 X A3\n",
    );
    let bytes = b"[Event \"\xFF\\\\\xC3\"]\n1 X B2\n";
    assert_eq!(formatted(bytes, &Rules::CLASSIC).0, bytes);
}

#[test]
fn a_line_that_is_too_long_affects_only_its_game() {
    let mut text = b"1 X A1 # ".to_vec();
    text.extend(vec![b'c'; MAX_LINE]);
    text.extend(b"\n2 O A2\n\n1 X A1\n");
    let mut faults = Vec::new();
    let mut out = Vec::new();
    tictac_archive::reformat(&text[..], &Rules::CLASSIC, &mut out, |event| {
        if let FmtEvent::Bad(report) = event {
            faults.extend(
                report.faults.iter().map(|placed| (placed.line, placed.column, placed.fault.code.name())),
            );
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(faults, [(1, 1, "E0501")]);
    assert_eq!(out, b"\n1 X A1\n");
}

fn file(test: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = folder(test).join("game.ttt");
    fs::write(&path, bytes).unwrap();
    path
}

fn rewritten(path: &std::path::Path, rewrite: Rewrite) -> io::Result<Formatted> {
    reformat_file(path, &Rules::CLASSIC, rewrite, |_| Ok(()))
}

#[test]
fn rewriting_keeps_permissions_and_follows_links() {
    let path = file("a_file_is_rewritten", b"1 x b2\n");
    let link = path.with_file_name("link.ttt");
    std::os::unix::fs::symlink("game.ttt", &link).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    assert!(rewritten(&link, Rewrite::Never).unwrap().would_change());
    assert_eq!(fs::read(&path).unwrap(), b"1 x b2\n");
    assert!(rewritten(&link, Rewrite::InPlace).unwrap().would_change());
    assert_eq!(fs::read(&path).unwrap(), b"1 X B2\n");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(rewritten(&link, Rewrite::InPlace).unwrap().n_changed, 0);
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 2, "nothing is left behind");
}

#[test]
fn a_file_that_is_only_shortened_is_rewritten_too() {
    let path = file("a_file_that_is_only_shortened", b"1 X B2\n\n\n");
    assert!(rewritten(&path, Rewrite::InPlace).unwrap().would_change());
    assert_eq!(fs::read(&path).unwrap(), b"1 X B2\n");
}

#[test]
fn a_file_with_an_error_is_left_alone() {
    let text = b"1 x b2\n\n1 X A1\n2 O A1\n\n\n";
    let path = file("a_file_with_an_error", text);
    assert_eq!(rewritten(&path, Rewrite::InPlace).unwrap(), Formatted { n_games: 2, n_bad: 1, n_changed: 2 });
    assert_eq!(fs::read(&path).unwrap(), text);
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn a_file_in_canonical_form_is_only_read() {
    let path = file("a_file_in_canonical_form", b"1 X B2 # fine\n\n1 O A1\n");
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(rewritten(&path, Rewrite::InPlace).unwrap().n_changed, 0);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
}

#[test]
fn a_file_that_another_program_changes_is_not_overwritten() {
    let path = file("a_file_that_another_program_changes", b"1 x b2\n");
    let mut other = fs::OpenOptions::new().append(true).open(&path).ok();
    let result = reformat_file(&path, &Rules::CLASSIC, Rewrite::InPlace, |_| {
        other.take().map_or(Ok(()), |mut file| file.write_all(b"\n"))
    });
    assert!(result.unwrap_err().to_string().contains("another program changed it"));
    assert_eq!(fs::read(&path).unwrap(), b"1 x b2\n\n");
}

#[test]
fn a_compressed_file_is_refused() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(b"1 x b2\n").unwrap();
    let compressed = encoder.finish().unwrap();
    let path = file("a_compressed_file_is_refused", &compressed);
    assert!(rewritten(&path, Rewrite::InPlace).unwrap_err().to_string().starts_with("it is compressed"));
    assert_eq!(fs::read(&path).unwrap(), compressed);
}

proptest! {
    #[test]
    fn formatting_is_idempotent_and_changes_no_game(text in texts::untidy()) {
        rewriting::fmt(&text);
    }
}

#[test]
fn a_file_with_several_hard_links_is_left_alone() {
    let folder = folder("a_file_with_several_hard_links");
    let (path, other) = (folder.join("a.ttt"), folder.join("b.ttt"));
    fs::write(&path, "1 x b2\n").unwrap();
    fs::hard_link(&path, &other).unwrap();
    let error = reformat_file(&path, &Rules::CLASSIC, Rewrite::InPlace, |_| Ok(())).unwrap_err();
    assert!(error.to_string().starts_with("it has several hard links"), "{error}");
    assert_eq!(fs::read_to_string(&other).unwrap(), "1 x b2\n");
    // In canonical form there is nothing to write.
    fs::write(&path, "1 X B2\n").unwrap();
    reformat_file(&path, &Rules::CLASSIC, Rewrite::InPlace, |_| Ok(())).unwrap();
}

#[test]
fn the_owner_of_a_file_is_kept() {
    let path = folder("the_owner_of_a_file").join("a.ttt");
    fs::write(&path, "1 x b2\n").unwrap();
    // Only the superuser may give a file away; others format their own files, whose owner does not change.
    let is_superuser = chown(&path, Some(12_345), Some(23_456)).is_ok();
    let owner = || fs::metadata(&path).map(|file| (file.uid(), file.gid())).unwrap();
    let before = owner();
    reformat_file(&path, &Rules::CLASSIC, Rewrite::InPlace, |_| Ok(())).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "1 X B2\n");
    assert_eq!(owner(), before);
    assert!(!is_superuser || before == (12_345, 23_456));
}

#[test]
fn a_byte_order_mark_is_removed() {
    check("\u{feff}1 X B2\n", "1 X B2\n");
    check("\u{feff}", "");
    let path = folder("a_byte_order_mark_is_removed").join("a.ttt");
    fs::write(&path, "\u{feff}1 X B2\n").unwrap();
    let checked = reformat_file(&path, &Rules::CLASSIC, Rewrite::Never, |_| Ok(())).unwrap();
    assert!(checked.would_change());
    reformat_file(&path, &Rules::CLASSIC, Rewrite::InPlace, |_| Ok(())).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "1 X B2\n");
}
