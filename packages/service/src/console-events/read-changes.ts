import type { ChangeReader, ChangeReaderOptions, Changes } from "./change-feed.ts";
import { createDeliveryChangeReader } from "./read-delivery-changes.ts";
import { createReportedDeliveryReader } from "./read-reported-deliveries.ts";
import { createWebhookChangeReader } from "./read-webhook-changes.ts";

/** While some pending deliveries are not followed, consoles read their lists this often, */
const unfollowedMs = 10_000;
/** or this often if nothing else changes. */
const unfollowedQuietMs = 60_000;

/** Finds changes by comparing rows with those of the last read, so that nothing else has to report them. */
export function createChangeReader(options: ChangeReaderOptions): ChangeReader {
  const { now } = options;
  const deliveries = createDeliveryChangeReader(options);
  const readers = [deliveries, createWebhookChangeReader(options), createReportedDeliveryReader(options)];
  let isQuiet = true;
  let resetAt = now();
  /** After a failed read it is unknown which changes were found. */
  let hasFailed = false;

  async function readAll(): Promise<readonly Changes[]> {
    try {
      return await Promise.all(readers.map((reader) => reader.read()));
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  }

  return {
    async start() {
      await Promise.all(readers.map((reader) => reader.start()));
    },
    async read() {
      const found = await readAll();
      const rows = found.flatMap((changes) => changes.rows);
      if (rows.length > 0) isQuiet = false;
      const isDue =
        deliveries.hasUnfollowed && now() - resetAt >= (isQuiet ? unfollowedQuietMs : unfollowedMs);
      const hasMissed = hasFailed || isDue || found.some((changes) => changes.hasMissed);
      hasFailed = false;
      if (hasMissed) {
        isQuiet = true;
        resetAt = now();
      }
      return { rows, hasMissed };
    },
  };
}
