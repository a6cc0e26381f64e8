import { z } from "zod";
import { HookwrightError } from "./errors.ts";

/** The type of an id: `wh_…` is a webhook, `dlv_…` a delivery. Clients treat ids as opaque. */
export type IdPrefix =
  | "acc"
  | "site"
  | "key"
  | "wh"
  | "ct"
  | "sub"
  | "post"
  | "lst"
  | "lsn"
  | "dlv"
  | "att"
  | "req"
  | "rcv"
  | "job"
  | "aud"
  | "shr"
  | "ntc"
  | "ntg"
  | "prs"
  | "ses"
  | "ers";

export interface IdSourceOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns exactly `size` cryptographically random bytes. */
  readonly randomBytes: (size: number) => Uint8Array;
}

const tailBytes = 6;
const idsPerRefill = 512;
const counterLimit = 2 ** 26;
// Seeds are this far below the limit, so one millisecond has at least this many ids.
const counterRoom = 2 ** 18;
const largestTime = 2 ** 48 - 1;

/**
 * Creates ids `<prefix>_<UUID version 7 as 32 lower-case hex digits>` (RFC 9562, section 5.7).
 *
 * Ids increase even within a millisecond and if the clock steps back. A 26-bit counter follows the time
 * (section 6.2, method 1). It is seeded at random in each millisecond with space for 262,144 increments. If
 * it overflows, the time part moves ahead of the clock. 48 random bits follow, so processes need no
 * coordination.
 *
 * @example
 * const newId = createIdSource({ now: Date.now, randomBytes: (size) => crypto.getRandomValues(new Uint8Array(size)) });
 * newId("wh"); // "wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21"
 */
export function createIdSource({ now, randomBytes }: IdSourceOptions): (prefix: IdPrefix) => string {
  let time = Number.NEGATIVE_INFINITY;
  let timeHex = "";
  let counter = 0;
  // Random bytes are generated in bulk, because one call for each id would be slow.
  let tails = "";
  let at = 0;

  const nextTail = (): string => {
    if (at >= tails.length) {
      tails = toHex(randomBytes(tailBytes * idsPerRefill));
      at = 0;
    }
    at += tailBytes * 2;
    return tails.slice(at - tailBytes * 2, at);
  };

  const startMillisecond = (next: number): void => {
    if (!(next >= 0 && next <= largestTime))
      throw new RangeError("The clock must return milliseconds since 1970.");
    time = next;
    timeHex = toTimeHex(next);
    counter = Math.floor(
      (Number.parseInt(nextTail().slice(0, 8), 16) / 2 ** 32) * (counterLimit - counterRoom),
    );
  };

  return (prefix) => {
    const clock = Math.floor(now());
    if (clock > time || Number.isNaN(clock)) startMillisecond(clock);
    else if (++counter === counterLimit) startMillisecond(time + 1);
    const version = (0x7000 | (counter >>> 14)).toString(16);
    const variant = (0x8000 | (counter & 0x3fff)).toString(16);
    // `join` creates a flat string, which is faster to write than a concatenation.
    return [prefix, "_", timeHex, version, variant, nextTail()].join("");
  };
}

function toTimeHex(time: number): string {
  return time.toString(16).padStart(12, "0");
}

/**
 * Returns a text that sorts before every id of that time or later, and after every earlier id.
 *
 * @param time milliseconds since 1970. Limited to the range of ids
 * @example
 * idsSince("req", Date.UTC(2026, 0, 1)); // "req_019b76daa800"
 */
export function idsSince(prefix: IdPrefix, time: number): string {
  return `${prefix}_${toTimeHex(Math.min(Math.max(0, Math.ceil(time)), largestTime))}`;
}

const ownId = /^[a-z]+_([0-9a-f]{12})7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

/**
 * Returns the creation time of an id of `createIdSource`, in milliseconds since 1970.
 *
 * @throws HookwrightError `internal_error` for another id, for example one that the host chose
 */
export function idTime(id: string): number {
  const hex = ownId.exec(id)?.[1];
  if (hex === undefined) {
    throw new HookwrightError("internal_error", "This id contains no time. Pass only ids of createIdSource.");
  }
  return Number.parseInt(hex, 16);
}

/** `.` and `..` change the path of a URL (RFC 3986, section 5.2.4), so such an id could not be requested. */
const hostCharacters = /^(?!\.{1,2}$)[A-Za-z0-9_.:-]{1,128}$/;

/**
 * Returns whether a text can be an id of Hookwright, or an id that the host chose for an account, a site or a
 * list.
 */
export function isHostId(text: unknown): text is string {
  return typeof text === "string" && hostCharacters.test(text);
}

const hostText = () =>
  z
    .string()
    .refine(
      isHostId,
      "must be 1 to 128 characters of A-Z, a-z, 0-9, underscore, dot, colon and hyphen, and more than one or two dots",
    );

/** Ids that the host chooses for accounts, sites and e-mail lists. */
export const hostIdSchema = hostText().meta({
  description: "1 to 128 characters of `A-Za-z0-9_.:-`.",
  example: "site_1",
  minLength: 1,
  maxLength: 128,
});

/** No white space, control or invisible characters, or half of a surrogate pair. */
const printable = /^[^\s\p{Cc}\p{Cf}\p{Cs}]{1,128}$/u;

/**
 * Returns whether a text can be the id of a business record: 1 to 128 printable characters without white
 * space (contract: Requests).
 */
export function isRecordId(text: string): boolean {
  return printable.test(text);
}

/** The id of a business record in responses. */
export const recordIdSchema = z.string().meta({
  description: "The record's id: 1 to 128 printable characters without white space.",
  example: "ord_1001",
});

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function toHex(bytes: Uint8Array): string {
  if (bytes.length !== tailBytes * idsPerRefill)
    throw new RangeError("randomBytes must return exactly as many bytes as requested.");
  let text = "";
  for (const byte of bytes) text += hexBytes[byte] ?? "";
  return text;
}
