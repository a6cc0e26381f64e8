import { expect, it } from "vitest";
import { describeProxy } from "../src/api/proxy-hint.ts";
import { runCli } from "../src/run-cli.ts";
import { createTestProgram } from "./support/test-program.ts";

const proxy = { HTTPS_PROXY: "http://ada:geheim@proxy.test:3128" };
const used = { ...proxy, NODE_USE_ENV_PROXY: "1" };

it.each([
  ["https://hooks.test", {}, undefined],
  ["http://hooks.test", proxy, undefined],
  ["https://localhost:3000", proxy, undefined],
  ["https://hooks.test", proxy, "HTTPS_PROXY names the proxy proxy.test:3128, but Node uses it only with"],
  ["https://hooks.test", { https_proxy: "x" }, "https_proxy names the proxy no URL,"],
  ["https://hooks.test", used, "through the proxy proxy.test:3128 (HTTPS_PROXY)"],
  ["https://hooks.test", { ...proxy, NODE_OPTIONS: "--use-env-proxy" }, "through the proxy proxy.test:3128"],
  ["https://hooks.test", { ...used, NO_PROXY: "a.test, hooks.test" }, undefined],
  ["https://hooks.shop.test", { ...used, NO_PROXY: ".shop.test" }, undefined],
  ["https://hooks.shop.test", { ...used, NO_PROXY: "*.Shop.test" }, undefined],
  ["https://hooks.shop.test", { ...used, NO_PROXY: "shop.test" }, undefined],
  ["https://hooks.shop.test", { ...used, NO_PROXY: "op.test," }, "through the proxy"],
  ["https://hooks.test", { ...used, NO_PROXY: "hooks.test:443" }, undefined],
  ["https://hooks.test", { ...used, NO_PROXY: "hooks.test:8443" }, "through the proxy"],
  ["https://hooks.test:8443", { ...used, NO_PROXY: ".test:8443" }, undefined],
  ["https://hooks.test:8443", { ...used, NO_PROXY: "hooks.test:443" }, "through the proxy"],
  ["https://[::1]:8443", { ...used, NO_PROXY: "[::1]:8443" }, undefined],
  ["https://localhost:3000", used, "add localhost to NO_PROXY"],
])("of %s with %j is %j", (server, environment, hint) => {
  const found = describeProxy(server, environment);
  if (hint === undefined) expect(found).toBeUndefined();
  else {
    expect(found).toContain(hint);
    expect(found).toMatch(/ See https:\/\/\S+\/docs\/guide\/company-proxies\.md for all settings\.$/u);
  }
  expect(found ?? "").not.toContain("geheim");
});

it("an error of the network names the proxy", async () => {
  const program = createTestProgram({
    environment: { HTTP_PROXY: "http://proxy.test:3128", NODE_USE_ENV_PROXY: "1" },
  });
  const commandLine = ["whoami", "--server", "http://127.0.0.1:1", "--key", "hwk_1"];
  expect(await runCli({ ...program, commandLine })).toBe(3);
  expect(program.complained.at(-1)).toContain("Requests go through the proxy proxy.test:3128 (HTTP_PROXY).");
});
