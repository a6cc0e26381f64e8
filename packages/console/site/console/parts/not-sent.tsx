import { hrefToRows, useLedgerSince } from "../state/ledger.ts";
import { formatCount } from "./format.ts";

export interface NotSentProps {
  readonly webhookId: string;
  /** When the webhook stopped. Null: unknown. */
  readonly since: string | null;
}

/** How many events a webhook did not send since it stopped, with a link to where they can be sent. Nothing if there are none. */
export function NotSent({ webhookId, since }: NotSentProps) {
  const { totals, filters } = useLedgerSince(webhookId, since);
  const count = totals?.not_sent ?? 0;
  if (count === 0) return null;
  return (
    <strong>
      <a href={hrefToRows("not_sent", filters)}>
        {formatCount(count)} {count === 1 ? "event was" : "events were"} not sent.
      </a>
    </strong>
  );
}
