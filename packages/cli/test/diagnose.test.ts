import { createHmac } from "node:crypto";
import type { HeaderLines } from "@hookwright/domain";
import { signSync } from "@hookwright/signature/node";
import { describe, expect, it } from "vitest";
import { diagnose } from "../src/check/diagnose.ts";
import { parseHeaders } from "../src/check/http-message.ts";
import { orderBody } from "./support/rows.ts";

const secret = "whsec_kVn3pR8sT1uW4xZ6aB9cD2eF5gH7jK0l";
const now = 1_800_000_000;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function headersOf(signature: string, timestamp: number | string = now): HeaderLines {
  return [
    ["X-Service-Event", "order.created"],
    ["X-Service-Timestamp", String(timestamp)],
    ["X-Service-Signature", signature],
  ];
}
const signed = (body: string | Uint8Array = orderBody, timestamp = now): HeaderLines =>
  headersOf(signSync({ body, secret, timestamp }), timestamp);

function check({
  secrets = [secret],
  headers = signed(),
  body = orderBody,
  at = now,
}: {
  readonly secrets?: readonly string[];
  readonly headers?: HeaderLines;
  readonly body?: string | Uint8Array;
  readonly at?: number;
}) {
  const bytes = typeof body === "string" ? encode(body) : body;
  return diagnose({ secrets, headers, body: bytes, toleranceSeconds: 300, now: at });
}

it("a valid delivery has no problems", () => {
  expect(check({ at: now + 4 })).toEqual({
    valid: true,
    code: null,
    event: "order.created",
    id: "order.created_ord_1",
    test: false,
    age_seconds: 4,
    problems: [],
  });
});

describe("a prefix of the server", () => {
  const acme = (headers: HeaderLines): HeaderLines =>
    headers.map(([name, value]) => [name.replace("X-Service", "X-Acme"), value]);
  const delivery = ["X-Service-Delivery", "dlv_1"] as const;

  it("is found in the headers, and named in the problems", () => {
    expect(check({ headers: acme([...signed(), delivery]) }).valid).toBe(true);
    const milliseconds = acme([...headersOf(`v1=${"0".repeat(64)}`, now * 1_000), delivery]);
    expect(check({ headers: milliseconds }).problems[0]?.message).toContain("X-Acme-Timestamp");
  });

  it("can be given for headers that are not complete", () => {
    const headers = acme(signed());
    expect(check({ headers }).problems[0]?.message).toContain("X-Service-Timestamp is missing");
    const options = { secrets: [secret], headers, body: encode(orderBody), toleranceSeconds: 300, now };
    expect(diagnose({ ...options, headerPrefix: "X-Acme" }).valid).toBe(true);
  });
});

const parsed: unknown = JSON.parse(orderBody);
const latin1Twice = Buffer.from(Buffer.from(orderBody).toString("latin1"));

