import { useEffect, useState } from "preact/hooks";
import { formatAgo } from "./format-ago.ts";
import { useTimeZone } from "../state/use-time-zone.ts";

export interface TimeProps {
  readonly at: string | null;
  /** The text for null. */
  readonly none?: string;
}

/** A time in the chosen time zone. The tooltip shows it in UTC. */
export function Time({ at, none = "never" }: TimeProps) {
  const timeZone = useTimeZone();
  if (at === null) return <span class="quiet">{none}</span>;
  return (
    <time dateTime={at} title={at}>
      {formatTime(at, timeZone)}
    </time>
  );
}

/** How long ago a time was, or how far ahead it is. The tooltip shows the time. The text stays up to date. */
export function Ago({ at, none = "never" }: TimeProps) {
  const timeZone = useTimeZone();
  const [text, setText] = useState(() => (at === null ? none : formatAgo(at, Date.now())));
  useEffect(() => {
    if (at === null) return undefined;
    const update = (): void => setText(formatAgo(at, Date.now()));
    update();
    return everySecond(update);
  }, [at]);
  if (at === null) return <span class="quiet">{none}</span>;
  return (
    <time dateTime={at} title={`${formatTime(at, timeZone)} · ${at}`}>
      {text}
    </time>
  );
}

/** For example `27 Nov, 02:06:04`. Other years are named. */
export function formatTime(at: string, timeZone: string | undefined): string {
  const date = new Date(at);
  const thisYear = date.getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    ...(thisYear ? {} : { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(date);
}

const updates = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all times on the page. It pauses while the page is hidden. */
export function everySecond(update: () => void): () => void {
  updates.add(update);
  timer ??= setInterval(() => {
    if (!document.hidden) for (const each of updates) each();
  }, 1_000);
  return () => {
    updates.delete(update);
    if (updates.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
