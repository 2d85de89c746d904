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

/// Returns the path of the link for a player that a page shows.
fn seat_link(page: &str) -> String {
    let link =
        page.split("value=\"").find(|part| part.contains("/seat/")).unwrap().split('"').next().unwrap();
    link.split_once("/t/").map(|(_, rest)| format!("/t/{rest}")).unwrap()
}

#[tokio::test]
async fn the_link_of_a_player_whom_the_organiser_enters_works_once() {
    let server = TestServer::new().await;
    let mut host = browser(&server);
    let path = host.submit("/tournaments", "name=Class&format=swiss").await;
    let (_, _, page) = host.send("POST", &format!("{path}/organise"), "kind=enter&name=Ann").await;
    let link = seat_link(&page);
    let known = link.rsplit_once('/').unwrap().1;
    let api = path.replace("/t/", "/api/v1/tournaments/");
    let token = format!("{}.{known}", path.trim_start_matches("/t/"));
    assert_eq!(server.call("GET", &api, &token, "").await.1["you"]["player"], 0);

    // The button can be pressed again after a lost response, but only with the same form.
    let mut ann = browser(&server);
    let form = format!("key={}", "a".repeat(26));
    for _ in 0..2 {
        ann.submit(&link, &form).await;
        assert!(ann.get(&path).await.contains("You play as Ann."));
    }
    let mut thief = browser(&server);
    assert_eq!(thief.send("GET", &link, "").await.0, 410);
    assert_eq!(thief.send("POST", &link, "").await.0, 401);
    // The organiser, who has seen the link, cannot play for Ann.
    assert!(server.call("GET", &api, &token, "").await.1["you"]["player"].is_null());
    assert_eq!(server.call("POST", &format!("{api}/leave"), &token, "").await.0, 401);
}

#[tokio::test]
async fn a_player_comes_back_on_another_device_in_the_middle_of_a_game() {
    let server = TestServer::new().await;
    let mut host = browser(&server);
    let path = host.submit("/tournaments", "name=Class&format=swiss").await;
    let (mut ann, mut bob) = (browser(&server), browser(&server));
    ann.submit(&format!("{path}/join"), "name=Ann&code=4711").await;
    bob.submit(&format!("{path}/join"), "name=Bob").await;
    let (status, _, page) = browser(&server).send("POST", &format!("{path}/join"), "name=Eve&code=12").await;
    assert!(status == 400 && page.contains("four digits"), "{page}");
    host.submit(&format!("{path}/organise"), "kind=start").await;
    host.get(&format!("{path}?since=4")).await;
    let game = ann.submit(&format!("{path}/play"), "").await;

    // The link of the organiser works once, and Ann's first device has no place any more.
    let (status, _, page) = host.send("POST", &format!("{path}/organise"), "kind=new-link&player=0").await;
    assert!(status == 200 && page.contains("A link for Ann") && page.contains("<svg"), "{page}");
    let link = seat_link(&page);
    let mut phone = browser(&server);
    assert!(phone.get(&link).await.contains("Play as Ann on this device."));
    phone.submit(&link, "").await;
    assert!(phone.get(&path).await.contains("You play as Ann."));
    assert_eq!(phone.submit(&format!("{path}/play"), "").await, game);
    assert!(phone.get(&game).await.contains("(you)"));
    bob.submit(&format!("{path}/play"), "").await;
    assert!(bob.get(&game).await.contains("Ann opened the game on another device."));
    assert!(!ann.get(&path).await.contains("You play as Ann."));
    let mut thief = browser(&server);
    assert_eq!(thief.send("GET", &link, "").await.0, 410);
    assert_eq!(thief.send("POST", &link, "").await.0, 401);

    // The code works as often as it is needed, but wrong ones do not.
    let mut tablet = browser(&server);
    assert!(tablet.get(&path).await.contains("Come back with your code"));
    tablet.submit(&format!("{path}/return"), "player=0&code=4711").await;
    assert!(tablet.get(&path).await.contains("You play as Ann."));
    for _ in 0..5 {
        let (status, _, page) = thief.send("POST", &format!("{path}/return"), "player=0&code=0000").await;
        assert!(status == 422 && page.contains("not the code"), "{page}");
    }
    let (status, _, page) = thief.send("POST", &format!("{path}/return"), "player=0&code=4711").await;
    assert!(status == 422 && page.contains("Too many wrong codes"), "{page}");
    let page = host.get(&path).await;
    assert!(
        page.contains("The organiser made a link for Ann")
            && page.contains("Ann continues on another device.")
    );
    // No secret leaves the server.
    let (_, update) =
        server.call("GET", &format!("/api/v1{}", path.replace("/t/", "/tournaments/")), "", "").await;
    let kinds: Vec<&str> =
        update["events"].as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"link-made") && kinds.contains(&"returned"), "{kinds:?}");
    assert!(!update.to_string().contains("\"key\"") && !update.to_string().contains("\"code\""));
}

