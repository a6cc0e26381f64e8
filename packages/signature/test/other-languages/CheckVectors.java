// Checks `authentic` of every vector: java -cp FOLDER CheckVectors < lines. Java has no JSON, so each line has a vector's
// name, body, headers (lines of "name: value"), secrets (lines), tolerance, now and result, in base64, with blanks between.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public final class CheckVectors {
    public static void main(String[] arguments) throws Exception {
        List<String> wrong = new ArrayList<>();
        int count = 0;
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] fields = line.split(" ", -1);
            Map<String, List<String>> headers = new TreeMap<>();
            for (String header : text(fields[2]).split("\n")) {
                int colon = header.indexOf(": ");
                if (colon < 0) continue;
                headers.computeIfAbsent(header.substring(0, colon).toLowerCase(), name -> new ArrayList<>())
                        .add(header.substring(colon + 2));
            }
            List<String> secrets = List.of(text(fields[3]).split("\n", -1));
            boolean genuine;
            try {
                Duration tolerance = Duration.ofMillis(Math.round(Double.parseDouble(text(fields[4])) * 1000));
                Instant now = Instant.ofEpochMilli(Math.round(Double.parseDouble(text(fields[5])) * 1000));
                byte[] body = Base64.getDecoder().decode(fields[1]);
                genuine = DeliveryVerifier.verify(body, headers, secrets, tolerance, now);
            } catch (IllegalArgumentException error) {
                genuine = false; // no secret, or an empty one
            }
            if (genuine != Boolean.parseBoolean(text(fields[6]))) wrong.add(text(fields[0]));
            count++;
        }
        System.out.println(count + " vectors, " + wrong.size() + " wrong\n" + String.join("\n", wrong));
        System.exit(wrong.isEmpty() && count > 0 ? 0 : 1);
    }

    private static String text(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
