import { setInterval as every } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { openReceiver } from "./support/hostile-receiver.ts";
import { openSender, passTimeByTurns } from "./support/sender.ts";

const timeoutMs = 60;
/** Turns of the event loop: far more than a connection and a request take. */
const amplyMs = 20_000;
/** As a process does that is stopped, or whose machine is suspended. */
const standStill = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const never = () => Promise.withResolvers<never>().promise;

describe("one deadline", () => {
  it("covers the name: a resolver that never answers", async () => {
    const answer = await openSender({ resolve: never }).send("https://hooks.example.com/", { timeoutMs });
    expect(answer).toMatchObject({ status: null, failure: "timeout" });
    expect(answer.detail).toBe("No response within 60 ms (resolving the host name).");
  });

  it("covers the TLS handshake: a port that takes the connection and says nothing", async () => {
    const receiver = await openReceiver();
    passTimeByTurns();
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

  it("covers the wait for an answer, and the connection is destroyed", async () => {
    const receiver = await openReceiver();
    passTimeByTurns();
    const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs: amplyMs });
    expect(answer).toMatchObject({ failure: "timeout" });
    expect(answer.detail).toMatch(/waiting for the response headers/u);
    await receiver.closed(0);
  });

  it("covers a request which the receiver does not read", async () => {
    const receiver = await openReceiver({ onConnection: (socket) => socket.pause() });
    const body = " ".repeat(20_000_000);
    const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs, body });
    expect(answer).toMatchObject({ failure: "timeout" });
  });

  it("is not held against an answer that came in time, to a process that stood still", async () => {
    const receiver = await openReceiver({
      onRequest(socket) {
        socket.write("HTTP/1.1 204 No Content\r\n\r\n");
        standStill(timeoutMs + 150);
      },
    });
    const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs });
    expect(answer).toMatchObject({ status: 204, failure: null });
  });

  it("has passed where a process stood still and no answer has come meanwhile", async () => {
    const receiver = await openReceiver({ onRequest: () => standStill(timeoutMs + 150) });
    const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs });
    expect(answer).toMatchObject({ status: null, failure: "timeout" });
    await receiver.closed(0);
  });

  it("is not put off by a header section that drips in", async () => {
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

  it("is one: what the name has taken is missing from the wait for the answer", async () => {
    const resolve = () =>
      new Promise<{ address: string; family: number }[]>((done) => {
        setTimeout(done, amplyMs, [{ address: "127.0.0.1", family: 4 }]);
      });
    const receiver = await openReceiver();
    passTimeByTurns();
    const answer = await openSender({ resolve }).send(`http://hooks.example.com:${receiver.port}/`, {
      timeoutMs: 2 * amplyMs,
    });
    expect(answer).toMatchObject({
      failure: "timeout",
      detail: expect.stringContaining("connected after 20 s, waiting for the response headers"),
    });
    expect(answer.durationMs).toBe(2 * amplyMs);
  });

  it("covers a kept connection like a new one", async () => {
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
  ])("lasts until an answer that comes whole, %s", async (_, answer) => {
    const receiver = await openReceiver({
      onRequest: (socket) => setTimeout(() => socket.write(answer), amplyMs),
    });
    passTimeByTurns();
    const sent = await openSender().send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs: 3 * amplyMs });
    expect(sent).toMatchObject({ status: 200, excerpt: "text" });
    expect(sent.durationMs).toBeGreaterThanOrEqual(amplyMs);
  });
});
