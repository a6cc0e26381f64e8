import { setInterval as every } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Deadline } from "../../src/transport/deadline.ts";
import { openReceiver } from "./support/hostile-receiver.ts";
import { openSender, passTimeByRounds } from "./support/sender.ts";

const timeoutMs = 60;
/** Longer than a busy machine delays a request within this process. */
const standstillTimeoutMs = 600;
/** Rounds of the event loop: far more than a connection and a request take. */
const amplyMs = 20_000;
/** Blocks the event loop, like a stopped process or a suspended machine. */
const pauseProcess = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const never = () => Promise.withResolvers<never>().promise;

describe("one deadline", () => {
  it("covers the name resolution", async () => {
    const answer = await openSender({ resolve: never }).send("https://hooks.example.com/", { timeoutMs });
    expect(answer).toMatchObject({ status: null, failure: "timeout" });
    expect(answer.detail).toBe("No response within 60 ms (resolving the host name).");
  });

  it("covers the TLS handshake", async () => {
    const receiver = await openReceiver();
    passTimeByRounds();
    const targetUrl = `https://hooks.example.com:${receiver.port}/`;
    const answer = await openSender().send(targetUrl, { timeoutMs: amplyMs });
    expect(answer).toMatchObject({
      failure: "timeout",
      detail: expect.stringMatching(
        /^No response within 20 s \(connected after \d+ ms, waiting for the TLS handshake\)\.$/u,
      ),
    });
    await receiver.closed(0);
  });

  it("covers the wait for a response, and the connection is destroyed", async () => {
    const receiver = await openReceiver();
    passTimeByRounds();
    const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs: amplyMs });
    expect(answer).toMatchObject({ failure: "timeout" });
    expect(answer.detail).toMatch(/waiting for the response headers/u);
    await receiver.closed(0);
  });

  it("covers a request that the receiver does not read", async () => {
    const receiver = await openReceiver({ onConnection: (socket) => socket.pause() });
    const body = " ".repeat(20_000_000);
    const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs, body });
    expect(answer).toMatchObject({ failure: "timeout" });
  });

  it("accepts a response that came in time while the process was paused", async () => {
    const receiver = await openReceiver({
      onRequest(socket) {
        socket.write("HTTP/1.1 204 No Content\r\n\r\n");
        pauseProcess(standstillTimeoutMs + 150);
      },
    });
    const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/`, {
      timeoutMs: standstillTimeoutMs,
    });
    expect(answer).toMatchObject({ status: 204, failure: null });
  });

  it("has passed if no response came while the process was paused", async () => {
    const receiver = await openReceiver({ onRequest: () => pauseProcess(standstillTimeoutMs + 150) });
    const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/`, {
      timeoutMs: standstillTimeoutMs,
    });
    expect(answer).toMatchObject({ status: null, failure: "timeout" });
    await receiver.closed(0);
  });

  it("is not extended by a header section that arrives byte by byte", async () => {
    const drip = async (socket: Socket): Promise<void> => {
      socket.write("HTTP/1.1 200 OK\r\nx: ");
      for await (const _ of every(5)) {
        if (socket.destroyed) return;
        socket.write("y");
      }
    };
    const receiver = await openReceiver({ onRequest: (socket) => void drip(socket) });
    const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs });
    expect(answer).toMatchObject({ status: null, failure: "timeout" });
    await receiver.closed(0);
  });

  it("covers all phases together: a slow name resolution leaves less time for the response", async () => {
    const resolve = () =>
      new Promise<{ address: string; family: number }[]>((done) => {
        setTimeout(done, amplyMs, [{ address: "127.0.0.1", family: 4 }]);
      });
    const receiver = await openReceiver();
    passTimeByRounds();
    const answer = await openSender({ resolve }).send(`http://hooks.example.com:${receiver.port}/`, {
      timeoutMs: 2 * amplyMs,
    });
    expect(answer).toMatchObject({
      failure: "timeout",
      detail: expect.stringContaining("connected after 20 s, waiting for the response headers"),
    });
    expect(answer.durationMs).toBe(2 * amplyMs);
  });

  it("covers a reused connection like a new one", async () => {
    const receiver = await openReceiver({
      onRequest: (socket, number) => {
        if (number === 1) socket.write("HTTP/1.1 204 Done\r\n\r\n");
      },
    });
    const sender = openSender();
    const targetUrl = `http://127.0.0.1:${receiver.port}/`;
    expect(await sender.send(targetUrl)).toMatchObject({ status: 204 });
    expect(await sender.send(targetUrl, { timeoutMs })).toMatchObject({ status: null, failure: "timeout" });
    expect(receiver.connections).toHaveLength(1);
    await receiver.closed(0);
  });
});

