import { useCallback, useEffect, useState } from "preact/hooks";
import { useLiveStatus } from "../state/use-live.ts";
import { formatTime, useTimeZone } from "./time.tsx";

export interface Toast {
  readonly id: number;
  readonly text: string;
}

const shownMs = 5_000;
let lastId = 0;

export function useToasts(): { readonly toasts: readonly Toast[]; readonly toast: (text: string) => void } {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const toast = useCallback((text: string) => {
    lastId += 1;
    const id = lastId;
    setToasts((before) => [...before, { id, text }]);
    setTimeout(() => setToasts((before) => before.filter((each) => each.id !== id)), shownMs);
  }, []);
  return { toasts, toast };
}

/** What happened just now, at the lower edge of the page. */
export function Toasts({ toasts }: { readonly toasts: readonly Toast[] }) {
  return (
    <div class="toasts" role="status">
      {toasts.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}

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
