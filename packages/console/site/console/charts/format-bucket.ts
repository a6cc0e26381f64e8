const day = 86_400;

/** The time span of a bucket. @example formatBucket("2026-11-27T14:15:00Z", 900, "UTC") // "27 Nov, 14:15–14:30" */
export function formatBucket(at: string, stepSeconds: number, timeZone: string | undefined): string {
  const start = new Date(at);
  const end = new Date(start.getTime() + stepSeconds * 1_000);
  const date = format(start, { day: "numeric", month: "short" }, timeZone);
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  return `${date}, ${format(start, time, timeZone)}–${format(end, time, timeZone)}`;
}

/** The label of the horizontal axis: a time for short steps, a date for long ones. */
export function formatTick(at: string, stepSeconds: number, timeZone: string | undefined): string {
  const isLong = stepSeconds * 100 > day * 2;
  return format(
    new Date(at),
    isLong ? { day: "numeric", month: "short" } : { hour: "2-digit", minute: "2-digit" },
    timeZone,
  );
}

function format(date: Date, parts: Intl.DateTimeFormatOptions, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat("en-GB", {
    ...parts,
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(date);
}
