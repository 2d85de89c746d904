//! Compares the OpenAPI description with the server: every route, and the schema of every response.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::test_server::{TestServer, text};

/// A server, and its description to compare responses with.
struct DescribedServer {
    server: TestServer,
    description: Value,
    /// The tested responses as `method path status`.
    seen: BTreeSet<String>,
}

impl DescribedServer {
    async fn new() -> DescribedServer {
        let server = TestServer::new().await;
        let (_, description) = server.call("GET", "/api/v1/openapi.json", "", "").await;
        DescribedServer { server, description, seen: BTreeSet::new() }
    }

    /// Sends a request to `path`, an instance of `route`, and checks the response against the description.
    async fn call(&mut self, method: &str, route: &str, path: &str, token: &str, body: &str) -> Value {
        let (status, answer) = self.server.call(method, path, token, body).await;
        let operation = &self.description["paths"][route][method.to_lowercase()];
        let response = self.target(&operation["responses"][status.to_string()]);
        assert!(response.is_object(), "{method} {path}: {status} is not described: {answer}");
        let content = response["content"].as_object().expect("every response has a body");
        let schema = &content.values().next().unwrap()["schema"];
        self.check(schema, &answer, &format!("{method} {path}"));
        self.seen.insert(format!("{method} {route} {status}"));
        answer
    }

    /// Returns what a description refers to, or the description itself.
    fn target<'a>(&'a self, description: &'a Value) -> &'a Value {
        let Some(name) = description["$ref"].as_str() else { return description };
        let target = self.description.pointer(name.trim_start_matches('#'));
        target.unwrap_or_else(|| panic!("{name} does not exist"))
    }

    /// Checks a value against the subset of JSON Schema that the description uses.
    fn check(&self, schema: &Value, value: &Value, place: &str) {
        let schema = self.target(schema);
        if let Some(choices) = schema["oneOf"].as_array() {
            // The choices have different types.
            let fitting: Vec<_> = choices.iter().filter(|choice| self.has_type(choice, value)).collect();
            assert_eq!(fitting.len(), 1, "{place}: {value}");
            return self.check(fitting[0], value, place);
        }
        assert!(self.has_type(schema, value), "{place}: {value} is not {}", schema["type"]);
        if let Some(choices) = schema["enum"].as_array() {
            assert!(choices.contains(value), "{place}: {value} is not one of {choices:?}");
        }
        for item in value.as_array().into_iter().flatten() {
            self.check(&schema["items"], item, &format!("{place}[]"));
        }
        let (Some(fields), Some(properties)) = (value.as_object(), schema["properties"].as_object()) else {
            return;
        };
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(fields.contains_key(name.as_str().unwrap()), "{place}: no {name} in {value}");
        }
        for (name, field) in fields {
            let schema = properties.get(name).unwrap_or_else(|| panic!("{place}: {name} is not described"));
            self.check(schema, field, &format!("{place}.{name}"));
        }
    }

    fn has_type(&self, schema: &Value, value: &Value) -> bool {
        let schema = self.target(schema);
        let is = |name: &Value| match name.as_str() {
            Some("null") => value.is_null(),
            Some("string") => value.is_string(),
            Some("integer") => value.is_u64(),
            Some("number") => value.is_number(),
            Some("boolean") => value.is_boolean(),
            Some("array") => value.is_array(),
            Some("object") => value.is_object(),
            _ => panic!("{name} is not a type"),
        };
        schema["type"].as_array().map_or_else(|| is(&schema["type"]), |names| names.iter().any(is))
    }
}

const GAMES: &str = "/api/v1/games";
const GAME: &str = "/api/v1/games/{game}";
const EVENTS: &str = "/api/v1/games/{game}/events";

