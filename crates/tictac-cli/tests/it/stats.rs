//! Tests of `tictac stats`.

use std::fs;

use crate::{folder, tictac};

const ARCHIVE: &str = "1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n\n\
                       1 X B2\n2 O A1\n3 X C3\n4 O A3\n5 X A2\n6 O C2\n7 X B1\n8 O B3\n9 X C1\n\n\
                       [Rules \"notakto\"]\n1 X B2\n2 X A1\n3 X C3\n";

// In Notakto the centre wins, so all replies to it lose equally; a line of three loses the game.
#[test]
fn every_set_of_rules_gets_its_tables() {
    assert_eq!(
        tictac(["stats", "--threads", "1"]).stdin(ARCHIVE).succeed(),
        "3,3,3: 2 games, 16 moves\n\
         \n\
         first player won  1  50.0 %  ####################\n\
         second player won 0   0.0 %\n\
         drawn             1  50.0 %  ####################\n\
         unfinished        0   0.0 %\n\
         the first player scores 75.0 % (a draw is half a point); the first player wins 50.0 more games per 100\n\
         \n\
         length in moves\n     \
              7  1  50.0 %  ####################\n     \
              9  1  50.0 %  ####################\n\
         \n\
         opening  games   share   first  second   drawn   score\n\
         B2           2 100.0 %  50.0 %   0.0 %  50.0 %  75.0 %\n  \
           A1         1  50.0 %   0.0 %   0.0 % 100.0 %  50.0 %\n  \
           A2         1  50.0 % 100.0 %   0.0 %   0.0 % 100.0 %\n\
         \n\
         play\n\
         without mistakes  1  50.0 %\n\
         with mistakes     1  50.0 %\n\
         \n               \
                        moves    best      ok  mistake  blunder   unrated\n\
         first player       9 100.0 %   0.0 %    0.0 %    0.0 %     0.0 %\n\
         second player      7  85.7 %   0.0 %    0.0 %   14.3 %     0.0 %\n\
         \n\
         most frequent first mistakes\n\
         1  O A2 in .../.X./... O, a blunder; best: A1, A3, C1, C3\n\
         \n\
         notakto: 1 game, 3 moves\n\
         \n\
         first player won  0   0.0 %\n\
         second player won 1 100.0 %  ########################################\n\
         drawn             0   0.0 %\n\
         unfinished        0   0.0 %\n\
         the first player scores 0.0 % (a draw is half a point); the second player wins 100.0 more games per 100\n\
         \n\
         length in moves\n     \
              3  1 100.0 %  ########################################\n\
         \n\
         opening  games   share   first  second   drawn   score\n\
         B2           1 100.0 %   0.0 % 100.0 %   0.0 %   0.0 %\n  \
           A1         1 100.0 %   0.0 % 100.0 %   0.0 %   0.0 %\n\
         \n\
         play\n\
         without mistakes  0   0.0 %\n\
         with mistakes     1 100.0 %\n\
         \n               \
                        moves    best      ok  mistake  blunder   unrated\n\
         first player       2  50.0 %   0.0 %    0.0 %   50.0 %     0.0 %\n\
         second player      1 100.0 %   0.0 %    0.0 %    0.0 %     0.0 %\n\
         \n\
         most frequent first mistakes\n\
         1  X C3 in X../.X./... 1, a blunder; best: A3, B3, C1, C2\n"
    );
}

#[test]
fn the_object_has_the_documented_fields() {
    let output = tictac(["stats", "--json"]).stdin(ARCHIVE).succeed();
    let object: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!((&object["games"], &object["moves"], &object["bad"]), (&3.into(), &19.into(), &0.into()));
    let rules = &object["rules"][0];
    assert_eq!((&rules["rules"], &rules["games"]), (&"3,3,3".into(), &2.into()));
    assert_eq!(rules["results"]["first_score"], 0.75);
    assert_eq!(rules["lengths"][1]["moves"], 9);
    assert_eq!(rules["openings"][0]["replies"][1]["moves"], serde_json::json!(["X B2", "O A2"]));
    assert_eq!(rules["play"]["second"]["blunders"], 1);
    assert_eq!(rules["play"]["first_errors"][0]["position"], ".../.X./... O");
    let apart = tictac(["stats", "--json", "--no-symmetry", "--depth", "3"]).stdin(ARCHIVE).succeed();
    let object: serde_json::Value = serde_json::from_str(&apart).unwrap();
    let replies = &object["rules"][0]["openings"][0]["replies"];
    assert_eq!(replies[1]["moves"], serde_json::json!(["X B2", "O C2"]));
    assert_eq!(replies[1]["replies"][0]["moves"][2], "X C3");
    let few = tictac(["stats", "--json", "--min-games", "2"]).stdin(ARCHIVE).succeed();
    assert!(few.contains("\"replies\":[]"), "{few}");
}

