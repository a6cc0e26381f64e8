import { describe, expect, it, vi } from "vitest";
import { listBodyVariants } from "../src/received/body-variants.ts";
import { compareReceived } from "../src/received/compare-received.ts";

const body = '{"id":"order.created_1","event":"order.created","data":{"name":"Zoë / Ltd","total":12.50}}';
const sent = {
  headers: {
    "Content-Type": "application/json",
    "X-Service-Event": "order.created",
    "X-Service-Delivery": "dlv_1",
    "X-Service-Timestamp": "1800000000",
    "X-Service-Signature": `v1=${"ab".repeat(32)}`,
    Authorization: "(not stored)",
  },
  body,
};
const parsed = JSON.parse(body);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const sorted = JSON.stringify({ data: parsed.data, event: parsed.event, id: parsed.id });
const lines = Object.entries(sent.headers)
  .filter(([name]) => name !== "Authorization")
  .map(([name, value]) => `${name}: ${value}`);

const causeOf = (received: string | Uint8Array) =>
  compareReceived(sent, received)
    .problems.map(({ message }) => message)
    .join(" ");

it("a body that arrived as it was sent has no difference", () => {
  expect(compareReceived(sent, encode(body))).toEqual({
    parts: ["body"],
    difference: undefined,
    problems: [],
  });
});

describe("the likely cause is named of a body", () => {
  it.for<[what: string, received: string | Uint8Array, cause: RegExp]>([
    ["with a byte order mark", `\ufeff${body}`, /without the byte order mark/u],
    ["with a line break at its end", `${body}\n`, /without the white space around it/u],
    ["with CR LF at its end", `${body}\r\n`, /without the white space around it/u],
    ["that was indented", JSON.stringify(parsed, null, 2), /same values.+numbers or characters/u],
    ["with sorted keys", sorted, /keys are in another order/u],
    ["with escaped characters", body.replace("ë", "\\u00eb"), /numbers or characters/u],
    ["with escaped slashes", body.replace("/", "\\/"), /numbers or characters/u],
    ["in a JSON string", JSON.stringify(body), /before it was put into a JSON string/u],
    ["in base64", btoa(unescape(encodeURIComponent(body))), /decoded from base64/u],
    ["converted once more", encode(new TextDecoder("latin1").decode(encode(body))), /Latin-1/u],
    ["that was cut off", body.slice(0, 30), /ends after 30 of \d+ bytes/u],
    ["that goes on", `${body},`, /has 1 more byte at its end/u],
    ["with another value", body.replace("12.50", "13"), /data\.total was sent as 12\.5 and arrived as 13/u],
    ["without a field", body.replace('"event":"order.created",', ""), /event is missing/u],
    ["that is something else", "hello", /not the JSON that was sent/u],
  ])("%s", ([, received, cause]) => {
    expect(compareReceived(sent, received).difference).toBeDefined();
    expect(causeOf(received)).toMatch(cause);
  });
});

it("a body in compact JSON that arrived indented was parsed and serialised again", () => {
  const compact = { ...sent, body: JSON.stringify(parsed) };
  const { problems } = compareReceived(compact, JSON.stringify(parsed, null, 2));
  expect(problems[0]?.message).toMatch(/compact JSON, as the service writes it.+serialised again/u);
});

