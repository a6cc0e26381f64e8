import type { Clock } from "@hookwright/delivery";
import type { WriteLogLine } from "@hookwright/domain";
import type { Outbox } from "@hookwright/storage";
import type { RelayStatus } from "./create-relay.ts";

/** Notices that the rows of an outbox are not published, whichever process should do it. */
export interface OutboxWatch {
  start(): void;
  close(): void;
  /** A sentence that may be public, while the outbox is stuck. */
  readonly problem: () => string | undefined;
}

export interface OutboxWatchOptions {
  readonly outbox: Pick<Outbox, "schema" | "readState">;
  readonly relay: { readonly status: () => RelayStatus };
  readonly clock: Clock;
  readonly log: WriteLogLine;
}

const checkMs = 10_000;
/** Longer than another process needs to take over from a machine that is gone. */
const stuckMs = 30_000;
/** While it is stuck. */
const repeatMs = 5 * 60_000;

/**
 * A relay takes the row with the lowest id within milliseconds, so an outbox whose first row stays the same is stuck. The age of
 * that row says less: a long transaction commits rows that are old.
 */
export function createOutboxWatch({ outbox, relay, clock, log }: OutboxWatchOptions): OutboxWatch {
  const { schema } = outbox;
  /** What has not changed since then. */
  let seen: { readonly what: string; readonly since: number } | undefined;
  let loggedAt: number | undefined;
  let problem: string | undefined;
  let cancel: (() => void) | undefined;
  let isClosed = false;

  async function check(): Promise<void> {
    const state = await outbox.readState().then(
      (read) => ({ ...read, error: undefined }),
      (error: unknown) => ({ oldest: undefined, relay: undefined, error }),
    );
    if (isClosed) return;
    cancel = clock.schedule(() => void check(), checkMs);
    const what = state.error === undefined ? state.oldest?.id : "unreadable";
    if (what === undefined || what !== seen?.what) return change(what);
    const now = clock.now();
    if (now - seen.since < stuckMs) return;
    problem =
      state.error === undefined
        ? "Events wait in the outbox, and the first of them is not published. The log says why (outbox_stuck)."
        : "The outbox cannot be read. The log says why (outbox_stuck).";
    if (loggedAt !== undefined && now - loggedAt < repeatMs) return;
    loggedAt = now;
    const { relays, error: ofRelay } = relay.status();
    // Of another process, this one knows no error.
    const error = relays || state.relay === undefined ? (state.error ?? ofRelay) : undefined;
    log("outbox_stuck", {
      schema,
      ...(state.oldest === undefined
        ? {}
        : { outbox_id: state.oldest.id, waiting_seconds: Math.round(state.oldest.seconds) }),
      problem:
        error === undefined
          ? describe(relays, state.relay)
          : "This process cannot publish it. `error` says why.",
      ...(error === undefined ? {} : { error }),
    });
  }

  function change(what: string | undefined): void {
    const now = clock.now();
    if (loggedAt !== undefined) log("outbox_moving", { schema, stuck_ms: now - (seen?.since ?? now) });
    loggedAt = undefined;
    problem = undefined;
    seen = what === undefined ? undefined : { what, since: now };
  }

  return {
    start: () => void check(),
    close() {
      isClosed = true;
      cancel?.();
    },
    problem: () => problem,
  };
}

type Session = NonNullable<Awaited<ReturnType<Outbox["readState"]>>["relay"]>;

function describe(relays: boolean, session: Session | undefined): string {
  if (relays) return "This process has the right to relay, but publishes nothing. Restart it.";
  if (session === undefined) return "No process relays. Start one with the role all or worker.";
  const { session: id, program, address } = session;
  const named = [program, address].filter((each) => each !== undefined && each !== "").join(", ");
  return `Another process has the right to relay: session ${id} of PostgreSQL${named === "" ? "" : ` (${named})`}. Read its log. If it hangs, end it: select pg_terminate_backend(${id}).`;
}
