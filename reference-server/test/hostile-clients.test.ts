import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { cpuSeconds } from "../../bench/harness/process-usage.ts";
import { createAccount, hostToken } from "./support/host-api.ts";
import { startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";

const mebibyte = 2 ** 20;
const memory = { HOOKWRIGHT_STORAGE: "memory", HOOKWRIGHT_HOST_TOKEN: hostToken };

/** Opens connections that send the same bytes. They close at the end of the test. */
async function openClients(
  { url }: ServerProcess,
  { count, sent, reads = true }: { count: number; sent?: Uint8Array; reads?: boolean },
): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(Number(new URL(url).port), "127.0.0.1"));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  for (const socket of sockets) {
    // The server closes some of them while they send.
    socket.on("error", () => {});
    if (reads) socket.resume();
    else socket.pause();
    if (sent !== undefined) socket.write(sent);
  }
  await Promise.all(
    sockets.map((socket) => (socket.connecting ? once(socket, "connect").catch(() => {}) : undefined)),
  );
  return sockets;
}

/** Requests `/healthz` on a new connection from another address. Returns the duration. */
async function timeHealth({ url }: ServerProcess): Promise<number> {
  const began = performance.now();
  const asked = request(new URL("/healthz", url), { localAddress: "127.0.0.2", agent: false }).end();
  const [response] = await once(asked, "response");
  response.resume();
  expect(response.statusCode).toBe(200);
  return performance.now() - began;
}

/** Opens a stream of a new listener, on a new connection. Waits for its first bytes. */
async function openStream(
  server: ServerProcess,
  key: string,
  localAddress: string,
): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const created = await fetch(new URL("/developer/v1/listeners", server.url), {
    method: "POST",
    headers,
    body: "{}",
  });
  const { data } = await created.json();
  const url = new URL(`/developer/v1/listeners/${data.id}/events`, server.url);
  const asked = request(url, { headers, localAddress, agent: false }).end();
  onTestFinished(() => void asked.destroy());
  const [response]: IncomingMessage[] = await once(asked, "response");
  if (response === undefined) throw new Error("no response");
  await once(response, "readable");
  return response;
}

async function readResidentMebibytes({ pid }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1]) / 1_024;
}

/** Measures the memory growth of a server until the returned function is called. */
async function watchMemory(server: ServerProcess) {
  const before = await readResidentMebibytes(server);
  let most = before;
  const timer = setInterval(async () => {
    most = Math.max(most, await readResidentMebibytes(server).catch(() => 0));
  }, 50);
  onTestFinished(() => clearInterval(timer));
  return async (): Promise<number> => Math.max(most, await readResidentMebibytes(server)) - before;
}

function stalledBody(path: string, token?: string): Uint8Array {
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    "Content-Type: application/json",
    `Content-Length: ${mebibyte}`,
    "\r\n",
  ].join("\r\n");
  return Buffer.concat([Buffer.from(head), Buffer.alloc(mebibyte - 100, " ")]);
}

// Only Linux has the files with the memory and the work of another process.
describe.skipIf(process.platform !== "linux")("a server under attack", { timeout: 60_000 }, () => {
  it("does not store 300 stalled bodies of the public sign-in route in memory", async () => {
    await using server = await startServer({ env: memory });
    const growth = await watchMemory(server);
    await openClients(server, { count: 300, sent: stalledBody("/console/api/session") });
    await timeHealth(server);
    await expect.poll(() => timeHealth(server)).toBeLessThan(1_000);
    expect(await growth()).toBeLessThan(170);
  });

  it("uses at most a quarter of its body memory for one account's stalled bodies", async () => {
    await using server = await startServer({ env: { ...memory, HOOKWRIGHT_RATE_LIMIT: "1000000" } });
    const { apiKey } = await createAccount(server);
    const growth = await watchMemory(server);
    await openClients(server, { count: 300, sent: stalledBody("/v1/webhooks", apiKey) });
    await server.waitFor(/"code":"body_memory_full"/u);
    await expect.poll(() => timeHealth(server)).toBeLessThan(1_000);
    expect(await growth()).toBeLessThan(170);
  });

  it("serves others while 100 connections pipeline 1,400 requests each and read nothing", async () => {
    await using server = await startServer({ env: memory });
    await timeHealth(server);
    const growth = await watchMemory(server);
    const sent = Buffer.from("GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1_400));
    await openClients(server, { count: 100, sent, reads: false });
    // The time of its processor does not depend on the other programs of the machine.
    const before = await cpuSeconds(server.pid);
    expect(await timeHealth(server)).toBeLessThan(10_000);
    expect((await cpuSeconds(server.pid)) - before).toBeLessThan(1);
    expect(await growth()).toBeLessThan(150);
  });

  it("serves a new client while there are more idle connections than its limit", async () => {
    await using server = await startServer({
      openFiles: 256,
      env: { ...memory, HOOKWRIGHT_HEADERS_TIMEOUT: "2", HOOKWRIGHT_REQUEST_TIMEOUT: "2" },
    });
    const silent = await openClients(server, { count: 400 });
    for (let round = 0; round < 5; round += 1) expect(await timeHealth(server)).toBeLessThan(1_000);
    // A quarter of 256 files. The other connections close after the headers timeout.
    await expect.poll(() => silent.filter(({ closed }) => closed)).toHaveLength(400);
    expect(server.stdout + server.stderr).not.toContain("EMFILE");
  });

  it("serves all others while seven accounts open more streams than the server may hold", async () => {
    await using server = await startServer({ args: ["serve", "--max-connections", "16"], env: memory });
    const attackers = await Promise.all(
      Array.from({ length: 7 }, (_, index) => createAccount(server, index + 1)),
    );
    const own = await createAccount(server, 8);
    const streams: IncomingMessage[] = [];
    for (let round = 0; round < 4; round += 1)
      for (const { apiKey } of attackers) streams.push(await openStream(server, apiKey, "127.0.0.1"));
    expect(await timeHealth(server)).toBeLessThan(5_000);
    const stream = await openStream(server, own.apiKey, "127.0.0.2");
    expect(stream.statusCode).toBe(200);
    const isOpen = ({ complete }: IncomingMessage) => !complete;
    // Half of the connections are for streams: seven of the attackers, and this one. The end of a displaced stream arrives on its own
    // connection, maybe after the first bytes of this one.
    await expect.poll(() => streams.filter(isOpen)).toHaveLength(7);
    const texts = await Promise.all(streams.filter(({ complete }) => complete).map(text));
    await timeHealth(server);
    expect(streams.filter(isOpen)).toHaveLength(7);
    expect(texts.some((each) => each.includes("event: displaced\nretry: 10000\n"))).toBe(true);
  });

  it("takes the connection limit from its option", async () => {
    await using server = await startServer({ args: ["serve", "--max-connections", "10"], env: memory });
    const silent = await openClients(server, { count: 30 });
    await expect.poll(() => silent.filter(({ closed }) => closed)).toHaveLength(20);
    await timeHealth(server);
  });
});
