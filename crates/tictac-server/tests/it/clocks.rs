//! Clocks: the end of a player's time, restarts, interruptions and several nodes, with a time that the test sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tictac_server::export::export;
use tictac_server::store::{Postgres, PostgresOptions, Sqlite, Store};
use tictac_server::time_source::TimeSource;
use tictac_server::verify::verify;

use crate::page::{assert_shows, read, seat_cookie};
use crate::postgres_server::PostgresServer;
use crate::test_server::{TestServer, text};
use crate::test_store::TestStore;

/// The first of January 2026, in milliseconds.
pub(crate) const START: u64 = 1_767_225_600_000;

/// A game of two players with a clock.
struct ClockedGame {
    game: String,
    tokens: [String; 2],
}

impl ClockedGame {
    /// Creates a game, and lets the friend join.
    async fn start(server: &TestServer, clock: &str) -> ClockedGame {
        let created = server.create(&json!({"clock": clock, "name": "Ann"}).to_string()).await;
        let friend = server.join(text(&created, "/friend/token"), "{}").await;
        let tokens = [text(&created, "/you/token").to_owned(), friend];
        ClockedGame { game: text(&created, "/game").to_owned(), tokens }
    }

    /// Posts a move with the next number.
    async fn play(&self, server: &TestServer, who: usize, mv: &str) -> (u16, Value) {
        let action = json!({"seq": self.get(server).await["seq"], "kind": "move", "move": mv});
        server.act(&self.game, &self.tokens[who], &action.to_string()).await
    }

    async fn get(&self, server: &TestServer) -> Value {
        server.call("GET", &format!("/api/v1/games/{}", self.game), "", "").await.1
    }

    /// Returns the seconds that are left to the player to move.
    async fn left(&self, server: &TestServer) -> u64 {
        let update = self.get(server).await;
        let number = |pointer: &str| {
            update.pointer(pointer).and_then(Value::as_u64).unwrap_or_else(|| panic!("{update}"))
        };
        (number("/state/clock/until") - number("/now")) / 1_000
    }
}

/// Starts a server on a store; its clocks are set right.
pub(crate) async fn start(store: &Arc<dyn Store>, time: &TimeSource) -> TestServer {
    let server = TestServer::start(Arc::clone(store), |config| config.time = time.clone()).await;
    server.service.tend_clocks().await.unwrap();
    server
}

/// Lets time pass while servers work.
pub(crate) async fn pass(servers: &[&TestServer], time: &TimeSource, seconds: u64) {
    for _ in 0..seconds {
        time.advance(Duration::from_secs(1));
        for server in servers {
            server.service.tend_clocks().await.unwrap();
        }
    }
}

pub(crate) fn sqlite(folder: &TempDir) -> Arc<dyn Store> {
    Arc::new(Sqlite::open(&folder.path().join("games.db")).unwrap())
}

#[track_caller]
fn assert_lost_on_time(update: &Value, loser: &str) {
    let state = &update["state"];
    let winner = if loser == "first" { "second" } else { "first" };
    assert_eq!([&state["status"], &state["reason"], &state["winner"]], ["won", "time", winner], "{update}");
    let flags: Vec<&Value> =
        update["events"].as_array().unwrap().iter().filter(|event| event["kind"] == "flag").collect();
    assert_eq!(flags.len(), 1, "{update}");
    assert_eq!(flags[0]["by"], loser);
}

