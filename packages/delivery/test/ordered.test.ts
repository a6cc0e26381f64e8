import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Worker, WorkerOptions } from "../src/worker.ts";
import { accepted, answered } from "./support/fake-transport.ts";
import { accountId, createWorld, event } from "./support/fake-world.ts";
import type { World } from "./support/fake-world.ts";

const minute = 60_000;
const address = { accountId, event, webhookId: "wh_1" };

/** The ids of the deliveries, in the order in which their requests began. */
function sentIds(world: World): string[] {
  return world.transport.sent.map(({ headers }) => headers["x-service-delivery"] ?? "");
}

async function createOrdered(options: Partial<WorkerOptions> = {}) {
  const world = createWorld();
  await world.addWebhook("wh_1", { ordered: true });
  const worker = world.worker(options);
  await worker.start();
  const publish = async (count: number): Promise<string[]> => {
    const names = Array.from({ length: count }, (_, index) => `ord_${index}`);
    const deliveries = await world.publish("wh_1", ...names);
    worker.offer(accountId, deliveries);
    return deliveries.map(({ id }) => id);
  };
  return { world, worker, publish };
}

it("an ordered webhook gets one request at a time, in the order of publishing", async () => {
  const { world, worker, publish } = await createOrdered();
  let running = 0;
  let most = 0;
  world.transport.answerWith(
    () =>
      new Promise((resolve) => {
        most = Math.max(most, (running += 1));
        world.clock.schedule(() => {
          running -= 1;
          resolve(accepted());
        }, 20);
      }),
  );
  const ids = await publish(100);
  await world.clock.advance(10_000);
  expect(most).toBe(1);
  expect(sentIds(world)).toEqual(ids);
  await worker.close();
});

it("a delivery that fails holds back the next ones until it has finally failed", async () => {
  const { world, worker, publish } = await createOrdered();
  const [first = "", second = "", third = ""] = await publish(3);
  world.transport.answerWith(({ headers }) => answered(headers["x-service-delivery"] === first ? 500 : 200));
  await world.clock.advance(28 * minute);
  expect(new Set(sentIds(world))).toEqual(new Set([first]));
  await world.clock.advance(3 * minute);
  expect(sentIds(world)).toEqual([first, first, first, first, first, first, second, third]);
  expect((await world.delivery(first)).status).toBe("failed");
  await worker.close();
});

it("an ordered webhook delays no other", async () => {
  const { world, worker, publish } = await createOrdered();
  await world.addWebhook("wh_2");
  world.transport.answerWith(({ targetUrl }) => answered(targetUrl.includes("wh_1") ? 500 : 200));
  await publish(1_000);
  await world.clock.advance(1_000);
  worker.offer(accountId, await world.publish("wh_2", "ord_1"));
  await world.clock.advance(0);
  expect(world.transport.sent.filter(({ targetUrl }) => targetUrl.includes("wh_2"))).toHaveLength(1);
  await worker.close();
});

it("if it is turned on while deliveries are in flight and wait for a retry, they end before a new one starts", async () => {
  const { world, worker, publish } = await createOrdered();
  await world.changeWebhook("wh_1", { ordered: undefined });
  world.transport.answerWith(() => answered(500));
  const before = await publish(5);
  await world.clock.advance(1_000);
  await world.changeWebhook("wh_1", { ordered: true });
  world.transport.answerWith(() => accepted());
  const after = await publish(5);
  await world.clock.advance(10_000);
  // Five failed, and the new ones wait for their retries.
  expect(sentIds(world)).toHaveLength(5);
  await world.clock.advance(10_000);
  expect(sentIds(world).slice(5, 10).toSorted()).toEqual(before);
  expect(sentIds(world).slice(10)).toEqual(after);
  await worker.close();
});

it("when it is paused, switched off or removed, all that waits is cancelled at once", async () => {
  for (const end of ["paused", "switched off", "removed"]) {
    const { world, worker, publish } = await createOrdered({
      switchOffAfter: end === "switched off" ? 1 : "off",
      retryDelaysSeconds: [900],
    });
    world.transport.answerWith(() => answered(500));
    const [first = "", ...ids] = await publish(500);
    await world.clock.advance(1_000);
    if (end === "paused") await world.changeWebhook("wh_1", { status: "paused" });
    if (end === "removed") await world.removeWebhook("wh_1");
    if (end !== "switched off") worker.webhookChanged(address);
    await world.clock.advance(5_000);
    expect([end, (await world.delivery(first)).status]).toEqual([
      end,
      end === "removed" ? "cancelled" : "pending",
    ]);
    for (const id of ids) expect([end, (await world.delivery(id)).status]).toEqual([end, "cancelled"]);
    expect(world.transport.sent).toHaveLength(1);
    await worker.close();
  }
});

it("when the order is turned off, nothing waits for a retry any more", async () => {
  const { world, worker, publish } = await createOrdered();
  const [first = "", ...others] = await publish(3);
  world.transport.answerWith(({ headers }) => answered(headers["x-service-delivery"] === first ? 500 : 200));
  await world.clock.advance(2 * minute);
  await world.changeWebhook("wh_1", { ordered: undefined });
  worker.webhookChanged(address);
  await world.clock.advance(1_000);
  expect(sentIds(world).slice(-2)).toEqual(others);
  await worker.close();
});

