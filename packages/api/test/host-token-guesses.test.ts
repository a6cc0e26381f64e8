import type { FailedAuthentication } from "@hookwright/service";
import { expect, it } from "vitest";
import { call, codeOf } from "./support/call.ts";
import { hostToken, openApi } from "./support/open-api.ts";

/** The limit of wrong tokens of one network in a minute. */
const limit = 30;

it.each([
  ["the host API", "GET /host/v1/stats", "host_token"],
  ["/metrics", "GET /metrics", "metrics_token"],
])(
  "wrong tokens for %s are refused after 30 in a minute, and a right one never",
  async (_, route, credential) => {
    let time = Date.UTC(2026, 10, 29);
    const failures: FailedAuthentication[] = [];
    const api = await openApi({
      now: () => time,
      trustProxy: 1,
      metrics: { render: () => "" },
      onFailedAuthentication: (failure) => failures.push(failure),
    });
    const from = (network: string, token: string) =>
      call(api, route, { token, headers: { "x-forwarded-for": network } });
    for (let guess = 0; guess < limit; guess++)
      expect(codeOf(await from("192.0.2.1", `guess ${guess}`))).toBe("invalid_api_key");
    time += 20_000;
    const refused = await from("192.0.2.1", "one more");
    expect([refused.status, codeOf(refused), refused.headers.get("retry-after")]).toEqual([
      429,
      "rate_limited",
      "40",
    ]);
    expect((await from("192.0.2.1", hostToken)).status).toBe(200);
    expect((await from("192.0.2.2", "a guess")).status).toBe(401);
    time += 40_000;
    expect((await from("192.0.2.1", "a guess")).status).toBe(401);
    expect(failures).toHaveLength(limit + 3);
    expect(failures[0]).toEqual({ credential, network: "192.0.2.1" });
  },
);

it("wrong tokens of a private network are limited too, because the right one still passes", async () => {
  const api = await openApi();
  const guess = () => call(api, "GET /host/v1/stats", { token: "a guess" });
  for (let count = 0; count < limit; count++) await guess();
  expect((await guess()).status).toBe(429);
  expect((await call(api, "GET /host/v1/stats", { token: hostToken })).status).toBe(200);
});