#[tokio::test]
async fn a_player_whose_time_is_over_loses() {
    let (folder, time) = (tempfile::tempdir().unwrap(), TimeSource::manual(START));
    let store = sqlite(&folder);
    let server = start(&store, &time).await;
    let game = ClockedGame::start(&server, "0+5").await;
    let mut socket = server.connect(&game.game, "", 0).await;
    assert_eq!(socket.receive("hello").await["state"]["clock"]["control"], "0+5");
    pass(&[&server], &time, 4).await;
    assert_eq!(game.play(&server, 0, "B2").await.0, 200);
    // One second was left, and the move has added five.
    let clock = &game.get(&server).await["state"]["clock"];
    assert_eq!([&clock["first"], &clock["second"]], [6_000, 5_000]);
    assert_eq!([&clock["running"], &clock["until"]], [&json!("second"), &json!(START + 9_000)]);
    pass(&[&server], &time, 4).await;
    assert_eq!(game.get(&server).await["state"]["status"], "playing");
    pass(&[&server], &time, 1).await;
    assert_lost_on_time(&game.get(&server).await, "second");
    let update = socket.receive("update").await;
    assert_eq!((&update["events"][0]["kind"], &update["now"]), (&json!("move"), &json!(START + 4_000)));
    let update = socket.receive("update").await;
    assert_eq!((&update["events"][0]["kind"], &update["state"]["reason"]), (&json!("flag"), &json!("time")));
    assert!(store.clocked().await.unwrap().is_empty(), "a game that is over is not looked after any more");
    let (status, problem) = game.play(&server, 1, "A1").await;
    assert_eq!((status, text(&problem, "/message")), (422, "the game is over"));
    assert_eq!(verify(&*store).await.unwrap().faults, Vec::<String>::new());
    let mut record = Vec::new();
    export(&*store, &mut record).await.unwrap();
    let record = String::from_utf8(record).unwrap();
    let tags = "[TimeControl \"5+5\"]\n[Result \"*\"]\n[Agreed \"X\"]\n[Termination \"O ran out of time\"]\n";
    assert!(record.contains(tags), "{record}");
}

#[tokio::test]
async fn a_move_that_comes_too_late_gets_the_end_of_the_time() {
    let (folder, time) = (tempfile::tempdir().unwrap(), TimeSource::manual(START));
    let server = start(&sqlite(&folder), &time).await;
    let game = ClockedGame::start(&server, "0+3").await;
    time.advance(Duration::from_secs(3));
    let (status, problem) = game.play(&server, 0, "B2").await;
    assert_eq!((status, text(&problem, "/code")), (409, "conflict"));
    assert_eq!(problem["update"]["events"][0]["kind"], "flag");
    assert_lost_on_time(&game.get(&server).await, "first");
}

#[tokio::test]
async fn a_restart_neither_costs_nor_gives_time() {
    let (folder, time) = (tempfile::tempdir().unwrap(), TimeSource::manual(START));
    let store = sqlite(&folder);
    let server = start(&store, &time).await;
    let games = [ClockedGame::start(&server, "5+0").await, ClockedGame::start(&server, "7d").await];
    pass(&[&server], &time, 10).await;
    assert_eq!(games[0].play(&server, 0, "B2").await.0, 200);
    pass(&[&server], &time, 20).await;
    // The server is killed, and started again a month later.
    drop(server);
    time.advance(Duration::from_hours(24 * 30));
    let server = start(&store, &time).await;
    assert_eq!(games[0].left(&server).await, 280);
    assert_eq!(games[1].left(&server).await, 7 * 86_400 - 30);
    pass(&[&server], &time, 5).await;
    // It is killed again, while it works for the first time after the start.
    drop(server);
    time.advance(Duration::from_hours(1));
    let server = start(&store, &time).await;
    assert_eq!(games[0].left(&server).await, 275);
    assert_eq!(games[0].play(&server, 1, "A1").await.0, 200);
    assert_eq!(games[0].left(&server).await, 290);
    pass(&[&server], &time, 290).await;
    assert_lost_on_time(&games[0].get(&server).await, "first");
    assert_eq!(verify(&*store).await.unwrap().faults, Vec::<String>::new());
}

#[tokio::test]
async fn events_are_accepted_only_after_an_interruption_was_left_out() {
    let (folder, time) = (tempfile::tempdir().unwrap(), TimeSource::manual(START));
    let server = start(&sqlite(&folder), &time).await;
    let game = ClockedGame::start(&server, "1+0").await;
    pass(&[&server], &time, 10).await;
    // The machine sleeps, or the database does not respond.
    time.advance(Duration::from_mins(10));
    let (moved, tended) = tokio::join!(game.play(&server, 0, "B2"), async {
        tokio::task::yield_now().await;
        server.service.tend_clocks().await
    });
    tended.unwrap();
    // The move names the number of the event about the interruption, and is sent again.
    assert_eq!((moved.0, text(&moved.1, "/update/events/0/kind")), (409, "resumed"), "{moved:?}");
    assert_eq!(game.left(&server).await, 50);
    assert_eq!(game.play(&server, 0, "B2").await.0, 200);
}

