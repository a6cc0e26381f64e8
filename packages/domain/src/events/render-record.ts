import { withoutEmptyIn } from "../sent-empty.ts";
import { findProblems, validationFailed } from "../validation.ts";
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
  const { dataSchema, money } = eventCatalogue[event];
  const asSent = findProblems(dataSchema, data, { root: "data" });
  // What may be left out may be sent empty in whatever type; hardly anybody does.
  const result = asSent.ok
    ? asSent
    : findProblems(dataSchema, withoutEmptyIn(dataSchema, data), { root: "data" });
  if (!result.ok) throw validationFailed([...result.problems, ...findMoneyProblems(data, money)]);
  // The parsed record is ours alone, so its amounts are settled in place.
  const problems = settleMoney(result.data, money);
  if (problems.length > 0) throw validationFailed(problems);
  return result.data;
}
