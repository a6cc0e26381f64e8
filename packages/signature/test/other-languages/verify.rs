// Copy this file into your receiver as src/verify.rs: cargo add hmac@0.12 sha2@0.10 hex@0.4
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Whether a delivery is genuine and its time at most `tolerance` seconds from `now` (Unix seconds).
///
/// `body`: the bytes that came, before anything parses them. `headers`: name and value, names in any case.
/// `secrets`: the webhook's signing secrets: one, or both while it is being rotated.
///
/// # Panics
/// If there is no secret, or an empty one.
pub fn verify<'a>(
    body: &[u8],
    headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    secrets: &[&str],
    tolerance: f64,
    now: f64,
) -> bool {
    assert!(!secrets.is_empty() && secrets.iter().all(|secret| !secret.is_empty()), "pass signing secrets, none of them empty");
    let (mut timestamps, mut signatures) = (Vec::new(), Vec::new());
    for (name, value) in headers {
        if name.eq_ignore_ascii_case("x-service-timestamp") {
            timestamps.push(value);
        } else if name.eq_ignore_ascii_case("x-service-signature") {
            signatures.extend(value.split(','));
        }
    }
    let timestamp = timestamps.join(",");
    if timestamp.is_empty() || timestamp.len() > 15 || !timestamp.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let mut matches = false;
    for secret in secrets {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes a key of any length");
        mac.update(timestamp.as_bytes());
        mac.update(b".");
        mac.update(body);
        for given in &signatures {
            // Lower case only, as the sender writes it. verify_slice compares in constant time.
            let digits = given.trim().strip_prefix("v1=").filter(|text| !text.bytes().any(|byte| byte.is_ascii_uppercase()));
            let digest = digits.and_then(|text| hex::decode(text).ok());
            matches |= digest.is_some_and(|digest| mac.clone().verify_slice(&digest).is_ok());
        }
    }
    let sent: f64 = timestamp.parse().expect("these are digits");
    matches && (now - sent).abs() <= tolerance
}
