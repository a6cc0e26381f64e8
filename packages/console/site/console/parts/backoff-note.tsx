import type { ConsoleWebhook } from "@hookwright/domain";
import { useEffect, useState } from "preact/hooks";

/** The result of the attempt after the back-off is recorded within this time, as a rule. */
const recordingMs = 1_000;

/** Says that a webhook is in back-off, and counts down to its next attempt. */
export function BackoffNote({
  webhook,
  onEnd,
}: {
  readonly webhook: ConsoleWebhook;
  /** Called once the next attempt has probably been made. */
  readonly onEnd: () => void;
}) {
  const { status, backoff_until: until, consecutive_failures: failures } = webhook;
  const [now, setNow] = useState(Date.now);
  const leftMs = until === null || status !== "active" ? 0 : Date.parse(until) - now;
  const isOver = leftMs <= 0;
  useEffect(() => {
    setNow(Date.now());
    if (until === null || status !== "active" || Date.parse(until) <= Date.now()) return;
    const ticking = setInterval(() => setNow(Date.now()), 1_000);
    const ending = setTimeout(onEnd, Date.parse(until) - Date.now() + recordingMs);
    return () => {
      clearInterval(ticking);
      clearTimeout(ending);
    };
  }, [until, status]);
  if (isOver) return null;
  return (
    <p class="note warn">
      In back-off after {failures} failed attempts in a row. Next attempt in{" "}
      <time dateTime={until ?? undefined}>{Math.ceil(leftMs / 1_000)} s</time>. One success ends the back-off.
    </p>
  );
}
