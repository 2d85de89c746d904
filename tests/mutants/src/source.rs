//! Builds programs from their text.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

pub use tictac_grader::SourceLanguage;

/// Reads a file of the folder `programs`.
///
/// # Errors
///
/// Returns an error if the file cannot be read.
pub fn read(file: &str) -> io::Result<String> {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(file))
}

/// Builds a program, and creates its folder; returns whether it compiles.
///
/// # Errors
///
/// Returns an error if a file cannot be written, or if there is no compiler.
pub fn build(program: &Path, source: &str, language: SourceLanguage) -> io::Result<bool> {
    fs::create_dir_all(program.parent().unwrap_or(Path::new("")))?;
    // Tests run in parallel, and the old file may still be running: the new one is renamed when it is complete.
    let with_suffix =
        |suffix: String| [program.as_os_str(), &OsString::from(suffix)].iter().copied().collect();
    let new: OsString = with_suffix(format!(".{}", std::process::id()));
    if matches!(language, SourceLanguage::Script | SourceLanguage::Python) {
        fs::write(&new, source)?;
        fs::set_permissions(&new, fs::Permissions::from_mode(0o755))?;
    } else {
        let text: OsString = with_suffix(format!(".{}.c", std::process::id()));
        fs::write(&text, source)?;
        let mut compiler = Command::new("cc");
        compiler.args(["-std=c99", "-O1", "-w", "-o"]).args([&new, &text]).stderr(Stdio::null());
        let is_built = compiler.status()?.success();
        fs::remove_file(&text)?;
        if !is_built {
            return Ok(false);
        }
    }
    fs::rename(&new, program)?;
    Ok(true)
}
