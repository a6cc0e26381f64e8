import { warnAfterFailures } from "@hookwright/domain";
import type { Attention, ConsoleWebhook, ListedConsoleWebhook, Overview } from "@hookwright/domain";
import { createContext } from "preact";
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { toPath } from "../api/console-api.ts";
import { useGet } from "./use-api.ts";
import { useLiveReload, useRefresh } from "./use-live.ts";

/** The thresholds concern the last hour, so they change without an event too. */
const readEveryMs = 60_000;

const AttentionContext = createContext<readonly Attention[]>([]);

/** What needs attention in the whole account. Empty until it is loaded. */
export function useAttention(): readonly Attention[] {
  return useContext(AttentionContext);
}

export interface AttentionProviderProps {
  /** Reads what else may change without an event: at an interval, and after the connection was lost. */
  readonly onRefresh: () => void;
  readonly children: ComponentChildren;
}

/** Loads what needs attention, so that all screens show the same status of a webhook. */
export function AttentionProvider({ onRefresh, children }: AttentionProviderProps) {
  const { data, refresh } = useGet<Overview>(toPath("overview"), { period: "1h" });
  useLiveReload(refresh, () => true, 5_000);
  useLiveReload(onRefresh, () => false);
  useRefresh(() => {
    refresh();
    onRefresh();
  }, readEveryMs);
  return <AttentionContext.Provider value={data?.attention ?? []}>{children}</AttentionContext.Provider>;
}

type Known = Pick<ConsoleWebhook, "id" | "status" | "consecutive_failures">;

/** Whether an active webhook does not accept its deliveries. The operator has no `attention`. */
export function isFailing(
  { id, status, consecutive_failures: failures }: Known,
  attention: readonly Attention[],
): boolean {
  return (
    status === "active" &&
    (failures >= warnAfterFailures ||
      attention.some(({ kind, webhook_id }) => kind === "webhook_failing" && webhook_id === id))
  );
}

/** Whether the owner should look at a webhook. The overview lists the same ones. */
export function needsAttention({ id }: Pick<ConsoleWebhook, "id">, attention: readonly Attention[]): boolean {
  return attention.some(({ webhook_id }) => webhook_id === id);
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
