import { errorCatalogue } from "@hookwright/domain";
import { expect } from "vitest";
import type { Envelope } from "./call.ts";

/** The public codes, `forbidden` and those of the console. `internal_error` is missing on purpose. */
const knownCodes: ReadonlySet<unknown> = new Set([
  ...Object.keys(errorCatalogue),
  "forbidden",
  "invalid_credentials",
  "invalid_state",
]);

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly contentType: string | null;
  readonly requestId: string | null;
}

/** Checks that a response has no internal error, has a request id, and has the envelope with a known code. */
export function expectGoodAnswer({ status, text, contentType, requestId }: Answer, method: string): void {
  expect({ status, text }).toEqual({
    status: expect.toSatisfy(hasNoInternalError),
    text: expect.any(String),
  });
  expect(requestId).toMatch(/^req_[0-9a-f]{32}$/);
  if (method === "HEAD" || status === 204) {
    expect(text).toBe("");
    return;
  }
  // Metrics and exports.
  if (status === 200 && /^(?:text\/(?:plain|csv)|application\/x-ndjson)\b/u.test(contentType ?? "")) return;
  expect(contentType).toBe("application/json");
  const body: Envelope & { readonly openapi?: string } = JSON.parse(text);
  // The OpenAPI document is the only response without an envelope.
  if (body.openapi !== undefined) return;
  expect(body.success).toBe(status < 300);
  if (status >= 300) {
    expect(body.error?.code).toSatisfy((code: unknown) => knownCodes.has(code));
    expect(body.error?.message).not.toBe("");
  }
}

function hasNoInternalError(status: unknown): boolean {
  return typeof status === "number" && status >= 200 && status < 500;
}
