import { createTextCache } from "@hookwright/storage/text-cache";

/** What a publish must know of a listener. */
export interface ListenerFilter {
  readonly id: string;
  /** Event names, and patterns such as `order.*`. Null: every event. */
  readonly events: readonly string[] | null;
  /** Null: every site. */
  readonly project_id: string | null;
}

/** A stored listener. Times are milliseconds since the epoch. */
export interface ListenerRow extends ListenerFilter {
  /** The key that created it. Absent: a session of the console. */
  readonly key_id?: string | undefined;
  /** Encrypted. */
  readonly secret: string;
  readonly created_at: number;
  /** Its events have later positions than this. */
  readonly since: number;
}

/** A listener without a reader is removed after this time. */
export const absentReaderMs = 10 * 60 * 1_000;
/** A process with a reader extends the listener this often. */
export const renewalMs = 60 * 1_000;
/** The lifetime of a listener with a reader. If its process dies, at least {@link absentReaderMs} are left. */
export const presentReaderMs = absentReaderMs + renewalMs;

/** An event for listeners. Like a webhook delivery, it refers to the record, which is read when the event is sent. */
export interface ListenerEvent {
  /** The value of `X-Service-Delivery`. */
  readonly id: string;
  readonly event: string;
  readonly record_id: string;
  readonly record_arrival: number;
  /** See `DeliveryRow.about`. */
  readonly about?: string | undefined;
  readonly project_id: string;
  readonly created_at: number;
  /** The body of a triggered event, which has no record. */
  readonly body?: string | undefined;
  /** The key that triggered it, whose listeners alone get it. Absent: every listener may get it. */
  readonly key_id?: string | undefined;
  /** False for a triggered event that is sent as an ordinary delivery. */
  readonly is_test?: boolean | undefined;
}

/** An event with its place in the order of the account's events. */
export interface LoggedListenerEvent extends ListenerEvent {
  /** The position of the event before it. Shows whether events in between were removed. */
  readonly previous: number;
}

/** The listeners of an account, some of which may have expired. */
export const parseListenerIndex = createTextCache((text): readonly ListenerFilter[] => JSON.parse(text), {
  maximum: 1_000,
});

/** Whether a listener gets an event. */
export function hears(
  { events, project_id: ownProject, key_id: ownKey }: ListenerFilter & Pick<ListenerRow, "key_id">,
  { event, project_id: projectId, key_id: keyId }: Pick<ListenerEvent, "event" | "project_id" | "key_id">,
): boolean {
  if (ownProject !== null && ownProject !== projectId) return false;
  if (keyId !== undefined && ownKey !== keyId) return false;
  return events === null || events.some((pattern) => matchesPattern(pattern, event));
}

/** @example matchesPattern("order.*", "order.paid") // true */
export function matchesPattern(pattern: string, event: string): boolean {
  return pattern.endsWith(".*") ? event.startsWith(pattern.slice(0, -1)) : pattern === event;
}
