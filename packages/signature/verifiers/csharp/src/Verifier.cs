using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Hookwright.Signature;

/// <summary>The body of a genuine delivery.</summary>
/// <param name="Id">The same on every retry and resend.</param>
/// <param name="Event">The name of the event.</param>
/// <param name="Body">The whole body, with <c>project</c> and <c>data</c>.</param>
/// <param name="Test">Whether it is a test from the console. Its header is not signed.</param>
public sealed record WebhookEvent(string Id, string Event, JsonElement Body, bool Test);

/// <summary>Verifies webhook deliveries. .NET 8 or later, nothing to install.</summary>
public static class Verifier
{
    private const double Milliseconds = 1e11; // later than any date in seconds

    /// <summary>Returns the event of a delivery that is genuine.</summary>
    /// <param name="body">The bytes that came, before anything parses them.</param>
    /// <param name="readHeader">Returns a header by its name in any case, a repeated one joined with commas, or null.
    /// In ASP.NET Core: <c>name => request.Headers[name]</c>.</param>
    /// <param name="secrets">The webhook's signing secrets: one, or several while it is being rotated.</param>
    /// <param name="toleranceSeconds">How far the time of the delivery may be from now, in both directions.</param>
    /// <param name="now">Unix seconds. Null is the current time.</param>
    /// <param name="headerPrefix">The prefix of the header names, if the sender has one of its own.</param>
    /// <exception cref="SignatureException">The delivery is refused, or an argument is wrong.</exception>
    public static WebhookEvent Verify(
        byte[]? body,
        Func<string, string?> readHeader,
        IReadOnlyCollection<string?>? secrets,
        double toleranceSeconds = 300,
        double? now = null,
        string headerPrefix = "X-Service")
    {
        if (body is null)
            throw new SignatureException("body_not_raw", "the body is missing: pass the bytes that came");
        // Anybody can sign with an empty key, so it is refused even beside others.
        if (secrets is null || secrets.Count == 0 || secrets.Any(string.IsNullOrEmpty))
            throw new SignatureException("no_secret", "a secret is empty or missing: is its variable set?");
        var time = now ?? DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() / 1000.0;
        if (double.IsNaN(time) || !(toleranceSeconds >= 0))
            throw new SignatureException("invalid_option", "toleranceSeconds or now is negative or not a number");
        if (!Regex.IsMatch(headerPrefix, @"\A[A-Za-z0-9-]{1,40}\z"))
            throw new SignatureException("invalid_option", "headerPrefix is not like X-Acme");
        var prefix = headerPrefix.ToLowerInvariant();

        var timestamp = Required(readHeader, prefix + "-timestamp");
        var signature = Required(readHeader, prefix + "-signature");
        if (!Regex.IsMatch(timestamp, @"\A[0-9]+\z"))
            throw new SignatureException("malformed_header", $"{prefix}-timestamp is repeated or not an integer");
        var given = signature.Split(',').Select(value => value.Trim())
            .Where(value => Regex.IsMatch(value, @"\Av1=[0-9a-f]{64}\z")).ToList();
        if (given.Count == 0)
            throw new SignatureException("malformed_header", $"{prefix}-signature is not v1= and 64 lower-case hex digits");
        CheckTime(double.Parse(timestamp, CultureInfo.InvariantCulture), time, toleranceSeconds, prefix);

        if (!Matches(body, timestamp, given, secrets))
            throw new SignatureException("signature_mismatch", ExplainMismatch(body, secrets));
        var parsed = Parse(body);
        var name = parsed.GetProperty(NameField(parsed)).GetString()!;
        if ((readHeader(prefix + "-event") ?? name) != name)
            throw new SignatureException("event_mismatch", $"{prefix}-event is not the event in the body");
        var test = readHeader(prefix + "-test") == "1";
        return new WebhookEvent(parsed.GetProperty("id").GetString()!, name, parsed, test);
    }

    private static string Required(Func<string, string?> readHeader, string name)
    {
        var value = readHeader(name);
        return string.IsNullOrEmpty(value)
            ? throw new SignatureException("missing_header", $"no {name}: pass all headers")
            : value;
    }

    private static void CheckTime(double sent, double now, double tolerance, string prefix)
    {
        var distance = Math.Abs(now - sent);
        if (distance <= tolerance) return;
        var reason = "a replay, or a wrong clock";
        if (now >= Milliseconds != sent >= Milliseconds)
            reason = (now >= Milliseconds ? "now" : $"{prefix}-timestamp") + " is in milliseconds";
        var side = now > sent ? "behind" : "ahead of";
        throw new SignatureException("timestamp_outside_tolerance", string.Create(CultureInfo.InvariantCulture,
            $"the timestamp is {distance:F3} s {side} now, the limit is {tolerance} s: {reason}"));
    }

    /// <summary>Compares all, so the time tells nothing.</summary>
    private static bool Matches(byte[] body, string timestamp, List<string> given, IReadOnlyCollection<string?> secrets)
    {
        var message = Encoding.UTF8.GetBytes(timestamp + ".").Concat(body).ToArray();
        var found = false;
        foreach (var secret in secrets)
        {
            var digest = HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret!), message);
            foreach (var value in given)
                found |= CryptographicOperations.FixedTimeEquals(Convert.FromHexString(value[3..]), digest);
        }
        return found;
    }

    private static string ExplainMismatch(byte[] body, IReadOnlyCollection<string?> secrets)
    {
        if (body.Length == 0) return "the body is empty: it was never read, or something read it before";
        var trimmed = secrets.Any(secret => secret!.Trim() != secret) ? ", trimmed" : "";
        return $"no signature matches: the secret is wrong (pass the whole whsec_ text{trimmed}), "
            + "or the body was changed (parsed, re-encoded, or still base64)";
    }

    private static JsonElement Parse(byte[] body)
    {
        JsonElement root;
        try
        {
            // As a text, because the reader refuses bytes that are no UTF-8. GetString replaces them.
            var text = Encoding.UTF8.GetString(body);
            var options = new JsonDocumentOptions { MaxDepth = 512 };
            using var document = JsonDocument.Parse(text.StartsWith('\uFEFF') ? text[1..] : text, options);
            root = document.RootElement.Clone();
        }
        catch (JsonException)
        {
            throw new SignatureException("invalid_json", "the signature matches, but the body is not JSON");
        }
        if (IsText(root, "id") && IsText(root, NameField(root)) && IsObject(root, "project") && IsObject(root, "data"))
            return root;
        throw new SignatureException("invalid_envelope", "the signature matches, but the body is not {id, event, project, data}");
    }

    /// <summary>In {type, timestamp, data, id, project}, the other form that a sender may choose, it is the type.</summary>
    private static string NameField(JsonElement root) =>
        root.ValueKind == JsonValueKind.Object && !root.TryGetProperty("event", out _) && IsText(root, "timestamp")
            ? "type"
            : "event";

    private static bool IsText(JsonElement root, string name) =>
        root.ValueKind == JsonValueKind.Object && root.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String;

    private static bool IsObject(JsonElement root, string name) =>
        root.TryGetProperty(name, out var value) && value.ValueKind is JsonValueKind.Object or JsonValueKind.Array;
}
