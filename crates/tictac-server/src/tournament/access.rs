//! Who may play as whom: the secrets of players, links that work once, codes, and requests to join after the start.

use super::event::{TournamentEventKind, TournamentFormat};
use super::state::{Participant, Tournament, TournamentPhase};
use crate::event::PlayerKind;
use crate::token::{Secret, SecretHash};

/// The number of unanswered requests to join.
const MAX_WAITING: usize = 100;

/// A person who came after the start and asks to join.
#[derive(Clone, Debug)]
pub(crate) struct LateEntry {
    pub(crate) name: String,
    key: Option<SecretHash>,
    code: Option<SecretHash>,
    pub(crate) answer: Option<LateAnswer>,
}

/// The organiser's answer to a request to join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LateAnswer {
    Admitted,
    Declined,
}

/// What a person without a place in the tournament can do to get one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryWay {
    /// Join with a name.
    Join,
    /// Ask the organiser.
    Ask,
    /// Only watch, for a reason.
    Closed(&'static str),
}

impl Tournament {
    /// Applies an event about who may play as whom.
    pub(super) fn change_access(&mut self, kind: &TournamentEventKind) -> Result<(), &'static str> {
        match kind {
            TournamentEventKind::Asked { name, key, code } => {
                self.check_request()?;
                let (name, key, code) = (name.clone(), key.clone(), code.clone());
                self.late.push(LateEntry { name, key, code, answer: None });
            }
            TournamentEventKind::Admitted { requests } => {
                requests.iter().try_for_each(|&request| self.admit(request))?;
            }
            TournamentEventKind::Declined { requests } => {
                for &request in requests {
                    self.waiting_mut(request)?.answer = Some(LateAnswer::Declined);
                }
            }
            TournamentEventKind::LinkMade { player, key } => {
                self.person_mut(*player)?.link_hash.clone_from(key);
            }
            TournamentEventKind::Returned { player, key } => {
                let person = self.person_mut(*player)?;
                person.secret_hash.clone_from(key);
                person.link_hash = None;
            }
            _ => {}
        }
        Ok(())
    }

    fn admit(&mut self, request: usize) -> Result<(), &'static str> {
        self.check_entry()?;
        let late = self.waiting_mut(request)?;
        late.answer = Some(LateAnswer::Admitted);
        let LateEntry { name, key, code, .. } = late.clone();
        let name = self.distinct_name(&name);
        self.add_player(Participant { code_hash: code, ..Participant::new(name, PlayerKind::Person, key) });
        Ok(())
    }

    fn waiting_mut(&mut self, request: usize) -> Result<&mut LateEntry, &'static str> {
        let late = self.late.get_mut(request).filter(|late| late.answer.is_none());
        late.ok_or("no one waits with this number")
    }

    fn person_mut(&mut self, player: usize) -> Result<&mut Participant, &'static str> {
        self.check_person(player)?;
        self.players.get_mut(player).ok_or("there is no such player in the tournament")
    }

    /// Checks that a player is a person who can get another device.
    pub(crate) fn check_person(&self, player: usize) -> Result<(), &'static str> {
        self.check_not_over()?;
        let is_person =
            |player: &&Participant| !player.is_dropped && matches!(player.kind, PlayerKind::Person);
        self.players
            .get(player)
            .filter(is_person)
            .map(drop)
            .ok_or("there is no such player in the tournament")
    }

    /// Checks that another person may ask to join.
    pub(crate) fn check_request(&self) -> Result<(), &'static str> {
        match self.entry_way() {
            EntryWay::Ask if self.waiting().count() >= MAX_WAITING => Err("too many people are waiting"),
            EntryWay::Ask => Ok(()),
            EntryWay::Join => Err("the tournament has not started"),
            EntryWay::Closed(reason) => Err(reason),
        }
    }

    /// Returns what a person can do who is not in the tournament.
    pub(crate) fn entry_way(&self) -> EntryWay {
        match (self.check_entry(), self.phase) {
            (Err(reason), _) => EntryWay::Closed(reason),
            (Ok(()), TournamentPhase::Open) => EntryWay::Join,
            (Ok(()), _) => EntryWay::Ask,
        }
    }

    /// Returns whether a knock-out has started, which no one can join any more.
    pub(crate) fn is_closed_knock_out(&self) -> bool {
        self.setup.format == TournamentFormat::KnockOut && self.phase == TournamentPhase::Running
    }

    /// Returns the unanswered requests to join with their numbers.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (usize, &LateEntry)> {
        self.late.iter().enumerate().filter(|(_, late)| late.answer.is_none())
    }

    /// Returns the request of the person with this secret.
    pub(crate) fn request_of(&self, secret: &Secret) -> Option<&LateEntry> {
        let hash = secret.hash();
        self.late.iter().find(|late| late.key.as_ref().is_some_and(|key| key.matches(&hash)))
    }

    /// Returns the player who gets a device by the link with this secret: the player's own, or that of a link from the organiser.
    pub(crate) fn holder_of(&self, secret: &Secret) -> Option<usize> {
        self.player_of(secret).or_else(|| self.link_of(secret))
    }

    /// Returns the player for whom the organiser has made this link, if it was not used.
    pub(crate) fn link_of(&self, secret: &Secret) -> Option<usize> {
        let hash = secret.hash();
        let has_link =
            |player: &Participant| player.link_hash.as_ref().is_some_and(|link| link.matches(&hash));
        self.players.iter().position(has_link)
    }
}
