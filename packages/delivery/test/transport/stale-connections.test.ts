import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTransport } from "../../src/transport/transport.ts";
import { until } from "../support/fake-clock.ts";
import { accountId, createWorld } from "../support/fake-world.ts";
import { createCertificate } from "./support/certificate.ts";
import { openReceiver } from "./support/hostile-receiver.ts";
import type { Receiver, ReceiverOptions } from "./support/hostile-receiver.ts";
import { openSender, passTimeByRounds, resolveToLoopback } from "./support/sender.ts";

const name = "hooks.example.com";
const { key, cert } = createCertificate({ name });
const accepted = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const accept = (socket: Socket): void => void socket.write(accepted);
const deliveryCount = 40;

/** A receiver that accepts the first request of each connection, and then does what the test says. */
function openStale(
  onNext: (socket: Socket) => void,
  { onFirst = accept, ...options }: ReceiverOptions & { readonly onFirst?: (socket: Socket) => void } = {},
): Promise<Receiver> {
  const seen = new WeakSet<Socket>();
  return openReceiver({
    ...options,
    onRequest(socket) {
      if (seen.has(socket)) return onNext(socket);
      seen.add(socket);
      onFirst(socket);
    },
  });
}

const close = (socket: Socket): void => void socket.end();
/** Node cannot reset a TLS connection, only drop it. */
const reset = (socket: Socket): void =>
  void (socket instanceof TLSSocket ? socket.destroy() : socket.resetAndDestroy());
const ignore = (): void => {};

/** Publishes events to a webhook at this URL, several at once, and waits until each delivery has ended. */
async function deliverAll(targetUrl: string, atOnce: number, count = deliveryCount) {
  const world = createWorld();
  const { clock } = world;
  const transport = createTransport({ privateTargets: true, resolve: resolveToLoopback, tls: { ca: cert } });
  onTestFinished(() => transport.close());
  passTimeByRounds();
  await world.addWebhook("wh_1", { target_url: targetUrl });
  await using worker = world.worker({ transport });
  await worker.start();
  const atRest = async (): Promise<void> => {
    do {
      await until(() => worker.stats.sending === 0);
      await clock.advance(50);
    } while (worker.stats.unrecorded > 0);
  };
  const ids: string[] = [];
  while (ids.length < count) {
    const records = Array.from({ length: atOnce }, (_, index) => `ord_${ids.length + index}`);
    const deliveries = await world.publish("wh_1", ...records);
    ids.push(...deliveries.map(({ id }) => id));
    worker.offer(accountId, deliveries);
    await until(() => worker.stats.waiting === 0);
    await atRest();
  }
  for (let minutes = 0; minutes < 40 && (await world.queued()).length > 0; minutes++) {
    for (let step = 0; step < 12; step++) {
      await clock.advance(5_000);
      await atRest();
    }
  }
  const rows = await Promise.all(ids.map((id) => world.delivery(id)));
  const webhook = await world.webhook("wh_1");
  return {
    delivered: rows.filter(({ status }) => status === "delivered").length,
    failedAttempts: rows.flatMap(({ attempts }) => attempts).filter(({ error }) => error !== null).length,
    webhook: webhook?.status,
  };
}

