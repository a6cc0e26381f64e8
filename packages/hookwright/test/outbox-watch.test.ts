import { StorageError } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { afterEach, expect, it, vi } from "vitest";
import { createFakeClock } from "../../delivery/test/support/fake-clock.ts";
import { createHookwright } from "../src/create-hookwright.ts";
import { createRelay } from "../src/outbox/create-relay.ts";
import type { PublishFromOutbox } from "../src/outbox/create-relay.ts";
import { createOutboxWatch } from "../src/outbox/outbox-watch.ts";
import { createFakeOutbox } from "./support/fake-outbox.ts";

afterEach(() => void vi.useRealTimers());

const denied = new StorageError("unavailable", "permission denied for table outbox", {
  reason: "permission_denied",
});

/** A process that watches an outbox, with a relay that may run. */
function openWorld({ publish = async () => {} }: { readonly publish?: PublishFromOutbox } = {}) {
  const outbox = createFakeOutbox();
  const clock = createFakeClock();
  const stuck: Readonly<Record<string, unknown>>[] = [];
  const codes: string[] = [];
  const log = (code: string, fields: object = {}): void => {
    if (code === "outbox_stuck") stuck.push({ ...fields });
    if (/^outbox_(?:stuck|moving)$/u.test(code)) codes.push(code);
  };
  const relay = createRelay({
    outbox,
    isInStore: false,
    notify: true,
    publish,
    isKnownElsewhere: async () => false,
    clock,
    log,
    onRejected: () => {},
  });
  const watch = createOutboxWatch({ outbox, relay, clock, log });
  watch.start();
  return { outbox, clock, relay, watch, stuck, codes };
}

it("an outbox that no process relays is stuck after 30 s, until it moves", async () => {
  const { outbox, clock, watch, stuck, codes } = openWorld();
  await clock.advance(60_000);
  outbox.add(1, "a");
  await clock.advance(30_000);
  expect([watch.problem(), codes]).toEqual([undefined, []]);
  await clock.advance(10_000);
  expect(watch.problem()).toBe(
    "Events wait in the outbox, and the first of them is not published. The log says why (outbox_stuck).",
  );
  expect(stuck).toEqual([
    {
      schema: "hookwright",
      outbox_id: "1",
      waiting_seconds: 90,
      problem: "No process relays. Start one with the role all or worker.",
    },
  ]);
  // It is repeated every five minutes.
  await clock.advance(290_000);
  expect(codes).toEqual(["outbox_stuck"]);
  await clock.advance(10_000);
  expect(codes).toEqual(["outbox_stuck", "outbox_stuck"]);
  await outbox.remove(["1"]);
  await clock.advance(10_000);
  expect([watch.problem(), codes.at(-1)]).toEqual([undefined, "outbox_moving"]);
  watch.close();
  expect(clock.timers).toBe(0);
});

it("a long backlog that moves is not stuck, whatever the age of its rows", async () => {
  const { outbox, clock, codes } = openWorld();
  for (let id = 1; id <= 100; id++) outbox.add(id, String(id));
  for (let id = 1; id <= 50; id++) {
    await clock.advance(10_000);
    await outbox.remove([String(id)]);
  }
  expect(codes).toEqual([]);
});

it("a row that always fails is stuck, and the log has its error", async () => {
  const { outbox, clock, relay, stuck } = openWorld({ publish: () => Promise.reject(denied) });
  relay.start();
  outbox.add(1, "a");
  await clock.advance(45_000);
  expect(stuck).toEqual([
    expect.objectContaining({ problem: "This process cannot publish it. `error` says why.", error: denied }),
  ]);
  await relay.close();
});

it("a row that always fails is stuck with its error, also while other rows are published", async () => {
  const { outbox, clock, relay, stuck } = openWorld({
    publish: async (input) => {
      if (JSON.stringify(input).includes("fails")) throw denied;
    },
  });
  relay.start();
  outbox.add(1, "fails");
  for (let id = 2; id <= 46; id++) {
    await clock.advance(1_000);
    outbox.add(id, String(id));
  }
  await clock.advance(50);
  expect(outbox.rows).toHaveLength(1);
  expect(stuck).toEqual([expect.objectContaining({ outbox_id: "1", error: denied })]);
  await relay.close();
});

it("the session of another process that publishes nothing is named", async () => {
  const { outbox, clock, relay, stuck } = openWorld();
  await outbox.openSession({ onRows() {}, onLost() {} });
  relay.start();
  outbox.add(1, "a");
  await clock.advance(45_000);
  expect(stuck).toEqual([
    expect.objectContaining({
      problem:
        "Another process has the right to relay: session 4711 of PostgreSQL (hookwright, 10.0.0.7). Read its log. If it hangs, end it: select pg_terminate_backend(4711).",
    }),
  ]);
  await relay.close();
});

it("an outbox that cannot be read is stuck too", async () => {
  const { outbox, clock, watch, stuck } = openWorld();
  for (let read = 0; read < 5; read++) outbox.failNext("readState", denied);
  await clock.advance(45_000);
  expect(stuck).toEqual([expect.objectContaining({ error: denied })]);
  expect(watch.problem()).toBe("The outbox cannot be read. The log says why (outbox_stuck).");
});

it.each(["api", "all"] as const)("`/readyz` of the role %s warns of a stuck outbox", async (role) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const outbox = createFakeOutbox();
  const taken = await outbox.openSession({ onRows() {}, onLost() {} });
  outbox.add(1, "a");
  const logger = { info() {}, warn() {}, error() {} };
  const store = { ...memoryStore(), outbox };
  const hookwright = await createHookwright({ store, secret: "s".repeat(32), role, logger });
  const ask = async () => {
    const response = await hookwright.fetch(new Request("http://localhost/readyz"));
    return [response.status, await response.json()];
  };
  expect(await ask()).toEqual([200, { success: true, data: { status: "ready" } }]);
  await vi.advanceTimersByTimeAsync(45_000);
  const warnings = [expect.stringContaining("outbox_stuck")];
  expect(await ask()).toEqual([200, { success: true, data: { status: "ready", warnings } }]);
  taken?.[Symbol.dispose]();
  await outbox.remove(["1"]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await ask()).toEqual([200, { success: true, data: { status: "ready" } }]);
  const closed = hookwright.close();
  await vi.advanceTimersByTimeAsync(20_000);
  await closed;
});
