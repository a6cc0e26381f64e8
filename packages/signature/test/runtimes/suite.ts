import { createDuplicateGuard } from "../../src/duplicates.ts";
import { createSignedRequest, SignatureError, verify } from "../../src/index.ts";
import { verify as verifyLean } from "../../src/verify.ts";
import type { TestVector } from "../../scripts/generate-test-vectors.ts";
import file from "../../test-vectors.json" with { type: "json" };

export interface Verdict {
  /** The number of verified deliveries. */
  readonly judged: number;
  readonly failures: readonly string[];
}

/** Verifies all test vectors, signs, recognises base64 and ignores a duplicate, with APIs of all runtimes. */
export async function judge(): Promise<Verdict> {
  const failures: string[] = [];
  const expect = (what: string, found: unknown, expected: unknown): void => {
    if (found !== expected) failures.push(`${what}: ${String(found)} instead of ${String(expected)}`);
  };
  const vectors: readonly TestVector[] = JSON.parse(JSON.stringify(file.vectors));
  for (const { name, body, expected, ...rest } of vectors) {
    const bytes = Uint8Array.from(atob(body.base64), (letter) => letter.charCodeAt(0));
    const wanted = "eventId" in expected ? toText(expected.eventId, expected.test) : expected.error;
    for (const entry of [verify, verifyLean]) {
      const found = await entry({ ...rest, body: bytes }).then(
        ({ id, test }) => toText(id, test),
        (error: unknown) => (error instanceof SignatureError ? error.code : String(error)),
      );
      expect(name, found, wanted);
    }
  }
  const secret = "whsec_example";
  const project = { id: "site_1", name: "Shop", timezone: "UTC" };
  const event = { id: "order.paid_1", event: "order.paid", project, data: { id: "1" } };
  const request = await createSignedRequest({ secret, event });
  const { headers } = request;
  const body = await request.text();
  const { id } = await verify({ body, headers, secrets: secret });
  expect("a signed request", id, "order.paid_1");
  const refused = verify({ body: btoa(body), headers, secrets: secret }).then(String, String);
  expect("base64", (await refused).includes("body is base64"), true);
  const guard = createDuplicateGuard();
  expect("an event", await guard.once(id, () => {}), "handled");
  expect("a duplicate", await guard.once(id, () => {}), "duplicate");
  return { judged: vectors.length, failures };
}

function toText(id: string, test: true | undefined): string {
  return test ? `${id}, a test` : id;
}
