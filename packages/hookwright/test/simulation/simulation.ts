import type { Store } from "@hookwright/storage";
import { createFakeClock, rest } from "../../../delivery/test/support/fake-clock.ts";
import { foldLedger } from "../../../delivery/src/ledger/fold-ledger.ts";
import type { FoldOptions } from "../../../delivery/src/ledger/fold-ledger.ts";
import { createEndpoints, endpointCount } from "./endpoints.ts";
import type { Endpoints } from "./endpoints.ts";
import { createHistory } from "./history.ts";
import type { History } from "./history.ts";
import { createNetwork } from "./network.ts";
import type { Network } from "./network.ts";
import { accountIds, events, siteOf } from "./operations.ts";
import type { Operation, OperationNamed } from "./operations.ts";
import { createJobOperations } from "./job-operations.ts";
import { createOrderOperations } from "./order-operations.ts";
import { createProcesses } from "./processes.ts";
import type { Processes } from "./processes.ts";
import { queuesOf } from "./queues.ts";
import { createSeededRandom } from "./seeded-random.ts";
import type { OpenStorage } from "./storages.ts";
import { watchStore } from "./watch-store.ts";
import { createWebhookOperations } from "./webhook-operations.ts";

/**
 * Simulates processes over one storage, with hosts and endpoints, on a simulated clock. The same seed and operations
 * give the same run.
 */
export interface Simulation {
  readonly network: Network;
  readonly store: Store;
  readonly endpoints: Endpoints;
  readonly history: Readonly<History>;
  /** Calls one of the processes. */
  readonly ask: Processes["ask"];
  /** Performs one operation and waits for its outcome. */
  perform(operation: Operation): Promise<void>;
  /** Ends all disruptions and advances the clock until no work is left. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

export interface SimulationOptions {
  readonly seed: number;
  /** The initial number of workers. */
  readonly workers: number;
  readonly openStorage: OpenStorage;
}

export async function createSimulation({
  seed,
  workers,
  openStorage,
}: SimulationOptions): Promise<Simulation> {
  const asked = new Set<Promise<unknown>>();
  let hasSlept = false;
  let hasSets = false;
  const clock = createFakeClock(atRest);
  const network = createNetwork(clock, createSeededRandom(seed));
  const storage = await openStorage(clock.now);
  const endpoints = createEndpoints(network);
  const history = createHistory();
  const openStore = async (): Promise<Store> =>
    watchStore(await storage.openStore(), {
      now: clock.now,
      onSwept: (swept) => history.swept.push(swept),
      onMissed: (missed) => history.missed.push(missed),
      onSentByJob: (sent) => history.sentByJobs.push(sent),
      onCall(answered) {
        asked.add(answered);
        const end = (): void => void asked.delete(answered);
        answered.then(end, end);
      },
    });
  const store = await openStore();
  const processes = await createProcesses({ network, openStore, endpoints, history });
  const orders = createOrderOperations(processes, history, network);
  const webhooks = createWebhookOperations(processes, history);
  const jobs = createJobOperations(processes, history);

  /** A real storage takes real time. The simulated clock stands still meanwhile. */
  async function atRest(): Promise<void> {
    await rest();
    while (asked.size > 0) {
      await Promise.allSettled(asked);
      await rest();
    }
  }

  async function hasWaiting(): Promise<boolean> {
    const queues = accountIds.flatMap((accountId) => queuesOf(accountId));
    const waiting = await Promise.all(queues.map((prefix) => store.list({ prefix, limit: 1 })));
    return waiting.some(({ length }) => length > 0);
  }

  async function settleQueues(): Promise<void> {
    for (let minutes = 0; minutes < 45 && (await hasWaiting()); minutes += 5) await clock.advance(5 * 60_000);
  }

  function toFold({ account: accountId, limit }: OperationNamed<"fold">): FoldOptions {
    const onUnreadable = (error: Error): void => void history.faults.push(error);
    return { accountId, before: clock.now(), now: clock.now(), limit, onUnreadable };
  }

  /** At a random moment during the next operation. */
  function soon(happen: () => void): void {
    clock.schedule(happen, network.between(0, 200));
  }

  async function perform(operation: Operation): Promise<void> {
    switch (operation.type) {
      case "publish":
        return orders.publish(operation);
      case "burst":
        return orders.burst(operation);
      case "removeOrder":
        return orders.remove(operation);
      case "resend":
        return orders.resend(operation);
      case "resendSet":
        hasSets = true;
        return jobs.resendSet(operation);
      case "subscribe":
        return webhooks.subscribe(operation);
      case "manage":
        return webhooks.manage(operation);
      case "revokeKey":
        return webhooks.revokeKey(operation);
      case "suspend": {
        const { account, suspended } = operation;
        const status = suspended ? "suspended" : "active";
        return processes.change(account, !suspended, (service) => service.accounts.put(account, { status }));
      }
      case "behave":
        return endpoints.behave(operation.endpoint, operation.behaviour);
      case "wait":
        return clock.advance(operation.ms);
      case "sleep":
        hasSlept = true;
        return processes.sleep(operation.days * dayMs);
      case "start":
        return processes.start(1);
      case "close":
        await processes.settle(Promise.resolve(processes.pick(operation.nth)?.close()));
        return;
      case "kill":
        return soon(() => processes.pick(operation.nth)?.kill());
      case "fold":
        return soon(
          () =>
            void foldLedger(store, toFold(operation)).catch((error: unknown) => history.faults.push(error)),
        );
      case "stop":
        return soon(() => processes.standStill(operation.nth, operation.ms));
      case "takeStorageAway":
        return soon(() => network.takeStorageAway(operation.ms, operation.absence));
    }
  }

  for (const account of accountIds) {
    await processes.ask((service) => service.accounts.put(account, { email: `${account}@example.com` }));
    await processes.ask((service) =>
      service.projects.put(siteOf(account), { account_id: account, name: "Shop" }),
    );
    await webhooks.createKey(account);
    for (const event of events)
      for (let endpoint = 0; endpoint < endpointCount; endpoint++)
        await webhooks.subscribe({ type: "subscribe", account, event, endpoint, byKey: endpoint === 0 });
  }
  await processes.start(workers);

  return {
    network,
    store,
    endpoints,
    history,
    ask: processes.ask,
    perform,
    async heal() {
      // One keeps failing, because permanent failures are reported too.
      for (let endpoint = 1; endpoint < endpointCount; endpoint++) endpoints.behave(endpoint, "accepts");
      await clock.advance(60_000);
      await processes.start(1);
      await settleQueues();
      if (hasSets) {
        await jobs.resendAll();
        await settleQueues();
      }
      if (!hasSlept) return;
      // Each partition is swept once more after its lease is settled.
      await clock.advance(30_000);
      await processes.sleep(2 * hourMs);
      await clock.advance(60_000);
    },
    async close() {
      processes.kill();
      await storage.close();
    },
  };
}
