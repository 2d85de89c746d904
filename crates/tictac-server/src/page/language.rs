//! The languages of the page. The code contains every text in English; `page/de.txt` lists all of them with their translations.
//!
//! The language is that of the query (`?lang=de`), which the switch on the page sets and all links then carry, or else the first one of
//! `Accept-Language` that the page has. There is no cookie for it.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt::Display;
use std::sync::LazyLock;

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::middleware::Next;
use axum::response::Response;

/// The language of a page, and whether the user has chosen it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Language {
    tongue: Tongue,
    is_chosen: bool,
}

/// The languages that the page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tongue {
    English,
    German,
}

/// A catalogue: for every English text two lines, the text and its translation, and an empty line.
const GERMAN: &str = include_str!("../../page/de.txt");

static CATALOGUE: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| entries().collect());

/// Returns every English text with its translation, in the order of the file.
pub(super) fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    GERMAN.split("\n\n").filter_map(|entry| entry.trim_end().split_once('\n'))
}

/// Marks a text that is translated elsewhere, so that tests find it.
pub(super) const fn text(english: &'static str) -> &'static str {
    english
}

impl Tongue {
    pub(super) const ALL: [Tongue; 2] = [Tongue::English, Tongue::German];

    /// Returns the language tag, as in `lang="de"`.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Tongue::English => "en",
            Tongue::German => "de",
        }
    }

    /// Returns the name of the language in that language.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Tongue::English => "English",
            Tongue::German => "Deutsch",
        }
    }

    fn from_code(code: &str) -> Option<Tongue> {
        // `de-AT` is German, too.
        let code = code.split('-').next().unwrap_or_default();
        Tongue::ALL.into_iter().find(|tongue| tongue.code().eq_ignore_ascii_case(code))
    }
}

impl Language {
    #[cfg(test)]
    pub(super) const ENGLISH: Language = Language { tongue: Tongue::English, is_chosen: false };

    /// Returns the language of the response to a request.
    pub(crate) fn of(uri: &Uri, headers: &HeaderMap) -> Language {
        let chosen = uri.query().and_then(|query| {
            query.split('&').find_map(|pair| Tongue::from_code(pair.strip_prefix("lang=")?))
        });
        let tongue = chosen.or_else(|| accepted(headers)).unwrap_or(Tongue::English);
        Language { tongue, is_chosen: chosen.is_some() }
    }

    /// Returns the language with this code, or English.
    pub(crate) fn of_code(code: &str) -> Language {
        Language { tongue: Tongue::from_code(code).unwrap_or(Tongue::English), is_chosen: false }
    }

    pub(super) const fn tongue(self) -> Tongue {
        self.tongue
    }

    /// Returns a text in this language; one that is not in the catalogue stays English.
    pub(super) fn t(self, english: &str) -> &str {
        match self.tongue {
            Tongue::English => english,
            Tongue::German => CATALOGUE.get(english).copied().unwrap_or(english),
        }
    }

    /// Returns a text in this language with its placeholders, such as `{name}`, filled in.
    pub(super) fn fill(self, english: &str, values: &[(&str, &dyn Display)]) -> String {
        let mut filled = String::new();
        let mut rest = self.t(english);
        // Values may contain braces, so they are not searched again.
        while let Some((before, after)) = rest.split_once('{') {
            let (key, after) = after.split_once('}').unwrap_or((after, ""));
            filled.push_str(before);
            if let Some((_, value)) = values.iter().find(|(name, _)| *name == key) {
                filled.push_str(&value.to_string());
            }
            rest = after;
        }
        filled + rest
    }

    /// Returns a path of this server with the chosen language.
    pub(super) fn path(self, path: &str) -> String {
        if !self.is_chosen {
            return path.to_owned();
        }
        let (address, fragment) = path.split_once('#').map_or((path, None), |(path, at)| (path, Some(at)));
        let joint = if address.contains('?') { '&' } else { '?' };
        let fragment = fragment.map(|at| format!("#{at}")).unwrap_or_default();
        format!("{address}{joint}lang={}{fragment}", self.tongue.code())
    }
}

/// Returns the first language of the header that the page has, by preference.
fn accepted(headers: &HeaderMap) -> Option<Tongue> {
    let header = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    let wanted = header.split(',').filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let tongue = Tongue::from_code(parts.next()?)?;
        let quality = parts.find_map(|part| part.strip_prefix("q=")).map_or(Some(1.0), |q| q.parse().ok())?;
        (quality > 0.0).then_some((tongue, quality))
    });
    // Of equal ones the first counts.
    wanted.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(tongue, _): (_, f32)| tongue)
}

impl<S: Send + Sync> FromRequestParts<S> for Language {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Language, Infallible> {
        Ok(Language::of(&parts.uri, &parts.headers))
    }
}