it("a body of 10,000 levels is explained", () => {
  const body = `{"id":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
  expect(check({ body }).problems).toMatchObject([{ problem: "wrong_secret" }]);
});

describe("a changed body is recognised:", () => {
  it.each<[what: string, body: string | Uint8Array, message: RegExp]>([
    [
      "indented by 2",
      JSON.stringify(parsed, null, 2),
      /compact JSON, as the service writes it.*parsed and serialised/u,
    ],
    [
      "written by Python",
      orderBody
        .replaceAll(/([,:])(?=")/gu, "$1 ")
        .replace('"total":10', '"total": 10')
        .replaceAll('":{', '": {'),
      /parsed and serialised again/u,
    ],
    [
      "non-ASCII characters escaped",
      orderBody.replace("é", "\\u00e9"),
      /compact JSON, as the service writes it/u,
    ],
    [
      "slashes escaped",
      orderBody.replace("Europe/London", "Europe\\/London"),
      /compact JSON, as the service writes it/u,
    ],
    [
      "a number written in another way",
      orderBody.replace('"total":10', '"total":10.0'),
      /compact JSON, as the service writes it/u,
    ],
    [
      "the envelope in another order",
      `{"data":{"id":"ord_1","total":10},"project":{"id":"site_shop","name":"Café","timezone":"Europe/London"},"event":"order.created","id":"order.created_ord_1"}`,
      /in the order id, event, project, data/u,
    ],
    ["a line break at the end", `${orderBody}\n`, /without the white space around it/u],
    ["a JSON string in a JSON string", JSON.stringify(orderBody), /serialised twice/u],
    ["base64", Buffer.from(orderBody).toString("base64"), /still base64/u],
    ["a byte order mark", `\ufeff${orderBody}`, /byte order mark/u],
    ["UTF-16", Buffer.from(orderBody, "utf16le"), /utf-16le/u],
    ["Latin-1", Buffer.from(orderBody, "latin1"), /Latin-1/u],
    ["UTF-8 read as Latin-1", latin1Twice, /Latin-1/u],
    ["URL encoding", encodeURIComponent(orderBody), /read as a form/u],
  ])("%s", (_, body, message) => {
    const { valid, code, problems } = check({ body });
    expect({ valid, code }).toEqual({ valid: false, code: "signature_mismatch" });
    expect(problems).toEqual([{ problem: "body_changed", message: expect.stringMatching(message) }]);
  });

  it("CRLF in place of LF", () => {
    const headers = signed('{"a":\n1}');
    expect(check({ headers, body: '{"a":\r\n1}' }).problems[0]?.message).toMatch(/LF in place of CRLF/u);
  });

  it("a missing line break at the end", () => {
    expect(check({ headers: signed(`${orderBody}\n`) }).problems[0]?.message).toMatch(/last line break/u);
  });

  it("an empty body", () => {
    expect(check({ body: "" }).problems).toEqual([{ problem: "body_empty", message: expect.any(String) }]);
  });

  it("another length, if nothing usual explains it", () => {
    const headers: HeaderLines = [...signed(), ["Content-Length", String(encode(orderBody).length)]];
    const { problems } = check({ headers, body: orderBody.replace("10", "1000") });
    expect(problems[0]?.message).toMatch(/but the body has \d+ bytes: 2 more/u);
  });
});

describe("a wrong secret is recognised:", () => {
  it.each<[what: string, given: string, problem: string]>([
    ["a line break at its end", `${secret}\n`, "secret_white_space"],
    ["a blank inside", `${secret.slice(0, 9)} ${secret.slice(9)}`, "secret_white_space"],
    ["quotation marks", `"${secret}"`, "secret_quotes"],
    ["no prefix", secret.slice(6), "secret_prefix"],
    ["another secret", "whsec_another", "wrong_secret"],
    ["the placeholder of the documentation", "whsec_<SIGNING_SECRET>", "wrong_secret"],
  ])("%s", (_, given, problem) => {
    const { problems } = check({ secrets: [given] });
    expect(problems.map((each) => each.problem)).toEqual([problem]);
    expect(JSON.stringify(problems)).not.toContain(secret);
    expect(JSON.stringify(problems)).not.toContain(given.trim());
  });

  it("a signature with the decoded base64 as its key", () => {
    const key = Buffer.from(secret.slice(6), "base64");
    const digest = createHmac("sha256", key).update(`${now}.${orderBody}`).digest("hex");
    expect(check({ headers: headersOf(`v1=${digest}`) }).problems[0]?.problem).toBe("secret_decoded");
  });

  it("the right secret among several", () => {
    expect(check({ secrets: ["whsec_old", secret] }).valid).toBe(true);
  });

  it("says that the body is as sent, or that it may have been changed", () => {
    expect(check({ secrets: ["whsec_other"] }).problems[0]?.message).toMatch(
      /^The body looks as the service sends it/u,
    );
    expect(check({ body: '{"total": 11}' }).problems[0]?.message).toMatch(/^No usual change/u);
  });

  it("white space in the secret and a changed body together", () => {
    const { problems } = check({ secrets: [`${secret} `], body: `${orderBody}\n` });
    expect(problems.map((each) => each.problem)).toEqual(["secret_white_space", "body_changed"]);
  });
});

describe("the clock", () => {
  it.each([
    [86_400, /86,400 s behind the clock.*--tolerance 86400/u],
    [-600, /600 s ahead of the clock.*slow/u],
  ])("is %d s off", (skew, message) => {
    const { code, age_seconds, problems } = check({ at: now + skew });
    expect({ code, age_seconds }).toEqual({ code: "timestamp_outside_tolerance", age_seconds: skew });
    expect(problems).toEqual([
      { problem: "timestamp_outside_tolerance", message: expect.stringMatching(message) },
      { problem: "signature_matches", message: "Apart from that, the signature matches." },
    ]);
  });

  it("does not hide that the body is changed too", () => {
    const { problems } = check({ at: now + 900, body: `${orderBody}\n` });
    expect(problems.map((each) => each.problem)).toEqual(["timestamp_outside_tolerance", "body_changed"]);
  });

  it("is in milliseconds in the header", () => {
    const headers = headersOf(signSync({ body: orderBody, secret, timestamp: now }), now * 1_000);
    expect(check({ headers }).problems[0]?.message).toMatch(/milliseconds/u);
  });
});

describe("headers:", () => {
  const without = (name: string): HeaderLines => signed().filter(([each]) => each !== name);
  const [, , [, signature] = ["", ""]] = signed();
  it.each<[what: string, headers: HeaderLines, problem: string, message: RegExp]>([
    [
      "a missing signature",
      without("X-Service-Signature"),
      "missing_header",
      /^X-Service-Signature is missing\. Pass all/u,
    ],
    [
      "a missing timestamp",
      without("X-Service-Timestamp"),
      "missing_header",
      /^X-Service-Timestamp is missing/u,
    ],
    ["an empty signature", headersOf(" "), "missing_header", /there, but empty/u],
    [
      "a name of CGI",
      [...without("X-Service-Signature"), ["HTTP_X_SERVICE_SIGNATURE", signature]],
      "missing_header",
      /HTTP_X_SERVICE_SIGNATURE looks like it/u,
    ],
    [
      "headers of Standard Webhooks only",
      [
        ["webhook-signature", "v1,abc"],
        ["X-Service-Timestamp", "1"],
      ],
      "missing_header",
      /Standard Webhooks/u,
    ],
    [
      "a timestamp twice",
      [...signed(), ["x-service-timestamp", String(now)]],
      "duplicate_header",
      /2 times, with the same value/u,
    ],
    ["two timestamps", [...signed(), ["x-service-timestamp", "1"]], "duplicate_header", /different values/u],
    [
      "a date as timestamp",
      headersOf(signature, "2027-01-15T08:00:00Z"),
      "malformed_header",
      /It looks like a date/u,
    ],
    ["upper case", headersOf(signature.toUpperCase().replace("V1", "v1")), "malformed_header", /upper case/u],
    ["no prefix", headersOf(signature.slice(3)), "malformed_header", /prefix v1= is missing/u],
    ["another scheme", headersOf(`sha256=${signature.slice(3)}`), "malformed_header", /begins with sha256=/u],
    [
      "base64",
      headersOf(`v1=${Buffer.from(signature.slice(3), "hex").toString("base64")}`),
      "malformed_header",
      /base64/u,
    ],
    ["a part", headersOf(signature.slice(0, 40)), "malformed_header", /37 digits in place of 64/u],
    ["quotation marks", headersOf(`"${signature}"`), "malformed_header", /quotation marks/u],
  ])("%s", (_, headers, problem, message) => {
    expect(check({ headers }).problems[0]).toEqual({ problem, message: expect.stringMatching(message) });
  });

  it("an event that is not that of the body", () => {
    const headers: HeaderLines = [["X-Service-Event", "order.paid"], ...signed().slice(1)];
    expect(check({ headers })).toMatchObject({
      code: "event_mismatch",
      problems: [{ problem: "event_mismatch" }],
    });
  });
});

describe("a headers file", () => {
  const expected = [
    ["X-Service-Timestamp", "1"],
    ["X-Service-Signature", "v1=a"],
  ];
  it.each([
    ["lines", "X-Service-Timestamp: 1\nX-Service-Signature: v1=a\n"],
    [
      "lines with CRLF and a request line",
      "POST /hook HTTP/1.1\r\nX-Service-Timestamp: 1\r\nX-Service-Signature: v1=a\r\n\r\n{}",
    ],
    ["lines of curl -v", "> POST /hook HTTP/1.1\n> X-Service-Timestamp: 1\n> X-Service-Signature: v1=a\n"],
    ["a JSON object", '{"X-Service-Timestamp":1,"X-Service-Signature":"v1=a"}'],
    [
      "a JSON object with headers inside",
      '{"headers":{"X-Service-Timestamp":"1","X-Service-Signature":["v1=a"]}}',
    ],
    ["an object that Node printed", "{\n  'X-Service-Timestamp': '1',\n  'X-Service-Signature': \"v1=a\"\n}"],
    ["an object that Python printed", "{'X-Service-Timestamp': '1', 'X-Service-Signature': 'v1=a'}"],
  ])("contains %s", (_, text) => {
    expect(parseHeaders(text, "headers.txt")).toEqual(expected);
  });

  it.each([
    ["", "headers.txt is empty"],
    ["{broken", "headers.txt begins like an object, but is neither JSON nor printed headers"],
    ["X-A: 1\nnonsense\n", "headers.txt, line 2 is not a header"],
  ])("%j is refused with the place", (text, message) => {
    expect(() => parseHeaders(text, "headers.txt")).toThrow(message);
  });
});
