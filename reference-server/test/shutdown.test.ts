import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { runCli } from "../src/cli.ts";
import { endsInTime, onShutdown } from "../src/shutdown.ts";
import { startCountingReceiver } from "./support/counting-receiver.ts";
import { createTenants, publishOrders, startOn } from "./support/fleet.ts";
import { hostToken } from "./support/host-api.ts";
import { makeFolder } from "./support/make-folder.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { spawnServer, startServer } from "./support/server-process.ts";
import { createTestProgram } from "./support/test-program.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";

const mayUnshare = spawnSync("unshare", ["--pid", "--fork", "true"]).status === 0;
if (!mayUnshare) process.stderr.write("The test of two containers did not run: it takes root on Linux.\n");

/** What it runs is process 1 of a container. */
const launcher = ["unshare", "--pid", "--fork", "--kill-child"];
function firstProcessOf({ pid }: { readonly pid: number }): number {
  const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));
  // A signal to 0 reaches the whole group, with the test run.
  if (child === 0) throw new Error(`Process ${pid} has no child.`);
  return child;
}

describe("a signal", () => {
  it("starts the shutdown, and its repetition within a second changes nothing", async () => {
    let clock = 5_000;
    const program = createTestProgram({});
    const stopped = onShutdown({ program, now: () => clock });
    program.send("SIGTERM");
    clock += 1_000;
    program.send("SIGTERM");
    program.send("SIGINT");
    expect(await stopped).toBe("SIGTERM");
    expect(program.exits).toEqual([]);
  });

  it("more than a second after the first exits immediately with the exit code of the signal", async () => {
    let clock = 0;
    const program = createTestProgram({});
    const stopped = onShutdown({ program, now: () => clock });
    program.send("SIGINT");
    clock += 1_001;
    program.send("SIGINT");
    expect(await stopped).toBe("SIGINT");
    expect(program.exits).toEqual([130]);
  });
});

describe("work that must end after a signal", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is awaited only for its time limit, counted from the signal", async () => {
    const { promise: stopped, resolve: stop } = Promise.withResolvers<"SIGTERM">();
    let ended: boolean | undefined;
    void endsInTime({ work: new Promise(() => {}), stopped, withinMs: 15_000 }).then((is) => (ended = is));
    await vi.advanceTimersByTimeAsync(60_000);
    stop("SIGTERM");
    await vi.advanceTimersByTimeAsync(14_999);
    expect(ended).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toBe(false);
  });

  it("leaves no timer behind if it ends in time or fails", async () => {
    const stopped = Promise.resolve("SIGTERM" as const);
    const { promise: work, resolve: end } = Promise.withResolvers<void>();
    const ended = endsInTime({ work, stopped, withinMs: 15_000 });
    await vi.advanceTimersByTimeAsync(1_000);
    end();
    expect(await ended).toBe(true);
    const refused = Promise.reject(new Error("the port is taken"));
    await expect(endsInTime({ work: refused, stopped, withinMs: 15_000 })).rejects.toThrow("taken");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a cancelled start", () => {
  it("does not wait for a storage that does not respond, exits with 0, and the log names it", async () => {
    const silent = createServer();
    await using local = await listenLocally(silent);
    const storage = `redis://127.0.0.1:${local.port}`;
    const program = createTestProgram({
      commandLine: ["serve", "--storage", storage, "--port", "0"],
      environment: { HOOKWRIGHT_SECRET: "s".repeat(32) },
    });
    // It would time out after 3 s.
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const ended = runCli(program);
    await once(silent, "connection");
    program.send("SIGTERM");
    expect(await ended).toBe(0);
    expect(program.complained).toEqual([]);
    expect(program.printed.join("\n")).toMatch(
      /"signal":"SIGTERM","storage":"redis:.*"code":"start_cancelled".*\n.*"msg":"stopped"/u,
    );
  });

  it.runIf(mayUnshare)("does not wait for another container that has the directory", async () => {
    const directory = await makeFolder();
    const options = {
      launcher,
      args: ["serve", "--storage", `file:${directory}`],
      env: { HOOKWRIGHT_LOG_LEVEL: "debug" },
    };
    await using _first = await startServer(options);
    await using second = await spawnServer(options);
    await second.waitFor(/"code":"settings_read"/u);
    process.kill(firstProcessOf(second), "SIGTERM");
    expect(await second.exited).toEqual({ code: 0, signal: null });
    expect(second.stdout).toMatch(/"storage":"file:.*"code":"start_cancelled"/u);
  });
});

it.runIf(mayUnshare)(
  "a command that waits obeys a signal, also as the first process of a container",
  async () => {
    const silent = createServer();
    await using local = await listenLocally(silent);
    const args = ["migrate", "--storage", `postgres://user:password@127.0.0.1:${local.port}/database`];
    await using command = await spawnServer({ launcher, args });
    await once(silent, "connection");
    process.kill(firstProcessOf(command), "SIGTERM");
    expect(await command.exited).toEqual({ code: 143, signal: null });
  },
);

describe("a server with open connections", () => {
  // At 14 s after the signal it would close every connection.
  it("waits only for those with a request in progress", { timeout: 13_000 }, async () => {
    await using server = await startServer({
      env: { HOOKWRIGHT_STORAGE: "memory", HOOKWRIGHT_HOST_TOKEN: hostToken },
    });
    const open = (sent: string) => {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1").on("error", () => {});
      onTestFinished(() => void socket.destroy());
      socket.write(sent);
      return socket;
    };
    // The server shares its port between many sockets, and each of them has connections to close.
    const waiting = ["", "GET /healthz HTT", "GET /healthz HTTP/1.1\r\nHost: x\r\n"].flatMap((sent) =>
      Array.from({ length: 24 }, () => open(sent)),
    );
    const body = JSON.stringify({ name: "late" });
    const asking = open(
      `POST /host/v1/accounts/acc_1/api-keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${hostToken}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await once(asking, "readable");
    const closed = Promise.all(
      waiting.map((socket) => new Promise((resolve) => socket.resume().once("close", resolve))),
    );
    server.signal("SIGTERM");
    await closed;
    asking.write(body);
    expect(await text(asking)).toMatch(/HTTP\/1\.1 100 .*HTTP\/1\.1 \d+ .*"success":/su);
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });
});

describe.runIf(hasRedisServer)("a server whose Redis hangs", () => {
  it(
    "exits with 0 within 15 s of the signal, says what remains, and the next server continues",
    { timeout: 60_000 },
    async () => {
      await using redis = await startRedisServer();
      await using receiver = await startCountingReceiver();
      await using server = await startOn(redis.url);
      await createTenants(server, 8, receiver.url);
      await publishOrders([server], { last: 64, sites: 8 });
      redis.signal("SIGSTOP");
      const start = performance.now();
      expect(await server.stop()).toEqual({ code: 0, signal: null });
      expect(performance.now() - start).toBeLessThan(15_500);
      expect(server.stderr).toBe("");
      expect(server.stdout.match(/"code":"shutdown_incomplete"/gu)).toHaveLength(1);
      expect(server.stdout).toMatch(/"msg":"stopped"/u);
      redis.signal("SIGCONT");
      await using next = await startOn(redis.url);
      await receiver.received(64);
      expect((await next.stop()).code).toBe(0);
    },
  );
});
