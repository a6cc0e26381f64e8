import type { Attempt, ConsoleWebhook, Delivery, Overview } from "@hookwright/domain";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { toApiFailure } from "../../api/console-api.ts";
import { DeliveriesChart } from "../../charts/count-charts.tsx";
import { ResponseChart } from "../../charts/response-chart.tsx";
import { SiteName, Status, WebhookStatus } from "../../parts/cells.tsx";
import { Facts, FailureNote, Loading, ScreenHeader } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo, replaceQuery, useTitle } from "../../state/route.ts";
import { useAction } from "../../state/use-action.ts";
import { useLiveReload, usePolling } from "../../state/use-live.ts";
import { useResource } from "../../state/use-resource.ts";
import { DeliveryTable } from "../deliveries/delivery-table.tsx";
import { Tiles } from "../overview/tiles.tsx";
import { Answers } from "./answers.tsx";
import { SecretRotation } from "./secret-rotation.tsx";
import { TestDrawer, WebhookActions } from "./webhook-actions.tsx";
import { WebhookBanner } from "./webhook-banner.tsx";
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

export function WebhookFacts({ webhook }: { readonly webhook: ConsoleWebhook }) {
  const { id, status, event, project_id, consecutive_failures, created_by, name, headers } = webhook;
  const creator =
    created_by.type === "console" ? (
      "the console"
    ) : (
      <>
        the key “<bdi>{created_by.name ?? created_by.key_id}</bdi>”
      </>
    );
  return (
    <Facts
      facts={[
        ...(name === null ? [] : ([["Name", <bdi key="name">{name}</bdi>]] as const)),
        ["Status", <Status key="state" status={status} />],
        ["Event", <code key="event">{event}</code>],
        ["Site", <SiteName key="site" id={project_id} />],
        ...(headers.length === 0 ? [] : ([["Custom headers", headers.join(", ")]] as const)),
        ["Consecutive failures", consecutive_failures],
        ["Last accepted", <Time key="accepted" at={webhook.last_success_at} />],
        ["Last failed", <Time key="failed" at={webhook.last_failure_at} />],
        ["Created", <Time key="created" at={webhook.created_at} />],
        ["Created by", creator],
        ["Id", <code key="id">{id}</code>],
      ]}
    />
  );
}

/** The answers of so many deliveries are counted. */
const countedDeliveries = 100;

/** How one webhook does: numbers, charts, and what its endpoint answers. */
export function WebhookOverview({ webhook: { id } }: { readonly webhook: ConsoleWebhook }) {
  const { api, period } = useConsole();
  const overview = useResource(`overview ${id} ${period}`, (signal) =>
    api.get<Overview>("console/api/overview", { query: { period, webhook_id: id }, signal }),
  );
  const newest = useResource(`newest of ${id}`, async (signal) => {
    // Those of a disabled webhook are cancelled without an attempt.
    const query = { webhook_id: id, attempts_min: "1", limit: String(countedDeliveries) };
    return (await api.list<Delivery>("console/api/deliveries", { query, signal })).rows;
  });
  useLiveReload(
    () => {
      overview.reload();
      newest.reload();
    },
    (change) => change.type === "delivery" && change.row.webhook_id === id,
    5_000,
  );
  if (overview.data === undefined)
    return overview.failure === undefined ? (
      <Loading />
    ) : (
      <FailureNote failure={overview.failure} onRetry={overview.reload} />
    );
  return (
    <>
      <Tiles overview={overview.data} webhookId={id} />
      <DeliveriesChart
        overview={overview.data}
        onChoose={(since, until) => {
          location.hash = hrefTo(["deliveries"], { webhook_id: id, since, until });
        }}
      />
      <div class="halves">
        <ResponseChart overview={overview.data} />
        {newest.data === undefined ? null : <Answers webhookId={id} deliveries={newest.data} />}
      </div>
    </>
  );
}
