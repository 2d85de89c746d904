//! Games replaced by the simplest games that are equal to them in misère play.
//!
//! Let K be a game, and G the same game with more options, from each of which one can move back to K. Then G
//! = K: in any sum, whoever moves G to such an option is answered by the move to K, and is no better off than
//! if it had been K from the start. If K has no move at all, it must also be sure that G alone is a win, as K
//! is; otherwise G would be a loss and K is not. (This is Conway's rule for misère play.) It merges most
//! games of a grid: 17 of 3×3 become 7, 656 of 4×4 become 127.

use std::collections::HashMap;

use crate::solve::quotient::games::{FINISHED, Game, Games};

/// The games of a grid with equal ones merged, and where each game went.
#[derive(Clone, Debug)]
pub(crate) struct Simplest {
    /// The simplest games; their numbers are their own. A living board may be equal to a finished one here.
    pub(crate) games: Games,
    /// The simplest game of every game.
    pub(crate) of_game: Vec<Game>,
}

impl Simplest {
    /// Returns the simplest forms of `games`.
    pub(crate) fn of(games: &Games) -> Simplest {
        let mut options: Vec<Vec<Game>> = vec![Vec::new()];
        let mut n_games = FINISHED;
        let mut is_loss = vec![false];
        let mut known = HashMap::from([(Vec::new(), FINISHED)]);
        let mut of_game = vec![FINISHED];
        for game in games.living() {
            let mut set: Vec<Game> =
                games.options(game).iter().map(|&option| of_game[usize::from(option)]).collect();
            set.sort_unstable();
            set.dedup();
            let loss = set.iter().all(|&option| !is_loss[usize::from(option)]);
            let equal = known.get(&set).copied().or_else(|| equal_to_options(&options, &set, loss));
            of_game.push(equal.unwrap_or_else(|| {
                n_games += 1;
                let new = n_games;
                known.insert(set.clone(), new);
                options.push(set);
                is_loss.push(loss);
                new
            }));
        }
        let of_board = games.of_boards().iter().map(|&game| of_game[usize::from(game)]).collect();
        Simplest { games: Games::from_parts(of_board, options), of_game }
    }
}

/// Returns a known game that is equal to the game with the options `set`, because every option beyond its own
/// leads back to it.
fn equal_to_options(options: &[Vec<Game>], set: &[Game], is_loss: bool) -> Option<Game> {
    let options_of = |game: Game| &options[usize::from(game)];
    let mut candidates = set.iter().flat_map(|&option| options_of(option)).copied();
    candidates.find(|&candidate| {
        let own = options_of(candidate);
        (candidate != FINISHED || !is_loss)
            && own.iter().all(|option| set.contains(option))
            && set.iter().all(|option| own.contains(option) || options_of(*option).contains(&candidate))
    })
}
