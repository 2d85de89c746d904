//! Which action a player may take.

use tictac::{Game, Move, Status};

use super::HostedGame;
use crate::event::{EventKind, Side};
use crate::failure::Failure;
use crate::wire::{ActionKind, You};

impl HostedGame {
    /// Checks an action of a client that may play `you`. Returns the event that the action adds, and the game after the move, if it is
    /// one; or why the action is not allowed.
    pub(crate) fn permit(
        &self,
        you: You,
        kind: ActionKind,
        mv: Option<&str>,
    ) -> Result<(EventKind, Option<Game>), Failure> {
        if mv.is_some() && kind != ActionKind::Move {
            return Err(Failure::BadRequest("only an action of kind \"move\" has a \"move\"".to_owned()));
        }
        let by = self.acting_side(you, kind);
        let is_over = matches!(self.status(), Status::Over(_));
        let refused = |message: &str| Err(Failure::Illegal { message: message.to_owned(), help: None });
        let event = match (kind, self.offer) {
            (ActionKind::Move | ActionKind::Resign | ActionKind::OfferDraw | ActionKind::AskUndo, _)
                if is_over =>
            {
                return refused("the game is over");
            }
            (ActionKind::Move, _) => {
                self.check_turn(by)?;
                let text = mv.ok_or_else(|| Failure::BadRequest("missing field \"move\"".to_owned()))?;
                let mv = self.parse_move(text)?;
                let after = self.after_move(mv)?;
                return Ok((EventKind::Move { by, mv: mv.display(self.rules()).to_string() }, Some(after)));
            }
            (ActionKind::Resign, _) => EventKind::Resign { by },
            (ActionKind::OfferDraw | ActionKind::AskUndo, Some(_)) => {
                return refused("accept or decline the pending offer first");
            }
            (ActionKind::OfferDraw, None) => EventKind::OfferDraw { by },
            (ActionKind::AskUndo, None) if self.n_to_undo(by) == 0 => {
                return refused("you have no move to take back");
            }
            (ActionKind::AskUndo, None) => EventKind::AskUndo { by },
            (ActionKind::Rematch, _) if !is_over => return refused("the game is not over yet"),
            (ActionKind::Rematch, _) if self.next.is_some() => {
                return refused("the rematch has already started");
            }
            (ActionKind::Rematch, Some(_)) => return refused("a rematch is already offered; accept it"),
            (ActionKind::Rematch, None) => EventKind::Rematch { by },
            (ActionKind::Accept | ActionKind::Decline, None) => return refused("there is no offer"),
            (ActionKind::Accept, Some(offer)) if offer.by == by => {
                return refused("only the other player can accept this offer");
            }
            (ActionKind::Accept, Some(_)) => EventKind::Accept { by, next: None },
            (ActionKind::Decline, Some(_)) => EventKind::Decline { by },
        };
        Ok((event, None))
    }

    /// Returns the side that a client acts for. A client that plays both sides acts for the one concerned.
    fn acting_side(&self, you: You, kind: ActionKind) -> Side {
        you.side().unwrap_or_else(|| match (kind, self.offer) {
            (ActionKind::Accept | ActionKind::Decline, Some(offer)) => offer.by.other(),
            // The move to take back is the last one.
            (ActionKind::AskUndo, _) => self.next_side().other(),
            _ => self.next_side(),
        })
    }

    /// Parses `X B2`, or `B2` if only one mark may be written.
    fn parse_move(&self, text: &str) -> Result<Move, Failure> {
        let rules = self.rules();
        let parsed = match (rules.parse_move(text), self.game.state().marks()) {
            // Without a mark, an error in the square is more useful than "missing mark".
            (Err(_), [mark]) if !text.trim().contains(' ') => rules.parse_square(text, *mark),
            (Err(error), [mark]) => rules.parse_square(text, *mark).map_err(|_| error),
            (parsed, _) => parsed,
        };
        parsed.map_err(|error| Failure::BadMove(format!("column {}: {error}", error.at + 1)))
    }

    pub(super) fn check_turn(&self, by: Side) -> Result<(), Failure> {
        match self.status() {
            Status::ToMove(player) if player == by.into() => Ok(()),
            _ => Err(Failure::NotYourTurn),
        }
    }
}
