//! Verifies webhook deliveries, and says why one is refused.

use hmac::{Hmac, Mac};
use serde_json::{Map, Value};
use sha2::Sha256;
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// Why a delivery was refused. [`Code::as_str`] never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Code {
    NoSecret,
    InvalidOption,
    MissingHeader,
    MalformedHeader,
    TimestampOutsideTolerance,
    SignatureMismatch,
    InvalidJson,
    InvalidEnvelope,
    EventMismatch,
}

impl Code {
    pub fn as_str(self) -> &'static str {
        match self {
            Code::NoSecret => "no_secret",
            Code::InvalidOption => "invalid_option",
            Code::MissingHeader => "missing_header",
            Code::MalformedHeader => "malformed_header",
            Code::TimestampOutsideTolerance => "timestamp_outside_tolerance",
            Code::SignatureMismatch => "signature_mismatch",
            Code::InvalidJson => "invalid_json",
            Code::InvalidEnvelope => "invalid_envelope",
            Code::EventMismatch => "event_mismatch",
        }
    }

    /// The HTTP status to answer with.
    pub fn status(self) -> u16 {
        match self {
            Code::NoSecret | Code::InvalidOption => 500,
            Code::InvalidJson | Code::InvalidEnvelope => 400,
            _ => 401,
        }
    }
}

/// It contains no secret and no expected signature, so it may be logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureError {
    pub code: Code,
    pub message: String,
}

impl fmt::Display for SignatureError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.code.as_str(), self.message)
    }
}

impl std::error::Error for SignatureError {}

fn refuse<T>(code: Code, message: impl Into<String>) -> Result<T, SignatureError> {
    Err(SignatureError { code, message: message.into() })
}

#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// Seconds that the time of the delivery may differ from `now`: 300 by default.
    pub tolerance_seconds: f64,
    /// Unix seconds. `None` is the current time.
    pub now: Option<f64>,
    /// The prefix of the header names, if the sender has one of its own: `X-Service` by default.
    pub header_prefix: &'a str,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { tolerance_seconds: 300.0, now: None, header_prefix: "X-Service" }
    }
}

/// The body of a genuine delivery.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub id: String,
    pub event: String,
    /// The whole body, with `project` and `data`.
    pub fields: Map<String, Value>,
    /// Whether it is a test from the console. Its header is not signed.
    pub test: bool,
}

/// Returns the event of a delivery that is genuine.
///
/// `body`: the bytes that came, before anything parses them. `headers`: name and value, names in any case.
/// `secrets`: the webhook's signing secrets: one, or several while it is being rotated.
pub fn verify<'a>(
    body: &[u8],
    headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    secrets: &[&str],
    options: &Options<'_>,
) -> Result<Event, SignatureError> {
    // Anybody can sign with an empty key, so it is refused even beside others.
    if secrets.is_empty() || secrets.iter().any(|secret| secret.is_empty()) {
        return refuse(Code::NoSecret, "a secret is empty or missing: is its variable set?");
    }
    let now = options.now.unwrap_or_else(current_time);
    if now.is_nan() || options.tolerance_seconds.is_nan() || options.tolerance_seconds < 0.0 {
        return refuse(Code::InvalidOption, "tolerance_seconds or now is negative or not a number");
    }
    if !is_prefix(options.header_prefix) {
        return refuse(Code::InvalidOption, "header_prefix is not like X-Acme");
    }
    let found = Headers::read(headers, options.header_prefix);
    let timestamp = found.required("timestamp")?;
    let signature = found.required("signature")?;
    if !timestamp.bytes().all(|byte| byte.is_ascii_digit()) {
        let name = found.name("timestamp");
        return refuse(Code::MalformedHeader, format!("{name} is repeated or not an integer"));
    }
    let given: Vec<[u8; 32]> = signature.split(',').filter_map(|value| to_digest(value.trim())).collect();
    if given.is_empty() {
        let name = found.name("signature");
        return refuse(Code::MalformedHeader, format!("{name} is not v1= and 64 lower-case hex digits"));
    }
    check_time(timestamp.parse().unwrap_or(f64::INFINITY), now, options.tolerance_seconds, &found)?;
    if !matches(body, timestamp, &given, secrets) {
        return refuse(Code::SignatureMismatch, explain_mismatch(body, secrets));
    }
    let mut event = parse_event(body)?;
    if found.get("event").is_some_and(|name| name != event.event) {
        let name = found.name("event");
        return refuse(Code::EventMismatch, format!("{name} is not the event in the body"));
    }
    event.test = found.get("test") == Some("1");
    Ok(event)
}

