import { systemClock } from "@hookwright/delivery";
import type { LogCode, OnError } from "@hookwright/domain";
import { createDeclaredEvents, createServerKeys, findRemovedEvents } from "@hookwright/service";
import type { DeclaredEvents, ServerKeys } from "@hookwright/service";
import type { Store } from "@hookwright/storage";
import { extendExpiry } from "../extend-expiry.ts";
import { bindSecret } from "../options/bind-secret.ts";
import { openOutboxes } from "../outbox/open-outboxes.ts";
import type { Outboxes } from "../outbox/open-outboxes.ts";
import { createCommitOutcomes } from "../readiness/commit-outcomes.ts";
import { createOutageWatch } from "../readiness/outage-watch.ts";
import type { OutageWatch } from "../readiness/outage-watch.ts";
import { createWriteCheck } from "../readiness/write-check.ts";
import type { WriteCheck } from "../readiness/write-check.ts";
import type { Setup } from "./read-setup.ts";

/** The store of the host, and what watches it. */
export interface Storage {
  readonly store: Store;
  readonly serverKeys: ServerKeys;
  /** The events that the host declares over the host API. */
  readonly declaredEvents: DeclaredEvents;
  readonly outboxes: Outboxes;
  readonly writeCheck: WriteCheck;
  readonly outageWatch: OutageWatch;
  /** Logs an error. If an outage of the storage may have caused it, the outage is followed to its end. */
  readonly onError: OnError;
}

/** Errors that an outage of the storage causes. */
const outageCodes: ReadonlySet<LogCode> = new Set([
  "leases_not_renewed",
  "queues_not_read",
  "results_not_recorded",
] as const);

/**
 * Reads the keys of the store, and opens its outboxes.
 *
 * @throws ConfigurationError `invalid_option` if the data was written with another secret
 * @throws StorageError if the store cannot be read
 */
export async function openStorage({ options, checked, metrics, log, now }: Setup): Promise<Storage> {
  const { secret, previousSecrets = [] } = options;
  const outcomes = createCommitOutcomes(systemClock);
  const store = metrics.observeStore(
    checked.now === undefined ? options.store : extendExpiry(options.store, checked.now),
    outcomes.begin,
  );
  await bindSecret({ store, secret, previousSecrets });
  const serverKeys = createServerKeys({ store, secret, previousSecrets });
  await serverKeys.refresh();
  const declaredEvents = createDeclaredEvents({
    store,
    registry: checked.events,
    onProblem: (problem) => log("event_type_refused", problem),
  });
  await declaredEvents.refresh();
  // A worker may be started without definitions: it delivers events that it does not know.
  if (checked.role !== "worker") {
    if (checked.events.names.length === 0) log("events_missing");
    for (const { event, webhooks, isCountedFully } of await findRemovedEvents(store, checked.events))
      log("event_removed", { event, webhooks, counted: isCountedFully ? "all" : "some" });
  }
  const outboxes = await openOutboxes({ ofStore: store.outbox, given: options.outbox });
  const writeCheck = createWriteCheck({ store, outcomes, clock: systemClock, now, log });
  const outageWatch = createOutageWatch({ check: writeCheck.check, clock: systemClock });
  const onError: OnError = (error, { code, ...fields }) => {
    log(code, { ...fields, error });
    if (outageCodes.has(code)) outageWatch.note();
  };
  return { store, serverKeys, declaredEvents, outboxes, writeCheck, outageWatch, onError };
}
