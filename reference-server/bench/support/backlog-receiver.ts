import { createServer } from "node:net";
import type { Socket } from "node:net";
import { setPriority } from "node:os";

/**
 * Endpoints that keep a backlog waiting, in a process of its own behind two ports: one answers after 50 ms and accepts every fifth
 * delivery of a path alone; one accepts after eight seconds. The parent asks with any message and gets the number of deliveries since it
 * last asked.
 *
 * They stand for machines elsewhere, so what they do must not be what others wait for: they speak as much HTTP as a sender needs, straight
 * on the sockets, make little garbage, and give way to every other process.
 */
setPriority(19);

let deliveries = 0;
const countOf = new Map<string, number>();
const accepted = Buffer.from("HTTP/1.1 204 No Content\r\n\r\n");
const failed = Buffer.from("HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n");

interface Waiting {
  readonly socket: Socket;
  readonly answer: Buffer;
  readonly dueAt: number;
}

/** Answers what it is given, in its order, after the same time for each: one timer for all of them. */
function createAnswers(afterMs: number): (socket: Socket, answer: Buffer) => void {
  let waiting: Waiting[] = [];
  let head = 0;

  function answerDue(): void {
    const now = performance.now();
    for (let next = waiting[head]; next !== undefined; next = waiting[head]) {
      if (next.dueAt > now) return void setTimeout(answerDue, Math.ceil(next.dueAt - now)).unref();
      next.socket.write(next.answer);
      head += 1;
    }
    waiting = [];
    head = 0;
  }

  return (socket, answer) => {
    waiting.push({ socket, answer, dueAt: performance.now() + afterMs });
    if (waiting.length === 1) setTimeout(answerDue, afterMs).unref();
  };
}

const endOfHead = Buffer.from("\r\n\r\n");

/** Calls back with the path of each request, once all of its body has come. A sender has one on the way in a connection. */
function onRequests(socket: Socket, onRequest: (path: string) => void): void {
  let received: Buffer = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    for (;;) {
      const headLength = received.indexOf(endOfHead);
      if (headLength === -1) return;
      const head = received.toString("latin1", 0, headLength);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      const end = headLength + endOfHead.length + length;
      if (received.length < end) return;
      received = received.subarray(end);
      deliveries += 1;
      onRequest(head.slice(head.indexOf(" ") + 1, head.indexOf(" HTTP/")));
    }
  });
  // A server under test that is stopped resets what it waits for.
  socket.on("error", () => socket.destroy());
}

function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer(onConnection);
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : -1);
    });
  });
}

const soon = createAnswers(50);
const failing = await listen((socket) =>
  onRequests(socket, (path) => {
    const count = (countOf.get(path) ?? 0) + 1;
    countOf.set(path, count);
    soon(socket, count % 5 === 0 ? accepted : failed);
  }),
);
const late = createAnswers(8_000);
const slow = await listen((socket) => onRequests(socket, () => late(socket, accepted)));
process.send?.({ failing, slow });
process.on("message", () => {
  process.send?.(deliveries);
  deliveries = 0;
});
process.on("disconnect", () => process.exit(0));
