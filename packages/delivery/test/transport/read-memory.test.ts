import { gzipSync } from "node:zlib";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createCertificate } from "./support/certificate.ts";
import { openReceiver } from "./support/hostile-receiver.ts";
import { openSender } from "./support/sender.ts";

const name = "hooks.example.com";
const { key, cert } = createCertificate({ name });

const textOf = (number: number): string => `answer ${number} `.repeat(200);
const headOf = (length: number, ...lines: string[]): string =>
  ["HTTP/1.1 200 OK", `Content-Length: ${length}`, ...lines, "", ""].join("\r\n");

/** Sends requests at once and returns the excerpts in order. */
async function excerptsOf(port: number, count: number, scheme = "http"): Promise<string[]> {
  const sender = openSender({ tls: { ca: cert } });
  const answers = await Promise.all(
    Array.from({ length: count }, (_, number) => sender.send(`${scheme}://${name}:${port}/${number}`)),
  );
  return answers.map(({ excerpt }) => excerpt);
}
const numberOf = (request: string): number => Number(/^POST \/(\d+) /u.exec(request)?.[1]);

describe("all sockets read into the same memory, and no response gets the bytes of another", () => {
  const count = 20;
  const expected = Array.from({ length: count }, (_, number) => textOf(number));

  it("when each response arrives in two parts, and all first parts arrive first", async () => {
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

  it.each(["http", "https"])("when responses over %s are compressed", async (scheme) => {
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

it("a long request arrives whole", async () => {
  const receiver = await openReceiver({ onRequest: (socket) => socket.write(`${headOf(2)}ok`) });
  const body = `{"note":"${"é".repeat(40_000)}"}`;
  await openSender().send(`http://127.0.0.1:${receiver.port}/`, { body });
  const [request] = receiver.requests;
  expect(Buffer.from(request ?? "", "latin1").toString()).toContain(`\r\n\r\n${body}`);
});
