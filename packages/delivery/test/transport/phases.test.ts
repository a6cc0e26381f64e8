import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { parseProxyUrl } from "@hookwright/domain";
import { expect, it } from "vitest";
import type { Answer } from "../../src/transport/answer.ts";
import { createCertificate } from "./support/certificate.ts";
import { openConnectProxy } from "./support/connect-proxy.ts";
import { openReceiver } from "./support/hostile-receiver.ts";
import { openSender, passTimeByRounds } from "./support/sender.ts";

const name = "hooks.example.com";
const { key, cert } = createCertificate({ name });
const secure = { tls: { key, cert } };
const loopback = [{ address: "127.0.0.1", family: 4 }];
/** Rounds of the event loop, each a millisecond: how long a test delays a phase. */
const longMs = 10_000;
/** More rounds than the other phases take. */
const shortMs = longMs / 2;

const accept = (socket: Socket): void => void socket.write("HTTP/1.1 204 Done\r\n\r\n");
const later = (callback: () => void): void => void setTimeout(callback, longMs);
const resolveLater = () => new Promise<typeof loopback>((resolve) => later(() => resolve(loopback)));
const never = () => Promise.withResolvers<never>().promise;

/** `-`: there was none. `slow`: the test delayed it. */
function describePhases({ phases = [-1, -1, -1, -1, -1], durationMs }: Answer): Record<string, string> {
  const names = ["dns", "connect", "tls", "wait", "read"];
  const reached = phases.filter((tenths) => tenths >= 0);
  expect(reached.reduce((sum, tenths) => sum + tenths, 0) / 10).toBeCloseTo(durationMs, 6);
  const describe = (tenths: number): string => {
    if (tenths === -1) return "-";
    return tenths < shortMs * 10 ? "short" : "slow";
  };
  return Object.fromEntries(names.map((each, place) => [each, describe(phases[place] ?? Number.NaN)]));
}

const short = { dns: "short", connect: "short", tls: "short", wait: "short", read: "short" };
const none: Record<string, string> = { dns: "-", connect: "-", tls: "-", wait: "-", read: "-" };
const reused = { dns: "-", connect: "-", tls: "-", wait: "short", read: "short" };

it.each([
  ["over HTTP", "http", { ...short, tls: "-" }],
  ["over TLS", "https", short],
] as const)(
  "a new connection has all phases, and a reused one only the last two, %s",
  async (_, scheme, first) => {
    const receiver = await openReceiver({ ...(scheme === "https" ? secure : {}), onRequest: accept });
    const sender = openSender({ tls: { ca: cert } });
    passTimeByRounds();
    const send = () => sender.send(`${scheme}://${name}:${receiver.port}/`, { timeoutMs: 10 * longMs });
    expect(describePhases(await send())).toEqual(first);
    expect(describePhases(await send())).toEqual(reused);
  },
);

it("an IP address has no DNS phase", async () => {
  const receiver = await openReceiver({ onRequest: accept });
  const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/`);
  expect(answer.phases?.slice(0, 3)).toEqual([-1, expect.any(Number), -1]);
});

it("a slow name server costs DNS time", async () => {
  const receiver = await openReceiver({ onRequest: accept });
  const sender = openSender({ resolve: resolveLater });
  passTimeByRounds();
  const answer = await sender.send(`http://${name}:${receiver.port}/`, { timeoutMs: 10 * longMs });
  expect(describePhases(answer)).toEqual({ ...short, dns: "slow", tls: "-" });
});

it("a late first byte is waiting, a late body is reading, and both count as duration", async () => {
  const receiver = await openReceiver({
    ...secure,
    onRequest(socket, number) {
      const head = "HTTP/1.1 500 Oh\r\ncontent-length: 2\r\n\r\n";
      if (number === 1) return later(() => socket.write(`${head}no`));
      socket.write(head);
      setTimeout(() => socket.write("no"), 800);
    },
  });
  const sender = openSender({ tls: { ca: cert } });
  passTimeByRounds();
  const send = () => sender.send(`https://${name}:${receiver.port}/`, { timeoutMs: 10 * longMs });
  expect(describePhases(await send())).toEqual({ ...short, wait: "slow" });
  const { phases = [], durationMs } = await send();
  expect(phases.at(-1)).toBeGreaterThanOrEqual(7_900);
  expect(durationMs).toBeGreaterThanOrEqual(790);
});

