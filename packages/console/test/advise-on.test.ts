import { describe, expect, it } from "vitest";
import { adviseOn } from "../site/console/parts/advise-on.ts";
import type { AdvisedAttempt } from "../site/console/parts/advise-on.ts";

const none = { queued_ms: 0, dns_ms: null, connect_ms: null, tls_ms: null, wait_ms: null, read_ms: null };
const advise = (attempt: Partial<AdvisedAttempt>, phases = {}) =>
  adviseOn({ error: null, status: null, excerpt: null, ...attempt, phases: { ...none, ...phases } });

it("each usual status has a piece of advice of its own, and others have none", () => {
  const adviseOnStatus = (status: number) => advise({ error: "status", status });
  const hints = [302, 401, 403, 404, 405, 413, 429, 500].map(adviseOnStatus);
  expect(hints).not.toContain(undefined);
  expect(new Set(hints).size).toBe(hints.length);
  expect([adviseOnStatus(405), adviseOnStatus(503), adviseOnStatus(418)]).toEqual([
    "The route does not accept POST.",
    adviseOnStatus(500),
    undefined,
  ]);
});

it("a refusal that names the signature is about the secret, whatever its status", () => {
  for (const status of [400, 401, 403])
    expect(advise({ error: "status", status, excerpt: "Invalid Signature" })).toMatch(/another secret/u);
});

describe("without a response", () => {
  it.each([
    ["no connection", "connect", { connect_ms: 1 }, /no firewall blocks this port/u],
    ["no connection in time", "timeout", { dns_ms: 1, connect_ms: 9_999 }, /no firewall blocks this port/u],
    ["no answer in time", "timeout", { connect_ms: 1, wait_ms: 9_999 }, /^Send the response first/u],
    ["a lost connection", "reset", { connect_ms: 1, wait_ms: 1 }, /Its log says why/u],
    ["another protocol", "protocol", { connect_ms: 1, wait_ms: 1 }, /Check the URL/u],
  ] as const)("%s has advice", (_, error, phases, advice) => {
    expect(advise({ error }, phases)).toMatch(advice);
  });

  it.each([
    ["a request that was not sent", "connect", {}],
    ["no name in time", "timeout", { dns_ms: 9_999 }],
    ["a certificate, of which the summary tells", "tls", { connect_ms: 1, tls_ms: 1 }],
  ] as const)("%s has none", (_, error, phases) => {
    expect(advise({ error }, phases)).toBeUndefined();
  });
});
