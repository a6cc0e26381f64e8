import { countNotDelivered } from "@hookwright/domain";
import type { Attention, Delivery, ListedConsoleWebhook } from "@hookwright/domain";
import { CircleAlert, CircleCheck } from "lucide";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import { Icon } from "../../parts/buttons.tsx";
import { Answer, Endpoint, Status } from "../../parts/cells.tsx";
import { formatCount, formatCounted } from "../../parts/format.ts";
import { LossLinks, stoppedSince } from "../../parts/losses.tsx";
import { Menu } from "../../parts/menu.tsx";
import { titleOf } from "../../parts/tell-apart.ts";
import { Ago, Time } from "../../parts/time.tsx";
import { useConsole, useMayChange } from "../../state/console-context.ts";
import { hrefToRows, useLedgerSince } from "../../state/ledger.ts";
import { hrefTo } from "../../state/route.ts";

/** What is wrong, and where it is fixed. */
const kinds: Readonly<
  Record<
    Attention["kind"],
    { readonly status: string; readonly action: string; readonly hrefFor: (id: string) => string }
  >
> = {
  webhook_gone: { status: "removed", action: "Look", hrefFor: (id) => hrefTo(["webhooks", id]) },
  webhook_switched_off: {
    status: "switched_off",
    action: "Turn on and recover",
    hrefFor: (id) => hrefTo(["webhooks", id], { do: "recover" }),
  },
  // While they are retried, its deliveries have not failed yet.
  webhook_failing: {
    status: "failing",
    action: "Look",
    hrefFor: (webhook_id) => hrefTo(["deliveries"], { webhook_id }),
  },
  webhook_paused: { status: "paused", action: "Resume", hrefFor: (id) => hrefTo(["webhooks", id]) },
  rotation_waiting: {
    status: "rotating",
    action: "Finish",
    hrefFor: (id) => hrefTo(["webhooks", id], { tab: "secret" }),
  },
};

/** More are behind a button. */
const shownAtFirst = 3;

export interface AttentionListProps {
  readonly attention: readonly Attention[];
  /** With removed ones. */
  readonly webhooks: readonly ListedConsoleWebhook[];
  /** Requests to the API that the rate limit refused in the last hour. */
  readonly refused: number;
  /** The newest delivery of an event. */
  readonly newest: Delivery | undefined;
  /** Called after an alert was put off, or brought back. */
  readonly onSnoozed: () => void;
}

/** What is wrong, one line each, and where it is fixed. If nothing is, one sentence says so. */
export function AttentionList({ attention, webhooks, refused, newest, onSnoozed }: AttentionListProps) {
  const [areAllShown, showAll] = useState(false);
  const [areQuietShown, showQuiet] = useState(false);
  const isQuiet = ({ is_known, snoozed_until }: Attention): boolean => is_known || snoozed_until !== null;
  const loud = attention.filter((each) => !isQuiet(each));
  const quiet = attention.filter(isQuiet);
  const alerts = [
    ...loud.map((each) => <Alert key={keyOf(each)} {...{ alert: each, webhooks, onSnoozed }} />),
    ...(refused === 0 ? [] : [<RateLimitAlert key="requests" refused={refused} />]),
  ];
  const shown = areAllShown ? alerts : alerts.slice(0, shownAtFirst);
  const more = alerts.length - shown.length;
  return (
    <section aria-label="Needs attention" class="attention">
      {alerts.length === 0 ? <AllWell newest={newest} /> : null}
      <ul>
        {shown}
        {areQuietShown
          ? quiet.map((each) => <Alert key={keyOf(each)} {...{ alert: each, webhooks, onSnoozed }} />)
          : null}
      </ul>
      <p class="more">
        {more === 0 ? null : (
          <button type="button" class="link" onClick={() => showAll(true)}>
            {more} more
          </button>
        )}
        {quiet.length === 0 || areQuietShown ? null : (
          <button type="button" class="link" onClick={() => showQuiet(true)}>
            {quiet.length} snoozed or acknowledged
          </button>
        )}
      </p>
    </section>
  );
}

function keyOf({ kind, webhook_id }: Attention): string {
  return `${kind} ${webhook_id}`;
}

function AllWell({ newest }: Pick<AttentionListProps, "newest">) {
  const isIdle = newest === undefined;
  return (
    <p class={isIdle ? "note idle" : "note good"}>
      <Icon of={CircleCheck} />
      {isIdle ? (
        "No webhook needs attention. No event has happened yet."
      ) : (
        <span>
          No webhook needs attention. Last event <Ago at={newest.created_at} />.
        </span>
      )}
    </p>
  );
}

