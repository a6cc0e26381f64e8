import { readMatching } from "../lookups/find-deliveries.ts";
import { matchBodyId } from "../lookups/match-text.ts";
import { toDelivery } from "../rows/delivery-shape.ts";
import { readReports } from "../rows/listener-results.ts";
import type { ResultReport } from "../rows/listener-results.ts";
import type { ChangedRow, ChangeReader, ChangeReaderOptions, Changes } from "./change-feed.ts";

/** Deliveries of one event that show a result. The newest of them. */
const maximumDeliveries = 20;

/** Finds deliveries about whose event a listener has reported a result. Their rows are the same as before. */
export function createReportedDeliveryReader({
  store,
  events,
  accountId,
  onError,
}: ChangeReaderOptions): ChangeReader {
  let known: readonly ResultReport[] = [];

  async function findRows(text: string): Promise<ChangedRow[]> {
    const match = await matchBodyId({ store, events, onError }, accountId, text);
    const query = { accountId, filters: {}, before: undefined, limit: maximumDeliveries };
    const { deliveries } = await readMatching(store, query, match);
    return deliveries.map((row) => ({
      event: "delivery",
      id: row.id,
      text: JSON.stringify(toDelivery(row)),
    }));
  }

  return {
    async start() {
      known = (await readReports(store, accountId)).reports;
    },
    async read(): Promise<Changes> {
      const { reports, isAll } = await readReports(store, accountId);
      const before = new Set(known.map(({ id }) => id));
      const added = reports.filter(({ id }) => !before.has(id));
      known = reports;
      const bodyIds = [...new Set(added.map(({ bodyId }) => bodyId))];
      const rows = await Promise.all(bodyIds.map(findRows));
      return { rows: rows.flat(), hasMissed: !isAll && added.length === reports.length };
    },
  };
}
