import { describe, expect, it } from "vitest";
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
