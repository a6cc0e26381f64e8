import { hostScopes } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { runCli } from "../src/cli.ts";
import { completeSwitches } from "../src/commands/serve.ts";
import type { Option } from "../src/options/option.ts";
import { options } from "../src/options/options.ts";
import { readSettings } from "../src/options/read-settings.ts";
import type { Settings } from "../src/options/read-settings.ts";
import { createTestProgram } from "./support/test-program.ts";

function read(environment: Record<string, string>, flags: Record<string, string> = {}): Settings {
  return readSettings({ flags, environment, demo: false, isTerminal: false });
}

/** The message of a server that refuses to start. */
async function complaintOf(
  flags: readonly string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const program = createTestProgram({ commandLine: ["serve", ...flags], environment });
  expect(await runCli(program)).toBe(2);
  expect(program.printed).toEqual([]);
  return program.complained.join("\n");
}

const long = "s".repeat(32);

type Name = keyof typeof options;

interface Values {
  readonly good: readonly (readonly [text: string, value: unknown])[];
  readonly bad: readonly string[];
}

const pemFile: Values = {
  good: [["/run/secrets/redis.pem", "/run/secrets/redis.pem"]],
  bad: ["~/redis.pem", "-----BEGIN CERTIFICATE-----\nMIIB"],
};
const asText = (...texts: readonly string[]) => texts.map((text) => [text, text] as const);
const secretText: Values = { good: [[long, long]], bad: ["s".repeat(31), "x"] };

