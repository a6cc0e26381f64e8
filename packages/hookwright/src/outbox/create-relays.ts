import type { Clock } from "@hookwright/delivery";
import type { WriteLogLine } from "@hookwright/domain";
import { createRelay } from "./create-relay.ts";
import type { PublishFromOutbox } from "./create-relay.ts";
import type { Outboxes } from "./open-outboxes.ts";
import { createOutboxWatch } from "./outbox-watch.ts";

/** The relays of all outboxes of an instance, and what their metrics show. */
export interface OutboxRelays {
  start(): void;
  /** Notices outboxes that are stuck, also in a process that does not relay. */
  watch(): void;
  /** A sentence about each outbox that is stuck. */
  readonly problems: () => readonly string[];
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
  const all = outboxes.all.map(({ outbox, isInStore }) => {
    const relay = createRelay({
      outbox,
      isInStore,
      notify: outboxes.notify,
      publish,
      isKnownElsewhere,
      clock,
      log,
      onRejected: (count) => (rejected += count),
    });
    return { relay, watch: createOutboxWatch({ outbox, relay, clock, log }) };
  });
  return {
    start() {
      for (const { relay } of all) relay.start();
    },
    watch() {
      for (const { watch } of all) watch.start();
    },
    problems: () => all.flatMap(({ watch }) => watch.problem() ?? []),
    async close() {
      for (const { watch } of all) watch.close();
      await Promise.all(all.map(({ relay }) => relay.close()));
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
