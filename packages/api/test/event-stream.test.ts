import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { eventStream } from "../src/response/event-stream.ts";

function createSource(count: number) {
  const source = { taken: 0, isClosed: false };
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  return {
    source,
    end,
    stream: {
      ended,
      next: async () => {
        if (source.taken === count) return undefined;
        source.taken += 1;
        return `data: ${source.taken}\n\n`;
      },
      close: () => void (source.isClosed = true),
    },
  };
}

function bodyOf(response: ReturnType<typeof eventStream>): ReadableStream<Uint8Array> {
  if (response.body instanceof ReadableStream) return response.body;
  throw new Error("the body is not a stream");
}

it("an event stream takes an event only when its reader wants one, so a slow reader fills no memory", async () => {
  const { source, stream } = createSource(1_000);
  const reader = bodyOf(eventStream(stream)).getReader();
  await nextTurn();
  expect(source.taken).toBe(0);
  await reader.read();
  await nextTurn();
  expect(source.taken).toBe(1);
  await reader.cancel();
  expect(source.isClosed).toBe(true);
});

it("an event stream ends with its source", async () => {
  const { stream } = createSource(2);
  const response = new Response(bodyOf(eventStream(stream)));
  expect(await response.text()).toBe("data: 1\n\ndata: 2\n\n");
});

it("an event stream closes the connection of a client that does not read its end", async () => {
  const { stream, end } = createSource(1_000);
  const reader = bodyOf(eventStream(stream)).getReader();
  await reader.read();
  end();
  await expect(reader.closed).rejects.toThrow("The stream has ended.");
});
