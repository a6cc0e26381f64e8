import type { Attempt, ConsoleWebhook, DeliveryDetail } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { FailureNote } from "../../parts/failure-note.tsx";
import { Loading } from "../../parts/loading.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { usePolling } from "../../state/use-polling.ts";
import { useResource } from "../../state/use-resource.ts";
import { AttemptView } from "./attempt-view.tsx";
import { DeliveryActions } from "./delivery-actions.tsx";
import { DeliveryFacts } from "./delivery-facts.tsx";
import { EndNote } from "./end-note.tsx";
import { explainRefusal } from "./explain-refusal.ts";
import { ListenerResults } from "./listener-results.tsx";
import { RetryTimeline } from "./retry-timeline.tsx";

/** A delivery: its attempts on a timeline, and what one attempt sent and got. */
export function DeliveryView({ id }: { readonly id: string }) {
  const { api } = useConsole();
  const path = `console/api/deliveries/${encodeURIComponent(id)}`;
  const {
    data: delivery,
    failure,
    loading,
    reload,
  } = useResource(path, (signal) => api.get<DeliveryDetail>(path, { signal }));
  const webhookPath = `console/api/webhooks/${encodeURIComponent(delivery?.webhook_id ?? "")}`;
  const webhook = useResource(webhookPath, async (signal) =>
    delivery === undefined ? undefined : api.get<ConsoleWebhook>(webhookPath, { signal }),
  );
  const refusal = explainRefusal(webhook.data, webhook.failure?.code === "resource_not_found");
  const [number, setNumber] = useState<number>();
  useLiveReload(reload, (change) => change.type === "delivery" && change.row.id === id, 1_000);
  usePolling({
    isPending: delivery?.status === "pending" && !loading,
    dueAt: delivery?.next_attempt_at ?? null,
    hasFailed: failure !== undefined,
    poll: reload,
  });
  if (delivery === undefined)
    return failure === undefined ? <Loading /> : <FailureNote failure={failure} onRetry={reload} />;
  const { attempts } = delivery;
  const shown: Attempt | undefined = attempts.find((attempt) => attempt.number === number) ?? attempts.at(-1);
  return (
    <div class="delivery">
      <DeliveryActions delivery={delivery} path={path} webhook={webhook.data} refusal={refusal} />
      <FailureNote failure={failure} onRetry={reload} />
      <EndNote delivery={delivery} webhook={webhook.data} refusal={refusal} />
      <div class="delivery-columns">
        <RetryTimeline delivery={delivery} shown={shown} onShow={setNumber} />
        {shown === undefined ? (
          <p class="quiet">
            There is no request to show: no attempt was made{delivery.status === "pending" ? " yet" : ""}.
          </p>
        ) : (
          <AttemptView key={shown.id} attempt={shown} targetUrl={delivery.target_url} />
        )}
      </div>
      <ListenerResults results={delivery.listener_results} />
      <DeliveryFacts delivery={delivery} />
    </div>
  );
}
