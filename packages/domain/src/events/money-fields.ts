import { countMinorUnits, scaleOf } from "../money.ts";

/** Which fields of a record are amounts in its `currency`. */
export interface MoneyFields {
  readonly own: readonly string[];
  /** The same for each object of the record's `items`. */
  readonly items: readonly string[];
}

export const noMoney: MoneyFields = { own: [], items: [] };

/** Of a record: a schema takes no more, and no more are looked at where none has judged it yet. */
export const mostItems = 1_000;

/**
 * Replaces each amount by what its count of minor units prints as, so that noise such as `0.30000000000000004` never
 * reaches the wire, and tells which amounts do not fit their currency. One pass by hand: a refinement on each
 * amount could not see the currency, and one on the record would not run where another field is wrong.
 */
export function settleMoney(record: unknown, fields: MoneyFields): readonly string[] {
  return visitAmounts(record, fields, (holder, name, amount, settled) => {
    // Nearly all print as they came. Whoever writes a number into a field has V8 make an object for it.
    if (!Object.is(settled, amount)) holder[name] = settled;
  });
}

/** The problems alone, of a record that is not ours to change and may have any shape. */
export function findMoneyProblems(record: unknown, fields: MoneyFields): readonly string[] {
  return visitAmounts(record, fields, () => {});
}

/** Told of each amount that fits its currency, and of what its count of minor units prints as. */
type OnAmount = (holder: Record<string, unknown>, name: string, amount: number, settled: number) => void;

interface Visit {
  /** Minor units in one unit of the record's currency. */
  readonly scale: number;
  readonly currency: string;
  readonly onAmount: OnAmount;
  readonly problems: string[];
}

function visitAmounts(record: unknown, fields: MoneyFields, onAmount: OnAmount): readonly string[] {
  if (fields === noMoney || !isRecord(record)) return [];
  const { currency, items } = record;
  const scale = typeof currency === "string" ? scaleOf(currency) : undefined;
  if (typeof currency !== "string" || scale === undefined) return [];
  const visit: Visit = { scale, currency, onAmount, problems: [] };
  visitFields(record, fields.own, undefined, visit);
  if (fields.items.length > 0 && Array.isArray(items)) {
    for (let index = 0; index < items.length && index < mostItems; index++) {
      const item: unknown = items[index];
      if (isRecord(item)) visitFields(item, fields.items, index, visit);
    }
  }
  return visit.problems;
}

function visitFields(
  holder: Record<string, unknown>,
  names: readonly string[],
  index: number | undefined,
  visit: Visit,
): void {
  const { scale, onAmount, problems } = visit;
  for (const name of names) {
    const amount = holder[name];
    if (typeof amount !== "number" || !Number.isFinite(amount)) continue;
    const minor = countMinorUnits(amount, scale);
    if (minor === undefined)
      problems.push(`${index === undefined ? name : `items.${index}.${name}`}: ${problemOf(amount, visit)}`);
    // The division of two exact integers rounds to the double nearest to the decimal, see `fromMinorUnits`.
    else onAmount(holder, name, amount, minor / scale);
  }
}

function problemOf(amount: number, { scale, currency }: Visit): string {
  if (!Number.isSafeInteger(Math.round(amount * scale))) return "must be a smaller amount";
  return scale === 1
    ? `must have no decimals in ${currency}`
    : `must have at most ${Math.round(Math.log10(scale))} decimals`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
