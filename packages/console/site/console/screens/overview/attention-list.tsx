import type { Attention, Delivery, ListedConsoleWebhook } from "@hookwright/domain";
import { CircleAlert, CircleCheck } from "lucide";
import type { ComponentChildren } from "preact";
import { toPath } from "../../api/console-api.ts";
import { Icon } from "../../parts/buttons.tsx";
import { Answer, Endpoint, WebhookEvents } from "../../parts/cells.tsx";
import { formatCounted } from "../../parts/format.ts";
import { NotSent } from "../../parts/not-sent.tsx";
import { Ago, Time } from "../../parts/time.tsx";
import { hrefTo } from "../../state/route.ts";
import { useRows } from "../../state/use-api.ts";

/** What helps, and where. */
const actions: Readonly<
  Record<Attention["kind"], { readonly text: string; readonly hrefFor: (id: string) => string }>
> = {
  webhook_switched_off: {
    text: "Turn on and recover",
    hrefFor: (id) => hrefTo(["webhooks", id], { do: "recover" }),
  },
  // While they are retried, its deliveries have not failed yet.
  webhook_failing: { text: "Look", hrefFor: (webhook_id) => hrefTo(["deliveries"], { webhook_id }) },
  webhook_paused: { text: "Resume", hrefFor: (id) => hrefTo(["webhooks", id]) },
  rotation_waiting: { text: "Finish", hrefFor: (id) => hrefTo(["webhooks", id], { tab: "secret" }) },
};

export interface AttentionListProps {
  readonly attention: readonly Attention[];
  readonly webhooks: readonly ListedConsoleWebhook[];
  /** Requests to the API that the rate limit refused in the last hour. */
  readonly refused: number;
  /** The newest delivery of an event. */
  readonly newest: Delivery | undefined;
}

/** What is wrong, since when, and where to fix it. If nothing is, one sentence says so. */
export function AttentionList({ attention, webhooks, refused, newest }: AttentionListProps) {
  if (attention.length === 0 && refused === 0) {
    const isQuiet = newest === undefined;
    return (
      <p class={isQuiet ? "note idle" : "note good"}>
        <Icon of={CircleCheck} />
        {isQuiet ? (
          "No webhook needs attention. No event has happened yet."
        ) : (
          <span>
            No webhook needs attention. Last event <Ago at={newest.created_at} />.
          </span>
        )}
      </p>
    );
  }
  return (
    <section aria-label="Needs attention" class="attention">
      <ul>
        {attention.map(({ kind, webhook_id, message, since }) => {
          const webhook = webhooks.find(({ id }) => id === webhook_id);
          const isLocked = webhook?.status === "disabled_by_host";
          return (
            <Entry
              key={`${kind} ${webhook_id}`}
              isBad={kind === "webhook_switched_off"}
              title={
                <>
                  <strong>
                    {webhook === undefined ? (
                      webhook_id
                    ) : (
                      <Endpoint url={webhook.target_url} name={webhook.name} />
                    )}
                  </strong>{" "}
                  {webhook === undefined ? null : <WebhookEvents webhook={webhook} />}
                </>
              }
              action={isLocked ? "Look" : actions[kind].text}
              href={isLocked ? hrefTo(["webhooks", webhook_id]) : actions[kind].hrefFor(webhook_id)}
            >
              {message} <LastFailure webhookId={webhook_id} />
              {since === null ? null : (
                <span class="quiet">
                  {" "}
                  Since <Time at={since} />.
                </span>
              )}
              {webhook === undefined || webhook.status === "active" ? null : (
                <>
                  {" "}
                  <NotSent webhookId={webhook_id} since={since} />
                </>
              )}
            </Entry>
          );
        })}
        {refused === 0 ? null : (
          <Entry
            title={<strong>API rate limit reached</strong>}
            action="Look"
            href={hrefTo(["requests"], { status: "429" })}
          >
            {formatCounted(refused)} {refused === 1 ? "request was" : "requests were"} refused in the last
            hour.
          </Entry>
        )}
      </ul>
    </section>
  );
}

interface EntryProps {
  readonly title: ComponentChildren;
  readonly isBad?: boolean;
  /** The text of the link. */
  readonly action: string;
  readonly href: string;
  readonly children: ComponentChildren;
}

function Entry({ title, isBad = false, action, href, children }: EntryProps) {
  return (
    <li class={isBad ? "bad" : "warn"}>
      <Icon of={CircleAlert} />
      <div>
        <p>{title}</p>
        <p>{children}</p>
      </div>
      <a class="button" href={href}>
        {action}
      </a>
    </li>
  );
}

/** What the endpoint answered last, if it refused. */
function LastFailure({ webhookId }: { readonly webhookId: string }) {
  const query = { webhook_id: webhookId, attempts_min: "1", limit: "1" };
  const [newest] = useRows<Delivery>(toPath("deliveries"), query).data ?? [];
  if (newest === undefined || newest.last_error === null) return null;
  return (
    <>
      Last answer: <Answer status={newest.last_status} error={newest.last_error} />.
    </>
  );
}
