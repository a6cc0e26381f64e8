import type { Readable } from "node:stream";

const longestSilenceMs = 500;
const longestLingerMs = 3_000;

/**
 * The body of an answer whose request is not read to its end. It stays open while the rest of the request arrives and is
 * thrown away: a connection that is closed with unread bytes is reset, and a reset takes the answer away from a client that
 * is still sending (RFC 9112, section 9.6). The client has the whole answer by its `Content-Length` meanwhile. Bounded by
 * half a second of silence, and three seconds in all.
 */
export function createLingeringBody(body: Uint8Array, request: Readable): ReadableStream<Uint8Array> {
  let stop = (): void => {};
  return new ReadableStream({
    start(controller) {
      const finish = (): void => {
        stop();
        controller.close();
      };
      const deadline = setTimeout(finish, longestLingerMs);
      let silence = setTimeout(finish, longestSilenceMs);
      const onData = (): void => {
        clearTimeout(silence);
        silence = setTimeout(finish, longestSilenceMs);
      };
      stop = () => {
        clearTimeout(deadline);
        clearTimeout(silence);
        request.off("data", onData).off("end", finish).off("close", finish).off("error", finish);
        stop = () => {};
      };
      controller.enqueue(body);
      if (request.destroyed || request.readableEnded) return finish();
      request.on("data", onData).once("end", finish).once("close", finish).once("error", finish);
      request.resume();
    },
    cancel: () => stop(),
  });
}
