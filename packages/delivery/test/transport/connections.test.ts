import type { Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openReceiver } from "./support/hostile-receiver.ts";
import type { Receiver, ReceiverOptions } from "./support/hostile-receiver.ts";
import { rest } from "../support/fake-clock.ts";
import { openSender, passTimeByRounds } from "./support/sender.ts";

const plainAnswer = (text: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;

interface Pair {
  readonly receiver: Receiver;
  readonly send: () => Promise<{ readonly status: number | null; readonly excerpt: string }>;
}

async function openPair(options: ReceiverOptions): Promise<Pair> {
  const receiver = await openReceiver(options);
  const sender = openSender();
  return { receiver, send: () => sender.send(`http://127.0.0.1:${receiver.port}/`) };
}

describe("a connection that fails before a response", () => {
  it.each<[string, (socket: Socket) => void]>([
    ["closed without a response", (socket) => socket.destroy()],
    ["half-closed without a response", (socket) => socket.end()],
    ["reset", (socket) => socket.resetAndDestroy()],
    ["closed within the status line", (socket) => socket.end("HTTP/1.1 20")],
    ["closed within the headers", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n")],
    ["closed after an informational response", (socket) => socket.end("HTTP/1.1 100 Continue\r\n\r\n")],
  ])("is class reset when it is %s", async (_, onRequest) => {
    const receiver = await openReceiver({ onRequest });
    const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/`);
    expect(answer).toMatchObject({ status: null, failure: "reset" });
    await receiver.closed(0);
  });

  it("is class reset when it is closed before the request was read", async () => {
    const receiver = await openReceiver({ onConnection: (socket) => socket.destroy() });
    expect(await openSender().send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ failure: "reset" });
  });

  it.each(["EMFILE", "ENFILE"])(
    "is not an attempt when this process has too many open files (%s)",
    async (code) => {
      const resolve = async () => {
        throw Object.assign(new Error(`getaddrinfo ${code} receiver.test`), { code });
      };
      await expect(openSender({ resolve }).send("http://receiver.test/")).rejects.toMatchObject({
        code: "too_many_open_files",
      });
    },
  );

  it("is made to the next address when one refuses", async () => {
    const receiver = await openReceiver({ onRequest: (socket) => socket.write(plainAnswer("here")) });
    const resolve = async () => [
      { address: "127.0.0.2", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    const answer = await openSender({ resolve }).send(`http://hooks.example.com:${receiver.port}/`);
    expect(answer).toMatchObject({ status: 200, excerpt: "here" });
  });
});

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === "::1"),
);

describe.runIf(hasIPv6)("an IPv6 literal", () => {
  it("is dialled without its brackets, and has them in the detail", async () => {
    const receiver = await openReceiver({
      host: "::1",
      onRequest: (socket) => socket.write(plainAnswer("text")),
    });
    const answer = await openSender().send(`http://[::1]:${receiver.port}/hooks`);
    expect(answer).toMatchObject({ status: 200, excerpt: "text" });
    expect(receiver.requests[0]).toContain(`\r\nhost: [::1]:${receiver.port}\r\n`);
  });
});

