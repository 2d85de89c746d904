//! How players get back into a tournament on another device, and how people join who came late.

use std::sync::Arc;

use super::{check_length, entry};
use crate::event::{EventKind, PlayerKind, StoredSeat};
use crate::failure::Failure;
use crate::hosted_game::refused;
use crate::service::{Service, setup};
use crate::token::{GameId, Secret, SecretHash};
use crate::tournament::event::TournamentEventKind;
use crate::tournament::live::LiveTournament;
use crate::tournament::state::{Tournament, TournamentPhase};
use crate::tournament::view::OrganiserAction;
use tictac::Player;

/// The number of wrong codes for a player, after which only the organiser can help.
const MAX_WRONG_CODES: u8 = 5;

/// How a player shows that they may come back on another device.
#[derive(Clone, Debug)]
pub(crate) enum ReturnWay {
    /// By a link that works once: one of the organiser, or that of the player's own secret, which is replaced.
    Link(Secret),
    /// By the code that the player has chosen.
    Code { player: usize, code: String },
}

impl Service {
    /// Enters a person or a bot, who plays with `secret`; after the start, asks the organiser to let them in. Entering again
    /// changes nothing.
    pub(crate) async fn enter(
        &self,
        live: &Arc<LiveTournament>,
        name: Option<String>,
        code: Option<String>,
        secret: &Secret,
    ) -> Result<(), Failure> {
        let name = setup::clean_name(name).ok_or_else(|| refused("enter a name"))?;
        let (key, id) = (secret.clone(), live.id);
        let code = code.filter(|code| !code.trim().is_empty()).map(|code| hash_of_code(id, &code));
        let code = code.transpose()?;
        self.change_tournament(live, move |tournament| {
            if tournament.player_of(&key).is_some() || tournament.request_of(&key).is_some() {
                return Ok(None);
            }
            if tournament.phase == TournamentPhase::Open {
                return entry(tournament, &name, PlayerKind::Person, Some(&key), code.clone()).map(Some);
            }
            tournament.check_request().map_err(refused)?;
            check_length(tournament)?;
            let (name, key, code) = (name.clone(), Some(key.hash()), code.clone());
            Ok(Some(TournamentEventKind::Asked { name, key, code }))
        })
        .await
    }

    /// Lets a player come back with `secret`, which replaces the secret of the device before, also in the game that is being played.
    pub(crate) async fn return_player(
        &self,
        live: &Arc<LiveTournament>,
        way: ReturnWay,
        secret: &Secret,
    ) -> Result<(), Failure> {
        if live.lock().tournament.player_of(secret).is_some() {
            return Ok(());
        }
        if let ReturnWay::Code { player, code } = &way {
            check_code(live, *player, code)?;
        }
        let key = secret.hash();
        self.change_tournament(live, move |tournament| {
            let player = match &way {
                ReturnWay::Link(link) => tournament.holder_of(link).ok_or(Failure::NoTournamentSeat)?,
                ReturnWay::Code { player, .. } => *player,
            };
            tournament.check_person(player).map_err(refused)?;
            check_length(tournament)?;
            Ok(Some(TournamentEventKind::Returned { player, key: Some(key.clone()) }))
        })
        .await?;
        self.seat_new_devices(live).await
    }

    /// Makes sure that players can play the games that began before they changed their device. Both players see it there.
    pub(super) async fn seat_new_devices(&self, live: &LiveTournament) -> Result<(), Failure> {
        for (id, side, key) in changed_seats(live) {
            let game = self.open(id).await?;
            let seated = self.append_event(&game, |hosted, _| {
                hosted.check_devices(side, 1)?;
                let is_new = !hosted.is_over() && !opens(hosted.seat(side), &key);
                Ok(is_new.then(|| EventKind::DeviceJoined { by: side, key: Some(key.clone()) }))
            });
            if let Err(failure) = seated.await {
                tracing::warn!("tournament {}: a new device cannot play game {id}: {failure}", live.id);
            }
        }
        Ok(())
    }
}

fn opens(seat: &StoredSeat, key: &SecretHash) -> bool {
    seat.secret_hash.iter().chain(&seat.devices).any(|known| known.matches(key))
}

/// Returns the games in memory whose players have another secret now.
fn changed_seats(live: &LiveTournament) -> Vec<(GameId, Player, SecretHash)> {
    let state = live.lock();
    let mut changed = Vec::new();
    for game in state.tournament.current_games() {
        let Some(live) = state.games.get(&game.id) else { continue };
        for side in Player::BOTH {
            let key = &state.tournament.players[game.player(side)].secret_hash;
            if let Some(key) = key.as_ref().filter(|key| !opens(live.lock().hosted.seat(side), key)) {
                changed.push((game.id, side, key.clone()));
            }
        }
    }
    changed
}

/// Checks the code of a player, for whom only a few wrong ones are accepted.
fn check_code(live: &LiveTournament, player: usize, code: &str) -> Result<(), Failure> {
    let given = hash_of_code(live.id, code)?;
    let mut state = live.lock();
    let tournament = Arc::clone(&state.tournament);
    tournament.check_person(player).map_err(refused)?;
    let n_wrong = state.wrong_codes.entry(player).or_default();
    if *n_wrong >= MAX_WRONG_CODES {
        return Err(refused("too many wrong codes: ask the organiser for a link"));
    }
    let code = tournament.players[player].code_hash.as_ref();
    if code.is_some_and(|code| code.matches(&given)) {
        *n_wrong = 0;
        return Ok(());
    }
    *n_wrong += 1;
    Err(refused("this is not the code of the player: try again, or ask the organiser for a link"))
}

fn hash_of_code(id: GameId, code: &str) -> Result<SecretHash, Failure> {
    let code = code.trim();
    if code.len() == 4 && code.bytes().all(|digit| digit.is_ascii_digit()) {
        Ok(SecretHash::of_code(id, code))
    } else {
        Err(Failure::BadRequest("a code has four digits".to_owned()))
    }
}

/// Returns the event for a link with the secret `link`, with which a player can come back on another device.
pub(super) fn new_link(
    tournament: &Tournament,
    player: usize,
    link: &Secret,
) -> Result<Option<TournamentEventKind>, Failure> {
    if tournament.link_of(link).is_some() {
        return Ok(None);
    }
    tournament.check_person(player).map_err(refused)?;
    check_length(tournament)?;
    Ok(Some(TournamentEventKind::LinkMade { player, key: Some(link.hash()) }))
}

/// Returns the unanswered requests that the organiser means: those of the action, or all.
pub(super) fn meant_requests(tournament: &Tournament, action: &OrganiserAction) -> Vec<usize> {
    let is_meant = |request: &usize| action.requests.as_ref().is_none_or(|meant| meant.contains(request));
    tournament.waiting().map(|(request, _)| request).filter(is_meant).collect()
}
