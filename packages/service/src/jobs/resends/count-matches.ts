import { setImmediate as nextTurn } from "node:timers/promises";
import type { OnError } from "@hookwright/domain";
import type { SearchContext } from "../../lookups/search-context.ts";
import { startOf } from "../../rows/resend-row.ts";
import type { ResendPart, ResendRow } from "../../rows/resend-row.ts";
import { createFindNamed, findMatches } from "./find-matches.ts";
import type { MatchPage } from "./find-matches.ts";

interface CountOptions extends SearchContext {
  readonly accountId: string;
  readonly job: ResendRow;
  readonly onError: OnError;
  /** Twenty deliveries each. @default 50 */
  readonly maximumPages?: number | undefined;
}

/** Deliveries read at once. Each has a record of at most 256 KiB. */
const pageSize = 20;

/** Counts what a job matches, by default up to a thousand deliveries. Other work runs between two pages. When all are counted, the job is ready to send. */
export async function countMatches(options: CountOptions): Promise<ResendRow> {
  const { accountId, job, onError, maximumPages = 50 } = options;
  const findNamed = createFindNamed(options, accountId, job);
  const parts = [...job.parts];
  for (let pages = 0; pages < maximumPages; pages++) {
    const index = parts.findIndex(({ position }) => position.list !== "end");
    const part = parts[index];
    if (part === undefined) return toSending({ ...job, parts });
    const page = await findMatches(options, { accountId, job, part, limit: pageSize, findNamed });
    reportUnreadable(page.unreadable, { accountId, job, onError });
    parts[index] = { ...part, found: part.found + page.matches.length, position: page.next };
    await nextTurn();
  }
  const isCounted = parts.every(({ position }) => position.list === "end");
  return isCounted ? toSending({ ...job, parts }) : { ...job, parts };
}

/** All is counted: each part begins again. */
function toSending(job: ResendRow): ResendRow {
  const parts = job.parts.map((part): ResendPart => ({ ...part, position: startOf(job, part) }));
  return { ...job, stage: "send", parts };
}

/** Deliveries whose rows are damaged are not sent again. The others are. */
export function reportUnreadable(
  unreadable: MatchPage["unreadable"],
  { accountId, job, onError }: Pick<CountOptions, "accountId" | "job" | "onError">,
): void {
  const [first] = unreadable;
  if (first === undefined) return;
  const error = new Error(
    `${job.kind} ${job.id} omits rows that cannot be read: ${unreadable.length}, the first ${first.id}`,
    { cause: first.cause },
  );
  onError(error, { account_id: accountId, count: unreadable.length, code: "deliveries_unreadable" });
}
