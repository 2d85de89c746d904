//! The pages of tournaments, as a browser without scripts uses them.

use axum::body::Body;
use axum::http::{Request, header};
use axum::response::Response;

use crate::test_server::TestServer;

/// A browser: it keeps the cookies of every path.
struct Browser<'a> {
    server: &'a TestServer,
    cookies: Vec<(String, String, String)>,
}

impl Browser<'_> {
    async fn send(&mut self, method: &str, path: &str, body: &str) -> (u16, String, String) {
        let sent: Vec<String> = self
            .cookies
            .iter()
            .filter(|(scope, ..)| path.starts_with(scope.as_str()))
            .map(|(_, name, value)| format!("{name}={value}"))
            .collect();
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, self.server.address.to_string())
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::COOKIE, sent.join("; "));
        let response = self.server.respond(request.body(Body::from(body.to_owned())).unwrap()).await;
        self.keep_cookies(&response);
        let location = response.headers().get(header::LOCATION).map(|path| path.to_str().unwrap().to_owned());
        let status = response.status().as_u16();
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 22).await.unwrap();
        (status, location.unwrap_or_default(), String::from_utf8(bytes.to_vec()).unwrap())
    }

    fn keep_cookies(&mut self, response: &Response) {
        for cookie in response.headers().get_all(header::SET_COOKIE) {
            let mut parts = cookie.to_str().unwrap().split("; ");
            let (name, value) = parts.next().unwrap().split_once('=').unwrap();
            let path = parts.find_map(|part| part.strip_prefix("Path=")).unwrap();
            self.cookies.push((path.to_owned(), name.to_owned(), value.to_owned()));
        }
    }

    async fn get(&mut self, path: &str) -> String {
        let (status, _, page) = self.send("GET", path, "").await;
        assert_eq!(status, 200, "{path}: {page}");
        page
    }

    /// Submits a form and returns where it leads.
    async fn submit(&mut self, path: &str, body: &str) -> String {
        let (status, location, page) = self.send("POST", path, body).await;
        assert_eq!(status, 303, "{path}: {page}");
        location
    }
}

fn browser(server: &TestServer) -> Browser<'_> {
    Browser { server, cookies: Vec::new() }
}

#[tokio::test]
async fn a_tournament_works_with_forms_alone() {
    let server = TestServer::new().await;
    let mut host = browser(&server);
    assert!(host.get("/tournaments").await.contains("Open a tournament"));
    let path =
        host.submit("/tournaments", "name=Class+7b&format=knock-out&best_of=1&listed=true&clock=5%2B3").await;
    let page = host.get(&path).await;
    for expected in [
        "Class 7b",
        "You organise this tournament",
        "5 minutes each, 3 seconds more per move",
        "og:title",
        "class=\"qr\"",
        "Join the tournament",
    ] {
        assert!(page.contains(expected), "{expected}");
    }
    for list in ["/tournaments", "/games"] {
        assert!(browser(&server).get(list).await.contains("Class 7b"), "{list}");
    }
    // A refused form is explained on the page.
    let (status, _, page) = host.send("POST", &format!("{path}/organise"), "kind=start").await;
    assert!(status == 422 && page.contains("At least two players are needed."), "{page}");
    let [mut ann, mut bob] = [browser(&server), browser(&server)];
    for (player, name) in [(&mut ann, "Ann"), (&mut bob, "Bob")] {
        assert!(!player.get(&path).await.contains("You organise this tournament"));
        player.submit(&format!("{path}/join"), &format!("name={name}")).await;
        assert!(player.get(&path).await.contains(&format!("You play as {name}.")));
    }
    host.submit(&format!("{path}/organise"), "kind=start").await;
    // The page waits for the first round.
    let page = ann.get(&format!("{path}?since=4")).await;
    assert!(page.contains("Play against Bob"), "{page}");
    let game = ann.submit(&format!("{path}/play"), "").await;
    assert_eq!(game, bob.submit(&format!("{path}/play"), "").await);
    let page = ann.get(&game).await;
    assert!(page.contains("Round 1 of Class 7b") && page.contains("(you)"), "{page}");
    // The player who is first wins in five moves.
    let (first, second) =
        if page.contains("Your turn") { (&mut ann, &mut bob) } else { (&mut bob, &mut ann) };
    for (seq, square) in (1..).zip(["A1", "B1", "A2", "B2", "A3"]) {
        let player = if seq % 2 == 1 { &mut *first } else { &mut *second };
        player.submit(&format!("{game}/act"), &format!("seq={seq}&square={square}")).await;
    }
    assert!(!first.get(&game).await.contains("Rematch"));
    let mut watcher = browser(&server);
    let page = watcher.get(&format!("{path}?since=6")).await;
    let page = if page.contains("The tournament is over.") {
        page
    } else {
        watcher.get(&format!("{path}?since=7")).await
    };
    assert!(page.contains("The tournament is over.") && page.contains("standings.csv"), "{page}");
    assert!(watcher.get(&format!("{path}/screen?lang=de")).await.contains("Tabelle"));
    let news = watcher.get(&format!("{path}/live?version=0")).await;
    assert!(news.contains("\"version\"") && news.contains("Standings"), "{news}");
}

#[tokio::test]
async fn a_late_player_and_another_device_get_links_of_their_own() {
    let server = TestServer::new().await;
    let mut host = browser(&server);
    let path = host.submit("/tournaments", "name=Open&format=swiss").await;
    let (_, _, page) = host.send("POST", &format!("{path}/organise"), "kind=enter&name=Late+Lisa").await;
    let link =
        page.split("value=\"").find(|part| part.contains("/seat/")).unwrap().split('"').next().unwrap();
    let seat = link.split_once("/t/").map(|(_, rest)| format!("/t/{rest}")).unwrap();
    let mut lisa = browser(&server);
    assert!(lisa.get(&seat).await.contains("Play as Late Lisa on this device."));
    lisa.submit(&seat, "").await;
    assert!(lisa.get(&path).await.contains("You play as Late Lisa."));
    lisa.submit(&format!("{path}/leave"), "").await;
    assert!(lisa.get(&path).await.contains("You have left the tournament."));
    let (status, ..) = lisa.send("POST", &format!("{path}/organise"), "kind=start").await;
    assert_eq!(status, 401);
    let (status, _, page) = lisa.send("GET", "/t/0123456789ab", "").await;
    assert!(status == 404 && page.contains("Tournament not found"), "{page}");
}
