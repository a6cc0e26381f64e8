import { afterEach, expect, it, vi } from "vitest";
import { runListener } from "../src/listen/run-listener.ts";
import type { ListenerOptions } from "../src/listen/run-listener.ts";
import { connect } from "./support/connect.ts";
import { openDeveloperServer } from "./support/developer-server.ts";
import type { DeveloperServer } from "./support/developer-server.ts";
import { orderBody } from "./support/rows.ts";

afterEach(() => {
  vi.useRealTimers();
});

function run(server: DeveloperServer, options: Partial<ListenerOptions>) {
  const stop = new AbortController();
  const signal = stop.signal;
  const ended = runListener({
    api: connect(server, { signal }),
    events: [],
    site: undefined,
    secret: undefined,
    signal,
    sleep: async () => {},
    random: () => 0.5,
    onListener: () => {},
    onDelivery: async () => {},
    onDropped: () => {},
    onLost: () => {},
    onReconnected: () => {},
    beforeDelete: async () => {},
    onNotDeleted: () => {},
    ...options,
  });
  return { stop, ended };
}

it("reads no further until a delivery has a place, and then does not mistake its own pause for silence", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await using server = await openDeveloperServer();
  const received: string[] = [];
  const lost: string[] = [];
  let proceed = (): void => {};
  const { stop, ended } = run(server, {
    onDelivery: ({ id }) => {
      received.push(id);
      return new Promise((resolve) => {
        proceed = resolve;
      });
    },
    onLost: (reason) => void lost.push(reason),
  });
  await expect.poll(() => server.streams).toBe(1);
  server.send("dlv_1", orderBody);
  server.send("dlv_2", orderBody);
  await expect.poll(() => received).toEqual(["dlv_1"]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect({ received, lost }).toEqual({ received: ["dlv_1"], lost: [] });
  proceed();
  await expect.poll(() => received).toEqual(["dlv_1", "dlv_2"]);
  proceed();
  // Now it reads again, and nothing arrives.
  await expect
    .poll(async () => {
      await vi.advanceTimersByTimeAsync(45_000);
      return lost;
    })
    .toContain("nothing arrived for 45 s");
  stop.abort();
  await ended;
});

it("waits longer and longer if each new listener is unknown at once", async () => {
  await using server = await openDeveloperServer();
  server.losesListeners = true;
  const waits: number[] = [];
  const { stop, ended } = run(server, {
    onLost(_, waitMs) {
      waits.push(waitMs);
      if (waits.length === 8) stop.abort();
    },
  });
  await ended;
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(server.requested("POST", /listeners$/u)).toHaveLength(8);
});

it("waits for ten seconds if the server gives its connection to another client", async () => {
  await using server = await openDeveloperServer();
  const lost: unknown[] = [];
  const { stop, ended } = run(server, {
    onLost(...reasonAndWait) {
      lost.push(reasonAndWait);
      stop.abort();
    },
  });
  await expect.poll(() => server.streams).toBe(1);
  server.write('event: displaced\nretry: 10000\ndata: {"message":"The server is full."}\n\n');
  await ended;
  expect(lost).toEqual([["The server is full.", 10_000]]);
});
