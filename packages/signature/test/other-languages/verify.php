<?php
// Copy this file into your receiver: PHP 8.0 or later, nothing to install.

/**
 * Whether a delivery is genuine and its time at most $tolerance seconds from $now.
 *
 * @param string $body the bytes that came, before anything parses them
 * @param array $headers names in any case, with a value or a list of values each
 * @param string[] $secrets the webhook's signing secrets: one, or both while it is being rotated
 */
function verify_delivery(string $body, array $headers, array $secrets, float $tolerance = 300, ?float $now = null): bool
{
    if ($secrets === [] || in_array('', $secrets, true)) {
        throw new InvalidArgumentException('secrets: pass a list of signing secrets, none of them empty');
    }
    $found = ['x-service-timestamp' => [], 'x-service-signature' => []];
    foreach ($headers as $name => $value) {
        $name = strtolower((string) $name);
        if (isset($found[$name])) array_push($found[$name], ...array_values((array) $value));
    }
    [$timestamp, $signatures] = array_map(fn ($values) => implode(',', $values), array_values($found));
    if (preg_match('/\A[0-9]{1,15}\z/', $timestamp) !== 1) return false;
    $matches = false;
    foreach ($secrets as $secret) {
        $expected = 'v1=' . hash_hmac('sha256', "$timestamp.$body", $secret);
        foreach (explode(',', $signatures) as $given) {
            $matches = hash_equals($expected, trim($given)) || $matches;
        }
    }
    return $matches && abs(($now ?? microtime(true)) - (int) $timestamp) <= $tolerance;
}
