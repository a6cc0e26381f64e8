import { z } from "zod";
import { parseAmount, roundAmount } from "../money.ts";
import { isSentEmpty } from "../sent-empty.ts";
import { adjust, refuse } from "./field.ts";
import type { Described, Field, Reading, Siblings } from "./field.ts";
import { toPlain } from "./plain-value.ts";

/** A number, decimal text, or an object of a decimal library such as decimal.js. */
export type AmountInput = number | string | bigint | { toNumber(): number; toJSON(): string | number };

/** The value of a missing amount. */
interface AmountOptions extends Described<number | null> {
  readonly whenMissing?: string;
  /** Computes it from the other fields of the object. @default 0 */
  readonly derive?: (siblings: Siblings) => number | undefined;
}

type AmountReading = number | "missing" | "refused";

function readAmount(value: unknown, path: string, reading: Reading): AmountReading {
  const plain = typeof value === "number" ? value : toPlain(value);
  if (isSentEmpty(plain)) return "missing";
  const amount = toAmount(plain);
  if (amount === undefined) return refuse(reading, path, amountProblem(plain), "refused");
  if (!Object.is(amount, value)) adjust(reading, path);
  return amount;
}

function toAmount(plain: unknown): number | undefined {
  if (typeof plain === "number") return Number.isFinite(plain) ? roundAmount(plain) : undefined;
  if (typeof plain === "bigint") return parseAmount(String(plain));
  return typeof plain === "string" ? parseAmount(plain) : undefined;
}

function amountProblem(plain: unknown): string {
  return typeof plain === "string" || typeof plain === "bigint"
    ? "must be a number, or decimal text such as 9.50 with at most 15 digits"
    : "must be a number";
}

/** An amount that the host must send. */
export function requiredAmount({
  description,
  example,
}: Described<number>): Field<number, AmountInput, true> {
  return {
    schema: z.number().meta({ description, example }),
    type: "number",
    required: true,
    whenMissing: "",
    read(value, path, reading) {
      const amount = readAmount(value, path, reading);
      if (typeof amount === "number") return amount;
      return amount === "refused" ? 0 : refuse(reading, path, "is required", 0);
    },
  };
}

export function amount({
  description,
  example,
  whenMissing = "`0`",
  derive = () => 0,
}: AmountOptions & Described<number>): Field<number, AmountInput, false> {
  return {
    schema: z.number().meta({ description, example }),
    type: "number",
    required: false,
    whenMissing,
    read(value, path, reading, siblings) {
      const read = readAmount(value, path, reading);
      if (typeof read === "number") return read;
      if (read === "missing") adjust(reading, path);
      const derived = derive(siblings) ?? 0;
      return Number.isFinite(derived) ? roundAmount(derived) : 0;
    },
  };
}

/** An amount that is marked "or null" in the specification. */
export function nullableAmount({
  description,
  example,
}: Described<number>): Field<number | null, AmountInput, false> {
  return {
    schema: z.number().nullable().meta({ description, example }),
    type: "number or null",
    required: false,
    whenMissing: "`null`",
    read(value, path, reading) {
      const read = readAmount(value, path, reading);
      if (typeof read === "number") return read;
      if (read === "missing" && value !== null) adjust(reading, path);
      return null;
    },
  };
}

/** Returns the amount of another field of the same object. */
export function amountOf(siblings: Siblings, name: string): number | undefined {
  return toAmount(toPlain(siblings[name]));
}

interface IntegerOptions extends Described<number> {
  readonly whenMissing: number;
  /**
   * Rounds a number with decimals. Unreadable values then count as missing. @default both are rejected with
   * `advice`
   */
  readonly round?: ((amount: number) => number) | undefined;
  /** What to send instead. */
  readonly advice?: string;
}

export function integer({
  description,
  example,
  whenMissing,
  round,
  advice,
}: IntegerOptions): Field<number, number | string | bigint, false> {
  return {
    schema: z.int().meta({ description, example }),
    type: "integer",
    required: false,
    whenMissing: `\`${whenMissing}\``,
    read(value, path, reading) {
      const plain = typeof value === "number" ? value : toPlain(value);
      if (isSentEmpty(plain)) {
        adjust(reading, path);
        return whenMissing;
      }
      const sent = toAmount(plain);
      const read = sent === undefined || round === undefined ? sent : round(sent);
      if (read === undefined || !Number.isSafeInteger(read)) {
        if (round === undefined) return refuse(reading, path, `must be an integer: ${advice}`, whenMissing);
        adjust(reading, path);
        return whenMissing;
      }
      if (!Object.is(read, value)) adjust(reading, path);
      return read;
    },
  };
}
