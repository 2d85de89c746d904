//! How a game begins: from a wish, or as the rematch of another.

use std::sync::Arc;

use tictac::Rules;
use tictac::level::Level;

use crate::config::{Config, Limits};
use crate::event::{OpeningMark, Seat, Setup, Side, Who};
use crate::failure::Failure;
use crate::live::Live;
use crate::table::Table;
use crate::token::{GameId, SeatToken, Secret};
use crate::wire::{Begins, Created, NewGame, Opponent, Ticket, VERSION, You};

/// A game about to be created, and what opens its seats.
pub(super) struct Opening {
    pub(super) setup: Setup,
    /// The creator's side; none where he plays both.
    side: Option<Side>,
    secret: Secret,
    friend: Option<Secret>,
}

impl Opening {
    pub(super) fn new(wish: NewGame, config: &Config) -> Result<Opening, Failure> {
        let rules = rules_within(&wish.rules, &config.limits)?;
        let secret = Secret::random();
        let friend = (wish.opponent == Opponent::Friend).then(Secret::random);
        let me = Seat { who: Who::Person, name: clean_name(wish.name), open: false, key: Some(secret.key()) };
        let other = match wish.opponent {
            Opponent::Friend => {
                Seat { name: None, open: true, key: friend.as_ref().map(Secret::key), ..me.clone() }
            }
            Opponent::Oneself => me.clone(),
            Opponent::Computer => {
                Seat { who: Who::Computer(level(wish.level.as_deref())?), name: None, open: false, key: None }
            }
        };
        if wish.level.is_some() && wish.opponent != Opponent::Computer {
            return Err(Failure::BadRequest("only the computer has a level".to_owned()));
        }
        let side = match wish.begins {
            Begins::Me => Side::First,
            Begins::Opponent => Side::Second,
            Begins::Chance => {
                [Side::First, Side::Second][usize::from(getrandom::u32().unwrap_or(0) % 2 == 1)]
            }
        };
        let (first, second) = if side == Side::First { (me, other) } else { (other, me) };
        let side = (wish.opponent != Opponent::Oneself).then_some(side);
        if wish.moves.len() > rules.max_moves() {
            return Err(Failure::BadMove(format!(
                "no game of these rules has more than {} moves",
                rules.max_moves()
            )));
        }
        let setup = Setup {
            rules: rules.to_string(),
            opening_mark: wish.opening_mark,
            moves: wish.moves,
            first,
            second,
            previous: None,
        };
        let setup = with_written_moves(setup, &rules)?;
        Ok(Opening { setup, side, secret, friend })
    }

    pub(super) fn created(self, live: &Arc<Live>, config: &Config) -> Created {
        let ticket = |seat: You, secret: Secret| {
            let token = SeatToken { game: live.id, secret }.expose();
            Ticket { seat, link: format!("{}/join/{token}", config.public_origin), token }
        };
        let you = self.side.map_or(You::Both, You::from);
        let friend = self.friend.zip(self.side).map(|(secret, side)| ticket(side.other().into(), secret));
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

/// Checks the moves, and writes them as the server writes moves. The first one tells who opens.
fn with_written_moves(mut setup: Setup, rules: &Rules) -> Result<Setup, Failure> {
    if let Some(first) = setup.moves.first()
        && rules.marks_name_players()
        && rules.parse_move(first).is_ok_and(|mv| mv.mark == tictac::Mark::O)
    {
        setup.opening_mark = OpeningMark::O;
    }
    let table = Table::new(setup.clone())?;
    setup.moves = table.game().moves().iter().map(|&mv| mv.display(rules).to_string()).collect();
    Ok(setup)
}

/// Returns the rules, if this server plays them.
pub(crate) fn rules_within(text: &str, limits: &Limits) -> Result<Rules, Failure> {
    if text.len() > 100 {
        return Err(Failure::BadRules("rules are shorter than that".to_owned()));
    }
    let rules: Rules = text.parse().map_err(|error| Failure::BadRules(format!("{error}")))?;
    if rules.max_moves() > limits.squares {
        return Err(Failure::BadRules(format!(
            "{} squares on all boards are more than the {} of this server",
            rules.max_moves(),
            limits.squares
        )));
    }
    Ok(rules)
}

fn level(name: Option<&str>) -> Result<String, Failure> {
    let level = match name {
        None => Level::Perfect,
        Some(name) => name.parse::<Level>().map_err(|error| Failure::BadRequest(error.to_string()))?,
    };
    Ok(level.name().to_owned())
}

/// Returns a name that can be shown anywhere: short, on one line, without control characters.
pub(super) fn clean_name(name: Option<String>) -> Option<String> {
    let name: String = name?.chars().filter(|c| !is_unprintable(*c)).take(Limits::NAME).collect();
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Control characters, and those that turn the direction of a text around or hide in it.
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Returns the set-up of the next game: the same people with sides swapped, and the same secrets open their seats.
pub(super) fn rematch(table: &Table, previous: GameId) -> Setup {
    let setup = table.setup().clone();
    Setup { first: setup.second, second: setup.first, moves: Vec::new(), previous: Some(previous), ..setup }
}

impl From<Side> for You {
    fn from(side: Side) -> You {
        match side {
            Side::First => You::First,
            Side::Second => You::Second,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_cut_after_40_characters_and_printable() {
        assert_eq!(clean_name(Some("é".repeat(50))), Some("é".repeat(40)));
        assert_eq!(clean_name(Some(" A\u{200d}n\u{7}n ".to_owned())), Some("Ann".to_owned()));
        assert_eq!(clean_name(Some(" \n ".to_owned())), None);
    }

    #[test]
    fn rules_are_limited_by_squares_and_by_length() {
        let limits = Limits::default();
        assert_eq!(rules_within("notakto boards=28", &limits).unwrap().max_moves(), 252);
        assert!(rules_within("notakto boards=29", &limits).is_err());
        assert!(rules_within(&format!("3,3,3{}", " ".repeat(100)), &limits).is_err());
    }
}
