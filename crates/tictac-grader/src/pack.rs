//! The zip file that Gradescope takes as an autograder.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use crate::config::Config;

const SETUP: &str = include_str!("pack/setup.sh");
const RUN: &str = include_str!("pack/run_autograder.sh");

/// The folders of all assignments together have at most this many files and bytes.
const MAX_FILES: usize = 2000;
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Returns a zip with `setup.sh`, `run_autograder`, the grader, its configuration, and the folders of the assignments in
/// `config` that are not built in. `text` is the configuration file.
///
/// # Errors
///
/// Returns an error if a file cannot be read, or is too large.
pub fn pack(text: &str, config: &Config, grader: &[u8]) -> io::Result<Vec<u8>> {
    let text = Config::with_packed_folders(text, &config.assignments);
    let mut files = vec![
        PackedFile::new("setup.sh", SETUP, 0o755),
        PackedFile::new("run_autograder", RUN, 0o755),
        PackedFile::new("tictac-grade.toml", text, 0o644),
        PackedFile::new("tictac", grader, 0o755),
    ];
    for assignment in &config.assignments {
        if let Some(folder) = assignment.folder() {
            add_folder(&mut files, folder, &format!("assignments/{assignment}"))?;
        }
    }
    zip(&files)
}

/// A file in a zip, with its Unix permissions.
struct PackedFile {
    name: String,
    bytes: Vec<u8>,
    permissions: u16,
}

impl PackedFile {
    fn new(name: &str, bytes: impl Into<Vec<u8>>, permissions: u16) -> PackedFile {
        PackedFile { name: name.to_owned(), bytes: bytes.into(), permissions }
    }
}

/// Adds all files of a folder. Symbolic links and hidden files are left out.
fn add_folder(files: &mut Vec<PackedFile>, folder: &Path, name: &str) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let own = entry.file_name().to_string_lossy().into_owned();
        let (path, name, kind) = (entry.path(), format!("{name}/{own}"), entry.file_type()?);
        if own.starts_with('.') {
            continue;
        }
        if kind.is_dir() {
            add_folder(files, &path, &name)?;
        } else if kind.is_file() {
            let n_bytes: u64 = files[4..].iter().map(|file| file.bytes.len() as u64).sum();
            if files.len() >= MAX_FILES || n_bytes + entry.metadata()?.len() > MAX_BYTES {
                return Err(io::Error::other("the folder of the assignment is too large to be packed"));
            }
            let is_executable = entry.metadata()?.permissions().mode() & 0o111 != 0;
            let permissions = if is_executable { 0o755 } else { 0o644 };
            files.push(PackedFile { name, bytes: fs::read(&path)?, permissions });
        }
    }
    Ok(())
}

/// Returns why a program may not start on Gradescope, or `None` if it is an x86-64 Linux program that needs no other file.
pub fn why_not_portable(program: &[u8]) -> Option<&'static str> {
    const MAGIC_64_BIT_LITTLE_ENDIAN: &[u8] = b"\x7fELF\x02\x01";
    const X86_64: usize = 62;
    const INTERPRETER: usize = 3;
    let number = |at: usize, size: usize| -> Option<usize> {
        let bytes = program.get(at..at.checked_add(size)?)?;
        Some(bytes.iter().rev().fold(0, |number, &byte| number * 256 + usize::from(byte)))
    };
    if !program.starts_with(MAGIC_64_BIT_LITTLE_ENDIAN) || number(18, 2) != Some(X86_64) {
        return Some("it is not a program for x86-64 Linux");
    }
    // A program that is linked dynamically names the loader of its libraries in a segment of its own.
    let (Some(start), Some(size), Some(n)) = (number(32, 8), number(54, 2), number(56, 2)) else {
        return Some("it is incomplete");
    };
    let is_dynamic = (0..n).any(|at| number(start.saturating_add(at * size), 4) == Some(INTERPRETER));
    is_dynamic.then_some("it needs the C library of this machine, or a newer one")
}

