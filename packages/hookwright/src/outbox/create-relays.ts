import type { Clock } from "@hookwright/delivery";
import type { WriteLogLine } from "@hookwright/domain";
import { createRelay } from "./create-relay.ts";
import type { PublishFromOutbox } from "./create-relay.ts";
import type { Outboxes } from "./open-outboxes.ts";

/** The relays of all outboxes of an instance, and what their metrics show. */
export interface OutboxRelays {
  start(): void;
  /** Stops the relays, then closes the connections that belong to them. */
  close(): Promise<void>;
  /** Rows that were rejected since the start. */
  readonly rejected: () => number;
  /** The last measured age of the oldest row in seconds. */
  readonly oldestSeconds: () => number;
  /** Measures that age. It is NaN if an outbox cannot be read. */
  measure(): Promise<void>;
}

export function createRelays(options: {
  readonly outboxes: Outboxes;
  readonly publish: PublishFromOutbox;
  readonly isKnownElsewhere: (event: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: WriteLogLine;
}): OutboxRelays {
  const { outboxes, publish, isKnownElsewhere, clock, log } = options;
  let rejected = 0;
  let oldestSeconds = 0;
  const relays = outboxes.all.map(({ outbox, isInStore }) =>
    createRelay({
      outbox,
      isInStore,
      notify: outboxes.notify,
      publish,
      isKnownElsewhere,
      clock,
      log,
      onRejected: (count) => (rejected += count),
    }),
  );
  return {
    start() {
      for (const relay of relays) relay.start();
    },
    async close() {
      await Promise.all(relays.map((relay) => relay.close()));
      await outboxes.close();
    },
    rejected: () => rejected,
    oldestSeconds: () => oldestSeconds,
    async measure() {
      const ages = await Promise.all(
        // The metric itself shows the failure.
        outboxes.all.map(({ outbox }) => outbox.oldestSeconds().catch(() => Number.NaN)),
      );
      oldestSeconds = Math.max(0, ...ages);
    },
  };
}
