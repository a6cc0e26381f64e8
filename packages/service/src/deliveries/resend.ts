import { createDelivery, findWebhook, isGone, toNotification, toQueueMutations } from "@hookwright/delivery";
import { HookwrightError } from "@hookwright/domain";
import type { Delivery } from "@hookwright/domain";
import { commitAudited } from "../audit/commit-audited.ts";
import type { ChangeOrigin } from "../use-cases.ts";
import type { ServiceContext } from "../context.ts";
import { expectActive } from "../lookups/find-webhooks.ts";
import { expectMaySend } from "../lookups/read-account.ts";
import { keys } from "../rows/keys.ts";
import { parseRecordRow, renderRecordRow } from "../rows/record-row.ts";
import { rescanIfUnknown } from "../store/commit-until-done.ts";
import { toDelivery } from "../rows/delivery-shape.ts";
import { expectDelivery } from "../lookups/find-deliveries.ts";
import { findRecords } from "../lookups/find-records.ts";

/**
 * Sends the record of a delivery again: a new delivery with six attempts of its own, the current record, and the same body id, by which
 * receivers find duplicates (contract: Deliveries).
 *
 * @throws HookwrightError `account_unavailable`, `plan_required`, `resource_not_found`, `invalid_state`
 */
export async function resend(
  context: ServiceContext,
  accountId: string,
  deliveryId: string,
  origin?: ChangeOrigin,
): Promise<Delivery> {
  const { store, events, now, newId, worker } = context;
  const accountKey = keys.account(accountId);
  await expectMaySend(store, accountId);
  const original = await expectDelivery(store, accountId, deliveryId);
  const { event, record_id: recordId, project_id: projectId, webhook_id: webhookId } = original;
  if (original.kind === "test")
    throw new HookwrightError("invalid_state", "A test cannot be sent again. Send another test.");
  const id = newId("dlv");
  const traceParent = context.traceParent();
  const committing = commitAudited(context, accountKey[0], origin, async () => {
    const account = await expectMaySend(store, accountId);
    const [webhook, [record]] = await Promise.all([
      findWebhook(store, accountId, webhookId),
      findRecords(store, events, accountId, [original]),
    ]);
    if (webhook === undefined)
      throw new HookwrightError("invalid_state", "The webhook of this delivery was removed.");
    expectActive(webhook.row);
    // A record that was published again under the same id is another record, perhaps of another project.
    if (record === undefined) {
      const isErased = original.attempts.some(({ body }) => isGone(body) && body.gone === "erased");
      throw new HookwrightError(
        "resource_not_found",
        isErased
          ? "The record of this delivery was erased: it had data of a person."
          : "The record of this delivery was deleted.",
      );
    }
    const { key: recordKey, text: recordText } = record;
    const row = parseRecordRow(recordText);
    const created = createDelivery({
      id,
      webhook: webhook.row,
      event,
      recordId,
      recordArrival: row.head.arrival,
      about: row.head.about?.id,
      projectId,
      kind: "resend",
      resentFrom: original,
      now: now(),
      traceParent,
    });
    const head = { ...row.head, resends: row.head.resends + 1 };
    return {
      commit: {
        checks: [{ key: accountKey, value: account }, webhook.check, { key: recordKey, value: recordText }],
        mutations: [
          { type: "set", key: recordKey, value: renderRecordRow({ ...row, head }, row) },
          ...toQueueMutations(accountId, created),
          { type: "set", key: keys.deliveryOfRecord(accountId, recordId, id), value: original.id },
        ],
        notify: worker.delivers(accountId) ? undefined : toNotification(accountId, [created]),
      },
      result: created,
      audited: { action: "delivery.resent", accountId, target: { kind: "delivery", id: original.id } },
    };
  });
  const delivery = await rescanIfUnknown(context, accountId, committing);
  worker.offer(accountId, [delivery]);
  return toDelivery(delivery);
}
