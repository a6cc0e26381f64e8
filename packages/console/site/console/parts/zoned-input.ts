/**
 * A time as a `datetime-local` input shows it in a time zone.
 *
 * @param timeZone undefined: the one of the browser
 * @example toZonedInput(0, "UTC") // "1970-01-01T00:00:00"
 */
export function toZonedInput(ms: number, timeZone: string | undefined): string {
  return new Date(ms + offsetMsAt(ms, timeZone)).toISOString().slice(0, 19);
}

/**
 * The time that a `datetime-local` input of a time zone means. In an hour that occurs twice, it is one of both.
 *
 * @example fromZonedInput("2026-07-01T12:00", "Europe/London") // "2026-07-01T11:00:00.000Z"
 */
export function fromZonedInput(text: string, timeZone: string | undefined): string {
  const wall = Date.parse(`${text}Z`);
  const near = wall - offsetMsAt(wall, timeZone);
  return new Date(wall - offsetMsAt(near, timeZone)).toISOString();
}

/** How far the clocks of a time zone are ahead of UTC. */
function offsetMsAt(ms: number, timeZone: string | undefined): number {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const wall = new Date(0);
  // `Date.UTC` takes the year 2, which somebody may be typing, for 1902.
  wall.setUTCFullYear(year, month - 1, day);
  return wall.setUTCHours(hour, minute, second) - Math.floor(ms / 1_000) * 1_000;
}
