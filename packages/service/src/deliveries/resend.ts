import { createDelivery, keys, parseWebhookRow, toOutboxMutations, toWakeKeys } from "@hookwright/delivery";
import { eventCatalogue, HookwrightError } from "@hookwright/domain";
import type { Delivery } from "@hookwright/domain";
import { noSuch } from "../lookups/no-such.ts";
import type { ServiceContext } from "../context.ts";
import { expectMaySend } from "../lookups/expect-may-send.ts";
import { keys as serviceKeys } from "../rows/keys.ts";
import { parseRecordRow, renderRecordRow } from "../rows/record-row.ts";
import { commitDeliveries } from "../store/commit-deliveries.ts";
import { toDelivery } from "./delivery-shape.ts";
import { findDelivery } from "./find-deliveries.ts";

/**
 * Sends the record of a delivery again: a new delivery with six tries of its own, the record as it is now, and the same body
 * id, by which a receiver knows it (contract §5).
 *
 * @throws HookwrightError `account_unavailable`, `plan_required`, `resource_not_found`, `invalid_state`
 */
export async function resend(
  context: ServiceContext,
  accountId: string,
  deliveryId: string,
): Promise<Delivery> {
  const { store, now, newId, scheduler } = context;
  const accountKey = serviceKeys.account(accountId);
  await expectMaySend(store, accountId);
  const original = await findDelivery(store, accountId, deliveryId);
  if (original === undefined) throw noSuch("delivery");
  const { event, record_id: recordId, project_id: projectId, webhook_id: webhookId } = original;
  if (original.kind === "test")
    throw new HookwrightError("invalid_state", "A test cannot be sent again. Send another test.");
  const webhookKey = keys.webhook(accountId, event, webhookId);
  const recordKey = serviceKeys.record(accountId, eventCatalogue[event].kind, recordId);
  const id = newId("dlv");
  const delivery = await commitDeliveries(context, accountId, async () => {
    const account = await expectMaySend(store, accountId);
    const [webhookText, recordText] = await store.getMany([webhookKey, recordKey]);
    if (webhookText === undefined)
      throw new HookwrightError("invalid_state", "The webhook of this delivery was removed.");
    const webhook = parseWebhookRow(webhookText);
    if (webhook.status !== "active") {
      throw new HookwrightError(
        "invalid_state",
        `A webhook that is ${webhook.status.replace("_", " ")} sends nothing again. ${webhook.status === "paused" ? "Resume it" : "Turn it on"} first.`,
      );
    }
    const record = recordText === undefined ? undefined : parseRecordRow(recordText);
    // One that was published again under the same id is another record, perhaps of another site.
    if (record === undefined || record.head.arrival !== original.record_arrival)
      throw new HookwrightError("resource_not_found", "The record of this delivery was deleted.");
    const created = createDelivery({
      id,
      accountId,
      webhook,
      event,
      recordId,
      recordArrival: record.head.arrival,
      projectId,
      kind: "resend",
      now: now(),
    });
    const head = { ...record.head, resends: record.head.resends + 1 };
    return {
      commit: {
        checks: [
          { key: accountKey, value: account },
          { key: webhookKey, value: webhookText },
          { key: recordKey, value: recordText },
        ],
        mutations: [
          { type: "set", key: recordKey, value: renderRecordRow({ ...record, head }, record) },
          ...toOutboxMutations(accountId, created),
          { type: "set", key: keys.deliveryOfRecord(accountId, recordId, id), value: "" },
        ],
        wake: !scheduler.takes(accountId) && toWakeKeys(accountId, [created]),
      },
      result: created,
    };
  });
  scheduler.offer(accountId, [delivery]);
  return toDelivery(delivery);
}