#[test]
fn games_that_o_opened_are_counted() {
    let archive = "1 O B2\n2 X A1\n\n1 X B2\n";
    let text = tictac(["stats"]).stdin(archive).succeed();
    assert!(text.contains("O moved first in 1 game; marks are swapped below\n"), "{text}");
    assert!(!tictac(["stats"]).stdin("1 X B2\n").succeed().contains("moved first"));
}

/// The picture was looked at in a browser. To renew it after a change, set `UPDATE_SNAPSHOTS`.
#[test]
fn a_plot_matches_its_snapshot() {
    let file = folder("stats_snapshot").join("plot.svg");
    let games = include_str!("snapshots/plot.games");
    tictac(["stats", "--json", "--svg", file.to_str().unwrap()]).stdin(games).succeed();
    let picture = fs::read_to_string(&file).unwrap();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots/plot.svg");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, &picture).unwrap();
    }
    assert!(fs::read_to_string(&path).unwrap_or_default() == picture, "{picture}");
}

#[test]
fn plots_have_a_title_and_a_description() {
    let folder = folder("stats_plots");
    let (file, plots) = (folder.join("plot.svg"), folder.join("plots"));
    for path in [&file, &plots] {
        tictac(["stats", "--json", "--svg", path.to_str().unwrap()]).stdin(ARCHIVE).succeed();
    }
    let picture = fs::read_to_string(&file).unwrap();
    assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"), "{picture}");
    assert!(picture.contains("<title id=\"title\">2 games of 3,3,3</title>"), "{picture}");
    assert!(
        picture.contains("prefers-color-scheme:dark") && picture.contains("<desc id=\"desc\">Of 2 games")
    );
    assert_eq!(fs::read_to_string(plots.join("3-3-3.svg")).unwrap(), picture);
    assert!(fs::exists(plots.join("notakto.svg")).unwrap());
}

#[test]
fn bad_games_are_skipped_and_counted() {
    let ended = tictac(["stats"]).stdin(format!("{ARCHIVE}\nnonsense\n")).run();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(1), ""));
    assert!(ended.stdout.contains("\nskipped 1 bad game; run tictac check to see why\n"));
    let ended = tictac(["stats", "none.ttt", "-"]).stdin(ARCHIVE).run();
    assert_eq!(ended.status, Some(2));
    assert!(
        ended.stderr.starts_with("tictac: cannot read none.ttt: ")
            && ended.stdout.starts_with("3,3,3: 2 games")
    );
}

#[test]
fn an_empty_archive_is_one_unstarted_game() {
    let output = tictac(["stats"]).succeed();
    assert!(
        output.starts_with("3,3,3: 1 game, 0 moves\n") && output.contains("unfinished        1 100.0 %"),
        "{output}"
    );
}

#[test]
fn rare_openings_are_left_out_of_the_table() {
    let table = tictac(["stats", "--min-games", "2"]).stdin(ARCHIVE).succeed();
    assert!(table.contains("\nB2           2 100.0 %"), "{table}");
    assert!(!table.contains("\n  A1 ") && !table.contains("\n  A2 "), "{table}");
}

#[test]
fn a_plot_counts_unfinished_games_and_fades_all_but_the_last_mark() {
    let folder = folder("stats_plot_marks").join("plots.svg");
    // An existing folder stays a folder, whatever its name.
    fs::create_dir(&folder).unwrap();
    let archive = "1 X B2\n2 O A1\n";
    tictac(["stats", "--json", "--svg", folder.to_str().unwrap()]).stdin(archive).succeed();
    let picture = fs::read_to_string(folder.join("3-3-3.svg")).unwrap();
    assert!(picture.contains("<title>2 moves, unfinished: 1 games</title>"), "{picture}");
    let marks = |class: &str| -> Vec<bool> {
        let start = format!("class=\"{class}\" stroke-width");
        picture.lines().filter(|line| line.contains(&start)).map(|line| line.contains("opacity")).collect()
    };
    assert_eq!((marks("x"), marks("o")), (vec![false, true], vec![false]), "{picture}");
}