it("a body that stalls is read until its grace is over", async () => {
  const receiver = await openReceiver({
    onRequest: (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nno"),
  });
  const sender = openSender();
  passTimeByRounds();
  const { phases = [], ...answer } = await sender.send(`http://127.0.0.1:${receiver.port}/`);
  expect(answer).toMatchObject({ status: 200, failure: null, excerpt: "no" });
  expect(phases.at(-1)).toBeGreaterThanOrEqual(9_990);
});

it.each([
  ["DNS", { resolve: never }, {}, { dns: "slow" }],
  ["the TLS handshake", {}, {}, { dns: "short", connect: "short", tls: "slow" }],
  ["the wait", {}, secure, { ...short, wait: "slow", read: "-" }],
] as const)(
  "a time-out in %s holds the time until then",
  async (_, senderOptions, receiverOptions, phases) => {
    const receiver = await openReceiver(receiverOptions);
    const sender = openSender({ tls: { ca: cert }, ...senderOptions });
    passTimeByRounds();
    const answer = await sender.send(`https://${name}:${receiver.port}/`, { timeoutMs: longMs });
    expect(answer).toMatchObject({ failure: "timeout", durationMs: longMs });
    expect(describePhases(answer)).toEqual({ ...none, ...phases });
  },
);

it("a time-out while reading the headers holds the time until then", async () => {
  const receiver = await openReceiver({ onRequest: (socket) => socket.write("HTTP/1.1 200 OK\r\n") });
  const sender = openSender();
  passTimeByRounds();
  const answer = await sender.send(`http://${name}:${receiver.port}/`, { timeoutMs: longMs });
  expect(answer).toMatchObject({ failure: "timeout", durationMs: longMs });
  expect(answer.phases?.at(-1)).toBeGreaterThanOrEqual((longMs - shortMs) * 10);
});

it("a time-out in the connection, which a proxy does not open, holds the time until then", async () => {
  const proxy = await openConnectProxy({ answer: () => {} });
  const sender = openSender({ proxy: parseProxyUrl(`http://127.0.0.1:${proxy.port}`) });
  passTimeByRounds();
  const answer = await sender.send(`https://${name}/`, { timeoutMs: longMs });
  expect(answer).toMatchObject({ failure: "timeout", phases: [-1, longMs * 10, -1, -1, -1] });
});

it.each([
  ["a name that does not exist", { resolve: () => Promise.reject(new Error("no")) }, "dns", ["dns"]],
  [
    "a name with a private address",
    { resolve: async () => loopback, privateTargets: false },
    "blocked_address",
    ["dns"],
  ],
] as const)("%s has only the DNS phase", async (_, options, failure, phases) => {
  const answer = await openSender(options).send(`https://${name}/`);
  expect(answer).toMatchObject({ failure });
  expect(
    Object.entries(describePhases(answer)).flatMap(([each, text]) => (text === "-" ? [] : [each])),
  ).toEqual(phases);
});

it("a refused connection ends in its connect phase", async () => {
  const answer = await openSender().send("http://127.0.0.1:1/");
  expect(answer).toMatchObject({ failure: "connect", phases: [-1, expect.any(Number), -1, -1, -1] });
});

it("a certificate that is not trusted ends in the TLS phase", async () => {
  const receiver = await openReceiver({ ...secure, onRequest: accept });
  const sender = openSender();
  passTimeByRounds();
  const answer = await sender.send(`https://${name}:${receiver.port}/`, { timeoutMs: 10 * longMs });
  expect(answer).toMatchObject({ failure: "tls" });
  expect(describePhases(answer)).toEqual({ ...short, wait: "-", read: "-" });
});

it("a connection that is reset while the headers are read ends in the reading phase", async () => {
  const receiver = await openReceiver({
    ...secure,
    onRequest(socket) {
      socket.write("HTTP/1.1 200");
      later(() => (socket instanceof TLSSocket ? socket.destroy() : socket.resetAndDestroy()));
    },
  });
  const sender = openSender({ tls: { ca: cert } });
  passTimeByRounds();
  const answer = await sender.send(`https://${name}:${receiver.port}/`, { timeoutMs: 10 * longMs });
  expect(answer).toMatchObject({ failure: "reset" });
  expect(describePhases(answer)).toEqual({ ...short, read: "slow" });
});

it("time that was lost on a reused connection that broke is waiting", async () => {
  const receiver = await openReceiver({
    onRequest: (socket, number) => (number === 2 ? later(() => socket.end()) : accept(socket)),
  });
  const sender = openSender();
  passTimeByRounds();
  const send = () => sender.send(`http://${name}:${receiver.port}/`, { timeoutMs: 10 * longMs });
  await send();
  expect(describePhases(await send())).toEqual({ ...short, tls: "-", wait: "slow" });
  expect(receiver.connections).toHaveLength(2);
});

it("without a request on a new connection, that time is of its first phase", async () => {
  const receiver = await openReceiver({
    onRequest: (socket, number) => (number === 2 ? later(() => socket.end()) : accept(socket)),
  });
  let lookups = 0;
  const sender = openSender({
    resolve: () => {
      lookups += 1;
      return lookups === 1 ? Promise.resolve(loopback) : Promise.reject(new Error("no such name"));
    },
  });
  passTimeByRounds();
  const send = () => sender.send(`http://${name}:${receiver.port}/`, { timeoutMs: 10 * longMs });
  await send();
  const answer = await send();
  expect(answer).toMatchObject({ failure: "dns" });
  expect(describePhases(answer)).toEqual({ ...none, dns: "slow" });
});

it("a request to a URL that is not allowed has no phases", async () => {
  const answer = await openSender({ privateTargets: false }).send("https://10.0.0.1/");
  expect(answer).toMatchObject({ failure: "blocked_address", durationMs: 0, phases: [-1, -1, -1, -1, -1] });
});
