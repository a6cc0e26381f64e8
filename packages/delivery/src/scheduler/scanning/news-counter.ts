import type { OnError } from "@hookwright/domain";
import type { Clock } from "../../time/clock.ts";
import type { Lane } from "../lanes/lane.ts";
import type { Lanes } from "../lanes/lanes.ts";
import { createBriskPace } from "./scan-pace.ts";

/** Counts what is new for webhooks that are slow: they have so many turns without pace. Others need none, or have none. */
export interface NewsCounter {
  /** Somebody has told of something new for this one, and not of how much; or nobody has looked yet at what was found of it. Nobody waits for the count. */
  add(lane: Lane): void;
}

export interface NewsCounterOptions {
  readonly lanes: Pick<Lanes, "enqueue">;
  readonly clock: Clock;
  readonly worksFor: (partition: string) => boolean;
  /** One that was counted stands in the line. */
  readonly onCounted: () => void;
  readonly onFault: OnError;
}

export function createNewsCounter(options: NewsCounterOptions): NewsCounter {
  const { lanes, clock, worksFor, onCounted, onFault } = options;
  const waiting = new Set<Lane>();
  let isCounting = false;

  /** One after the other; what is added meanwhile comes after them. */
  async function countAll(): Promise<void> {
    isCounting = true;
    const pace = createBriskPace();
    for (const lane of waiting) {
      waiting.delete(lane);
      if (lane.dropped || !worksFor(lane.partition)) continue;
      try {
        await lane.countNews(clock.now(), pace.rest);
        lanes.enqueue(lane);
        onCounted();
      } catch (error) {
        const { accountId, webhookId } = lane.address;
        onFault(error, { account_id: accountId, webhook_id: webhookId, code: "queues_not_read" });
      }
    }
    isCounting = false;
  }

  return {
    add(lane) {
      if (lane.standing() !== "slow") return;
      waiting.add(lane);
      if (!isCounting) void countAll();
    },
  };
}
