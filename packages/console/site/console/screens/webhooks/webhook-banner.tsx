import type { ConsoleWebhook, Delivery } from "@hookwright/domain";
import { useEffect, useRef, useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { Answer } from "../../parts/cells.tsx";
import { NotDelivered } from "../../parts/losses.tsx";
import { formatCount, formatCounted } from "../../parts/format.ts";
import { Time } from "../../parts/time.tsx";
import { hrefTo } from "../../state/route.ts";
import { useRows } from "../../state/use-api.ts";
import { GoLive } from "../../parts/go-live.tsx";

export interface WebhookBannerProps {
  readonly webhook: ConsoleWebhook | undefined;
  /** The webhook was removed. */
  readonly isGone: boolean;
  readonly busy: boolean;
  /** It has gone live. */
  readonly onLive: (webhook: ConsoleWebhook) => void;
  readonly onTurnOn: (webhook: ConsoleWebhook) => void;
  /** Turns it on, then asks what to send again. */
  readonly onRecover: (webhook: ConsoleWebhook) => void;
  readonly onReload: () => void;
}

/** Why a webhook does not send, since when, and what helps. */
export function WebhookBanner({
  webhook,
  isGone,
  busy,
  onLive,
  onTurnOn,
  onRecover,
  onReload,
}: WebhookBannerProps) {
  /** The webhook that waits for its first accepted test. It goes live in the same place afterwards. */
  const waiting = useRef<string>(undefined);
  if (webhook?.status !== "paused") waiting.current = undefined;
  else if (!webhook.verified) waiting.current = webhook.id;
  if (isGone) return <RemovedNote webhook={webhook} />;
  if (webhook === undefined) return null;
  const { status, status_detail, consecutive_failures, rotating, id } = webhook;
  const isWaiting = waiting.current === id;
  return (
    <>
      {isWaiting ? (
        <div class="note idle">
          <p>
            Paused <Since at={webhook.status_changed_at} />.{" "}
            {webhook.verified
              ? "Its endpoint has accepted a test."
              : "Its endpoint has accepted nothing yet: send a test, then go live."}{" "}
            <Missed webhook={webhook} />
          </p>
          <GoLive
            key={id}
            webhook={webhook}
            onLive={onLive}
            onRecover={mayHaveMissed(webhook) ? () => onRecover(webhook) : undefined}
          />
        </div>
      ) : null}
      {status === "disabled_by_host" ? (
        <p class="note bad">
          Disabled by the operator: {status_detail} <Missed webhook={webhook} />
        </p>
      ) : null}
      {status === "active" || status === "disabled_by_host" || isWaiting ? null : (
        <div class={status === "paused" ? "note warn" : "note bad"}>
          <p>
            {status === "paused" ? (
              <>
                Paused <Since at={webhook.status_changed_at} />. <Missed webhook={webhook} />
              </>
            ) : (
              <>
                Disabled <Since at={webhook.status_changed_at} /> after {consecutive_failures} failed attempts
                in a row. <LastAnswer webhookId={id} /> <Missed webhook={webhook} /> Fix the endpoint, send a
                test, then turn the webhook on.
              </>
            )}
          </p>
          <div class="actions">
            <Button changes kind="primary" busy={busy} onClick={() => onRecover(webhook)}>
              {status === "paused" ? "Resume and recover …" : "Turn on and recover …"}
            </Button>
            <Button changes busy={busy} onClick={() => onTurnOn(webhook)}>
              {status === "paused" ? "Resume" : "Turn on"}
            </Button>
          </div>
        </div>
      )}
      {rotating ? (
        <p class="note warn">
          A new signing secret is pending.{" "}
          <a href={hrefTo(["webhooks", id], { tab: "secret" })}>Finish the rotation</a>
        </p>
      ) : null}
      <BackoffNote webhook={webhook} onEnd={onReload} />
      <PaceNote webhook={webhook} />
    </>
  );
}

/** A webhook that was created paused has no deliveries that were cancelled. */
function mayHaveMissed({ missed, status_changed_at, created_at }: ConsoleWebhook): boolean {
  return missed !== 0 || status_changed_at !== created_at;
}

/** What the endpoint answered before the webhook was disabled, if it is still known. Tests do not count. */
function LastAnswer({ webhookId }: { readonly webhookId: string }) {
  const query = { webhook_id: webhookId, kind: "event", attempts_min: "1", limit: "1" };
  const [last] = useRows<Delivery>(toPath("deliveries"), query).data ?? [];
  if (last === undefined || last.last_error === null) return null;
  return (
    <>
      Last: <Answer status={last.last_status} error={last.last_error} />.
    </>
  );
}

/** What was lost, and what becomes of the events that happen meanwhile. */
function Missed({ webhook }: { readonly webhook: ConsoleWebhook }) {
  return (
    <>
      <NotDelivered webhook={webhook} /> Events that happen meanwhile are sent only by a recovery.
    </>
  );
}

function Since({ at }: { readonly at: string | null }) {
  if (at === null) return null;
  return (
    <>
      since <Time at={at} />
    </>
  );
}

function RemovedNote({ webhook }: { readonly webhook: ConsoleWebhook | undefined }) {
  const status: string | undefined = webhook?.status;
  const reason = webhook?.status_reason ?? null;
  return (
    <p class="note bad" role="alert">
      {webhook === undefined || status !== "removed" || reason === null ? (
        "This webhook does not exist, or it was removed. A webhook is removed when it is deleted, when its API key is revoked, or when its endpoint responds with 410."
      ) : (
        <>
          This webhook was removed on <Time at={webhook.status_changed_at} />: {removalReasons[reason]}.
        </>
      )}{" "}
      Nothing is sent to it any more.{" "}
      <a href={hrefTo(["webhooks"], { create: "webhook" })}>Create a webhook</a> if the endpoint shall get
      events again.
    </p>
  );
}

/** Why a webhook was removed. */
export const removalReasons: Readonly<Record<NonNullable<ConsoleWebhook["status_reason"]>, string>> = {
  person: "somebody deleted it",
  failures: "too many attempts failed",
  host: "the operator disabled it",
  gone: "its endpoint answered 410",
  key_revoked: "the API key that created it was revoked",
};

/** Says that a webhook is limited or in order, by whom, and how many deliveries wait. */
function PaceNote({ webhook }: { readonly webhook: ConsoleWebhook }) {
  const { max_per_second: own, host_max_per_second: ofHost, ordered, waiting } = webhook;
  if (waiting === null) return null;
  const isOfHost = ofHost !== null && (own === null || ofHost < own);
  const limit = isOfHost ? ofHost : own;
  return (
    <p class={waiting === 0 ? "note idle" : "note info"}>
      {limit === null ? null : (
        <>
          Limited to {formatCount(limit)} {limit === 1 ? "request" : "requests"} a second
          {isOfHost ? " by the operator" : ""}.{" "}
        </>
      )}
      {ordered ? "Sent in order, one delivery at a time. " : null}
      {waiting === 0
        ? "Nothing waits."
        : `${formatCounted(waiting)} ${waiting === 1 ? "delivery waits" : "deliveries wait"}.`}
    </p>
  );
}

/** The result of the attempt after the back-off is recorded within this time, as a rule. */
const recordingMs = 1_000;

/** Says that a webhook is in back-off, and counts down to its next attempt. */
function BackoffNote({
  webhook,
  onEnd,
}: {
  readonly webhook: ConsoleWebhook;
  /** Called once the next attempt has probably been made. */
  readonly onEnd: () => void;
}) {
  const { status, backoff_until: until, consecutive_failures: failures } = webhook;
  const [now, setNow] = useState(Date.now);
  const leftMs = until === null || status !== "active" ? 0 : Date.parse(until) - now;
  const isOver = leftMs <= 0;
  useEffect(() => {
    setNow(Date.now());
    if (until === null || status !== "active" || Date.parse(until) <= Date.now()) return;
    const ticking = setInterval(() => setNow(Date.now()), 1_000);
    const ending = setTimeout(onEnd, Date.parse(until) - Date.now() + recordingMs);
    return () => {
      clearInterval(ticking);
      clearTimeout(ending);
    };
  }, [until, status]);
  if (isOver) return null;
  return (
    <p class="note warn">
      In back-off after {failures} failed attempts in a row. Next attempt in{" "}
      <time dateTime={until ?? undefined}>{Math.ceil(leftMs / 1_000)} s</time>. One success ends the back-off.
    </p>
  );
}
