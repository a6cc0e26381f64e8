import { startProgram } from "./program.ts";
import type { Figures } from "./rounds.ts";

/** All deliveries, with those before the measurement. */
export type FilledFigures = Figures & { readonly total: number };

/** V8 compiles the last functions of a delivery after some thousand. */
const warmUp = { single: 2_000, many: 8_000 };
/** The orders of all measurements are different. */
let firstOrder = 0;

/**
 * Delivers from a filled storage to its endpoints in turn. Each measurement has a process of its own, whose caches are empty.
 *
 * @param load.isSingle publishes an event when the one before is delivered. @default many at once
 */
export async function deliverFrom(
  location: string,
  load: { readonly endpoints: number; readonly deliveries: number; readonly isSingle?: boolean },
): Promise<FilledFigures> {
  firstOrder += 1_000_000;
  const kind = load.isSingle === true ? "single" : "many";
  await using program = startProgram(new URL("../programs/deliver-filled.ts", import.meta.url), {
    args: [location, String(load.endpoints), String(firstOrder), kind],
  });
  await program.request(warmUp[kind]);
  return { ...(await program.request(load.deliveries)), total: warmUp[kind] + load.deliveries };
}
