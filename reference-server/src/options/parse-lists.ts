import { wholeNumberSetting } from "@hookwright/domain";

/** A port, or the first and the last port of a range. */
export type AllowedPort = number | readonly [first: number, last: number];

const port = wholeNumberSetting({ description: "", minimum: 1, maximum: 65_535, fallback: 443 });
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
  const [first, last, ...others] = text.split("-").map((part) => port.parse(part.trim()));
  if (first === undefined || others.length > 0) return undefined;
  if (!text.includes("-")) return first;
  return last === undefined || last < first ? undefined : [first, last];
}
