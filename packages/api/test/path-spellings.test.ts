import express from "express";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { call, codeOf } from "./support/call.ts";
import { hostToken, openApi } from "./support/open-api.ts";
import type { TestApi } from "./support/open-api.ts";
import { listen, openConnection } from "./support/listen.ts";

/** Each may look like a path under `/v1` to a proxy, or like none of its rules. */
const spellings = [
  "/v1/../host/v1/accounts",
  "/v1/./../host/v1/accounts",
  "/./host/v1/accounts",
  "/v1/%2e%2e/host/v1/accounts",
  "/v1/%2E./host/v1/accounts",
  "/v1/.%2e/host/v1/accounts",
  "/%2e/host/v1/accounts",
  "/v1/%252e%252e/host/v1/accounts",
  "/v1/..;/host/v1/accounts",
  "/v1/..%2fhost/v1/accounts",
  "/v1/..%2f..%2fhost/v1/accounts",
  "/v1/..%5chost/v1/accounts",
  "/v1/..\\host/v1/accounts",
  "/v1/%5c../host/v1/accounts",
  "/v1%2f..%2fhost/v1/accounts",
  "/v1/..%00/host/v1/accounts",
  "/%68ost/v1/accounts",
  "/HOST/v1/accounts",
  "/host;a=1/v1/accounts",
  "/host%2fv1%2faccounts",
  "/host//v1/accounts",
  "//host/v1/accounts",
  "//elsewhere/host/v1/accounts",
  "///host/v1/accounts",
  "/\\elsewhere/host/v1/accounts",
  "/ho\tst/v1/accounts",
  "http://localhost/v1/%2e%2e/host/v1/accounts",
  "http://localhost/v1/../host/v1/accounts",
  "host/v1/accounts",
  "?/../host/v1/accounts",
];

const mounts: readonly (readonly [name: string, prefix: string, mount: (api: TestApi) => RequestListener])[] =
  [
    ["a Node server", "", (api) => api.handler],
    ["Express", "/mounted", (api) => express().use("/mounted", api.handler)],
    ["h3", "/mounted", (api) => toNodeHandler(new H3().mount("/mounted", api.app))],
  ];

describe.each(mounts)("in %s", (_, prefix, mount) => {
  it("no other spelling of a path reaches the host API", async () => {
    await using server = await listen(mount(await openApi()));
    const ask = async (target: string, host = "localhost"): Promise<string> => {
      using connection = openConnection(server.port);
      connection.send(
        `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${hostToken}\r\nConnection: close\r\n\r\n`,
      );
      return `${target} ${host} ${await connection.closed}`;
    };
    expect(await ask(`${prefix}/host/v1/accounts`)).toContain("HTTP/1.1 200 ");
    const reached: string[] = [];
    const expectRefused = (answer: string): void => {
      if (!/HTTP\/1\.1 40[04] /u.test(answer)) reached.push(answer.slice(0, 120));
    };
    for (const spelling of spellings)
      expectRefused(
        await ask(
          spelling.startsWith("/")
            ? `${prefix}${spelling}`
            : spelling.replace("localhost", `localhost${prefix}`),
        ),
      );
    for (const host of ["localhost/host", "a/host?", "a\\host", "x@y/host", "a/mounted/host", "a#"])
      expectRefused(await ask(`${prefix}/v1/accounts`, host));
    expect(reached).toEqual([]);
  });
});

it("as a Request of the platform, an encoded letter in a fixed part of a path gets 404 in the envelope", async () => {
  const api = await openApi({ basePath: "/integrations" });
  for (const path of ["/integrations/%68ost/v1/accounts", "/%69ntegrations/host/v1/accounts"]) {
    const answered = await call(api, `GET ${path}`, { token: hostToken });
    expect([path, answered.status, codeOf(answered)]).toEqual([path, 404, "not_found"]);
  }
});

it("ids may be encoded in any way", async () => {
  await using server = await listen((await openApi()).handler);
  for (const id of [
    "%6frd_1",
    "gid:%2F%2Fshop%2FOrder%2F1",
    "..%2Fme",
    "a%5Cb",
    "%2e%2e.",
    "%252e%252e",
    "a;b",
  ]) {
    const response = await fetch(`${server.origin}/host/v1/accounts/acc_1/records/orders/${id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${hostToken}` },
    });
    expect(`${id} ${await response.text()}`).toContain('"resource_not_found"');
  }
});
