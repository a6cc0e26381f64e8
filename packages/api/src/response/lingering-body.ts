import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { releaseChunk } from "../request/release-chunk.ts";

const longestSilenceMs = 500;
const longestLingerMs = 3_000;
/** A limit for clients with credentials: they may have started to send a body that is too large. */
export const maximumLingeringBytes = 64 * 2 ** 20;

/** The unread part of a request: Node's stream, the stream of a `Request`, or null. */
export type UnreadBody = Readable | ReadableStream<Uint8Array> | null;

interface Draining {
  readonly onData: (chunk: Uint8Array) => void;
  readonly onEnd: () => void;
}

/**
 * Creates the body of a response whose request is not read to its end. It stays open and discards the rest of the
 * request. If the server closed a connection with unread bytes, a reset would destroy the response (RFC 9112, section
 * 9.6). It ends after half a second without data, after three seconds, or after `maximumBytes`.
 */
export function createLingeringBody(
  body: Uint8Array,
  request: UnreadBody,
  maximumBytes: number,
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
        // Cancelling the request may destroy the connection, so this waits until the response has ended.
        globalThis.setImmediate(stop);
      };
      const deadline = setTimeout(finish, longestLingerMs);
      let silence = setTimeout(finish, longestSilenceMs);
      const onData = (chunk: Uint8Array): void => {
        if (ended) return;
        bytes += chunk.byteLength;
        if (bytes > maximumBytes) return finish();
        clearTimeout(silence);
        silence = setTimeout(finish, longestSilenceMs);
      };
      controller.enqueue(body);
      stopDraining = drain(request, { onData, onEnd: finish });
    },
    cancel: () => stop(),
  });
}

/** Discards the data that still arrives. @returns a function that stops this */
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
  const discard = (chunk: Uint8Array): void => {
    onData(chunk);
    releaseChunk(request, chunk);
  };
  request.on("data", discard).once("end", onEnd).once("close", onEnd).once("error", onEnd);
  request.resume();
  return () => {
    request.off("data", discard).off("end", onEnd).off("close", onEnd).off("error", onEnd);
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
      // A stream that always has a chunk ready would otherwise block the timers.
      await setImmediate();
    }
  };
  read().then(onEnd, onEnd);
  return () => {
    isStopped = true;
    reader.cancel().catch(() => {});
  };
}
