import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isHookwrightError } from "../src/errors.ts";
import { contactInputSchema } from "../src/resources/contact.ts";
import { text } from "../src/text.ts";
import { parseInput } from "../src/validation.ts";

function messageOf(schema: z.ZodType, value: unknown): string {
  try {
    parseInput(schema, value);
  } catch (error) {
    if (isHookwrightError(error) && error.code === "validation_failed") return error.message;
    throw error;
  }
  throw new Error("the input was accepted");
}

const short = text({ max: 3, description: "Short.", blank: false });

describe("parseInput", () => {
  it("returns the parsed value without unknown fields", () => {
    const body = { project_id: "site_1", email: "Ada@Example.com", colour: "red" };
    expect(parseInput(contactInputSchema, body)).toStrictEqual({
      project_id: "site_1",
      email: "ada@example.com",
    });
  });

  it("reports all problems with their fields in one message", () => {
    const schema = z.object({
      email: z.string(),
      items: z.array(z.object({ quantity: z.int() })),
      tags: z.string(),
    });
    const value = { items: [{ quantity: 1.5 }], tags: 4 };
    expect(messageOf(schema, value)).toBe(
      "email: is required; items.0.quantity: must be an integer; tags: must be text",
    );
  });

  it.each([
    [z.object({ a: z.string() }), {}, "a: is required"],
    [z.object({ a: z.enum(["x", "y"]) }), {}, "a: is required"],
    [z.object({ a: z.literal("x") }), {}, "a: is required"],
    [z.object({ a: z.string() }), { a: 1 }, "a: must be text"],
    [z.object({ a: z.number() }), { a: "1" }, "a: must be a number"],
    [z.object({ a: z.number() }), { a: Number.NaN }, "a: must be a number"],
    [z.object({ a: z.boolean() }), { a: "true" }, "a: must be true or false"],
    [z.object({ a: z.array(z.string()) }), { a: "x" }, "a: must be a list"],
    [z.object({ a: z.object({}) }), { a: [] }, "a: must be an object"],
    [z.object({ a: z.enum(["x", "y"]) }), { a: "z" }, "a: must be one of x, y"],
    [
      z.object({ a: z.union([z.int(), z.literal("off")]).nullable() }),
      { a: "never" },
      "a: must be a number, or must be off",
    ],
    [z.object({ a: z.int().min(1) }), { a: 0 }, "a: must be at least 1"],
    [z.object({ a: z.int().max(9) }), { a: 10 }, "a: must be at most 9"],
    [z.object({ a: z.array(z.int()).max(2) }), { a: [1, 2, 3] }, "a: must have at most 2 entries"],
    [z.object({ a: z.array(z.int()).min(1) }), { a: [] }, "a: must have at least 1 entries"],
    [z.object({ a: short }), { a: "long" }, "a: must be at most 3 characters long"],
    [z.object({ a: short }), { a: " " }, "a: must not be blank"],
    [z.object({ a: short }), { a: "\ud800" }, "a: must be well-formed text"],
    [z.object({ a: z.string() }), "text", "body: must be an object"],
    [z.object({ a: z.string() }), null, "body: must be an object"],
    [z.object({ a: z.string() }), undefined, "body: is required"],
  ])("has a text for each problem (%#)", (schema, value, message) => {
    expect(messageOf(schema, value)).toBe(message);
  });

  it("reports the first twenty problems and counts the rest", () => {
    const schema = z.object({ list: z.array(z.string()) });
    const message = messageOf(schema, { list: Array.from({ length: 23 }, () => 1) });
    expect(message.split("; ")).toHaveLength(21);
    expect(message).toMatch(/^list\.0: must be text; .+; list\.19: must be text; and 3 more$/);
  });

  it("does not validate the elements of a list that is too long", () => {
    const read: number[] = [];
    const schema = z.object({ list: z.array(z.int().refine((each) => read.push(each) > 0)).max(5) });
    const message = messageOf(schema, { list: Array.from({ length: 100_000 }, (_, index) => index) });
    expect(message).toBe("list: must have at most 5 entries");
    expect(read).toStrictEqual([]);
  });

  it("never quotes the input", () => {
    const message = messageOf(contactInputSchema, {
      project_id: "s",
      email: "SECRET",
      name: 7,
      tags: ["SECRET", 7],
    });
    expect(message).not.toContain("SECRET");
  });
});
