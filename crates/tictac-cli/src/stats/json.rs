//! Statistics as JSON; `docs/analysis.md` lists the fields.

use serde::Serialize;
use tictac::Move;
use tictac_archive::{FirstError, Opening, Play, Results, RulesStats, SidePlay, Stats};

use crate::json::TotalsJson;

/// The JSON object of `tictac stats --json`.
#[derive(Serialize)]
pub(super) struct StatsJson<'a> {
    #[serde(flatten)]
    totals: TotalsJson<'a>,
    other_rules: u64,
    rules: Vec<RulesJson<'a>>,
}

#[derive(Serialize)]
struct RulesJson<'a> {
    rules: String,
    games: u64,
    moves: u64,
    o_opened: u64,
    results: ResultsJson,
    lengths: Vec<LengthJson>,
    openings: Vec<OpeningJson>,
    openings_cut: u64,
    play: PlayJson<'a>,
}

#[derive(Serialize)]
struct ResultsJson {
    #[serde(flatten)]
    results: Results,
    first_score: Option<f64>,
}

#[derive(Serialize)]
struct LengthJson {
    moves: usize,
    games: u64,
    results: ResultsJson,
}

#[derive(Serialize)]
struct OpeningJson {
    moves: Vec<String>,
    games: u64,
    results: ResultsJson,
    replies: Vec<OpeningJson>,
}

#[derive(Serialize)]
struct PlayJson<'a> {
    perfect: u64,
    flawed: u64,
    unjudged: u64,
    first: &'a SidePlay,
    second: &'a SidePlay,
    first_errors: Vec<FirstErrorJson>,
}

#[derive(Serialize)]
struct FirstErrorJson {
    position: String,
    #[serde(rename = "move")]
    mv: String,
    verdict: String,
    best: Vec<String>,
    games: u64,
}

impl StatsJson<'_> {
    /// Returns the object, without openings of fewer than `min_games` games.
    pub(super) fn of(stats: &Stats, min_games: u64) -> StatsJson<'_> {
        StatsJson {
            totals: TotalsJson::of(&stats.totals),
            other_rules: stats.n_of_other_rules,
            rules: stats.by_rules.iter().map(|found| RulesJson::of(found, min_games)).collect(),
        }
    }
}

impl RulesJson<'_> {
    fn of(found: &RulesStats, min_games: u64) -> RulesJson<'_> {
        let tree = found.openings.tree(min_games);
        let length = |(&moves, results): (&usize, &Results)| LengthJson {
            moves,
            games: results.games(),
            results: ResultsJson::of(results),
        };
        RulesJson {
            rules: found.rules.to_string(),
            games: found.results.games(),
            moves: found.totals.moves,
            o_opened: found.o_opened,
            results: ResultsJson::of(&found.results),
            lengths: found.lengths.iter().map(length).collect(),
            openings: tree.replies.iter().map(|opening| OpeningJson::of(opening, found)).collect(),
            openings_cut: found.openings.n_cut,
            play: PlayJson::of(&found.play, found),
        }
    }
}

impl ResultsJson {
    fn of(results: &Results) -> ResultsJson {
        ResultsJson { results: *results, first_score: results.first_score() }
    }
}

impl OpeningJson {
    fn of(opening: &Opening, found: &RulesStats) -> OpeningJson {
        OpeningJson {
            moves: opening.moves.iter().map(|&mv| mv.display(&found.rules).to_string()).collect(),
            games: opening.results.games(),
            results: ResultsJson::of(&opening.results),
            replies: opening.replies.iter().map(|reply| OpeningJson::of(reply, found)).collect(),
        }
    }
}

impl PlayJson<'_> {
    fn of<'a>(play: &'a Play, found: &RulesStats) -> PlayJson<'a> {
        let written = |mv: Move| mv.display(&found.rules).to_string();
        let error = |error: &FirstError| FirstErrorJson {
            position: error.state.to_string(),
            mv: written(error.mv),
            verdict: error.verdict.to_string(),
            best: error.best.iter().map(|&mv| written(mv)).collect(),
            games: error.games,
        };
        PlayJson {
            perfect: play.perfect,
            flawed: play.flawed,
            unjudged: play.unjudged,
            first: &play.first,
            second: &play.second,
            first_errors: play.first_errors.iter().map(error).collect(),
        }
    }
}
