import { describe, expect, it } from "vitest";
import { toHeaderRecord } from "../../src/transport/answer.ts";
import { openReceiver } from "./support/hostile-receiver.ts";
import { openSender, passTimeByRounds } from "./support/sender.ts";

const crlf = (...lines: readonly string[]): string => `${lines.join("\r\n")}\r\n\r\n`;
const ok = "HTTP/1.1 200 OK";
const one = "1 malformed header line was ignored.";

/** Sends a request to a receiver that responds with these bytes, and a second one, which gets a good response. */
async function send(bytes: string) {
  const receiver = await openReceiver({
    onRequest: (socket, number) => socket.write(number === 1 ? bytes : crlf("HTTP/1.1 204 Done")),
  });
  const sender = openSender();
  const { port } = receiver;
  const answer = await sender.send(`http://127.0.0.1:${port}/`, { timeoutMs: 20_000 });
  await sender.send(`http://127.0.0.1:${port}/`);
  return { ...answer, headers: toHeaderRecord(answer.headers), connections: receiver.connections.length };
}

describe("a malformed header line is dropped, and the status counts", () => {
  it.each([
    ["a PHP warning as text", ["PHP Warning:  foo() failed in /x.php on line 3"], one],
    [
      "a PHP warning as HTML",
      ["<br />", "<b>Warning</b>:  foo() failed in <b>/x.php</b> on line <b>3</b><br />"],
      "2 malformed header lines were ignored.",
    ],
    ["no colon", ["Notice"], one],
    ["no name", [": x"], one],
    ["a space before the colon", ["X-Two : 2"], one],
    ["a space in the name", ["X Two: 2"], one],
    ["a name with a letter beyond ASCII", ["X-Zwölf: 2"], one],
    ["a bare CR in the name", ["X\rTwo: 2"], one],
    ["a bare CR in the value", ["X-Two: 2\r3"], one],
    ["a bare CR at the end of the value", ["X-Two: 2\r"], one],
    ["a NUL in the value", ["X-Two: 2\0"], one],
  ])("%s", async (_, lines, detail) => {
    const bytes = `${crlf(ok, "X-One: 1", ...lines, "Content-Length: 4")}gut!`;
    expect(await send(bytes)).toEqual({
      status: 200,
      failure: null,
      detail,
      excerpt: "gut!",
      headers: { "x-one": "1", "content-length": "4" },
      durationMs: expect.any(Number),
      phases: expect.any(Array),
      connections: 2,
    });
  });

  it("and a failure keeps its status", async () => {
    const answer = await send(crlf("HTTP/1.1 500 Oh", "<br />", "Content-Length: 0"));
    expect(answer).toMatchObject({
      status: 500,
      failure: "status",
      detail: `The endpoint answered 500. ${one}`,
      connections: 2,
    });
  });

  it("and a 410 is a 410", async () => {
    const answer = await send(crlf("HTTP/1.1 410 Gone", "<br />", "Content-Length: 0"));
    expect(answer).toMatchObject({ status: 410, failure: "status", detail: expect.stringContaining(one) });
  });

  it("but a section without its empty line is not a response", async () => {
    const receiver = await openReceiver({ onRequest: (socket) => socket.end(`${ok}\r\n<br />\r\n`) });
    const answer = await openSender().send(`http://127.0.0.1:${receiver.port}/`);
    expect(answer).toMatchObject({ status: null, failure: "reset" });
  });
});

describe("a folded line is read, and the connection is not used again", () => {
  it("as a part of the value before it", async () => {
    const answer = await send(crlf(ok, "X-One: 1", "\t2", "Content-Length: 0"));
    expect(answer).toMatchObject({ status: 200, failure: null, detail: null, connections: 2 });
    expect(answer.headers["x-one"]).toBe("1 2");
  });
});

describe("a line that may be a framing header makes the length of the body unknown", () => {
  it.each([
    ["a space before the colon", ["Content-Length : 2"]],
    ["a tab before the colon", ["Transfer-Encoding\t: chunked"]],
    ["a NUL in the name", ["Content\0-Length: 2"]],
    ["a bare CR before the name", ["X-One: 1\rContent-Length: 2"]],
    ["a bare CR after the value", ["Content-Length: 2\r"]],
    ["a first line that is folded", [" Content-Length: 2"]],
    ["a folded length", ["Content-Length:", " 2"]],
    ["a length that continues on the next line", ["Content-Length: 2", " 3"]],
    ["a folded transfer coding", ["Transfer-Encoding:", "\tchunked"]],
    ["a framing header after a folded line", ["X-One: 1", " Content-Length: 2"]],
    ["a valid length beside a malformed one", ["Content-Length : 4", "Content-Length: 2"]],
    ["chunks beside a malformed length", ["Content-Length : 4", "Transfer-Encoding: chunked"]],
  ])(
    "%s: the status counts, the body is read until the end, and the connection is closed",
    async (_, lines) => {
      passTimeByRounds();
      const answer = await send(`${crlf(ok, ...lines)}two or more`);
      expect(answer).toMatchObject({ status: 200, failure: null, excerpt: "two or more", connections: 2 });
    },
  );

  it("and the rest is never read as the next response", async () => {
    passTimeByRounds();
    const forged = crlf("HTTP/1.1 410 Gone", "Content-Length: 0");
    const answer = await send(`${crlf(ok, "Content-Length: 0", "Content-Length : 39")}${forged}`);
    expect(answer).toMatchObject({ status: 200, failure: null, connections: 2 });
  });
});

describe("a status line that curl or a browser accepts is accepted", () => {
  it.each([
    ["no reason phrase", "HTTP/1.1 200"],
    ["an empty reason phrase", "HTTP/1.1 200 "],
    ["two blanks before the status", "HTTP/1.1  200 OK"],
    ["a tab before the status", "HTTP/1.1\t200 OK"],
    ["blanks at the end", "HTTP/1.1 200   "],
    ["no blank after the status", "HTTP/1.1 200OK"],
    ["a bare CR in the reason phrase", "HTTP/1.1 200 O\rK"],
    ["HTTP/1.0", "HTTP/1.0 200 OK"],
    ["bytes beyond ASCII in the reason phrase", "HTTP/1.1 200 Schön"],
  ])("%s", async (_, line) => {
    const answer = await send(crlf(line, "Content-Length: 0"));
    expect(answer).toMatchObject({ status: 200, failure: null, detail: null });
  });
});

it("a section whose lines all end with CR CR LF is a response of unknown length", async () => {
  passTimeByRounds();
  const answer = await send(`${ok}\r\r\nContent-Length: 2\r\r\n\r\r\nbody`);
  expect(answer).toMatchObject({ status: 200, failure: null, detail: one, excerpt: "body", connections: 2 });
});
