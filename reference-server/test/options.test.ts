import fc from "fast-check";
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

const long = "s".repeat(32);

interface Row {
  readonly key: keyof typeof options;
  readonly good: readonly (readonly [text: string, value: unknown])[];
  readonly bad: readonly string[];
}

const table: readonly Row[] = [
  {
    key: "port",
    good: [
      ["0", 0],
      ["1", 1],
      ["65535", 65_535],
      [" 8080 ", 8_080],
    ],
    bad: ["-1", "65536", "80.5", "abc", "0x50", "1e3", "Infinity", "3000,3001"],
  },
  {
    key: "host",
    good: [
      ["0.0.0.0", "0.0.0.0"],
      ["::1", "::1"],
      ["hooks.example.com", "hooks.example.com"],
    ],
    bad: ["http://localhost", "a b", "-x", "under_score", "a".repeat(64)],
  },
  {
    key: "adminPort",
    good: [
      ["0", 0],
      ["9464", 9_464],
    ],
    bad: ["-1", "65536", "x"],
  },
  { key: "adminHost", good: [], bad: ["a b", "http://x"] },
  {
    key: "publicUrl",
    good: [["https://example.com/hooks/", "https://example.com/hooks"]],
    bad: ["example.com", "ftp://example.com", "https://example.com/#a"],
  },
  {
    key: "storage",
    good: [
      ["memory", { type: "memory" }],
      ["file:data", { type: "file", directory: "data" }],
      ["file:/var/lib/x", { type: "file", directory: "/var/lib/x" }],
      ["file:///var/lib/x", { type: "file", directory: "/var/lib/x" }],
    ],
    bad: [
      "",
      "disk",
      "file:",
      "file://host/x",
      "Memory",
      "redis:",
      "redis://",
      "http://example.com",
      "redis://h:99999",
      "redis://h/one",
      "redis-cluster://a:b",
      "redis-cluster://,",
      "file:~/data",
      "postgres:",
      "postgres://h:99999/shop",
    ].slice(1),
  },
  {
    key: "outbox",
    good: [
      "postgres://app@db/shop?schema=hooks",
      "postgres://app:pw@/shop?host=/cloudsql/project:region:instance",
      "postgres://app:pw@db-1:5432,db-2:5432/shop?target_session_attrs=read-write",
    ].map((url) => [url, url]),
    bad: ["shop", "memory", "redis://h", "postgres://h:99999/shop"],
  },
  {
    key: "outboxNotify",
    good: [["on", true]],
    bad: ["true", "1"],
  },
  {
    key: "poolSize",
    good: [
      ["3", 3],
      ["1000", 1_000],
    ],
    bad: ["0", "2", "1001", "3.5", "many"],
  },
  {
    key: "redisCa",
    good: [["/run/secrets/redis.pem", "/run/secrets/redis.pem"]],
    bad: ["~/redis.pem", "-----BEGIN CERTIFICATE-----\nMIIB"],
  },
  {
    key: "redisCert",
    good: [["/run/secrets/redis.pem", "/run/secrets/redis.pem"]],
    bad: ["~/redis.pem", "-----BEGIN CERTIFICATE-----\nMIIB"],
  },
  {
    key: "redisKey",
    good: [["/run/secrets/redis.pem", "/run/secrets/redis.pem"]],
    bad: ["~/redis.pem", "-----BEGIN CERTIFICATE-----\nMIIB"],
  },
  {
    key: "role",
    good: [
      ["all", "all"],
      ["api", "api"],
      ["worker", "worker"],
    ],
    bad: ["ALL", "workers", "none"],
  },
  { key: "secret", good: [[long, long]], bad: ["s".repeat(31), "x"] },
  { key: "secretPrevious", good: [[long, long]], bad: ["s".repeat(31), "x"] },
  {
    key: "hostToken",
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
  {
    key: "retryDelaysSeconds",
    good: [
      ["15,60,240,540,900", [15, 60, 240, 540, 900]],
      ["0.05", [0.05]],
      [".1, 1.5 ,86400", [0.1, 1.5, 86_400]],
    ],
    bad: [
      "0.04",
      "86401",
      "1,,2",
      "1;2",
      "-1",
      "1,abc",
      ",",
      Array.from({ length: 101 }, () => "1").join(","),
    ],
  },
  {
    key: "attemptTimeoutSeconds",
    good: [
      ["0.1", 0.1],
      ["60", 60],
      ["2.5", 2.5],
    ],
    bad: ["0.09", "60.1", "0", "ten", "1e1", "NaN"],
  },
  {
    key: "endpointBackoffSeconds",
    good: [
      ["0", 0],
      ["0.5", 0.5],
      ["30", 30],
      ["86400", 86_400],
    ],
    bad: ["-1", "86401", "none", "1e3", "NaN"],
  },
  {
    key: "obeyRetryAfter",
    good: [
      ["on", true],
      ["off", false],
    ],
    bad: ["true", "1", "yes"],
  },
  {
    key: "standardWebhooks",
    good: [
      ["on", true],
      ["off", false],
    ],
    bad: ["true", "1", "yes", "ON"],
  },
  {
    key: "trustProxy",
    good: [
      ["0", 0],
      ["1", 1],
      ["100", 100],
    ],
    bad: ["-1", "101", "1.5", "true", "loopback", "10.0.0.0/8"],
  },
  {
    key: "privateTargets",
    good: [
      ["deny", false],
      ["allow", true],
    ],
    bad: ["true", "yes", "Allow", "1"],
  },
  {
    key: "allowTargets",
    good: [
      ["10.1.2.3/32,hooks.internal", ["10.1.2.3/32", "hooks.internal"]],
      [" fd00:1::/64 , localhost ", ["fd00:1::/64", "localhost"]],
    ],
    bad: ["0.0.0.0/0", "10.1.2.3,", "*.internal", "https://hooks.internal", "10.1.2.3 hooks.internal"],
  },
  {
    key: "allowedTargetPorts",
    good: [
      ["443", [443]],
      ["443,8443,1024-65535", [443, 8_443, [1_024, 65_535]]],
      [" 443 , 1 - 65535 ", [443, [1, 65_535]]],
      ["8080-8080", [[8_080, 8_080]]],
    ],
    bad: [
      "0",
      "65536",
      "443,",
      ",",
      "443;8443",
      "1024-",
      "-1024",
      "2000-1000",
      "1-2-3",
      "http",
      "0-443",
      "1e3",
    ],
  },
  {
    key: "proxy",
    good: [
      ["http://proxy:3128", "http://proxy:3128"],
      ["https://u:p@proxy.example.com", "https://u:p@proxy.example.com"],
    ],
    bad: ["proxy:3128", "socks5://proxy", "http://", "http://u:p@proxy/path"],
  },
  {
    key: "sourceAddress",
    good: [
      ["127.0.0.2", "127.0.0.2"],
      ["2001:db8::1", "2001:db8::1"],
    ],
    bad: ["eth0", "127.0.0", "10.0.0.0/8"],
  },
  {
    key: "deliveryClientCert",
    good: [["/run/secrets/client.pem", "/run/secrets/client.pem"]],
    bad: ["-----BEGIN CERTIFICATE-----", "~/client.pem"],
  },
  {
    key: "deliveryClientKey",
    good: [["/run/secrets/client.pem", "/run/secrets/client.pem"]],
    bad: ["-----BEGIN PRIVATE KEY-----", "~/client.pem"],
  },
  {
    key: "deliveryCa",
    good: [["/run/secrets/ca.pem", "/run/secrets/ca.pem"]],
    bad: ["-----BEGIN CERTIFICATE-----", "~/ca.pem"],
  },
  {
    key: "smtpUrl",
    good: [
      ["smtp://localhost:25", "smtp://localhost:25"],
      ["smtps://u:p@mail.example.com", "smtps://u:p@mail.example.com"],
    ],
    bad: ["mail.example.com", "http://mail.example.com", "smtp://", "smtp://u:p@mail%zz:25"],
  },
  {
    key: "mailFrom",
    good: [
      ["hooks@example.com", "hooks@example.com"],
      ["Hooks <hooks@example.com>", "Hooks <hooks@example.com>"],
    ],
    bad: ["hooks", "a@b, c@d", "<>", "Hooks <hooks>"],
  },
  {
    key: "rateLimitPerMinute",
    good: [
      ["1", 1],
      ["1000000000", 1_000_000_000],
    ],
    bad: ["0", "1000000001", "1.5", "many", "-5"],
  },
  {
    key: "consoleRateLimitPerMinute",
    good: [
      ["1", 1],
      ["1000000000", 1_000_000_000],
    ],
    bad: ["0", "1000000001", "1.5", "many", "-5"],
  },
  {
    key: "sendsPerMinute",
    good: [
      ["1", 1],
      ["1000000000", 1_000_000_000],
    ],
    bad: ["0", "1000000001", "1.5", "many", "-5"],
  },
  {
    key: "maxConnections",
    good: [
      ["1", 1],
      ["1000000", 1_000_000],
    ],
    bad: ["0", "-1", "1.5", "1000001", "all"],
  },
  {
    key: "headersTimeoutSeconds",
    good: [
      ["0.1", 0.1],
      ["30", 30],
    ],
    bad: ["0", "0.05", "3601", "10s"],
  },
  {
    key: "requestTimeoutSeconds",
    good: [
      ["10", 10],
      ["3600", 3_600],
    ],
    bad: ["0", "0.05", "3601", "1e3"],
  },
  {
    key: "consoleTokenSeconds",
    good: [
      ["1", 1],
      ["3600", 3_600],
    ],
    bad: ["0", "0.5", "1h", "-1"],
  },
  {
    key: "retentionDays",
    good: [
      ["0.05", 0.05],
      ["3650", 3_650],
    ],
    bad: ["0", "0.01", "3651", "30d"],
  },
  {
    key: "auditRetentionDays",
    good: [
      ["1", 1],
      ["3650", 3_650],
    ],
    bad: ["0", "0.5", "3651", "90d"],
  },
  {
    key: "deliveryLogMiB",
    good: [
      ["1", 1],
      ["1048576", 1_048_576],
    ],
    bad: ["0", "1048577", "0.5", "256MB", "-1"],
  },
  {
    key: "metrics",
    good: [
      ["token", "token"],
      ["public", "public"],
    ],
    bad: ["none", "Public"],
  },
  { key: "metricsToken", good: [["t", "t"]], bad: ["two words", "tokén"] },
  {
    key: "log",
    good: [
      ["pretty", "pretty"],
      ["json", "json"],
    ],
    bad: ["JSON", "text"],
  },
  {
    key: "logLevel",
    good: [
      ["debug", "debug"],
      ["info", "info"],
      ["warn", "warn"],
      ["error", "error"],
    ],
    bad: ["INFO", "trace"],
  },
  { key: "operatorConsole", good: [["off", false]], bad: ["true", "1"] },
  {
    key: "accessLog",
    good: [
      ["on", true],
      ["off", false],
    ],
    bad: ["true", "1"],
  },
  {
    key: "attemptLog",
    good: [
      ["on", true],
      ["off", false],
    ],
    bad: ["true", "1"],
  },
  {
    key: "commit",
    good: [["2867e59c", "2867e59c"]],
    bad: ["a b", "x".repeat(65)],
  },
  {
    key: "demoTraffic",
    good: [
      ["on", true],
      ["off", false],
    ],
    bad: ["yes", "true", "0"],
  },
];

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

  it("every option has a row in this table", () => {
    expect(table.map(({ key }) => key)).toEqual(Object.keys(options));
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
      endpointBackoffSeconds: 30,
      obeyRetryAfter: false,
      standardWebhooks: false,
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
      ["--standard-webhooks=on", "yes"],
    ],
    [
      ["--private-targets", "--demo"],
      ["--private-targets", "--demo"],
    ],
  ])("read a switch without a value as on: %j", (given, completed) => {
    expect(completeSwitches(given)).toEqual(completed);
  });

  it("accept a switch without a value", async () => {
    const program = createTestProgram({
      commandLine: ["serve", "--standard-webhooks", "--obey-retry-after", "--port", "none"],
      environment: {},
    });
    expect(await runCli(program)).toBe(2);
    expect(program.complained.join("\n")).toContain("--port");
    expect(program.complained.join("\n")).not.toContain("--standard-webhooks");
    expect(program.complained.join("\n")).not.toContain("--obey-retry-after");
  });

  const badValues = table.flatMap(({ key, bad }) => bad.map((text) => ({ key, text })));
  it.each(badValues)("refuse $key $text with exit code 2 and name the option", async ({ key, text }) => {
    const { flag, variable, secret, allowed }: Option<unknown> = options[key];
    const ways = [
      { commandLine: ["serve"], environment: { [variable]: text } },
      ...(flag === undefined ? [] : [{ commandLine: ["serve", `--${flag}=${text}`], environment: {} }]),
    ];
    for (const way of ways) {
      const program = createTestProgram(way);
      expect(await runCli(program)).toBe(2);
      const message = program.complained.join("\n");
      expect(message).toContain(variable);
      if (flag !== undefined) expect(message).toContain(`--${flag}`);
      expect(message).toContain(allowed);
      if (secret === true) expect(message).not.toContain(`"${text}"`);
      else expect(message).toContain(JSON.stringify(text));
      expect(message).not.toMatch(/^\s+at /mu);
      expect(program.printed).toEqual([]);
    }
  });

  it.each([
    ["file:~/data", 'Write "file:$HOME/data"', "file:./~/data"],
    ["file:~ada", "Write the whole path", "file:./~ada"],
  ])("refuse %s, which the shell did not replace, and say what to write", async (text, instead, other) => {
    const program = createTestProgram({ commandLine: ["serve", "--storage", text], environment: {} });
    expect(await runCli(program)).toBe(2);
    expect(program.complained.join()).toContain(instead);
    expect(program.complained.join()).toContain(other);
  });

  it.each(["/var/data", "./data", "../data"])(
    "refuse %s, a directory without the prefix file:, and say what to write",
    async (text) => {
      const program = createTestProgram({ commandLine: ["serve", "--storage", text], environment: {} });
      expect(await runCli(program)).toBe(2);
      expect(program.complained.join()).toContain(`Write a directory as file:${text}.`);
    },
  );

  it("refuse a headers timeout that is longer than the request timeout", () => {
    expect(() => read({ HOOKWRIGHT_HEADERS_TIMEOUT: "20", HOOKWRIGHT_REQUEST_TIMEOUT: "15" })).toThrow(
      "HOOKWRIGHT_HEADERS_TIMEOUT must not be longer than HOOKWRIGHT_REQUEST_TIMEOUT: 20 is more than 15.",
    );
  });

  it("with several invalid values get one message that names all", async () => {
    const environment = { PORT: "x", HOST: "a b", HOOKWRIGHT_ROLE: "y", HOOKWRIGHT_RATE_LIMIT: "0" };
    const program = createTestProgram({ commandLine: ["serve"], environment });
    expect(await runCli(program)).toBe(2);
    for (const variable of Object.keys(environment)) expect(program.complained.join()).toContain(variable);
  });

  it("given by a flag override the variable, even an invalid one", () => {
    expect(read({ PORT: "nonsense" }, { port: "81" }).port).toBe(81);
  });

  it("never show the password of a refused URL", async () => {
    const environment = {
      HOOKWRIGHT_STORAGE: "rediss:user:hunter2://x:hunter2@host",
      SMTP_URL: "http://u:hunter2@host",
    };

    const program = createTestProgram({ commandLine: ["serve"], environment });
    expect(await runCli(program)).toBe(2);
    expect(program.complained.join()).not.toContain("x:hunter2@");
    expect(program.complained.join()).not.toContain("u:hunter2@");
  });

  it.each(["redis://host?password=hunter2", "redis://:hunter2%@host", "postgres://app:hunter2%@host/shop"])(
    "never show the password of a malformed URL: %s",
    async (url) => {
      const program = createTestProgram({ commandLine: ["serve"], environment: { HOOKWRIGHT_STORAGE: url } });
      expect(await runCli(program)).toBe(2);
      expect(program.complained.join()).toContain("--storage (or HOOKWRIGHT_STORAGE) must be");
      expect(program.complained.join()).not.toContain("hunter2");
    },
  );

  it.each([
    "redis://localhost:6379",
    "rediss://localhost",
    "redis-cluster://a:1,b:2",
    "rediss-cluster://a:1,b:2",
  ])("require a secret with %s, which every process needs", (url) => {
    expect(() => read({ HOOKWRIGHT_STORAGE: url })).toThrow(/HOOKWRIGHT_SECRET must be set with Redis/u);
    const settings = read({ HOOKWRIGHT_STORAGE: url, HOOKWRIGHT_SECRET: long });
    expect(settings.storage).toEqual({ type: "redis", url });
  });

  it.each(["postgres://app@localhost:5432/shop", "postgresql://localhost/shop?schema=hooks&sslmode=require"])(
    "require a secret with %s, which every process needs",
    (url) => {
      expect(() => read({ HOOKWRIGHT_STORAGE: url })).toThrow(
        /HOOKWRIGHT_SECRET must be set with PostgreSQL/u,
      );
      const settings = read({ HOOKWRIGHT_STORAGE: url, HOOKWRIGHT_SECRET: long });
      expect(settings.storage).toEqual({ type: "postgres", url });
    },
  );

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
    const program = createTestProgram({ commandLine: ["serve", `--demo=${value}`], environment: {} });
    expect(await runCli(program)).toBe(2);
    expect(program.complained.join()).toContain("--demo takes no value");
  });

  it("refuse private targets only in production", () => {
    const allowed = { HOOKWRIGHT_PRIVATE_TARGETS: "allow" };
    expect(() => read({ ...allowed, NODE_ENV: "production" })).toThrow(
      /--private-targets \(or HOOKWRIGHT_PRIVATE_TARGETS\).*production/u,
    );
    expect(read({ ...allowed, NODE_ENV: "development" }).privateTargets).toBe(true);
    expect(read({ HOOKWRIGHT_PRIVATE_TARGETS: "deny", NODE_ENV: "production" }).privateTargets).toBe(false);
  });

  it("refuse private targets if NODE_ENV has a trailing space, as after `set NODE_ENV=production && …` in Windows", () => {
    expect(() => read({ HOOKWRIGHT_PRIVATE_TARGETS: "allow", NODE_ENV: "production " })).toThrow(
      /production/u,
    );
  });

  it.each(["api", "worker"])("refuse a demo in role %s, which cannot show a delivery", (role) => {
    const input = { flags: { role }, environment: {}, demo: true, isTerminal: false };
    expect(() => readSettings(input)).toThrow(/--role \(or HOOKWRIGHT_ROLE\).*--demo/u);
  });

  it("with numbers accept only values in the range", () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.double({ noNaN: true })), (number) => {
        const valid = Number.isInteger(number) && number >= 0 && number <= 65_535 && !Object.is(number, -0);
        const port = (): number => read({ PORT: Object.is(number, -0) ? "-0" : String(number) }).port;
        if (valid) expect(port()).toBe(number);
        else expect(port).toThrow("PORT");
      }),
    );
  });
});
