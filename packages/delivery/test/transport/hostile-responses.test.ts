import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../src/transport/answer.ts";
import { toHeaderRecord } from "../../src/transport/answer.ts";
import { openReceiver } from "./support/hostile-receiver.ts";
import type { Receiver } from "./support/hostile-receiver.ts";
import { openSender, passTimeByRounds } from "./support/sender.ts";

/** Sends one request to a receiver that responds with these bytes and leaves the connection open. */
async function answerOf(
  bytes: string | Buffer | ((socket: Socket) => void),
  { timeoutMs = 5_000 }: { readonly timeoutMs?: number } = {},
): Promise<
  Omit<Answer, "headers"> & { readonly headers: Record<string, string>; readonly receiver: Receiver }
> {
  const onRequest = (socket: Socket): void => {
    if (typeof bytes === "function") bytes(socket);
    else socket.write(bytes);
  };
  const receiver = await openReceiver({ onRequest });
  const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/hooks`, { timeoutMs });
  return { ...answer, headers: toHeaderRecord(answer.headers), receiver };
}

const shortMs = 60;
const crlf = (...lines: readonly string[]): string => `${lines.join("\r\n")}\r\n\r\n`;

/** Writes without end, as long as the other side reads. */
function writeForEver(socket: Socket, piece: string | Buffer): void {
  // Many short pieces at once: the system buffers half a megabyte.
  const pieces = typeof piece === "string" ? piece.repeat(Math.ceil(4_096 / piece.length)) : piece;
  const more = (): void => {
    while (!socket.destroyed && socket.write(pieces));
  };
  socket.on("drain", more);
  more();
}

describe("a usual response", () => {
  it("has its status, headers and body", async () => {
    const {
      receiver,
      durationMs,
      phases: _phases,
      ...answer
    } = await answerOf(`${crlf("HTTP/1.1 200 OK", "X-One: 1", "Content-Length: 4")}gut!`);
    expect(answer).toEqual({
      status: 200,
      headers: { "x-one": "1", "content-length": "4" },
      excerpt: "gut!",
      failure: null,
      detail: null,
    });
    expect(durationMs).toBeGreaterThan(0);
    expect(receiver.requests).toEqual([
      `POST /hooks HTTP/1.1\r\nhost: 127.0.0.1:${receiver.port}\r\nx-service-event: order.paid\r\ncontent-length: 2\r\n\r\n{}`,
    ]);
  });

  it("other than 2xx is a failure that keeps status and text", async () => {
    const answer = await answerOf(`${crlf("HTTP/1.1 503 Busy", "Retry-After: 7", "Content-Length: 5")}later`);
    expect(answer).toMatchObject({
      status: 503,
      failure: "status",
      excerpt: "later",
      headers: { "retry-after": "7" },
    });
  });

  it("is not followed when it redirects", async () => {
    const elsewhere = await openReceiver();
    const location = `Location: http://127.0.0.1:${elsewhere.port}/`;
    const answer = await answerOf(crlf("HTTP/1.1 307 Temporary Redirect", location, "Content-Length: 0"));
    expect(answer).toMatchObject({ status: 307, failure: "status" });
    expect(elsewhere.connections).toHaveLength(0);
  });

  it("needs no reason phrase, and may end its lines with a bare line feed", async () => {
    expect(await answerOf("HTTP/1.1 204\nx: y\n\n")).toMatchObject({
      status: 204,
      failure: null,
      headers: { x: "y" },
    });
  });
});

