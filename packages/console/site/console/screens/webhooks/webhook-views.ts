import type { Attention, ListedConsoleWebhook } from "@hookwright/domain";
import { isFailing, needsAttention } from "../../state/attention.tsx";

export interface WebhookView {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  readonly includes: (webhook: ListedConsoleWebhook, attention: readonly Attention[]) => boolean;
}

/** The tabs of the list. */
export const webhookViews: readonly [WebhookView, ...WebhookView[]] = [
  { name: "", title: "All", includes: () => true },
  { name: "attention", title: "Needs attention", includes: needsAttention },
  { name: "paused", title: "Paused", includes: ({ status }) => status === "paused" },
];

/** Broken ones first, then those with the most traffic. */
export function sortWebhooks(
  webhooks: readonly ListedConsoleWebhook[],
  attention: readonly Attention[],
): readonly ListedConsoleWebhook[] {
  const rank = (webhook: ListedConsoleWebhook): number => {
    if (webhook.status === "switched_off" || webhook.status === "disabled_by_host") return 0;
    if (webhook.status === "paused") return 4;
    if (isFailing(webhook, attention)) return 1;
    return needsAttention(webhook, attention) ? 2 : 3;
  };
  const traffic = ({ health }: ListedConsoleWebhook): number =>
    health?.strip.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0) ?? 0;
  return webhooks.toSorted((a, b) => rank(a) - rank(b) || traffic(b) - traffic(a));
}
