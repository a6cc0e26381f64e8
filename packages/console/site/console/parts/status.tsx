import type { ConsoleWebhook, Delivery } from "@hookwright/domain";

type Tone = "good" | "warn" | "bad" | "info" | "idle";

interface Appearance {
  readonly tone: Tone;
  readonly shape: string;
  readonly word: string;
}

const appearances = {
  delivered: { tone: "good", shape: "●", word: "Delivered" },
  waiting: { tone: "info", shape: "○", word: "Waiting" },
  retrying: { tone: "warn", shape: "◐", word: "Retrying" },
  failed: { tone: "bad", shape: "✕", word: "Failed" },
  cancelled: { tone: "idle", shape: "–", word: "Cancelled" },
  active: { tone: "good", shape: "●", word: "Active" },
  failing: { tone: "warn", shape: "◐", word: "Failing" },
  paused: { tone: "warn", shape: "◐", word: "Paused" },
  switched_off: { tone: "bad", shape: "✕", word: "Disabled" },
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

/** The status of a delivery. A pending one waits for its first attempt, or is retried. */
export function DeliveryStatus({ delivery }: { readonly delivery: Delivery }) {
  const { status, attempts_made } = delivery;
  return <Status status={status === "pending" ? (attempts_made > 0 ? "retrying" : "waiting") : status} />;
}

/** An active webhook is shown as failing after as many failures as make a mail. */
const failingAfter = 6;

/** The status of a webhook. An active one whose attempts fail is not shown as healthy. */
export function WebhookStatus({ webhook }: { readonly webhook: ConsoleWebhook }) {
  const { status, consecutive_failures } = webhook;
  return <Status status={status === "active" && consecutive_failures >= failingAfter ? "failing" : status} />;
}
