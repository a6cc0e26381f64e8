import type { Attempt, ConsoleWebhook, Delivery } from "@hookwright/domain";
import { useMemo, useState } from "preact/hooks";
import { toApiFailure, toPath } from "../../api/console-api.ts";
import { DeliveriesChart } from "../../charts/count-charts.tsx";
import { ResponseChart } from "../../charts/response-chart.tsx";
import { CopyButton } from "../../parts/buttons.tsx";
import { WebhookStatus } from "../../parts/cells.tsx";
import { stoppedSince } from "../../parts/losses.tsx";
import { FailureNote, Loading, Pending, ScreenHeader, Tabs } from "../../parts/page.tsx";
import { shortUrl } from "../../parts/tell-apart.ts";
import { listEvents } from "../../parts/webhook-events.ts";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo, replaceQuery, useAskedDialog } from "../../state/route.ts";
import { useLedger, withTimes } from "../../state/ledger.ts";
import { useAction, useGet, useRows } from "../../state/use-api.ts";
import { useLiveReload, usePolling, useRefresh } from "../../state/use-live.ts";
import { DeliveryList } from "../deliveries/delivery-list.tsx";
import { toDeliveryQuery } from "../deliveries/delivery-table.tsx";
import { IssueList } from "../issues/issue-list.tsx";
import { Tiles } from "../overview/tiles.tsx";
import { Answers } from "./answers.tsx";
import { SecretRotation } from "./secret-rotation.tsx";
import { TestDrawer, WebhookActions } from "./webhook-actions.tsx";
import { WebhookBanner } from "./webhook-banner.tsx";
import { WebhookFacts, WebhookSettings } from "./webhook-settings.tsx";
import { WebhookRecoveries } from "./webhook-recoveries.tsx";

const tabs = [
  ["", "Overview"],
  ["deliveries", "Deliveries"],
  ["settings", "Settings"],
  ["secret", "Secret"],
] as const;

export interface WebhookDetailProps {
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
}

