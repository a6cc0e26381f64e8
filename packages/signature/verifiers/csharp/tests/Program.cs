// Checks every shared vector: dotnet run --project tests -- [test-vectors.json]
using System.Text.Json;
using Hookwright.Signature;

var file = args.Length > 0 ? args[0] : "../../test-vectors.json";
using var document = JsonDocument.Parse(File.ReadAllText(file));
var vectors = document.RootElement.GetProperty("vectors").EnumerateArray().ToList();
var wrong = vectors.Where(vector => ResultOf(vector) != ExpectedOf(vector.GetProperty("expected"))).ToList();
Console.WriteLine($"{vectors.Count} vectors, {wrong.Count} wrong");
foreach (var vector in wrong) Console.WriteLine(vector.GetProperty("name").GetString());
return wrong.Count == 0 && vectors.Count > 0 ? 0 : 1;

static string ExpectedOf(JsonElement expected) =>
    expected.TryGetProperty("error", out var error)
        ? error.GetString()!
        : $"event {expected.GetProperty("eventId").GetString()} {expected.TryGetProperty("test", out _)}";

static string ResultOf(JsonElement vector)
{
    var headers = vector.GetProperty("headers").EnumerateArray()
        .ToLookup(pair => pair[0].GetString()!, pair => pair[1].GetString()!, StringComparer.OrdinalIgnoreCase);
    try
    {
        var accepted = Verifier.Verify(
            vector.GetProperty("body").GetProperty("base64").GetBytesFromBase64(),
            name => headers.Contains(name) ? string.Join(',', headers[name]) : null,
            vector.GetProperty("secrets").EnumerateArray().Select(secret => secret.GetString()).ToList(),
            vector.GetProperty("toleranceSeconds").GetDouble(),
            vector.GetProperty("now").GetDouble(),
            vector.TryGetProperty("headerPrefix", out var prefix) ? prefix.GetString()! : "X-Service");
        return $"event {accepted.Id} {accepted.Test}";
    }
    catch (SignatureException error)
    {
        Console.WriteLine($"{error.Code}: {error.Message}");
        return error.Code;
    }
}
