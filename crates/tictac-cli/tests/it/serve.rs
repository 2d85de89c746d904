//! `tictac serve` as a process that is killed, paused and restarted.

mod cup;
mod load;
mod online;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, UNIX_EPOCH};

use serde_json::Value;
use tictac_server::store::{Postgres, PostgresOptions, Sqlite, Store};
use tictac_server::verify::verify;

use self::cup::{CupClient, Cups, check_stored};
use self::load::{Acknowledged, Load, Node, free_port};
use crate::postgres_server::PostgresServer;
use crate::{folder, tictac};

/// How long to wait for acknowledgements before the test fails.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Returns how often the server is killed; `cargo xtask soak torture` sets a larger number.
fn n_kills() -> u32 {
    std::env::var("TICTAC_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(50)
}

/// Checks that every acknowledged move is stored.
async fn check_acknowledged(acknowledged: &Acknowledged, store: &dyn Store) {
    let verified = verify(store).await.unwrap();
    assert_eq!(verified.faults, Vec::<String>::new());
    let acknowledged = acknowledged.moves();
    assert!(acknowledged.len() > 100, "only {} moves were acknowledged", acknowledged.len());
    let mut game = (String::new(), Vec::new());
    for (name, seq, mv) in &acknowledged {
        if game.0 != *name {
            game = (name.clone(), store.read(name.parse().unwrap(), 0).await.unwrap());
        }
        let stored =
            game.1.get(*seq as usize).unwrap_or_else(|| panic!("{name}: acknowledged move {seq} is lost"));
        assert!(
            stored.body.contains(&format!("\"{mv}\"")),
            "{name}: move {seq} is {}, not {mv}",
            stored.body
        );
        // All events but the first are moves: none is stored twice, and none is missing.
        let n_moves = game.1.iter().filter(|stored| stored.body.contains("\"kind\":\"move\"")).count();
        assert_eq!(n_moves, game.1.len() - 1, "{name}");
    }
}

#[test]
fn no_acknowledged_move_is_lost_when_the_server_is_killed() {
    let folder = folder("serve-kill");
    let database = folder.join("games.db");
    let address = format!("127.0.0.1:{}", free_port());
    let database_name = format!("sqlite:{}", database.display());
    let load = Load::start(8, &[&address]);
    for kill in 0..n_kills() {
        let node = Node::start(&address, &database_name);
        load.wait_for(20, TIMEOUT);
        // Kill it at a different moment each time.
        std::thread::sleep(Duration::from_millis(u64::from(kill * 7 % 23)));
        node.kill();
    }
    let node = Node::start(&address, &database_name);
    let acknowledged = load.stop();
    assert_eq!(node.stop(), Some(0));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(check_acknowledged(&acknowledged, &Sqlite::inspect(&database).unwrap()));
    check_maintenance(&folder, &database_name);
}

/// Returns how often the server of a tournament is killed, and the number of players; `cargo xtask soak torture --tournament` sets larger ones.
fn tournament_size() -> (u32, usize) {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u32>().ok());
    (
        number("TICTAC_TOURNAMENT_KILLS").unwrap_or(6),
        number("TICTAC_TOURNAMENT_PLAYERS").unwrap_or(8) as usize,
    )
}

#[test]
fn a_tournament_survives_a_server_that_is_killed() {
    let folder = folder("serve-tournament");
    let database = folder.join("games.db");
    let address = format!("127.0.0.1:{}", free_port());
    let database_name = format!("sqlite:{}", database.display());
    let (n_kills, n_players) = tournament_size();
    let cups = Cups::start(&address, n_players);
    for kill in 0..n_kills {
        let node = Node::start(&address, &database_name);
        // A round has seven moves per match, so some kills come while a round is paired.
        cups.wait_for(n_players, TIMEOUT);
        std::thread::sleep(Duration::from_millis(u64::from(kill * 7 % 23)));
        node.kill();
    }
    let node = Node::start(&address, &database_name);
    let played = cups.stop();
    assert_eq!(node.stop(), Some(0));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Sqlite::inspect(&database).unwrap();
        let verified = verify(&store).await.unwrap();
        assert_eq!(verified.faults, Vec::<String>::new());
        check_stored(&store, &played, n_players).await;
    });
    let n_played = played.len();
    let summary = format!(
        "{n_kills} kills, {n_played} tournaments of {n_players} players: no pairing twice, none missing"
    );
    writeln!(std::io::stderr(), "{summary}").unwrap();
}