describe("a connection is kept for the next delivery", () => {
  it.each([
    ["with a length", plainAnswer("text")],
    [
      "in chunks, with an extension and a trailer",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4;a=b\r\ntext\r\n0\r\nt: u\r\n\r\n",
    ],
    ["without a body", "HTTP/1.1 204 Done\r\n\r\n"],
    ["without a body, and with its length", "HTTP/1.1 204 Done\r\ncontent-length: 0\r\n\r\n"],
    ["after an informational response", `HTTP/1.1 100 Continue\r\n\r\n${plainAnswer("text")}`],
    [
      "of HTTP/1.0 that asks for it",
      "HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\ncontent-length: 4\r\n\r\ntext",
    ],
    ["with a body of exactly 4 KiB", plainAnswer("x".repeat(4_096))],
    ["that fails", "HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n"],
  ])("after a response %s", async (_, answer) => {
    const { receiver, send } = await openPair({ onRequest: (socket) => socket.write(answer) });
    const first = await send();
    const second = await send();
    const { durationMs: _first, phases: _phases, ...expected } = { durationMs: 0, phases: [], ...first };
    expect(second).toMatchObject(expected);
    expect(receiver.connections).toHaveLength(1);
  });

  it("after a short compressed response", async () => {
    const body = gzipSync("text");
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`;
    const { receiver, send } = await openPair({
      onRequest: (socket) => socket.write(Buffer.concat([Buffer.from(head), body])),
    });
    expect([await send(), await send()]).toMatchObject([{ excerpt: "text" }, { excerpt: "text" }]);
    expect(receiver.connections).toHaveLength(1);
  });
});

describe("a connection is not used again", () => {
  const chunked = "transfer-encoding: chunked\r\n";
  it.each([
    ["bytes that follow the response", `${plainAnswer("one")}HTTP/1.1 200 OK\r\n`],
    ["a whole second response after the first", plainAnswer("one") + plainAnswer("forged")],
    ["bytes after a response without a body", "HTTP/1.1 204 Done\r\n\r\nmore"],
    [
      "bytes after the last chunk",
      `HTTP/1.1 200 OK\r\n${chunked}\r\n3\r\none\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n`,
    ],
    [
      "Content-Length beside Transfer-Encoding",
      `HTTP/1.1 200 OK\r\n${chunked}content-length: 3\r\n\r\n0\r\n\r\n`,
    ],
    ["Transfer-Encoding in HTTP/1.0", `HTTP/1.0 200 OK\r\nconnection: keep-alive\r\n${chunked}\r\n0\r\n\r\n`],
    ["headers whose lines end with a bare line feed", "HTTP/1.1 200 OK\ncontent-length: 3\n\none"],
    ["chunks whose lines end with a bare line feed", `HTTP/1.1 200 OK\r\n${chunked}\r\n4\ntext\n0\n\n`],
    ["two blanks in the status line", "HTTP/1.1  200 OK\r\ncontent-length: 0\r\n\r\n"],
    [
      "a malformed line in an informational response",
      `HTTP/1.1 103 Early Hints\r\n<br />\r\n\r\n${plainAnswer("one")}`,
    ],
    ["a length that is not a number", "HTTP/1.1 200 OK\r\ncontent-length: 3x\r\n\r\none"],
    ["no length", "HTTP/1.1 200 OK\r\n\r\none"],
    ["a length of a body that a 204 cannot have", "HTTP/1.1 204 Done\r\ncontent-length: 5\r\n\r\n"],
    ["chunks of a body that a 204 cannot have", `HTTP/1.1 204 Done\r\n${chunked}\r\n`],
    [
      "HTTP/1.0 that asks for both",
      "HTTP/1.0 200 OK\r\nconnection: keep-alive, close\r\ncontent-length: 0\r\n\r\n",
    ],
    ["Connection: close", "HTTP/1.1 200 OK\r\nConnection: Close\r\ncontent-length: 0\r\n\r\n"],
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n"],
    ["a body one byte longer than is kept", plainAnswer("x".repeat(4_097))],
    ["a Keep-Alive of one second", "HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 0\r\n\r\n"],
  ])("after %s", async (_, answer) => {
    const receiver = await openReceiver({
      onRequest: (socket, number) => socket.write(number === 1 ? answer : plainAnswer("second")),
    });
    const sender = openSender();
    // Some of these responses end when the time for the body is over.
    passTimeByRounds();
    const send = () => sender.send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs: 20_000 });
    expect(await send()).toMatchObject({ failure: null });
    expect(await send()).toMatchObject({ status: 200, excerpt: "second" });
    expect(receiver.connections).toHaveLength(2);
    await receiver.closed(0);
  });

  it("when bytes arrive while it is idle", async () => {
    const { receiver, send } = await openPair({
      onRequest: (socket, number) => socket.write(plainAnswer(`answer ${number}`)),
    });
    expect(await send()).toMatchObject({ excerpt: "answer 1" });
    receiver.connections[0]?.write(plainAnswer("forged"));
    await receiver.closed(0);
    expect(await send()).toMatchObject({ excerpt: "answer 2" });
    expect(receiver.connections).toHaveLength(2);
  });

  it.each<[string, (socket: Socket | undefined) => void]>([
    ["closes", (socket) => socket?.end()],
    ["resets", (socket) => socket?.resetAndDestroy()],
  ])("when the receiver %s it while it is idle", async (_, leave) => {
    const { receiver, send } = await openPair({ onRequest: (socket) => socket.write(plainAnswer("text")) });
    await send();
    leave(receiver.connections[0]);
    await receiver.closed(0);
    await rest();
    expect(await send()).toMatchObject({ status: 200, excerpt: "text" });
    expect(receiver.connections).toHaveLength(2);
  });

  it("when the response came before the request was read", async () => {
    const receiver = await openReceiver({
      onConnection: (socket) => {
        socket.pause();
        socket.write(plainAnswer("early"));
      },
    });
    const sender = openSender();
    const body = " ".repeat(20_000_000);
    const answer = await sender.send(`http://127.0.0.1:${receiver.port}/`, { body });
    expect(answer).toMatchObject({ status: 200, excerpt: "early" });
    expect(await sender.send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ status: 200 });
    expect(receiver.connections).toHaveLength(2);
  });

  it("for another port, another scheme or another name", async () => {
    const receiver = await openReceiver({ onRequest: (socket) => socket.write(plainAnswer("text")) });
    const sender = openSender();
    await sender.send(`http://one.example.com:${receiver.port}/`);
    await sender.send(`http://two.example.com:${receiver.port}/`);
    await sender.send(`http://one.example.com:${receiver.port}/other?query`);
    expect(receiver.connections).toHaveLength(2);
    expect(receiver.requests.map((text) => text.split("\r\n").slice(0, 2).join(" "))).toEqual([
      `POST / HTTP/1.1 host: one.example.com:${receiver.port}`,
      `POST / HTTP/1.1 host: two.example.com:${receiver.port}`,
      `POST /other?query HTTP/1.1 host: one.example.com:${receiver.port}`,
    ]);
  });

  it("by a second delivery while the first one is in progress", async () => {
    const { receiver, send } = await openPair({
      onRequest: (_, number) => {
        if (number === 2) for (const socket of receiver.connections) socket.write(plainAnswer("text"));
      },
    });
    expect(await Promise.all([send(), send()])).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(receiver.connections).toHaveLength(2);
  });
});

describe("closing the transport", () => {
  it("ends requests in progress, closes idle connections, and sends nothing more", async () => {
    const receiver = await openReceiver({
      onRequest: (socket, number) => {
        if (number === 1) socket.write(plainAnswer("text"));
      },
    });
    const sender = openSender();
    const targetUrl = `http://127.0.0.1:${receiver.port}/`;
    await sender.send(targetUrl);
    const waiting = [sender.send(targetUrl), sender.send(targetUrl)];
    await receiver.connected(1);
    await sender.close();
    const expected = {
      status: null,
      failure: "reset",
      detail: "The sender was shut down before a response.",
    };
    expect(await Promise.all(waiting)).toMatchObject([expected, expected]);
    await Promise.all([receiver.closed(0), receiver.closed(1)]);
    expect(await sender.send(targetUrl)).toMatchObject(expected);
    expect(receiver.connections).toHaveLength(2);
  });
});