it("deliveries of removed records are cancelled although an earlier one waits, and hold back nothing", async () => {
  const gone = new Set<string>();
  const { world, worker, publish } = await createOrdered({
    retryDelaysSeconds: [900],
    readMessages: async (_, deliveries) =>
      deliveries.map(({ id }) =>
        gone.has(id) ? { ok: false, reason: "record_deleted" } : { ok: true, body: "{}" },
      ),
  });
  world.transport.answerWith(() => answered(500));
  const [first = "", second = "", third = "", ...others] = await publish(40);
  await world.clock.advance(1_000);
  world.transport.answerWith(() => accepted());
  gone.add(first).add(third);
  await worker.hurry(address, [{ id: third, dueAt: undefined }]);
  await world.clock.advance(1_000);
  expect((await world.delivery(third)).status).toBe("cancelled");
  const { next_attempt_at: dueAt } = await world.delivery(first);
  await worker.hurry(address, [{ id: first, dueAt: dueAt ?? 0 }]);
  await world.clock.advance(5_000);
  expect((await world.delivery(first)).status).toBe("cancelled");
  expect(sentIds(world)).toEqual([first, second, ...others]);
  await worker.close();
});

it("an ordered webhook is not stopped by rows that cannot be read", async () => {
  const { world, worker, publish } = await createOrdered();
  world.transport.answerWith(() => answered(200));
  const ids = await world.publish("wh_1", ...Array.from({ length: 40 }, (_, index) => `ord_${index}`));
  const queued = await world.queued();
  const damaged = queued.slice(0, 30).map(({ key }) => ({ type: "set", key, value: "{" }) as const);
  await world.store.commit(world.partition, { mutations: damaged });
  await publish(1);
  await world.clock.advance(10_000);
  expect(sentIds(world)).toHaveLength(ids.length - damaged.length + 1);
  await worker.close();
});

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("publish" as const), count: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("elsewhere" as const), count: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 300, 5_000, 70_000, 400_000),
    }),
  },
  fc.record({ type: fc.constantFrom("die" as const, "leave" as const, "pause" as const, "resume" as const) }),
);

it("in every history the requests of an ordered webhook are in the order of publishing, one at a time", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.array(fc.record({ status: fc.constantFrom(200, 200, 500), ms: fc.constantFrom(0, 10, 2_000) }), {
        minLength: 1,
        maxLength: 20,
      }),
      async (steps, answers) => {
        const world = createWorld();
        await world.addWebhook("wh_1", { ordered: true });
        let life = { isDead: false };
        /** Of the worker that lives. The requests of a dead one have no answer that matters. */
        let running = new Set<string>();
        const problems: string[] = [];
        let number = 0;
        world.transport.answerWith(({ headers }) => {
          const id = headers["x-service-delivery"] ?? "";
          const mine = running;
          if (mine.size > 0) problems.push(`${id} began while ${[...mine].join()} ran`);
          mine.add(id);
          const { status, ms } = answers[(number += 1) % answers.length] ?? { status: 200, ms: 0 };
          return new Promise((resolve) =>
            world.clock.schedule(() => {
              mine.delete(id);
              resolve(answered(status));
            }, ms),
          );
        });
        let worker: Worker | undefined;
        let workers = 0;
        const startWorker = async (): Promise<void> => {
          life = { isDead: false };
          running = new Set();
          const id = `worker_${(workers += 1)}`;
          worker = world.worker({
            store: mortal(world.store, life),
            worker: { id, host: "here", process: workers },
            isProcessAlive: (process) => process === workers,
            switchOffAfter: "off",
            retryDelaysSeconds: [15, 60],
          });
          await worker.start();
        };
        await startWorker();
        let published = 0;
        for (const { type, ...values } of steps) {
          const { count = 0, ms = 0 }: { count?: number; ms?: number } = values;
          const names = Array.from({ length: count }, (_, index) => `ord_${published + index}`);
          published += count;
          if (type === "publish") worker?.offer(accountId, await world.publish("wh_1", ...names));
          if (type === "elsewhere") await world.publishElsewhere("wh_1", ...names);
          if (type === "wait") await world.clock.advance(ms);
          if (type === "pause") await world.changeWebhook("wh_1", { status: "paused" });
          if (type === "resume") await world.changeWebhook("wh_1", { status: "active" });
          if (type === "die") life.isDead = true;
          if (type === "leave") {
            const closing = worker?.close();
            await world.clock.advance(15_000);
            await closing;
          }
          if (type === "die" || type === "leave") await startWorker();
        }
        await world.changeWebhook("wh_1", { status: "active" });
        for (let round = 0; round < 400 && (await world.queued()).length > 0; round += 1)
          await world.clock.advance(minute);
        const ids = sentIds(world);
        expect([problems, world.errors]).toEqual([[], []]);
        expect(ids).toEqual(ids.toSorted());
        expect(await world.queued()).toEqual([]);
        const closing = worker?.close();
        await world.clock.advance(15_000);
        await closing;
      },
    ),
    { numRuns: 60 },
  );
});

/** A store whose answers a dead process never gets. */
function mortal<Wrapped extends World["store"]>(store: Wrapped, life: { readonly isDead: boolean }): Wrapped {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...input: unknown[]): unknown => {
        if (life.isDead) return name === "watch" ? () => {} : new Promise(() => {});
        const output: unknown = Reflect.apply(value, target, input);
        if (!(output instanceof Promise)) return output;
        return output.then((result: unknown) => (life.isDead ? new Promise(() => {}) : result));
      };
    },
  });
}
