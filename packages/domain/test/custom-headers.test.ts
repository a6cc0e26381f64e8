import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../scripts/test/support/any-character.ts";
import { readCustomHeaders } from "../src/index.ts";

const problemsOf = (fields: Readonly<Record<string, unknown>>): readonly string[] => {
  const read = readCustomHeaders(fields);
  return read.ok ? [] : read.problems;
};

describe("custom headers", () => {
  it("are returned in order, as they were sent", () => {
    const fields = { Authorization: "Basic Zm9v", "X-Team": "a, b\tc", "x_y!": "~" };
    expect(readCustomHeaders(fields)).toEqual({
      ok: true,
      headers: Object.entries(fields).map(([name, value]) => ({ name, value })),
    });
  });

  it.each([
    "Host",
    "content-length",
    "Content-Type",
    "Transfer-Encoding",
    "Connection",
    "TE",
    "Expect",
    "User-Agent",
    "Accept-Encoding",
    "X-Service-Signature",
    "x-service-anything",
    "webhook-id",
    "Webhook-Signature",
    "Proxy-Authorization",
    "Proxy",
    "X_Service_Signature",
    "x.service.signature",
    "X-Service_Event",
    "Content_Length",
    "WEBHOOK_ID",
    "transfer~encoding",
  ])("%s is refused, because the sender or HTTP sets it", (name) => {
    expect(problemsOf({ [name]: "a" })).toEqual([`headers.${name}: is set by the sender`]);
  });

  it.each([
    ["X-A", "a\r\nX-B: b"],
    ["X-A", "a\nb"],
    ["X-A", "a\0"],
    ["X-A", ""],
    ["X-A", " a"],
    ["X-A", "a "],
    ["X-A", "é"],
    ["X-A", 5],
    ["X A", "a"],
    ["X-A:", "a"],
    ["X-A\r\n", "a"],
    ["", "a"],
    ["x".repeat(129), "a"],
  ])("%j with the value %j is refused, and the problem does not show the value", (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    if (String(value).length > 1) expect(problems.join()).not.toContain(String(value));
  });

  it("of the prefix of the specification are free on a server with another one", () => {
    const fields = { "X-Service-Event": "a", "X-Acme-Team": "b" };
    expect(readCustomHeaders(fields, "X-Acme")).toMatchObject({ ok: true });
    expect(readCustomHeaders({ ...fields, "X-Acme-Event": "a" }, "X-Acme")).toMatchObject({
      problems: ["headers.X-Acme-Event: is set by the sender"],
    });
  });

  it("are at most 10, of 4 KiB together, and no name is there twice", () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, "a"]));
    expect(problemsOf(many(10))).toEqual([]);
    expect(problemsOf(many(11))).toEqual(["headers: must have at most 10 entries"]);
    expect(problemsOf({ "X-A": "a".repeat(4_093) })).toEqual([]);
    expect(problemsOf({ "X-A": "a".repeat(4_094) })).toEqual([
      "headers: must have at most 4096 bytes of names and values together",
    ]);
    for (const name of ["x-a", "X_A"])
      expect(problemsOf({ "X-A": "a", [name]: "b" })).toEqual([
        `headers.${name}: is there twice, because receivers may compare only letters and digits, in any case`,
      ]);
  });

  it("that are accepted can never end their line", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter })),
        (fields) => {
          const read = readCustomHeaders(fields);
          const lines = read.ok ? read.headers.map(({ name, value }) => `${name}: ${value}`) : [];
          for (const line of lines) expect(line).toMatch(/^[\x21-\x7E]+: [\t\x20-\x7E]+$/u);
        },
      ),
    );
  });
});
