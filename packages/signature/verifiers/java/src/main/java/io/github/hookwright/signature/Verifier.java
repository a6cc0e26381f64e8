package io.github.hookwright.signature;

import io.github.hookwright.signature.SignatureError.Code;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies webhook deliveries. Java 17 or later, nothing to install. Instances do not change, and threads may share them.
 *
 * <pre>{@code Event event = Verifier.of(secrets).verify(body, headers);}</pre>
 */
public final class Verifier {
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9-]{1,40}");
    private static final Pattern TIMESTAMP = Pattern.compile("[0-9]+");
    private static final Pattern SIGNATURE = Pattern.compile("v1=[0-9a-f]{64}");
    private static final double MILLISECONDS = 1e11; // later than any date in seconds

    private final List<String> secrets;
    private final Duration tolerance;
    private final Clock clock;
    private final String prefix;

    private Verifier(List<String> secrets, Duration tolerance, Clock clock, String prefix) {
        this.secrets = secrets;
        this.tolerance = tolerance;
        this.clock = clock;
        this.prefix = prefix;
    }

    /** @param secrets the webhook's signing secrets: one, or several while it is being rotated */
    public static Verifier of(List<String> secrets) {
        // Anybody can sign with an empty key, so it is refused even beside others.
        if (secrets == null || secrets.isEmpty() || secrets.stream().anyMatch(secret -> secret == null || secret.isEmpty())) {
            throw new SignatureError(Code.NO_SECRET, "a secret is empty or missing: is its variable set?");
        }
        return new Verifier(List.copyOf(secrets), Duration.ofSeconds(300), Clock.systemUTC(), "x-service");
    }

    /** How far the time of a delivery may be from now, in both directions: 300 seconds without this. */
    public Verifier withTolerance(Duration tolerance) {
        if (tolerance == null || tolerance.isNegative()) {
            throw new SignatureError(Code.INVALID_OPTION, "the tolerance is negative or missing");
        }
        return new Verifier(secrets, tolerance, clock, prefix);
    }

    public Verifier withClock(Clock clock) {
        return new Verifier(secrets, tolerance, clock, prefix);
    }

    /** The prefix of the header names, if the sender has one of its own: {@code X-Service} without this. */
    public Verifier withHeaderPrefix(String headerPrefix) {
        if (headerPrefix == null || !PREFIX.matcher(headerPrefix).matches()) {
            throw new SignatureError(Code.INVALID_OPTION, "the header prefix is not like X-Acme");
        }
        return new Verifier(secrets, tolerance, clock, headerPrefix.toLowerCase(Locale.ROOT));
    }

    /**
     * Returns the event of a delivery that is genuine.
     *
     * @param body the bytes that came, before anything parses them
     * @param headers names in any case, with their values
     * @throws SignatureError if it is not
     */
    public Event verify(byte[] body, Map<String, ? extends List<String>> headers) {
        if (body == null) throw new SignatureError(Code.BODY_NOT_RAW, "the body is missing: pass the bytes that came");
        Map<String, String> found = read(headers);
        String timestamp = required(found, "timestamp");
        String signature = required(found, "signature");
        if (!TIMESTAMP.matcher(timestamp).matches()) {
            throw new SignatureError(Code.MALFORMED_HEADER, prefix + "-timestamp is repeated or not an integer");
        }
        List<String> given = Arrays.stream(signature.split(","))
                .map(String::strip)
                .filter(value -> SIGNATURE.matcher(value).matches())
                .toList();
        if (given.isEmpty()) {
            throw new SignatureError(Code.MALFORMED_HEADER, prefix + "-signature is not v1= and 64 lower-case hex digits");
        }
        checkTime(Double.parseDouble(timestamp));
        if (!matches(body, timestamp, given)) throw new SignatureError(Code.SIGNATURE_MISMATCH, explainMismatch(body));
        return parse(body, found);
    }

    /** By lower-case name. A repeated header is joined with commas, so a repeated timestamp is no integer. */
    private static Map<String, String> read(Map<String, ? extends List<String>> headers) {
        Map<String, String> found = new HashMap<>();
        headers.forEach((name, values) -> {
            if (name == null || values == null) return; // HttpURLConnection has the status line under null
            for (String value : values) {
                if (value != null) found.merge(name.toLowerCase(Locale.ROOT), value, (before, after) -> before + "," + after);
            }
        });
        return found;
    }

    private String required(Map<String, String> found, String suffix) {
        String name = prefix + "-" + suffix;
        String value = found.getOrDefault(name, "");
        if (value.isEmpty()) throw new SignatureError(Code.MISSING_HEADER, "no " + name + ": pass all headers");
        return value;
    }

    private void checkTime(double sent) {
        Instant instant = clock.instant();
        double now = instant.getEpochSecond() + instant.getNano() / 1e9;
        double distance = Math.abs(now - sent);
        if (distance <= tolerance.getSeconds() + tolerance.getNano() / 1e9) return;
        String reason = "a replay, or a wrong clock";
        if (now >= MILLISECONDS != sent >= MILLISECONDS) {
            reason = (now >= MILLISECONDS ? "now" : prefix + "-timestamp") + " is in milliseconds";
        }
        String side = now > sent ? "behind" : "ahead of";
        throw new SignatureError(
                Code.TIMESTAMP_OUTSIDE_TOLERANCE,
                String.format(Locale.ROOT, "the timestamp is %.3f s %s now, the limit is %s: %s", distance, side, tolerance, reason));
    }

    /** Compares all, so the time tells nothing. */
    private boolean matches(byte[] body, String timestamp, List<String> given) {
        boolean found = false;
        for (String secret : secrets) {
            byte[] expected = ("v1=" + sign(secret, timestamp, body)).getBytes(StandardCharsets.UTF_8);
            // isEqual takes the same time wherever the difference is.
            for (String value : given) found |= MessageDigest.isEqual(value.getBytes(StandardCharsets.UTF_8), expected);
        }
        return found;
    }

    private static String sign(String secret, String timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update((timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException("every Java has HmacSHA256", error);
        }
    }

    private String explainMismatch(byte[] body) {
        if (body.length == 0) return "the body is empty: it was never read, or something read it before";
        String trimmed = secrets.stream().anyMatch(secret -> !secret.equals(secret.strip())) ? ", trimmed" : "";
        return "no signature matches: the secret is wrong (pass the whole whsec_ text" + trimmed
                + "), or the body was changed (parsed, re-encoded, or still base64)";
    }

    private Event parse(byte[] body, Map<String, String> found) {
        Object value;
        try {
            value = Json.parse(new String(body, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException error) {
            throw new SignatureError(Code.INVALID_JSON, "the signature matches, but the body is not JSON");
        }
        if (!(value instanceof Map<?, ?> map)
                || !(map.get("id") instanceof String id)
                || !(eventOf(map) instanceof String event)
                || !isObject(map.get("project"))
                || !isObject(map.get("data"))) {
            throw new SignatureError(
                    Code.INVALID_ENVELOPE, "the signature matches, but the body is not {id, event, project, data}");
        }
        if (!found.getOrDefault(prefix + "-event", event).equals(event)) {
            throw new SignatureError(Code.EVENT_MISMATCH, prefix + "-event is not the event in the body");
        }
        Map<String, Object> fields = new java.util.LinkedHashMap<>();
        map.forEach((name, field) -> fields.put((String) name, field));
        fields.put("event", event);
        return new Event(id, event, fields, "1".equals(found.get(prefix + "-test")));
    }

    /** In {type, timestamp, data, id, project}, the other form that a sender may choose, it is the type. */
    private static Object eventOf(Map<?, ?> map) {
        boolean isStandard = !map.containsKey("event") && map.get("timestamp") instanceof String;
        return map.get(isStandard ? "type" : "event");
    }

    private static boolean isObject(Object value) {
        return value instanceof Map || value instanceof List;
    }
}
