//! The committed inputs of a target: one text file with an input per line, in hexadecimal digits.
//!
//! libFuzzer wants a folder with a file per input. Thousands of tiny files would only be a burden to git.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use data_encoding::HEXLOWER;

use crate::cargo::root;

/// Larger inputs are not committed.
const MAX_BYTES: usize = 512;
/// At most this many are, the smallest ones.
const MAX_INPUTS: usize = 400;

fn path(target: &str) -> PathBuf {
    root().join("tests/fuzz/inputs").join(format!("{target}.txt"))
}

/// Writes the committed inputs of a target into the folder of its corpus.
pub(super) fn unpack(target: &str, corpus: &Path) -> anyhow::Result<()> {
    let Ok(text) = fs::read_to_string(path(target)) else { return Ok(()) };
    for (number, line) in (1..).zip(text.lines()) {
        let input = HEXLOWER
            .decode(line.as_bytes())
            .with_context(|| format!("tests/fuzz/inputs/{target}.txt:{number}: not hexadecimal"))?;
        fs::write(corpus.join(format!("committed-{number}")), input)?;
    }
    Ok(())
}

/// Commits the smallest part of the corpus that reaches the same code.
pub(super) fn pack(target: &str, program: &Path, corpus: &Path) -> anyhow::Result<()> {
    let small = corpus.with_extension("small");
    fs::create_dir_all(&small)?;
    let merged = Command::new(program)
        .arg("-merge=1")
        .args([&small, corpus])
        .stdin(Stdio::null())
        .output()
        .context("cannot merge the corpus")?;
    ensure!(merged.status.success(), "cannot merge the corpus: {}", String::from_utf8_lossy(&merged.stderr));
    let mut inputs = Vec::new();
    for entry in fs::read_dir(&small)? {
        inputs.push(fs::read(entry?.path())?);
    }
    fs::remove_dir_all(&small)?;
    fs::create_dir_all(root().join("tests/fuzz/inputs"))?;
    fs::write(path(target), text_of(inputs))?;
    Ok(())
}

fn text_of(mut inputs: Vec<Vec<u8>>) -> String {
    inputs.retain(|input| !input.is_empty() && input.len() <= MAX_BYTES);
    inputs.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    inputs.dedup();
    inputs.iter().take(MAX_INPUTS).map(|input| HEXLOWER.encode(input) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_written_one_per_line_and_read_back() {
        let text = text_of(vec![b"1 X".to_vec(), vec![0, 255], vec![], vec![0, 255], vec![1; MAX_BYTES + 1]]);
        assert_eq!(text, "00ff\n312058\n");
        assert_eq!(
            text.lines().map(|line| HEXLOWER.decode(line.as_bytes()).unwrap()).collect::<Vec<_>>(),
            [vec![0, 255], b"1 X".to_vec()]
        );
    }
}
