//! The second checker, `verify/verify.py`, judges true and tampered certificates as ours does.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use tictac_proof::{Certificate, CertificateReader};

use super::blocking::blocking_samples;
use super::lines::with_comments;
use super::{DOCUMENT, proved, samples, start};
use crate::corpus::table;

const CHECKER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../verify/verify.py");

/// Returns whether there is a Python 3 to run the second checker; says so if there is none.
fn has_python() -> bool {
    let has_python = Command::new("python3").arg("--version").output().is_ok();
    if !has_python {
        let _ = writeln!(io::stderr(), "SKIPPED: there is no python3, so the second checker was not run");
    }
    has_python
}

/// Returns the verdicts of the second checker, one line per file.
fn second_verdicts(files: &[PathBuf]) -> Vec<String> {
    let output = Command::new("python3").arg(CHECKER).args(files).output().unwrap();
    let verdicts: Vec<String> =
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(verdicts.len(), files.len(), "{}", String::from_utf8_lossy(&output.stderr));
    verdicts
}

/// Compares the two checkers on these texts, and returns how many both accept.
fn compare(name: &str, texts: &[Vec<u8>]) -> usize {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    let files: Vec<PathBuf> = (0..texts.len()).map(|number| folder.join(format!("{number}.cert"))).collect();
    files.iter().zip(texts).for_each(|(file, text)| fs::write(file, text).unwrap());
    let mut n_accepted = 0;
    for (text, verdict) in texts.iter().zip(second_verdicts(&files)) {
        let (_, verdict) = verdict.split_once(".cert:").unwrap();
        // After the file name, the second checker prints the value of an accepted certificate, or the line of the fault.
        let is_accepted_there = verdict.starts_with(' ');
        let is_accepted = Certificate::read(text).is_ok_and(|certificate| certificate.verify().is_ok());
        assert_eq!(is_accepted, is_accepted_there, "{verdict}\n{}", String::from_utf8_lossy(text));
        n_accepted += usize::from(is_accepted_there);
    }
    fs::remove_dir_all(folder).unwrap();
    n_accepted
}

/// A sequence of numbers that look random; the same in every run.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// Returns the text with one change of a kind that has been proposed as an attack.
fn tamper(text: &str, sequence: &mut Sequence) -> Vec<u8> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place = sequence.below(lines.len());
    match sequence.below(10) {
        0 => drop(lines.remove(place)),
        1 => lines.insert(place, lines[place].clone()),
        2 => {
            let middle = lines.len() / 2;
            lines.swap(place, middle);
        }
        3 => lines[place] = mirrored(&lines[place]),
        4 => lines.insert(place, mirrored(&lines[place])),
        5 => change_word(&mut lines[place], "ABCDEF", sequence),
        6 => change_word(&mut lines[place], "XO.-", sequence),
        7 => lines[place] = with_other_leaf(&lines[place], sequence),
        8 => {
            let words = [
                "win", "draw", "loss", "first", "second", "wins", "holds", "blocks", "copies", "misere",
                "wild",
            ];
            let (old, new) = (sequence.pick(&words), sequence.pick(&words));
            lines.iter_mut().take(6).for_each(|line| *line = line.replacen(old, new, 1));
        }
        _ => {
            let mut bytes = text.as_bytes().to_vec();
            let place = sequence.below(bytes.len());
            bytes[place] = b"XO./ 12345ABCD-\nwind#\r\xffxob+,=:"[sequence.below(30)];
            return bytes;
        }
    }
    (lines.join("\n") + "\n").into_bytes()
}

