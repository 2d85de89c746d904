//! `cargo xtask dist`: what a release consists of.

mod bill;
mod debian;
mod inspection;
pub(crate) mod licences;
mod release_tree;
mod twice;

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, ensure};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use self::release_tree::ReleaseTree;
pub(crate) use self::twice::build_twice;
use crate::cargo::{empty_folder, output, printed, root, run};
use crate::static_build::{self, PROGRAMS, Quality};
use crate::{python, wheel_workspace};

/// The list of check sums, in the format of `sha256sum`.
const SUMS: &str = "SHA256SUMS";

/// Files of the repository that have the same path in the archive.
const COPIED_FILES: [&str; 13] = [
    "CHANGELOG.md",
    "CITATION.cff",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "deploy/Caddyfile",
    "deploy/Containerfile",
    "deploy/data/README.txt",
    "deploy/nginx.conf",
    "deploy/tictac.service",
];

/// Where the Debian package has the service of systemd.
const SERVICE: &str = "lib/systemd/system/tictac.service";

/// The shells that we have completions for, and where each looks for them.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/tictac"),
    ("zsh", "share/zsh/site-functions/_tictac"),
    ("fish", "share/fish/vendor_completions.d/tictac.fish"),
];

/// Builds everything, tests the archive in an empty root, and returns the folder of the artefacts.
pub(crate) fn build(quality: Quality, out: &mut impl Write) -> anyhow::Result<PathBuf> {
    let release = Release::find(out)?;
    // A missing tool is reported before the build, which takes minutes.
    let has_bill = bill::check_tool(quality, out)?;
    writeln!(out, "dist: building the programs …")?;
    let programs = static_build::build(quality)?;
    let folder = empty_folder("artefacts")?;
    let files = release.files(&programs)?;
    let name = format!("tictac-{}-x86_64-linux", release.version);
    let archive = folder.join(format!("{name}.tar.gz"));
    fs::write(&archive, files.tar_gz(&name, release.time)?)?;
    let package = folder.join(format!("{}_{}_amd64.deb", debian::PACKAGE, release.version));
    let package_files = release.package_files(&files)?;
    fs::write(&package, debian::package(&package_files, &release.version, release.time)?)?;
    if has_bill {
        bill::write(&folder.join(format!("tictac-{}.cdx.json", release.version)), release.time)?;
    }
    let create_sources = || {
        let sources = wheel_workspace::create()?;
        licences::add_to_wheel(&sources)?;
        if has_bill {
            bill::add_to_wheel(&sources, release.time)?;
        }
        Ok(sources)
    };
    python::build_wheel(&folder, release.time, create_sources, out)?;
    inspection::check_archive(&archive, &name, out)?;
    inspection::check_package(&package, &programs, out)?;
    let sums = check_sums(&folder)?;
    fs::write(folder.join(SUMS), &sums)?;
    writeln!(out, "{sums}dist: {} has everything", folder.display())?;
    Ok(folder)
}

/// What all artefacts of a release have in common.
struct Release {
    version: String,
    /// Seconds since 1970; every file of every artefact was last changed then.
    time: u64,
}

impl Release {
    /// Returns the release that the working tree describes. Its time is that of the last commit, or `SOURCE_DATE_EPOCH`.
    fn find(out: &mut impl Write) -> anyhow::Result<Release> {
        let time = match env::var("SOURCE_DATE_EPOCH") {
            Ok(time) => time,
            Err(_) => git(&["log", "-1", "--format=%ct"]).context("set SOURCE_DATE_EPOCH outside of git")?,
        };
        let time = time.parse().with_context(|| format!("{time} is no time"))?;
        if git(&["status", "--porcelain"]).is_ok_and(|changes| !changes.is_empty()) {
            writeln!(out, "dist: the release contains changes that are not committed")?;
        }
        // All crates have one version.
        Ok(Release { version: env!("CARGO_PKG_VERSION").to_owned(), time })
    }

