import type { Attempt, ConsoleWebhook, Delivery, DeliveryDetail } from "@hookwright/domain";
import { ChevronDown, ChevronUp } from "lucide";
import { Fragment } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { Button, CopyButton, Icon } from "../../parts/buttons.tsx";
import { DeliveryStatus, SiteName } from "../../parts/cells.tsx";
import { ConfirmDialog, Drawer } from "../../parts/dialogs.tsx";
import { Facts, FailureNote, Loading, ScreenHeader } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo, useTitle } from "../../state/route.ts";
import { useLiveReload, usePolling } from "../../state/use-live.ts";
import { useResource } from "../../state/use-resource.ts";
import { AttemptView } from "./attempt-view.tsx";
import { explainRefusal } from "./bulk-bar.tsx";
import { EndNote } from "./end-note.tsx";
import { ListenerResults } from "./listener-results.tsx";
import { RetryTimeline } from "./retry-timeline.tsx";

/** One delivery as a page, for links and for new tabs. */
export function DeliveryDetail({ id }: { readonly id: string }) {
  useTitle("Delivery");
  const { listCache } = useConsole();
  const rows = useMemo(() => listCache.listWith("console/api/deliveries", id), [id]);
  const index = rows.findIndex((row) => row.id === id);
  return (
    <>
      <p class="trail">
        <a href={hrefTo(["deliveries"])}>Deliveries</a>
      </p>
      <ScreenHeader title="Delivery">
        {index === -1 ? null : (
          <DeliverySteps
            previous={rows[index - 1]?.id}
            next={rows[index + 1]?.id}
            onOpen={(other) => location.replace(hrefTo(["deliveries", other]))}
          />
        )}
      </ScreenHeader>
      <DeliveryView id={id} />
    </>
  );
}

export interface DeliveryDrawerProps extends DeliveryStepsProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** One delivery beside the list that the user came from. */
export function DeliveryDrawer({ id, onClose, ...steps }: DeliveryDrawerProps) {
  return (
    <Drawer
      title="Delivery"
      actions={
        <>
          <DeliverySteps {...steps} />
          <a class="button" href={hrefTo(["deliveries", id])}>
            Open page
          </a>
        </>
      }
      onClose={onClose}
    >
      <DeliveryView id={id} />
    </Drawer>
  );
}

export interface DeliveryStepsProps {
  /** The delivery above it in the list. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly onOpen: (id: string) => void;
}

/** Buttons and keys for the deliveries above and below in the list. */
export function DeliverySteps({ previous, next, onOpen }: DeliveryStepsProps) {
  return (
    <>
      <Step name="Previous delivery" icon={ChevronUp} to={previous} shortcut="k" onOpen={onOpen} />
      <Step name="Next delivery" icon={ChevronDown} to={next} shortcut="j" onOpen={onOpen} />
    </>
  );
}

interface StepProps {
  readonly name: string;
  readonly icon: typeof ChevronUp;
  readonly to: string | undefined;
  readonly shortcut: string;
  readonly onOpen: (id: string) => void;
}

function Step({ name, icon, to, shortcut, onOpen }: StepProps) {
  return (
    <button
      type="button"
      class="button icon-only"
      aria-label={name}
      title={`${name} (${shortcut})`}
      data-shortcut={shortcut}
      disabled={to === undefined}
      onClick={() => {
        if (to !== undefined) onOpen(to);
      }}
    >
      <Icon of={icon} />
    </button>
  );
}

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

export interface DeliveryActionsProps {
  readonly delivery: DeliveryDetail;
  /** The path of the delivery in the console API. */
  readonly path: string;
  /** Undefined until it is loaded. */
  readonly webhook: ConsoleWebhook | undefined;
  /** Why the delivery cannot be sent again. Undefined: it can, as far as is known. */
  readonly refusal: string | undefined;
}

/** What the delivery is, and what can be done with it. */
export function DeliveryActions({ delivery, path, webhook, refusal }: DeliveryActionsProps) {
  const { api } = useConsole();
  const { id, event, record_id, kind } = delivery;
  const [isAsking, setAsking] = useState(false);
  const resentId = useRef("");
  async function resend(): Promise<void> {
    resentId.current = (await api.post<Delivery>(`${path}/resend`)).id;
  }
  return (
    <>
      <div class="delivery-head">
        <h2>
          <DeliveryStatus delivery={delivery} /> <code>{event}</code> <bdi>{record_id}</bdi>
          {kind === "event" ? null : <span class="badge">{kind}</span>}
        </h2>
        <div class="actions">
          <CopyButton text={id} shortcut="c">
            Copy id
          </CopyButton>
          <CopyButton text={linkTo(id)}>Copy link</CopyButton>
          <Button
            changes
            disabled={kind === "test" || refusal !== undefined}
            shortcut="r"
            onClick={() => setAsking(true)}
          >
            Resend
          </Button>
        </div>
      </div>
      {isAsking ? (
        <ConfirmDialog
          title="Send this delivery again?"
          confirm="Resend"
          kind="primary"
          onConfirm={resend}
          onDone={() => (location.hash = hrefTo(["deliveries", resentId.current]))}
          onClose={() => setAsking(false)}
        >
          <p>
            It is sent to <bdi>{webhook?.target_url ?? delivery.target_url}</bdi> as a new delivery. Your
            endpoint sees the same body id again.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function linkTo(id: string): string {
  const url = new URL(location.href);
  url.hash = `#/deliveries/${encodeURIComponent(id)}`;
  return url.href;
}

const shown = 10;

/** Where a delivery comes from, and what belongs to it. */
export function DeliveryFacts({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { api } = useConsole();
  const { id, body_id, webhook_id, target_url, project_id, resent_from, resends } = delivery;
  const same = useResource(`same event ${body_id}`, async (signal) => {
    const query = { q: body_id, limit: String(shown + 1) };
    return (await api.list<Delivery>("console/api/deliveries", { query, signal })).rows;
  }).data;
  const others = same?.filter((other) => other.id !== id).slice(0, shown) ?? [];
  return (
    <Facts
      facts={[
        [
          "Webhook",
          <Fragment key="webhook">
            <a class="url" href={hrefTo(["webhooks", webhook_id])}>
              {target_url}
            </a>{" "}
            <CopyButton text={target_url} isIcon>
              Copy URL
            </CopyButton>
          </Fragment>,
        ],
        ["Site", <SiteName key="site" id={project_id} />],
        ["Created", <Time key="created" at={delivery.created_at} />],
        ["Ended", <Time key="ended" at={delivery.completed_at} none="not yet" />],
        [
          "Body id",
          <Fragment key="body">
            <code>{body_id}</code>{" "}
            <CopyButton text={body_id} isIcon>
              Copy body id
            </CopyButton>
          </Fragment>,
        ],
        ["Delivery id", <code key="id">{id}</code>],
        ...(resent_from === null
          ? []
          : ([["Sends again", <DeliveryLinks key="from" ids={[resent_from]} />]] as const)),
        ...(resends.length === 0
          ? []
          : ([["Sent again as", <DeliveryLinks key="to" ids={resends} />]] as const)),
        ...(others.length === 0
          ? []
          : ([
              ["Same event elsewhere", <DeliveryLinks key="same" ids={others.map((other) => other.id)} />],
            ] as const)),
      ]}
    />
  );
}

function DeliveryLinks({ ids }: { readonly ids: readonly string[] }) {
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <a href={hrefTo(["deliveries", id])}>
            <code>{id}</code>
          </a>
        </li>
      ))}
    </ul>
  );
}
