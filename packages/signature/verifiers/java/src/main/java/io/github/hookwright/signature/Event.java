package io.github.hookwright.signature;

import java.util.Map;

/**
 * The body of a genuine delivery.
 *
 * @param id the same on every retry and resend
 * @param fields the whole body, with {@code project} and {@code data}: maps, lists, texts, {@code BigDecimal}, booleans, null
 * @param test whether it is a test from the console. Its header is not signed
 */
public record Event(String id, String event, Map<String, Object> fields, boolean test) {}
