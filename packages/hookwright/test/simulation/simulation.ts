import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { createFakeClock } from "../../../delivery/test/support/fake-clock.ts";
import { createEndpoints, endpointCount } from "./endpoints.ts";
import type { Endpoints } from "./endpoints.ts";
import { createHistory } from "./history.ts";
import type { History } from "./history.ts";
import { createNetwork } from "./network.ts";
import type { Network } from "./network.ts";
import { accountIds, events, siteOf } from "./operations.ts";
import type { Operation } from "./operations.ts";
import { createOrderOperations } from "./order-operations.ts";
import { createProcesses } from "./processes.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { createWebhookOperations } from "./webhook-operations.ts";

/**
 * Programs over one storage, between hosts and endpoints, in a time and by a chance of their own: the same seed and the same
 * operations are the same run.
 */
export interface Simulation {
  readonly network: Network;
  readonly store: Store;
  readonly endpoints: Endpoints;
  readonly history: Readonly<History>;
  /** Lets one thing happen, and waits until it is done, or will not be. */
  perform(operation: Operation): Promise<void>;
  /** All is well again, and time passes until nothing is left to be done. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

export async function createSimulation(seed: number, workers: number): Promise<Simulation> {
  const clock = createFakeClock();
  const network = createNetwork(clock, createSeededRandom(seed));
  const store = memoryStore({ now: clock.now });
  const endpoints = createEndpoints(network);
  const history = createHistory();
  const processes = createProcesses({ network, store, endpoints, history });
  const orders = createOrderOperations(processes, history);
  const webhooks = createWebhookOperations(processes, history);

  /** In the midst of what is asked for next. */
  function soon(happen: () => void): void {
    clock.schedule(happen, network.between(0, 60));
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
      case "start":
        return processes.start(1);
      case "close":
        await processes.settle(Promise.resolve(processes.pick(operation.nth)?.scheduler.close()));
        return;
      case "kill":
        return soon(() => processes.pick(operation.nth)?.kill());
      case "stop":
        return soon(() => processes.standStill(operation.nth, operation.ms));
      case "takeStorageAway":
        return soon(() => network.takeStorageAway(operation.ms));
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
    perform,
    async heal() {
      // One stays as it is: what fails to the end is told of as well.
      for (let endpoint = 1; endpoint < endpointCount; endpoint++) endpoints.behave(endpoint, "accepts");
      await clock.advance(60_000);
      await processes.start(1);
      await clock.advance(45 * 60_000);
    },
    async close() {
      processes.kill();
      await store.close();
    },
  };
}
