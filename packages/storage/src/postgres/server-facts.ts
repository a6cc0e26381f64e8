import { toClockAhead } from "../clock-ahead.ts";
import type { StorageFacts } from "../port.ts";
import type { Link } from "./link.ts";

const losses = {
  fsync: "a power failure may destroy the database",
  full_page_writes: "a power failure may destroy pages",
  synchronous_commit: "a crash may lose the last commits",
};

/** Opening the store has refused a version that is too old. */
export async function readServerFacts(link: Pick<Link, "read">): Promise<StorageFacts> {
  const settings = Object.entries(losses);
  const before = Date.now();
  const [[now, version, ...values] = []] = await link.read(
    `select (extract(epoch from pg_catalog.clock_timestamp())::float8 * 1000::float8)::text,
    ${["server_version", ...Object.keys(losses)].map((name) => `pg_catalog.current_setting('${name}')`).join(", ")}`,
    [],
  );
  const clockAheadMs = toClockAhead(before, Number(now), Date.now());
  return {
    version: `PostgreSQL ${String(version)}`,
    unsafe: settings
      .filter((_, index) => values[index] === "off")
      .map(([name, loss]) => ({ setting: `${name} is off, so ${loss}`, fix: `Set ${name} to on.` })),
    safe: settings.map(([name], index) => `${name} ${String(values[index])}`).join(", "),
    clockAheadMs,
  };
}
