import type { EventStream } from "@hookwright/service";
import type { ApiResponse } from "./api-response.ts";

/** A client that does not read the end of its stream in this time loses its connection. */
const longestEndMs = 500;

/** A response of server-sent events (WHATWG HTML, section 9.2). */
export function eventStream(stream: EventStream): ApiResponse {
  return {
    status: 200,
    body: toReadable(stream),
    contentType: "text/event-stream",
    headers: {
      // Middleware and proxies that compress would collect events until they have a block (RFC 9111, section 5.2.2.6).
      "cache-control": "no-cache, no-transform",
      // nginx and others would collect events in a buffer before they pass them on.
      "x-accel-buffering": "no",
    },
  };
}

/** Asks for the next event only when the connection takes it, so a slow reader costs no memory. */
function toReadable(stream: EventStream): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // The end would wait behind what a client has not read. An error closes its connection.
        const abort = (): void => controller.error(new Error("The stream has ended."));
        void stream.ended.then(() => setTimeout(abort, longestEndMs).unref());
      },
      async pull(controller) {
        // A rejection becomes an error of the stream, which closes the connection.
        const chunk = await stream.next();
        if (chunk === undefined) controller.close();
        else controller.enqueue(Buffer.from(chunk));
      },
      cancel: () => stream.close(),
    },
    { highWaterMark: 0 },
  );
}
