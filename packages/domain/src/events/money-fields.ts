import { currencyDecimals, fromMinorUnits, toMinorUnits } from "../money.ts";

/** Which fields of a record are amounts in its `currency`. */
export interface MoneyFields {
  readonly own: readonly string[];
  /** The same for each object of the record's `items`. */
  readonly items: readonly string[];
}

export const noMoney: MoneyFields = { own: [], items: [] };

/**
 * Replaces each amount by what its count of minor units prints as, so that noise such as `0.30000000000000004` never
 * reaches the wire, and tells which amounts do not fit their currency. One pass by hand: a refinement on each
 * amount could not see the currency, and one on the record would not run where another field is wrong.
 */
export function settleMoney(record: unknown, fields: MoneyFields): readonly string[] {
  return visitAmounts(record, fields, (holder, name, amount, currency) => {
    const minor = toMinorUnits(amount, currency);
    if (minor !== undefined) holder[name] = fromMinorUnits(minor, currency);
    return minor !== undefined;
  });
}

/** The problems alone, of a record that is not ours to change and may have any shape. */
export function findMoneyProblems(record: unknown, fields: MoneyFields): readonly string[] {
  return visitAmounts(
    record,
    fields,
    (_holder, _name, amount, currency) => toMinorUnits(amount, currency) !== undefined,
  );
}

type Visit = (holder: Record<string, unknown>, name: string, amount: number, currency: string) => boolean;

const mostItems = 1_000;

function visitAmounts(record: unknown, fields: MoneyFields, visit: Visit): readonly string[] {
  if (fields === noMoney || !isRecord(record)) return [];
  const { currency, items } = record;
  if (typeof currency !== "string" || currencyDecimals(currency) === undefined) return [];
  const problems: string[] = [];
  visitFields(record, fields.own, currency, undefined, visit, problems);
  if (fields.items.length > 0 && Array.isArray(items)) {
    for (let index = 0; index < items.length && index < mostItems; index++) {
      const item: unknown = items[index];
      if (isRecord(item)) visitFields(item, fields.items, currency, index, visit, problems);
    }
  }
  return problems;
}

function visitFields(
  holder: Record<string, unknown>,
  names: readonly string[],
  currency: string,
  index: number | undefined,
  visit: Visit,
  problems: string[],
): void {
  for (const name of names) {
    const amount = holder[name];
    if (typeof amount !== "number" || !Number.isFinite(amount) || visit(holder, name, amount, currency))
      continue;
    problems.push(`${index === undefined ? name : `items.${index}.${name}`}: ${problemOf(amount, currency)}`);
  }
}

function problemOf(amount: number, currency: string): string {
  const decimals = currencyDecimals(currency) ?? 0;
  if (!Number.isSafeInteger(Math.round(amount * 10 ** decimals))) return "must be a smaller amount";
  return decimals === 0 ? `must have no decimals in ${currency}` : `must have at most ${decimals} decimals`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