fn current_time() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |elapsed| elapsed.as_secs_f64())
}

fn is_prefix(text: &str) -> bool {
    (1..=40).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The headers of the service by lower-case name. A repeated header is joined with commas, so a repeated timestamp is no integer.
struct Headers {
    prefix: String,
    values: std::collections::BTreeMap<String, String>,
}

impl Headers {
    fn read<'a>(headers: impl IntoIterator<Item = (&'a str, &'a str)>, prefix: &str) -> Self {
        let mut values = std::collections::BTreeMap::<String, String>::new();
        for (name, value) in headers {
            values
                .entry(name.to_ascii_lowercase())
                .and_modify(|before| {
                    before.push(',');
                    before.push_str(value);
                })
                .or_insert_with(|| value.to_owned());
        }
        Headers { prefix: prefix.to_ascii_lowercase(), values }
    }

    fn name(&self, suffix: &str) -> String {
        format!("{}-{suffix}", self.prefix)
    }

    fn get(&self, suffix: &str) -> Option<&str> {
        self.values.get(&self.name(suffix)).map(String::as_str)
    }

    fn required(&self, suffix: &str) -> Result<&str, SignatureError> {
        match self.get(suffix) {
            Some(value) if !value.is_empty() => Ok(value),
            _ => refuse(Code::MissingHeader, format!("no {}: pass all headers", self.name(suffix))),
        }
    }
}

/// `v1=` and 64 lower-case hex digits.
fn to_digest(value: &str) -> Option<[u8; 32]> {
    let digits = value.strip_prefix("v1=")?.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let mut digest = [0; 32];
    for (byte, pair) in digest.iter_mut().zip(digits.chunks(2)) {
        *byte = (to_nibble(pair[0])? << 4) | to_nibble(pair[1])?;
    }
    Some(digest)
}

fn to_nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

fn check_time(sent: f64, now: f64, tolerance: f64, found: &Headers) -> Result<(), SignatureError> {
    let distance = (now - sent).abs();
    if distance <= tolerance {
        return Ok(());
    }
    const MILLISECONDS: f64 = 1e11; // later than any date in seconds
    let reason = match (now >= MILLISECONDS, sent >= MILLISECONDS) {
        (true, false) => "now is in milliseconds".to_owned(),
        (false, true) => format!("{} is in milliseconds", found.name("timestamp")),
        _ => "a replay, or a wrong clock".to_owned(),
    };
    let side = if now > sent { "behind" } else { "ahead of" };
    refuse(
        Code::TimestampOutsideTolerance,
        format!("the timestamp is {distance:.3} s {side} now, the limit is {tolerance} s: {reason}"),
    )
}

/// Compares all in constant time, so the time tells nothing.
fn matches(body: &[u8], timestamp: &str, given: &[[u8; 32]], secrets: &[&str]) -> bool {
    let mut found = false;
    for secret in secrets {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes a key of any length");
        mac.update(timestamp.as_bytes());
        mac.update(b".");
        mac.update(body);
        for digest in given {
            found |= mac.clone().verify_slice(digest).is_ok();
        }
    }
    found
}

fn explain_mismatch(body: &[u8], secrets: &[&str]) -> String {
    if body.is_empty() {
        return "the body is empty: it was never read, or something read it before".to_owned();
    }
    let trimmed = if secrets.iter().any(|secret| secret.trim() != *secret) { ", trimmed" } else { "" };
    format!(
        "no signature matches: the secret is wrong (pass the whole whsec_ text{trimmed}), \
         or the body was changed (parsed, re-encoded, or still base64)"
    )
}

fn parse_event(body: &[u8]) -> Result<Event, SignatureError> {
    let text = String::from_utf8_lossy(body);
    let Ok(value) = serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(&text)) else {
        return refuse(Code::InvalidJson, "the signature matches, but the body is not JSON");
    };
    let is_object = |value: Option<&Value>| value.is_some_and(|value| value.is_object() || value.is_array());
    if let Value::Object(mut fields) = value {
        // {type, timestamp, data, id, project}, the other form that a sender may choose.
        if !fields.contains_key("event") && fields.get("timestamp").is_some_and(Value::is_string) {
            if let Some(event) = fields.get("type").cloned() {
                fields.insert("event".to_owned(), event);
            }
        }
        let text_of = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
        if let (Some(id), Some(event)) = (text_of("id"), text_of("event")) {
            if is_object(fields.get("project")) && is_object(fields.get("data")) {
                return Ok(Event { id, event, fields, test: false });
            }
        }
    }
    refuse(Code::InvalidEnvelope, "the signature matches, but the body is not {id, event, project, data}")
}
