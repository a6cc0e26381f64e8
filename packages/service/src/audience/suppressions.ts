import {
  emailSchema,
  HookwrightError,
  parseInput,
  suppressionInputSchema,
  withoutEmpty,
} from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { keys } from "../store/keys.ts";
import type { SuppressionUseCases } from "../use-cases.ts";

/** Addresses that bounced or complained: the host fills the list, subscribing one is refused. */
export function createSuppressions({ store }: Pick<ServiceContext, "store">): SuppressionUseCases {
  return {
    async put(address, body) {
      const email = parseInput(emailSchema, address, { root: "email" });
      const { reason } = parseInput(suppressionInputSchema, withoutEmpty(body));
      const key = keys.suppression(email);
      const created = await commitUntilDone(store, key[0], async () => {
        const stored = await store.get(key);
        return {
          commit: {
            checks: [{ key, value: stored }],
            mutations: [{ type: "set", key, value: JSON.stringify({ email, reason }) }],
          },
          result: stored === undefined,
        };
      });
      return { email, reason, created };
    },

    async remove(address) {
      const email = parseInput(emailSchema, address, { root: "email" });
      const key = keys.suppression(email);
      await commitUntilDone(store, key[0], async () => {
        const stored = await store.get(key);
        if (stored === undefined)
          throw new HookwrightError("resource_not_found", "This address is not suppressed.");
        return {
          commit: { checks: [{ key, value: stored }], mutations: [{ type: "delete", key }] },
          result: undefined,
        };
      });
      return { email, deleted: true };
    },
  };
}