/** Options with rules of their own. */
const ownRules: Partial<Record<Name, Values>> = {
  port: {
    good: [
      ["0", 0],
      [" 8080 ", 8_080],
    ],
    bad: ["65536", "3000,3001"],
  },
  host: {
    good: asText("0.0.0.0", "::1", "hooks.example.com"),
    bad: ["http://localhost", "a b", "-x", "under_score", "a".repeat(64)],
  },
  adminPort: { good: [["9464", 9_464]], bad: ["65536"] },
  adminHost: { good: [], bad: ["a b", "http://x"] },
  publicUrl: {
    good: [["https://example.com/hooks/", "https://example.com/hooks"]],
    bad: ["example.com", "ftp://example.com", "https://example.com/#a"],
  },
  storage: {
    good: [
      ["memory", { type: "memory" }],
      ["file:data", { type: "file", directory: "data" }],
      ["file:/var/lib/x", { type: "file", directory: "/var/lib/x" }],
      ["file:///var/lib/x", { type: "file", directory: "/var/lib/x" }],
    ],
    bad: [
      "disk;file:;file://host/x;file:~/data;Memory;http://example.com",
      "redis:;redis://;redis://h:99999;redis://h/one;redis-cluster://a:b;redis-cluster://,",
      "postgres:;postgres://h:99999/shop",
    ].flatMap((line) => line.split(";")),
  },
  outbox: {
    good: asText(
      "postgres://app@db/shop?schema=hooks",
      "postgres://app:pw@/shop?host=/cloudsql/project:region:instance",
      "postgres://app:pw@db-1:5432,db-2:5432/shop?target_session_attrs=read-write",
    ),
    bad: ["shop", "memory", "redis://h", "postgres://h:99999/shop"],
  },
  outboxNotify: { good: [["on", true]], bad: ["true"] },
  poolSize: {
    good: [
      ["3", 3],
      ["1000", 1_000],
    ],
    bad: ["2", "1001"],
  },
  redisCa: pemFile,
  redisCert: pemFile,
  redisKey: pemFile,
  secret: secretText,
  secretPrevious: secretText,
  hostToken: {
    good: [
      ["t", [{ name: "default", scopes: hostScopes, token: "t" }]],
      ["a-b_c.~+/=", [{ name: "default", scopes: hostScopes, token: "a-b_c.~+/=" }]],
      [
        "shop:publish+read:one, desk:manage:two",
        [
          { name: "shop", scopes: ["publish", "read"], token: "one" },
          { name: "desk", scopes: ["manage"], token: "two" },
        ],
      ],
    ],
    bad: ["two words", "tokén", "one,", "shop:write:token", "shop:token", "one,one"],
  },
  retryDelaysSeconds: {
    good: [[".1, 1.5 ,86400", [0.1, 1.5, 86_400]]],
    bad: ["0.04", "1,,2", "1;2", ","],
  },
  privateTargets: {
    good: [
      ["deny", false],
      ["allow", true],
    ],
    bad: ["true", "Allow"],
  },
  allowTargets: {
    good: [
      ["10.1.2.3/32,hooks.internal", ["10.1.2.3/32", "hooks.internal"]],
      [" fd00:1::/64 , localhost ", ["fd00:1::/64", "localhost"]],
    ],
    bad: ["0.0.0.0/0", "10.1.2.3,", "*.internal", "https://hooks.internal", "10.1.2.3 hooks.internal"],
  },
  allowedTargetPorts: {
    good: [
      ["443", [443]],
      ["443,8443,1024-65535", [443, 8_443, [1_024, 65_535]]],
      [" 443 , 1 - 65535 ", [443, [1, 65_535]]],
      ["8080-8080", [[8_080, 8_080]]],
    ],
    bad: "0;65536;443,;,;http;1e3;1024-;-1024;2000-1000;1-2-3;0-443;443 8443".split(";"),
  },
  proxy: {
    good: asText("http://proxy:3128", "https://u:p@proxy.example.com"),
    bad: ["proxy:3128", "socks5://proxy", "http://", "http://u:p@proxy/path"],
  },
  sourceAddress: { good: asText("127.0.0.2", "2001:db8::1"), bad: ["eth0", "127.0.0", "10.0.0.0/8"] },
  deliveryClientCert: pemFile,
  deliveryClientKey: pemFile,
  deliveryCa: pemFile,
  smtpUrl: {
    good: asText("smtp://localhost:25", "smtps://u:p@mail.example.com"),
    bad: ["mail.example.com", "http://mail.example.com", "smtp://", "smtp://u:p@mail%zz:25"],
  },
  mailFrom: {
    good: asText("hooks@example.com", "Hooks <hooks@example.com>"),
    bad: ["hooks", "a@b, c@d", "<>", "Hooks <hooks>"],
  },
  maxConnections: {
    good: [
      ["1", 1],
      ["1000000", 1_000_000],
    ],
    bad: ["0", "1000001"],
  },
  headersTimeoutSeconds: {
    good: [
      ["0.1", 0.1],
      ["30", 30],
    ],
    bad: ["0.05", "3601"],
  },
  requestTimeoutSeconds: {
    good: [
      ["10", 10],
      ["3600", 3_600],
    ],
    bad: ["0.05", "3601"],
  },
  headerPrefix: { good: asText("X-Acme", "acme2"), bad: ["X-", "webhook", "x".repeat(41)] },
  keepBodies: { good: asText("all", "until_accepted", "none"), bad: ["until-accepted"] },
  metricsToken: { good: asText("t"), bad: ["two words", "tokén"] },
  log: { good: asText("pretty", "json"), bad: ["JSON"] },
  logLevel: { good: asText("debug", "info", "warn", "error"), bad: ["INFO", "trace"] },
  commit: { good: asText("2867e59c"), bad: ["a b", "x".repeat(65)] },
  demoTraffic: { good: [["off", false]], bad: ["true"] },
  // "on" needs a host token.
  operatorConsole: { good: [["off", false]], bad: ["true"] },
};

/** The other options are settings of the library, whose rules its own tests prove. */
function valuesOf(name: Name): Values {
  const { fallback }: Option<unknown> = options[name];
  const good =
    typeof fallback === "boolean" ? (["on", true] as const) : ([String(fallback), fallback] as const);
  return ownRules[name] ?? { good: [good], bad: ["none"] };
}

const table = Object.keys(options)
  .filter((name): name is Name => name in options)
  .map((key) => ({ key, ...valuesOf(key) }));