/// Writes files with their names and Unix permissions into a zip.
///
/// The format is that of PKWARE's APPNOTE, sections 4.3.7 (local file header), 4.3.12 (central directory) and 4.3.16 (end
/// of central directory). All fields are little-endian; a file has the same fields in both headers.
fn zip(files: &[PackedFile]) -> io::Result<Vec<u8>> {
    const REGULAR_FILE: u16 = 0o100_000;
    const MADE_ON_UNIX: u16 = 0x0314;
    const NO_TIME_1980_01_01: u32 = 0x0021_0000;
    let mut out: Vec<u8> = Vec::new();
    let mut directory: Vec<u8> = Vec::new();
    for PackedFile { name, bytes, permissions } in files {
        let start = length(out.len())?;
        let mut crc = Crc::new();
        crc.update(bytes);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes)?;
        let compressed = encoder.finish()?;
        let mut fields = Vec::new();
        // Version 2.0, no flags, method 8 (deflate).
        fields.extend([20_u16, 0, 8].map(u16::to_le_bytes).concat());
        let sizes = [NO_TIME_1980_01_01, crc.sum(), length(compressed.len())?, length(bytes.len())?];
        fields.extend(sizes.map(u32::to_le_bytes).concat());
        // The length of the name; no extra field.
        fields.extend([length(name.len())? as u16, 0].map(u16::to_le_bytes).concat());
        for part in [&b"PK\x03\x04"[..], &fields, name.as_bytes(), &compressed] {
            out.extend_from_slice(part);
        }
        directory.extend_from_slice(b"PK\x01\x02");
        directory.extend(MADE_ON_UNIX.to_le_bytes());
        directory.extend(&fields);
        // No comment, disk 0, no internal attributes; the file mode is the upper half of the external attributes.
        directory.extend([0; 8]);
        directory.extend((REGULAR_FILE | permissions).to_le_bytes());
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let n_files = length(files.len())? as u16;
    let place = [length(directory.len())?, length(out.len())?];
    out.append(&mut directory);
    out.extend_from_slice(b"PK\x05\x06");
    out.extend([0, 0, n_files, n_files].map(u16::to_le_bytes).concat());
    out.extend(place.map(u32::to_le_bytes).concat());
    out.extend([0; 2]);
    Ok(out)
}

fn length(n: usize) -> io::Result<u32> {
    u32::try_from(n).map_err(|_| io::Error::other("the file is too large for a zip"))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::DeflateDecoder;

    use super::*;

    fn number(bytes: &[u8], at: usize, size: usize) -> usize {
        bytes[at..at + size].iter().rev().fold(0, |number, &byte| number * 256 + usize::from(byte))
    }

    #[test]
    fn only_a_static_program_for_x86_64_is_portable() {
        let program = |machine: u8, segment: u8| {
            let mut bytes = [&b"\x7fELF\x02\x01"[..], &[0; 58]].concat();
            (bytes[18], bytes[32], bytes[54], bytes[56]) = (machine, 64, 56, 2);
            bytes.extend([[1; 56], [segment; 56]].concat());
            bytes[64 + 1..64 + 56].fill(0);
            bytes[64 + 57..].fill(0);
            bytes
        };
        assert_eq!(why_not_portable(&program(62, 2)), None);
        let reason = |program: &[u8]| why_not_portable(program).unwrap_or_default();
        assert!(reason(&program(62, 3)).contains("C library"));
        assert!(reason(&program(183, 2)).contains("x86-64"));
        assert!(reason(b"#!/bin/sh\n").contains("x86-64"));
        assert!(reason(&program(62, 2)[..40]).contains("incomplete"));
    }

    #[test]
    fn the_directory_leads_to_every_file_and_its_permissions() {
        let zip = pack("seed = 1\n", &Config::default(), &vec![7; 100_000]).unwrap();
        let end = zip.len() - 22;
        assert_eq!(&zip[end..end + 4], b"PK\x05\x06");
        let n_files = number(&zip, end + 10, 2);
        let mut entry = number(&zip, end + 16, 4);
        assert_eq!(entry + number(&zip, end + 12, 4), end);
        let mut found = Vec::new();
        for _ in 0..n_files {
            assert_eq!(&zip[entry..entry + 4], b"PK\x01\x02");
            let (name_length, start) = (number(&zip, entry + 28, 2), number(&zip, entry + 42, 4));
            let name = String::from_utf8(zip[entry + 46..entry + 46 + name_length].to_vec()).unwrap();
            assert_eq!(&zip[start..start + 4], b"PK\x03\x04");
            assert_eq!(zip[start + 4..start + 30], zip[entry + 6..entry + 32], "the two headers of {name}");
            let data = start + 30 + name_length;
            let compressed = &zip[data..data + number(&zip, entry + 20, 4)];
            let mut bytes = Vec::new();
            DeflateDecoder::new(compressed).read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes.len(), number(&zip, entry + 24, 4), "{name}");
            let mut crc = Crc::new();
            crc.update(&bytes);
            assert_eq!(crc.sum() as usize, number(&zip, entry + 16, 4), "{name}");
            found.push((name, number(&zip, entry + 40, 2), bytes.len()));
            entry += 46 + name_length;
        }
        assert_eq!(entry, end);
        let expected = [
            ("setup.sh", 0o100_755, SETUP.len()),
            ("run_autograder", 0o100_755, RUN.len()),
            ("tictac-grade.toml", 0o100_644, 9),
            ("tictac", 0o100_755, 100_000),
        ];
        assert_eq!(found, expected.map(|(name, mode, size)| (name.to_owned(), mode, size)));
    }
}
