import {
  emailSchema,
  HookwrightError,
  parseInput,
  suppressionInputSchema,
  withoutEmpty,
} from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { keys } from "../rows/keys.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import type { SuppressionUseCases } from "../use-cases.ts";

/** A `PUT` keeps omitted fields. The schema refuses everything but an object. */
function mergeSent(before: object, body: unknown): unknown {
  const sent = withoutEmpty(body);
  return typeof sent === "object" && sent !== null && !Array.isArray(sent) ? { ...before, ...sent } : sent;
}

/** Addresses that bounced or complained. The host manages the list. They cannot be subscribed. */
export function createSuppressions({ store }: Pick<ServiceContext, "store">): SuppressionUseCases {
  return {
    async put(address, body) {
      const email = parseInput(emailSchema, address, { root: "email" });
      const key = keys.suppression(email);
      return commitUntilDone(store, key[0], async () => {
        const stored = await store.get(key);
        const before: object = stored === undefined ? {} : JSON.parse(stored);
        const { reason } = parseInput(suppressionInputSchema, mergeSent(before, body));
        return {
          commit: {
            checks: [{ key, value: stored }],
            mutations: [{ type: "set", key, value: JSON.stringify({ email, reason }) }],
          },
          result: { email, reason, created: stored === undefined },
        };
      });
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
