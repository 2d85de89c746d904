//! The Debian package, which is an `ar` archive of two tar archives.

use std::io;

use super::release_tree::ReleaseTree;

/// The name of the package, and of its folder of documentation.
pub(super) const PACKAGE: &str = "tictac";

/// Returns the package of `files`, whose paths start at the root folder.
pub(super) fn package(files: &ReleaseTree, version: &str, time: u64) -> io::Result<Vec<u8>> {
    let mut control = ReleaseTree::default();
    control.add("control", control_file(files, version));
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", control.tar_gz(".", time)?),
        ("data.tar.gz", files.tar_gz(".", time)?),
    ] {
        append(&mut archive, name, &bytes, time);
    }
    Ok(archive)
}

/// Appends a member to an `ar` archive: a header of 60 bytes, the content, and a newline if its length is odd.
fn append(archive: &mut Vec<u8>, name: &str, bytes: &[u8], time: u64) {
    let (user, group, mode, size) = (0, 0, "100644", bytes.len());
    archive.extend(format!("{name:<16}{time:<12}{user:<6}{group:<6}{mode:<8}{size:<10}`\n").bytes());
    archive.extend(bytes);
    if bytes.len() % 2 == 1 {
        archive.push(b'\n');
    }
}

/// Returns the description of the package. The programs are linked statically, so it depends on nothing.
fn control_file(files: &ReleaseTree, version: &str) -> String {
    let n_kilobytes: usize = files.iter().map(|(_, bytes)| bytes.len().div_ceil(1024)).sum();
    format!(
        "\
Package: {PACKAGE}
Version: {version}
Architecture: amd64
Maintainer: the contributors of tictac
Installed-Size: {n_kilobytes}
Section: games
Priority: optional
Description: play, check, solve and teach the tic-tac-toe family
 The command tictac plays in the terminal and on a web page, checks and
 converts records of games, solves positions and grades programs of
 students. The five programs of the course come with it: move-check,
 game-check, lab3, tictactoe and notakto.
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_has_three_members_of_even_length() {
        let mut files = ReleaseTree::default();
        files.add_program("usr/bin/tictac", vec![0; 1025]);
        let package = package(&files, "1.2.3", 86_400).unwrap();
        assert!(
            package
                .starts_with(b"!<arch>\ndebian-binary   86400       0     0     100644  4         `\n2.0\n")
        );
        let mut rest = &package[8..];
        let mut names = Vec::new();
        while !rest.is_empty() {
            let header = std::str::from_utf8(&rest[..60]).unwrap();
            let size: usize = header[48..58].trim().parse().unwrap();
            names.push(header[..16].trim().to_owned());
            rest = &rest[60 + size.next_multiple_of(2)..];
        }
        assert_eq!(names, ["debian-binary", "control.tar.gz", "data.tar.gz"]);
        let control = control_file(&files, "1.2.3");
        assert!(
            control.contains("\nVersion: 1.2.3\n") && control.contains("\nInstalled-Size: 2\n"),
            "{control}"
        );
    }
}