interface AlertProps extends Pick<AttentionListProps, "webhooks" | "onSnoozed"> {
  readonly alert: Attention;
}

function Alert({ alert, webhooks, onSnoozed }: AlertProps) {
  const { kind, webhook_id, message, since, last_answer: answer } = alert;
  const webhook = webhooks.find(({ id }) => id === webhook_id);
  const isLocked = webhook?.status === "disabled_by_host";
  const { status, action, hrefFor } = kinds[kind];
  const text = isLocked ? "Look" : action;
  const isStopped = kind === "webhook_switched_off" || kind === "webhook_gone";
  /** The failures before it was disabled or removed are part of the loss. */
  const stopped = isStopped && webhook !== undefined ? stoppedSince(webhook) : null;
  const start = stopped ?? since;
  return (
    <Line
      status={isLocked ? "disabled_by_host" : status}
      isBad={isStopped}
      name={webhook === undefined ? webhook_id : <Endpoint url={webhook.target_url} name={webhook.name} />}
      message={message}
      link={
        <a
          class="button"
          aria-label={`${text}: ${webhook === undefined ? webhook_id : titleOf(webhook)}`}
          href={isLocked ? hrefTo(["webhooks", webhook_id]) : hrefFor(webhook_id)}
        >
          {text}
        </a>
      }
      menu={<SnoozeMenu alert={alert} webhook={webhook} onSnoozed={onSnoozed} />}
    >
      {answer === null ? null : (
        <span title={answer.response ?? undefined}>
          <Answer status={answer.http_status} error={answer.error} />
        </span>
      )}
      {start === null ? null : (
        <span>
          {stopped === null ? "" : "nothing accepted "}since <Time at={start} />
        </span>
      )}
      {kind === "rotation_waiting" ? null : <Lost webhookId={webhook_id} since={start} />}
    </Line>
  );
}

function RateLimitAlert({ refused }: { readonly refused: number }) {
  return (
    <Line
      status="refused"
      name="API rate limit reached"
      message="Requests with a key that asks too often are refused with 429."
      link={
        <a class="button" href={hrefTo(["requests"], { status: "429" })}>
          Look
        </a>
      }
    >
      <span>
        {formatCounted(refused)} {refused === 1 ? "request" : "requests"} in the last hour
      </span>
    </Line>
  );
}

interface LineProps {
  readonly status: string;
  readonly isBad?: boolean;
  readonly name: ComponentChildren;
  /** The tooltip. */
  readonly message: string;
  readonly link: ComponentChildren;
  readonly menu?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Line({ status, isBad = false, name, message, link, menu, children }: LineProps) {
  return (
    <li class={isBad ? "bad" : "warn"} title={message}>
      <Icon of={CircleAlert} />
      <strong>{name}</strong>
      <p>
        <Status status={status} />
        {children}
      </p>
      {link}
      {menu}
    </li>
  );
}

/** How many events were not delivered since then. */
function Lost({ webhookId, since }: { readonly webhookId: string; readonly since: string | null }) {
  const { totals, filters } = useLedgerSince(webhookId, since);
  if (totals === undefined) return null;
  if (countNotDelivered(totals) > 0)
    return (
      <strong>
        <LossLinks numbers={totals} filters={filters} />
      </strong>
    );
  if (totals.pending === 0) return null;
  return <a href={hrefToRows("pending", filters)}>{formatCount(totals.pending)} waiting</a>;
}

const snoozes = [
  ["Snooze for an hour", 1],
  ["Snooze for a day", 24],
  ["Snooze for a week", 168],
] as const;

interface SnoozeMenuProps extends Pick<AlertProps, "alert" | "onSnoozed"> {
  readonly webhook: ListedConsoleWebhook | undefined;
}

/** Puts an alert off for all people of the account. It comes back afterwards. */
function SnoozeMenu({ alert: { kind, webhook_id, snoozed_until }, webhook, onSnoozed }: SnoozeMenuProps) {
  const { api } = useConsole();
  const isAllowed = useMayChange();
  const snooze = async (hours: number): Promise<void> => {
    await api.post(toPath("snoozes"), { kind, webhook_id, hours });
    onSnoozed();
  };
  const items = snoozed_until === null ? snoozes : ([["Bring back", 0]] as const);
  return (
    <Menu
      label={`Snooze ${webhook?.name ?? webhook?.target_url ?? webhook_id}`}
      items={items.map(([text, hours]) => ({
        text,
        isAllowed,
        onChoose: () => void snooze(hours),
      }))}
    />
  );
}
