//! The frame around every page, and the content security policy.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

use super::assets;
use super::language::{Language, Tongue, text};
use crate::config::ServerConfig;
use crate::token::GameId;

/// Allows nothing from other servers, nothing inline, and no embedding in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The same for pages that other sites may show in a frame. They have no forms.
const EMBEDDED_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                               connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors *";

const DESCRIPTION: &str = text(
    "Play tic-tac-toe with a friend or the computer: classic, misère, wild, Notakto and larger boards. No account needed.",
);

pub(super) struct Page {
    language: Language,
    /// The title, without the name of the site.
    title: String,
    script: Option<&'static str>,
    /// The path of the menu entry to highlight; none if it is empty.
    menu: &'static str,
    /// The content of the `main` element.
    content: Markup,
    preview: Option<LinkPreview>,
    is_embedded: bool,
    /// Whether the page has neither menu nor footer.
    is_bare: bool,
}

/// What chat programs show below a link.
pub(super) struct LinkPreview {
    pub(super) title: String,
    pub(super) description: String,
    /// The address of a PNG picture of 1200 × 630 pixels.
    pub(super) image: String,
    /// The content of the picture in words.
    pub(super) alt: String,
}

impl LinkPreview {
    /// Returns a preview with the picture of the site.
    pub(super) fn of_site(
        config: &ServerConfig,
        lang: Language,
        title: String,
        description: String,
    ) -> LinkPreview {
        let image = format!("{}/preview.png", config.public_origin);
        LinkPreview { title, description, image, alt: lang.t("A tic-tac-toe board").to_owned() }
    }

    /// Returns a preview with a picture of the board of a game.
    pub(super) fn of_game(
        config: &ServerConfig,
        lang: Language,
        game: GameId,
        title: String,
        description: String,
    ) -> LinkPreview {
        let image = format!("{}/g/{game}/preview.png", config.public_origin);
        LinkPreview { title, description, image, alt: lang.t("The board of the game").to_owned() }
    }
}

const MENU: [(&str, &str); 4] =
    [("/", text("Play")), ("/lessons", text("Learn")), ("/r", text("Analyse")), ("/help", text("Help"))];

/// The pages whose boards make sounds, which can be muted.
const WITH_SOUND: [&str; 3] = ["play", "solo", "home"];

impl Page {
    /// Returns a page that starts no script of its own.
    pub(super) fn new(
        language: Language,
        title: impl Into<String>,
        menu: &'static str,
        content: Markup,
    ) -> Page {
        let title = title.into();
        Page {
            language,
            title,
            script: None,
            menu,
            content,
            preview: None,
            is_embedded: false,
            is_bare: false,
        }
    }

    /// Returns the page with the script module that it starts.
    pub(super) fn with_script(self, script: &'static str) -> Page {
        Page { script: Some(script), ..self }
    }

    pub(super) fn with_preview(self, preview: LinkPreview) -> Page {
        Page { preview: Some(preview), ..self }
    }

    /// Returns the page without menu and footer, for frames on other sites.
    pub(super) fn embedded(self) -> Page {
        Page { is_embedded: true, ..self }
    }

    /// Returns the page without menu and footer, for a big screen.
    pub(super) fn bare(self) -> Page {
        Page { is_bare: true, ..self }
    }

    fn markup(&self) -> Markup {
        let lang = self.language;
        html! {
            (DOCTYPE)
            html lang=(lang.tongue().code()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="description" content=(lang.t(DESCRIPTION));
                    meta name="color-scheme" content="light dark";
                    meta name="theme-color" content="#f7f4ec" media="(prefers-color-scheme: light)";
                    meta name="theme-color" content="#1b1d21" media="(prefers-color-scheme: dark)";
                    title { (self.title) " – tictac" }
                    (self.preview_tags())
                    link #icon rel="icon" type="image/svg+xml" href=(assets::path("icon.svg")) data-turn=(assets::path("icon-turn.svg"));
                    link rel="apple-touch-icon" href="/apple-touch-icon.png";
                    link rel="manifest" href="/manifest.webmanifest";
                    link rel="stylesheet" href=(assets::path("style.css"));
                    script type="module" src=(assets::path("app.js")) {}
                }
                body.is-embedded[self.is_embedded] data-page=[self.script] {
                    @if self.is_embedded || self.is_bare {
                        main #main { (self.content) }
                    } @else {
                        a.skip href="#main" { (lang.t("Skip to content")) }
                        (self.masthead())
                        main #main tabindex="-1" { (self.content) }
                        (self.footer())
                    }
                    div #polite .unseen role="status" aria-live="polite" {}
                    div #assertive .unseen role="alert" aria-live="assertive" {}
                }
            }
        }
    }

    fn preview_tags(&self) -> Markup {
        html! {
            @if let Some(preview) = &self.preview {
                meta property="og:site_name" content="tictac";
                meta property="og:type" content="website";
                meta property="og:title" content=(preview.title);
                meta property="og:description" content=(preview.description);
                meta property="og:image" content=(preview.image);
                meta property="og:image:type" content="image/png";
                meta property="og:image:width" content="1200";
                meta property="og:image:height" content="630";
                meta property="og:image:alt" content=(preview.alt);
                meta name="twitter:card" content="summary_large_image";
            }
        }
    }

    fn masthead(&self) -> Markup {
        let lang = self.language;
        let has_sound = self.script.is_some_and(|script| WITH_SOUND.contains(&script));
        html! {
            header.masthead {
                a.brand href=(lang.path("/")) {
                    img src=(assets::path("icon.svg")) alt="" width="32" height="32";
                    span { "tictac" }
                }
                " "
                nav aria-label=(lang.t("Main menu")) {
                    @for (path, name) in MENU {
                        a href=(lang.path(path)) aria-current=[(path == self.menu).then_some("page")] { (lang.t(name)) } " "
                    }
                }
                @if has_sound {
                    button #sound .icon-button type="button" aria-pressed="true" aria-label=(lang.t("Sound")) title=(lang.t("Sound")) hidden {
                        svg viewBox="0 0 24 24" aria-hidden="true" {
                            path d="M4 9.500h3.500L12 5.500v13l-4.500-4H4z" {}
                            path.waves d="M15 9.200c1.600 1.600 1.600 4 0 5.600M17.800 6.600c3 3 3 7.800 0 10.800" {}
                            path.muted d="M15.500 9.500l5 5M20.500 9.500l-5 5" {}
                        }
                    }
                }
            }
        }
    }

    fn footer(&self) -> Markup {
        let lang = self.language;
        html! {
            footer.foot {
                span { (lang.t("No account, no tracking. Cookies only remember your seat in a game.")) } " "
                a href=(lang.path("/help")) { (lang.t("Help and shortcuts")) } " "
                a href="/api/v1/openapi.json" { "API" } " "
                @for other in Tongue::ALL.into_iter().filter(|&other| other != lang.tongue()) {
                    a.language href=(format!("?lang={}", other.code())) lang=(other.code()) hreflang=(other.code()) { (other.name()) }
                }
            }
        }
    }
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        let (policy, resource) =
            if self.is_embedded { (EMBEDDED_POLICY, "cross-origin") } else { (POLICY, "same-origin") };
        let headers = [
            (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy)),
            (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static(resource)),
        ];
        (headers, self.markup()).into_response()
    }
}
