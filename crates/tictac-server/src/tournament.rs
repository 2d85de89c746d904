//! Tournaments: a log of events like that of a game, from which pairings and standings are derived.
//!
//! | module | responsibility |
//! |---|---|
//! | `access` | who may play as whom: secrets, links, codes, and requests to join late |
//! | `event` | the stored events |
//! | `state` | a tournament as its events define it, and which event may come next |
//! | `pairing` | who meets whom in a round: round robin, knock-out and Swiss system |
//! | `series` | the games of one match |
//! | `standings` | points, tie-breaks and ranks |
//! | `live` | a tournament in memory, and the clients that follow it |
//! | `view` | a tournament as the API shows it |
//! | `report` | records, PGN and CSV |

pub(crate) mod access;
pub(crate) mod event;
pub(crate) mod live;
pub(crate) mod pairing;
pub(crate) mod report;
pub(crate) mod series;
pub(crate) mod standings;
pub(crate) mod state;
pub(crate) mod view;
