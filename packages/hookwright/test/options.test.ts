import { memoryStore } from "@hookwright/storage/memory";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { ConfigurationError, settingNames, settings } from "@hookwright/domain";
import { createHookwright } from "../src/create-hookwright.ts";
import type { Logger } from "@hookwright/domain";
import type { HookwrightOptions } from "../src/options/options.ts";
import { ignoreOpenFilesLimit } from "./support/ignore-open-files-limit.ts";

ignoreOpenFilesLimit();

const store = memoryStore();
const secret = "a test secret of 32 characters!!";
afterAll(() => store.close());

interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

function keepLines(): { readonly logger: Logger; readonly lines: readonly Line[] } {
  const lines: Line[] = [];
  const keep =
    (level: string): Logger["info"] =>
    (message, fields) =>
      void lines.push({ level, message, fields });
  return { logger: { info: keep("info"), warn: keep("warn"), error: keep("error") }, lines };
}

/** Called as by a program without types. */
async function refusalOf(changed: Readonly<Record<string, unknown>>): Promise<unknown> {
  const options: HookwrightOptions = { store: memoryStore(), secret, ...changed };
  try {
    await using _ = await createHookwright(options);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("an invalid option is named with a description of valid values", () => {
  it.each<[option: string, value: unknown, message: RegExp | string]>([
    ...settingNames.map((name): [string, unknown, string] => [
      name,
      "no such value",
      `${name}: must be ${settings[name].allowed}`,
    ]),
    ["store", undefined, /^store: is required\. Pass memoryStore\(\)/],
    ["store", null, /^store: is required\. Pass memoryStore\(\)/],
    [
      "store",
      {},
      /^store: is not a store, because it has no function get, getMany, list, commit, watch, close\. Pass memoryStore\(\) or another store$/,
    ],
    ["store", { ...store, watch: 1 }, /^store: is not a store, because it has no function watch\. /],
    [
      "store",
      Promise.resolve(store),
      /^store: is a promise\. Await it, as in `store: await openFilesystemStore\(\{ directory \}\)`$/,
    ],
    // oxlint-disable-next-line unicorn/no-thenable -- some libraries have their own promises
    ["store", { then: () => {} }, /^store: is a promise/],
    [
      "secret",
      undefined,
      /^secret: must be text of at least 32 characters\. `openssl rand -base64 32` creates one$/,
    ],
    ["previousSecrets", ["short"], /^previousSecrets: must be /],
    ["secret", "x".repeat(31), /^secret: must be text of at least 32 characters/],
    ["secret", Buffer.alloc(32), /^secret: must be text/],
    [
      "basePath",
      "integrations",
      /^basePath: must begin with a slash and not end with one, such as \/integrations$/,
    ],
    ["basePath", "/integrations/", /^basePath: must begin with a slash/],
    ["basePath", "/a b", /^basePath: /],
    ["basePath", 1, /^basePath: /],
    ["developerSite", "no", /^developerSite: must be true, false, or \{ name, logo, accent, docs \}$/],
    ["developerSite", { logo: "https://cdn.example.com/a.png" }, /^developerSite: logo: must be a path /],
    ["publicUrl", "shop.example.com", /^publicUrl: must be an https: or http: URL/],
    ["publicUrl", "https://shop.example.com/?a", /^publicUrl: must be/],
    ["buildCommit", "a b", /^buildCommit: must be text of at most 64/],
    ["readinessWarnings", ["a"], /^readinessWarnings: must be a function that returns a list of texts$/],
    ["hostToken", "", /^hostToken: must be text that is not empty\. Leave it out if you need no host API$/],
    ["hostToken", " ", /^hostToken: must be text/],
    ["hostToken", 7, /^hostToken: must be text/],
    ["hostToken", "good,shop:publsh:hidden", /^hostToken: entry 2 must be (?!.*hidden)/],
    ["hostToken", [], /^hostToken: there is no token$/],
    [
      "hostToken",
      [{ name: "shop", scopes: [], token: "hidden" }],
      /^hostToken: entry 1 must be (?!.*hidden)/,
    ],
    ["metricsToken", "", /^metricsToken: must be text that is not empty/],
    ["operatorConsole", true, /^operatorConsole: needs `hostToken`, and `developerSite` must not be false$/],
    ["outbox", "postgres://db/shop", /^outbox: must be \{ url \} or \{ pool \}/],
    ["outbox", {}, /^outbox: must be \{ url \} or \{ pool \}/],
    ["outbox", { pool: {} }, /^outbox: must be \{ url \} or \{ pool \}/],
    ["outbox", { url: "postgres://db/shop", notify: "off" }, /^outbox: must be .* or \{ notify: false \}/],
    ...["443", 443, [], [0], [65_536], [443.5], ["443"], [[1_024]], [[8_443, 443]], [[1, 2, 3]], [null]].map(
      (value): [string, unknown, RegExp] => [
        "allowedTargetPorts",
        value,
        /^allowedTargetPorts: must be a list of ports from 1 to 65535 and ranges of them, such as \[443, 8443, \[1024, 65535\]\]$/,
      ],
    ),
    ["egress", "http://proxy", /^egress: must be \{ proxy, clientCertificate, ca, sourceAddress \}$/],
    ["trustedOrigins", "http://127.0.0.1:8787", /^trustedOrigins: must be a list of origins, such as /],
    ["trustedOrigins", ["127.0.0.1:8787"], /^trustedOrigins: must be a list of origins/],
    ["trustedOrigins", ["http://127.0.0.1:8787/hooks"], /^trustedOrigins: must be a list of origins/],
    ["allowTargets", "10.1.2.3", /^allowTargets: must be a list of host names, IP addresses and networks$/],
    [
      "allowTargets",
      ["10.1.2.3", 1],
      /^allowTargets: must be a list of host names, IP addresses and networks$/,
    ],
    ["allowTargets", ["0.0.0.0/0"], /^allowTargets: .* "0\.0\.0\.0\/0" is not part of a private network/],
    ["corsOrigins", ["https://app.example.com/"], /^corsOrigins: must be a list of origins/],
    ["corsOrigins", "*", /^corsOrigins: must be a list of origins/],
    ["mailer", () => {}, /^mailer: must be an object with a function `send`$/],
    ["contacts", null, /^contacts: must be an object with the functions `get`, `list` and `upsert`$/],
    ["contacts", { get() {}, list() {} }, /^contacts: must be an object with the functions/],
    ["orders", { get() {}, list: [] }, /^orders: must be an object with the functions `get` and `list`$/],
    ["blogPosts", () => {}, /^blogPosts: must be an object with a function `create`$/],
    ["logger", { info: () => {} }, /^logger: must have the functions info, warn and error, .*pinoLogger/],
    ["now", 1_800_000_000_000, /^now: must be a function/],
    ["now", () => new Date(), /^now: must be a function that returns milliseconds/],
    [
      "now",
      () => {
        throw new Error("not a clock");
      },
      /^now: must be a function that returns milliseconds/,
    ],
    ["now", () => Number.NaN, /^now: must be a function that returns milliseconds/],
  ])("%s: %j", async (option, value, message) => {
    const refusal = await refusalOf({ [option]: value });
    expect(refusal).toBeInstanceOf(ConfigurationError);
    expect(refusal).toMatchObject({
      code: "invalid_option",
      option,
      name: "ConfigurationError",
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
  });

  it("several invalid options are reported in one error", async () => {
    const refusal = await refusalOf({ store: undefined, secret: "short", basePath: "x", now: 7 });
    expect(refusal).toMatchObject({ option: "store", options: ["store", "secret", "basePath", "now"] });
    expect(String(refusal)).toMatch(
      /^ConfigurationError: store: is required\. .+; secret: must be .+; basePath: must begin .+; now: must be /u,
    );
  });

  it("a store that was not awaited and fails to open has its reason in the log", async () => {
    const { logger, lines } = keepLines();
    const refused = refusalOf({ store: Promise.reject(new Error("no such directory")), logger });
    expect(String(await refused)).toContain("store: is a promise");
    expect(lines).toMatchObject([
      { level: "error", fields: { code: "store_not_opened", error: "no such directory" } },
    ]);
  });

  it("missing options are reported", async () => {
    // @ts-expect-error: a program without types may forget them
    await expect(createHookwright()).rejects.toMatchObject({
      message: "options: are required: at least { store, secret }",
    });
  });

  it("no message repeats a secret", async () => {
    expect(String(await refusalOf({ secret: "hunter2" }))).not.toContain("hunter2");
  });
});

describe("options that may be mistakes", () => {
  afterEach(() => void vi.unstubAllEnvs());

  it.each(["production", "production "])(
    "private targets are refused if NODE_ENV is %j, as by the server",
    async (environment) => {
      vi.stubEnv("NODE_ENV", environment);
      expect(await refusalOf({ privateTargets: true })).toMatchObject({
        message: expect.stringMatching(/^privateTargets: must be false when NODE_ENV is production/),
      });
      expect(await refusalOf({ privateTargets: false })).toBeUndefined();
      expect(await refusalOf({ trustedOrigins: ["http://127.0.0.1:8787"] })).toBeUndefined();
    },
  );

  it.each<[code: string, options: Partial<HookwrightOptions>]>([
    ["private_targets_allowed", { privateTargets: true }],
    ["host_token_short", { hostToken: "abc" }],
    ["host_token_short", { hostToken: "a-token-of-sixteen,shop:publish:abc" }],
    ["metrics_token_short", { metricsToken: "fifteen-letters" }],
    ["proxy_checks_addresses", { egress: { proxy: "http://proxy.example.com:3128" } }],
  ])("are logged at the start: %s", async (code, options) => {
    const { logger, lines } = keepLines();
    await using _ = await createHookwright({ store: memoryStore(), secret, logger, ...options });
    expect(lines).toEqual([
      expect.objectContaining({ level: "warn", fields: expect.objectContaining({ code }) }),
    ]);
    expect(JSON.stringify(lines)).not.toContain("abc");
  });

  it("tokens of 16 characters are not", async () => {
    const { logger, lines } = keepLines();
    const options = { hostToken: "sixteen-letters-", metricsToken: "sixteen-letters+" };
    await using _ = await createHookwright({ store: memoryStore(), secret, logger, ...options });
    expect(lines).toEqual([]);
  });

  it.each(["hostToken", "metricsToken"])("a %s that a header cannot carry is refused", async (option) => {
    expect(await refusalOf({ [option]: "tokén-of-sixteen-letters" })).toMatchObject({
      options: [option],
      message: expect.stringMatching(/has characters that a header cannot carry$/),
    });
  });
});

describe("an unknown option", () => {
  it.each([
    [
      { basepath: "/integrations" },
      "createHookwright ignores unknown options: basepath (did you mean basePath?)",
    ],
    [
      { hostTokn: "x", trustedOrigin: [] },
      /: hostTokn \(did you mean hostToken\?\), trustedOrigin \(did you mean trustedOrigins\?\)$/,
    ],
    [{ retryDelays: [1] }, /: retryDelays \(did you mean retryDelaysSeconds\?\)$/],
    [{ colour: "red" }, "createHookwright ignores unknown options: colour"],
  ])("is logged once, with a suggestion if possible: %j", async (options, message) => {
    const { logger, lines } = keepLines();
    expect(await refusalOf({ ...options, logger })).toBeUndefined();
    expect(lines).toMatchObject([
      { level: "warn", message: typeof message === "string" ? message : expect.stringMatching(message) },
    ]);
  });

  it("is not logged without a value", async () => {
    const { logger, lines } = keepLines();
    expect(await refusalOf({ basepath: undefined, hostToken: undefined, logger })).toBeUndefined();
    expect(lines).toEqual([]);
  });
});

describe("an option at the end of its range is accepted", () => {
  it.each<[string, unknown]>([
    ["secret", "x".repeat(32)],
    ["basePath", ""],
    ["basePath", "/a/b-c.d~e_f"],
    ...settingNames.map((name): [string, unknown] => [name, settings[name].fallback]),
    ["retryDelaysSeconds", []],
    ["metrics", "public"],
    ["trustedOrigins", ["http://127.0.0.1:8787", "https://hooks.internal"]],
    ["allowTargets", []],
    ["corsOrigins", ["https://app.example.com"]],
    ["logger", console],
  ])("%s: %j", async (option, value) => {
    expect(await refusalOf({ [option]: value })).toBeUndefined();
  });
});

it.each<[option: string, egress: unknown, message: RegExp]>([
  ["proxy", { proxy: "socks5://user:hidden@proxy" }, /: must be the URL of an HTTP proxy, such as [^ ]+$/],
  ["sourceAddress", { sourceAddress: "eth0" }, /: must be an IP address of this machine$/],
  [
    "sourceAddress",
    { sourceAddress: "192.0.2.7" },
    /: must be an IP address of this machine; .*EADDRNOTAVAIL/,
  ],
  ["clientCertificate", { clientCertificate: { cert: "x" } }, /: must be \{ cert, key \}, both in PEM$/],
  ["clientCertificate", { clientCertificate: { cert: "x", key: "y" } }, /cannot be read: they must be PEM/],
  ["ca", { ca: 1 }, /: must be text in PEM$/],
])("an invalid egress.%s is refused: %j", async (option, egress, message) => {
  const refusal = await refusalOf({ egress });
  expect(refusal).toMatchObject({ code: "invalid_option", option: `egress.${option}` });
  expect(String(refusal)).toMatch(message);
  expect(String(refusal)).not.toContain("hidden");
});
