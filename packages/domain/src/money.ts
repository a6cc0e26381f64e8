/** The largest number of decimals (contract: Records). Unit prices of 0.0125 and unrounded taxes exist. */
const maximumDecimals = 6;
const scale = 10 ** maximumDecimals;

/**
 * Rounds an amount for storage and responses: at most 6 decimals, half away from zero.
 *
 * It rounds the printed decimal digits, not the binary value, which is slightly off for most decimals.
 *
 * @param amount a finite number of any currency and sign
 * @example roundAmount(0.1 + 0.2) // 0.3
 * @example roundAmount(1.0000005) // 1.000001
 */
export function roundAmount(amount: number): number {
  // Adding 0 turns -0 into 0. Numbers from 2 ** 53 on have no decimals.
  if (Number.isInteger(amount)) return amount + 0;
  if (Math.round(amount * scale) / scale === amount) return amount;
  const size = Math.abs(amount);
  // Smaller numbers print as `5e-7`.
  if (size < 1 / scale) return size < 0.5 / scale ? 0 : Math.sign(amount) / scale;
  const [whole = "", decimals = ""] = String(size).split(".");
  if (decimals.length <= maximumDecimals) return amount;
  const kept = BigInt(whole + decimals.slice(0, maximumDecimals));
  const rounded = decimals.charAt(maximumDecimals) >= "5" ? kept + 1n : kept;
  return Math.sign(amount) * Number(`${rounded}e-${maximumDecimals}`) + 0;
}

const decimalForm = /^([+-]?)(\d*)(?:\.(\d*))?(?:e[+-]?\d{1,3})?$/i;
/** A double represents every decimal with this many significant digits exactly enough. */
const exactDigits = 15;

/**
 * Parses a decimal text: `"9.00"` is 9. Returns `undefined` for other texts, and if a number cannot represent
 * all digits.
 *
 * @example parseAmount("9.00") // 9
 * @example parseAmount("9,00") // undefined: it may mean 9 or 900
 */
export function parseAmount(text: string): number | undefined {
  const trimmed = text.trim();
  const match = decimalForm.exec(trimmed);
  if (match === null) return undefined;
  const [, , whole = "", decimals = ""] = match;
  const amount = Number(trimmed);
  if (whole + decimals === "" || !Number.isFinite(amount)) return undefined;
  const digits = (whole + decimals.slice(0, maximumDecimals)).replace(/^0+/u, "").replace(/0+$/u, "");
  if (digits.length > exactDigits && digitsOf(amount) !== digits) return undefined;
  return roundAmount(amount);
}

function digitsOf(amount: number): string {
  const [digits = ""] = String(Math.abs(amount)).split("e");
  return digits.replace(".", "").replace(/^0+/u, "").replace(/0+$/u, "");
}
