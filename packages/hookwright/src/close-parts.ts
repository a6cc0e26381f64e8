import { endsWithin } from "@hookwright/delivery";
import type { Clock, Scheduler, Sweeper, Transport } from "@hookwright/delivery";
import type { OwnerMails, RequestLog, Service } from "@hookwright/service";
import type { Logger } from "./logger.ts";

export interface Parts {
  readonly scheduler: Pick<Scheduler, "close">;
  readonly service: Pick<Service, "testsEnded">;
  readonly sweeper: Pick<Sweeper, "close">;
  readonly requestLog: Pick<RequestLog, "close">;
  readonly ownerMails: Pick<OwnerMails, "close">;
  readonly transport: Pick<Transport, "close">;
  /** The system's. A host's idea of the time does not make its patience longer. */
  readonly clock: Clock;
  readonly logger: Pick<Logger, "warn">;
  readonly onFault: (error: unknown) => void;
}

/** Of the 15 s there are (contract §8), one is left to close the store in. */
const closeMs = 14_000;
/** So much is kept for the request log, whatever the attempts under way take. */
const leastLogMs = 1_000;

/** Closes what Hookwright runs, in time also where the store answers nothing any more; what is left then is told in one line. */
export async function closeParts(parts: Parts): Promise<void> {
  const { scheduler, service, sweeper, requestLog, ownerMails, transport, clock, logger, onFault } = parts;
  const endAt = clock.now() + closeMs;
  const deadlineMs = closeMs - leastLogMs;
  const [{ unrecorded, released }, testsEnded] = await Promise.all([
    scheduler.close({ deadlineMs }),
    // Somebody waits for what comes of them.
    endsWithin(service.testsEnded(), { clock, ms: deadlineMs, onFault }),
    endsWithin(sweeper.close(), { clock, ms: deadlineMs, onFault }),
  ]);
  const [logged] = await Promise.all([
    endsWithin(requestLog.close(), { clock, ms: endAt - clock.now(), onFault }),
    // After the scheduler, whose last answers may be worth a mail. It takes a second at most.
    ownerMails.close(),
  ]);
  await transport.close();
  if (unrecorded === 0 && testsEnded && released && logged) return;
  logger.warn(
    "closed before everything had ended: nothing is lost, and what was not recorded is sent again by the next process",
    {
      attempts_unrecorded: unrecorded,
      tests_ended: testsEnded,
      leases_released: released,
      request_log_closed: logged,
    },
  );
}
