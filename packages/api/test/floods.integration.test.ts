// Every route gets the largest inputs.
// @module-tag long

import { describe, expect, it } from "vitest";
import { selectEndingRoutes } from "./support/ending-routes.ts";
import { codeOf, toAnswered } from "./support/call.ts";
import { expectGoodAnswer } from "./support/expect-good-answer.ts";
import { openFuzzed } from "./support/open-fuzzed.ts";
import type { FuzzedApi } from "./support/open-fuzzed.ts";

const mebibyte = 2 ** 20;

/** Calls every route with this query and these headers, or every route that may have a body with this body. Path parameters name nothing that exists. */
async function callEveryRoute(
  { api, prepare }: FuzzedApi,
  { search = "", headers = {}, body }: { search?: string; headers?: Record<string, string>; body?: string },
): Promise<{ readonly path: string; readonly status: number; readonly code: string | undefined }[]> {
  const answers = [];
  for (const { method, path, access } of selectEndingRoutes(api.options)) {
    if (body !== undefined && method === "GET") continue;
    const prepared = await prepare({
      access,
      method,
      path: path.replaceAll(/\{[^}]+\}/g, "nobody"),
      headers: { "content-type": "application/json", ...headers },
      body: undefined,
    });
    const response = await api.fetch(
      new Request(`http://localhost${prepared.path}${search}`, {
        method,
        headers: prepared.headers,
        ...(body === undefined ? {} : { body }),
      }),
    );
    const answered = await toAnswered(response);
    expectGoodAnswer(
      {
        status: answered.status,
        text: answered.text,
        contentType: answered.headers.get("content-type"),
        requestId: answered.headers.get("x-request-id"),
      },
      method,
    );
    answers.push({ path, status: answered.status, code: codeOf(answered) });
  }
  expect(api.log).toEqual([]);
  return answers;
}

function bodyOf(bytes: number): string {
  return `{"name":"${"a".repeat(bytes - '{"name":""}'.length)}"}`;
}

describe("every route of the table", () => {
  it("accepts a body of exactly the limit and refuses one byte more", async () => {
    const fuzzed = await openFuzzed();
    const refusedOf = async (bytes: number): Promise<readonly string[]> =>
      (await callEveryRoute(fuzzed, { body: bodyOf(bytes) }))
        .filter(({ status }) => status === 413)
        .map(({ path }) => path);
    // The only public routes with a body.
    const signIns = ["/console/api/session", "/console/api/session/link", "/console/api/invitations/{token}"];
    expect(await refusedOf(4_096)).toEqual([]);
    expect(await refusedOf(4_097)).toEqual(signIns);
    // Triggered events are stored with their bodies.
    const trigger = "/developer/v1/trigger";
    expect(await refusedOf(64 * 1_024)).toEqual(signIns);
    expect(await refusedOf(64 * 1_024 + 1)).toEqual([trigger, ...signIns]);
    expect(await refusedOf(mebibyte)).toEqual([trigger, ...signIns]);
    expect((await refusedOf(mebibyte + 1)).length).toBeGreaterThan(1);
  });

  it("handles 100,000 query parameters", async () => {
    const fuzzed = await openFuzzed();
    const different = Array.from({ length: 100_000 }, (_, index) => `p${index}=${index}`).join("&");
    await callEveryRoute(fuzzed, { search: `?${different}` });
    const answers = await callEveryRoute(fuzzed, { search: `?${"limit=1&".repeat(100_000)}` });
    expect(answers.find(({ path }) => path === "/v1/orders")?.code).toBe("validation_failed");
  });

  it("handles 100,000 nested brackets and a million short members", async () => {
    const fuzzed = await openFuzzed();
    const deep = await callEveryRoute(fuzzed, {
      body: `{"data":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    });
    expect(deep.find(({ path }) => path === "/v1/contacts")?.code).toBe("validation_failed");
    const wide = await callEveryRoute(fuzzed, { body: `{"tags":[${"1,".repeat(500_000)}1]}` });
    expect(wide.find(({ path }) => path === "/host/v1/events")?.code).toBe("validation_failed");
  });

  it("handles a flood of headers", async () => {
    const headers = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x-${index}`, "a"]));
    const answers = await callEveryRoute(await openFuzzed(), { headers });
    expect(answers.find(({ path }) => path === "/v1/me")?.status).toBe(200);
  });
});