describe("of 40 deliveries each is delivered to a receiver that", () => {
  const sockets: readonly [string, (socket: Socket) => void, (socket: Socket) => void][] = [
    ["closes each connection after its first response", ignore, (socket) => socket.end(accepted)],
    ["closes the connection at the second request", close, accept],
    ["resets the connection at the second request", reset, accept],
  ];

  it.each(
    sockets.flatMap(([what, onNext, onFirst]) =>
      ["http", "https"].flatMap((scheme) =>
        [1, 8].map((atOnce) => ({ what, onNext, onFirst, scheme, atOnce })),
      ),
    ),
  )("$what, without one failed attempt ($scheme, $atOnce at once)", async (options) => {
    const { onNext, onFirst, scheme, atOnce } = options;
    const tls = scheme === "https" ? { tls: { key, cert } } : {};
    const { port } = await openStale(onNext, { onFirst, ...tls });
    expect(await deliverAll(`${scheme}://${name}:${port}/`, atOnce)).toEqual({
      delivered: deliveryCount,
      failedAttempts: 0,
      webhook: "active",
    });
  });

  const silentOrStray: readonly [string, (socket: Socket) => void, (socket: Socket) => void][] = [
    ["ignores the second request", ignore, accept],
    [
      "writes the end of its first response before the second one",
      (socket) => socket.write(`\r\n${accepted}`),
      accept,
    ],
    ["writes stray bytes after its response", ignore, (socket) => socket.write(`${accepted}\r\n`)],
    [
      "writes stray bytes a moment after its response",
      ignore,
      (socket) => socket.write(accepted, () => setImmediate(() => socket.write("stray"))),
    ],
  ];

  it.each(
    silentOrStray.flatMap(([what, onNext, onFirst]) =>
      [1, 8].map((atOnce) => ({ what, onNext, onFirst, atOnce })),
    ),
  )("$what, with at most three failed attempts ($atOnce at once)", async ({ onNext, onFirst, atOnce }) => {
    const { port } = await openStale(onNext, { onFirst });
    const { failedAttempts, ...outcome } = await deliverAll(`http://${name}:${port}/`, atOnce);
    expect(outcome).toEqual({ delivered: deliveryCount, webhook: "active" });
    expect(failedAttempts).toBeLessThanOrEqual(3);
  });

  it.each([
    ["ignores", ignore],
    ["resets", reset],
  ])("%s every second request of a connection, also in bursts of 40", async (_, onNext) => {
    const { port } = await openStale(onNext);
    const { failedAttempts, ...outcome } = await deliverAll(`http://${name}:${port}/`, 40, 80);
    expect(outcome).toEqual({ delivered: 80, webhook: "active" });
    expect(failedAttempts).toBeLessThanOrEqual(3);
  });

  it("has a PHP warning among the headers of its responses, without a failed attempt", async () => {
    const { port } = await openReceiver({
      onRequest: (socket) => socket.write("HTTP/1.1 200 OK\r\n<br />\r\ncontent-length: 2\r\n\r\nok"),
    });
    expect(await deliverAll(`http://${name}:${port}/`, 8)).toEqual({
      delivered: deliveryCount,
      failedAttempts: 0,
      webhook: "active",
    });
  });
});

describe("a request on a reused connection", () => {
  it.each([
    ["closes", close],
    ["resets", reset],
  ])(
    "is sent again on a new one within the attempt when the receiver %s it before a response",
    async (_, onNext) => {
      const receiver = await openStale(onNext);
      const sender = openSender();
      const send = (body: string) => sender.send(`http://127.0.0.1:${receiver.port}/`, { body });
      expect(await send("one")).toMatchObject({ status: 200, detail: null });
      expect(await send("two")).toMatchObject({
        status: 200,
        failure: null,
        excerpt: "ok",
        detail: expect.stringContaining("the request was sent again on a new one"),
      });
      expect(receiver.connections).toHaveLength(2);
      expect(receiver.requests).toHaveLength(3);
      expect(receiver.requests[2]).toBe(receiver.requests[1]);
      expect(receiver.requests[2]).toMatch(/two$/u);
    },
  );

  it("is sent again only once", async () => {
    const receiver = await openReceiver({
      onRequest: (socket, number) => (number === 1 ? accept(socket) : reset(socket)),
    });
    const sender = openSender();
    const send = () => sender.send(`http://127.0.0.1:${receiver.port}/`);
    expect(await send()).toMatchObject({ status: 200 });
    expect(await send()).toMatchObject({
      status: null,
      failure: "reset",
      detail: expect.stringMatching(/reset before a response\. .*sent again on a new one\.$/u),
    });
    expect(receiver.requests).toHaveLength(3);
  });

  it("is sent again within the same deadline", async () => {
    const broken = Promise.withResolvers<void>();
    const receiver = await openReceiver({
      onRequest(socket, number) {
        if (number === 1) accept(socket);
        if (number !== 2) return;
        // Half of the deadline later. Each round of the event loop takes one millisecond.
        setTimeout(() => {
          socket.destroy();
          broken.resolve();
        }, 10_000);
      },
    });
    const sender = openSender();
    passTimeByRounds();
    const send = () => sender.send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs: 20_000 });
    expect(await send()).toMatchObject({ status: 200 });
    const answer = await send();
    await broken.promise;
    expect(answer).toMatchObject({ status: null, failure: "timeout" });
    expect(answer.durationMs).toBeGreaterThanOrEqual(20_000);
    expect(answer.durationMs).toBeLessThan(20_100);
    expect(receiver.requests).toHaveLength(3);
  });

  it("is not sent again if a part of a response has arrived", async () => {
    const receiver = await openStale((socket) => socket.end("HTTP/1.1 200"));
    const sender = openSender();
    const send = () => sender.send(`http://127.0.0.1:${receiver.port}/`);
    await send();
    expect(await send()).toMatchObject({ status: null, failure: "reset" });
    expect(receiver.requests).toHaveLength(2);
  });

  it("is not sent again if the receiver is silent, because it may be processing the request", async () => {
    const receiver = await openStale(ignore);
    const sender = openSender();
    passTimeByRounds();
    const send = () => sender.send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs: 20_000 });
    await send();
    expect(await send()).toMatchObject({ status: null, failure: "timeout" });
    expect(receiver.requests).toHaveLength(2);
  });
});

