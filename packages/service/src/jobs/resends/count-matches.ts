import { setImmediate as nextTurn } from "node:timers/promises";
import type { OnError } from "@hookwright/domain";
import type { SearchContext } from "../../lookups/search-context.ts";
import { startOf } from "../../rows/resend-row.ts";
import type { ResendPart, ResendRow } from "../../rows/resend-row.ts";
import { collectUnreadable } from "../../store/unreadable-rows.ts";
import { createFindNamed, findMatches } from "./find-matches.ts";

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
  const { accountId, job, maximumPages = 50 } = options;
  const findNamed = createFindNamed(options, accountId, job);
  const unreadable = collectUnreadable();
  const onUnreadable = unreadable.add;
  const parts = [...job.parts];
  for (let pages = 0; pages < maximumPages; pages++) {
    const index = parts.findIndex(({ position }) => position.list !== "end");
    const part = parts[index];
    if (part === undefined) break;
    const query = { accountId, job, part, limit: pageSize, findNamed, onUnreadable };
    const page = await findMatches(options, query);
    parts[index] = { ...part, found: part.found + page.matches.length, position: page.next };
    await nextTurn();
  }
  unreadable.report(describeOmitted(job), options);
  const isCounted = parts.every(({ position }) => position.list === "end");
  return isCounted ? toSending({ ...job, parts }) : { ...job, parts };
}

/** All is counted: each part begins again. */
function toSending(job: ResendRow): ResendRow {
  const parts = job.parts.map((part): ResendPart => ({ ...part, position: startOf(job, part) }));
  return { ...job, stage: "send", parts };
}

/** What is reported of a job whose rows are damaged. The others are sent. */
export function describeOmitted({ kind, id }: Pick<ResendRow, "kind" | "id">): string {
  return `${kind} ${id} omits rows that cannot be read`;
}
