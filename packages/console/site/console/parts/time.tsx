import { useContext, useEffect, useState } from "preact/hooks";
import { ConsoleContext } from "../state/console-context.ts";
import { usePreferences } from "../state/preferences.ts";

export interface TimeProps {
  readonly at: string | null;
  /** The text for null. */
  readonly none?: string;
  /** With milliseconds, to compare times. @default false */
  readonly precise?: boolean;
}

/** A time in the chosen time zone. The tooltip shows it in UTC. */
export function Time({ at, none = "never", precise = false }: TimeProps) {
  const timeZone = useTimeZone();
  if (at === null) return <span class="quiet">{none}</span>;
  return (
    <time dateTime={at} title={at}>
      {formatTime(at, timeZone, precise)}
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
export function formatTime(at: string, timeZone: string | undefined, precise = false): string {
  const date = new Date(at);
  const yearOf = (time: Date): string => time.toLocaleString("en", { year: "numeric", timeZone });
  const thisYear = yearOf(date) === yearOf(new Date());
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    ...(thisYear ? {} : { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    ...(precise ? { fractionalSecondDigits: 3 } : {}),
    timeZone,
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

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** @example formatAgo("2026-11-27T02:06:00Z", now) // "3 min ago", "in 12 s" or "now" */
export function formatAgo(at: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(at) - nowMs) / 1_000);
  const text = formatSpan(Math.abs(seconds));
  if (text === "0 s") return "now";
  return seconds < 0 ? `${text} ago` : `in ${text}`;
}

/** A duration in its largest unit. @example formatSpan(7_300) // "2 h" */
export function formatSpan(seconds: number): string {
  for (const [unit, length] of units) if (seconds >= length) return `${Math.floor(seconds / length)} ${unit}`;
  return "0 s";
}

/** A duration in its two largest units. @example formatExactSpan(192) // "3 min 12 s" */
export function formatExactSpan(seconds: number): string {
  const index = units.findIndex(([, length]) => seconds >= length);
  const [unit, length] = units[index] ?? units[3];
  const rest = seconds % length;
  const next = units[index + 1];
  const first = `${Math.floor(seconds / length)} ${unit}`;
  return next === undefined || rest < next[1] ? first : `${first} ${Math.floor(rest / next[1])} ${next[0]}`;
}

/** The time zone of all times. Undefined: the one of the browser. */
export function useTimeZone(): string | undefined {
  const { timeZone } = usePreferences();
  const console = useContext(ConsoleContext);
  if (timeZone === "local") return undefined;
  if (timeZone === "utc") return "UTC";
  const { projects = [], site } = console ?? {};
  return (projects.find(({ id }) => id === site) ?? projects[0])?.timezone ?? undefined;
}

/** @param timeZone undefined: the one of the browser */
export function nameTimeZone(timeZone: string | undefined): string {
  return timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
