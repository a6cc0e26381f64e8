import { countNotDelivered } from "@hookwright/domain";
import type { ConsoleWebhook, LedgerNumbers } from "@hookwright/domain";
import { Fragment } from "preact";
import type { Query } from "../api/console-api.ts";
import { hrefToRows, outcomes, useLedgerSince } from "../state/ledger.ts";
import { formatCount } from "./format.ts";
import { Time } from "./time.tsx";

export interface LossLinksProps {
  readonly numbers: LedgerNumbers;
  readonly filters: Query;
}

/** Why events were not delivered, as links to them. */
export function LossLinks({ numbers, filters }: LossLinksProps) {
  const lost = outcomes.filter(({ name }) => name !== "delivered" && name !== "pending" && numbers[name] > 0);
  if (lost.length === 0) return <>nothing was lost</>;
  return (
    <>
      {lost.map(({ name, title }, index) => (
        <Fragment key={name}>
          {index === 0 ? "" : " · "}
          <a href={hrefToRows(name, filters)}>
            {formatCount(numbers[name])} {title.toLowerCase()}
          </a>
        </Fragment>
      ))}
    </>
  );
}

/** When a webhook that does not send accepted a delivery last, or was created. Null: it sends. */
export function stoppedSince({
  status,
  last_success_at,
  created_at,
}: Pick<ConsoleWebhook, "status" | "last_success_at" | "created_at">): string | null {
  return status === "active" ? null : (last_success_at ?? created_at);
}

/** What a webhook did not deliver since it stopped, with links to these events. Nothing if there are none. */
export function NotDelivered({ webhook }: { readonly webhook: ConsoleWebhook }) {
  const since = stoppedSince(webhook);
  const { totals, filters } = useLedgerSince(webhook.id, since);
  if (totals === undefined || countNotDelivered(totals) === 0) return null;
  return (
    <>
      Not delivered
      {since === null || webhook.status === "paused" ? null : (
        <>
          {" "}
          since <Time at={since} />
        </>
      )}
      :{" "}
      <strong>
        <LossLinks numbers={totals} filters={filters} />
      </strong>
      .
    </>
  );
}
