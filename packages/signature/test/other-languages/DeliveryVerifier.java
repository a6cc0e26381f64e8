// Copy this file into your receiver, and add your package: Java 17 or later, nothing to install.
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class DeliveryVerifier {
    public static final Duration TOLERANCE = Duration.ofSeconds(300);

    private DeliveryVerifier() {}

    /**
     * Whether a delivery is genuine and its time at most the tolerance from now.
     *
     * @param body the bytes that came, before anything parses them
     * @param headers names in any case, as Spring's HttpHeaders
     * @param secrets the webhook's signing secrets: one, or both while it is being rotated
     */
    public static boolean verify(
            byte[] body, Map<String, List<String>> headers, List<String> secrets, Duration tolerance, Instant now) {
        if (secrets.isEmpty() || secrets.stream().anyMatch(secret -> secret == null || secret.isEmpty())) {
            throw new IllegalArgumentException("secrets: pass a list of signing secrets, none of them empty");
        }
        String timestamp = read(headers, "x-service-timestamp");
        if (!timestamp.matches("[0-9]{1,15}")) return false;
        boolean matches = false;
        for (String secret : secrets) {
            byte[] expected = ("v1=" + sign(secret, timestamp, body)).getBytes(StandardCharsets.UTF_8);
            for (String given : read(headers, "x-service-signature").split(",")) {
                // isEqual takes the same time wherever the difference is.
                matches |= MessageDigest.isEqual(given.strip().getBytes(StandardCharsets.UTF_8), expected);
            }
        }
        Instant sent = Instant.ofEpochSecond(Long.parseLong(timestamp));
        return matches && Duration.between(sent, now).abs().compareTo(tolerance) <= 0;
    }

    private static String read(Map<String, List<String>> headers, String name) {
        return headers.entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .flatMap(header -> header.getValue().stream())
                .collect(Collectors.joining(","));
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
}