it.each([
  ["closes", close],
  ["resets", reset],
])("a request on a new connection that the receiver %s is not sent again", async (_, onRequest) => {
  const receiver = await openReceiver({ onRequest });
  const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/`);
  expect(answer).toMatchObject({ status: null, failure: "reset" });
  expect(answer.detail).not.toContain("again");
  expect(receiver.requests).toHaveLength(1);
});

it("a request for a fresh connection gets one, which is kept for the next request", async () => {
  const receiver = await openReceiver({ onRequest: accept });
  const sender = openSender();
  const targetUrl = `http://127.0.0.1:${receiver.port}/`;
  await sender.send(targetUrl);
  await sender.send(targetUrl, { freshConnection: true });
  expect(receiver.connections).toHaveLength(2);
  await sender.send(targetUrl);
  expect(receiver.connections).toHaveLength(2);
});

it("after three broken connections each delivery to the origin gets a new one", async () => {
  const receiver = await openStale(close);
  const sender = openSender();
  const targetUrl = `http://127.0.0.1:${receiver.port}/`;
  for (let request = 0; request < 20; request++) {
    expect(await sender.send(targetUrl)).toMatchObject({ status: 200, failure: null });
  }
  expect(receiver.connections).toHaveLength(20);
  expect(receiver.requests).toHaveLength(23);
  await receiver.closed(19);
});

describe("two accounts with webhooks at one origin", () => {
  it("share no connection", async () => {
    const receiver = await openReceiver({ onRequest: accept });
    const sender = openSender();
    const targetUrl = `http://127.0.0.1:${receiver.port}/`;
    await sender.send(targetUrl, { accountId: "acc_1" });
    await sender.send(targetUrl, { accountId: "acc_2" });
    expect(receiver.connections).toHaveLength(2);
    await sender.send(targetUrl, { accountId: "acc_1" });
    await sender.send(targetUrl, { accountId: "acc_2" });
    expect(receiver.connections).toHaveLength(2);
  });

  it("a 410 that is left over from one account's request does not remove the other's webhook", async () => {
    const gone = "HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n";
    const receiver = await openStale((socket) => socket.write(gone));
    const world = createWorld();
    const transport = createTransport({ privateTargets: true });
    onTestFinished(() => transport.close());
    const targetUrl = `http://127.0.0.1:${receiver.port}/`;
    await world.addWebhook("wh_1", { target_url: targetUrl });
    await using worker = world.worker({ transport });
    await worker.start();
    const request = { targetUrl, headerLines: "", body: "{}", timeoutMs: 5_000 };
    expect(await transport.send({ accountId: "acc_other", ...request })).toMatchObject({ status: 200 });
    const deliveries = await world.publish("wh_1", "ord_1");
    worker.offer(accountId, deliveries);
    await until(() => worker.stats.recorded === 1);
    expect(await world.webhook("wh_1")).toMatchObject({ status: "active" });
    expect(await world.delivery(deliveries[0]?.id ?? "")).toMatchObject({ status: "delivered" });
  });
});
