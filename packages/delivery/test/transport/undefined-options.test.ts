import { expect, it } from "vitest";
import { createTransport } from "../../src/index.ts";

it("options that are undefined are as if they were left out", async () => {
  const nothing = {
    privateTargets: undefined,
    trustedOrigins: undefined,
    resolve: undefined,
    tls: undefined,
  };
  await using transport = createTransport(nothing);
  const request = {
    accountId: "acc_1",
    targetUrl: "https://127.0.0.1/hooks",
    headerLines: "",
    body: "{}",
    timeoutMs: 1_000,
    freshConnection: undefined,
  };
  expect(await transport.send(request)).toMatchObject({ failure: "blocked_address", status: null });
});
