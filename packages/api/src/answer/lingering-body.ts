import type { Readable } from "node:stream";

const longestSilenceMs = 500;
const longestLingerMs = 3_000;

/** The rest of a request: Node's stream, the stream of a `Request`, or null where it has none. */
export type UnreadBody = Readable | ReadableStream<Uint8Array> | null;

interface Draining {
  readonly onData: () => void;
  readonly onEnd: () => void;
}

/**
 * The body of a response whose request is not read to its end. It stays open while the rest of the request arrives and is
 * discarded: closing a connection with unread bytes resets it, and a reset takes the response away from a client that is
 * still sending (RFC 9112, section 9.6). The client knows the end of the response by its `Content-Length`. The wait ends
 * after half a second of silence, and after three seconds in all.
 */
export function createLingeringBody(body: Uint8Array, request: UnreadBody): ReadableStream<Uint8Array> {
  let stop = (): void => {};
  return new ReadableStream({
    start(controller) {
      let stopDraining = (): void => {};
      let ended = false;
      stop = () => {
        ended = true;
        clearTimeout(deadline);
        clearTimeout(silence);
        stopDraining();
      };
      const finish = (): void => {
        if (ended) return;
        stop();
        controller.close();
      };
      const deadline = setTimeout(finish, longestLingerMs);
      let silence = setTimeout(finish, longestSilenceMs);
      const onData = (): void => {
        if (ended) return;
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
  return request instanceof ReadableStream ? drainWeb(request, draining) : drainNode(request, draining);
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
  const read = async (): Promise<void> => {
    while (!(await reader.read()).done) onData();
  };
  read().then(onEnd, onEnd);
  // Not cancelled: that would destroy the connection instead of closing it.
  return () => reader.releaseLock();
}
