import {
  HookwrightError,
  maximumRejectedCount,
  parseInput,
  parseOutboxJson,
  rejectedEventRetrySchema,
  toOutboxJson,
  toTimestamp,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { RejectedEvent } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Outbox, RejectedOutboxRow } from "@hookwright/storage";
import { commitAuditEntry } from "../audit/commit-audited.ts";
import { findChanges, toChange } from "../audit/field-changes.ts";
import type { ServiceContext } from "../context.ts";
import { operator } from "../rows/keys.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { RejectedEventUseCases, Service } from "../use-cases.ts";
import { isKnownOwnEvent } from "../webhooks/removed-events.ts";

type OpenOutbox = Pick<Outbox, "rejected">;

/** As the relay. */
const maximumBytes = 16 * 2 ** 20;

/** The events of the outboxes that could not be published. With several outboxes, those of one are listed after those of the other. */
export function createRejectedEvents(
  context: ServiceContext,
  { checkEvent }: Pick<Service, "checkEvent">,
): RejectedEventUseCases {
  const { store, directory, cursors, outboxes } = context;

  /** @throws HookwrightError `resource_not_found` */
  function expectOutboxes(): readonly OpenOutbox[] {
    if (outboxes.length > 0) return outboxes;
    throw new HookwrightError(
      "resource_not_found",
      "There is no outbox. Keep the data in PostgreSQL, or set the option `outbox`.",
    );
  }

  /** @throws HookwrightError `resource_not_found` */
  async function find(id: string): Promise<{ readonly outbox: OpenOutbox; readonly row: RejectedOutboxRow }> {
    for (const outbox of expectOutboxes()) {
      const row = await outbox.rejected.get(id);
      if (row !== undefined) return { outbox, row };
    }
    throw isGone();
  }

  async function toRejectedEvent(row: RejectedOutboxRow): Promise<RejectedEvent> {
    return {
      id: row.key,
      outbox_id: row.id,
      event: row.event,
      project_id: row.projectId,
      account_id: (await directory.find("project", row.projectId)) ?? null,
      event_id: row.eventId ?? null,
      data: row.data === undefined ? null : parseOutboxJson(row.data),
      code: row.code,
      message: row.message,
      created_at: toTimestamp(row.createdAt),
      rejected_at: toTimestamp(row.rejectedAt),
    };
  }

  async function record(
    action: "rejected_event.retried" | "rejected_event.removed",
    {
      row,
      projectId,
      changed,
    }: {
      readonly row: RejectedOutboxRow;
      readonly projectId: string;
      readonly changed: ReturnType<typeof findChanges>;
    },
    origin: Parameters<typeof commitAuditEntry>[2],
  ): Promise<void> {
    const accountId = (await directory.find("project", projectId)) ?? null;
    const target = { kind: "rejected_event", id: row.key } as const;
    await commitAuditEntry(context, partitionOf(accountId ?? operator), origin, {
      action,
      accountId,
      target,
      changed: [
        action === "rejected_event.removed"
          ? toChange("event", row.event, null)
          : toChange("event", null, row.event),
        ...changed,
      ],
    });
  }

  return {
    async count() {
      if (outboxes.length === 0) return { rejected: null };
      const counts = outboxes.map(({ rejected }) => rejected.count(maximumRejectedCount));
      const sum = (await Promise.all(counts)).reduce((total, each) => total + each, 0);
      return { rejected: Math.min(sum, maximumRejectedCount) };
    },

    async list(page) {
      const cursor = openCursor(cursors, { accountId: "", list: "rejected-events", filters: {}, page });
      const [first = 0, before] = cursor.position ?? [];
      const found: { readonly row: RejectedOutboxRow; readonly index: number }[] = [];
      for (const [index, { rejected }] of expectOutboxes().entries()) {
        if (index < Number(first) || found.length > page.limit) continue;
        const rows = await rejected.list({
          before: index === first && before !== undefined ? String(before) : undefined,
          limit: page.limit + 1 - found.length,
        });
        found.push(...rows.map((row) => ({ row, index })));
      }
      const shown = found.slice(0, page.limit);
      const last = found.length > page.limit ? shown.at(-1) : undefined;
      return {
        rows: await Promise.all(shown.map(({ row }) => toRejectedEvent(row))),
        meta: cursor.toMeta(last && [last.index, last.row.key]),
      };
    },

    get: async (id) => toRejectedEvent((await find(id)).row),

    async retry(id, input, origin) {
      const { outbox, row } = await find(id);
      const given = parseInput(rejectedEventRetrySchema, withoutEmpty(input ?? {}));
      const { project_id: projectId = row.projectId } = given;
      const data = given.data === undefined ? row.data : toOutboxJson(given.data);
      if (data === undefined || Buffer.byteLength(data) > maximumBytes)
        throw validationFailed(["data: must have at most 16 MiB of JSON"]);
      const event = {
        event: row.event,
        project_id: projectId,
        data: parseOutboxJson(data),
        id: row.eventId,
      };
      try {
        await checkEvent(event, async (key) => ({ value: await store.get(key) }));
      } catch (error) {
        // A process that knows the event checks and publishes it.
        const isUnknown = error instanceof HookwrightError && error.code === "unknown_event";
        if (!(isUnknown && (await isKnownOwnEvent(store, row.event)))) throw error;
      }
      const outboxId = await outbox.rejected.retry(id, {
        projectId,
        data: given.data === undefined ? undefined : data,
      });
      if (outboxId === undefined) throw isGone();
      const changed = [
        ...findChanges({ project_id: row.projectId }, { project_id: projectId }),
        ...(given.data === undefined ? [] : [{ field: "data" }]),
      ];
      await record("rejected_event.retried", { row, projectId, changed }, origin);
      return { id, retried: true, outbox_id: outboxId };
    },

    async remove(id, origin) {
      const { outbox, row } = await find(id);
      if (!(await outbox.rejected.remove(id))) throw isGone();
      await record("rejected_event.removed", { row, projectId: row.projectId, changed: [] }, origin);
      return { id, deleted: true };
    },
  };
}

function isGone(): HookwrightError {
  return new HookwrightError(
    "resource_not_found",
    "There is no such rejected event. Somebody may have removed it, or published it again.",
  );
}
