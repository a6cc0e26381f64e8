import {
  emailSchema,
  HookwrightError,
  parseInput,
  suppressionInputSchema,
  withoutEmpty,
} from "@hookwright/domain";
import { commitAudited } from "../audit/commit-audited.ts";
import type { AuditContext } from "../audit/commit-audited.ts";
import { keys } from "../rows/keys.ts";
import type { SuppressionUseCases } from "../use-cases.ts";

/** A `PUT` keeps omitted fields. The schema refuses everything but an object. */
function mergeSent(before: object, body: unknown): unknown {
  const sent = withoutEmpty(body);
  return typeof sent === "object" && sent !== null && !Array.isArray(sent) ? { ...before, ...sent } : sent;
}

/** The id of a suppression is an address, which the audit log must not have. */
const target = { kind: "suppression", id: null } as const;

/** Addresses that bounced or complained. The host manages the list. They cannot be subscribed. */
export function createSuppressions(context: AuditContext): SuppressionUseCases {
  const { store } = context;
  return {
    async put(address, body, origin) {
      const email = parseInput(emailSchema, address, { root: "email" });
      const key = keys.suppression(email);
      return commitAudited(context, key[0], origin, async () => {
        const stored = await store.get(key);
        const before: object = stored === undefined ? {} : JSON.parse(stored);
        const { reason } = parseInput(suppressionInputSchema, mergeSent(before, body));
        const value = JSON.stringify({ email, reason });
        return {
          commit: {
            checks: [{ key, value: stored }],
            mutations: [{ type: "set", key, value }],
          },
          result: { email, reason, created: stored === undefined },
          audited:
            stored === value
              ? undefined
              : {
                  action: stored === undefined ? "suppression.created" : "suppression.updated",
                  accountId: null,
                  target,
                },
        };
      });
    },

    async remove(address, origin) {
      const email = parseInput(emailSchema, address, { root: "email" });
      const key = keys.suppression(email);
      await commitAudited(context, key[0], origin, async () => {
        const stored = await store.get(key);
        if (stored === undefined)
          throw new HookwrightError("resource_not_found", "This address is not suppressed.");
        return {
          commit: { checks: [{ key, value: stored }], mutations: [{ type: "delete", key }] },
          result: undefined,
          audited: { action: "suppression.deleted", accountId: null, target },
        };
      });
      return { email, deleted: true };
    },
  };
}