describe("a 2xx whose header section is complete and in time is an acceptance", () => {
  const head = (...lines: readonly string[]): string => crlf("HTTP/1.1 200 OK", ...lines);

  it.each([
    ["a body that stalls", `${head("Content-Length: 100")}begun`, "begun"],
    ["a body that never starts", head("Content-Length: 100"), ""],
    ["a body without a length that stalls", `${head("X: y")}begun`, "begun"],
    ["a body with a length that is not a number", `${head("Content-Length: -5")}begun`, "begun"],
    [
      "a body with two lengths that differ",
      `${head("Content-Length: 2", "Content-Length: 3")}begun`,
      "begun",
    ],
    ["a chunk that stalls", `${head("Transfer-Encoding: chunked")}64\r\nbegun`, "begun"],
  ])("with %s", async (_, bytes, excerpt) => {
    passTimeByRounds();
    const answer = await answerOf(bytes, { timeoutMs: 20_000 });
    expect(answer).toMatchObject({ status: 200, failure: null, excerpt });
    await answer.receiver.closed(0);
  });

  it.each([
    ["a chunk size that is not a number", `${head("Transfer-Encoding: chunked")}zz\r\nx`],
    ["a chunk size that is too large", `${head("Transfer-Encoding: chunked")}fffffffffffffffff\r\nx`],
    ["a negative chunk size", `${head("Transfer-Encoding: chunked")}-1\r\nx`],
    ["a chunk longer than it says", `${head("Transfer-Encoding: chunked")}1\r\nxyz\r\n0\r\n\r\n`],
    ["a Content-Length that is not a number", head("Content-Length: -5")],
    ["two Content-Lengths that differ", head("Content-Length: 5", "Content-Length: 6")],
    ["an unknown transfer coding", head("Transfer-Encoding: gzip, chunked")],
  ])("with %s, and the connection is destroyed", async (_, bytes) => {
    passTimeByRounds();
    const answer = await answerOf(bytes, { timeoutMs: 20_000 });
    expect(answer).toMatchObject({ status: 200, failure: null });
    await answer.receiver.closed(0);
  });

  it("with a body cut off by a close", async () => {
    const answer = await answerOf((socket) => socket.end(`${head("Content-Length: 100")}begun`));
    expect(answer).toMatchObject({ status: 200, failure: null, excerpt: "begun" });
  });

  it("with a body cut off by a reset", async () => {
    const answer = await answerOf((socket) =>
      socket.write(`${head("Content-Length: 100")}begun`, () => socket.resetAndDestroy()),
    );
    expect(answer).toMatchObject({ status: 200, failure: null });
  });
});

