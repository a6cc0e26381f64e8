import type { ListedConsoleWebhook } from "@hookwright/domain";

/** Fewer deliveries than this share make a webhook one that needs attention. */
const healthyShare = 0.8;

export interface WebhookView {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  readonly includes: (webhook: ListedConsoleWebhook) => boolean;
}

function needsAttention({ status, rotating, health }: ListedConsoleWebhook): boolean {
  const share = health?.success_rate ?? 1;
  return status === "switched_off" || rotating || share < healthyShare;
}

/** The tabs of the list. */
export const webhookViews: readonly [WebhookView, ...WebhookView[]] = [
  { name: "", title: "All", includes: () => true },
  { name: "attention", title: "Needs attention", includes: needsAttention },
  { name: "paused", title: "Paused", includes: ({ status }) => status === "paused" },
];

/** Broken ones first, then those with the most traffic. */
export function sortWebhooks(webhooks: readonly ListedConsoleWebhook[]): readonly ListedConsoleWebhook[] {
  const rank = (webhook: ListedConsoleWebhook): number =>
    webhook.status === "switched_off" ? 0 : needsAttention(webhook) ? 1 : webhook.status === "paused" ? 3 : 2;
  const traffic = ({ health }: ListedConsoleWebhook): number =>
    health?.strip.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0) ?? 0;
  return webhooks.toSorted((a, b) => rank(a) - rank(b) || traffic(b) - traffic(a));
}
