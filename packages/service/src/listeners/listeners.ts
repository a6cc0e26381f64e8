import { maskSecrets, systemClock } from "@hookwright/delivery";
import type { ReadMessages } from "@hookwright/delivery";
import {
  HookwrightError,
  isHostId,
  listenerInputSchema,
  listenerResultInputSchema,
  parseInput,
  toTimestamp,
  triggerInputSchema,
  unknownEventProblem,
  withoutEmpty,
} from "@hookwright/domain";
import type { EventRegistry, ListenerResult } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { expectEvent } from "../lookups/expect-event.ts";
import { expectSite, expectSiteOf, findOldestProject } from "../lookups/find-project.ts";
import { noSuch } from "../lookups/no-such.ts";
import { hears, matchesPattern } from "../rows/listener-row.ts";
import type { ListenerEvent, ListenerRow } from "../rows/listener-row.ts";
import type { ProjectRow } from "../rows/project-row.ts";
import { createSigningSecret, showSecret } from "../secrets/signing.ts";
import type { EventStreams } from "../streams/event-streams.ts";
import type { ListenerUseCases } from "../use-cases.ts";
import { createListenerEventLog } from "./event-log.ts";
import { absentReaderMs } from "../rows/listener-row.ts";
import { createListenerStore } from "./listener-store.ts";
import { createListenerStreams } from "./listener-streams.ts";
import { addResult } from "../rows/listener-results.ts";
import { buildTriggeredEvent, toRecordId } from "./trigger.ts";

/**
 * Listeners: temporary subscriptions for a program on a developer's machine (contract: The developer API). They get the same deliveries as webhooks, without
 * retries and counters.
 */
export function createListeners(
  context: ServiceContext,
  readMessages: ReadMessages,
  eventStreams: EventStreams,
): ListenerUseCases {
  const { store, now, newId, randomBytes, signing, onError, listenerInbox, schemaTime } = context;
  const log = createListenerEventLog({ store, now });
  const listeners = createListenerStore(context);
  const streams = createListenerStreams({
    store,
    streams: eventStreams,
    listeners,
    log,
    readMessages,
    signing,
    clock: systemClock,
    now,
    onError,
  });

  async function expectOldestSite(accountId: string): Promise<ProjectRow> {
    const project = await findOldestProject(store, accountId);
    if (project !== undefined) return project;
    throw new HookwrightError(
      "invalid_state",
      "The account has no site that an event could come from. Add one first.",
    );
  }

  return {
    async create(caller, input, origin) {
      const { accountId, credential } = caller;
      const {
        events = null,
        project_id: named,
        signing_secret: signingSecret = createSigningSecret(randomBytes),
      } = parseInput(listenerInputSchema, withoutEmpty(input));
      for (const pattern of events ?? []) expectPattern(context.events, pattern);
      const projectId = (await expectSiteOf(store, caller, named)) ?? null;
      // Earlier events of other listeners get their positions now, before the new listener begins.
      await log.drain(accountId);
      const id = newId("lsn");
      const row: ListenerRow = {
        id,
        events,
        project_id: projectId,
        key_id: credential.type === "key" ? credential.keyId : undefined,
        secret: await signing.seal(signingSecret, id),
        created_at: now(),
        since: await log.last(accountId),
      };
      await listeners.add(accountId, row, origin);
      return {
        id,
        ...showSecret(signing, signingSecret),
        events: events === null ? null : [...events],
        project_id: projectId,
        expires_at: toTimestamp(row.created_at + absentReaderMs),
      };
    },

    async remove(caller, listenerId) {
      await listeners.remove(caller, listenerId);
      return { id: listenerId, deleted: true };
    },

    open: (listenerId, options) => streams.open(listenerId, options),

    async report(caller, listenerId, deliveryId, input) {
      const { accountId } = caller;
      const {
        status = null,
        duration_ms,
        error = null,
      } = parseInput(listenerResultInputSchema, withoutEmpty(input));
      const listener = await listeners.find(caller, listenerId);
      if (listener === undefined) throw noSuch("listener");
      const event = isHostId(deliveryId) ? await log.get(accountId, deliveryId) : undefined;
      if (event === undefined || !hears(listener, event)) throw noSuch("delivery");
      const result: ListenerResult = {
        listener_id: listenerId,
        delivery_id: deliveryId,
        status,
        duration_ms,
        error: error && maskSecrets(error, []),
        reported_at: toTimestamp(now()),
      };
      // A triggered event has no delivery that the result could be shown beside. The id of its record is the caller's choice.
      if (event.body !== undefined) return result;
      await addResult(store, accountId, { event, result, now: now() });
      return result;
    },

    async trigger(caller, input) {
      const { accountId, credential } = caller;
      const {
        event: name,
        project_id: named,
        data = {},
        test: isTest = true,
        strict: isStrict = false,
      } = parseInput(triggerInputSchema, withoutEmpty(input));
      const known = expectEvent(context.events, name, "event");
      const { event } = known.type;
      const projectId = await expectSiteOf(store, caller, named);
      const project = await (projectId === undefined
        ? expectOldestSite(accountId)
        : expectSite(store, accountId, projectId));
      const deliveryId = newId("dlv");
      const parts = {
        known,
        project,
        data,
        recordId: isTest
          ? deliveryId.replace("dlv_", "test_")
          : toRecordId(known.type.sample.data.id, deliveryId.replace("dlv_", "")),
        isStrict,
        bodyForm: context.bodyForm,
        now: now(),
      };
      const { id, recordId, body } = schemaTime.run(accountId, () => buildTriggeredEvent(parts));
      const triggered: ListenerEvent = {
        id: deliveryId,
        event,
        record_id: recordId,
        record_arrival: 0,
        project_id: project.id,
        created_at: now(),
        body,
        ...(isTest ? {} : { is_test: false }),
        ...(credential.type === "key" ? { key_id: credential.keyId } : {}),
      };
      const heardBy = (await listeners.list(caller)).filter((listener) => hears(listener, triggered));
      const part = listenerInbox.add(accountId, JSON.stringify(heardBy), triggered);
      if (part !== undefined) {
        await store.commit(partitionOf(accountId), part);
        // Bodies are large. In the log they are limited in size, whether or not a reader is connected.
        await log.drain(accountId);
      }
      return { id, event, listeners: heardBy.length };
    },

    close: () => streams.close(),
  };
}

function expectPattern({ names }: EventRegistry, pattern: string): void {
  if (names.some((event) => matchesPattern(pattern, event))) return;
  const patterns = [...new Set(names.map((name) => name.replace(/\..*$/u, ".*")))];
  const known = pattern.includes("*") ? patterns : names;
  throw new HookwrightError("unknown_event", `events: ${unknownEventProblem(pattern, known)}`);
}
