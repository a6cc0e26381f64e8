import type { AttemptError, ConsoleWebhook, Delivery } from "@hookwright/domain";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { isFailing, useAttention } from "../state/attention.tsx";
import { useConsole } from "../state/console-context.ts";
import { hrefTo } from "../state/route.ts";
import { splitUrl, titleOf } from "./tell-apart.ts";
import { describeEvents, listEvents } from "./webhook-events.ts";

const words: Readonly<Record<AttemptError, string>> = {
  timeout: "timeout",
  dns: "DNS error",
  blocked_address: "blocked address",
  connect: "no connection",
  tls: "TLS error",
  reset: "connection lost",
  protocol: "not HTTP",
  status: "bad status",
};

export interface AnswerProps {
  /** The HTTP status. Null: no response arrived. */
  readonly status: number | null;
  readonly error: AttemptError | null;
}

/** What an endpoint answered: an HTTP status, or the error in two words. */
export function Answer({ status, error }: AnswerProps) {
  if (status === null && error === null) return <span class="quiet">–</span>;
  if (status === null || (error !== null && error !== "status"))
    return <span class="answer bad">{error === null ? "no response" : words[error]}</span>;
  return <code class={`answer ${status >= 400 || error !== null ? "bad" : ""}`}>{status}</code>;
}

/** More dots are too wide for the column. */
const mostDots = 6;

/** The attempts of a delivery: one dot for each. Of many attempts, the number is shown. */
export function AttemptDots({ delivery: { attempts_made: made } }: { readonly delivery: Delivery }) {
  const text = made === 1 ? "1 attempt" : `${made} attempts`;
  if (made > mostDots) return <span title={text}>{made}</span>;
  return (
    <span class="attempt-dots" role="img" aria-label={text} title={text}>
      {"●".repeat(made)}
    </span>
  );
}

/** Titles that stand for several hosts in the list around. */
export const SharedTitles = createContext<ReadonlySet<string>>(new Set());

/**
 * The name of a webhook, or the path of its URL, then the host, which a narrow table hides. If rows differ only in the host, it comes
 * first. The tooltip shows the URL.
 */
export function Endpoint({ url, name = null }: { readonly url: string; readonly name?: string | null }) {
  const { host } = splitUrl(url);
  const title = titleOf({ target_url: url, name });
  const isNeeded = useContext(SharedTitles).has(title);
  return (
    <span class="endpoint" title={url}>
      {isNeeded ? <span class="host">{host} </span> : null}
      <MiddleText text={title} whole={20} />
      {title === host || isNeeded ? null : <span class="quiet"> {host}</span>}
    </span>
  );
}

export interface WebhookLinkProps {
  readonly webhook: Pick<ConsoleWebhook, "id" | "target_url" | "name" | "events">;
  /** Whether the URL stands above it. Then the link names the events. @default false */
  readonly isBelowUrl?: boolean;
  /** Whether a click on the row of a table follows it. */
  readonly isRow?: boolean;
}

export function WebhookLink({ webhook, isBelowUrl = false, isRow = false }: WebhookLinkProps) {
  const { id, target_url, name } = webhook;
  return (
    <a class={isRow ? "row-link" : undefined} href={hrefTo(["webhooks", id])}>
      {isBelowUrl ? (
        <bdi title={target_url}>{name ?? describeEvents(webhook)}</bdi>
      ) : (
        <Endpoint url={target_url} name={name} />
      )}
    </a>
  );
}

/** So many characters at the end are always visible. */
const tailLength = 6;

export interface MiddleTextProps {
  readonly text: string;
  /** A text up to this length stays in one part. */
  readonly whole: number;
}

/** A text that loses its middle if there is not enough room, because many ids and paths begin alike. */
export function MiddleText({ text, whole }: MiddleTextProps) {
  // Only ASCII is divided: other writing systems join characters.
  if (text.length <= whole || !/^[\x20-\x7e]+$/u.test(text)) return <bdi>{text}</bdi>;
  return (
    <bdi class="middle-text">
      <span>{text.slice(0, -tailLength)}</span>
      <span>{text.slice(-tailLength)}</span>
    </bdi>
  );
}

/** The name of a site. It shows the id until the names are loaded, and for a site that the account no longer has. */
export function SiteName({ id }: { readonly id: string | null }) {
  const { projects } = useConsole();
  if (id === null) return <>All sites</>;
  return <bdi>{projects.find((project) => project.id === id)?.name ?? id}</bdi>;
}

type Tone = "good" | "warn" | "bad" | "info" | "idle";

interface Appearance {
  readonly tone: Tone;
  readonly shape: string;
  readonly word: string;
}

const appearances = {
  delivered: { tone: "good", shape: "●", word: "Delivered" },
  pending: { tone: "info", shape: "○", word: "Pending" },
  retrying: { tone: "warn", shape: "◐", word: "Retrying" },
  failed: { tone: "bad", shape: "✕", word: "Failed" },
  cancelled: { tone: "idle", shape: "–", word: "Cancelled" },
  active: { tone: "good", shape: "●", word: "Active" },
  unverified: { tone: "idle", shape: "◇", word: "Unverified" },
  unverified_paused: { tone: "idle", shape: "◇", word: "Unverified, paused" },
  failing: { tone: "warn", shape: "◐", word: "Failing" },
  paused: { tone: "warn", shape: "◐", word: "Paused" },
  switched_off: { tone: "bad", shape: "✕", word: "Disabled" },
  disabled_by_host: { tone: "bad", shape: "✕", word: "Disabled by the operator" },
  rotating: { tone: "warn", shape: "◐", word: "New secret waits" },
  refused: { tone: "warn", shape: "◐", word: "Refused" },
  removed: { tone: "idle", shape: "–", word: "Removed" },
  running: { tone: "info", shape: "○", word: "Running" },
  finished: { tone: "good", shape: "●", word: "Finished" },
  stopped: { tone: "idle", shape: "–", word: "Stopped" },
} satisfies Readonly<Record<string, Appearance>>;

const known: Readonly<Record<string, Appearance>> = appearances;

/** A status as a shape, a word and a colour: never as a colour alone. */
export function Status({ status }: { readonly status: string }) {
  const { tone, shape, word } = known[status] ?? { tone: "idle", shape: "–", word: status };
  return (
    <span class={`status ${tone}`}>
      <i aria-hidden="true">{shape}</i>
      {word}
    </span>
  );
}

/** The status of a delivery. A pending one is shown as retrying after its first attempt. */
export function DeliveryStatus({
  delivery,
}: {
  readonly delivery: Pick<Delivery, "status" | "attempts_made">;
}) {
  const { status, attempts_made } = delivery;
  return <Status status={status === "pending" && attempts_made > 0 ? "retrying" : status} />;
}

/** The status of a webhook. An active one is not shown as healthy if its attempts fail, or if it never accepted anything. */
export function WebhookStatus({ webhook }: { readonly webhook: ConsoleWebhook }) {
  const attention = useAttention();
  if (isFailing(webhook, attention)) return <Status status="failing" />;
  if (webhook.verified) return <Status status={webhook.status} />;
  const unverified: Readonly<Record<string, string>> = { active: "unverified", paused: "unverified_paused" };
  return <Status status={unverified[webhook.status] ?? webhook.status} />;
}

/** The events of a webhook in short. The title names each. */
export function WebhookEvents({ webhook }: { readonly webhook: Pick<ConsoleWebhook, "events"> }) {
  const isShort = webhook.events.length > 1;
  return (
    <code class="events" title={isShort ? listEvents(webhook) : undefined}>
      {describeEvents(webhook)}
    </code>
  );
}
