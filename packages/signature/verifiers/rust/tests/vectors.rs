//! Checks every shared vector. `VECTORS` names another file than that of the repository.

use base64::{engine::general_purpose::STANDARD, Engine};
use hookwright_signature::{verify, Options};
use serde_json::{json, Value};

fn result_of(vector: &Value) -> Value {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let body = STANDARD.decode(text(&vector["body"]["base64"])).expect("base64");
    let pairs: Vec<(String, String)> = (vector["headers"].as_array().expect("a list").iter())
        .map(|pair| (text(&pair[0]), text(&pair[1])))
        .collect();
    let secrets: Vec<String> = vector["secrets"].as_array().expect("a list").iter().map(text).collect();
    let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
    let options = Options {
        tolerance_seconds: vector["toleranceSeconds"].as_f64().expect("a number"),
        now: vector["now"].as_f64(),
        header_prefix: vector["headerPrefix"].as_str().unwrap_or("X-Service"),
    };
    let headers = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    match verify(&body, headers, &secrets, &options) {
        Ok(event) if event.test => json!({ "eventId": event.id, "test": true }),
        Ok(event) => json!({ "eventId": event.id }),
        Err(error) => {
            println!("{error}");
            json!({ "error": error.code.as_str() })
        }
    }
}

#[test]
fn agrees_on_every_vector() {
    let file = std::env::var("VECTORS").unwrap_or_else(|_| "../../test-vectors.json".to_owned());
    let text = std::fs::read_to_string(file).expect("the vectors");
    let vectors: Value = serde_json::from_str(&text).expect("JSON");
    let vectors = vectors["vectors"].as_array().expect("a list");
    let wrong: Vec<&Value> =
        (vectors.iter().filter(|vector| result_of(vector) != vector["expected"])).map(|vector| &vector["name"]).collect();
    println!("{} vectors, {} wrong", vectors.len(), wrong.len());
    assert!(wrong.is_empty() && !vectors.is_empty(), "{wrong:?}");
}
