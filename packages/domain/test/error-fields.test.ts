import fc from "fast-check";
import { expect, it } from "vitest";
import { toErrorFields } from "../src/index.ts";

it("has the messages and the stacks of an error and of its causes", () => {
  const cause = new Error("connect ECONNREFUSED");
  const { error, stack } = toErrorFields(new Error("the database is away", { cause }));
  expect(error).toBe("the database is away; caused by: connect ECONNREFUSED");
  expect(stack).toMatch(/^Error: the database is away\n.*\ncaused by: Error: connect ECONNREFUSED\n/su);
});

it("omits the message of a cause that the error already contains", () => {
  const cause = new Error("Redis is away");
  const { error } = toErrorFields(new Error("--storage cannot be opened. Redis is away", { cause }));
  expect(error).toBe("--storage cannot be opened. Redis is away");
});

it.each([
  ["a text", "a thrown value that is not an Error: a text"],
  [undefined, "a thrown value that is not an Error: undefined"],
  [null, "a thrown value that is not an Error: null"],
  [{ code: "odd", message: "no" }, "a thrown value that is not an Error: code: odd, message: no"],
  [{ config: { headers: { authorization: "hwk_x" } } }, "a thrown value that is not an Error: an object"],
  [Object.create(null), "a thrown value that is not an Error: an object"],
  ["x".repeat(1_000), `a thrown value that is not an Error: ${"x".repeat(500)}`],
])("describes what is not an error: %j", (thrown, error) => {
  expect(toErrorFields(thrown)).toEqual({ error });
});

it("has the messages of all errors of an AggregateError", () => {
  const errors = [
    new Error("connect ECONNREFUSED ::1:6379"),
    new Error("connect ECONNREFUSED 127.0.0.1:6379"),
  ];
  expect(toErrorFields(new AggregateError(errors)).error).toBe(
    "AggregateError; connect ECONNREFUSED ::1:6379; connect ECONNREFUSED 127.0.0.1:6379",
  );
});

it("ends for a cycle of causes", () => {
  const error = new Error("outer");
  error.cause = error;
  expect(toErrorFields(error).error).toBe("outer");
});

it("never throws", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  for (const thrown of [circle, { toJSON: () => circle }, Symbol("odd"), 10n, () => {}])
    expect(toErrorFields(thrown).error).toMatch(/./u);
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (thrown) => {
      expect(toErrorFields(thrown).error).toMatch(/./u);
    }),
  );
});
