//! Simplest forms of games in misère play.
//!
//! Let K be a game, and let G be the same game with additional options, each of which has a move to K. Then G = K: in any
//! sum, a move from G to an additional option is answered by the move to K, which leaves the same sum as if G had been K.
//! If K has no moves, G alone must also be a win, because K is one. (This is Conway's rule for misère play.) The rule
//! merges most games of a grid: 17 games of 3×3 become 7, and 656 games of 4×4 become 127.

use std::collections::HashMap;

use crate::several_boards::quotient::NoQuotient;
use crate::several_boards::quotient::games::{DistinctGames, FINISHED, GameIndex};

/// The games of a grid after merging equal games.
#[derive(Clone, Debug)]
pub(crate) struct SimplestForms {
    /// The simplest forms, numbered anew. The form of a living board may be that of a finished one.
    pub(crate) games: DistinctGames,
    /// The simplest form of every original game.
    pub(crate) of_game: Vec<GameIndex>,
}

impl SimplestForms {
    /// Returns the simplest forms of `games`, unless `stop` returns true.
    pub(crate) fn new(games: &DistinctGames, stop: &dyn Fn() -> bool) -> Result<SimplestForms, NoQuotient> {
        let mut options: Vec<Vec<GameIndex>> = vec![Vec::new()];
        let mut n_games = FINISHED;
        let mut is_loss = vec![false];
        let mut known = HashMap::from([(Vec::new(), FINISHED)]);
        let mut of_game = vec![FINISHED];
        for game in games.living() {
            if stop() {
                return Err(NoQuotient::STOPPED);
            }
            let mut set: Vec<GameIndex> =
                games.options(game).iter().map(|&option| of_game[usize::from(option)]).collect();
            set.sort_unstable();
            set.dedup();
            let loss = set.iter().all(|&option| !is_loss[usize::from(option)]);
            let equal = known.get(&set).copied().or_else(|| {
                let mut equal = equal_games(&options, &set);
                equal.find(|&game| game != FINISHED || !loss)
            });
            of_game.push(equal.unwrap_or_else(|| {
                n_games += 1;
                let new = n_games;
                known.insert(set.clone(), new);
                options.push(set);
                is_loss.push(loss);
                new
            }));
        }
        let of_board = games.of_board.iter().map(|&game| of_game[usize::from(game)]).collect();
        Ok(SimplestForms { games: DistinctGames { of_board, options }, of_game })
    }
}

/// Returns the known games that are equal to the game with the options `set`, because every additional option has a move
/// back to them; the finished game only if that game is a win.
fn equal_games<'a>(
    options: &'a [Vec<GameIndex>],
    set: &'a [GameIndex],
) -> impl Iterator<Item = GameIndex> + use<'a> {
    let options_of = |game: GameIndex| &options[usize::from(game)];
    let candidates = set.iter().flat_map(move |&option| options_of(option)).copied();
    candidates.filter(move |&candidate| {
        let own = options_of(candidate);
        own.iter().all(|option| set.contains(option))
            && set.iter().all(|option| own.contains(option) || options_of(*option).contains(&candidate))
    })
}
