import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";

const longestSilenceMs = 500;
const longestLingerMs = 3_000;
/** For a client with credentials: it may have begun to send a body that is too large. */
export const mostLingeringBytes = 64 * 2 ** 20;

/** The rest of a request: Node's stream, the stream of a `Request`, or null if it has none. */
export type UnreadBody = Readable | ReadableStream<Uint8Array> | null;

interface Draining {
  readonly onData: (chunk: Uint8Array) => void;
  readonly onEnd: () => void;
}

/**
 * The body of a response whose request is not read to its end. It stays open while the rest of the request arrives and is
 * discarded: closing a connection with unread bytes resets it, and a reset takes the response away from a client that is
 * still sending (RFC 9112, section 9.6). The client knows the end of the response by its `Content-Length`. The wait ends
 * after half a second of silence, after three seconds, or after `mostBytes`.
 */
export function createLingeringBody(
  body: Uint8Array,
  request: UnreadBody,
  mostBytes: number,
): ReadableStream<Uint8Array> {
  let stop = (): void => {};
  return new ReadableStream({
    start(controller) {
      let stopDraining = (): void => {};
      let ended = false;
      let bytes = 0;
      stop = () => {
        ended = true;
        clearTimeout(deadline);
        clearTimeout(silence);
        stopDraining();
      };
      const finish = (): void => {
        if (ended) return;
        ended = true;
        controller.close();
        // Only after the server has ended the response: to cancel the rest of the request may destroy the connection.
        globalThis.setImmediate(stop);
      };
      const deadline = setTimeout(finish, longestLingerMs);
      let silence = setTimeout(finish, longestSilenceMs);
      const onData = (chunk: Uint8Array): void => {
        if (ended) return;
        bytes += chunk.byteLength;
        if (bytes > mostBytes) return finish();
        clearTimeout(silence);
        silence = setTimeout(finish, longestSilenceMs);
      };
      controller.enqueue(body);
      stopDraining = drain(request, { onData, onEnd: finish });
    },
    cancel: () => stop(),
  });
}

/** Discards what still arrives. @returns what stops it */
function drain(request: UnreadBody, draining: Draining): () => void {
  if (request === null) {
    draining.onEnd();
    return () => {};
  }
  return "getReader" in request ? drainWeb(request, draining) : drainNode(request, draining);
}

function drainNode(request: Readable, { onData, onEnd }: Draining): () => void {
  if (request.destroyed || request.readableEnded) {
    onEnd();
    return () => {};
  }
  request.on("data", onData).once("end", onEnd).once("close", onEnd).once("error", onEnd);
  request.resume();
  return () => {
    request.off("data", onData).off("end", onEnd).off("close", onEnd).off("error", onEnd);
  };
}

function drainWeb(request: ReadableStream<Uint8Array>, { onData, onEnd }: Draining): () => void {
  const reader = request.getReader();
  let isStopped = false;
  const read = async (): Promise<void> => {
    while (!isStopped) {
      const { done, value } = await reader.read();
      if (done) return;
      onData(value);
      // A stream that always has a chunk ready must not keep the timers from running.
      await setImmediate();
    }
  };
  read().then(onEnd, onEnd);
  return () => {
    isStopped = true;
    reader.cancel().catch(() => {});
  };
}
