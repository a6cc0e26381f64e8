import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import { benchSecret } from "./deliver.ts";
import { quietLogger } from "./quiet-logger.ts";
import { sampleOrder } from "./sample-order.ts";
import { say, whole } from "./table.ts";

export interface Endpoints {
  readonly count: number;
  /** At most 50. With more than one, each endpoint listens to its own project. */
  readonly ofAccount: number;
  readonly origin: string;
  /** @default "order.created" */
  readonly event?: string;
}

const accountsAtOnce = 64;

/** The project of an endpoint. */
export function toProjectId(endpoint: number): string {
  return `site_${endpoint}`;
}

/** Creates accounts with webhooks. Each event has one delivery, whatever the number of webhooks. */
export async function fillEndpoints(
  store: Store,
  { count, ofAccount, origin, event = "order.created" }: Endpoints,
): Promise<void> {
  await using hookwright = await openFilling(store);
  const fillAccount = async (account: number): Promise<void> => {
    const id = `acc_${account}`;
    await hookwright.accounts.put(id, { email: `bench-${account}@example.com` });
    const last = Math.min(count, (account + 1) * ofAccount);
    for (let endpoint = account * ofAccount; endpoint < last; endpoint++) {
      const projectId = toProjectId(endpoint);
      await hookwright.projects.put(projectId, { account_id: id, name: "Bench" });
      await hookwright.webhooks.create(
        { accountId: id, credential: { type: "console" } },
        { event, target_url: `${origin}/hook/${endpoint}`, project_id: projectId },
      );
    }
  };
  const accounts = Math.ceil(count / ofAccount);
  for (let first = 0; first < accounts; first += accountsAtOnce)
    await Promise.all(
      Array.from({ length: Math.min(accountsAtOnce, accounts - first) }, (_, index) =>
        fillAccount(first + index),
      ),
    );
}

/** Publishes orders of these projects in turn, some at once. */
export async function publishOrders(
  hookwright: Hookwright,
  load: {
    readonly first?: number;
    readonly count: number;
    readonly atOnce: number;
    readonly projects: number;
  },
): Promise<void> {
  const { first = 0, count, atOnce, projects } = load;
  for (let from = first; from < first + count; from += atOnce)
    await Promise.all(
      Array.from({ length: Math.min(atOnce, first + count - from) }, (_, index) =>
        hookwright.publish({
          event: "order.created",
          project_id: toProjectId((from + index) % projects),
          data: sampleOrder(from + index),
        }),
      ),
    );
}

const waitingAccounts = 20;
const webhooksOfAccount = 50;
const eventsAtOnce = 10;

/**
 * Publishes events for twenty accounts with fifty webhooks each. Their deliveries wait.
 *
 * @param targetOf the URL of a webhook. Without it, the accounts are suspended, so no worker attempts their deliveries
 */
export async function fillWaiting(
  store: Store,
  count: number,
  targetOf?: (account: number, webhook: number) => string,
): Promise<void> {
  await using hookwright = await openFilling(store);
  let filled = 0;
  for (let account = 0; account < waitingAccounts; account++) {
    const id = `acc_waiting_${account}`;
    const projectId = `site_waiting_${account}`;
    await hookwright.accounts.put(id, { email: `waiting-${account}@example.com` });
    await hookwright.projects.put(projectId, { account_id: id, name: "Waiting" });
    for (let webhook = 0; webhook < webhooksOfAccount; webhook++)
      await hookwright.webhooks.create(
        { accountId: id, credential: { type: "console" } },
        { event: "order.created", target_url: targetOf?.(account, webhook) ?? "http://127.0.0.1:1/" },
      );
    const events = Math.round(((account + 1) * count) / waitingAccounts / webhooksOfAccount) - filled;
    for (let first = 0; first < events; first += eventsAtOnce)
      await Promise.all(
        Array.from({ length: Math.min(eventsAtOnce, events - first) }, (_, index) => {
          const data = { ...sampleOrder(first + index), id: `ord_waiting_${account}_${first + index}` };
          return hookwright.publish({ event: "order.created", project_id: projectId, data });
        }),
      );
    if (targetOf === undefined)
      await hookwright.accounts.put(id, { email: `waiting-${account}@example.com`, status: "suspended" });
    filled += events;
    say(`${whole(filled * webhooksOfAccount)} deliveries wait …`);
  }
}

/** It delivers nothing. */
function openFilling(store: Store): Promise<Hookwright> {
  return createHookwright({
    store,
    secret: benchSecret,
    role: "api",
    privateTargets: true,
    logger: quietLogger,
  });
}
