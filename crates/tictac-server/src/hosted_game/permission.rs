//! Which action a player may take.

use tictac::{Game, Move, Status};

use super::HostedGame;
use crate::event::{EventKind, Side};
use crate::failure::Failure;
use crate::wire::{ActionKind, You};

/// An action that is allowed.
#[derive(Debug)]
pub(crate) struct Permitted {
    /// The event that the action adds.
    pub(crate) kind: EventKind,
    /// The game after the action, if the action is a move.
    pub(crate) after_move: Option<Game>,
}

impl From<EventKind> for Permitted {
    fn from(kind: EventKind) -> Permitted {
        Permitted { kind, after_move: None }
    }
}

impl HostedGame {
    /// Checks an action of a client that may play `you`.
    ///
    /// # Errors
    ///
    /// Returns why the action is not allowed.
    pub(crate) fn permit(&self, you: You, kind: ActionKind, mv: Option<&str>) -> Result<Permitted, Failure> {
        if mv.is_some() && kind != ActionKind::Move {
            return Err(Failure::BadRequest("only an action of kind \"move\" has a \"move\"".to_owned()));
        }
        let by = self.acting_side(you, kind);
        match kind {
            ActionKind::Move => {
                self.check_not_over()?;
                self.check_turn(by)?;
                let text = mv.ok_or_else(|| Failure::BadRequest("missing field \"move\"".to_owned()))?;
                let mv = self.parse_move(text)?;
                let after_move = Some(self.after_move(mv)?);
                let kind = EventKind::Move { by, mv: mv.display(self.rules()).to_string() };
                return Ok(Permitted { kind, after_move });
            }
            ActionKind::Resign => self.check_not_over().map(|()| EventKind::Resign { by }),
            ActionKind::OfferDraw => self.check_can_offer().map(|()| EventKind::OfferDraw { by }),
            ActionKind::AskUndo => {
                self.check_can_offer()?;
                if self.n_to_undo(by) == 0 {
                    return Err(refused("you have no move to take back"));
                }
                Ok(EventKind::AskUndo { by })
            }
            ActionKind::Rematch => self.check_can_ask_rematch().map(|()| EventKind::Rematch { by }),
            ActionKind::Accept => match self.offer {
                Some(offer) if offer.by != by => Ok(EventKind::Accept { by, next: None }),
                Some(_) => Err(refused("only the other player can accept this offer")),
                None => Err(refused("there is no offer")),
            },
            ActionKind::Decline => match self.offer {
                Some(_) => Ok(EventKind::Decline { by }),
                None => Err(refused("there is no offer")),
            },
        }
        .map(Permitted::from)
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

    fn check_not_over(&self) -> Result<(), Failure> {
        match self.status() {
            Status::ToMove(_) => Ok(()),
            Status::Over(_) => Err(refused("the game is over")),
        }
    }

    pub(super) fn check_turn(&self, by: Side) -> Result<(), Failure> {
        match self.status() {
            Status::ToMove(player) if player == by.into() => Ok(()),
            _ => Err(Failure::NotYourTurn),
        }
    }

    fn check_can_offer(&self) -> Result<(), Failure> {
        self.check_not_over()?;
        match self.offer {
            None => Ok(()),
            Some(_) => Err(refused("accept or decline the pending offer first")),
        }
    }

    fn check_can_ask_rematch(&self) -> Result<(), Failure> {
        match (self.status(), self.next, self.offer) {
            (Status::ToMove(_), ..) => Err(refused("the game is not over yet")),
            (_, Some(_), _) => Err(refused("the rematch has already started")),
            (_, _, Some(_)) => Err(refused("a rematch is already offered; accept it")),
            _ => Ok(()),
        }
    }
}

fn refused(message: &str) -> Failure {
    Failure::Illegal { message: message.to_owned(), help: None }
}
