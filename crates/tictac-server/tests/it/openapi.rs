//! The description of the API against the server: every route, and the shape of every answer.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::test_server::{TestServer, text};

/// Answers to be held against the description.
struct Examiner {
    server: TestServer,
    description: Value,
    /// What was exercised: `method path status`.
    seen: BTreeSet<String>,
}

impl Examiner {
    async fn new() -> Examiner {
        let server = TestServer::new().await;
        let (_, description) = server.call("GET", "/api/v1/openapi.json", "", "").await;
        Examiner { server, description, seen: BTreeSet::new() }
    }

    /// Sends a request to `route` with its variables filled in, and holds the answer against the description.
    async fn ask(&mut self, method: &str, route: &str, filled: &str, token: &str, body: &str) -> Value {
        let (status, answer) = self.server.call(method, filled, token, body).await;
        let operation = &self.description["paths"][route][method.to_lowercase()];
        let response = &operation["responses"][status.to_string()];
        assert!(response.is_object(), "{method} {filled}: {status} is not described: {answer}");
        let content = response["content"].as_object().expect("every answer has a body");
        let schema = &content.values().next().unwrap()["schema"];
        self.check(schema, &answer, &format!("{method} {filled}"));
        self.seen.insert(format!("{method} {route} {status}"));
        answer
    }

    /// Checks the few words of JSON Schema that the description uses.
    fn check(&self, schema: &Value, value: &Value, place: &str) {
        if let Some(name) = schema["$ref"].as_str() {
            let target = self.description.pointer(name.trim_start_matches('#'));
            return self.check(target.unwrap_or_else(|| panic!("{name} leads nowhere")), value, place);
        }
        if let Some(choices) = schema["oneOf"].as_array() {
            // Choices differ in their types.
            let fitting: Vec<_> = choices.iter().filter(|choice| self.has_type(choice, value)).collect();
            assert_eq!(fitting.len(), 1, "{place}: {value}");
            return self.check(fitting[0], value, place);
        }
        assert!(self.has_type(schema, value), "{place}: {value} is not {}", schema["type"]);
        if let Some(choices) = schema["enum"].as_array() {
            assert!(choices.contains(value), "{place}: {value} is none of {choices:?}");
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
        if let Some(name) = schema["$ref"].as_str() {
            return self.has_type(self.description.pointer(name.trim_start_matches('#')).unwrap(), value);
        }
        let is = |name: &Value| match name.as_str() {
            Some("null") => value.is_null(),
            Some("string") => value.is_string(),
            Some("integer") => value.is_u64(),
            Some("boolean") => value.is_boolean(),
            Some("array") => value.is_array(),
            Some("object") => value.is_object(),
            _ => panic!("{name} is no type"),
        };
        schema["type"].as_array().map_or_else(|| is(&schema["type"]), |names| names.iter().any(is))
    }
}

const GAMES: &str = "/api/v1/games";
const GAME: &str = "/api/v1/games/{game}";
const EVENTS: &str = "/api/v1/games/{game}/events";

#[tokio::test]
async fn every_route_and_every_shape_is_as_described() {
    let mut examiner = Examiner::new().await;
    let created = examiner.ask("POST", GAMES, GAMES, "", r#"{"name": "Ann", "rules": "4,4,3 wild"}"#).await;
    examiner.ask("POST", GAMES, GAMES, "", r#"{"opponent": "computer"}"#).await;
    examiner.ask("POST", GAMES, GAMES, "", r#"{"rules": "none"}"#).await;
    examiner.ask("POST", GAMES, GAMES, "", r#"{"moves": ["X B2", "O B2"]}"#).await;
    let path = format!("{GAMES}/{}", text(&created, "/game"));
    let [you, friend] = ["/you/token", "/friend/token"].map(|place| text(&created, place).to_owned());
    let join = "/api/v1/games/{game}/join";
    examiner.ask("POST", join, &format!("{path}/join"), &friend, r#"{"name": "Bob"}"#).await;
    examiner.ask("POST", join, &format!("{path}/join"), "", "").await;
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
        examiner.ask("POST", EVENTS, &events, token, &format!(r#"{{"seq": {seq}, {action}}}"#)).await;
    }
    examiner.ask("POST", EVENTS, &events, "", r#"{"seq": 0, "kind": "resign"}"#).await;
    examiner.ask("GET", GAME, &path, &you, "").await;
    examiner.ask("GET", GAME, "/api/v1/games/0123456789ab", "", "").await;
    examiner.ask("GET", "/api/v1/games/{game}/record", &format!("{path}/record"), "", "").await;
    examiner
        .ask("GET", "/api/v1/games/{game}/picture.svg", &format!("{path}/picture.svg?moves=1"), "", "")
        .await;
    examiner.ask("GET", "/api/v1/games/{game}/socket", &format!("{path}/socket"), "", "").await;
    examiner.ask("POST", "/api/v1/check", "/api/v1/check?rules=4,4,3", "", "1 X B2\n2 O B2\n").await;
    examiner.ask("POST", "/api/v1/check", "/api/v1/check?rules=what", "", "").await;
    let analyse = "/api/v1/analyse";
    examiner.ask("GET", analyse, "/api/v1/analyse?rules=3,3,3&position=X.O/.X./...%20O", "", "").await;
    examiner.ask("GET", analyse, "/api/v1/analyse?position=XXX/OO./...", "", "").await;
    examiner.ask("GET", analyse, "/api/v1/analyse?position=nonsense", "", "").await;
    let judge = "/api/v1/judge";
    examiner.ask("POST", judge, judge, "", r#"{"rules": "4,3,3", "moves": ["X B2", "O A1"]}"#).await;
    examiner.ask("POST", judge, judge, "", r#"{"rules": "3,3,3", "moves": ["X B2", "O B2"]}"#).await;
    examiner.ask("POST", judge, judge, "", r#"{"rules": "none"}"#).await;
    for route in ["/api/v1/levels", "/api/v1/openapi.json", "/healthz", "/readyz", "/metrics"] {
        examiner.ask("GET", route, route, "", "").await;
    }
    let routes: BTreeSet<&str> = examiner.seen.iter().filter_map(|seen| seen.split(' ').nth(1)).collect();
    let described: BTreeSet<&str> =
        examiner.description["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(routes, described, "every described route is exercised");
    let schemas = examiner.description["components"]["schemas"].as_object().unwrap();
    let all = examiner.description["paths"].to_string() + &json!(schemas).to_string();
    for name in schemas.keys() {
        assert!(all.contains(&format!("#/components/schemas/{name}\"")), "{name} is used nowhere");
    }
}
