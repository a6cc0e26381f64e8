import { ledgerKeptMs } from "@hookwright/domain";
import { hrefToRows, useLedger } from "../state/ledger.ts";
import { useRefresh } from "../state/use-live.ts";
import { formatCount } from "./format.ts";

/** The stream of changes does not tell of events that are not sent. */
const countEveryMs = 5_000;

export interface NotSentProps {
  readonly webhookId: string;
  /** When the webhook stopped. Null: unknown. */
  readonly since: string | null;
}

/** How many events a webhook did not send since it stopped, with a link to where they can be sent. Nothing if there are none. */
export function NotSent({ webhookId, since }: NotSentProps) {
  const oldest = Date.now() - ledgerKeptMs;
  const isOlder = since === null || Date.parse(since) < oldest;
  const filters = { webhook_id: webhookId, ...(isOlder ? { period: "30d" } : { since }) };
  const { data, reload } = useLedger(filters);
  useRefresh(reload, countEveryMs);
  const count = data?.totals.not_sent ?? 0;
  if (count === 0) return null;
  return (
    <strong>
      <a href={hrefToRows("not_sent", filters)}>
        {formatCount(count)} {count === 1 ? "event was" : "events were"} not sent.
      </a>
    </strong>
  );
}
