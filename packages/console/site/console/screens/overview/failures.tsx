import { countNotDelivered } from "@hookwright/domain";
import type { Ledger, ListedConsoleWebhook } from "@hookwright/domain";
import { WebhookLink, WebhookStatus } from "../../parts/cells.tsx";
import { describeRetried } from "../../parts/format.ts";
import { LossLinks } from "../../parts/losses.tsx";
import { FailureNote, Pending } from "../../parts/page.tsx";
import { periodNames, useConsole } from "../../state/console-context.ts";
import { useLedger } from "../../state/ledger.ts";
import type { Resource } from "../../state/use-api.ts";
import { useLiveReload } from "../../state/use-live.ts";

const shown = 5;
const compareEveryMs = 60_000;

export interface FailingWebhooksProps {
  readonly webhooks: Resource<readonly ListedConsoleWebhook[]>;
  readonly removed: readonly ListedConsoleWebhook[];
}

/** The webhooks with the most events that were not delivered, and retried attempts, in the chosen period. */
export function FailingWebhooks({ webhooks, removed }: FailingWebhooksProps) {
  const { period, site } = useConsole();
  const ledger = useLedger({ period, project_id: site }, { byWebhook: true });
  useLiveReload(ledger.refresh, () => true, compareEveryMs);
  const failing = ledger.data && sortByLoss(ledger.data).slice(0, shown);
  return (
    <div class="panel">
      <h2>Webhooks by failures in {periodNames[period]}</h2>
      <Pending of={ledger} rem={7} />
      <FailureNote failure={webhooks.failure} onRetry={webhooks.reload} />
      {failing?.length === 0 ? <p class="quiet">No event was lost, and none was tried again.</p> : null}
      <ul class="lines">
        {failing?.map((numbers) => {
          const webhook = [...(webhooks.data ?? []), ...removed].find(({ id }) => id === numbers.webhook_id);
          const { retried } = numbers;
          const isLost = countNotDelivered(numbers) > 0;
          return webhook === undefined ? null : (
            <li key={webhook.id}>
              <WebhookStatus webhook={webhook} />
              <WebhookLink webhook={webhook} />
              <span class="number">
                {isLost ? (
                  <LossLinks numbers={numbers} filters={{ webhook_id: webhook.id, project_id: site }} />
                ) : null}
                {retried === 0 ? null : `${isLost ? " · " : " "}${describeRetried(retried)}`}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function sortByLoss({ webhooks = [] }: Ledger): NonNullable<Ledger["webhooks"]> {
  return webhooks
    .filter((numbers) => countNotDelivered(numbers) + numbers.retried > 0)
    .toSorted((a, b) => countNotDelivered(b) - countNotDelivered(a) || b.retried - a.retried);
}
