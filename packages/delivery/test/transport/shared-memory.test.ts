import { gzipSync } from "node:zlib";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createRequestWriter } from "../../src/transport/request-writer.ts";
import { createCertificate } from "./support/certificate.ts";
import { openReceiver } from "./support/hostile-receiver.ts";
import { openSender } from "./support/sender.ts";

const name = "hooks.example.com";
const { key, cert } = createCertificate({ name });

const textOf = (number: number): string => `answer ${number} `.repeat(200);
const headOf = (length: number, ...lines: string[]): string =>
  ["HTTP/1.1 200 OK", `Content-Length: ${length}`, ...lines, "", ""].join("\r\n");

/** Sends so many at once and gives what came back, in order. */
async function excerptsOf(port: number, count: number, scheme = "http"): Promise<string[]> {
  const sender = openSender({ tls: { ca: cert } });
  const answers = await Promise.all(
    Array.from({ length: count }, (_, number) => sender.send(`${scheme}://${name}:${port}/${number}`)),
  );
  return answers.map(({ excerpt }) => excerpt);
}
const numberOf = (request: string): number => Number(/^POST \/(\d+) /u.exec(request)?.[1]);

describe("what one connection reads does not disturb what another has read", () => {
  const count = 20;
  const expected = Array.from({ length: count }, (_, number) => textOf(number));

  it("when answers come in two parts, first all the first ones", async () => {
    const rests: (() => void)[] = [];
    const receiver = await openReceiver({
      onRequest: (socket, _, request) => {
        const text = textOf(numberOf(request));
        socket.write(headOf(text.length) + text.slice(0, 100));
        rests.push(() => socket.write(text.slice(100)));
        if (rests.length === count) setTimeout(() => rests.forEach((write) => write()), 20);
      },
    });
    expect(await excerptsOf(receiver.port, count)).toEqual(expected);
  });

  it.each(["http", "https"])("when answers over %s have to be inflated", async (scheme) => {
    const receiver = await openReceiver({
      ...(scheme === "https" ? { tls: { key, cert } } : {}),
      onRequest: (socket: Socket, _, request) => {
        const body = gzipSync(textOf(numberOf(request)));
        socket.write(Buffer.concat([Buffer.from(headOf(body.length, "Content-Encoding: gzip")), body]));
      },
    });
    expect(await excerptsOf(receiver.port, count, scheme)).toEqual(expected);
  });
});

describe("a request that is not taken over at once", () => {
  /** Like a socket that keeps what it was given, as it was given, until it is told to take it over. */
  function openHoldingSocket() {
    const given: Buffer[] = [];
    const taken: (() => void)[] = [];
    return {
      given,
      takeAll: () => taken.splice(0).forEach((done) => done()),
      write(bytes: Uint8Array, done?: unknown): boolean {
        given.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
        if (typeof done === "function") taken.push(() => done());
        return true;
      },
    };
  }
  const lines = "POST / HTTP/1.1\r\n";
  const requestOf = (body: string): string =>
    `${lines}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

  it.each([true, false])("keeps its bytes while others are written (secure: %s)", (secure) => {
    const write = createRequestWriter();
    const socket = openHoldingSocket();
    const bodies = [
      "first",
      "second",
      "ünïcödé",
      "x".repeat(20_000),
      ...Array.from({ length: 200 }, (_, index) => `${index} `.repeat(300)),
    ];
    for (const body of bodies) write(socket, { lines, body, secure });
    expect(socket.given.map(String)).toEqual(bodies.map(requestOf));
  });

  it("keeps its bytes when others have been taken over", () => {
    const write = createRequestWriter();
    const [slow, fast] = [openHoldingSocket(), openHoldingSocket()];
    write(slow, { lines, body: "slow", secure: false });
    for (let round = 0; round < 100; round++) {
      write(fast, { lines, body: "fast ".repeat(300), secure: false });
      fast.takeAll();
    }
    expect(slow.given.map(String)).toEqual([requestOf("slow")]);
  });

  it("gives its place to others once it has been, also where many went out together", () => {
    const write = createRequestWriter();
    const socket = openHoldingSocket();
    const places = new Set<ArrayBufferLike>();
    for (let round = 0; round < 100; round++) {
      const bodies = Array.from({ length: 100 }, (_, index) => `${round} ${index} `.repeat(200));
      for (const body of bodies) write(socket, { lines, body, secure: false });
      const given = socket.given.splice(0);
      expect(given.map(String)).toEqual(bodies.map(requestOf));
      for (const { buffer } of given) places.add(buffer);
      socket.takeAll();
    }
    expect(places.size).toBeGreaterThan(1);
    expect(places.size).toBeLessThan(8);
  });

  it("gives its place to others once it has been", () => {
    const write = createRequestWriter();
    const socket = openHoldingSocket();
    const places = new Set<ArrayBufferLike>();
    for (let round = 0; round < 1_000; round++) {
      write(socket, { lines, body: "x".repeat(1_000), secure: false });
      socket.takeAll();
      for (const { buffer } of socket.given.splice(0)) places.add(buffer);
    }
    expect(places.size).toBe(1);
  });
});

it("a request longer than the shared memory arrives whole", async () => {
  const receiver = await openReceiver({ onRequest: (socket) => socket.write(`${headOf(2)}ok`) });
  const body = `{"note":"${"é".repeat(40_000)}"}`;
  await openSender().send(`http://127.0.0.1:${receiver.port}/`, { body });
  const [request] = receiver.requests;
  expect(Buffer.from(request ?? "", "latin1").toString()).toContain(`\r\n\r\n${body}`);
});