describe("the duration of an attempt", () => {
  const body = gzipSync("text");
  it.each([
    ["as it is", Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ntext")],
    [
      "compressed",
      Buffer.concat([
        Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`),
        body,
      ]),
    ],
  ])("lasts until the response, %s", async (_, answer) => {
    const receiver = await openReceiver({
      onRequest: (socket) => setTimeout(() => socket.write(answer), amplyMs),
    });
    passTimeByRounds();
    const sent = await openSender().send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs: 3 * amplyMs });
    expect(sent).toMatchObject({ status: 200, excerpt: "text" });
    expect(sent.durationMs).toBeGreaterThanOrEqual(amplyMs);
  });
});

describe("a deadline that is set again and again", () => {
  const step = fc.oneof(
    fc.record({ type: fc.constant("set" as const), ms: fc.constantFrom(1, 5, 20, 40) }),
    fc.record({ type: fc.constant("clear" as const) }),
    fc.record({ type: fc.constant("wait" as const), ms: fc.nat(12) }),
  );

  it("is due once, at the time that was set last", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
        const due: number[] = [];
        const expected: number[] = [];
        const deadline = new Deadline(() => {
          due.push(performance.now());
          deadline.clear();
        });
        let dueAt = Number.POSITIVE_INFINITY;
        for (const next of [...steps, { type: "wait" as const, ms: 50 }]) {
          if (next.type === "wait") {
            vi.advanceTimersByTime(next.ms);
            if (dueAt > performance.now()) continue;
            expected.push(dueAt);
            dueAt = Number.POSITIVE_INFINITY;
          } else if (next.type === "set") {
            dueAt = performance.now() + next.ms;
            deadline.set(dueAt, true);
          } else {
            dueAt = Number.POSITIVE_INFINITY;
            deadline.clear();
          }
        }
        expect(due).toEqual(expected);
        deadline.close();
        expect(vi.getTimerCount()).toBe(0);
      }),
    );
  });

  it("keeps the process only if it is set to", () => {
    const timersThatStay = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timersThatStay();
    const deadline = new Deadline(() => {});
    const soon = performance.now() + 60_000;
    const added = [
      () => deadline.set(soon, true),
      () => deadline.clear(),
      () => deadline.set(soon, true),
      () => deadline.set(soon, false),
      () => deadline.close(),
    ].map((change) => {
      change();
      return timersThatStay() - before;
    });
    expect(added).toEqual([1, 0, 1, 0, 0]);
  });
});

it("a deadline that was set again and has passed during a pause causes no warning of Node", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const { promise, resolve } = Promise.withResolvers<void>();
  const deadline = new Deadline(resolve);
  deadline.set(performance.now() + 5, true);
  deadline.set(performance.now() + 10, true);
  pauseProcess(150);
  await promise;
  expect(warn).not.toHaveBeenCalled();
});

describe("a request with a signal", () => {
  it("closes its connection when the signal is aborted, and rejects with the reason", async () => {
    const { promise: requested, resolve: onRequest } = Promise.withResolvers<void>();
    const receiver = await openReceiver({ onRequest: () => onRequest() });
    const controller = new AbortController();
    const answer = openSender().send(`http://127.0.0.1:${receiver.port}/`, { signal: controller.signal });
    await requested;
    controller.abort(new Error("another account needs the slot"));
    await expect(answer).rejects.toThrow("another account needs the slot");
    await receiver.closed(0);
  });

  it("is not sent if the signal was aborted before", async () => {
    const receiver = await openReceiver();
    const signal = AbortSignal.abort(new Error("too late"));
    const answer = openSender().send(`http://127.0.0.1:${receiver.port}/`, { signal });
    await expect(answer).rejects.toThrow("too late");
  });
});
