import { z } from "zod";

const scales = new Map<string, number>();
const wellFormedCurrency = /^[A-Z]{3}$/;

/**
 * Minor units in one unit of a currency: 100 for EUR, 1 for JPY, 1,000 for KWD, by `Intl`. Undefined for a text
 * that is not three capital letters. Any such three are taken, as `Intl` does: the set of currencies is open.
 */
export function scaleOf(currency: string): number | undefined {
  const cached = scales.get(currency);
  if (cached !== undefined) return cached;
  if (!wellFormedCurrency.test(currency)) return undefined;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const scale = 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
  // At most 26³ entries, so the cache needs no limit.
  scales.set(currency, scale);
  return scale;
}

/** How many decimals amounts of a currency have; undefined for a text that is no currency code. */
export function currencyDecimals(currency: string): number | undefined {
  const scale = scaleOf(currency);
  return scale === undefined ? undefined : Math.round(Math.log10(scale));
}

/**
 * An amount as a whole number of minor units (cents), or undefined when it has more decimals than its currency,
 * or is too large to be counted exactly, or the currency is no currency code.
 *
 * Sums such as `0.1 + 0.2` carry binary noise; up to a millionth of a minor unit, or four units in the last
 * place of a large amount, counts as noise.
 *
 * @example toMinorUnits(19.99, "EUR") // 1999
 */
export function toMinorUnits(amount: number, currency: string): number | undefined {
  const scale = scaleOf(currency);
  return scale === undefined ? undefined : countMinorUnits(amount, scale);
}

/** The same for a currency whose scale is known. */
export function countMinorUnits(amount: number, scale: number): number | undefined {
  const scaled = amount * scale;
  const minor = Math.round(scaled);
  if (!Number.isSafeInteger(minor)) return undefined;
  // Adding 0 turns -0 into 0, which JSON would otherwise lose and comparisons would trip over.
  if (minor / scale === amount) return minor + 0;
  // The product of trillions may round to the next count: the one that prints as the amount is right.
  const printed = [minor - 1, minor + 1].find((count) => count / scale === amount);
  if (printed !== undefined) return Number.isSafeInteger(printed) ? printed : undefined;
  if (Math.abs(scaled - minor) > Math.max(1e-6, Math.abs(scaled) * 2 ** -50)) return undefined;
  return minor + 0;
}

/**
 * The JSON number of a count of minor units. The division of two exact integers rounds to the double nearest to
 * the decimal, which is the one that prints as it.
 *
 * @throws RangeError for a text that is no currency code.
 */
export function fromMinorUnits(minor: number, currency: string): number {
  const scale = scaleOf(currency);
  if (scale === undefined) throw new RangeError("A currency code has three capital letters.");
  return minor / scale;
}

/** A currency code, ISO 4217 in form. */
export const currencySchema = z
  .string()
  .refine((text) => wellFormedCurrency.test(text), "must be a currency code of three capital letters")
  .meta({ description: "Currency code, as in ISO 4217.", example: "EUR", minLength: 3, maxLength: 3 });
