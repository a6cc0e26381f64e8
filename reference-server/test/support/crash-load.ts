import { createDemoOrder } from "../../src/demo/demo-order.ts";
import { hostToken } from "./host-api.ts";
import type { ServerProcess } from "./server-process.ts";

/** An acknowledged event. */
export interface PublishAnswer {
  readonly id: string;
  readonly deliveries: readonly string[];
}

/** Publishes one order for each number. @throws Error if the server does not acknowledge them */
export async function publishEvents(
  server: Pick<ServerProcess, "url">,
  numbers: readonly number[],
): Promise<PublishAnswer[]> {
  const events = numbers.map((number) => ({
    event: "order.created",
    project_id: "site_1",
    data: createDemoOrder({ id: `ord_${number}`, number: String(number), createdAt: Date.now() }),
  }));
  const response = await fetch(`${server.url}/host/v1/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json" },
    body: JSON.stringify(events),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the server refused events with ${response.status}: ${text}`);
  const { data }: { data: PublishAnswer[] } = JSON.parse(text);
  return data;
}

/** Random numbers from 0 to 1. The same seed gives the same numbers (mulberry32), to repeat a failed run. */
export function randomSource(seedText?: string): { readonly seed: number; readonly random: () => number } {
  const seed = seedText === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(seedText);
  let state = seed;
  return {
    seed,
    random() {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}
