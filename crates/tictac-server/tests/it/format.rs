//! Formats that must not change: stored events, their hash chain, exported records, and JSON over HTTP and the socket.
//!
//! `stored_events.txt` has one row of the table `event` per line: game, number, link in hexadecimal, body.

use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;
use tictac_server::event::{GameEvent, Link};
use tictac_server::export::export;
use tictac_server::store::Sqlite;
use tictac_server::token::{GameId, Secret};
use tictac_server::verify::verify;

use crate::test_server::TestServer;

const ROWS: &str = include_str!("stored_events.txt");
const FINISHED: &str = "0123456789ab";
const REMATCH: &str = "0123456789ac";
const ANN: &str = "0123456789ab.0123456789abcdefghjkmnpqrs";
const BOB: &str = "0123456789ab.zyxwvtsrqpnmkjhgfedcba9876";

struct Row {
    game: &'static str,
    seq: u64,
    link: [u8; 16],
    body: &'static str,
}

fn rows() -> impl Iterator<Item = Row> {
    ROWS.lines().map(|line| {
        let [game, seq, link, body] = line.splitn(4, ' ').collect::<Vec<_>>().try_into().unwrap();
        let link = data_encoding::HEXLOWER.decode(link.as_bytes()).unwrap().try_into().unwrap();
        Row { game, seq: seq.parse().unwrap(), link, body }
    })
}

/// Writes the rows to a database, as an earlier version of the server has written them.
fn write_database(path: &Path) {
    let database = rusqlite::Connection::open(path).unwrap();
    let schema = "CREATE TABLE event (game TEXT NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL, link BLOB NOT NULL,
                  PRIMARY KEY (game, seq)) WITHOUT ROWID, STRICT; PRAGMA user_version = 1";
    database.execute_batch(schema).unwrap();
    for Row { game, seq, link, body } in rows() {
        let insert = "INSERT INTO event (game, seq, body, link) VALUES (?1, ?2, ?3, ?4)";
        database.execute(insert, rusqlite::params![game, seq.cast_signed(), body, link]).unwrap();
    }
}

async fn start(folder: &TempDir) -> TestServer {
    let path = folder.path().join("games.db");
    write_database(&path);
    TestServer::on(Arc::new(Sqlite::open(&path).unwrap()), |_| {}).await
}

#[test]
fn stored_events_keep_their_text_and_their_links() {
    let mut previous = Link::START;
    for Row { game, seq, link, body } in rows() {
        let event: GameEvent = serde_json::from_str(body).unwrap();
        assert_eq!(serde_json::to_string(&event).unwrap(), body);
        assert_eq!(event.seq, seq);
        if seq == 0 {
            previous = Link::START;
        }
        let game: GameId = game.parse().unwrap();
        assert_eq!(previous.after(game, seq, body), Link(link), "{game} {seq}");
        previous = Link(link);
    }
}

#[test]
fn a_seat_is_stored_as_the_same_hash() {
    let secret: Secret = ANN.split('.').nth(1).unwrap().parse().unwrap();
    let stored = serde_json::to_string(&secret.hash()).unwrap();
    assert_eq!(stored, "\"421b6d3574a50f00bd85638b24b398ce\"");
}

#[tokio::test]
async fn an_existing_database_verifies_and_exports_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    write_database(&path);
    let store = Sqlite::open(&path).unwrap();
    let verified = verify(&store).await.unwrap();
    assert_eq!((verified.games, verified.events, verified.faults), (3, 14, Vec::new()));
    let mut records = Vec::new();
    assert_eq!(export(&store, &mut records).await.unwrap(), 3);
    let expected = "[Game \"0123456789ab\"]\n[Date \"2026.01.01\"]\n[X \"Ann \\\"A\\\"\"]\n[O \"Bob\"]\n[Result \"*\"]\n[Agreed \"X\"]\n\
                    1 X B2\n2 O C3\n\n\
                    [Game \"0123456789ac\"]\n[Date \"2026.01.01\"]\n[X \"Bob\"]\n[O \"Ann \\\"A\\\"\"]\n[Result \"*\"]\n\n\
                    [Rules \"notakto boards=2\"]\n[Game \"0123456789ad\"]\n[Date \"2026.01.01\"]\n[First \"computer (club)\"]\n[Second \"?\"]\n\
                    [Result \"*\"]\n1 X 1.A1\n2 X 1.A2\n3 X 1.A3\n4 X 2.B2\n";
    assert_eq!(String::from_utf8(records).unwrap(), expected);
}