/// Calls the routes of messages, and creates games with a clock and for the public list.
async fn call_newer_routes(api: &mut DescribedServer, path: &str, token: &str) {
    // This server sends no messages.
    let (route, path) = ("/api/v1/games/{game}/push", format!("{path}/push"));
    let subscription = r#"{"endpoint": "https://push.example/", "keys": {"p256dh": "", "auth": ""}}"#;
    api.call("POST", route, &path, token, subscription).await;
    api.call("DELETE", route, &path, token, r#"{"endpoint": "https://push.example/"}"#).await;
    let request = r#"{"opponent": "self", "clock": "5+3", "public": true}"#;
    let created = api.call("POST", GAMES, GAMES, "", request).await;
    assert_eq!(created["update"]["state"]["public"], true);
}

/// Calls every route of a tournament.
async fn call_tournaments(api: &mut DescribedServer) {
    let tournaments = "/api/v1/tournaments";
    let created = api
        .call(
            "POST",
            tournaments,
            tournaments,
            "",
            r#"{"name": "Cup", "listed": true, "best_of": 3, "clock": "5+3"}"#,
        )
        .await;
    api.call("POST", tournaments, tournaments, "", "{}").await;
    let (id, token) = (text(&created, "/tournament"), text(&created, "/organiser/token"));
    let route =
        |rest: &str| (format!("{tournaments}/{{tournament}}{rest}"), format!("{tournaments}/{id}{rest}"));
    let (join, join_path) = route("/join");
    let entered = api.call("POST", &join, &join_path, "", r#"{"name": "Ann"}"#).await;
    api.call("POST", &join, &join_path, "", r#"{"name": " "}"#).await;
    let (act, act_path) = route("/actions");
    for action in [
        r#"{"kind": "next-round"}"#,
        r#"{"kind": "enter", "level": "beginner"}"#,
        r#"{"kind": "enter", "name": "Bob"}"#,
        r#"{"kind": "start"}"#,
        r#"{"kind": "pause"}"#,
    ] {
        api.call("POST", &act, &act_path, token, action).await;
    }
    api.call("POST", &act, &act_path, "", r#"{"kind": "resume"}"#).await;
    let player = text(&entered, "/player/token");
    let (leave, leave_path) = route("/leave");
    api.call("POST", &leave, &leave_path, player, "").await;
    api.call("POST", &leave, &leave_path, "", "").await;
    let (show, show_path) = route("");
    api.call("GET", &show, &show_path, player, "").await;
    api.call("GET", &show, &format!("{tournaments}/0123456789ab"), "", "").await;
    for file in ["/standings.csv", "/games.pgn", "/games.ttt"] {
        let (route, path) = route(file);
        api.call("GET", &route, &path, "", "").await;
    }
    api.call("GET", tournaments, tournaments, "", "").await;
}

#[tokio::test]
async fn every_route_and_every_response_is_as_described() {
    let mut api = DescribedServer::new().await;
    let created = api.call("POST", GAMES, GAMES, "", r#"{"name": "Ann", "rules": "4,4,3 wild"}"#).await;
    api.call("POST", GAMES, GAMES, "", r#"{"opponent": "computer"}"#).await;
    api.call("POST", GAMES, GAMES, "", r#"{"rules": "none"}"#).await;
    api.call("POST", GAMES, GAMES, "", r#"{"moves": ["X B2", "O B2"]}"#).await;
    let path = format!("{GAMES}/{}", text(&created, "/game"));
    let [you, friend] = ["/you/token", "/friend/token"].map(|place| text(&created, place).to_owned());
    let join = "/api/v1/games/{game}/join";
    let joined = api.call("POST", join, &format!("{path}/join"), &friend, r#"{"name": "Bob"}"#).await;
    let friend = text(&joined, "/you/token").to_owned();
    api.call("POST", join, &format!("{path}/join"), "", "").await;
    let events = format!("{path}/events");
    for (seq, token, action) in [
        (2, &you, r#""kind": "move", "move": "X B2""#),
        (2, &friend, r#""kind": "move", "move": "X B3""#),
        (3, &you, r#""kind": "move", "move": "X B3""#),
        (3, &friend, r#""kind": "move", "move": "X B2""#),
        (3, &friend, r#""kind": "move", "move": "!""#),
        (3, &friend, r#""kind": "offer-draw""#),
        (4, &you, r#""kind": "decline""#),
        (5, &friend, r#""kind": "move", "move": "X B3""#),
        (6, &you, r#""kind": "move", "move": "X B4""#),
        (7, &you, r#""kind": "rematch""#),
        (8, &friend, r#""kind": "accept""#),
    ] {
        api.call("POST", EVENTS, &events, token, &format!(r#"{{"seq": {seq}, {action}}}"#)).await;
    }
    api.call("POST", EVENTS, &events, "", r#"{"seq": 0, "kind": "resign"}"#).await;
    api.call("GET", GAME, &path, &you, "").await;
    api.call("GET", GAME, "/api/v1/games/0123456789ab", "", "").await;
    api.call("GET", "/api/v1/games/{game}/record", &format!("{path}/record"), "", "").await;
    api.call("GET", "/api/v1/games/{game}/picture.svg", &format!("{path}/picture.svg?moves=1"), "", "").await;
    api.call("GET", "/api/v1/games/{game}/socket", &format!("{path}/socket"), "", "").await;
    call_newer_routes(&mut api, &path, &you).await;
    api.call("POST", "/api/v1/check", "/api/v1/check?rules=4,4,3", "", "1 X B2\n2 O B2\n").await;
    api.call("POST", "/api/v1/check", "/api/v1/check?rules=what", "", "").await;
    let analyse = "/api/v1/analyse";
    api.call("GET", analyse, "/api/v1/analyse?rules=3,3,3&position=X.O/.X./...%20O", "", "").await;
    api.call("GET", analyse, "/api/v1/analyse?position=XXX/OO./...", "", "").await;
    api.call("GET", analyse, "/api/v1/analyse?position=nonsense", "", "").await;
    let judge = "/api/v1/judge";
    api.call("POST", judge, judge, "", r#"{"rules": "4,3,3", "moves": ["X B2", "O A1"]}"#).await;
    api.call("POST", judge, judge, "", r#"{"rules": "3,3,3", "moves": ["X B2", "O B2"]}"#).await;
    api.call("POST", judge, judge, "", r#"{"rules": "none"}"#).await;
    for route in
        ["/api/v1/public", "/api/v1/levels", "/api/v1/openapi.json", "/healthz", "/readyz", "/metrics"]
    {
        api.call("GET", route, route, "", "").await;
    }
    call_tournaments(&mut api).await;
    let routes: BTreeSet<&str> = api.seen.iter().filter_map(|seen| seen.split(' ').nth(1)).collect();
    let described: BTreeSet<&str> =
        api.description["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(routes, described, "every described route is tested");
    let all = api.description.to_string();
    for kind in ["schemas", "responses"] {
        for name in api.description["components"][kind].as_object().unwrap().keys() {
            assert!(all.contains(&format!("#/components/{kind}/{name}\"")), "{name} is not used");
        }
    }
}