describe("at most 4 KiB are kept", () => {
  it.each([
    ["of an endless body", ["Content-Length: 999999999999"], Buffer.alloc(65_536, "x")],
    ["of an endless body without a length", [], Buffer.alloc(65_536, "x")],
    ["of endless chunks", ["Transfer-Encoding: chunked"], `1000\r\n${"x".repeat(4096)}\r\n`],
    ["of endless chunks of one byte", ["Transfer-Encoding: chunked"], "1\r\nx\r\n".repeat(1_000)],
  ])("%s, and the connection is destroyed", async (_, lines, piece) => {
    const answer = await answerOf((socket) => {
      socket.write(crlf("HTTP/1.1 200 OK", ...lines));
      writeForEver(socket, piece);
    });
    expect(answer).toMatchObject({ status: 200, failure: null });
    expect(answer.excerpt).toMatch(/^x{3000,4096}$/u);
    await answer.receiver.closed(0);
  });

  it.each([
    ["chunk extensions", `1;${"e".repeat(900)}\r\nx\r\n`],
    ["a chunk extension without an end", "e".repeat(900)],
    ["trailers", "t: t\r\n"],
  ])("and endless %s are not read on", async (name, piece) => {
    const answer = await answerOf((socket) => {
      socket.write(crlf("HTTP/1.1 200 OK", "Transfer-Encoding: chunked"));
      if (name === "trailers") socket.write("0\r\n");
      if (name.endsWith("end")) socket.write("5;");
      writeForEver(socket, piece);
    });
    expect(answer).toMatchObject({ status: 200, failure: null });
    await answer.receiver.closed(0);
  });

  const bomb = Buffer.alloc(50_000_000);
  it.each([
    ["gzip", gzipSync(bomb)],
    ["deflate", deflateSync(bomb)],
    ["br", brotliCompressSync(bomb)],
    ["zstd", zstdCompressSync(bomb)],
  ])("of a bomb of 50 MB in %s, and the connection is destroyed", async (encoding, body) => {
    const head = crlf("HTTP/1.1 200 OK", `Content-Encoding: ${encoding}`, `Content-Length: ${body.length}`);
    const answer = await answerOf(Buffer.concat([Buffer.from(head), body]));
    expect(answer).toMatchObject({ status: 200, failure: null });
    expect(answer.excerpt).toBe("\0".repeat(4_096));
    await answer.receiver.closed(0);
  });

  it("of a zstd frame that demands a window of 128 MB: it is shown as it came", async () => {
    const frame = Buffer.from("28b52ffd0088", "hex");
    const head = crlf("HTTP/1.1 200 OK", "Content-Encoding: zstd", `Content-Length: ${frame.length}`);
    const answer = await answerOf(Buffer.concat([Buffer.from(head), frame]));
    expect(answer).toMatchObject({ status: 200, failure: null, excerpt: frame.toString() });
  });

  it.each([
    ["gzip", gzipSync("compressed")],
    ["x-gzip", gzipSync("compressed")],
    ["deflate", deflateSync("compressed")],
    ["BR", brotliCompressSync("compressed")],
    ["zstd", zstdCompressSync("compressed")],
  ])("and %s is read as text", async (encoding, body) => {
    const head = crlf("HTTP/1.1 200 OK", `Content-Encoding: ${encoding}`, `Content-Length: ${body.length}`);
    expect(await answerOf(Buffer.concat([Buffer.from(head), body]))).toMatchObject({ excerpt: "compressed" });
  });

  it.each([16, 17, 18, 21, 22, 23, 24])(
    "and Brotli with a window of 2^%i is read as text up to 4 MB, and otherwise shown as it came",
    async (bits) => {
      const body = brotliCompressSync("compressed", { params: { [constants.BROTLI_PARAM_LGWIN]: bits } });
      const head = crlf("HTTP/1.1 200 OK", "Content-Encoding: br", `Content-Length: ${body.length}`);
      const answer = await answerOf(Buffer.concat([Buffer.from(head), body]));
      expect(answer).toMatchObject({ status: 200, excerpt: bits <= 22 ? "compressed" : body.toString() });
    },
  );

  it("and a body that Content-Encoding does not match is shown as it came", async () => {
    const head = crlf("HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Length: 5");
    expect(await answerOf(`${head}plain`)).toMatchObject({ status: 200, failure: null, excerpt: "plain" });
  });

  it("and the decompressed part of a truncated body is kept", async () => {
    const body = gzipSync("a text long enough to be cut ".repeat(40));
    const head = crlf("HTTP/1.1 200 OK", "Content-Encoding: gzip");
    const answer = await answerOf((socket) =>
      socket.end(Buffer.concat([Buffer.from(head), body.subarray(0, body.length - 9)])),
    );
    expect(answer.excerpt).toMatch(/^a text long enough/u);
  });
});

describe("the header section", () => {
  it("of exactly 16 KiB is read", async () => {
    const start = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx: ";
    const head = `${start}${"y".repeat(16_384 - start.length - 4)}\r\n\r\n`;
    expect(await answerOf(head)).toMatchObject({ status: 200, failure: null });
  });

  it("of one byte more is a protocol failure, even of a 2xx", async () => {
    const start = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx: ";
    const head = `${start}${"y".repeat(16_385 - start.length - 4)}\r\n\r\n`;
    const answer = await answerOf(head);
    expect(answer).toMatchObject({
      status: null,
      failure: "protocol",
      detail: "The response headers are longer than 16 KiB.",
    });
    await answer.receiver.closed(0);
  });

  it.each([
    ["many headers", "x: y\r\n"],
    ["one line", "y".repeat(1_000)],
    ["a status line", undefined],
  ])("that never ends (%s) is a protocol failure at once", async (_, piece) => {
    const answer = await answerOf((socket) => {
      socket.write(piece === undefined ? "HTTP/1.1 200 O" : "HTTP/1.1 200 OK\r\nx: ");
      writeForEver(socket, piece ?? "K".repeat(1_000));
    });
    expect(answer).toMatchObject({ failure: "protocol" });
    await answer.receiver.closed(0);
  });

  it("may contain names with a meaning in JavaScript", async () => {
    const { headers } = await answerOf(
      crlf("HTTP/1.1 200 OK", "__proto__: a", "constructor: b", "Content-Length: 0"),
    );
    expect(Object.entries(headers)).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
      ["content-length", "0"],
    ]);
  });
});

