import { setImmediate as nextTurn } from "node:timers/promises";
import type { OnError } from "@hookwright/domain";
import type { RecoveryRow } from "../../rows/recovery-row.ts";
import { findMatches } from "./find-matches.ts";
import type { MatchPage } from "./find-matches.ts";
import type { RecoveryContext } from "./read-records.ts";

interface CountOptions extends RecoveryContext {
  readonly accountId: string;
  readonly recovery: RecoveryRow;
  readonly onError: OnError;
}

/** Deliveries read at once. Each has a record of at most 256 KiB. */
const pageSize = 20;
/** Pages of one step. */
const maximumPages = 50;

/** Counts what a recovery matches, up to a thousand deliveries. Other work runs between two pages. When all are counted, the recovery is ready to send. */
export async function countMatches(options: CountOptions): Promise<RecoveryRow> {
  const { accountId, recovery, onError } = options;
  let { found, position } = recovery;
  for (let pages = 0; pages < maximumPages && position.list !== "end"; pages++) {
    const page = await findMatches(options, accountId, { ...recovery, position }, pageSize);
    reportUnreadable(page, { accountId, recovery, onError });
    found += page.matches.length;
    position = page.next;
    await nextTurn();
  }
  if (position.list !== "end") return { ...recovery, found, position };
  return { ...recovery, found, stage: "send", position: { list: "log" } };
}

/** Deliveries whose rows are damaged are not sent again. The others are. */
function reportUnreadable(
  { unreadable }: MatchPage,
  { accountId, recovery, onError }: Pick<CountOptions, "accountId" | "recovery" | "onError">,
): void {
  const [first] = unreadable;
  if (first === undefined) return;
  const error = new Error(
    `recovery ${recovery.id} omits rows that cannot be read: ${unreadable.length}, the first ${first.id}`,
    { cause: first.cause },
  );
  onError(error, { account_id: accountId, count: unreadable.length, code: "deliveries_unreadable" });
}
