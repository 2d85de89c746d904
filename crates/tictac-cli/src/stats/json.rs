//! Statistics as JSON; `docs/analysis.md` lists the fields.

use serde::Serialize;
use tictac::Rules;
use tictac_archive::{FirstError, Opening, Play, Results, RulesStats, SidePlay, Stats};

use crate::json::{TotalsJson, names};

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
            rules: stats.by_rules.iter().map(|found| rules(found, min_games)).collect(),
        }
    }
}

fn rules(found: &RulesStats, min_games: u64) -> RulesJson<'_> {
    let length = |(&moves, found): (&usize, &Results)| LengthJson {
        moves,
        games: found.games(),
        results: results(found),
    };
    let tree = found.openings.tree(min_games);
    RulesJson {
        rules: found.rules.to_string(),
        games: found.results.games(),
        moves: found.totals.moves,
        o_opened: found.o_opened,
        results: results(&found.results),
        lengths: found.lengths.iter().map(length).collect(),
        openings: openings(&tree.replies, &found.rules),
        openings_cut: found.openings.n_cut,
        play: play(&found.play, &found.rules),
    }
}

fn results(results: &Results) -> ResultsJson {
    ResultsJson { results: *results, first_score: results.first_score() }
}

fn openings(found: &[Opening], rules: &Rules) -> Vec<OpeningJson> {
    let opening = |opening: &Opening| OpeningJson {
        moves: names(&opening.moves, rules),
        games: opening.results.games(),
        results: results(&opening.results),
        replies: openings(&opening.replies, rules),
    };
    found.iter().map(opening).collect()
}

fn play<'a>(play: &'a Play, rules: &Rules) -> PlayJson<'a> {
    let error = |error: &FirstError| FirstErrorJson {
        position: error.state.to_string(),
        mv: error.mv.display(rules).to_string(),
        verdict: error.verdict.to_string(),
        best: names(&error.best, rules),
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
