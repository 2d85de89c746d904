//! The setup of new games and of rematches.

use std::sync::Arc;

use tictac::{Mark, Player, Rules};
use tictac_solver::level::Level;

use crate::config::{ServerConfig, ServerLimits};
use crate::event::{OpeningMark, PlayerKind, Setup, StoredSeat};
use crate::failure::Failure;
use crate::hosted_game::HostedGame;
use crate::live_game::LiveGame;
use crate::token::{GameId, SeatToken, Secret};
use crate::wire::{Begins, Created, NewGame, Opponent, Ticket, VERSION, You};

/// The seats of a new game.
pub(super) struct NewSeats {
    /// The side of the player who creates the game; `None` if they play both.
    side: Option<Player>,
    secret: Secret,
    friend: Option<Secret>,
}

/// Returns the requested game and its seats.
pub(super) fn new_game(request: NewGame, config: &ServerConfig) -> Result<(HostedGame, NewSeats), Failure> {
    let NewGame { rules, opponent, level, begins, opening_mark, name, moves, clock, public } = request;
    let rules = rules_within(rules.as_deref(), &config.limits)?;
    if level.is_some() && opponent != Opponent::Computer {
        return Err(Failure::BadRequest("only the computer has a level".to_owned()));
    }
    if moves.len() > rules.max_moves() {
        let max = rules.max_moves();
        return Err(Failure::BadMove(format!("a game by these rules has at most {max} moves")));
    }
    let secret = Secret::random();
    let friend = (opponent == Opponent::Friend).then(Secret::random);
    let me = StoredSeat::new(PlayerKind::Person, clean_name(name), Some(secret.hash()));
    let other = match opponent {
        Opponent::Friend => {
            let secret_hash = friend.as_ref().map(Secret::hash);
            StoredSeat { name: None, open: true, secret_hash, ..me.clone() }
        }
        Opponent::Oneself => me.clone(),
        Opponent::Computer => {
            let level = level.map_or(Ok(Level::Perfect), |level| level.parse());
            let level = level.map_err(|error| Failure::BadRequest(error.to_string()))?;
            StoredSeat::new(PlayerKind::Computer(level.name().to_owned()), None, None)
        }
    };
    let side = match begins {
        Begins::Opponent => Player::Second,
        Begins::Random if getrandom::u32().unwrap_or(0) % 2 == 1 => Player::Second,
        Begins::Me | Begins::Random => Player::First,
    };
    let (first, second) = if side == Player::First { (me, other) } else { (other, me) };
    let opens_with_o = rules.marks_name_players()
        && moves.first().is_some_and(|mv| rules.parse_move(mv).is_ok_and(|mv| mv.mark == Mark::O));
    let opening_mark = if opens_with_o { OpeningMark::O } else { opening_mark };
    let setup = Setup { opening_mark, moves, clock, public, ..Setup::new(rules, first, second) };
    let side = (opponent != Opponent::Oneself).then_some(side);
    Ok((HostedGame::new(setup)?, NewSeats { side, secret, friend }))
}

impl NewSeats {
    /// Returns the response to the request.
    pub(super) fn into_created(self, live: &Arc<LiveGame>, config: &ServerConfig) -> Created {
        let ticket = |seat: You, secret: Secret| ticket(config, seat, &SeatToken { game: live.id, secret });
        let you = self.side.map_or(You::Both, You::from);
        let friend = self.friend.zip(self.side).map(|(secret, side)| ticket((!side).into(), secret));
        Created {
            version: VERSION,
            game: live.id,
            watch: format!("{}/g/{}", config.public_origin, live.id),
            you: ticket(you, self.secret),
            friend,
            update: live.update(0, Some(you)),
        }
    }
}

/// Returns how to use a seat.
pub(super) fn ticket(config: &ServerConfig, seat: You, token: &SeatToken) -> Ticket {
    let token = token.expose();
    Ticket { seat, link: format!("{}/join/{token}", config.public_origin), token }
}

/// Parses rules, which are 3,3,3 if there is no text, and checks that they are within the limits of this server.
pub(crate) fn rules_within(text: Option<&str>, limits: &ServerLimits) -> Result<Rules, Failure> {
    let text = text.unwrap_or("3,3,3");
    if text.len() > 100 {
        return Err(Failure::BadRules("the rules are longer than 100 bytes".to_owned()));
    }
    let rules: Rules = text.parse().map_err(|error| Failure::BadRules(format!("{error}")))?;
    let (n_squares, max) = (rules.max_moves(), limits.squares);
    if n_squares > max {
        return Err(Failure::BadRules(format!(
            "{n_squares} squares on all boards; this server allows at most {max}"
        )));
    }
    Ok(rules)
}

/// Returns a name that is safe to display: short, on one line, without invisible characters.
pub(super) fn clean_name(name: Option<String>) -> Option<String> {
    let name: String = name?.chars().filter(|c| !is_invisible(*c)).take(ServerLimits::NAME).collect();
    let name = name.trim_matches(|c: char| c.is_whitespace() || is_joiner(c));
    (!name.is_empty()).then(|| name.to_owned())
}

/// Returns whether a character is a control character, changes the direction of text, or has no width. Joiners (U+200C, U+200D)
/// have none either, but belong to the spelling of names and to emoji.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

const fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Returns the rematch of a game: sides are swapped, and players keep their secrets.
pub(super) fn rematch(hosted: &HostedGame, previous: GameId) -> Result<HostedGame, Failure> {
    let Setup { first, second, rules, opening_mark, clock, public, .. } = hosted.setup.clone();
    let (previous, score) = (Some(previous), hosted.score().swapped());
    HostedGame::new(Setup {
        opening_mark,
        previous,
        score,
        clock,
        public,
        ..Setup::new(rules, second, first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_printable_and_has_at_most_40_characters() {
        assert_eq!(clean_name(Some("é".repeat(50))), Some("é".repeat(40)));
        assert_eq!(clean_name(Some(" A\u{200b}n\u{7}n ".to_owned())), Some("Ann".to_owned()));
        assert_eq!(clean_name(Some(" \n ".to_owned())), None);
        assert_eq!(clean_name(Some("\u{200d} \u{200c}".to_owned())), None);
    }

    #[test]
    fn joiners_belong_to_names_and_emoji() {
        for name in ["نیک\u{200c}نام", "ක්\u{200d}රි", "👩\u{200d}🚀"] {
            assert_eq!(clean_name(Some(name.to_owned())).as_deref(), Some(name));
        }
    }

    #[test]
    fn rules_are_limited_by_squares_and_by_length() {
        let limits = ServerLimits::default();
        assert_eq!(rules_within(Some("notakto boards=28"), &limits).unwrap().max_moves(), 252);
        assert!(rules_within(Some("notakto boards=29"), &limits).is_err());
        assert!(rules_within(Some(&format!("3,3,3{}", " ".repeat(100))), &limits).is_err());
    }
}