/** One webhook: whether it works, what it sent, and what can be changed. */
export function WebhookDetail({ id, query }: WebhookDetailProps) {
  const { api, listCache } = useConsole();
  const path = toPath("webhooks", id);
  const { data: webhook, failure, loading, reload, refresh, show } = useGet<ConsoleWebhook>(path);
  const action = useAction();
  const [attempt, setAttempt] = useState<Attempt>();
  const tab = tabs.find(([name]) => name === query["tab"])?.[0] ?? "";
  const recovery = useAskedDialog(query["do"] === "recover", ["do", "since"]);
  const [brokenSince, setBrokenSince] = useState<string | null>(null);
  useLiveReload(refresh, (change) => change.type === "webhook" && change.row.id === id);
  // The stream does not tell of events that are not sent.
  const countsAgainAt = useMemo(() => new Date(Date.now() + countEveryMs).toISOString(), [webhook]);
  usePolling({
    isPending:
      (webhook?.status === "paused" || webhook?.status === "switched_off" || Boolean(webhook?.waiting)) &&
      !loading,
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
    recovery.open();
    if (tab !== "") replaceQuery({ tab: "" });
  };
  const showTested = (tested: Attempt): void => {
    setAttempt(tested);
    listCache.clear();
    reload();
  };
  /** The stream may tell of it before the response does, and end the question. A user who has left is not moved. */
  const remove = async (): Promise<void> => {
    await ask(api.delete(path));
    if (location.hash.startsWith(hrefTo(["webhooks", id]))) location.hash = hrefTo(["webhooks"]);
  };
  const status: string | undefined = webhook?.status;
  const isGone = failure?.code === "resource_not_found" || status === "removed";
  return (
    <>
      <p class="trail">
        <a href={hrefTo(["webhooks"])}>Webhooks</a>
      </p>
      <ScreenHeader
        title={webhook?.name ?? webhook?.target_url ?? "Webhook"}
        tab={webhook === undefined ? "Webhook" : `${webhook.name ?? shortUrl(webhook.target_url)} · Webhook`}
      >
        {webhook === undefined || isGone ? null : (
          <WebhookActions
            webhook={webhook}
            busy={action.busy}
            onTest={(input) => ask(api.post<Attempt>(`${path}/test`, input))}
            onTested={showTested}
            onPause={() => post("pause")}
          />
        )}
      </ScreenHeader>
      {webhook === undefined ? null : (
        <p class="webhook-line">
          <WebhookStatus webhook={webhook} />
          <EventBadges webhook={webhook} />
          <span class="url">
            {webhook.name === null ? null : <bdi class="quiet">{webhook.target_url} </bdi>}
            <CopyButton text={webhook.target_url} isIcon={webhook.name !== null}>
              Copy URL
            </CopyButton>
          </span>
        </p>
      )}
      <FailureNote failure={action.failure} />
      {failure?.code === "resource_not_found" ? null : <FailureNote failure={failure} onRetry={reload} />}
      {webhook === undefined && failure === undefined ? <Loading rem={[2.6, 8.6, 18, 18]} /> : null}
      <WebhookBanner
        webhook={webhook}
        isGone={isGone}
        busy={action.busy}
        onLive={show}
        onTurnOn={(current) => void action.run(() => turnOn(current))}
        onRecover={recover}
        onReload={reload}
      />
      {attempt === undefined ? null : (
        <TestDrawer attempt={attempt} targetUrl={webhook?.target_url} onClose={() => setAttempt(undefined)} />
      )}
      {webhook === undefined || isGone ? null : (
        <Tabs
          label="Parts of the webhook"
          tabs={tabs.map(([name, title]) => ({
            title,
            href: hrefTo(["webhooks", id], { tab: name }),
            isCurrent: name === tab,
          }))}
        />
      )}
      {webhook !== undefined && !isGone && tab === "" ? (
        <>
          <WebhookOverview webhook={webhook} />
          <WebhookRecoveries
            webhook={webhook}
            dialog={recovery}
            onTurnOn={() => turnOn(webhook)}
            brokenSince={brokenSince ?? query["since"] ?? stoppedSince(webhook)}
            onGone={reload}
          />
        </>
      ) : null}
      {webhook !== undefined && isGone ? <WebhookFacts webhook={webhook} /> : null}
      {webhook !== undefined && !isGone && tab === "settings" ? (
        <WebhookSettings
          webhook={webhook}
          onSave={async (changes) => show(await ask(api.patch<ConsoleWebhook>(path, changes)))}
          onDelete={remove}
        />
      ) : null}
      {webhook !== undefined && !isGone && tab === "secret" ? (
        <SecretRotation webhook={webhook} attempt={attempt} onChanged={show} onRefused={reload} />
      ) : null}
      {isGone || (webhook !== undefined && tab === "deliveries") ? (
        <DeliveryList
          query={toDeliveryQuery({ ...query, webhook_id: id })}
          place={{ segments: ["webhooks", id], query: { tab: "deliveries" } }}
          withWebhook={false}
        />
      ) : null}
    </>
  );
}

/** More are counted. The tooltip names them. */
const maximumBadges = 6;

function EventBadges({ webhook }: { readonly webhook: ConsoleWebhook }) {
  const { events } = webhook;
  const shown = events.length > maximumBadges ? events.slice(0, maximumBadges - 1) : events;
  return (
    <>
      {shown.map((event) => (
        <code key={event} class="badge">
          {event === "*" ? listEvents(webhook) : event}
        </code>
      ))}
      {shown.length === events.length ? null : (
        <code class="badge" title={listEvents(webhook)}>
          and {events.length - shown.length} more
        </code>
      )}
    </>
  );
}

/** The answers of so many deliveries are counted. */
const countedDeliveries = 100;
/** The stream of changes does not tell of events that are not sent. */
const countEveryMs = 5_000;

/** How one webhook does: numbers, charts, and what its endpoint answers. */
function WebhookOverview({ webhook: { id } }: { readonly webhook: ConsoleWebhook }) {
  const { period, site } = useConsole();
  const filters = { webhook_id: id, project_id: site };
  const ledger = useLedger({ ...filters, period });
  useRefresh(ledger.refresh, countEveryMs);
  // Those of a disabled webhook are cancelled without an attempt.
  const counted = { ...filters, period, attempts_min: "1", limit: String(countedDeliveries) };
  const newest = useRows<Delivery>(toPath("deliveries"), withTimes(counted), JSON.stringify(counted));
  useLiveReload(
    () => {
      ledger.refresh();
      newest.refresh();
    },
    (change) => change.type === "delivery" && change.row.webhook_id === id,
    5_000,
  );
  if (ledger.data === undefined) return <Pending of={ledger} rem={[12, 20, 24]} />;
  return (
    <>
      <Tiles ledger={ledger.data} filters={filters} />
      <DeliveriesChart
        ledger={ledger.data}
        filters={filters}
        onChoose={(since, until) => {
          location.hash = hrefTo(["deliveries"], { webhook_id: id, since, until });
        }}
      />
      <div class="halves">
        <ResponseChart ledger={ledger.data} />
        {newest.data === undefined ? null : <Answers webhookId={id} deliveries={newest.data} />}
      </div>
      <IssueList webhookId={id} />
    </>
  );
}
