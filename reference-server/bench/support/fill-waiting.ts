import { createHookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import { benchSecret } from "./deliver.ts";
import { sampleOrder } from "./sample-order.ts";

const accounts = 20;
const webhooksOfAccount = 50;
const eventsAtOnce = 10;

/**
 * Publishes events that wait: for twenty accounts with fifty webhooks each, which are then suspended. No worker attempts
 * their deliveries.
 */
export async function fillWaiting(store: Store, count: number): Promise<void> {
  await using hookwright = await createHookwright({
    store,
    secret: benchSecret,
    role: "api",
    privateTargets: true,
  });
  let filled = 0;
  for (let account = 0; account < accounts; account++) {
    const id = `acc_waiting_${account}`;
    const projectId = `site_waiting_${account}`;
    await hookwright.accounts.put(id, { email: `waiting-${account}@example.com` });
    await hookwright.projects.put(projectId, { account_id: id, name: "Waiting" });
    for (let webhook = 0; webhook < webhooksOfAccount; webhook++)
      await hookwright.webhooks.create(
        { accountId: id, credential: { type: "console" } },
        { event: "order.created", target_url: `http://127.0.0.1:1/${webhook}` },
      );
    const events = Math.round(((account + 1) * count) / accounts / webhooksOfAccount) - filled;
    for (let first = 0; first < events; first += eventsAtOnce)
      await Promise.all(
        Array.from({ length: Math.min(eventsAtOnce, events - first) }, (_, index) => {
          const data = { ...sampleOrder(first + index), id: `ord_waiting_${account}_${first + index}` };
          return hookwright.publish({ event: "order.created", project_id: projectId, data });
        }),
      );
    await hookwright.accounts.put(id, { email: `waiting-${account}@example.com`, status: "suspended" });
    filled += events;
    process.stderr.write(`${(filled * webhooksOfAccount).toLocaleString("en")} deliveries wait …\n`);
  }
}