#[tokio::test]
async fn the_clock_of_the_system_may_be_set_by_hours_in_both_directions() {
    let (folder, now) = (tempfile::tempdir().unwrap(), Arc::new(AtomicU64::new(START)));
    let time = TimeSource::Manual(Arc::clone(&now));
    let set = |hours: i64| {
        let change = |at: u64| at.checked_add_signed(hours * 3_600_000);
        now.fetch_update(Ordering::SeqCst, Ordering::SeqCst, change).unwrap();
    };
    let store = sqlite(&folder);
    let mut server = start(&store, &time).await;
    let game = ClockedGame::start(&server, "5+0").await;
    let mut left = 300_u64;
    // Set forward and back while the server works, and while it does not; the first of the restarts has nothing else to notice.
    for (hours, is_restarted) in
        [(3, false), (-3, false), (3, false), (-3, true), (-5, true), (2, true), (-2, true)]
    {
        pass(&[&server], &time, 10).await;
        left -= 10;
        if is_restarted {
            drop(server);
            set(hours);
            server = start(&store, &time).await;
        } else {
            set(hours);
            server.service.tend_clocks().await.unwrap();
        }
        let now_left = game.left(&server).await;
        assert!(left.abs_diff(now_left) <= 1, "{hours} hours, {is_restarted}: {now_left} instead of {left}");
    }
    // The clock was once ahead: downtime is still not charged.
    pass(&[&server], &time, 10).await;
    drop(server);
    time.advance(Duration::from_hours(1));
    let server = start(&store, &time).await;
    assert_eq!(game.left(&server).await, left - 10);
    assert_eq!(game.play(&server, 0, "B2").await.0, 200);
    assert_eq!(verify(&*store).await.unwrap().faults, Vec::<String>::new());
}

#[tokio::test]
async fn an_event_just_before_the_end_of_the_server_counts() {
    let (folder, time) = (tempfile::tempdir().unwrap(), TimeSource::manual(START));
    let store = sqlite(&folder);
    let server = start(&store, &time).await;
    let game = ClockedGame::start(&server, "1+0").await;
    pass(&[&server], &time, 10).await;
    // This move is stored after the last sign of life.
    time.advance(Duration::from_millis(900));
    assert_eq!(game.play(&server, 0, "B2").await.0, 200);
    drop(server);
    time.advance(Duration::from_hours(1));
    let server = start(&store, &time).await;
    assert_eq!(game.left(&server).await, 60);
    assert_eq!(game.get(&server).await["state"]["clock"]["first"], 49_100);
}

