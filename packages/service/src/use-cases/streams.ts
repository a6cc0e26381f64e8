import type { CreatedListener, Deleted, ListenerResult, Triggered } from "@hookwright/domain";
import type { Caller, ChangeOrigin, Developer } from "./caller.ts";

/** What a stream of events depends on. It ends within a second when its credential ends. */
export interface StreamAccess {
  /** The network of the client: at a limit, networks with fewer streams come first. @default one for all without it */
  readonly network?: string | undefined;
  readonly token: string;
  /** The caller of the token. */
  readonly caller: Caller;
  /** Called after each change of the credential or its account. The stream ends if it throws an error below 500. */
  readonly check: (caller: Caller) => void;
}

export interface ListenerStreamOptions extends StreamAccess {
  /** The delivery after which the stream begins. Unknown ids are older than everything that is kept. @default the oldest event since the listener was created */
  readonly lastEventId?: string | undefined;
}

/** A stream of server-sent events. */
export interface EventStream {
  /** The next event or comment as text. Waits up to 15 s for it. Undefined: the stream has ended. */
  next(): Promise<string | undefined>;
  /** Resolves at the end, even if nobody waits for the next event. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Temporary subscriptions for a developer's machine. A key sees only the listeners that it created. */
export interface ListenerUseCases {
  /** Only this response contains `signing_secret`. @throws `unknown_event`, `invalid_project`, `invalid_state` if the account has ten */
  create(caller: Developer, input: unknown, origin?: ChangeOrigin): Promise<CreatedListener>;
  remove(caller: Developer, listenerId: string): Promise<Deleted>;
  /** @throws `resource_not_found`; `rate_limited` if this credential already has more of the streams than others */
  open(listenerId: string, options: ListenerStreamOptions): Promise<EventStream>;
  /** Stores what the program behind a listener answered. @throws `resource_not_found` */
  report(caller: Developer, listenerId: string, deliveryId: string, input: unknown): Promise<ListenerResult>;
  /** Sends a sample event to the listeners that the caller sees. @throws `unknown_event`, `invalid_project`, `invalid_state` without a site */
  trigger(caller: Developer, input: unknown): Promise<Triggered>;
  /** Ends all streams of this process. */
  close(): Promise<void>;
}

/** What the pages of the console show while they are open. */
export interface ConsoleEventUseCases {
  /**
   * The changes of deliveries and webhooks of an account, as rows of their lists. A row that changes twice may be sent once.
   *
   * @throws `rate_limited` if this session already has more of the streams than others
   */
  open(access: StreamAccess): Promise<EventStream>;
  /** Ends all streams of this process. */
  close(): Promise<void>;
}
