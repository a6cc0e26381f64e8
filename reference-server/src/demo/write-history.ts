import { setTimeout as delay } from "node:timers/promises";
import { createHookwright } from "hookwright";
import type { Hookwright, HookwrightOptions } from "hookwright";
import { partitionOf } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import type { Mutation, Store } from "@hookwright/storage";
import { createDemoOrder } from "./demo-order.ts";
import { demoNames, trafficOrderPrefix } from "./demo-names.ts";
import type { Receiver } from "./receiver.ts";
import { putAccount } from "./seed-account.ts";
import { customerOf, subscribe } from "./traffic.ts";

export interface HistoryOptions {
  readonly store: Store;
  /** Those of the server. */
  readonly secrets: Pick<HookwrightOptions, "secret" | "previousSecrets">;
  readonly receiver: Receiver;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What goes wrong in the past is in the rows. */
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const stepMs = 30 * 60_000;
const steps = 24 * 2 - 1;
/** The endpoint "broken" works until this many steps ago. Then fewer failures than disable it follow. */
const brokenSteps = 3;

/**
 * Writes a day of deliveries into a storage without accounts, so that the first screen of the console is full. They are made in
 * memory, because a disk would have to confirm each step, and then written in one commit for each partition. The account is in the
 * last one, with everything that belongs to it: a start that ends before leaves nothing of it behind, and the next one begins again.
 *
 * @throws Error if the storage refuses a commit
 */
export async function writeHistory({ store, ...options }: HistoryOptions): Promise<void> {
  if (await hasAccounts(store, options.secrets)) return;
  const memory = memoryStore();
  const written: { readonly partition: string; readonly mutations: readonly Mutation[] }[] = [];
  await makeHistory({
    ...options,
    store: {
      ...memory,
      async commit(partition, commit) {
        const result = await memory.commit(partition, commit);
        if (result.ok) written.push({ partition, mutations: commit.mutations });
        return result;
      },
    },
  });
  const commits = [...Map.groupBy(written, ({ partition }) => partition)];
  const isLast = ([partition]: (typeof commits)[number]) => partition === partitionOf(demoNames.accountId);
  for (const [partition, parts] of commits.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))) {
    const result = await store.commit(partition, { mutations: parts.flatMap(({ mutations }) => mutations) });
    if (!result.ok)
      throw new Error(`The storage refused the history of the demo in the partition ${partition}.`);
  }
}

/**
 * The engine itself makes the deliveries, with a clock in the past: publishes, attempts, retries, counts. A running worker does
 * not expect that its clock jumps, so each half hour has its own.
 */
async function makeHistory({ store, secrets, receiver, now }: HistoryOptions): Promise<void> {
  let behindMs = 0;
  const open = (): Promise<Hookwright> =>
    createHookwright({
      store,
      ...secrets,
      now: () => now() - behindMs,
      trustedOrigins: [receiver.origin],
      // A retry is due in the next step.
      retryDelaysSeconds: [stepMs / 2_000],
      endpointBackoffSeconds: 0,
      logger: silent,
    });
  for (let step = steps; step > 0; step -= 1) {
    behindMs = step * stepMs;
    receiver.setTime({ behindMs, isBroken: step <= brokenSteps });
    await using hookwright = await open();
    if (step === steps) {
      await putAccount(hookwright);
      const secretOfReceiver = await subscribe(hookwright, receiver.targets);
      if (secretOfReceiver !== undefined) receiver.expect(secretOfReceiver);
    }
    for (let order = 0; order < ordersOf(step); order += 1)
      await publish(hookwright, now() - behindMs, order);
    await settle(hookwright);
  }
  receiver.setTime({ behindMs: 0, isBroken: true });
}

async function hasAccounts(store: Store, secrets: HistoryOptions["secrets"]): Promise<boolean> {
  await using hookwright = await createHookwright({ store, ...secrets, role: "api", logger: silent });
  return (await hookwright.accounts.list({}, { limit: 1 })).rows.length > 0;
}

/** More orders in the middle of the day. */
function ordersOf(step: number): number {
  return 2 + Math.round(6 * Math.sin((Math.PI * step) / steps) ** 2);
}

async function publish(
  { publish: send }: Pick<Hookwright, "publish">,
  createdAt: number,
  order: number,
): Promise<void> {
  const number = (createdAt + order).toString(36);
  const data = {
    ...createDemoOrder({ id: trafficOrderPrefix + number, number: number.toUpperCase(), createdAt }),
    customer: customerOf(createdAt / stepMs + order),
  };
  await send({ event: "order.created", project_id: demoNames.projectId, data });
}

/** Waits until the attempts that are due have been made and recorded. */
async function settle({ scheduler }: Pick<Hookwright, "scheduler">): Promise<void> {
  for (let quiet = 0; quiet < 2; quiet = isBusy() ? 0 : quiet + 1) await delay(2);
  function isBusy(): boolean {
    const { sending, unrecorded, waiting } = scheduler.stats;
    return sending + unrecorded + waiting > 0;
  }
}
