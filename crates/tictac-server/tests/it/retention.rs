//! How long games are kept, and how they are removed.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tictac_server::config::Retention;
use tictac_server::prune::prune;
use tictac_server::store::{Postgres, PostgresOptions, Sqlite, Store};
use tictac_server::verify::verify;

use crate::postgres_server::PostgresServer;
use crate::test_server::{TestServer, text};

const DAY: Duration = Duration::from_hours(24);

/// Creates an empty game, one with a move and a resigned one.
async fn create_games(server: &TestServer) -> [String; 3] {
    let mut games = Vec::new();
    for action in ["", r#"{"seq": 1, "kind": "move", "move": "B2"}"#, r#"{"seq": 1, "kind": "resign"}"#] {
        let created = server.create("{}").await;
        let game = text(&created, "/game").to_owned();
        if !action.is_empty() {
            assert_eq!(server.act(&game, text(&created, "/you/token"), action).await.0, 200);
        }
        games.push(game);
    }
    games.try_into().unwrap()
}

async fn check_pruning(store: Arc<dyn Store>) {
    let server = TestServer::on(Arc::clone(&store), |_| {}).await;
    let [empty, moved, resigned] = create_games(&server).await;
    let exists =
        async |game: &str| server.call("GET", &format!("/api/v1/games/{game}"), "", "").await.0 == 200;
    // By default, only empty games are removed, after a day.
    assert_eq!(server.service.prune(SystemTime::now() + DAY / 2).await.unwrap(), 0);
    assert_eq!(server.service.prune(SystemTime::now() + 400 * DAY).await.unwrap(), 1);
    assert_eq!([exists(&empty).await, exists(&moved).await, exists(&resigned).await], [false, true, true]);
    let keep = Retention { played: Some(90 * DAY), empty: DAY };
    let now = SystemTime::now();
    assert_eq!(prune(&*store, &keep, now + 89 * DAY, |_| true).await.unwrap(), 0);
    assert_eq!(prune(&*store, &keep, now + 91 * DAY, |_| false).await.unwrap(), 0);
    assert_eq!(prune(&*store, &keep, now + 91 * DAY, |_| true).await.unwrap(), 2);
    assert_eq!(store.games(None, 10).await.unwrap(), []);
    let report = verify(&*store).await.unwrap();
    assert_eq!((report.games, report.events, report.faults), (0, 0, Vec::new()));
}

#[tokio::test]
async fn outdated_games_are_removed_from_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    check_pruning(Arc::new(Sqlite::open(&folder.path().join("games.db")).unwrap())).await;
}

#[tokio::test]
async fn outdated_games_are_removed_from_postgresql() {
    let Some(server) = PostgresServer::start() else { return };
    let store = Postgres::connect(&server.url("prune"), PostgresOptions::default()).await.unwrap();
    check_pruning(Arc::new(store)).await;
}

#[tokio::test]
async fn a_game_that_somebody_follows_or_that_goes_on_is_kept() {
    let server = TestServer::new().await;
    let created = server.create("{}").await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    let mut socket = server.connect(game, token, 0).await;
    socket.receive("hello").await;
    assert_eq!(server.service.prune(SystemTime::now() + 2 * DAY).await.unwrap(), 0);
    socket.send(r#"{"id": 1, "seq": 1, "kind": "move", "move": "B2"}"#).await;
    assert_eq!(socket.receive("update").await["re"], 1);
}

#[tokio::test]
async fn an_action_in_a_game_that_another_node_has_removed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.path().join("games.db")).unwrap());
    let server = TestServer::on(Arc::clone(&store), |_| {}).await;
    let created = server.create("{}").await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    let keep = Retention::FOREVER;
    assert_eq!(prune(&*store, &keep, SystemTime::now() + 2 * DAY, |_| true).await.unwrap(), 1);
    let (status, answer) = server.act(game, token, r#"{"seq": 1, "kind": "move", "move": "B2"}"#).await;
    assert_eq!((status, text(&answer, "/code")), (404, "no-such-game"));
    assert_eq!(server.call("GET", &format!("/api/v1/games/{game}"), "", "").await.0, 404);
}
