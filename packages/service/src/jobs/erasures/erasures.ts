import { erasureInputSchema, HookwrightError, isHostId, parseInput, withoutEmpty } from "@hookwright/domain";
import { commitAudited } from "../../audit/commit-audited.ts";
import type { ServiceContext } from "../../context.ts";
import { noSuch } from "../../lookups/no-such.ts";
import { keys } from "../../rows/keys.ts";
import { parseErasureRow, toErasure, toErasureMutation } from "../../rows/erasure-row.ts";
import type { ErasureRow } from "../../rows/erasure-row.ts";
import type { ErasureUseCases } from "../../use-cases.ts";
import { erasureStages } from "./erasure-stages.ts";

/** Erasures of an account that run at the same time. */
const maximumRunning = 10;
const slots = Array.from({ length: maximumRunning }, (_, index) => String(index));

/** Erases the data of a person (contract: The host API). `createJobRunner` runs the erasures. */
export function createErasures(context: ServiceContext): ErasureUseCases {
  const { store, now, newId } = context;
  return {
    async start(accountId, body, origin) {
      const { email } = parseInput(erasureInputSchema, withoutEmpty(body));
      const id = newId("ers");
      return commitAudited(context, keys.erasuresRunning(accountId)[0], origin, async () => {
        const running = await store.list({
          prefix: keys.erasuresRunning(accountId),
          limit: maximumRunning,
        });
        const taken = new Set(running.map(({ key }) => key.at(-1)));
        const slot = slots.find((each) => !taken.has(each));
        if (slot === undefined)
          throw new HookwrightError(
            "invalid_state",
            `${maximumRunning} erasures of this account run. Wait until one has finished.`,
          );
        const [stage] = erasureStages;
        const row: ErasureRow = {
          id,
          status: "running",
          contacts: 0,
          subscribers: 0,
          records: 0,
          deliveries: 0,
          created_at: now(),
          finished_at: null,
          work: { email, contact_ids: [], slot, stage },
        };
        const runningKey = keys.erasureRunning(accountId, slot);
        return {
          commit: {
            checks: [{ key: runningKey, value: undefined }],
            mutations: [toErasureMutation(accountId, row), { type: "set", key: runningKey, value: id }],
            notify: [runningKey],
          },
          result: { id, status: row.status },
          audited: { action: "erasure.started", accountId, target: { kind: "erasure", id } },
        };
      });
    },

    async get(accountId, erasureId) {
      const text = isHostId(erasureId) ? await store.get(keys.erasure(accountId, erasureId)) : undefined;
      if (text === undefined) throw noSuch("erasure");
      return toErasure(parseErasureRow(text));
    },
  };
}
