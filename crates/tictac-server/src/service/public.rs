//! The list of public games, for people who want to watch one.

use std::sync::Arc;

use super::Service;
use crate::failure::Failure;
use crate::live_game::LiveGame;

/// The games that are listed.
const MAX_LISTED: usize = 50;
/// The games that are looked at for that: some wait for a player.
const MAX_READ: u32 = 200;

impl Service {
    /// Returns the public games that are being played, the newest first. Games that are over are taken off the list.
    pub(crate) async fn public_games(&self) -> Result<Vec<Arc<LiveGame>>, Failure> {
        let unavailable = |_| Failure::Unavailable("the database does not respond: try again");
        let (mut listed, mut ended) = (Vec::new(), Vec::new());
        for game in self.store.public_games(MAX_READ).await.map_err(unavailable)? {
            match self.open(game).await {
                Ok(live) => {
                    let (is_over, is_open) = {
                        let hosted = &live.lock().hosted;
                        (hosted.is_over(), hosted.is_open())
                    };
                    if is_over {
                        ended.push(game);
                    } else if !is_open {
                        listed.push(live);
                    }
                }
                Err(Failure::NoSuchGame) => ended.push(game),
                Err(_) => {}
            }
            if listed.len() == MAX_LISTED {
                break;
            }
        }
        if !ended.is_empty() {
            self.store.unlist(ended).await.map_err(unavailable)?;
        }
        Ok(listed)
    }
}
