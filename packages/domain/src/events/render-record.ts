import { withoutEmptyIn } from "../sent-empty.ts";
import { findProblems, validationFailed } from "../validation.ts";
import type { Parsed } from "../validation.ts";
import { eventCatalogue, type EventData } from "./event-catalogue.ts";
import type { EventName } from "./event-names.ts";
import { findMoneyProblems, settleMoney } from "./money-fields.ts";

/**
 * A record that a host publishes, as webhooks and the API give it: every field of its table in the table's order,
 * fields left out that may be null as null, others unknown dropped, times in the wire form, amounts in whole minor units.
 *
 * @throws HookwrightError `validation_failed`, naming every field that is wrong (`items.0.price: must have at most 2 decimals`)
 */
export function renderRecord<Name extends EventName>(event: Name, data: unknown): EventData[Name] {
  const record = findRecordProblems(event, data);
  if (!record.ok) throw validationFailed(record.problems);
  return record.data;
}

/**
 * As `renderRecord`, with the problems as a value, for callers that add their own.
 *
 * @param options.within the field that holds the record: `data` makes `data.items.0.price` of `items.0.price`. @default none
 */
export function findRecordProblems<Name extends EventName>(
  event: Name,
  data: unknown,
  { within }: { readonly within?: string | undefined } = {},
): Parsed<EventData[Name]> {
  const { dataSchema, money } = eventCatalogue[event];
  const names = { root: "data", within };
  const inside = (problem: string): string => (within === undefined ? problem : `${within}.${problem}`);
  const asSent = findProblems(dataSchema, data, names);
  // What may be left out may be sent empty in whatever type; hardly anybody does.
  const result = asSent.ok ? asSent : findProblems(dataSchema, withoutEmptyIn(dataSchema, data), names);
  if (!result.ok)
    return { ok: false, problems: [...result.problems, ...findMoneyProblems(data, money).map(inside)] };
  // The parsed record is ours alone, so its amounts are settled in place.
  const problems = settleMoney(result.data, money);
  return problems.length > 0 ? { ok: false, problems: problems.map(inside) } : result;
}