describe("options", () => {
  it("an invalid host token in a list is named without being shown", () => {
    const environment = { HOOKWRIGHT_HOST_TOKEN: "hidden-a,shop:publish+pubish:hidden-b" };
    expect(() => read(environment)).toThrow(/HOOKWRIGHT_HOST_TOKEN must be .*In the list, entry 2 \(shop\)/u);
    expect(() => read(environment)).not.toThrow(/hidden/u);
  });

  it("the admin host needs an admin port, which is not the other port", () => {
    expect(() => read({ HOOKWRIGHT_ADMIN_HOST: "0.0.0.0" })).toThrow(/HOOKWRIGHT_ADMIN_HOST\) needs/u);
    expect(() => read({ PORT: "80", HOOKWRIGHT_ADMIN_PORT: "80" })).toThrow(/ADMIN_PORT\) must differ/u);
    const twoAddresses = { PORT: "80", HOOKWRIGHT_ADMIN_PORT: "80", HOOKWRIGHT_ADMIN_HOST: "10.0.0.1" };
    expect(read(twoAddresses)).toMatchObject({ adminPort: 80, adminHost: "10.0.0.1" });
  });

  it.each([
    ["HOOKWRIGHT_ACCESS_LOG", "accessLog"],
    ["HOOKWRIGHT_ATTEMPT_LOG", "attemptLog"],
  ] as const)("%s needs the level info or debug", (variable, key) => {
    const on = { [variable]: "on" };
    expect(() => read({ ...on, HOOKWRIGHT_LOG_LEVEL: "warn" })).toThrow(/LOG_LEVEL must be info or debug/u);
    expect(read({ ...on, HOOKWRIGHT_LOG_LEVEL: "debug" })[key]).toBe(true);
  });

  it("an outbox without notifications needs an outbox", () => {
    const off = { HOOKWRIGHT_OUTBOX_NOTIFY: "off", HOOKWRIGHT_SECRET: "s".repeat(32) };
    expect(() => read(off)).toThrow(/HOOKWRIGHT_OUTBOX_NOTIFY needs .*HOOKWRIGHT_OUTBOX\)/u);
    for (const place of ["HOOKWRIGHT_OUTBOX", "HOOKWRIGHT_STORAGE"])
      expect(read({ ...off, [place]: "postgres://db/shop" }).outboxNotify).toBe(false);
  });

  it("the operator console needs a host token", () => {
    const on = { HOOKWRIGHT_OPERATOR_CONSOLE: "on" };
    expect(() => read(on)).toThrow(/HOOKWRIGHT_OPERATOR_CONSOLE needs HOOKWRIGHT_HOST_TOKEN/u);
    expect(read({ ...on, HOOKWRIGHT_HOST_TOKEN: "a" }).operatorConsole).toBe(true);
  });

  it("the metrics token must not be a host token", () => {
    const environment = { HOOKWRIGHT_HOST_TOKEN: "a,shop:publish:b", HOOKWRIGHT_METRICS_TOKEN: "b" };
    expect(() => read(environment)).toThrow(/HOOKWRIGHT_METRICS_TOKEN must differ/u);
  });

  it("have the defaults of the contract", () => {
    expect(read({})).toEqual({
      port: 3_000,
      host: "127.0.0.1",
      adminPort: undefined,
      adminHost: undefined,
      publicUrl: undefined,
      storage: { type: "file", directory: ".hookwright" },
      outboxNotify: true,
      poolSize: 10,
      redisCa: undefined,
      redisCert: undefined,
      redisKey: undefined,
      role: "all",
      secret: undefined,
      hostToken: undefined,
      retryDelaysSeconds: [15, 60, 240, 540, 900],
      attemptTimeoutSeconds: 10,
      endpointBackoffSeconds: 180,
      switchOffAfter: 30,
      obeyRetryAfter: false,
      standardWebhooks: false,
      headerPrefix: "X-Service",
      bodyForm: "hookwright",
      builtInEvents: true,
      trustProxy: 0,
      privateTargets: false,
      allowTargets: [],
      allowedTargetPorts: [443, 8_443, [1_024, 65_535]],
      smtpUrl: undefined,
      mailFrom: undefined,
      rateLimitPerMinute: 200,
      consoleRateLimitPerMinute: 600,
      sendsPerMinute: 60,
      maxConnections: undefined,
      headersTimeoutSeconds: 10,
      requestTimeoutSeconds: 30,
      consoleTokenSeconds: 3_600,
      retentionDays: 30,
      auditRetentionDays: 90,
      keepBodies: "all",
      deliveryLogMiB: 256,
      metrics: "token",
      metricsToken: undefined,
      log: "json",
      logLevel: "info",
      operatorConsole: false,
      accessLog: false,
      attemptLog: false,
      commit: undefined,
      demoTraffic: true,
      demo: false,
    });
  });

  it("with empty variables count as unset", () => {
    const empty = Object.fromEntries(Object.values(options).map(({ variable }) => [variable, " "]));
    expect(read(empty)).toEqual(read({}));
  });

  it("log in pretty form on a terminal by default", () => {
    const onTerminal = { flags: {}, demo: false, isTerminal: true };
    expect(readSettings({ ...onTerminal, environment: {} }).log).toBe("pretty");
    expect(readSettings({ ...onTerminal, environment: { HOOKWRIGHT_LOG: "json" } }).log).toBe("json");
  });

  const goodValues = table.flatMap(({ key, good }) => good.map(([text, value]) => ({ key, text, value })));
  it.each(goodValues)("accept $key $text, by flag and by variable", ({ key, text, value }) => {
    const { flag, variable }: Option<unknown> = options[key];
    expect(read({ [variable]: text })[key]).toEqual(value);
    if (flag !== undefined) expect(read({}, { [flag]: text })[key]).toEqual(value);
  });

  it.each([
    [
      ["--standard-webhooks", "--port", "0"],
      ["--standard-webhooks=on", "--port", "0"],
    ],
    [
      ["--port", "0", "--obey-retry-after"],
      ["--port", "0", "--obey-retry-after=on"],
    ],
    [
      ["--standard-webhooks", "off"],
      ["--standard-webhooks", "off"],
    ],
    [
      ["--standard-webhooks", "yes"],
      ["--standard-webhooks", "yes"],
    ],
    [
      ["--private-targets", "--demo"],
      ["--private-targets", "--demo"],
    ],
  ])("read a switch without a value as on: %j", (given, completed) => {
    expect(completeSwitches(given)).toEqual(completed);
  });

  it("accept a switch without a value", async () => {
    const complaint = await complaintOf(["--standard-webhooks", "--obey-retry-after", "--port", "none"]);
    expect(complaint).toContain("--port");
    expect(complaint).not.toMatch(/--standard-webhooks|--obey-retry-after/u);
  });

  const badValues = table.flatMap(({ key, bad }) => bad.map((text) => ({ key, text })));
  it.each(badValues)("refuse $key $text with exit code 2 and name the option", async ({ key, text }) => {
    const { flag, variable, secret, allowed }: Option<unknown> = options[key];
    const messages = [await complaintOf([], { [variable]: text })];
    if (flag !== undefined) messages.push(await complaintOf([`--${flag}=${text}`]));
    for (const message of messages) {
      expect(message).toContain(variable);
      if (flag !== undefined) expect(message).toContain(`--${flag}`);
      expect(message).toContain(allowed);
      if (secret === true) expect(message).not.toContain(`"${text}"`);
      else expect(message).toContain(JSON.stringify(text));
      expect(message).not.toMatch(/^\s+at /mu);
    }
  });

  it.each([
    ["file:~/data", 'Write "file:$HOME/data"', "file:./~/data"],
    ["file:~ada", "Write the whole path", "file:./~ada"],
    ...["/var/data", "./data", "../data"].map((path) => [path, `Write a directory as file:${path}.`, path]),
  ])("refuse %s as a storage, and say what to write", async (text = "", instead = "", other = "") => {
    const complaint = await complaintOf(["--storage", text]);
    expect(complaint).toContain(instead);
    expect(complaint).toContain(other);
  });

  it("refuse a headers timeout that is longer than the request timeout", () => {
    expect(() => read({ HOOKWRIGHT_HEADERS_TIMEOUT: "20", HOOKWRIGHT_REQUEST_TIMEOUT: "15" })).toThrow(
      "HOOKWRIGHT_HEADERS_TIMEOUT must not be longer than HOOKWRIGHT_REQUEST_TIMEOUT: 20 is more than 15.",
    );
  });

  it("with several invalid values get one message that names all", async () => {
    const environment = { PORT: "x", HOST: "a b", HOOKWRIGHT_ROLE: "y", HOOKWRIGHT_RATE_LIMIT: "0" };
    const complaint = await complaintOf([], environment);
    for (const variable of Object.keys(environment)) expect(complaint).toContain(variable);
  });

  it("given by a flag override the variable, even an invalid one", () => {
    expect(read({ PORT: "nonsense" }, { port: "81" }).port).toBe(81);
  });

  it.each([
    ["SMTP_URL", "http://u:hunter2@host"],
    ["HOOKWRIGHT_STORAGE", "rediss:user:hunter2://x:hunter2@host"],
    ["HOOKWRIGHT_STORAGE", "redis://host?password=hunter2"],
    ["HOOKWRIGHT_STORAGE", "redis://:hunter2%@host"],
    ["HOOKWRIGHT_STORAGE", "postgres://app:hunter2%@host/shop"],
  ])("never show the password of a refused URL: %s=%s", async (variable, url) => {
    const complaint = await complaintOf([], { [variable]: url });
    expect(complaint).toContain(variable);
    expect(complaint).not.toMatch(/:hunter2%?@|=hunter2/u);
  });

  it.each([
    ["Redis", "redis://localhost:6379"],
    ["Redis", "rediss://localhost"],
    ["Redis", "redis-cluster://a:1,b:2"],
    ["Redis", "rediss-cluster://a:1,b:2"],
    ["PostgreSQL", "postgres://app@localhost:5432/shop"],
    ["PostgreSQL", "postgresql://localhost/shop?schema=hooks&sslmode=require"],
  ])("require a secret with %s, which every process needs: %s", (kind, url) => {
    expect(() => read({ HOOKWRIGHT_STORAGE: url })).toThrow(`HOOKWRIGHT_SECRET must be set with ${kind}`);
    const settings = read({ HOOKWRIGHT_STORAGE: url, HOOKWRIGHT_SECRET: long });
    expect(settings.storage).toEqual({ type: kind === "Redis" ? "redis" : "postgres", url });
  });

  describe("of certificates", () => {
    const overTls = { HOOKWRIGHT_STORAGE: "rediss://localhost", HOOKWRIGHT_SECRET: long };
    const pair = { HOOKWRIGHT_REDIS_CERT: "client.pem", HOOKWRIGHT_REDIS_KEY: "client.key" };

    it("are accepted for Redis over TLS, and for a Cluster", () => {
      expect(read({ ...overTls, ...pair })).toMatchObject({
        redisCert: "client.pem",
        redisKey: "client.key",
      });
      const cluster = { ...overTls, HOOKWRIGHT_STORAGE: "rediss-cluster://a:1,b:2" };
      expect(read({ ...cluster, HOOKWRIGHT_REDIS_CA: "ca.pem" }).redisCa).toBe("ca.pem");
    });

    it.each(["redis://localhost", "redis-cluster://a:1,b:2"])(
      "are refused for %s, which is not encrypted",
      (url) => {
        expect(() => read({ ...overTls, ...pair, HOOKWRIGHT_STORAGE: url })).toThrow(
          /rediss:\/\/.*HOOKWRIGHT_REDIS_CERT and HOOKWRIGHT_REDIS_KEY/u,
        );
      },
    );

    it.each(["HOOKWRIGHT_REDIS_CERT", "HOOKWRIGHT_REDIS_KEY"])("must be set together: %s", (name) => {
      expect(() => read({ ...overTls, [name]: "client.pem" })).toThrow(/must be set together/u);
    });

    it("are ignored with another storage", () => {
      expect(read({ ...pair, HOOKWRIGHT_STORAGE: "memory" }).storage).toEqual({ type: "memory" });
    });
  });

  it.each(["no", "true", ""])("for the demo accept no value: %j", async (value) => {
    expect(await complaintOf([`--demo=${value}`])).toContain("--demo takes no value");
  });

  // A trailing space is left after `set NODE_ENV=production && …` in Windows.
  it.each(["production", "production "])("refuse private targets if NODE_ENV is %j", (environment) => {
    const allowed = { HOOKWRIGHT_PRIVATE_TARGETS: "allow" };
    expect(() => read({ ...allowed, NODE_ENV: environment })).toThrow(
      /--private-targets \(or HOOKWRIGHT_PRIVATE_TARGETS\).*production/u,
    );
    expect(read({ ...allowed, NODE_ENV: "development" }).privateTargets).toBe(true);
    expect(read({ HOOKWRIGHT_PRIVATE_TARGETS: "deny", NODE_ENV: environment }).privateTargets).toBe(false);
  });

  it.each(["api", "worker"])("refuse a demo in role %s, which cannot show a delivery", (role) => {
    const input = { flags: { role }, environment: {}, demo: true, isTerminal: false };
    expect(() => readSettings(input)).toThrow(/--role \(or HOOKWRIGHT_ROLE\).*--demo/u);
  });

  it.each(["off", "order.created"])("refuse a demo with --built-in-events %s", (events) => {
    const flags = { "built-in-events": events };
    const input = { flags, environment: {}, demo: true, isTerminal: false };
    expect(() => readSettings(input)).toThrow(/--built-in-events .* must be on with --demo/u);
    expect(readSettings({ ...input, demo: false }).builtInEvents).not.toBe(true);
  });

  it("name the events of the specification, if one is misspelt", async () => {
    expect(await complaintOf(["--built-in-events", "order.pay"])).toMatch(
      /"order\.pay" is not\. Those events are order\.created, order\.paid, /u,
    );
  });
});
