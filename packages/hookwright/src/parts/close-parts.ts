import { endsWithin, systemClock } from "@hookwright/delivery";
import type { Parts } from "./build-parts.ts";

/** Shutdown may take 15 s (contract: The server). One second is left to close the store. */
const closeMs = 14_000;
/** Closing the notice runner takes at most this time. */
const noticesMs = 1_000;
/** The request log gets at least this time, however long the current attempts take. */
const leastLogMs = 1_000;

/**
 * Closes all parts within the deadline, even if the store does not respond. One log line lists what was not completed.
 */
export async function closeParts(parts: Parts): Promise<void> {
  const { worker, service, relays, sweeper, jobRunner, requestLog, noticeRunner } = parts;
  const { outageWatch, transport, log, onError } = parts;
  // The host's clock must not extend the deadline.
  const clock = systemClock;
  const reportFor = (part: string) => (error: unknown) => onError(error, { part, code: "shutdown_failed" });
  outageWatch.close();
  const endAt = clock.now() + closeMs;
  const deadlineMs = closeMs - leastLogMs - noticesMs;
  // It needs the leases to store that a mail was sent.
  await noticeRunner.close();
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
  const logged = await endsWithin(requestLog.close(), {
    clock,
    ms: endAt - clock.now(),
    onFault: reportFor("request_log"),
  });
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
