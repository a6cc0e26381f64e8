package io.github.hookwright.signature;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads JSON (RFC 8259), because Java has no reader of its own. */
final class Json {
    private static final int MAXIMUM_DEPTH = 512;
    /** No exponent of more than three digits: {@code BigDecimal} would take long to print 1e999999999. */
    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?0*[0-9]{1,3})?");

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** Returns maps, lists, texts, {@code BigDecimal}, booleans and null. @throws IllegalArgumentException if it is not JSON */
    static Object parse(String text) {
        Json json = new Json(text.startsWith("\uFEFF") ? text.substring(1) : text);
        Object value = json.value();
        json.space();
        if (json.at < json.text.length()) throw json.unexpected();
        return value;
    }

    private Object value() {
        space();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> fields = new LinkedHashMap<>();
        enter();
        if (!skip('}')) {
            do {
                space();
                String name = string();
                expect(':');
                fields.put(name, value());
            } while (skip(','));
            expect('}');
        }
        depth--;
        return fields;
    }

    private List<Object> array() {
        List<Object> values = new ArrayList<>();
        enter();
        if (!skip(']')) {
            do values.add(value());
            while (skip(','));
            expect(']');
        }
        depth--;
        return values;
    }

    private void enter() {
        at++;
        if (++depth > MAXIMUM_DEPTH) throw new IllegalArgumentException("more than " + MAXIMUM_DEPTH + " levels");
    }

    private String string() {
        if (peek() != '"') throw unexpected();
        StringBuilder result = new StringBuilder();
        for (at++; peek() != '"'; at++) {
            char character = text.charAt(at);
            if (character < ' ') throw unexpected();
            result.append(character == '\\' ? escape() : character);
        }
        at++;
        return result.toString();
    }

    private char escape() {
        at++;
        char character = peek();
        int index = "\"\\/bfnrt".indexOf(character);
        if (index >= 0) return "\"\\/\b\f\n\r\t".charAt(index);
        if (character != 'u' || at + 4 >= text.length()) throw unexpected();
        int code = 0;
        for (int digit = 1; digit <= 4; digit++) {
            char hex = text.charAt(at + digit);
            int value = hex < 128 ? Character.digit(hex, 16) : -1;
            if (value < 0) throw unexpected();
            code = code * 16 + value;
        }
        at += 4;
        return (char) code;
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) throw unexpected();
        at += word.length();
        return value;
    }

    private BigDecimal number() {
        Matcher matcher = NUMBER.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) throw unexpected();
        at = matcher.end();
        return new BigDecimal(matcher.group());
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private boolean skip(char character) {
        space();
        if (at >= text.length() || text.charAt(at) != character) return false;
        at++;
        return true;
    }

    private void expect(char character) {
        if (!skip(character)) throw unexpected();
    }

    private char peek() {
        if (at >= text.length()) throw unexpected();
        return text.charAt(at);
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException("unexpected character at " + at);
    }
}
