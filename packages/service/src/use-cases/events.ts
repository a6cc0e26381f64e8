import type {
  Deleted,
  EventType,
  HostEventType,
  OutboxCounts,
  RejectedEvent,
  RetriedEvent,
} from "@hookwright/domain";
import type { ChangeOrigin } from "./caller.ts";
import type { Page, PageRequest } from "./page.ts";
import type { RecordText } from "./records.ts";

/** Events of the outbox that could not be published. Without an outbox, each function but `count` throws `resource_not_found`. */
export interface RejectedEventUseCases {
  /** Counts rejected events, up to 10,000. Null: there is no outbox. */
  count(): Promise<OutboxCounts>;
  /** Newest first. @throws HookwrightError `invalid_cursor` */
  list(page: PageRequest): Promise<Page<RejectedEvent>>;
  /** @throws HookwrightError `resource_not_found` */
  get(id: string): Promise<RejectedEvent>;
  /**
   * Puts an event into the outbox again, from which it is published once, as any other. What the check finds leaves it rejected. Of
   * several calls, one succeeds.
   *
   * @param input what is corrected. `data` replaces the whole record. @default nothing
   * @throws HookwrightError `validation_failed`, `unknown_event`, `resource_not_found`
   * @example
   * await rejectedEvents.retry(id, { project_id: "site_1" });
   */
  retry(id: string, input?: unknown, origin?: ChangeOrigin): Promise<RetriedEvent>;
  /** Removes it without publishing it. @throws HookwrightError `resource_not_found` */
  remove(id: string, origin?: ChangeOrigin): Promise<Deleted>;
}

export interface EventTypeUseCases {
  list(): readonly EventType[];
  /** The newest records published under an event. Each is a complete delivery body as JSON text. */
  samples(
    accountId: string,
    event: string,
    options: { readonly project_id?: string | undefined; readonly limit: number },
  ): Promise<readonly RecordText[]>;
}

/** The events of the instance, and those that the host declares over the host API. */
export interface HostEventTypeUseCases {
  list(): Promise<readonly HostEventType[]>;
  /**
   * Declares an event, or replaces its declaration. Every process knows it within a second.
   *
   * @throws HookwrightError `validation_failed`, `invalid_state` for an event of the specification or the program
   */
  put(
    event: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<{ readonly eventType: HostEventType; readonly created: boolean }>;
  /** @throws HookwrightError `resource_not_found`, `invalid_state` if webhooks name it, or if it was not declared */
  remove(event: string, origin?: ChangeOrigin): Promise<Deleted>;
}
