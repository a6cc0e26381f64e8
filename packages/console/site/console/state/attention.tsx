import type { Attention, ConsoleWebhook, ListedConsoleWebhook, Overview } from "@hookwright/domain";
import { createContext } from "preact";
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { toPath } from "../api/console-api.ts";
import { useGet } from "./use-api.ts";
import { useLiveReload, useRefresh } from "./use-live.ts";

/** An active webhook fails after as many failures in a row as make a mail, however few attempts it has. */
const failingAfter = 6;
/** The thresholds concern the last hour, so they change without an event too. */
const readEveryMs = 60_000;

const AttentionContext = createContext<readonly Attention[]>([]);

/** What needs attention in the whole account. Empty until it is loaded. */
export function useAttention(): readonly Attention[] {
  return useContext(AttentionContext);
}

/** Loads what needs attention, so that all screens show the same status of a webhook. */
export function AttentionProvider({ children }: { readonly children: ComponentChildren }) {
  const { data, reload } = useGet<Overview>(toPath("overview"), { period: "1h" });
  useLiveReload(reload, () => true, 5_000);
  useRefresh(reload, readEveryMs);
  return <AttentionContext.Provider value={data?.attention ?? []}>{children}</AttentionContext.Provider>;
}

type Failing = Pick<ConsoleWebhook, "id" | "status" | "consecutive_failures">;

/** Whether an active webhook does not accept its deliveries. */
export function isFailing(
  { id, status, consecutive_failures }: Failing,
  attention: readonly Attention[],
): boolean {
  if (status !== "active") return false;
  return (
    consecutive_failures >= failingAfter ||
    attention.some(({ kind, webhook_id }) => kind === "webhook_failing" && webhook_id === id)
  );
}

/** Whether the owner should look at a webhook. The overview lists the same ones. */
export function needsAttention(webhook: Failing, attention: readonly Attention[]): boolean {
  return attention.some(({ webhook_id }) => webhook_id === webhook.id) || isFailing(webhook, attention);
}

/** Adds the failing webhooks with too few attempts for the threshold of the server. */
export function withFewAttempts(
  attention: readonly Attention[],
  webhooks: readonly ConsoleWebhook[],
): readonly Attention[] {
  const isKnown = (id: string): boolean =>
    attention.some(({ kind, webhook_id }) => kind === "webhook_failing" && webhook_id === id);
  const more = webhooks
    .filter((webhook) => isFailing(webhook, attention) && !isKnown(webhook.id))
    .map(({ id, consecutive_failures }) => ({
      kind: "webhook_failing" as const,
      webhook_id: id,
      message: `The last ${consecutive_failures} attempts were not accepted. Check the endpoint.`,
      since: null,
    }));
  const isOff = ({ kind }: Attention): boolean => kind === "webhook_switched_off";
  return [...attention.filter(isOff), ...more, ...attention.filter((each) => !isOff(each))];
}

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
    health?.strip.reduce((sum, { due }) => sum + due, 0) ?? 0;
  return webhooks.toSorted((a, b) => rank(a) - rank(b) || traffic(b) - traffic(a));
}
