import type { Hookwright } from "hookwright";
import type { WriteServerLogLine } from "../server-log-lines.ts";
import { createDemoOrder } from "./demo-order.ts";
import { demoNames, isTrafficOrder, trafficOrderPrefix } from "./demo-names.ts";
import type { Receiver } from "./receiver.ts";

export interface TrafficOptions {
  readonly hookwright: Pick<Hookwright, "publish" | "records" | "orders" | "webhooks">;
  readonly targets: Receiver["targets"];
  readonly log: WriteServerLogLine;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** @default 3,000 */
  readonly intervalMs?: number;
  /** Older orders are removed. By default they are older than the last retry of their deliveries. @default 800 */
  readonly ordersKept?: number;
}

export interface Traffic {
  /** Resolves when no order is being published. */
  stop(): Promise<void>;
}

const pageSize = 100;
const { accountId, projectId } = demoNames;

/** Customers become contacts, so there are few of them. */
const customers = ["Ada Lovelace", "Grace Hopper", "Mary Somerville", "Emmy Noether"];

/** Publishes an order every three seconds, so that the console shows live data. Only the newest orders are kept. */
export async function startTraffic(options: TrafficOptions): Promise<Traffic> {
  const { hookwright, targets, log, now, intervalMs = 3_000, ordersKept = 800 } = options;
  let isStopped = false;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  await subscribe(hookwright, targets);
  const orders = await findEarlier(hookwright);
  let running = Promise.resolve();

  async function publishNext(): Promise<void> {
    const createdAt = now();
    const number = createdAt.toString(36).toUpperCase();
    const id = `${trafficOrderPrefix}${createdAt.toString(36)}`;
    const data = {
      ...createDemoOrder({ id, number, createdAt }),
      customer: customerOf(createdAt / intervalMs),
    };
    await hookwright.publish({ event: "order.created", project_id: projectId, data });
    orders.push(id);
    while (orders.length > ordersKept) await removeOldest();
  }

  async function removeOldest(): Promise<void> {
    const [oldest] = orders;
    if (oldest !== undefined) await hookwright.records.remove(accountId, "orders", oldest);
    orders.shift();
  }

  async function publishOnce(): Promise<void> {
    try {
      await publishNext();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log("demo_traffic_failed", { error });
      isFailing = true;
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      running = publishOnce();
      void running.then(() => {
        if (!isStopped) schedule();
      });
    }, intervalMs).unref();
  }

  schedule();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}

/** The customer of the order with this number. */
export function customerOf(order: number) {
  const name = customers[Math.floor(order) % customers.length] ?? "";
  return { name, email: `${name.split(" ", 1)[0]?.toLowerCase()}@example.com`, phone: null };
}

/** Creates the webhooks of the receiver that are missing. Returns the signing secret of "ok", if that is new. */
export async function subscribe(
  { webhooks }: Pick<Hookwright, "webhooks">,
  { ok, flaky, broken }: Receiver["targets"],
): Promise<string | undefined> {
  let secret: string | undefined;
  const names: readonly (readonly [targetUrl: string, name: string])[] = [
    [ok, "Demo: ok"],
    [flaky, "Demo: flaky"],
    [broken, "Demo: broken"],
  ];
  for (const [targetUrl, name] of names) {
    const { webhook } = await webhooks.create(
      { accountId, credential: { type: "console" } },
      { event: "order.created", target_url: targetUrl },
    );
    if (targetUrl === ok) secret = webhook.signing_secret;
    await webhooks.update(accountId, webhook.id, { name });
  }
  return secret;
}

/** The orders of earlier starts, oldest first. */
async function findEarlier({ orders }: Pick<Hookwright, "orders">): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { rows, meta } = await orders.list(
      accountId,
      { project_id: projectId },
      { limit: pageSize, cursor },
    );
    found.push(...rows.map(({ id }) => id).filter(isTrafficOrder));
    cursor = meta.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found.toReversed();
}
