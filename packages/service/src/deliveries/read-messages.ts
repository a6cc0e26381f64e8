import { isAccount, publishedAtOf } from "@hookwright/delivery";
import type { BodySource, DeliveryRow, Message, ReadMessages } from "@hookwright/delivery";
import { parseTimestamp, specificationEvents } from "@hookwright/domain";
import type { BodyForm, EventRegistry, KeptBodies, OnError } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { createReadOrderOfHost } from "../repositories/read-order-of-host.ts";
import type { OrderRepository } from "../repositories/order-repository.ts";
import { mayDeliver, parseAccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";
import { parseProjectRow } from "../rows/project-row.ts";
import { parseNoticeMessage } from "../rows/notice-message-row.ts";
import { findRecords, kindOf } from "../lookups/find-records.ts";
import { renderBody } from "../rows/render-body.ts";

export interface ReadMessagesOptions {
  readonly store: Store;
  /** The known events. @default the events of the specification */
  readonly events?: EventRegistry | undefined;
  /** The orders of the host. @default orders are sent as they were published */
  readonly orders?: OrderRepository | undefined;
  /** Unless the host has set it for the account. @default "all" */
  readonly keptBodies?: KeptBodies | undefined;
  /** Unless the webhook has its own. @default "hookwright" */
  readonly bodyForm?: BodyForm | undefined;
  readonly onError: OnError;
}

/** Reads what deliveries send: the current records (contract: Deliveries), or why they are cancelled. */
export function createReadMessages({
  store,
  events = specificationEvents,
  orders,
  keptBodies: keptByDefault = "all",
  bodyForm = "hookwright",
  onError,
}: ReadMessagesOptions): ReadMessages {
  const readOrderOfHost = orders && createReadOrderOfHost({ repository: orders, onError });
  return async (accountId, deliveries): Promise<Message[]> => {
    if (!isAccount(accountId)) return readNotices(store, accountId, deliveries);
    const projectIds = [...new Set(deliveries.map(({ project_id: projectId }) => projectId))];
    const texts = await store.getMany([
      keys.account(accountId),
      ...projectIds.map((projectId) => keys.project(accountId, projectId)),
      ...deliveries.map((delivery) => keys.record(accountId, kindOf(events, delivery), delivery.record_id)),
    ]);
    const account = texts[0] === undefined ? undefined : parseAccountRow(texts[0]);
    const keptBodies = account?.retention?.bodies ?? keptByDefault;
    const recordTexts = texts.slice(1 + projectIds.length);
    const records = await findRecords(store, events, accountId, deliveries, recordTexts);
    const mayBeSent = account !== undefined && mayDeliver(account);
    const rules = account?.delivery;
    const toMessage = (delivery: DeliveryRow, index: number): Message => {
      const { event, record_id: recordId, project_id: projectId } = delivery;
      const projectText = texts[1 + projectIds.indexOf(projectId)];
      // Deleted, or another record has this id now.
      const record = records[index];
      if (record === undefined || projectText === undefined) return { ok: false, reason: "record_deleted" };
      if (!mayBeSent) return { ok: false, reason: "account_unavailable" };
      const project = parseProjectRow(projectText);
      const { version, json, ownFields } = record;
      const inForm = (form: BodyForm): { readonly body: string; readonly source?: BodySource } => {
        const publishedAt = form === "standard" ? publishedAtOf(delivery) : undefined;
        const body = renderBody({ event, recordId, project, json, ownFields, publishedAt });
        // Without a source, the log stores the body: no version of a record has own fields, and versions are shared and outlive a delivery.
        if (ownFields !== undefined || keptBodies === "until_accepted") return { body };
        const source = { version, project_name: project.name, project_timezone: project.timezone };
        return {
          body,
          source: publishedAt === undefined ? source : { ...source, published_at: publishedAt },
        };
      };
      const { body, source } = inForm(bodyForm);
      return { ok: true, body, source, inForm, keptBodies, rules };
    };
    const messages = deliveries.map(toMessage);
    if (readOrderOfHost === undefined) return messages;
    return Promise.all(
      messages.map(async (message, index): Promise<Message> => {
        const delivery = deliveries[index];
        const record = records[index];
        if (!message.ok || delivery === undefined || record?.kind !== "orders") return message;
        const { event, record_id: recordId, project_id: projectId } = delivery;
        const project = parseProjectRow(texts[1 + projectIds.indexOf(projectId)] ?? "null");
        const published: { readonly created_at: string } = JSON.parse(record.json);
        const createdAt = parseTimestamp(published.created_at);
        const order = await readOrderOfHost({ accountId, orderId: recordId, project, createdAt });
        if (order === "unavailable") return message;
        if (order === "deleted") return { ok: false, reason: "record_deleted" };
        const { ownFields } = record;
        const json = JSON.stringify(order);
        // Without a source, as above.
        const inForm = (form: BodyForm) => {
          const publishedAt = form === "standard" ? publishedAtOf(delivery) : undefined;
          return { body: renderBody({ event, recordId, project, json, ownFields, publishedAt }) };
        };
        return { ok: true, ...inForm(bodyForm), inForm, keptBodies, rules };
      }),
    );
  };
}

/** The bodies of notices. They expire after their deliveries. */
async function readNotices(
  store: Store,
  owner: string,
  deliveries: readonly DeliveryRow[],
): Promise<Message[]> {
  const texts = await store.getMany(deliveries.map(({ id }) => keys.noticeMessage(owner, id)));
  return texts.map((text) =>
    text === undefined
      ? { ok: false, reason: "record_deleted" }
      : { ok: true, body: parseNoticeMessage(text).body },
  );
}
