import type { Attempt, ConsoleWebhook } from "@hookwright/domain";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { toApiFailure } from "../../api/api-failure.ts";
import { FailureNote } from "../../parts/failure-note.tsx";
import { Loading } from "../../parts/loading.tsx";
import { ScreenHeader } from "../../parts/screen-header.tsx";
import { WebhookStatus } from "../../parts/status.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useAction } from "../../state/use-action.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { usePolling } from "../../state/use-polling.ts";
import { useResource } from "../../state/use-resource.ts";
import { hrefTo, replaceQuery } from "../../state/use-route.ts";
import { useTitle } from "../../state/use-title.ts";
import { DeliveryTable } from "../deliveries/delivery-table.tsx";
import { SecretRotation } from "./secret-rotation.tsx";
import { TestDrawer } from "./test-drawer.tsx";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookBanner } from "./webhook-banner.tsx";
import { WebhookFacts } from "./webhook-facts.tsx";
import { WebhookOverview } from "./webhook-overview.tsx";
import { WebhookRecoveries } from "./webhook-recoveries.tsx";

const tabs = [
  ["", "Overview"],
  ["deliveries", "Deliveries"],
  ["settings", "Settings"],
  ["secret", "Secret"],
] as const;

/** How often the missed events of a webhook that does not send are counted. */
const countEveryMs = 5_000;

export interface WebhookDetailProps {
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
}

/** One webhook: whether it works, what it sent, and what can be changed. */
export function WebhookDetail({ id, query }: WebhookDetailProps) {
  useTitle("Webhook");
  const { api, listCache } = useConsole();
  const path = `console/api/webhooks/${encodeURIComponent(id)}`;
  const {
    data: webhook,
    failure,
    loading,
    reload,
    show,
  } = useResource(path, (signal) => api.get<ConsoleWebhook>(path, { signal }));
  const action = useAction();
  const [attempt, setAttempt] = useState<Attempt>();
  const tab = tabs.find(([name]) => name === query["tab"])?.[0] ?? "";
  const isAsked = query["do"] === "recover";
  const [isRecovering, setRecovering] = useState(isAsked);
  useEffect(() => {
    if (isAsked) setRecovering(true);
  }, [isAsked]);
  const [brokenSince, setBrokenSince] = useState<string | null>(null);
  useLiveReload(reload, (change) => change.type === "webhook" && change.row.id === id);
  // The stream does not tell of events that are not sent.
  const countsAgainAt = useMemo(() => new Date(Date.now() + countEveryMs).toISOString(), [webhook]);
  usePolling({
    isPending: (webhook?.status === "paused" || webhook?.status === "switched_off") && !loading,
    dueAt: countsAgainAt,
    hasFailed: failure !== undefined,
    poll: reload,
  });

  /** Reloads the webhook if the server refuses an action because its status differs from what is shown. */
  async function ask<Data>(asked: Promise<Data>): Promise<Data> {
    try {
      return await asked;
    } catch (error) {
      const { code } = toApiFailure(error);
      if (code === "invalid_state" || code === "resource_not_found") reload();
      throw error;
    }
  }
  const post = async (name: string): Promise<void> =>
    show(await ask(api.post<ConsoleWebhook>(`${path}/${name}`)));
  const turnOn = async (current: ConsoleWebhook): Promise<void> =>
    post(current.status === "paused" ? "resume" : "turn-on");
  /** It is turned on only when the user has decided what is sent again. */
  const recover = (current: ConsoleWebhook): void => {
    setBrokenSince(stoppedSince(current));
    setRecovering(true);
    if (tab !== "") replaceQuery({ tab: "" });
  };
  const test = async (): Promise<void> => {
    setAttempt(await ask(api.post<Attempt>(`${path}/test`)));
    listCache.clear();
    reload();
  };
  const askRecovery = (asks: boolean): void => {
    setRecovering(asks);
    if (isAsked && !asks) replaceQuery({ do: "" });
  };
  const onProgress = useCallback(() => listCache.clear(), [listCache]);
  const status: string | undefined = webhook?.status;
  const isGone = failure?.code === "resource_not_found" || status === "removed";
  return (
    <>
      <p class="trail">
        <a href={hrefTo(["webhooks"])}>Webhooks</a>
      </p>
      <ScreenHeader title={webhook?.name ?? webhook?.target_url ?? "Webhook"}>
        {webhook === undefined || isGone ? null : (
          <WebhookActions
            webhook={webhook}
            busy={action.busy}
            onTest={() => void action.run(test)}
            onPause={() => post("pause")}
            onEdit={async (changes) => show(await ask(api.patch<ConsoleWebhook>(path, changes)))}
            onDelete={() => ask(api.delete(path))}
          />
        )}
      </ScreenHeader>
      {webhook === undefined ? null : (
        <p class="webhook-line">
          <WebhookStatus webhook={webhook} />
          <code class="badge">{webhook.event}</code>
          {webhook.name === null ? null : <bdi class="quiet url">{webhook.target_url}</bdi>}
        </p>
      )}
      <FailureNote failure={action.failure} />
      {failure?.code === "resource_not_found" ? null : <FailureNote failure={failure} onRetry={reload} />}
      {webhook === undefined && failure === undefined ? <Loading /> : null}
      <WebhookBanner
        webhook={webhook}
        isGone={isGone}
        busy={action.busy}
        onTurnOn={(current) => void action.run(() => turnOn(current))}
        onRecover={recover}
        onReload={reload}
      />
      {attempt === undefined ? null : (
        <TestDrawer attempt={attempt} targetUrl={webhook?.target_url} onClose={() => setAttempt(undefined)} />
      )}
      {webhook === undefined || isGone ? null : (
        <nav class="tabs" aria-label="Parts of the webhook">
          {tabs.map(([name, title]) => (
            <a
              key={name}
              href={hrefTo(["webhooks", id], { tab: name })}
              aria-current={name === tab ? "page" : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
      )}
      {webhook !== undefined && !isGone && tab === "" ? (
        <>
          <WebhookOverview webhook={webhook} />
          <WebhookRecoveries
            webhook={webhook}
            path={path}
            onProgress={onProgress}
            isAsking={isRecovering}
            onTurnOn={() => turnOn(webhook)}
            onAsk={askRecovery}
            brokenSince={brokenSince ?? stoppedSince(webhook)}
            onGone={reload}
          />
        </>
      ) : null}
      {webhook !== undefined && (isGone || tab === "settings") ? <WebhookFacts webhook={webhook} /> : null}
      {webhook !== undefined && !isGone && tab === "secret" ? (
        <SecretRotation webhook={webhook} path={path} attempt={attempt} onChanged={show} onRefused={reload} />
      ) : null}
      {isGone || tab === "deliveries" ? (
        <section>
          <h2>Deliveries</h2>
          <DeliveryTable query={{ webhook_id: id }} withWebhook={false} />
        </section>
      ) : null}
    </>
  );
}

/** When a webhook that does not send accepted a delivery last. Null: it sends, or this is unknown. */
function stoppedSince({ status, last_success_at, status_changed_at }: ConsoleWebhook): string | null {
  return status === "active" ? null : (last_success_at ?? status_changed_at);
}