describe("a body that nobody sent", () => {
  it.for([
    ["of 10,000 levels", "[".repeat(10_000) + "]".repeat(10_000)],
    ["of 10,000 brackets", "[".repeat(10_000)],
    ["with a field of 10,000 levels", `{"id":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
  ] as const)("%s is only different", ([, received]) => {
    expect(causeOf(received)).toMatch(/No usual change explains it: what was received is not the JSON/u);
  });

  it("of 870 KB is not parsed to guess how it was changed", () => {
    const received = `[${"{},".repeat(290_000)}{}]`;
    const small = { ...sent, body: '{"id":"order.created_1"}' };
    using parse = vi.spyOn(JSON, "parse");
    const { difference, problems } = compareReceived(small, received);
    expect(parse).not.toHaveBeenCalled();
    expect(difference?.offset).toBe(0);
    expect(problems.map(({ message }) => message)).toEqual([
      "No usual change explains it: 870004 bytes were received, and 24 were sent.",
    ]);
  });

  it("is written only in the forms that can have the length of the body that was sent", () => {
    using write = vi.spyOn(JSON, "stringify");
    const values = [{ a: [], 'é"': {} }, "x, y: [", [1, [true, "ë"]]];
    const indented = JSON.stringify(values, null, 4);
    write.mockClear();
    const variants = Array.from(listBodyVariants(encode(JSON.stringify(values)), encode(indented).length));
    expect(variants).toEqual([
      expect.objectContaining({ description: "written as JSON indented by 4", body: encode(indented) }),
    ]);
    // Indented lines at the deepest level: 10 MB.
    const deep = "[".repeat(60) + "0,".repeat(40_000) + "0" + "]".repeat(60);
    write.mockClear();
    expect(Array.from(listBodyVariants(encode(deep)), ({ description }) => description)).toEqual([
      "with a line break at its end",
      "written as JSON with a blank after commas and colons",
    ]);
    expect(write).not.toHaveBeenCalledWith(expect.anything(), null, 4);
  });
});

it("a long value, name or header that was received is cut", () => {
  const long = "x".repeat(100_000);
  const arrived = lines.map((line) => line.replace("Event: order.created", `Event: ${long}`));
  const other = lines.map((line) => line.replace("dlv_1", long));
  const late = lines.map((line) => line.replace("1800000000", "1".repeat(100_000)));
  const renamed = lines.map((line) => line.replace("X-Service-Signature", `X-Signature-${long}`));
  const named = { ...sent, body: JSON.stringify({ ...parsed, notes: "n".repeat(100_000) }) };
  const received = JSON.stringify({ [long]: 1, ...parsed, notes: "n".repeat(100_000) });
  const messages = [
    ...[arrived, other, late, renamed].map((each) => causeOf(each.join("\n"))),
    ...compareReceived(named, received).problems.map(({ message }) => message),
  ];
  expect(messages).toHaveLength(5);
  for (const message of messages) {
    expect(message).toContain("…");
    expect(message.length).toBeLessThan(500);
  }
});

describe("the first different byte", () => {
  it("is counted in bytes, its column in characters, and both sides are shown", () => {
    const { difference } = compareReceived(sent, body.replace("Ltd", "ltd"));
    const at = body.indexOf("Ltd");
    expect(difference).toEqual({
      offset: at + 1,
      line: 1,
      column: at + 1,
      before: body.slice(at - 24, at),
      sent: body.slice(at, at + 32),
      received: body.slice(at, at + 32).replace("Ltd", "ltd"),
    });
  });

  it("shows a whole character if a later byte of it differs", () => {
    const { difference } = compareReceived(sent, body.replace("ë", "é"));
    expect([difference?.sent[0], difference?.received[0], difference?.offset]).toEqual([
      "ë",
      "é",
      body.indexOf("ë") + 1,
    ]);
  });

  it("makes invisible characters visible", () => {
    const line = { ...sent, body: "a\nb\n" };
    expect(compareReceived(line, "a\nb\r\n").difference).toMatchObject({
      line: 2,
      column: 2,
      before: "a␊b",
      sent: "␊",
      received: "␍␊",
    });
    expect(compareReceived(line, "\ufeffa\nb\n").difference?.received).toBe("⟨U+FEFF⟩a␊b␊");
    expect(compareReceived(line, "a\nb").difference).toMatchObject({ sent: "␊", received: "" });
  });
});

describe("headers", () => {
  it("alone, or before a body, may have other cases, orders and further headers", () => {
    const arrived = ["POST /hook HTTP/1.1", "Host: example.com", ...lines.map((line) => line.toLowerCase())];
    expect(compareReceived(sent, arrived.join("\n"))).toMatchObject({ parts: ["headers"], problems: [] });
    expect(compareReceived(sent, `${arrived.join("\r\n")}\r\n\r\n${body}`)).toEqual({
      parts: ["headers", "body"],
      difference: undefined,
      problems: [],
    });
  });

  it("may be an object, as JSON or as Node and Python print it, also with the body", () => {
    const headers = Object.fromEntries(
      lines.map((line) => line.split(": ")).map(([name = "", value]) => [name.toLowerCase(), value]),
    );
    const printed = JSON.stringify(headers).replaceAll('"', "'");
    for (const received of [JSON.stringify(headers), printed, printed.replaceAll(",", ",\n ")])
      expect(compareReceived(sent, received)).toMatchObject({ parts: ["headers"], problems: [] });
    const event = JSON.stringify({ headers, body, isBase64Encoded: false });
    expect(compareReceived(sent, event)).toMatchObject({ parts: ["headers", "body"], problems: [] });
    expect(causeOf(JSON.stringify({ HTTP_X_SERVICE_SIGNATURE: "v1=a" }))).toContain("looks like it");
  });

  it.for<[what: string, arrived: readonly string[], cause: RegExp]>([
    ["without a signature", lines.slice(0, -1), /^X-Service-Signature is missing\./u],
    [
      "with a renamed one",
      lines.map((line) => line.replace("X-Service-Signature", "HTTP_X_SERVICE_SIGNATURE")),
      /HTTP_X_SERVICE_SIGNATURE looks like it/u,
    ],
    [
      "with another value",
      lines.map((line) => line.replace("Event: order.created", "Event: order")),
      /X-Service-Event was sent as "order\.created" and arrived as "order"/u,
    ],
    [
      "to which a proxy may add",
      lines.map((line) => line.replace("application/json", "application/json; charset=utf-8")),
      /^Content-Type was sent as .+ A proxy may do that, and the signature does not depend on it\.$/u,
    ],
    ["of another attempt", lines.map((line) => line.replace("1800000000", "1800000060")), /another attempt/u],
    ["of another delivery", lines.map((line) => line.replace("dlv_1", "dlv_2")), /another delivery: dlv_2/u],
  ])("%s are explained", ([, arrived, cause]) => {
    expect(causeOf(arrived.join("\n"))).toMatch(cause);
  });

  it("match the beginnings of signatures that a link to a delivery shows", () => {
    const shared = {
      ...sent,
      headers: { ...sent.headers, "X-Service-Signature": `${lines.at(-1)?.slice(21, 32)}…` },
    };
    expect(shared.headers["X-Service-Signature"]).toBe("v1=abababab…");
    expect(compareReceived(shared, lines.join("\n")).problems).toEqual([]);
  });
});
