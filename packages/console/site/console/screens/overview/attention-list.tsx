import type { Attention, ConsoleWebhook, Delivery, ListedConsoleWebhook } from "@hookwright/domain";
import { CircleAlert, CircleCheck } from "lucide";
import { Icon } from "../../parts/buttons.tsx";
import { Answer, Endpoint } from "../../parts/cells.tsx";
import { formatCount, formatCounted } from "../../parts/format.ts";
import { Ago, Time } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
import { useResource } from "../../state/use-resource.ts";

const actions: Readonly<Record<Attention["kind"], string>> = {
  webhook_switched_off: "Turn on and recover",
  webhook_failing: "Look",
  webhook_paused: "Resume",
  rotation_waiting: "Finish",
};

function addressOf(kind: Attention["kind"], id: string): string {
  switch (kind) {
    // While they are retried, its deliveries have not failed yet.
    case "webhook_failing":
      return hrefTo(["deliveries"], { webhook_id: id });
    case "webhook_switched_off":
      return hrefTo(["webhooks", id], { do: "recover" });
    case "webhook_paused":
      return hrefTo(["webhooks", id]);
    case "rotation_waiting":
      return hrefTo(["webhooks", id], { tab: "secret" });
  }
}

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
            <li key={`${kind} ${webhook_id}`} class={kind === "webhook_switched_off" ? "bad" : "warn"}>
              <Icon of={CircleAlert} />
              <div>
                <p>
                  <strong>
                    {webhook === undefined ? (
                      webhook_id
                    ) : (
                      <Endpoint url={webhook.target_url} name={webhook.name} />
                    )}
                  </strong>{" "}
                  {webhook === undefined ? null : <code>{webhook.event}</code>}
                </p>
                <p>
                  {message} <LastFailure webhookId={webhook_id} />
                  {since === null ? null : (
                    <span class="quiet">
                      {" "}
                      Since <Time at={since} />.
                    </span>
                  )}
                  {kind === "webhook_switched_off" ? <MissedEvents webhookId={webhook_id} /> : null}
                </p>
              </div>
              <a
                class="button"
                href={isLocked ? hrefTo(["webhooks", webhook_id]) : addressOf(kind, webhook_id)}
              >
                {isLocked ? "Look" : actions[kind]}
              </a>
            </li>
          );
        })}
        {refused === 0 ? null : <RefusedRequests count={refused} />}
      </ul>
    </section>
  );
}

function RefusedRequests({ count }: { readonly count: number }) {
  return (
    <li class="warn">
      <Icon of={CircleAlert} />
      <div>
        <p>
          <strong>API rate limit reached</strong>
        </p>
        <p>
          {formatCounted(count)} {count === 1 ? "request was" : "requests were"} refused in the last hour.
        </p>
      </div>
      <a class="button" href={hrefTo(["requests"], { status: "429" })}>
        Look
      </a>
    </li>
  );
}

/** How many events were not sent since the webhook was disabled. The list of webhooks does not count them. */
function MissedEvents({ webhookId }: { readonly webhookId: string }) {
  const { api } = useConsole();
  const count =
    useResource(`missed events of ${webhookId}`, (signal) =>
      api.get<ConsoleWebhook>(`console/api/webhooks/${encodeURIComponent(webhookId)}`, { signal }),
    ).data?.missed ?? 0;
  if (count === 0) return null;
  return (
    <>
      {" "}
      <strong>
        {formatCount(count)} {count === 1 ? "event was" : "events were"} not sent.
      </strong>
    </>
  );
}

/** What the endpoint answered last, if it refused. */
function LastFailure({ webhookId }: { readonly webhookId: string }) {
  const { api } = useConsole();
  const [newest] =
    useResource(`last failure of ${webhookId}`, async (signal) => {
      const query = { webhook_id: webhookId, attempts_min: "1", limit: "1" };
      return (await api.list<Delivery>("console/api/deliveries", { query, signal })).rows;
    }).data ?? [];
  if (newest === undefined || newest.last_error === null) return null;
  return (
    <>
      Last answer: <Answer status={newest.last_status} error={newest.last_error} />.
    </>
  );
}
