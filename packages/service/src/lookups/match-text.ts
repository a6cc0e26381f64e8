import type { DeliveryRow } from "@hookwright/delivery";
import { bodyId, isEmailAddress } from "@hookwright/domain";
import type { DeliveryMatch } from "@hookwright/domain";
import { createReadBudget, toLowerAscii } from "@hookwright/storage/sorted-runs";
import type { ReadBudget } from "@hookwright/storage/sorted-runs";
import { kindOf } from "./find-records.ts";
import { filterByFields, findByFields } from "./match-fields.ts";
import { areAllRecords, beginsWith, findBeginningsOfIds, findByIds } from "./match-ids.ts";
import type { Beginning } from "./match-ids.ts";
import { findWebhooksByText } from "./match-webhooks.ts";
import type { MatchedWebhook } from "./match-webhooks.ts";
import { createListNamed } from "./named-deliveries.ts";
import type { ListNamed } from "./named-deliveries.ts";
import { createReadHead, toName } from "./read-heads.ts";
import type { MatchedRecord } from "./read-heads.ts";
import type { SearchContext } from "./search-context.ts";

/** What a text names in an account. */
export interface TextMatch {
  /** Without blanks around it, in lower case. */
  readonly text: string;
  readonly records: readonly MatchedRecord[];
  /** False: so many records match that only some of them were read. */
  readonly isComplete: boolean;
  readonly webhooks: readonly MatchedWebhook[];
  /** The deliveries of the records, and the one with the id. */
  readonly listNamed: ListNamed;
  /** The deliveries among some whose webhook, record or own id the text names. */
  filter(rows: readonly DeliveryRow[]): Promise<readonly DeliveryRow[]>;
  /** By what the text names a delivery that `filter` has returned. */
  by(row: DeliveryRow): DeliveryMatch;
  /** Whether the text names all deliveries of the account. */
  isEverything(): Promise<boolean>;
}

/** An event name, and a record id of at most 128 characters of two UTF-16 units each. */
const longestText = 512;
/** What one search reads of records. If more match, deliveries are filtered instead. */
const limits = { entries: 500, characters: 4 * 1024 * 1024, reads: 2_000 };

/**
 * Finds what a text names, by the indexes that there are anyway:
 *
 * - a record by the beginning of its id, or of a body id, and an order by its number, each in any case. Both also name the events with an
 *   id that are about the record
 * - the records of a person by the whole e-mail address
 * - a webhook by a part of its name or URL
 *
 * Orders that the host keeps are also asked for by number and address.
 *
 * @param shared a budget of several searches
 */
export async function matchText(
  context: SearchContext,
  accountId: string,
  given: string,
  shared?: ReadBudget,
): Promise<TextMatch> {
  const { store, events } = context;
  const text = toLowerAscii(given.trim());
  if (text === "" || text.length > longestText || !text.isWellFormed()) return namesNothing(text);
  const budget = createReadBudget({ ...limits, parent: shared });
  const query = { accountId, text, budget, readHead: createReadHead(context.onError, accountId) };
  const beginnings = findBeginningsOfIds(events, text);
  const [byId, byField, webhooks] = await Promise.all([
    findByIds(store, { ...query, beginnings }),
    findByFields(context, query),
    findWebhooksByText(store, accountId, text),
  ]);
  const known = new Set(byId.records.map(toName));
  const records = [...byId.records, ...byField.records.filter((record) => !known.has(toName(record)))];
  const field = isEmailAddress(text) ? "email" : "number";
  const kindsById = Map.groupBy(byField.records, ({ id }) => id);
  return {
    text,
    records,
    isComplete: byId.isComplete && byField.isComplete,
    webhooks,
    listNamed: createListNamed(store, accountId, records, isDeliveryIdPart(text) ? text : undefined),
    async filter(rows) {
      const others = byField.isComplete ? [] : rows.filter((row) => byOf(row) === undefined);
      const ofMany = new Set(await filterByFields(context, query, others));
      return rows.filter((row) => ofMany.has(row) || byOf(row) !== undefined);
    },
    by: (row) => byOf(row) ?? field,
    isEverything: () => areAllRecords(store, accountId, text),
  };

  function byOf(row: DeliveryRow): DeliveryMatch | undefined {
    if (isDeliveryIdPart(text) && row.id.startsWith(text)) return "id";
    const event = toLowerAscii(row.event);
    // The body id of an event with an id has no id of a record.
    const isNamed = (each: Beginning): boolean =>
      each.event === undefined
        ? [row.record_id, row.about].some((id) => id !== undefined && beginsWith(id, each))
        : each.event === event && beginsWith(row.record_id, each);
    if (beginnings.some(isNamed)) return "record_id";
    const isOfKind = ({ kind }: MatchedRecord): boolean =>
      events.kindOf(row.event) === undefined || kindOf(events, row) === kind;
    if (kindsById.get(row.record_id)?.some(isOfKind) === true) return field;
    return webhooks.some(({ row: { id } }) => id === row.webhook_id) ? "webhook" : undefined;
  }
}

/** As {@link matchText}, but only the whole id of a body, exactly as it was sent. */
export async function matchBodyId(
  { store, events, onError }: Pick<SearchContext, "store" | "events" | "onError">,
  accountId: string,
  text: string,
): Promise<TextMatch> {
  const found = await findByIds(store, {
    accountId,
    beginnings: findBeginningsOfIds(events, text),
    isWhole: true,
    budget: createReadBudget(limits),
    readHead: createReadHead(onError, accountId),
  });
  return {
    ...namesNothing(text),
    ...found,
    listNamed: createListNamed(store, accountId, found.records, undefined),
    filter: async (rows) => rows.filter((row) => bodyId(row.event, row.record_id) === text),
    by: () => "record_id",
  };
}

function namesNothing(text: string): TextMatch {
  return {
    text,
    records: [],
    isComplete: true,
    webhooks: [],
    listNamed: async () => [],
    filter: async () => [],
    by: () => "id",
    isEverything: async () => false,
  };
}

/** A delivery is named by its id, or its beginning from `dlv_`. */
export function isDeliveryIdPart(text: string): boolean {
  return /^dlv_[0-9a-f]*$/u.test(text);
}
