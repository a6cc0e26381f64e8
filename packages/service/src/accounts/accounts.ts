import {
  accountInputSchema,
  HookwrightError,
  hostIdSchema,
  isHostId,
  mergePlan,
  parseInput,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { AccountInput } from "@hookwright/domain";
import type { Mutation } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { keys } from "../store/keys.ts";
import type { AccountUseCases } from "../use-cases.ts";
import { parseAccountRow, toAccount } from "./account-row.ts";
import type { AccountRow } from "./account-row.ts";
import { hashPassword } from "./password.ts";

/** Accounts, as the host keeps them. */
export function createAccounts({ store, now }: ServiceContext): AccountUseCases {
  return {
    async put(accountId, body) {
      parseInput(hostIdSchema, accountId, { root: "id" });
      const input = parseInput(accountInputSchema, withoutEmpty(body));
      const password = input.password === undefined ? undefined : await hashPassword(input.password);
      const key = keys.account(accountId);
      const { row, created } = await commitUntilDone(store, key[0], async () => {
        const stored = await store.get(key);
        const before = stored === undefined ? undefined : parseAccountRow(stored);
        const after = merge(accountId, before, input, now());
        const mutations: Mutation[] = [{ type: "set", key, value: JSON.stringify(after) }];
        if (password !== undefined)
          mutations.push({ type: "set", key: keys.accountPassword(accountId), value: password });
        await indexEmail(accountId, after.email);
        return {
          commit: { checks: [{ key, value: stored }], mutations, wake: true },
          result: { row: after, created: before === undefined },
        };
      });
      return { account: toAccount(row), created };
    },

    async get(accountId) {
      const stored = isHostId(accountId) ? await store.get(keys.account(accountId)) : undefined;
      if (stored === undefined) throw new HookwrightError("resource_not_found", "No such account.");
      return toAccount(parseAccountRow(stored));
    },
  };

  /**
   * Lets the login find accounts by address. It lies in another partition, so it is written first: an entry whose account
   * has another address (now, or because the write behind it failed) is seen as such when it is followed.
   */
  async function indexEmail(accountId: string, email: string): Promise<void> {
    const key = keys.accountOfEmail(email, accountId);
    await store.commit(key[0], { mutations: [{ type: "set", key, value: "" }] });
  }
}

function merge(id: string, before: AccountRow | undefined, input: AccountInput, now: number): AccountRow {
  const email = input.email ?? before?.email;
  // Warnings about failing webhooks go to this address: an account without one could not be told.
  if (email === undefined) throw validationFailed(["email: is required"]);
  return {
    id,
    name: input.name ?? before?.name ?? id,
    email,
    timezone: input.timezone ?? before?.timezone ?? "UTC",
    status: input.status ?? before?.status ?? "active",
    plan: mergePlan(before?.plan, input.plan),
    demo: input.demo ?? before?.demo ?? false,
    created_at: before?.created_at ?? now,
  };
}