    /// Returns the files of the archive. `bin` and `share` are as below `/usr/local`.
    fn files(&self, programs: &Path) -> anyhow::Result<ReleaseTree> {
        let mut files = ReleaseTree::default();
        for name in COPIED_FILES {
            files.add(name, fs::read(root().join(name)).with_context(|| name.to_owned())?);
        }
        files.add(licences::FILE, licences::of_programs()?);
        add_folder(&mut files, "docs")?;
        for name in PROGRAMS {
            let program = programs.join(name);
            files.add_program(format!("bin/{name}"), fs::read(&program)?);
            if name != "tictac" {
                let page = self.manual_page(name, &printed(Command::new(program).arg("--help"))?);
                files.add(format!("share/man/man1/{name}.1"), page);
            }
        }
        let tictac = programs.join("tictac");
        for (shell, path) in COMPLETIONS {
            files.add(path, output(Command::new(&tictac).args(["completions", shell]))?);
        }
        let pages = empty_folder("manual-pages")?;
        run(Command::new(&tictac).args(["man", "--out"]).arg(&pages))?;
        for entry in fs::read_dir(&pages)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            files.add(format!("share/man/man1/{name}"), fs::read(entry.path())?);
        }
        Ok(files)
    }

    /// Returns the manual page of a course program, whose help text says everything.
    fn manual_page(&self, name: &str, help: &str) -> String {
        let (title, version) = (name.to_uppercase(), &self.version);
        let summary = help.lines().next().unwrap_or_default().trim_end_matches('.');
        let mut page = format!(".TH {title} 1 \"\" \"{name} {version}\"\n.SH NAME\n{name} \\- {summary}\n");
        page.push_str(".SH DESCRIPTION\n.nf\n");
        for line in help.lines() {
            // A line that starts with a dot or an apostrophe would be a command.
            let line = line.replace('\\', "\\e").replace('-', "\\-");
            let _ = writeln!(page, "\\&{line}");
        }
        page.push_str(".fi\n");
        page
    }

    /// Returns the files of the Debian package, where Debian's policy wants them.
    fn package_files(&self, archive: &ReleaseTree) -> anyhow::Result<ReleaseTree> {
        let mut files = ReleaseTree::default();
        for (path, bytes) in archive.iter() {
            if path.starts_with("bin/") {
                files.add_program(format!("usr/{path}"), bytes.to_vec());
            } else if path.starts_with("share/man/") {
                files.add_gzip(&format!("usr/{path}"), bytes)?;
            } else if path.starts_with("share/zsh/") {
                files.add("usr/share/zsh/vendor-completions/_tictac", bytes);
            } else if path.starts_with("share/") {
                files.add(format!("usr/{path}"), bytes);
            }
        }
        let documents = format!("usr/share/doc/{}", debian::PACKAGE);
        let read = |name: &str| fs::read_to_string(root().join(name)).with_context(|| name.to_owned());
        files.add(SERVICE, read("deploy/tictac.service")?);
        files.add_gzip(&format!("{documents}/changelog"), read("CHANGELOG.md")?.as_bytes())?;
        files.add(format!("{documents}/README.md"), read("README.md")?);
        files.add_gzip(&format!("{documents}/{}", licences::FILE), licences::of_programs()?.as_bytes())?;
        let licences = format!(
            "tictac {} is licensed under either of these, at your option:\n\n\
             The Apache License, version 2.0, which is in /usr/share/common-licenses/Apache-2.0.\n\n{}\n\
             What is linked into the programs has its own licences: {}.gz.\n",
            self.version,
            read("LICENSE-MIT")?,
            licences::FILE,
        );
        files.add(format!("{documents}/copyright"), licences);
        Ok(files)
    }
}

/// Adds a folder of the repository with everything in it.
fn add_folder(files: &mut ReleaseTree, folder: &str) -> anyhow::Result<()> {
    for name in file_names(&root().join(folder))? {
        let path = format!("{folder}/{name}");
        if root().join(&path).is_dir() {
            add_folder(files, &path)?;
        } else {
            files.add(path.clone(), fs::read(root().join(path))?);
        }
    }
    Ok(())
}

fn git(arguments: &[&str]) -> anyhow::Result<String> {
    printed(Command::new("git").current_dir(root()).args(arguments))
}

/// Returns the check sum and the name of every file in the folder, sorted by name.
fn check_sums(folder: &Path) -> anyhow::Result<String> {
    let mut sums = String::new();
    for name in file_names(folder)?.iter().filter(|&name| name != SUMS) {
        let sum = HEXLOWER.encode(&Sha256::digest(fs::read(folder.join(name))?));
        let _ = writeln!(sums, "{sum}  {name}");
    }
    ensure!(!sums.is_empty(), "there is nothing in {}", folder.display());
    Ok(sums)
}

/// Returns the names in a folder in order.
fn file_names(folder: &Path) -> anyhow::Result<Vec<String>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<anyhow::Result<Vec<String>>>()?;
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_sums_have_the_format_of_sha256sum() {
        let folder = env::temp_dir().join(format!("tictac-sums-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in [("b", ""), ("a", "abc"), (SUMS, "old")] {
            fs::write(folder.join(name), text).unwrap();
        }
        let sums = check_sums(&folder);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(
            sums.unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n\
             e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
        );
    }

    #[test]
    fn a_manual_page_keeps_every_line_of_the_help_text() {
        let release = Release { version: "1.2.3".to_owned(), time: 0 };
        let page = release.manual_page("lab3", "Play for two.\n\n.x \\ -h\n");
        assert!(
            page.starts_with(".TH LAB3 1 \"\" \"lab3 1.2.3\"\n.SH NAME\nlab3 \\- Play for two\n"),
            "{page}"
        );
        assert!(page.ends_with(".nf\n\\&Play for two.\n\\&\n\\&.x \\e \\-h\n.fi\n"), "{page}");
    }
}
