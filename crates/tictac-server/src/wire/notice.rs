//! Notices: what a player has done and the rest of the state does not show.

use serde::Serialize;

use super::OfferKind;
use crate::event::Side;

/// Something that a player has done and the other one should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Notice {
    pub(crate) kind: NoticeKind,
    pub(crate) by: Side,
}

/// The kinds of notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NoticeKind {
    DrawDeclined,
    UndoDeclined,
    RematchDeclined,
    /// The player has opened the game on another device.
    NewDevice,
}

impl From<OfferKind> for NoticeKind {
    /// Returns the notice that an offer was declined.
    fn from(offer: OfferKind) -> NoticeKind {
        match offer {
            OfferKind::Draw => NoticeKind::DrawDeclined,
            OfferKind::Undo => NoticeKind::UndoDeclined,
            OfferKind::Rematch => NoticeKind::RematchDeclined,
        }
    }
}
