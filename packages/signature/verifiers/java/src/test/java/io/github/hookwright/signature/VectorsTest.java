package io.github.hookwright.signature;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks every shared vector. A program, so that it needs no test framework: {@code java … VectorsTest [test-vectors.json]}. */
public final class VectorsTest {
    public static void main(String[] arguments) throws Exception {
        String file = arguments.length > 0 ? arguments[0] : "../../test-vectors.json";
        var vectors = list(map(Json.parse(Files.readString(Path.of(file)))).get("vectors"));
        List<Object> wrong = new ArrayList<>();
        for (Object vector : vectors) {
            if (!resultOf(map(vector)).equals(map(vector).get("expected"))) wrong.add(map(vector).get("name"));
        }
        System.out.println(vectors.size() + " vectors, " + wrong.size() + " wrong");
        wrong.forEach(System.out::println);
        System.exit(wrong.isEmpty() && !vectors.isEmpty() ? 0 : 1);
    }

    private static Map<String, Object> resultOf(Map<?, ?> vector) {
        Map<String, List<String>> headers = new HashMap<>();
        for (Object pair : list(vector.get("headers"))) {
            headers.computeIfAbsent((String) list(pair).get(0), name -> new ArrayList<>()).add((String) list(pair).get(1));
        }
        List<String> secrets = list(vector.get("secrets")).stream().map(String.class::cast).toList();
        Map<String, Object> result = new LinkedHashMap<>();
        try {
            Verifier verifier = Verifier.of(secrets)
                    .withTolerance(Duration.ofMillis(milliseconds(vector.get("toleranceSeconds"))))
                    .withClock(Clock.fixed(Instant.ofEpochMilli(milliseconds(vector.get("now"))), ZoneOffset.UTC));
            if (vector.get("headerPrefix") instanceof String prefix) verifier = verifier.withHeaderPrefix(prefix);
            byte[] body = Base64.getDecoder().decode((String) map(vector.get("body")).get("base64"));
            Event event = verifier.verify(body, headers);
            result.put("eventId", event.id());
            if (event.test()) result.put("test", true);
        } catch (SignatureError error) {
            System.out.println(error);
            result.put("error", error.code().text());
        }
        return result;
    }

    private static long milliseconds(Object seconds) {
        return ((java.math.BigDecimal) seconds).movePointRight(3).longValueExact();
    }

    private static Map<?, ?> map(Object value) {
        return (Map<?, ?>) value;
    }

    private static List<?> list(Object value) {
        return (List<?>) value;
    }
}
