<?php

declare(strict_types=1);

namespace Hookwright\Signature;

/** Verifies webhook deliveries. PHP 8.0 or later, with the extensions hash and json, which PHP always has. */
final class Verifier
{
    /** Later than any date in seconds. */
    private const MILLISECONDS = 1e11;

    /**
     * Returns the event of a delivery that is genuine. It has `'test' => true` if it is a test from the console.
     *
     * @param string|null $body the bytes that came, before anything parses them
     * @param iterable $headers names in any case, with a value or a list of values each
     * @param string|string[]|null $secrets the webhook's signing secret, or several while it is being rotated
     * @param float $tolerance seconds that the time of the delivery may differ from $now
     * @param float|null $now Unix seconds; without it the current time
     * @param string $headerPrefix the prefix of the header names, if the sender has one of its own
     * @return array<string, mixed>
     * @throws SignatureError
     */
    public static function verify(
        mixed $body,
        iterable $headers,
        #[\SensitiveParameter] string|array|null $secrets,
        float $tolerance = 300,
        ?float $now = null,
        string $headerPrefix = 'X-Service'
    ): array {
        if (!is_string($body)) {
            $kind = $body === null || $body === false ? 'missing' : 'parsed (' . get_debug_type($body) . ')';
            throw new SignatureError('body_not_raw', "the body is $kind: pass the bytes that came");
        }
        $keys = (array) $secrets;
        // Anybody can sign with an empty key, so it is refused even beside others.
        if ($keys === [] || array_filter($keys, fn ($key) => !is_string($key) || $key === '') !== []) {
            throw new SignatureError('no_secret', 'a secret is empty or missing: is its variable set?');
        }
        $now ??= microtime(true);
        if (is_nan($now) || !($tolerance >= 0)) {
            throw new SignatureError('invalid_option', '$tolerance or $now is negative or not a number');
        }
        if (preg_match('/\A[A-Za-z0-9-]{1,40}\z/', $headerPrefix) !== 1) {
            throw new SignatureError('invalid_option', '$headerPrefix is not like X-Acme');
        }
        $prefix = strtolower($headerPrefix);
        $found = self::readHeaders($headers, $prefix);
        $timestamp = self::required($found, "$prefix-timestamp");
        $signature = self::required($found, "$prefix-signature");
        if (preg_match('/\A[0-9]+\z/', $timestamp) !== 1) {
            throw new SignatureError('malformed_header', "$prefix-timestamp is repeated or not an integer");
        }
        $given = preg_grep('/\Av1=[0-9a-f]{64}\z/', array_map('trim', explode(',', $signature)));
        if ($given === [] || $given === false) {
            throw new SignatureError('malformed_header', "$prefix-signature is not v1= and 64 lower-case hex digits");
        }
        self::checkTime((float) $timestamp, $now, $tolerance, $prefix);
        // All are compared, so the time tells nothing.
        $matches = false;
        foreach ($keys as $key) {
            $expected = 'v1=' . hash_hmac('sha256', "$timestamp.$body", $key);
            foreach ($given as $value) {
                $matches = hash_equals($expected, $value) || $matches;
            }
        }
        if (!$matches) {
            throw new SignatureError('signature_mismatch', self::explainMismatch($body, $keys));
        }
        $event = self::parseEvent($body);
        if (($found["$prefix-event"] ?? $event['event']) !== $event['event']) {
            throw new SignatureError('event_mismatch', "$prefix-event is not the event in the body");
        }
        if (($found["$prefix-test"] ?? '') === '1') {
            $event['test'] = true;
        }
        return $event;
    }

    /** By lower-case name. A repeated header is joined with commas, so a repeated timestamp is no integer. */
    private static function readHeaders(iterable $headers, string $prefix): array
    {
        $found = [];
        foreach ($headers as $name => $values) {
            $name = strtolower((string) $name);
            if (!str_starts_with($name, "$prefix-")) {
                continue;
            }
            foreach ((array) $values as $value) {
                $found[$name] = isset($found[$name]) ? "$found[$name],$value" : (string) $value;
            }
        }
        return $found;
    }

    private static function required(array $found, string $name): string
    {
        if (($found[$name] ?? '') === '') {
            throw new SignatureError('missing_header', "no $name: pass all headers");
        }
        return $found[$name];
    }

    private static function checkTime(float $sent, float $now, float $tolerance, string $prefix): void
    {
        $distance = abs($now - $sent);
        if ($distance <= $tolerance) {
            return;
        }
        $reason = 'a replay, or a wrong clock';
        if (($now >= self::MILLISECONDS) !== ($sent >= self::MILLISECONDS)) {
            $reason = ($now >= self::MILLISECONDS ? 'now' : "$prefix-timestamp") . ' is in milliseconds';
        }
        $side = $now > $sent ? 'behind' : 'ahead of';
        $message = sprintf('the timestamp is %.3f s %s now, the limit is %g s: %s', $distance, $side, $tolerance, $reason);
        throw new SignatureError('timestamp_outside_tolerance', $message);
    }

    private static function explainMismatch(string $body, array $keys): string
    {
        if ($body === '') {
            return 'the body is empty: it was never read, or something read it before';
        }
        $trimmed = array_map('trim', $keys) !== $keys ? ', trimmed' : '';
        return "no signature matches: the secret is wrong (pass the whole whsec_ text$trimmed), "
            . 'or the body was changed (parsed, re-encoded, or still base64)';
    }

    private static function parseEvent(string $body): array
    {
        $text = str_starts_with($body, "\u{FEFF}") ? substr($body, 3) : $body;
        $event = json_decode($text, true, 512, JSON_INVALID_UTF8_SUBSTITUTE);
        if (json_last_error() !== JSON_ERROR_NONE) {
            throw new SignatureError('invalid_json', 'the signature matches, but the body is not JSON');
        }
        // {type, timestamp, data, id, project}, the other form that a sender may choose.
        if (is_array($event) && !array_key_exists('event', $event) && is_string($event['timestamp'] ?? null)) {
            $event['event'] = $event['type'] ?? null;
        }
        if (
            !is_array($event) || !is_string($event['id'] ?? null) || !is_string($event['event'] ?? null)
            || !is_array($event['project'] ?? null) || !is_array($event['data'] ?? null)
        ) {
            throw new SignatureError(
                'invalid_envelope',
                'the signature matches, but the body is not {id, event, project, data}'
            );
        }
        return $event;
    }
}
