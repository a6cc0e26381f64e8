import type { ConsoleWebhook, Delivery } from "@hookwright/domain";
import { useConsole } from "../../state/console-context.ts";
import { useResource } from "../../state/use-resource.ts";
import { explainRefusal } from "./explain-refusal.ts";

/** Why nothing can be sent again, by the id of the webhook. */
export type Refusals = Readonly<Record<string, string | undefined>>;

/** Which webhooks of these deliveries accept no resends. Until they are loaded: none. */
export function useRefusals(deliveries: readonly Delivery[]): Refusals {
  const { api } = useConsole();
  const isNeeded = deliveries.length > 0;
  const { data: webhooks } = useResource(`webhooks to resend to ${isNeeded}`, async (signal) => {
    if (!isNeeded) return undefined;
    // All of an account: it has at most 50.
    const query = { limit: "100" };
    const { rows } = await api.list<ConsoleWebhook>("console/api/webhooks", { query, signal });
    return new Map(rows.map((webhook) => [webhook.id, webhook]));
  });
  if (webhooks === undefined) return {};
  return Object.fromEntries(
    deliveries.map(({ webhook_id: id }) => [id, explainRefusal(webhooks.get(id), !webhooks.has(id))]),
  );
}
