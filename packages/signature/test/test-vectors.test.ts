import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generateTestVectors, testVectors } from "../scripts/generate-test-vectors.ts";
import type { TestVector } from "../scripts/generate-test-vectors.ts";
import { verify as verifyPortable } from "../src/index.ts";
import { verify as verifyOnNode, verifySync } from "../src/node.ts";
import { SignatureError } from "../src/signature-error.ts";
import { verify as verifyLean } from "../src/verify.ts";
import type { VerifyOptions } from "../src/verify-options.ts";
import type { WebhookEvent } from "../src/webhook-event.ts";

type Result = TestVector["expected"];

async function resultOf(attempt: () => WebhookEvent | Promise<WebhookEvent>): Promise<Result> {
  try {
    const { id: eventId, test } = await attempt();
    return test ? { eventId, test } : { eventId };
  } catch (error) {
    if (error instanceof SignatureError) return { error: error.code };
    throw error;
  }
}

function toOptions({ body, ...options }: TestVector): VerifyOptions {
  return { ...options, body: Buffer.from(body.base64, "base64") };
}

const entries = {
  portable: verifyPortable,
  lean: verifyLean,
  node: verifyOnNode,
  "node, synchronous": verifySync,
};

describe.each(Object.entries(entries))("%s entry", (_, verify) => {
  it.each(testVectors)("$name", async (vector) => {
    expect(await resultOf(() => verify(toOptions(vector)))).toEqual(vector.expected);
  });

  it("accepts the text of a body in place of its bytes", async () => {
    for (const vector of testVectors) {
      const { text } = vector.body;
      if (text === undefined) continue;
      const result = await resultOf(() => verify({ ...toOptions(vector), body: text }));
      expect({ [vector.name]: result }).toEqual({ [vector.name]: vector.expected });
    }
  });
});

describe("test-vectors.json", () => {
  it("is what the generator writes", () => {
    const file = readFileSync(new URL("../test-vectors.json", import.meta.url), "utf8");
    expect(file).toBe(generateTestVectors());
  });

  it("has at least 40 vectors with unique names", () => {
    expect(testVectors.length).toBeGreaterThanOrEqual(40);
    expect(new Set(testVectors.map(({ name }) => name)).size).toBe(testVectors.length);
  });
});