#[tokio::test]
async fn who_comes_late_asks_and_the_organiser_lets_them_in() {
    let server = TestServer::new().await;
    let mut host = browser(&server);
    let path = host.submit("/tournaments", "name=Class&format=swiss&rounds=3").await;
    let (mut ann, mut bob) = (browser(&server), browser(&server));
    ann.submit(&format!("{path}/join"), "name=Ann").await;
    bob.submit(&format!("{path}/join"), "name=Bob").await;
    host.submit(&format!("{path}/organise"), "kind=start").await;
    let mut late: Vec<Browser<'_>> = Vec::new();
    for name in ["Cem", "Ann", "Dora"] {
        let mut one = browser(&server);
        assert!(one.get(&path).await.contains("Ask to join"));
        one.submit(&format!("{path}/join"), &format!("name={name}")).await;
        let page = one.get(&path).await;
        assert!(page.contains("You have asked to join.") && !page.contains("Ask to join"), "{page}");
        late.push(one);
    }
    let page = host.get(&path).await;
    assert!(page.contains("Let Cem in") && page.contains("Let all in"), "{page}");
    // They are above everything else, and the organiser is not asked to join.
    assert!(page.find("Let Cem in") < page.find("id=\"round\"") && !page.contains("Ask to join"), "{page}");
    host.submit(&format!("{path}/organise"), "kind=decline&request=2").await;
    assert!(late[2].get(&path).await.contains("Ask to join"));
    host.submit(&format!("{path}/organise"), "kind=admit").await;
    assert!(late[0].get(&path).await.contains("You play as Cem."));
    assert!(late[1].get(&path).await.contains("You play as Ann (2)."));
    assert!(!host.get(&path).await.contains("Let all in"));

    // A knock-out cannot take anyone, and says so kindly.
    let path = host.submit("/tournaments", "name=Cup&format=knock-out").await;
    for name in ["Ann", "Bob"] {
        browser(&server).submit(&format!("{path}/join"), &format!("name={name}")).await;
    }
    host.submit(&format!("{path}/organise"), "kind=start").await;
    let mut guest = browser(&server);
    let page = guest.get(&path).await;
    assert!(
        page.contains("no one can join it any more. You can watch") && !page.contains("Ask to join"),
        "{page}"
    );
    assert_eq!(guest.send("POST", &format!("{path}/join"), "name=Eve").await.0, 422);
    // Removed by the organiser is not the same as having left.
    host.submit(&format!("{path}/organise"), "kind=drop&player=1").await;
    let page = host.get(&path).await;
    assert!(page.contains("The organiser removed Bob.") && !page.contains("Bob left"), "{page}");
    let scores = ["<span class=\"result\">1 : 0</span>", "<span class=\"result\">0 : 1</span>"];
    assert!(page.contains("by forfeit") && scores.iter().any(|score| page.contains(score)), "{page}");
}
