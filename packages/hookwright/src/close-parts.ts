import { endsWithin } from "@hookwright/delivery";
import type { Clock, Transport, Worker } from "@hookwright/delivery";
import type { OnError, WriteLogLine } from "@hookwright/domain";
import type { OutageWatch } from "./readiness/outage-watch.ts";
import type { OutboxRelays } from "./outbox/create-relays.ts";
import type { JobRunner, OwnerMails, RequestLog, Service, Sweeper } from "@hookwright/service";

export interface Parts {
  readonly worker: Pick<Worker, "close">;
  readonly service: Pick<Service, "testsEnded" | "listeners" | "consoleEvents">;
  readonly outageWatch: Pick<OutageWatch, "close">;
  readonly relays: Pick<OutboxRelays, "close">;
  readonly sweeper: Pick<Sweeper, "close">;
  readonly jobRunner: Pick<JobRunner, "close">;
  readonly requestLog: Pick<RequestLog, "close">;
  readonly ownerMails: Pick<OwnerMails, "close">;
  readonly transport: Pick<Transport, "close">;
  /** The system clock, because the host's clock must not extend the deadline. */
  readonly clock: Clock;
  readonly log: WriteLogLine;
  readonly onError: OnError;
}

/** Shutdown may take 15 s (contract: The server). One second is left to close the store. */
const closeMs = 14_000;
/** The request log gets at least this time, however long the current attempts take. */
const leastLogMs = 1_000;

/**
 * Closes all parts within the deadline, even if the store does not respond. One log line lists what was not completed.
 */
export async function closeParts(parts: Parts): Promise<void> {
  const { worker, service, relays, sweeper, jobRunner, requestLog, ownerMails } = parts;
  const { transport, clock, log, onError } = parts;
  const reportFor = (part: string) => (error: unknown) => onError(error, { part, code: "shutdown_failed" });
  parts.outageWatch.close();
  const endAt = clock.now() + closeMs;
  const deadlineMs = closeMs - leastLogMs;
  const [{ unrecorded, released }, testsEnded, relayed] = await Promise.all([
    worker.close({ deadlineMs }),
    // Somebody waits for what comes of them.
    endsWithin(service.testsEnded(), { clock, ms: deadlineMs, onFault: reportFor("tests") }),
    endsWithin(relays.close(), { clock, ms: deadlineMs, onFault: reportFor("outbox") }),
    // Without a reader, the last write of a listener only sets its expiry.
    endsWithin(service.listeners.close(), { clock, ms: deadlineMs, onFault: reportFor("listeners") }),
    endsWithin(service.consoleEvents.close(), {
      clock,
      ms: deadlineMs,
      onFault: reportFor("console_events"),
    }),
    endsWithin(sweeper.close(), { clock, ms: deadlineMs, onFault: reportFor("sweeper") }),
    endsWithin(jobRunner.close(), { clock, ms: deadlineMs, onFault: reportFor("job runner") }),
  ]);
  const [logged] = await Promise.all([
    endsWithin(requestLog.close(), {
      clock,
      ms: endAt - clock.now(),
      onFault: reportFor("request_log"),
    }),
    // After the worker, whose last results may cause mails. Takes at most a second.
    ownerMails.close(),
  ]);
  await transport.close();
  if (unrecorded === 0 && testsEnded && relayed && released && logged) return;
  log("shutdown_incomplete", {
    attempts_unrecorded: unrecorded,
    tests_ended: testsEnded,
    outbox_closed: relayed,
    leases_released: released,
    request_log_closed: logged,
  });
}