/// Lets two nodes work on one database, and then only the second one.
async fn lose_a_node(stores: [Arc<dyn Store>; 2]) {
    let time = TimeSource::manual(START);
    let nodes = [start(&stores[0], &time).await, start(&stores[1], &time).await];
    let games = [ClockedGame::start(&nodes[0], "1+0").await, ClockedGame::start(&nodes[0], "2+0").await];
    pass(&[&nodes[0], &nodes[1]], &time, 30).await;
    let [first, second] = nodes;
    drop(first);
    // The second node works on: its players have lost nothing, and those of the first node connect to it.
    pass(&[&second], &time, 20).await;
    assert_eq!(games[0].left(&second).await, 10);
    assert_eq!(games[0].play(&second, 0, "B2").await.0, 200);
    pass(&[&second], &time, 59).await;
    assert_eq!(games[0].get(&second).await["state"]["status"], "playing");
    pass(&[&second], &time, 1).await;
    assert_lost_on_time(&games[0].get(&second).await, "second");
    // No client of the second node has ever opened this game.
    pass(&[&second], &time, 10).await;
    let events = stores[1].read(games[1].game.parse().unwrap(), 0).await.unwrap();
    assert!(events.last().unwrap().body.contains(r#""kind":"flag","by":"first""#), "{events:?}");
    // Then there is no node at all for an hour, and two start at the same time.
    let game = ClockedGame::start(&second, "1+0").await;
    pass(&[&second], &time, 15).await;
    drop(second);
    time.advance(Duration::from_hours(1));
    let nodes = tokio::join!(start(&stores[0], &time), start(&stores[1], &time));
    assert_eq!([game.left(&nodes.0).await, game.left(&nodes.1).await], [45, 45]);
    pass(&[&nodes.0, &nodes.1], &time, 45).await;
    for node in [&nodes.0, &nodes.1] {
        assert_lost_on_time(&game.get(node).await, "first");
    }
    assert_eq!(verify(&*stores[0]).await.unwrap().faults, Vec::<String>::new());
}

#[tokio::test]
async fn another_node_looks_after_the_clocks_of_one_that_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = Sqlite::open(&folder.path().join("games.db")).unwrap();
    let store: Arc<dyn Store> = Arc::new(TestStore::with_other_nodes(sqlite));
    lose_a_node([Arc::clone(&store), store]).await;
}

#[tokio::test]
async fn two_nodes_on_postgresql_end_each_game_once() {
    let Some(postgres) = PostgresServer::start() else { return };
    let (url, mut nodes) = (postgres.url("clocks"), Vec::new());
    for _ in 0..2 {
        let store = Postgres::connect(&url, PostgresOptions::default()).await.unwrap();
        nodes.push(Arc::new(store) as Arc<dyn Store>);
    }
    lose_a_node(nodes.try_into().unwrap()).await;
}

#[tokio::test]
async fn a_clock_needs_no_one_to_watch_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = sqlite(&folder);
    let server = TestServer::start(Arc::clone(&store), |_| {}).await;
    let game = ClockedGame::start(&server, "0+1").await;
    let path = format!("/api/v1/games/{}?since=2&wait=30", game.game);
    let (_, update) = server.call("GET", &path, "", "").await;
    assert_lost_on_time(&update, "first");
    let event = &update["events"][0];
    let until = store.read(game.game.parse().unwrap(), 1).await.unwrap();
    let joined: Value = serde_json::from_str(&until[0].body).unwrap();
    let late = event["at"].as_u64().unwrap() - joined["at"].as_u64().unwrap();
    assert!(late >= 1_000, "{late} ms");
}

#[tokio::test]
async fn a_rematch_has_the_same_clock_and_the_time_of_a_new_game() {
    let (folder, time) = (tempfile::tempdir().unwrap(), TimeSource::manual(START));
    let server = start(&sqlite(&folder), &time).await;
    let game = ClockedGame::start(&server, "1+5").await;
    pass(&[&server], &time, 60).await;
    assert_lost_on_time(&game.get(&server).await, "first");
    for (who, seq) in [(0, 3), (1, 4)] {
        let rematch = json!({"seq": seq, "kind": "rematch"}).to_string();
        assert_eq!(server.act(&game.game, &game.tokens[who], &rematch).await.0, 200);
    }
    let next = text(&game.get(&server).await, "/state/next").to_owned();
    let rematch = ClockedGame { game: next, tokens: game.tokens.clone() };
    pass(&[&server], &time, 10).await;
    assert_eq!(rematch.left(&server).await, 50);
    assert_eq!(rematch.get(&server).await["state"]["clock"]["running"], "first");
}

