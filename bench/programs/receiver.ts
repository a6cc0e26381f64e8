import type { Socket } from "node:net";
import { setPriority } from "node:os";
import { listen, onMessages } from "../harness/http-messages.ts";
import { monotonicMs } from "../harness/monotonic-clock.ts";

/**
 * A webhook receiver in a separate process: it records the id and the time of each delivery. Each behaviour has a port of its own. The
 * argument `nice` gives it the lowest priority, because real endpoints would not use this machine's CPU.
 */
if (process.argv.includes("nice")) setPriority(19);

const accepted = Buffer.from("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok");
const lastAccepted = Buffer.from("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
const failed = Buffer.from("HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n");
const failAfterMs = 50;
const acceptAfterMs = 8_000;
const deliveryId = /\r\nx-service-delivery: *([^\r]+)/i;

/** The ids in order of arrival, each after a line feed. They are split on request, because splitting is slow. */
let ids = Buffer.alloc(16 * 1024 * 1024);
let idBytes = 0;
let times = new Float64Array(1024);
let received = 0;

function note(head: string): void {
  const id = deliveryId.exec(head)?.[1] ?? "";
  if (idBytes + id.length + 1 > ids.length) ids = Buffer.concat([ids], ids.length * 2);
  idBytes += ids.write(`\n${id}`, idBytes, "latin1");
  if (received === times.length) {
    const more = new Float64Array(received * 2);
    more.set(times);
    times = more;
  }
  times[received++] = monotonicMs();
}

const listIds = (): string[] => ids.toString("latin1", 0, idBytes).split("\n").slice(1);

async function open(respond: (socket: Socket, head: string) => void): Promise<string> {
  const port = await listen((socket) => {
    // A stopped server resets connections on which it waits.
    socket.on("error", () => socket.destroy());
    onMessages(socket, (head) => {
      note(head);
      respond(socket, head);
    });
  });
  return `http://127.0.0.1:${port}`;
}

/** Every fifth delivery of a path is accepted. */
const countOf = new Map<string, number>();
function answerFailing(socket: Socket, head: string): void {
  const path = head.slice(head.indexOf(" ") + 1, head.indexOf(" HTTP/"));
  const count = (countOf.get(path) ?? 0) + 1;
  countOf.set(path, count);
  setTimeout(() => socket.write(count % 5 === 0 ? accepted : failed), failAfterMs);
}

const answers: Readonly<Record<string, () => unknown>> = {
  counts: () => ({ received, distinct: new Set(listIds()).size }),
  arrivals: () => listIds().map((id, index) => [id, times[index]]),
  reset: () => null,
};
process.on("message", (name: string) => {
  process.send?.(answers[name]?.());
  if (name === "counts") return;
  received = 0;
  idBytes = 0;
});
process.on("disconnect", () => process.exit(0));
process.send?.({
  accepting: await open((socket) => socket.write(accepted)),
  closing: await open((socket) => socket.end(lastAccepted)),
  hanging: await open(() => {}),
  failing: await open(answerFailing),
  slow: await open((socket) => setTimeout(() => socket.write(accepted), acceptAfterMs)),
});
