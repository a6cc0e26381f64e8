import type { Socket } from "node:net";
import { setPriority } from "node:os";
import { listen, onMessages } from "./http-messages.ts";
import { monotonicMs } from "./monotonic-clock.ts";
import { toWindowOf } from "./windows.ts";

/**
 * Slow and failing endpoints in a separate process on two ports. One responds after 50 ms and accepts every fifth
 * delivery of a path, the other accepts after eight seconds. Each message of the parent asks for the number of
 * deliveries since the last one.
 *
 * They have the lowest priority, because real endpoints would not use this machine's CPU. They respond only while the
 * server with the backlog runs. Otherwise all responses would arrive at once when it resumes.
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

/** Sends each response after the same delay, or one window later, with one timer for all. */
function createAnswers(afterMs: number): (socket: Socket, answer: Buffer) => void {
  // Both queues are sorted.
  const inTime = createLine();
  const later = createLine();
  return (socket, answer) => {
    const atOnce = monotonicMs() + afterMs;
    const dueAt = toWindowOf("backlog", atOnce);
    const line = dueAt === atOnce ? inTime : later;
    line({ socket, answer, dueAt });
  };
}

function createLine(): (next: Waiting) => void {
  let waiting: Waiting[] = [];
  let head = 0;

  function answerDue(): void {
    const now = monotonicMs();
    for (let next = waiting[head]; next !== undefined; next = waiting[head]) {
      if (next.dueAt > now) return void setTimeout(answerDue, Math.ceil(next.dueAt - now)).unref();
      next.socket.write(next.answer);
      head += 1;
    }
    waiting = [];
    head = 0;
  }

  return (next) => {
    waiting.push(next);
    if (waiting.length === 1) setTimeout(answerDue, Math.ceil(next.dueAt - monotonicMs())).unref();
  };
}

/** Calls back with the path of each request. */
function receive(socket: Socket, onPath: (path: string) => void): void {
  onMessages(socket, (head) => {
    deliveries += 1;
    onPath(head.slice(head.indexOf(" ") + 1, head.indexOf(" HTTP/")));
  });
  // A stopped server resets connections on which it waits.
  socket.on("error", () => socket.destroy());
}

const soon = createAnswers(50);
const failing = await listen((socket) =>
  receive(socket, (path) => {
    const count = (countOf.get(path) ?? 0) + 1;
    countOf.set(path, count);
    soon(socket, count % 5 === 0 ? accepted : failed);
  }),
);
const late = createAnswers(8_000);
const slow = await listen((socket) => receive(socket, () => late(socket, accepted)));
process.send?.({ failing, slow });
process.on("message", () => {
  process.send?.(deliveries);
  deliveries = 0;
});
process.on("disconnect", () => process.exit(0));
