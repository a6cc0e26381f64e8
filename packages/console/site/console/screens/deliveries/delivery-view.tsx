import { formatMs } from "@hookwright/domain";
import type { Attempt, ConsoleWebhook, Delivery, DeliveryDetail, ListenerResult } from "@hookwright/domain";
import { ChevronDown, ChevronUp } from "lucide";
import { useEffect, useMemo, useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import { Button, CopyButton, Icon } from "../../parts/buttons.tsx";
import { Answer, SiteName } from "../../parts/cells.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { Drawer } from "../../parts/dialogs.tsx";
import { onDemand } from "../../parts/on-demand.tsx";
import { Facts, FailureNote, Pending, ScreenHeader } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { useAsk, useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
import { useGet } from "../../state/use-api.ts";
import { useLiveReload, usePolling } from "../../state/use-live.ts";
import { AttemptView } from "./attempt-view.tsx";
import { explainRefusal } from "./bulk-bar.tsx";
import { EndNote } from "./end-note.tsx";
import { RelatedDeliveries } from "./related-deliveries.tsx";
import { RetryTimeline } from "./retry-timeline.tsx";
import { Verdict } from "./verdict.tsx";

const ShareDialog = onDemand(async () => (await import("./delivery-tools.ts")).ShareDialog);

/** One delivery as a page, for links and for new tabs. */
export function DeliveryPage({ id }: { readonly id: string }) {
  const { listCache } = useConsole();
  const rows = useMemo(() => listCache.listWith(toPath("deliveries"), id), [id]);
  const index = rows.findIndex((row) => row.id === id);
  const [record, setRecord] = useState<string>();
  return (
    <>
      <p class="trail">
        <a href={hrefTo(["deliveries"])}>Deliveries</a>
      </p>
      <ScreenHeader title="Delivery" tab={record === undefined ? "Delivery" : `${record} · Delivery`}>
        {index === -1 ? null : (
          <DeliverySteps
            previous={rows[index - 1]?.id}
            next={rows[index + 1]?.id}
            onOpen={(other) => location.replace(hrefTo(["deliveries", other]))}
          />
        )}
      </ScreenHeader>
      <DeliveryView id={id} onRecord={setRecord} />
    </>
  );
}

interface DeliveryDrawerProps extends DeliveryStepsProps {
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

interface DeliveryStepsProps {
  /** The delivery above it in the list. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly onOpen: (id: string) => void;
}

/** Buttons and keys for the deliveries above and below in the list. */
function DeliverySteps({ previous, next, onOpen }: DeliveryStepsProps) {
  const steps = [
    { name: "Previous delivery", icon: ChevronUp, to: previous, key: "k" },
    { name: "Next delivery", icon: ChevronDown, to: next, key: "j" },
  ];
  return steps.map(({ name, icon, to, key }) => (
    <button
      key={key}
      type="button"
      class="button icon-only"
      aria-label={name}
      title={`${name} (${key})`}
      data-shortcut={key}
      disabled={to === undefined}
      onClick={() => {
        if (to !== undefined) onOpen(to);
      }}
    >
      <Icon of={icon} />
    </button>
  ));
}

interface DeliveryViewProps {
  readonly id: string;
  /** Called with the id of the record, for the title of the tab. */
  readonly onRecord?: (recordId: string) => void;
}

/** A delivery: its attempts on a timeline, and what one attempt sent and got. */
function DeliveryView({ id, onRecord }: DeliveryViewProps) {
  const resource = useGet<DeliveryDetail>(toPath("deliveries", id));
  const { data: delivery, failure, loading, reload, refresh } = resource;
  const webhook = useGet<ConsoleWebhook>(delivery && toPath("webhooks", delivery.webhook_id));
  const refusal = explainRefusal(webhook.data, webhook.failure?.code === "resource_not_found");
  const [number, setNumber] = useState<number>();
  useEffect(() => {
    if (delivery !== undefined) onRecord?.(delivery.record_id);
  }, [delivery?.record_id]);
  useLiveReload(refresh, (change) => change.type === "delivery" && change.row.id === id, 1_000);
  usePolling({
    isPending: delivery?.status === "pending" && !loading,
    dueAt: delivery?.next_attempt_at ?? null,
    hasFailed: failure !== undefined,
    poll: reload,
  });
  if (delivery === undefined) return <Pending of={resource} rem={[2.2, 3.4, 30]} />;
  const { attempts } = delivery;
  const shown: Attempt | undefined = attempts.find((attempt) => attempt.number === number) ?? attempts.at(-1);
  return (
    <div class="delivery">
      <DeliveryActions delivery={delivery} webhook={webhook.data} refusal={refusal} />
      <FailureNote failure={failure} onRetry={reload} />
      <Verdict delivery={delivery} attempt={shown}>
        <EndNote delivery={delivery} webhook={webhook.data} refusal={refusal} />
      </Verdict>
      <div class="delivery-columns">
        <RetryTimeline delivery={delivery} shown={shown} onShow={setNumber} />
        {shown === undefined ? (
          <p class="quiet">There is no request to show.</p>
        ) : (
          <AttemptView key={shown.id} attempt={shown} delivery={delivery} />
        )}
      </div>
      <DeliveryFacts delivery={delivery} />
      <ListenerResults results={delivery.listener_results} />
      <RelatedDeliveries delivery={delivery} />
    </div>
  );
}

interface DeliveryActionsProps {
  readonly delivery: DeliveryDetail;
  /** Undefined until it is loaded. */
  readonly webhook: ConsoleWebhook | undefined;
  /** Why the delivery cannot be sent again. Undefined: it can, as far as is known. */
  readonly refusal: string | undefined;
}

/** What the delivery is, and what can be done with it. */
function DeliveryActions({ delivery, webhook, refusal }: DeliveryActionsProps) {
  const { api } = useConsole();
  const ask = useAsk();
  const [isSharing, setSharing] = useState(false);
  const { id, event, record_id, kind } = delivery;
  function askToResend(): void {
    let resent: Delivery | undefined;
    ask({
      title: "Send this delivery again?",
      text: (
        <p>
          It is sent to <bdi>{webhook?.target_url ?? delivery.target_url}</bdi> as a new delivery. Your
          endpoint sees the same body id again.
        </p>
      ),
      confirm: "Resend",
      kind: "primary",
      onConfirm: async () => (resent = await api.post<Delivery>(toPath("deliveries", id, "resend"))),
      onDone: () => (location.hash = hrefTo(["deliveries", resent?.id ?? ""])),
    });
  }
  return (
    <div class="delivery-head">
      <h2>
        <code>{event}</code> <bdi>{record_id}</bdi>
        {kind === "event" ? null : <span class="badge">{kind}</span>}
      </h2>
      <div class="actions">
        <CopyButton text={id} shortcut="c">
          Copy id
        </CopyButton>
        <CopyButton text={linkTo(id)}>Copy link</CopyButton>
        <Button onClick={() => setSharing(true)}>Share</Button>
        <Button
          changes
          disabled={kind === "test" || refusal !== undefined}
          shortcut="r"
          onClick={askToResend}
        >
          Resend
        </Button>
      </div>
      {isSharing ? <ShareDialog id={id} onClose={() => setSharing(false)} /> : null}
    </div>
  );
}

function linkTo(id: string): string {
  const url = new URL(location.href);
  url.hash = `#/deliveries/${encodeURIComponent(id)}`;
  return url.href;
}

/** What a delivery is, and where it went. */
function DeliveryFacts({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { id, body_id, webhook_id, target_url, project_id } = delivery;
  return (
    <Facts
      facts={{
        Webhook: (
          <>
            <a class="url" href={hrefTo(["webhooks", webhook_id])}>
              {target_url}
            </a>{" "}
            <CopyButton text={target_url} isIcon>
              Copy URL
            </CopyButton>
          </>
        ),
        Site: <SiteName id={project_id} />,
        Created: <Time at={delivery.created_at} precise />,
        Ended: <Time at={delivery.completed_at} none="not yet" precise />,
        "Body id": (
          <>
            <code>{body_id}</code>{" "}
            <CopyButton text={body_id} isIcon>
              Copy body id
            </CopyButton>
          </>
        ),
        "Delivery id": <code>{id}</code>,
      }}
    />
  );
}

const columns: readonly Column<ListenerResult>[] = [
  {
    name: "Listener",
    kind: "record",
    place: "title",
    cell: ({ listener_id }) => <code>{listener_id}</code>,
  },
  {
    name: "Response",
    place: "mark",
    cell: ({ status }) =>
      status === null ? <span class="answer bad">no response</span> : <Answer status={status} error={null} />,
  },
  { name: "Error", kind: "text", cell: ({ error }) => error },
  { name: "Duration", kind: "number", cell: ({ duration_ms }) => formatMs(duration_ms) },
  { name: "Reported", cell: ({ reported_at }) => <Time at={reported_at} /> },
];

/** What the account's listeners answered to the event of a delivery. Nothing if none reported an answer. */
export function ListenerResults({ results }: { readonly results: readonly ListenerResult[] }) {
  if (results.length === 0) return null;
  return (
    <section>
      <h2>What listeners answered</h2>
      <p class="quiet">
        Programs that run <code>hookwright listen</code> got the same event. Their answers of the last hour
        are shown. They do not change the state of the delivery.
      </p>
      <DataTable
        caption="Answers of listeners"
        columns={columns}
        rows={results}
        keyOf={({ listener_id, delivery_id }) => `${listener_id} ${delivery_id}`}
        readOnly
      />
    </section>
  );
}