describe("informational responses", () => {
  const final = crlf("HTTP/1.1 200 OK", "Content-Length: 0");

  it.each([100, 102, 103, 199])("%i before the final one is harmless", async (status) => {
    const answer = await answerOf(crlf(`HTTP/1.1 ${status} Wait`, "Link: </x>") + final);
    expect(answer).toMatchObject({ status: 200, failure: null, headers: { "content-length": "0" } });
    expect(answer.headers).not.toHaveProperty("link");
  });

  it("are harmless eight times", async () => {
    expect(await answerOf(crlf("HTTP/1.1 100 Continue").repeat(8) + final)).toMatchObject({
      status: 200,
      failure: null,
    });
  });

  it("are a protocol failure the ninth time", async () => {
    const answer = await answerOf(crlf("HTTP/1.1 100 Continue").repeat(9) + final);
    expect(answer).toMatchObject({
      status: null,
      failure: "protocol",
      detail: "More than 8 informational (1xx) responses came before the final one.",
    });
    await answer.receiver.closed(0);
  });

  it("without end are cut off", async () => {
    const answer = await answerOf((socket) =>
      writeForEver(socket, crlf("HTTP/1.1 103 Early Hints", "Link: </x>")),
    );
    expect(answer).toMatchObject({ failure: "protocol" });
    await answer.receiver.closed(0);
  });

  it("do not extend the deadline", async () => {
    const answer = await answerOf(crlf("HTTP/1.1 102 Processing"), { timeoutMs: shortMs });
    expect(answer).toMatchObject({ status: null, failure: "timeout" });
  });

  it("that switch protocols are a protocol failure", async () => {
    const answer = await answerOf(
      crlf("HTTP/1.1 101 Switching Protocols", "Upgrade: h2c", "Connection: upgrade"),
    );
    expect(answer).toMatchObject({
      failure: "protocol",
      detail: "The endpoint answered 101: it switched to another protocol, which was not requested.",
    });
  });
});

describe("bytes that are not HTTP/1 are a protocol failure, recognised at once", () => {
  it.each([
    ["a TLS alert", Buffer.from("15030300020228", "hex")],
    ["the settings of HTTP/2", Buffer.from("000000040000000000", "hex")],
    ["an SSH banner without its end", "SSH-2.0-OpenSSH"],
    ["HTTP/0.9", "<html>hello"],
    ["HTTP/2 in words", "HTTP/2 200 OK\r\n\r\n"],
    ["an empty line", "\r\n"],
    ["noise", Buffer.from("a9f01c77e3", "hex")],
    ["a status that is not a number", "HTTP/1.1 2oo OK\r\n\r\n"],
    ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\n"],
    ["a status below 100", "HTTP/1.1 099 OK\r\n\r\n"],
    ["a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n"],
    ["HTTP/1.2", "HTTP/1.2 200 OK\r\n\r\n"],
    ["no blank before the status", "HTTP/1.1200 OK\r\n\r\n"],
    ["a blank before the status line", " HTTP/1.1 200 OK\r\n\r\n"],
    ["a header before the status line", "X-Warning: y\r\nHTTP/1.1 200 OK\r\n\r\n"],
  ])("%s", async (_, bytes) => {
    const answer = await answerOf(bytes);
    expect(answer).toMatchObject({ status: null, failure: "protocol", headers: {}, excerpt: "" });
    await answer.receiver.closed(0);
  });
});
