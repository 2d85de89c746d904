//! Links to a game: the invitation, and those for spectators and other sites.

use maud::{Markup, html};

use super::view::GamePage;
use crate::page::{picture, variant};

impl GamePage<'_> {
    /// Renders the invitation, above the board: until the friend has come, it is what matters.
    pub(super) fn invite(&self) -> Markup {
        let (view, lang) = (&self.view, self.view.lang);
        let is_needed = view.hosted.is_open() && view.you.is_some();
        let Some(token) = self.invitation.as_ref().filter(|_| is_needed) else {
            return html! { div #invite hidden {} };
        };
        let link = format!("{}/join/{}", self.config.public_origin, token.expose());
        html! {
            div #invite .share.sheet {
                p.lead { (lang.t("Send this link to your friend:")) }
                (link_field("invitation", lang.t("Link for your friend"), &link))
                button #share-invite .button.first.large type="button" hidden { (lang.t("Share invite")) }
                details.qr-fold { summary { (lang.t("QR code to scan")) } (picture::qr_code(lang, &link)) }
            }
        }
    }

    pub(super) fn links(&self) -> Markup {
        let (game, rules, lang) = (self.view.id, self.view.hosted.game.rules(), self.view.lang);
        let origin = &self.config.public_origin;
        let frame = frame_code(&format!("{origin}/embed/g/{game}"));
        html! {
            p #downloads .note hidden[self.view.hosted.game.moves().is_empty()] {
                (lang.t("Download:")) " "
                a href=(format!("/api/v1/games/{game}/record")) download=(format!("{game}.ttt")) { (lang.t("moves")) } ", "
                a href=(format!("/api/v1/games/{game}/picture.svg")) download=(format!("{game}.svg")) { (lang.t("picture")) }
            }
            details {
                summary { (lang.t("Rules and links for others")) }
                p.note { (variant::summary(lang, rules)) "." }
                div.share {
                    p { (lang.t("To watch:")) }
                    (link_field("watch", lang.t("Link for spectators"), &format!("{origin}/g/{game}")))
                    p { (lang.t("To show the game on your site:")) }
                    (frame_field("frame", lang.t("HTML for your site"), &frame))
                }
            }
            @if let Some(devices) = &self.devices { (devices.markup(lang, self.config, game)) }
            div #keys-place .buttons {}
        }
    }
}

/// Returns the HTML with which other sites show a page of this server.
pub(in crate::page) fn frame_code(address: &str) -> String {
    format!(
        r#"<iframe src="{address}" width="360" height="540" loading="lazy" title="tic-tac-toe"></iframe>"#
    )
}

/// Renders a link in a field, to which the script adds buttons. Text browsers cut fields short, so they also get a plain link.
pub(in crate::page) fn link_field(id: &str, label: &str, link: &str) -> Markup {
    html! {
        div.share-row {
            label.unseen for=(id) { (label) }
            input #(id) type="text" readonly value=(link);
            @if !link.is_empty() { noscript { p.link { a href=(link) { (link) } } } }
        }
    }
}

/// Renders a text to copy, which is not a link.
pub(in crate::page) fn frame_field(id: &str, label: &str, text: &str) -> Markup {
    html! {
        div.share-row {
            label.unseen for=(id) { (label) }
            input #(id) type="text" readonly value=(text) data-copy-only;
        }
    }
}
