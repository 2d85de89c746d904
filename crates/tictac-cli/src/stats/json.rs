//! Statistics as JSON; `docs/analysis.md` lists the fields.

use serde_json::{Value, json};
use tictac::Rules;
use tictac_archive::{FirstError, Opening, Results, RulesStats, SidePlay, Stats};

use crate::json::{names, totals};

/// Returns the JSON object of `tictac stats --json`, without openings of fewer than `min_games` games.
pub(super) fn object(stats: &Stats, min_games: u64) -> Value {
    let mut object = totals(&stats.totals);
    object["other_rules"] = json!(stats.n_of_other_rules);
    object["rules"] = stats.by_rules.iter().map(|found| of_rules(found, min_games)).collect();
    object
}

fn of_rules(found: &RulesStats, min_games: u64) -> Value {
    let (rules, play) = (&found.rules, &found.play);
    let length = |(moves, found): (&usize, &Results)| json!({ "moves": moves, "games": found.games(), "results": results(found) });
    let error = |error: &FirstError| {
        json!({
            "position": error.state.to_string(),
            "move": error.mv.display(rules).to_string(),
            "verdict": error.verdict.to_string(),
            "best": names(&error.best, rules),
            "games": error.games,
        })
    };
    json!({
        "rules": rules.to_string(),
        "games": found.results.games(),
        "moves": found.moves,
        "o_opened": found.o_opened,
        "results": results(&found.results),
        "lengths": found.lengths.iter().map(length).collect::<Value>(),
        "openings": openings(&found.openings.tree(min_games).replies, rules),
        "openings_cut": found.openings.n_cut,
        "play": {
            "perfect": play.perfect,
            "flawed": play.flawed,
            "unjudged": play.unjudged,
            "first": side(&play.first),
            "second": side(&play.second),
            "first_errors": play.first_errors.iter().map(error).collect::<Value>(),
        },
    })
}

fn results(results: &Results) -> Value {
    json!({
        "first_won": results.first_won,
        "second_won": results.second_won,
        "drawn": results.drawn,
        "unfinished": results.unfinished,
        "first_score": results.first_score(),
    })
}

fn side(side: &SidePlay) -> Value {
    json!({
        "best": side.best,
        "ok": side.ok,
        "mistakes": side.mistakes,
        "blunders": side.blunders,
        "unjudged": side.unjudged,
    })
}

fn openings(found: &[Opening], rules: &Rules) -> Value {
    let opening = |opening: &Opening| {
        json!({
            "moves": names(&opening.moves, rules),
            "games": opening.results.games(),
            "results": results(&opening.results),
            "replies": openings(&opening.replies, rules),
        })
    };
    found.iter().map(opening).collect()
}
