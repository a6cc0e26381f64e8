import type { ConsoleWebhook, Delivery } from "@hookwright/domain";
import { toApiFailure } from "../../api/api-failure.ts";
import { useConsole } from "../../state/console-context.ts";
import { useResource } from "../../state/use-resource.ts";
import { explainRefusal } from "./explain-refusal.ts";

/** Why nothing can be sent again, by the id of the webhook. */
export type Refusals = Readonly<Record<string, string | undefined>>;

const none: Refusals = {};
/** Of more webhooks, the API itself refuses the resends. */
const maximumWebhooks = 20;

/** Which webhooks of these deliveries accept no resends. Until they are loaded: none. */
export function useRefusals(deliveries: readonly Delivery[]): Refusals {
  const { api } = useConsole();
  const ids = [...new Set(deliveries.map(({ webhook_id }) => webhook_id))].toSorted();
  const asked = ids.slice(0, maximumWebhooks);
  const load = async (signal: AbortSignal, id: string): Promise<readonly [string, string | undefined]> => {
    const path = `console/api/webhooks/${encodeURIComponent(id)}`;
    try {
      return [id, explainRefusal(await api.get<ConsoleWebhook>(path, { signal }), false)];
    } catch (error) {
      return [id, explainRefusal(undefined, toApiFailure(error).code === "resource_not_found")];
    }
  };
  const { data = none } = useResource(`refusals ${asked.join(" ")}`, async (signal): Promise<Refusals> =>
    Object.fromEntries(await Promise.all(asked.map((id) => load(signal, id)))),
  );
  return data;
}
