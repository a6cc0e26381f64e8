import { describe, expect, it } from "vitest";
import { parseSince, parseTarget } from "../src/command-line/read-values.ts";
import { setPath } from "../src/command-line/set-path.ts";
import { readEventStream } from "../src/listen/event-stream.ts";
import type { StreamedEvent } from "../src/listen/event-stream.ts";
import { escapeControls } from "../src/terminal/escape-controls.ts";
import { createOutput, paint } from "../src/terminal/output.ts";
import { createTestProgram } from "./support/test-program.ts";

describe("--set", () => {
  it.each<[assignment: string, data: object, result: object]>([
    ["total=10", {}, { total: 10 }],
    ["customer.name=Ada", { customer: { email: "a@b.c" } }, { customer: { email: "a@b.c", name: "Ada" } }],
    ['number="1001"', {}, { number: "1001" }],
    ["number=0012", {}, { number: "0012" }],
    ["note=a=b", {}, { note: "a=b" }],
    ['tags=["a"]', {}, { tags: ["a"] }],
    ["items.0.quantity=2", {}, { items: [{ quantity: 2 }] }],
    ["items.1.quantity=3", { items: [{ quantity: 2 }] }, { items: [{ quantity: 2 }, { quantity: 3 }] }],
    ["note=", {}, { note: "" }],
    ["id=9007199254740993", {}, { id: 9007199254740993n }],
  ])("%s", (assignment, data, result) => {
    expect(setPath({ ...data }, assignment)).toEqual(result);
  });

  it.each(["total", "=1", "a..b=1", "__proto__.a=1", "items.5.a=1"])("refuses %s", (assignment) => {
    expect(() => setPath({ items: [{}] }, assignment)).toThrow(/^--set/u);
  });

  it("does not change its argument", () => {
    const data = { customer: { name: "Bob" } };
    setPath(data, "customer.name=Ada");
    expect(data).toEqual({ customer: { name: "Bob" } });
  });
});

describe("--since", () => {
  const now = Date.parse("2026-11-20T12:00:00Z");
  it.each([
    ["90s", "2026-11-20T11:58:30.000Z"],
    ["1.5h", "2026-11-20T10:30:00.000Z"],
    ["2d", "2026-11-18T12:00:00.000Z"],
    ["2026-11-20T09:30:00Z", "2026-11-20T09:30:00.000Z"],
    ["2026-11-20", "2026-11-20T00:00:00.000Z"],
  ])("%s", (text, expected) => {
    expect(new Date(parseSince(text, now)).toISOString()).toBe(expected);
  });
  it.each(["", "1", "yesterday", "-1h", "2027-01-01", "2026-13-01"])("refuses %j", (text) => {
    expect(() => parseSince(text, now)).toThrow(/^--since/u);
  });
});

it("a URL without http gets a hint", () => {
  expect(() => parseTarget("forward", "localhost:3000/hook")).toThrow("Write http://localhost:3000/hook.");
  expect(() => parseTarget("forward", "ftp://a")).toThrow("must be an http or https URL");
});

async function collect(bytes: AsyncIterable<Uint8Array>) {
  const events: StreamedEvent[] = [];
  for await (const event of readEventStream(bytes)) events.push(event);
  return events;
}

describe("an event stream", () => {
  async function read(...parts: readonly string[]) {
    const bytes = async function* () {
      for (const part of parts) yield new TextEncoder().encode(part);
    };
    return collect(bytes());
  }

  it("is read with comments, all line ends, and data of several lines", async () => {
    expect(
      await read(
        ": hello\n\nid: 1\nevent: delivery\ndata: a\ndata: b\n\n",
        "data:c\r\n\r\ndata: d\r\rid: 2\n",
      ),
    ).toEqual([
      { id: "1", type: "delivery", data: "a\nb" },
      { id: "1", type: "message", data: "c" },
      { id: "1", type: "message", data: "d" },
    ]);
  });

  it("is read from single bytes, and an unfinished event is dropped", async () => {
    const text = "id: é\r\ndata: 1\r\n\r\ndata: 2\r\n";
    const bytes = async function* () {
      for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte);
    };
    expect(await collect(bytes())).toEqual([{ id: "é", type: "message", data: "1" }]);
  });
});

it("control characters of other people's servers do not reach the terminal", () => {
  expect(escapeControls("a\u001b[2Jb\u0007\tc\r\nd\u009b\u202e\u200f")).toBe(
    "a\\u001b[2Jb\\u0007\tc\\u000d\\u000ad\\u009b\\u202e\\u200f",
  );
});

it("a line has only the colours of the command", () => {
  const program = createTestProgram({ isTerminal: true });
  const output = createOutput(program, { isJson: false });
  output.line("\u001b[31mevil ", paint("green", "good\u001b[0m"), "\nforged");
  expect(program.printed).toEqual(["\\u001b[31mevil \u001b[32mgood\\u001b[0m\u001b[39m\\u000aforged"]);
});

it("JSON has no control characters either, and stays the same JSON", () => {
  const program = createTestProgram();
  const output = createOutput(program, { isJson: true });
  const value = { name: "a\u007f\u009b2J\u202eb\u2066\u200e\u200f\n" };
  output.document(value);
  output.row(value);
  for (const text of program.printed) {
    expect(text).toMatch(/^[ -~\n]*$/u);
    expect(JSON.parse(text)).toEqual(value);
  }
});
