import { endsWithin } from "@hookwright/delivery";
import type { Clock, Scheduler, Sweeper, Transport } from "@hookwright/delivery";
import type { OnError, WriteLogLine } from "@hookwright/domain";
import type { OwnerMails, RequestLog, Service } from "@hookwright/service";

export interface Parts {
  readonly scheduler: Pick<Scheduler, "close">;
  readonly service: Pick<Service, "testsEnded">;
  readonly sweeper: Pick<Sweeper, "close">;
  readonly requestLog: Pick<RequestLog, "close">;
  readonly ownerMails: Pick<OwnerMails, "close">;
  readonly transport: Pick<Transport, "close">;
  /** The system's. A host's idea of the time does not make its patience longer. */
  readonly clock: Clock;
  readonly log: WriteLogLine;
  readonly onError: OnError;
}

/** Of the 15 s there are (contract §8), one is left to close the store in. */
const closeMs = 14_000;
/** So much is kept for the request log, whatever the attempts under way take. */
const leastLogMs = 1_000;

/** Closes what Hookwright runs, in time also where the store answers nothing any more; what is left then is told in one line. */
export async function closeParts(parts: Parts): Promise<void> {
  const { scheduler, service, sweeper, requestLog, ownerMails, transport, clock, log, onError } = parts;
  const reportFor = (part: string) => (error: unknown) => onError(error, { part, code: "shutdown_failed" });
  const endAt = clock.now() + closeMs;
  const deadlineMs = closeMs - leastLogMs;
  const [{ unrecorded, released }, testsEnded] = await Promise.all([
    scheduler.close({ deadlineMs }),
    // Somebody waits for what comes of them.
    endsWithin(service.testsEnded(), { clock, ms: deadlineMs, onFault: reportFor("tests") }),
    endsWithin(sweeper.close(), { clock, ms: deadlineMs, onFault: reportFor("sweeper") }),
  ]);
  const [logged] = await Promise.all([
    endsWithin(requestLog.close(), {
      clock,
      ms: endAt - clock.now(),
      onFault: reportFor("request_log"),
    }),
    // After the scheduler, whose last answers may be worth a mail. It takes a second at most.
    ownerMails.close(),
  ]);
  await transport.close();
  if (unrecorded === 0 && testsEnded && released && logged) return;
  log("shutdown_incomplete", {
    attempts_unrecorded: unrecorded,
    tests_ended: testsEnded,
    leases_released: released,
    request_log_closed: logged,
  });
}
