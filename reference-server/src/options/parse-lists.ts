import { parseDecimal, parseWholeNumber } from "./parse-number.ts";

/** A port, or the first and the last port of a range. */
export type AllowedPort = number | readonly [first: number, last: number];

const portRange = { minimum: 1, maximum: 65_535 };
const maximumEntries = 100;

/**
 * Parses ports and ranges, separated by commas.
 *
 * @example parseAllowedPorts("443,1024-65535") // [443, [1024, 65535]]
 */
export function parseAllowedPorts(text: string): readonly AllowedPort[] | undefined {
  const parts = text.split(",");
  if (parts.length > maximumEntries) return undefined;
  const allowed: AllowedPort[] = [];
  for (const part of parts) {
    const entry = parseEntry(part.trim());
    if (entry === undefined) return undefined;
    allowed.push(entry);
  }
  return allowed;
}

function parseEntry(text: string): AllowedPort | undefined {
  const [first, last, ...others] = text.split("-").map((port) => parseWholeNumber(port.trim(), portRange));
  if (first === undefined || others.length > 0) return undefined;
  if (!text.includes("-")) return first;
  return last === undefined || last < first ? undefined : [first, last];
}

const delayRange = { minimum: 0.05, maximum: 86_400 };
const maximumDelays = 100;

/** Parses the seconds from each failed attempt to the next, separated by commas: one delay per retry. */
export function parseRetryDelays(text: string): readonly number[] | undefined {
  const parts = text.split(",");
  if (parts.length > maximumDelays) return undefined;
  const delays: number[] = [];
  for (const part of parts) {
    const seconds = parseDecimal(part.trim(), delayRange);
    if (seconds === undefined) return undefined;
    delays.push(seconds);
  }
  return delays;
}
