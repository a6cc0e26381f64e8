import { Writable } from "node:stream";
import { logLines } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import Fastify from "fastify";
import { pino } from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createHookwright, pinoLogger } from "../src/index.ts";
import type { ContactRepository, HookwrightOptions } from "../src/index.ts";
import { openBakery, publishReview, secret } from "./support/bakery.ts";
import { ignoreOpenFilesLimit } from "./support/ignore-open-files-limit.ts";

ignoreOpenFilesLimit();

type Line = Readonly<Record<string, unknown>>;
type Logger = NonNullable<HookwrightOptions["logger"]>;

/** Collects the lines that a logger writes as JSON. */
function keepLines() {
  const lines: Line[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      for (const line of String(chunk).trim().split("\n")) lines.push(JSON.parse(line));
      done();
    },
  });
  return { lines, stream };
}

/** Causes a request that fails. Returns its id. */
async function failOnce(logger: Logger): Promise<string | null> {
  const contacts: ContactRepository = {
    get() {
      throw new Error("the database is unavailable", { cause: new Error("connect ECONNREFUSED") });
    },
    list: () => [],
    upsert: () => Promise.reject(new Error("not used")),
  };
  await using hookwright = await createHookwright({
    store: memoryStore(),
    secret,
    role: "api",
    logger,
    contacts,
  });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "Tool" });
  const headers = { authorization: `Bearer ${key}` };
  const response = await hookwright.fetch(new Request("http://localhost/v1/contacts/ct_1", { headers }));
  expect(response.status).toBe(500);
  return response.headers.get("x-request-id");
}

const failedLine = (requestId: string | null) => ({
  request_id: requestId,
  account_id: "acc_1",
  method: "GET",
  route: "/v1/contacts/{id}",
  status: 500,
  component: "api",
  code: "request_failed",
  error: "the database is unavailable; caused by: connect ECONNREFUSED",
  stack: expect.stringMatching(
    /^Error: the database is unavailable\n +at .*\ncaused by: Error: connect ECONNREFUSED\n +at /su,
  ),
});

describe("an error is logged with its message, code, ids and stack", () => {
  it("by pino", async () => {
    const { lines, stream } = keepLines();
    const requestId = await failOnce(pino({ base: null, timestamp: false }, stream));
    expect(lines).toEqual([{ level: 50, msg: logLines.request_failed.message, ...failedLine(requestId) }]);
  });

  it("by pino in pinoLogger", async () => {
    const { lines, stream } = keepLines();
    const requestId = await failOnce(pinoLogger(pino({ base: null, timestamp: false }, stream)));
    expect(lines).toEqual([{ level: 50, msg: logLines.request_failed.message, ...failedLine(requestId) }]);
  });

  it("by Fastify's app.log, and by a child of it", async () => {
    const { lines, stream } = keepLines();
    const app = Fastify({ logger: { stream } });
    for (const logger of [app.log, app.log.child({ part: "integrations" }), pinoLogger(app.log)]) {
      const requestId = await failOnce(logger);
      expect(lines.at(-1)).toMatchObject({ msg: logLines.request_failed.message, ...failedLine(requestId) });
    }
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatchObject({ part: "integrations" });
  });

  it("not at all if Fastify's logger is off", async () => {
    const app = Fastify({ logger: false });
    await failOnce(app.log);
    expect.hasAssertions();
  });

  it("by console, with the message first", async () => {
    const written = vi.spyOn(console, "error").mockReturnValue();
    const requestId = await failOnce(console);
    expect(written.mock.calls).toEqual([[logLines.request_failed.message, failedLine(requestId)]]);
  });

  it("by console, without a logger option", async () => {
    const written = vi.spyOn(console, "error").mockReturnValue();
    await using hookwright = await createHookwright({
      store: memoryStore(),
      secret,
      role: "api",
      onSubscribed: () => Promise.reject(new Error("the newsletter tool is unavailable")),
    });
    await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
    await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
    const { subscriber } = await hookwright.subscribers.subscribe("acc_1", {
      project_id: "site_1",
      email: "ada@example.com",
    });
    await expect.poll(() => written).toHaveBeenCalledOnce();
    expect(written.mock.calls[0]).toEqual([
      logLines.welcome_failed.message,
      {
        account_id: "acc_1",
        subscriber_id: subscriber.id,
        component: "own_data",
        code: "welcome_failed",
        error: "the newsletter tool is unavailable",
        stack: expect.stringContaining("loggers.test.ts"),
      },
    ]);
  });
});

afterEach(() => void vi.restoreAllMocks());

describe("the order of arguments", () => {
  /** A logger with these methods in addition to info, warn and error. */
  function loggerWith(names: readonly string[]) {
    const error = vi.fn();
    const others = Object.fromEntries(names.map((name) => [name, () => {}]));
    return { error, logger: { ...others, info: () => {}, warn: () => {}, error } };
  }

  it.each([
    ["bunyan and other loggers of pino's kind", ["child", "fatal", "trace", "debug"]],
    ["a pino with custom levels", ["child", "bindings", "silly"]],
  ])("is fields, message for %s", async (_, names) => {
    const { error, logger } = loggerWith(names);
    const requestId = await failOnce(logger);
    expect(error.mock.calls).toEqual([[failedLine(requestId), logLines.request_failed.message]]);
  });

  it.each([
    ["a program's own logger", []],
    ["winston", ["child", "log", "debug", "silly"]],
    ["winston with custom levels", ["child", "log", "fatal", "trace"]],
    ["consola", ["log", "fatal", "trace", "debug", "withTag"]],
  ])("is message, fields for %s", async (_, names) => {
    const { error, logger } = loggerWith(names);
    const requestId = await failOnce(logger);
    expect(error.mock.calls).toEqual([[logLines.request_failed.message, failedLine(requestId)]]);
  });
});

it("a value that is not a logger is refused, and the error names the adapter", async () => {
  const app = Fastify();
  // @ts-expect-error: the app instead of its log
  const refused = createHookwright({ store: memoryStore(), secret, logger: app });
  await expect(refused).rejects.toMatchObject({
    code: "invalid_option",
    option: "logger",
    message: expect.stringMatching(/Fastify's `app\.log`.*pinoLogger/u),
  });
});

it("without a mailer, a mail is one line with exactly these fields", async () => {
  const { lines, stream } = keepLines();
  await using hookwright = await createHookwright({
    store: memoryStore(),
    secret,
    logger: pino({ base: null, timestamp: false }, stream),
    trustedOrigins: ["http://127.0.0.1:9"],
    retryDelaysSeconds: [0.05, 0.05, 0.05, 0.05, 0.05],
  });
  await openBakery(hookwright, "http://127.0.0.1:9/hooks");
  await publishReview(hookwright, "rev_1");
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  expect(lines).toEqual([
    {
      level: 30,
      msg: "mail",
      to: expect.stringContaining("@"),
      subject: expect.any(String),
      text: expect.stringContaining("/hooks"),
    },
  ]);
});
