import { parseDecimal } from "./parse-number.ts";

const delayRange = { minimum: 0.05, maximum: 86_400 };
const maximumDelays = 100;

/** Seconds from one failed attempt to the next, with commas between: as many delays as there are retries. */
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