/// Lets redirects carry a chosen language, too.
pub(super) async fn carry(language: Language, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE);
    if kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html")) {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-language"));
    }
    let location = response.headers().get(header::LOCATION).and_then(|location| location.to_str().ok());
    if let Some(location) = location.map(|location| language.path(location))
        && let Ok(location) = location.parse()
    {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    const GERMAN: Language = Language { tongue: Tongue::German, is_chosen: true };

    /// Returns the content of all files below a folder.
    fn sources(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![read(&path)] }).collect()
    }

    fn read(path: &Path) -> String {
        let is_text = path.extension().is_some_and(|kind| kind == "rs" || kind == "js");
        let text = if is_text { fs::read_to_string(path).unwrap() } else { String::new() };
        // Tests may contain any text.
        text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned()
    }

    /// Returns the texts in calls of the functions that translate.
    fn used() -> BTreeSet<String> {
        let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let files = [sources(&crate_folder.join("src/page")), sources(&crate_folder.join("page"))].concat();
        let calls = ["t(", "fill(", "text("];
        let mut found = BTreeSet::new();
        for file in &files {
            for (at, _) in file.match_indices('"') {
                let before = file[..at].trim_end();
                let is_call = calls.iter().any(|call| {
                    let start = before.strip_suffix(call).map(|rest| rest.chars().next_back());
                    start.is_some_and(|last| last.is_none_or(|last| !last.is_alphanumeric() && last != '_'))
                });
                let literal = file[at + 1..].split('"').next().unwrap();
                if is_call && literal.contains(char::is_alphabetic) {
                    found.insert(literal.to_owned());
                }
            }
        }
        found
    }

    #[test]
    fn every_text_of_the_page_is_in_the_catalogue() {
        let missing: Vec<String> =
            used().into_iter().filter(|text| !CATALOGUE.contains_key(text.as_str())).collect();
        assert!(missing.is_empty(), "not in page/de.txt: {missing:#?}");
    }

    #[test]
    fn the_catalogue_has_no_text_twice_and_keeps_all_placeholders() {
        let mut seen = BTreeSet::new();
        let placeholders = |text: &str| {
            text.split('{')
                .skip(1)
                .filter_map(|rest| rest.split_once('}').map(|(key, _)| key.to_owned()))
                .collect::<BTreeSet<String>>()
        };
        for (english, german) in entries() {
            assert!(seen.insert(english), "{english} is there twice");
            assert!(!german.is_empty() && !german.contains('\n'), "{english}: {german:?}");
            assert_eq!(placeholders(english), placeholders(german), "{english}");
        }
    }

    #[test]
    fn the_catalogue_has_only_texts_that_are_used() {
        let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let lessons = fs::read_to_string(crate_folder.join("../tictac-solver/src/lessons.txt")).unwrap();
        let crates = ["../tictac/src", "../tictac-solver/src"];
        let library = crates.map(|folder| sources(&crate_folder.join(folder)).concat()).concat();
        let all = sources(&crate_folder.join("src")).concat() + &sources(&crate_folder.join("page")).concat();
        let is_used = |text: &str| {
            let literal = format!("\"{text}\"");
            all.contains(&literal) || library.contains(text) || lessons.contains(text)
        };
        let unused: Vec<&str> = entries().map(|(english, _)| english).filter(|text| !is_used(text)).collect();
        assert!(unused.is_empty(), "not used: {unused:#?}");
    }

    #[test]
    fn the_language_is_the_chosen_or_the_preferred_one() {
        let of = |uri: &str, accepted: &'static str| {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, HeaderValue::from_static(accepted))]);
            let Language { tongue, is_chosen } = Language::of(&uri.parse().unwrap(), &headers);
            (tongue.code(), is_chosen)
        };
        assert_eq!(of("/", ""), ("en", false));
        assert_eq!(of("/", "de-AT,de;q=0.9,en;q=0.8"), ("de", false));
        assert_eq!(of("/", "fr, en;q=0.3, de;q=0.7"), ("de", false));
        assert_eq!(of("/", "en-GB, de"), ("en", false));
        assert_eq!(of("/", "de;q=0, en;q=0.1"), ("en", false));
        assert_eq!(of("/", "fr, es;q=x, *"), ("en", false));
        assert_eq!(of("/g/x?since=3&lang=en", "de"), ("en", true));
        assert_eq!(of("/?lang=xx", "de"), ("de", false));
    }

    #[test]
    fn paths_carry_a_chosen_language() {
        assert_eq!(GERMAN.path("/"), "/?lang=de");
        assert_eq!(GERMAN.path("/g/x?since=3"), "/g/x?since=3&lang=de");
        assert_eq!(GERMAN.path("/r#3,3,3/"), "/r?lang=de#3,3,3/");
        assert_eq!(Language::ENGLISH.path("/r#3,3,3/"), "/r#3,3,3/");
    }

    #[test]
    fn values_are_filled_in_once() {
        let filled = Language::ENGLISH.fill("{a} and {b}{c}", &[("a", &"{b}"), ("b", &2)]);
        assert_eq!(filled, "{b} and 2");
    }
}
