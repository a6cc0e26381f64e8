import {
  emailSchema,
  HookwrightError,
  parseInput,
  suppressionInputSchema,
  withoutEmpty,
} from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { commitAudited } from "../audit/commit-audited.ts";
import type { AuditContext } from "../audit/commit-audited.ts";
import type { SuppressionUseCases } from "../use-cases.ts";
import { readSuppression } from "./suppression-rows.ts";

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
      return commitAudited(context, partitionOf(email), origin, async () => {
        const { stored, checks, write } = await readSuppression(store, email);
        const { reason } = parseInput(suppressionInputSchema, mergeSent({ reason: stored?.reason }, body));
        return {
          commit: { checks, mutations: write({ reason }) },
          result: { email, reason, created: stored === undefined },
          audited:
            stored?.reason === reason
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
      await commitAudited(context, partitionOf(email), origin, async () => {
        const { stored, checks, write } = await readSuppression(store, email);
        if (stored === undefined)
          throw new HookwrightError("resource_not_found", "This address is not suppressed.");
        return {
          commit: { checks, mutations: write(undefined) },
          result: undefined,
          audited: { action: "suppression.deleted", accountId: null, target },
        };
      });
      return { email, deleted: true };
    },
  };
}
