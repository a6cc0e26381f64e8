import { createDelivery } from "@hookwright/delivery";
import type { Clock, DeliveryRow, ReadMessages } from "@hookwright/delivery";
import type { ListenerEvent } from "../rows/listener-row.ts";
import { createChangeSignal } from "../streams/change-signal.ts";
import type { ChangeSignal } from "../streams/change-signal.ts";
import type { ListenerEventLog, PositionedEvent } from "./event-log.ts";

/** An event with its body as it is now. */
export interface LoadedEvent extends PositionedEvent {
  /** Undefined: nothing is sent, for example because the record was deleted. */
  readonly body: string | undefined;
}

/** The events of one account for its readers in this process. */
export interface EventFeed extends ChangeSignal {
  /** The next events after a position. Empty if there are none yet. */
  read(after: number): Promise<readonly LoadedEvent[]>;
}

export interface EventFeedOptions {
  readonly accountId: string;
  readonly log: ListenerEventLog;
  readonly readMessages: ReadMessages;
  readonly clock: Clock;
}

const eventsAtOnce = 50;
/** Under load, reads of a feed are this far apart, so that they share their cost. The first one after a pause is at once. */
const readIntervalMs = 20;
/** A slow reader holds at most this much, and one body more. */
const charactersAtOnce = 256 * 1_024;

/** Readers at the same position share their reads. A webhook's deliveries and a listener's events have the same bodies. */
export function createEventFeed({ accountId, log, readMessages, clock }: EventFeedOptions): EventFeed {
  const signal = createChangeSignal({ clock });
  let drained = 0;
  let drainedAt = Number.NEGATIVE_INFINITY;
  let draining: Promise<void> | undefined;
  const reads = new Map<string, Promise<readonly LoadedEvent[]>>();

  async function drainOnce(): Promise<void> {
    await waitForTurn();
    const seen = signal.version();
    drainedAt = clock.now();
    try {
      await log.drain(accountId);
      drained = seen;
    } finally {
      draining = undefined;
    }
  }

  /** Resolves when the last moves of the inbox are long enough ago. */
  function waitForTurn(): Promise<void> {
    const leftMs = drainedAt + readIntervalMs - clock.now();
    if (leftMs <= 0) return Promise.resolve();
    return new Promise((resolve) => void clock.schedule(resolve, leftMs));
  }

  async function load(after: number): Promise<readonly LoadedEvent[]> {
    while (drained < signal.version()) await (draining ??= drainOnce());
    const events = await log.read(accountId, after, eventsAtOnce);
    const published = events.filter(({ event }) => event.body === undefined);
    const messages = await readMessages(
      accountId,
      published.map(({ event }) => toDeliveryRow(event)),
    );
    const bodies = new Map(
      published.map(({ position }, index) => {
        const message = messages[index];
        return [position, message?.ok === true ? message.body : undefined];
      }),
    );
    let size = 0;
    const loaded = events.map((positioned): LoadedEvent => ({
      ...positioned,
      body: positioned.event.body ?? bodies.get(positioned.position),
    }));
    const end = loaded.findIndex(({ body }, index) => {
      size += body?.length ?? 0;
      return index > 0 && size > charactersAtOnce;
    });
    return end === -1 ? loaded : loaded.slice(0, end);
  }

  return {
    ...signal,
    read(after) {
      // A read that began before a change may miss it, so only readers that saw the same version share it.
      const key = `${signal.version()}/${after}`;
      const running = reads.get(key);
      if (running !== undefined) return running;
      const read = load(after).finally(() => reads.delete(key));
      reads.set(key, read);
      return read;
    },
  };
}

/** The delivery that a webhook would get. */
export function toDeliveryRow(event: ListenerEvent): DeliveryRow {
  return createDelivery({
    id: event.id,
    webhook: { id: "", event: event.event, target_url: "" },
    event: event.event,
    recordId: event.record_id,
    recordArrival: event.record_arrival,
    about: event.about,
    projectId: event.project_id,
    kind: event.body === undefined || event.is_test === false ? "event" : "test",
    now: event.created_at,
  });
}
