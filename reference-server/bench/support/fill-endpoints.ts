import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import { benchSecret } from "./deliver.ts";

export interface Endpoints {
  readonly count: number;
  /** At most 50. Each endpoint listens to its own project. */
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
  await using hookwright = await createHookwright({
    store,
    secret: benchSecret,
    role: "api",
    privateTargets: true,
  });
  const accounts = Math.ceil(count / ofAccount);
  for (let first = 0; first < accounts; first += accountsAtOnce)
    await Promise.all(
      Array.from({ length: Math.min(accountsAtOnce, accounts - first) }, (_, index) => {
        const account = first + index;
        const last = Math.min(count, (account + 1) * ofAccount);
        return fillAccount(hookwright, { account, first: account * ofAccount, last, origin, event });
      }),
    );
}

interface AccountRange {
  readonly account: number;
  readonly first: number;
  readonly last: number;
  readonly origin: string;
  readonly event: string;
}

async function fillAccount(hookwright: Hookwright, { account, first, last, origin, event }: AccountRange) {
  const id = `acc_${account}`;
  await hookwright.accounts.put(id, { email: `bench-${account}@example.com` });
  for (let endpoint = first; endpoint < last; endpoint++) {
    const projectId = toProjectId(endpoint);
    await hookwright.projects.put(projectId, { account_id: id, name: "Bench" });
    await hookwright.webhooks.create(
      { accountId: id, credential: { type: "console" } },
      { event, target_url: `${origin}/hook/${endpoint}`, project_id: projectId },
    );
  }
}