/// Returns an entry whose position, but not its move, is mirrored.
fn mirrored(line: &str) -> String {
    let (position, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rows: Vec<String> = position.split('/').map(|row| row.chars().rev().collect()).collect();
    format!("{} {rest}", rows.join("/"))
}

/// Replaces the first character of `letters` after a random place by another one of `letters`.
fn change_word(line: &mut String, letters: &str, sequence: &mut Sequence) {
    let from = sequence.below(line.len());
    let Some(found) = line[from..].find(|letter| letters.contains(letter)) else { return };
    let letter = sequence.below(letters.len());
    line.replace_range(from + found..=from + found, &letters[letter..=letter]);
}

fn with_other_leaf(line: &str, sequence: &mut Sequence) -> String {
    let until = line.find(" weight").or_else(|| line.find(" pairs")).unwrap_or(line.len());
    let leaf = [" weight", " pairs", " pairs A1-A2", " pairs B1-B3 A2-C2", " move X A1", " A3:B3", " B2", ""];
    format!("{}{}", &line[..until], sequence.pick(&leaf))
}

#[test]
fn the_second_checker_judges_tampered_certificates_alike() {
    if !has_python() {
        return;
    }
    let more = ["3,3,3 wild", "3,3,3 wild misere", "4,3,3 wild", "3,2,2 x-only boards=3", "5,5,5", "2,2,1"];
    let more = more.map(|rules| proved(&start(rules)).to_string());
    let texts: Vec<String> = samples().into_iter().chain(more).chain(blocking_samples()).collect();
    let mut sequence = Sequence(16);
    let originals = texts.iter().map(|text| text.clone().into_bytes());
    let n_tampered: usize = std::env::var("TICTAC_TAMPERED").map_or(40, |number| number.parse().unwrap());
    let mut all: Vec<Vec<u8>> = originals.collect();
    for text in &texts {
        all.extend((0..n_tampered).map(|_| tamper(text, &mut sequence)));
    }
    // Byte order marks before the first line are skipped, and others refused.
    for (place, text) in [(0, &texts[0]), (1, &texts[1]), (21, &texts[0])] {
        let (before, after) = text.split_at(place);
        all.push(format!("{before}\u{FEFF}{after}").into_bytes());
    }
    let n_accepted = compare("tampered", &all);
    // Some changes give another proof, such as a mirrored entry without a move.
    assert!(n_accepted >= texts.len() && n_accepted < all.len() / 2, "{n_accepted} of {}", all.len());
}

#[test]
fn both_checkers_read_the_same_spellings_of_rules() {
    if !has_python() {
        return;
    }
    // Rules in canonical form, spellings that both checkers accept, and spellings that both refuse.
    let spellings: [(&str, &[&str], &[&str]); 5] = [
        (
            "3,3,3",
            &["classic", "Classic", "03,3,3", "3,3,3 boards=1"],
            &["3,3,3 ", "+3,3,3", "3,3,3 3,3,3", "boards=1", ""],
        ),
        (
            "3,3,3 misere",
            &["misere", "Misère", "misere classic"],
            &["3,3,3  misere", "3,3,3\tmisere", "misere misere"],
        ),
        ("3,3,3 wild", &["wild", "WILD 3,3,3"], &["wild x-only", "wild notakto"]),
        ("notakto", &["x-only misere", "notakto boards=1", "3,3,3 misere x-only"], &["notakto classic"]),
        (
            "notakto boards=2",
            &["boards=02 notakto", "x-only boards=2 misere"],
            &["notakto boards=+2", "boards=2"],
        ),
    ];
    for (rules, right, wrong) in spellings {
        let text = proved(&start(rules)).to_string();
        let spell = |spelling: &&str| {
            text.replacen(&format!("rules {rules}\n"), &format!("rules {spelling}\n"), 1).into_bytes()
        };
        let texts: Vec<Vec<u8>> = right.iter().chain(wrong).map(spell).collect();
        assert_eq!(compare("spellings", &texts), right.len(), "{rules}");
    }
}

#[test]
fn both_checkers_require_the_side_to_move_and_refuse_what_follows_the_end() {
    if !has_python() {
        return;
    }
    for rules in ["3,3,3", "3,3,3 wild", "notakto", "notakto boards=2"] {
        let text = proved(&start(rules)).to_string();
        let (heading, entries) = text.split_once("\nvalue").unwrap();
        let (heading, side) = heading.rsplit_once(' ').unwrap();
        let sides = ["", " ", "  S", " S ", " S\t", "\tS", " S\u{A0}"].map(|side_text| {
            format!("{heading}{}\nvalue{entries}", side_text.replace('S', side)).into_bytes()
        });
        let first_entry = entries.lines().nth(2).unwrap();
        let (boards, rest) = first_entry.split_once(' ').unwrap();
        let rest = rest.split_once(' ').unwrap().1;
        let spaces = ["  ", " ", "\t", &format!(" {side}  "), &format!(" {side}\t ")].map(|space| {
            text.replacen(&format!("\n{first_entry}\n"), &format!("\n{boards}{space}{rest}\n"), 1)
                .into_bytes()
        });
        let ends = ["# a comment", "#", "#\n", "\n", "\r\n", " ", "end\n"]
            .map(|after| format!("{text}{after}").into_bytes());
        let wrong: Vec<Vec<u8>> = sides.into_iter().chain(spaces).chain(ends).collect();
        assert_eq!(compare("sides", &wrong), 0, "{rules}");
    }
}

#[test]
fn both_checkers_count_comments() {
    if has_python() {
        let max = CertificateReader::MAX_COMMENTS;
        let texts = [max, max + 1].map(|n_comments| with_comments(n_comments).into_bytes());
        assert_eq!(compare("comments", &texts), 1);
    }
}

#[test]
fn the_second_checker_accepts_the_examples_of_the_document() {
    if !has_python() {
        return;
    }
    let examples: Vec<Vec<u8>> = DOCUMENT
        .split("```certificate\n")
        .skip(1)
        .map(|block| block.split("```").next().unwrap().as_bytes().to_vec())
        .collect();
    assert_eq!(compare("examples", &examples), examples.len());
}

#[test]
fn both_checkers_accept_every_certificate_of_the_repository() {
    let entries = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/certificates")).unwrap();
    let files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() > 10);
    for file in &files {
        let certificate = Certificate::read(&fs::read(file).unwrap()).unwrap();
        certificate.verify().unwrap_or_else(|refuted| panic!("{}: {refuted}", file.display()));
        // The file is named after its rules.
        let name = certificate.start().rules().to_string().replace([',', ' ', '='], "-") + ".cert";
        assert_eq!(file.file_name().unwrap().to_str(), Some(name.as_str()));
    }
    for (rules, columns) in table(include_str!("../../../../../games/certificates.csv")) {
        let name = rules.to_string().replace(',', "-") + ".cert";
        let size = fs::metadata(files[0].with_file_name(name)).ok().map(|metadata| metadata.len());
        let listed: u64 = columns[1].parse().unwrap();
        assert_eq!(size, (listed < 1_000_000).then_some(listed), "{rules}");
    }
    if has_python() {
        let verdicts = second_verdicts(&files);
        assert!(verdicts.iter().all(|verdict| verdict.contains(".cert: ")), "{verdicts:#?}");
    }
}
