import { bodyId, compareReceived, parseInput, receivedInputSchema, withoutEmpty } from "@hookwright/domain";
import type { ListenerResult, RelatedDelivery, SentRequest } from "@hookwright/domain";
import { findDeliveries, readRequestHeaders } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import type { Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import type { ServiceContext } from "../context.ts";
import { findRecords } from "../lookups/find-records.ts";
import { listNewestWebhooks } from "../lookups/find-webhooks.ts";
import { noSuch } from "../lookups/no-such.ts";
import { keys } from "../rows/keys.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import type { DeliveryUseCases } from "../use-cases.ts";
import { countDeliveries } from "./list-deliveries.ts";
import { toDelivery, toDeliveryDetail, toExportedDelivery } from "../rows/delivery-shape.ts";
import { expectDelivery } from "../lookups/find-deliveries.ts";
import { listDeliveries, openList } from "./list-deliveries.ts";
import { expectBody, readBodies } from "./read-bodies.ts";
import { resend } from "./resend.ts";

/** Results of listeners that are shown beside a delivery. */
const maximumResults = 20;
/** Deliveries that are shown beside another one. */
const maximumRelated = 50;
/** Later deliveries of the same record that a detail reads, to find its resends. */
const maximumLaterDeliveries = 1_000;

/** The delivery log (contract: The console). */
export function createDeliveries(context: ServiceContext): DeliveryUseCases {
  return {
    list: (accountId, filters, page) => listDeliveries(context, accountId, filters, page),

    export: (accountId, filters) =>
      openList({ ...context, onHostFailure: "throw" }, accountId, filters, toExportedDelivery),

    count: (accountId, filters) => countDeliveries(context, accountId, filters),

    async get(accountId, deliveryId) {
      const { store } = context;
      const row = await expectDelivery(store, accountId, deliveryId);
      const [bodies, resends, results] = await Promise.all([
        readBodies(context, accountId, row),
        findResends(store, accountId, row),
        store.list({
          prefix: keys.listenerResults(accountId, bodyId(row.event, row.record_id)),
          limit: maximumResults,
          reverse: true,
        }),
      ]);
      const listenerResults = results.map(({ value }): ListenerResult => JSON.parse(value));
      return toDeliveryDetail(row, { bodies, resends, listenerResults });
    },

    listRelated: (accountId, deliveryId) => listRelated(context, accountId, deliveryId),

    async getAttemptBody(accountId, deliveryId, number) {
      const { body, headers } = await readRequest(context, accountId, deliveryId, number);
      return { body, contentType: headers["Content-Type"] ?? "application/octet-stream" };
    },

    async compare(accountId, deliveryId, number, input) {
      const { received, encoding } = parseInput(receivedInputSchema, withoutEmpty(input));
      const sent = await readRequest(context, accountId, deliveryId, number);
      return compareReceived(sent, encoding === "base64" ? Buffer.from(received, "base64") : received);
    },

    resend: (accountId, deliveryId, origin) => resend(context, accountId, deliveryId, origin),
  };
}

/** @throws HookwrightError `resource_not_found`, `invalid_state` */
async function readRequest(
  context: ServiceContext,
  accountId: string,
  deliveryId: string,
  number: number,
): Promise<SentRequest> {
  const row = await expectDelivery(context.store, accountId, deliveryId);
  const attempt = row.attempts.find((each) => each.number === number);
  if (attempt === undefined) throw noSuch("attempt");
  const body = await expectBody(context, accountId, row, attempt);
  return { body, headers: readRequestHeaders(row, attempt) };
}

/** The ids of the deliveries that sent this one again. The index of the record has the original of each. */
async function findResends(store: Store, accountId: string, delivery: DeliveryRow): Promise<string[]> {
  const prefix = keys.deliveriesOfRecord(accountId, delivery.record_id);
  const later = listPages(store, {
    prefix,
    after: [...prefix, delivery.id],
    maximum: maximumLaterDeliveries,
  });
  const ids: string[] = [];
  for await (const page of later)
    for (const { key, value } of page) if (value === delivery.id) ids.push(String(key.at(-1)));
  return ids;
}

/** The row of the record has the deliveries of its publishes, its index has all others. The nearest relatives are read first. */
async function listRelated(
  { store, events }: ServiceContext,
  accountId: string,
  deliveryId: string,
): Promise<readonly RelatedDelivery[]> {
  const row = await expectDelivery(store, accountId, deliveryId);
  const [[record], others, webhooks] = await Promise.all([
    findRecords(store, events, accountId, [row]),
    store.list({
      prefix: keys.deliveriesOfRecord(accountId, row.record_id),
      limit: maximumRelated,
      reverse: true,
    }),
    listNewestWebhooks(store, accountId),
  ]);
  const ofIndex = others.map(({ key, value }) => ({ id: String(key.at(-1)), original: value }));
  const ids = new Set([
    ...(row.resent_from === undefined ? [] : [row.resent_from]),
    ...ofIndex.filter(({ original }) => original === row.id).map(({ id }) => id),
    ...(record === undefined ? [] : parseRecordRow(record.text).head.deliveries),
    ...ofIndex.map(({ id }) => id),
  ]);
  ids.delete(row.id);
  const related = await findDeliveries(store, accountId, [...ids].slice(0, maximumRelated));
  const names = new Map(webhooks.map(({ id, name }) => [id, name]));
  return related
    .filter(({ event }) => event === row.event)
    .toSorted((left, right) => (left.id < right.id ? 1 : -1))
    .map((each) => ({ ...toDelivery(each), webhook_name: names.get(each.webhook_id) ?? null }));
}
