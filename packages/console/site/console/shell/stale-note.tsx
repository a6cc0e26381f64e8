import { useEffect, useState } from "preact/hooks";
import { formatTime, useTimeZone } from "../parts/time.tsx";
import { useLiveStatus } from "../state/use-live.ts";

/** A lost connection that returns within this time is not worth a word. */
const patienceMs = 4_000;

/** Says that what is shown may be out of date. The screens keep their data meanwhile. */
export function StaleNote() {
  const { status, lostAt } = useLiveStatus();
  const timeZone = useTimeZone();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (status !== "reconnecting") return undefined;
    const timer = setTimeout(() => setLong(true), patienceMs);
    return () => clearTimeout(timer);
  }, [status]);
  return (
    <div class="toasts" role="status">
      {isLong && lostAt !== undefined ? (
        <p>Not up to date since {formatTime(new Date(lostAt).toISOString(), timeZone)}. Reconnecting …</p>
      ) : null}
    </div>
  );
}
