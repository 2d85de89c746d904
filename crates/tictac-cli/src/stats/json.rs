//! What was counted as JSON, for a program; `docs/analysis.md` names the fields.

use serde::Serialize;
use tictac_archive::{FirstError, Opening, Play, Results, RulesStats, SidePlay, Stats};

/// The one object of `tictac stats --json`.
#[derive(Serialize)]
pub(super) struct Object {
    games: u64,
    moves: u64,
    x_won: u64,
    o_won: u64,
    drawn: u64,
    unfinished: u64,
    bad: u64,
    other_rules: u64,
    rules: Vec<OfRules>,
}

#[derive(Serialize)]
struct OfRules {
    rules: String,
    games: u64,
    moves: u64,
    o_opened: u64,
    results: Counts,
    lengths: Vec<OfLength>,
    openings: Vec<OfOpening>,
    openings_cut: u64,
    play: OfPlay,
}

#[derive(Serialize)]
struct Counts {
    first_won: u64,
    second_won: u64,
    drawn: u64,
    unfinished: u64,
    first_score: Option<f64>,
}

#[derive(Serialize)]
struct OfLength {
    moves: usize,
    games: u64,
    results: Counts,
}

#[derive(Serialize)]
struct OfOpening {
    moves: Vec<String>,
    games: u64,
    results: Counts,
    replies: Vec<OfOpening>,
}

#[derive(Serialize)]
struct OfPlay {
    perfect: u64,
    flawed: u64,
    unjudged: u64,
    first: OfSide,
    second: OfSide,
    first_errors: Vec<OfError>,
}

#[derive(Serialize)]
struct OfSide {
    best: u64,
    ok: u64,
    mistakes: u64,
    blunders: u64,
    unjudged: u64,
}

#[derive(Serialize)]
struct OfError {
    position: String,
    #[serde(rename = "move")]
    mv: String,
    verdict: String,
    best: Vec<String>,
    games: u64,
}

impl Object {
    /// Returns the object; openings of fewer than `min_games` are left out.
    pub(super) fn of(stats: &Stats, min_games: u64) -> Object {
        let totals = &stats.totals;
        Object {
            games: totals.games(),
            moves: totals.moves,
            x_won: totals.x_won,
            o_won: totals.o_won,
            drawn: totals.drawn,
            unfinished: totals.unfinished,
            bad: totals.bad,
            other_rules: stats.n_of_other_rules,
            rules: stats.by_rules.iter().map(|found| OfRules::of(found, min_games)).collect(),
        }
    }
}

impl OfRules {
    fn of(found: &RulesStats, min_games: u64) -> OfRules {
        let tree = found.openings.tree(min_games);
        let length = |(&moves, results): (&usize, &Results)| OfLength {
            moves,
            games: results.games(),
            results: Counts::of(results),
        };
        OfRules {
            rules: found.rules.to_string(),
            games: found.results.games(),
            moves: found.totals.moves,
            o_opened: found.o_opened,
            results: Counts::of(&found.results),
            lengths: found.lengths.iter().map(length).collect(),
            openings: tree.replies.iter().map(|opening| OfOpening::of(opening, found)).collect(),
            openings_cut: found.openings.n_cut(),
            play: OfPlay::of(&found.play, found),
        }
    }
}

impl Counts {
    fn of(results: &Results) -> Counts {
        let &Results { first_won, second_won, drawn, unfinished } = results;
        Counts { first_won, second_won, drawn, unfinished, first_score: results.first_score() }
    }
}

impl OfOpening {
    fn of(opening: &Opening, found: &RulesStats) -> OfOpening {
        OfOpening {
            moves: opening.moves.iter().map(|&mv| mv.display(&found.rules).to_string()).collect(),
            games: opening.results.games(),
            results: Counts::of(&opening.results),
            replies: opening.replies.iter().map(|reply| OfOpening::of(reply, found)).collect(),
        }
    }
}

impl OfPlay {
    fn of(play: &Play, found: &RulesStats) -> OfPlay {
        let written = |mv: tictac::Move| mv.display(&found.rules).to_string();
        let error = |error: &FirstError| OfError {
            position: error.state.to_string(),
            mv: written(error.mv),
            verdict: error.verdict.to_string(),
            best: error.best.iter().map(|&mv| written(mv)).collect(),
            games: error.games,
        };
        OfPlay {
            perfect: play.perfect,
            flawed: play.flawed,
            unjudged: play.unjudged,
            first: OfSide::of(&play.first),
            second: OfSide::of(&play.second),
            first_errors: play.first_errors.iter().map(error).collect(),
        }
    }
}

impl OfSide {
    const fn of(side: &SidePlay) -> OfSide {
        let &SidePlay { best, ok, mistakes, blunders, unjudged } = side;
        OfSide { best, ok, mistakes, blunders, unjudged }
    }
}
