import { hostScopes } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { listServerWarnings, listSettingWarnings } from "../src/checks/settings-check.ts";
import { readSettings } from "../src/options/read-settings.ts";
import { hostToken } from "./support/host-api.ts";
import { runCommand } from "./support/run-command.ts";
import { startServer } from "./support/server-process.ts";

const plain = {
  hostToken: tokens(hostToken),
  smtpUrl: undefined,
  logLevel: "info",
  role: "all",
  demo: false,
} as const;

function tokens(...given: string[]) {
  return given.map((token) => ({ name: "default", scopes: hostScopes, token }));
}

describe("a server that starts", () => {
  it("writes no warning with a complete configuration", () => {
    const environment = { HOOKWRIGHT_STORAGE: "memory", HOOKWRIGHT_HOST_TOKEN: hostToken, PATH: "/bin" };
    expect(listSettingWarnings(plain, environment)).toEqual([]);
  });

  it("warns of a missing host token, but only in roles that need one", () => {
    const without = { ...plain, hostToken: undefined };
    expect(listSettingWarnings(without, {})).toMatchObject([{ code: "host_token_missing" }]);
    expect(listSettingWarnings({ ...without, demo: true }, {})).toEqual([]);
    expect(listSettingWarnings({ ...without, role: "worker" }, {})).toEqual([]);
  });

  it("warns of mails that the log level hides", () => {
    expect(listSettingWarnings({ ...plain, logLevel: "warn" }, {})).toMatchObject([{ code: "mails_hidden" }]);
    expect(listSettingWarnings({ ...plain, logLevel: "warn", smtpUrl: "smtp://mail" }, {})).toEqual([]);
  });

  it("doctor also shows a variable of OpenTelemetry that cannot be used", () => {
    const environment = {
      HOOKWRIGHT_STORAGE: "memory",
      HOOKWRIGHT_HOST_TOKEN: hostToken,
      OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318",
    };
    const settings = readSettings({ flags: {}, demo: false, environment, isTerminal: false });
    expect(listServerWarnings(settings, environment)).toEqual([
      expect.stringContaining("OTEL_EXPORTER_OTLP_ENDPOINT must be a URL"),
    ]);
  });

  it.each([
    ["HOOKWRIGHT_STORGE", "HOOKWRIGHT_STORAGE"],
    ["HOOKWRIGHT_HOSTTOKEN", "HOOKWRIGHT_HOST_TOKEN"],
    ["HOOKWRIGHT_PORT", "PORT"],
    ["HOOKWRIGHT_SMTP_URL", "SMTP_URL"],
  ])("names the unknown variable %s, and suggests %s", (name, meant) => {
    expect(listSettingWarnings(plain, { [name]: "x" })).toEqual([
      {
        code: "unknown_variable",
        message: `${name} is not a variable of hookwright and is ignored. Did you mean ${meant}?`,
      },
    ]);
  });

  it("says where the variables are listed if none is similar", () => {
    expect(listSettingWarnings(plain, { HOOKWRIGHT_COLOUR_SCHEME: "x" })).toEqual([
      expect.objectContaining({
        message: expect.stringContaining("`hookwright serve --help` lists all variables"),
      }),
    ]);
  });

  it("ignores empty variables, and those of a Kubernetes service with its name", () => {
    const environment = {
      HOOKWRIGHT_STORGE: " ",
      HOOKWRIGHT_SERVICE_HOST: "10.0.0.1",
      HOOKWRIGHT_SERVICE_PORT: "3000",
      HOOKWRIGHT_SERVICE_PORT_HTTP: "3000",
      HOOKWRIGHT_PORT: "tcp://10.0.0.1:3000",
      HOOKWRIGHT_API_PORT_3000_TCP: "tcp://10.0.0.1:3000",
      HOOKWRIGHT_PORT_3000_TCP_PROTO: "tcp",
      HOOKWRIGHT_PORT_3000_TCP_PORT: "3000",
      HOOKWRIGHT_PORT_3000_TCP_ADDR: "10.0.0.1",
    };
    expect(listSettingWarnings(plain, environment)).toEqual([]);
  });

  it("writes each warning as a log line, and starts", async () => {
    const env = {
      HOOKWRIGHT_STORAGE: "memory",
      HOOKWRIGHT_STORGE: "x",
      HOOKWRIGHT_PRIVATE_TARGETS: "allow",
      HOOKWRIGHT_METRICS_TOKEN: "fifteen-letters",
      // Of a service with the name hookwright-admin.
      HOOKWRIGHT_ADMIN_PORT: "tcp://10.0.0.1:9464",
      HOOKWRIGHT_ADMIN_SERVICE_HOST: "10.0.0.1",
      HOOKWRIGHT_ADMIN_SERVICE_PORT: "9464",
      HOOKWRIGHT_ADMIN_PORT_9464_TCP: "tcp://10.0.0.1:9464",
    };
    await using server = await startServer({ env });
    const lines = server.stdout
      .trim()
      .split("\n")
      .map((line): { readonly code: string } => JSON.parse(line))
      // On a machine with few open files.
      .filter(({ code }) => code !== "open_files_limit_low");
    expect(lines).toEqual([
      expect.objectContaining({
        level: "warn",
        msg: expect.stringContaining("HOOKWRIGHT_STORGE"),
        code: "unknown_variable",
      }),
      expect.objectContaining({
        level: "warn",
        msg: expect.stringContaining("Kubernetes service hookwright-admin"),
        code: "unknown_variable",
      }),
      expect.objectContaining({
        level: "warn",
        msg: expect.stringContaining("HOOKWRIGHT_HOST_TOKEN"),
        code: "host_token_missing",
      }),
      expect.objectContaining({ level: "warn", code: "private_targets_allowed" }),
      expect.objectContaining({ level: "warn", code: "metrics_token_short" }),
      expect.objectContaining({ level: "info", msg: "listening", code: "listening" }),
    ]);
    await server.stop();
  });
});

it("a command without a log prints unknown variables to standard error", async () => {
  const { code, complained } = await runCommand(["backup"], { HOOKWRIGHT_STORGE: "x" });
  expect([code, complained]).toEqual([2, expect.stringContaining("Did you mean HOOKWRIGHT_STORAGE?")]);
});