#[tokio::test]
async fn an_update_over_http_keeps_its_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(&folder).await;
    let path = format!("/api/v1/games/{FINISHED}?since=10");
    let (status, body) = server.send_for_text(server.request("GET", &path, ANN, "")).await;
    let expected = concat!(
        r#"{"version":1,"game":"0123456789ab","seq":12,"events":["#,
        r#"{"seq":10,"at":1767225610000,"kind":"rematch","by":"first"},"#,
        r#"{"seq":11,"at":1767225611000,"kind":"accept","by":"second","next":"0123456789ac"}],"#,
        r#""state":{"rules":"3,3,3","position":".../.X./..O X","moves":["X B2","O C3"],"to_move":null,"marks":[],"legal_moves":[],"#,
        r#""status":"won","winner":"first","reason":"resigned","lines":[],"dead":null,"offer":null,"#,
        r#""first":{"who":"person","name":"Ann \"A\"","open":false,"mark":"X"},"#,
        r#""second":{"who":"person","name":"Bob","open":false,"mark":"O"},"previous":null,"next":"0123456789ac","#,
        r#""score":{"first":1,"second":0,"draws":0}},"#,
        r#""you":"first","presence":{"first":false,"second":false,"watching":0}}"#,
    );
    assert_eq!((status, body.as_str()), (200, expected));
}

#[tokio::test]
async fn messages_of_the_socket_keep_their_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(&folder).await;
    let mut watcher = server.connect(REMATCH, "", 1).await;
    watcher.receive("hello").await;
    let mut bob = server.connect(REMATCH, BOB, 0).await;
    let created = concat!(
        r#"{"seq":0,"at":1767225600000,"kind":"created","rules":"3,3,3","opening_mark":"X","#,
        r#""first":{"who":"person","name":"Bob"},"second":{"who":"person","name":"Ann \"A\""},"previous":"0123456789ab"}"#,
    );
    let people = concat!(
        r#""offer":null,"first":{"who":"person","name":"Bob","open":false,"mark":"X"},"#,
        r#""second":{"who":"person","name":"Ann \"A\"","open":false,"mark":"O"},"previous":"0123456789ab","next":null},"#,
        r#""you":"first","presence":{"first":true,"second":false,"watching":1}}"#,
    );
    let hello = format!(
        r#"{{"type":"hello","version":1,"game":"0123456789ac","seq":1,"events":[{created}],"state":{{"rules":"3,3,3","position":".../.../... X","moves":[],"to_move":"first","marks":["X"],"status":"playing","winner":null,"reason":null,"lines":[],"dead":null,{people}"#
    );
    assert_eq!(bob.receive_text().await, hello);
    assert_eq!(
        watcher.receive_text().await,
        r#"{"type":"presence","presence":{"first":true,"second":false,"watching":1}}"#
    );
    bob.send(r#"{"id":7,"seq":1,"kind":"move","move":"X B2"}"#).await;
    let update = bob.receive_text().await;
    let at = update.split("\"at\":").nth(1).unwrap().split(',').next().unwrap();
    let expected = format!(
        r#"{{"type":"update","re":7,"version":1,"game":"0123456789ac","seq":2,"events":[{{"seq":1,"at":{at},"kind":"move","by":"first","move":"X B2"}}],"state":{{"rules":"3,3,3","position":".../.X./... O","moves":["X B2"],"to_move":"second","marks":["O"],"status":"playing","winner":null,"reason":null,"lines":[],"dead":null,{people}"#
    );
    assert_eq!(update, expected);
    bob.send(r#"{"id":8,"seq":2,"kind":"move","move":"X B2"}"#).await;
    let error = bob.receive_text().await;
    assert!(
        error.starts_with(r#"{"type":"error","re":8,"version":1,"code":"not-your-turn","message":""#),
        "{error}"
    );
}
