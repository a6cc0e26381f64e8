import type { ListedConsoleWebhook } from "@hookwright/domain";
import { formatShare } from "../../charts/scales.ts";
import { HealthStrip } from "../../charts/health-strip.tsx";
import { Endpoint } from "../../parts/endpoint.tsx";
import { WebhookStatus } from "../../parts/status.tsx";
import { hrefTo } from "../../state/use-route.ts";

const shown = 5;

/** The webhooks with the most failed deliveries of the last 24 hours. */
export function FailingWebhooks({ webhooks }: { readonly webhooks: readonly ListedConsoleWebhook[] }) {
  const failuresOf = ({ health }: ListedConsoleWebhook): number =>
    health?.strip.reduce((sum, { failed }) => sum + failed, 0) ?? 0;
  const failing = webhooks
    .map((webhook) => ({ webhook, failures: failuresOf(webhook) }))
    .filter(({ failures }) => failures > 0)
    .toSorted((a, b) => b.failures - a.failures)
    .slice(0, shown);
  return (
    <div class="panel">
      <h2>Webhooks by failures, last 24 hours</h2>
      {failing.length === 0 ? <p class="quiet">No delivery failed.</p> : null}
      <ul class="lines">
        {failing.map(({ webhook, failures }) => (
          <li key={webhook.id}>
            <WebhookStatus webhook={webhook} />
            <a href={hrefTo(["webhooks", webhook.id])}>
              <Endpoint url={webhook.target_url} name={webhook.name} />
            </a>
            {webhook.health === undefined ? null : <HealthStrip health={webhook.health} />}
            <span class="number" title={`${formatShare(webhook.health?.success_rate ?? null)} delivered`}>
              {failures} failed
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