#[tokio::test]
async fn a_game_is_kept_while_its_clock_runs() {
    let (folder, time) = (tempfile::tempdir().unwrap(), TimeSource::manual(START));
    let server = start(&sqlite(&folder), &time).await;
    let slow = ClockedGame::start(&server, "7d").await;
    let created = server.create(r#"{"clock": "7d"}"#).await;
    let later = std::time::UNIX_EPOCH + Duration::from_millis(START) + Duration::from_hours(48);
    assert_eq!(server.service.prune(later).await.unwrap(), 1, "the game that no one has joined");
    assert_eq!(slow.get(&server).await["state"]["status"], "playing");
    let path = format!("/api/v1/games/{}", text(&created, "/game"));
    assert_eq!(server.call("GET", &path, "", "").await.0, 404);
}

#[tokio::test]
async fn a_wrong_clock_is_refused() {
    let server = TestServer::new().await;
    for clock in ["5", "0+0", "8d", "999+1"] {
        let (status, problem) =
            server.call("POST", "/api/v1/games", "", &json!({"clock": clock}).to_string()).await;
        assert_eq!((status, text(&problem, "/code")), (400, "bad-request"));
        let message = text(&problem, "/message");
        assert!(message.starts_with("a clock is written 5+3"), "{problem}");
        assert!(message.ends_with("1d to 7d, for days per move"), "{problem}");
    }
}

#[tokio::test]
async fn verify_finds_a_flag_that_fell_too_early() {
    let (folder, time) = (tempfile::tempdir().unwrap(), TimeSource::manual(START));
    let store = sqlite(&folder);
    let server = start(&store, &time).await;
    let game = ClockedGame::start(&server, "1+0").await;
    let id = game.game.parse().unwrap();
    let stored = store.read(id, 0).await.unwrap();
    let body = format!(r#"{{"seq":2,"at":{},"salt":1,"kind":"flag","by":"first"}}"#, START + 59_999);
    let previous = stored.last().unwrap().link;
    let event = tictac_server::store::StoredEvent { seq: 2, link: previous.after(id, 2, &body), body };
    let entry =
        tictac_server::store::LogEntry { game: id, previous, event, is_clocked: false, is_public: false };
    store.append(Arc::from([entry])).await.unwrap();
    let faults = verify(&*store).await.unwrap().faults;
    assert_eq!(faults, [format!("{id}: event 2: the player still had time")]);
}

#[tokio::test]
async fn a_page_shows_both_clocks_without_scripts() {
    let (folder, time) = (tempfile::tempdir().unwrap(), TimeSource::manual(START));
    let server = start(&sqlite(&folder), &time).await;
    let game = ClockedGame::start(&server, "5+3").await;
    pass(&[&server], &time, 12).await;
    let path = format!("/g/{}", game.game);
    let (_, html) = read(&server, &path, &seat_cookie(&game.tokens[0])).await;
    for clock in [
        r#"class="clock is-running" role="timer" aria-label="Ann: 4 minutes 48 seconds left" data-left="288000""#,
        r#"class="clock" role="timer" aria-label="O: 5 minutes left" data-left="300000""#,
        ">4:48</span>",
    ] {
        assert_shows(&html, clock);
    }
    assert_shows(&read(&server, &format!("{path}?lang=de"), "").await.1, "Ann: noch 4 Minuten 48 Sekunden");
    pass(&[&server], &time, 270).await;
    assert_shows(&read(&server, &path, "").await.1, "clock is-low is-running");
    pass(&[&server], &time, 18).await;
    let (_, html) = read(&server, &path, &seat_cookie(&game.tokens[0])).await;
    assert_shows(&html, "Your time ran out.");
    assert_shows(&html, ">0:00</span>");
}

#[tokio::test]
async fn the_form_offers_a_clock_and_refuses_a_wrong_one() {
    let server = TestServer::new().await;
    let request = |body: &str| {
        let mut request = server.request("POST", "/new", "", body);
        let kind = "application/x-www-form-urlencoded".parse().unwrap();
        request.headers_mut().insert("content-type", kind);
        request
    };
    let response = server.respond(request("against=self&clock=3d")).await;
    let location = response.headers()["location"].to_str().unwrap().to_owned();
    let (_, update) = server.call("GET", &format!("/api/v1/games{}", &location[2..]), "", "").await;
    assert_eq!(update["state"]["clock"]["control"], "3d");
    let (status, html) = server.send_for_text(request("against=self&clock=never&name=Ann")).await;
    assert_eq!(status, 400);
    assert_shows(&html, "Ann");
}
