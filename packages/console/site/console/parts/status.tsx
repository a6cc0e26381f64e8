import type { ConsoleWebhook, Delivery } from "@hookwright/domain";
import { isFailing, useAttention } from "../state/attention.tsx";

type Tone = "good" | "warn" | "bad" | "info" | "idle";

interface Appearance {
  readonly tone: Tone;
  readonly shape: string;
  readonly word: string;
}

const appearances = {
  delivered: { tone: "good", shape: "●", word: "Delivered" },
  pending: { tone: "info", shape: "○", word: "Pending" },
  retrying: { tone: "warn", shape: "◐", word: "Retrying" },
  failed: { tone: "bad", shape: "✕", word: "Failed" },
  cancelled: { tone: "idle", shape: "–", word: "Cancelled" },
  active: { tone: "good", shape: "●", word: "Active" },
  failing: { tone: "warn", shape: "◐", word: "Failing" },
  paused: { tone: "warn", shape: "◐", word: "Paused" },
  switched_off: { tone: "bad", shape: "✕", word: "Disabled" },
  disabled_by_host: { tone: "bad", shape: "✕", word: "Disabled by the operator" },
  removed: { tone: "idle", shape: "–", word: "Removed" },
  running: { tone: "info", shape: "○", word: "Running" },
  finished: { tone: "good", shape: "●", word: "Finished" },
  stopped: { tone: "idle", shape: "–", word: "Stopped" },
} satisfies Readonly<Record<string, Appearance>>;

const known: Readonly<Record<string, Appearance>> = appearances;

/** A status as a shape, a word and a colour: never as a colour alone. */
export function Status({ status }: { readonly status: string }) {
  const { tone, shape, word } = known[status] ?? { tone: "idle", shape: "–", word: status };
  return (
    <span class={`status ${tone}`}>
      <i aria-hidden="true">{shape}</i>
      {word}
    </span>
  );
}

/** The status of a delivery. A pending one is shown as retrying after its first attempt. */
export function DeliveryStatus({ delivery }: { readonly delivery: Delivery }) {
  const { status, attempts_made } = delivery;
  return <Status status={status === "pending" && attempts_made > 0 ? "retrying" : status} />;
}

/** The status of a webhook. An active one whose attempts fail is not shown as healthy. */
export function WebhookStatus({ webhook }: { readonly webhook: ConsoleWebhook }) {
  return <Status status={isFailing(webhook, useAttention()) ? "failing" : webhook.status} />;
}
