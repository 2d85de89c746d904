//! The zip that Gradescope takes as an autograder.

use std::io::{self, Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The name of the configuration inside.
const CONFIG: &str = "tictac-grade.toml";

/// Nothing needs to be installed: the grader is one file.
const SETUP: &str = "\
#!/usr/bin/env bash
# Run once, when the image is built. Students' programs are built by what the configuration says; a compiler for them is
# installed here, because Gradescope's plain image has none.
set -eu
apt-get update
apt-get install -y --no-install-recommends build-essential
chmod +x /autograder/source/tictac
";

const RUN: &str = "\
#!/usr/bin/env bash
# Run for every submission. Whatever happens, results.json is written: a missing program or a failed build is told there.
set -u
mkdir -p /autograder/results
cd /autograder/source || exit 1
./tictac grade all --config tictac-grade.toml --format gradescope --out /autograder/results/results.json /autograder/submission
# A fault is a result, not a failure of the autograder.
[ -s /autograder/results/results.json ]
";

/// Returns the zip: `setup.sh`, `run_autograder`, the grader and its configuration.
///
/// # Errors
///
/// Returns what the zip library complains of.
pub fn pack(config: &str, grader: &[u8]) -> io::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let files = [
        ("setup.sh", SETUP.as_bytes(), 0o755),
        ("run_autograder", RUN.as_bytes(), 0o755),
        (CONFIG, config.as_bytes(), 0o644),
        ("tictac", grader, 0o755),
    ];
    for (name, bytes, permissions) in files {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .unix_permissions(permissions);
        zip.start_file(name, options)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}
