//! Which action a player may take.

use tictac::{Player, Status};

use super::{HostedGame, illegal, refused};
use crate::event::{ActionKind, PlayerAction};
use crate::failure::Failure;
use crate::wire::{OfferKind, You};

/// How often a player may make the same offer between two moves.
const MAX_OFFERS: u8 = 3;

impl HostedGame {
    /// Checks an action of a client that may play `you`. Returns the action as it is stored, or why it is not allowed.
    pub(crate) fn permit(
        &self,
        you: You,
        kind: ActionKind,
        mv: Option<&str>,
    ) -> Result<PlayerAction, Failure> {
        use ActionKind::{Accept, AskUndo, Decline, Move, OfferDraw, Rematch, Resign};
        if mv.is_some() && kind != Move {
            return Err(Failure::BadRequest("only an action of kind \"move\" has a \"move\"".to_owned()));
        }
        let action = PlayerAction { kind, by: self.acting_side(you, kind), mv: None, next: None };
        let is_over = matches!(self.status(), Status::Over(_));
        let reason = match (kind, self.offer) {
            (Move | Resign | OfferDraw | AskUndo, _) if is_over => "the game is over",
            (Move, _) => {
                self.check_turn(action.by)?;
                let text = mv.ok_or_else(|| Failure::BadRequest("missing field \"move\"".to_owned()))?;
                let mv = self.parse_move(text)?;
                self.game.state().after(mv).map_err(illegal)?;
                let mv = Some(mv.display(self.game.rules()).to_string());
                return Ok(PlayerAction { mv, ..action });
            }
            (OfferDraw | AskUndo, Some(_)) => "accept or decline the pending offer first",
            (OfferDraw | AskUndo, None) if self.has_offered(action.by, kind) => {
                "you have asked three times: wait for the next move"
            }
            (AskUndo, None) if self.n_to_undo(action.by) == 0 => "you have no move to take back",
            (Rematch, _) if self.setup.tournament.is_some() => "a game of a tournament has no rematch",
            (Rematch, _) if !is_over => "the game is not over yet",
            (Rematch, _) if self.next.is_some() => "the rematch has already started",
            (Rematch, Some(offer)) if offer.by == action.by => "you have already asked for a rematch",
            (Rematch, None) if self.has_offered(action.by, kind) => {
                "you have asked for a rematch three times"
            }
            // Both players want one.
            (Rematch, Some(_)) => return Ok(PlayerAction { kind: Accept, ..action }),
            (Accept | Decline, None) => "there is no offer",
            (Accept, Some(offer)) if offer.by == action.by => "only the other player can accept this offer",
            (Resign | OfferDraw | AskUndo | Rematch | Accept | Decline, _) => return Ok(action),
        };
        Err(refused(reason))
    }

    /// Returns whether a player has made the same offer so often since the last move that they may not repeat it.
    fn has_offered(&self, by: Player, kind: ActionKind) -> bool {
        let kind = match kind {
            ActionKind::OfferDraw => OfferKind::Draw,
            ActionKind::AskUndo => OfferKind::Undo,
            _ => OfferKind::Rematch,
        };
        self.n_offers[by as usize][kind as usize] >= MAX_OFFERS
    }

    /// Returns the side that a client acts for. A client that plays both sides acts for the one concerned.
    fn acting_side(&self, you: You, kind: ActionKind) -> Player {
        you.side().unwrap_or_else(|| match (kind, self.offer) {
            (ActionKind::Accept | ActionKind::Decline, Some(offer)) => !offer.by,
            // The move to take back is the last one.
            (ActionKind::AskUndo, _) => !self.next_side(),
            _ => self.next_side(),
        })
    }

    /// Parses `X B2`, or `B2` if only one mark may be written.
    pub(super) fn parse_move(&self, text: &str) -> Result<tictac::Move, Failure> {
        let rules = self.game.rules();
        let parsed = match (rules.parse_move(text), self.game.state().marks()) {
            // Without a mark, an error in the square is more useful than "missing mark".
            (Err(_), [mark]) if !text.trim().contains(' ') => rules.parse_square(text, *mark),
            (Err(error), [mark]) => rules.parse_square(text, *mark).map_err(|_| error),
            (parsed, _) => parsed,
        };
        parsed.map_err(|error| Failure::BadMove(format!("column {}: {error}", error.at + 1)))
    }

    pub(super) fn check_turn(&self, by: Player) -> Result<(), Failure> {
        match self.status() {
            Status::ToMove(player) if player == by => Ok(()),
            _ => Err(Failure::NotYourTurn),
        }
    }
}