/// Returns the times that were left out of the clock of a game.
fn resumed(update: &Value) -> Vec<(u64, u64)> {
    let events = update["events"].as_array().unwrap().iter().filter(|event| event["kind"] == "resumed");
    events.map(|event| (event["from"].as_u64().unwrap(), event["at"].as_u64().unwrap())).collect()
}

#[test]
fn time_in_which_the_server_was_killed_is_not_charged() {
    let folder = folder("serve-clock");
    let database = folder.join("games.db");
    let address = format!("127.0.0.1:{}", free_port());
    let database_name = format!("sqlite:{}", database.display());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let now = || UNIX_EPOCH.elapsed().unwrap().as_millis() as u64;
    let mut node = Node::start(&address, &database_name);
    let mut client = CupClient::new(&address);
    let (_, created) = client.call("POST", "/api/v1/games", "", r#"{"opponent": "self", "clock": "5+0"}"#);
    let path = format!("/api/v1/games/{}", created["game"].as_str().unwrap());
    let number = |update: &Value, pointer: &str| update.pointer(pointer).unwrap().as_u64().unwrap();
    let until = number(&created, "/update/state/clock/until");
    for _ in 0..2 {
        let since = now();
        let store = Sqlite::inspect(&database).unwrap();
        let beat = loop {
            match runtime.block_on(store.last_beat()).unwrap() {
                Some(beat) if beat > since => break beat,
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
            assert!(now() < since + TIMEOUT.as_millis() as u64, "the server does not store that it works");
        };
        node.kill();
        let killed = now();
        std::thread::sleep(Duration::from_millis(1_500));
        let restarted = now();
        node = Node::start(&address, &database_name);
        // Requests are answered before the clocks are right; a busy machine may also have stood still at other times.
        let (update, gaps) = loop {
            let (_, update) = client.call("GET", &path, "", "");
            let gaps = resumed(&update);
            if gaps.last().is_some_and(|&(_, at)| at >= restarted) {
                break (update, gaps);
            }
            assert!(now() < restarted + TIMEOUT.as_millis() as u64, "{update}");
        };
        let is_left_out = |&(from, at): &(u64, u64)| (beat..=killed).contains(&from) && at >= restarted;
        assert!(gaps.iter().any(is_left_out), "{beat} {killed} {restarted}: {update}");
        let left_out: u64 = gaps.iter().map(|(from, at)| at - from).sum();
        assert_eq!(number(&update, "/state/clock/until"), until + left_out);
    }
    assert_eq!(node.stop(), Some(0));
    let verified = runtime.block_on(verify(&Sqlite::inspect(&database).unwrap())).unwrap();
    assert_eq!(verified.faults, Vec::<String>::new());
}

/// Checks `verify`, `backup`, `prune` and `export`, and the export with `tictac check`.
fn check_maintenance(folder: &Path, database: &str) {
    let verified = tictac(["serve", "verify", "--database", database]).succeed();
    assert!(verified.ends_with("events: no damage\n"), "{verified}");
    let copy = folder.join("copy.db");
    tictac(["serve", "backup", copy.to_str().unwrap(), "--database", database]).succeed();
    let copy = format!("sqlite:{}", copy.display());
    assert_eq!(verified, tictac(["serve", "verify", "--database", &copy]).succeed());
    assert_eq!(tictac(["serve", "prune", "--database", &copy]).succeed(), "removed 0 games\n");
    let n_games = verified.split(' ').next().unwrap();
    let pruned = tictac(["serve", "prune", "--keep", "1ms", "--database", &copy]).succeed();
    assert_eq!(pruned, format!("removed {n_games} games\n"));
    assert_eq!(tictac(["serve", "verify", "--database", &copy]).succeed(), "0 games, 0 events: no damage\n");
    let records = tictac(["serve", "export", "--database", database]).succeed();
    let checked = tictac(["check", "--summary-json", "-"]).stdin(records).succeed();
    assert!(checked.contains("\"bad\":0"), "{checked}");
}

#[test]
fn games_continue_on_one_node_when_the_other_is_killed_or_paused() {
    let Some(server) = PostgresServer::start() else { return };
    let database = server.url("nodes");
    let addresses = [(); 2].map(|()| format!("127.0.0.1:{}", free_port()));
    let mut nodes = addresses.each_ref().map(|address| Some(Node::start(address, &database)));
    let load = Load::start(6, &addresses.each_ref().map(String::as_str));
    for round in 0..8 {
        load.wait_for(20, TIMEOUT);
        let one = round % 2;
        if round % 4 < 2 {
            nodes[one].take().unwrap().kill();
            load.wait_for(20, TIMEOUT);
            nodes[one] = Some(Node::start(&addresses[one], &database));
        } else {
            let node = nodes[one].as_ref().unwrap();
            node.signal("STOP");
            load.wait_for(20, TIMEOUT);
            node.signal("CONT");
        }
    }
    let acknowledged = load.stop();
    for node in nodes.into_iter().flatten() {
        assert_eq!(node.stop(), Some(0));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Postgres::connect(&database, PostgresOptions { listen: false }).await.unwrap();
        check_acknowledged(&acknowledged, &store).await;
    });
}

#[test]
fn the_server_prints_its_url_and_stops_gracefully() {
    let folder = folder("serve-end");
    let address = format!("127.0.0.1:{}", free_port());
    let database = format!("sqlite:{}", folder.join("games.db").display());
    // Stop it as soon as the URL is printed, often enough to detect a signal handler that is installed too late.
    for _ in 0..10 {
        let node = Node::start(&address, &database);
        assert_eq!(node.greeting, format!("Play at http://{address}"));
        let start = Instant::now();
        assert_eq!(node.stop(), Some(0));
        // The limit is 5 seconds; a busy machine may need longer.
        assert!(start.elapsed() < Duration::from_secs(10));
        // Everything is in the file, which can be copied alone.
        let log = fs::metadata(folder.join("games.db-wal"));
        assert_eq!(log.map_or(0, |log| log.len()), 0);
    }
    let log = fs::read(folder.join("log")).unwrap();
    assert!(String::from_utf8_lossy(&log).contains("INFO stopping"));
    assert!(!log.contains(&0x1b), "no colours in a file");
}

#[test]
fn environment_variables_work_like_options() {
    let folder = folder("serve-environment");
    let database = format!("sqlite:{}", folder.join("none.db").display());
    let mut by_environment = tictac(["serve", "verify"]);
    by_environment.command.env("TICTAC_DATABASE", &database);
    let message = by_environment.fail(2);
    assert!(message.contains("none.db"), "{message}");
    assert_eq!(message, tictac(["serve", "verify", "--database", &database]).fail(2));
}

#[test]
fn errors_name_their_cause() {
    for (arguments, expected) in [
        (["serve", "--listen", "0.0.0.0:0"].as_slice(), "--public-origin"),
        (&["serve", "--public-origin", "play.example"], "is not an origin"),
        (&["serve", "--database", "mysql://x"], "expected sqlite:PATH or postgres://"),
        (&["serve", "--database", "sqlite:/nowhere/at/all.db"], "all.db"),
        (&["serve", "backup", "x", "--database", "postgres://x@127.0.0.1:1/x"], "pg_dump"),
        (
            &["serve", "verify", "--database", "postgres://x:secret@127.0.0.1:1/x"],
            "PostgreSQL at 127.0.0.1:1/x",
        ),
    ] {
        let message = tictac(arguments).fail(2);
        assert!(message.contains(expected), "{arguments:?}: {message}");
        assert!(!message.contains("secret"), "{message}");
    }
}

#[test]
fn health_asks_a_running_server() {
    let database = folder("serve-health").join("games.db");
    let address = format!("127.0.0.1:{}", free_port());
    let health = |url: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tictac"));
        // Without a folder for data: the database is not opened.
        command.args(["serve", "health"]).args(url).env("TICTAC_LISTEN", &address).env_remove("HOME");
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, text) = health(None);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.starts_with(&format!("http://{address} is not ready: ")), "{text}");
    let node = Node::start(&address, &format!("sqlite:{}", database.display()));
    let ready = format!("http://{address} is ready\n");
    assert_eq!(health(None), (Some(0), ready.clone()));
    assert_eq!(health(Some(&format!("http://{address}"))), (Some(0), ready));
    // Only the server itself knows about its health, not a page.
    let (status, text) = health(Some(&format!("http://{address}/check")));
    assert_eq!(status, Some(1), "{text}");
    node.kill();
}
