import type { Attempt, ConsoleWebhook, EventType } from "@hookwright/domain";
import { BodyText } from "../../parts/body-text.tsx";
import { Button } from "../../parts/button.tsx";
import { CommandLine } from "../../parts/command-line.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Endpoint } from "../../parts/endpoint.tsx";
import { FailureNote } from "../../parts/failure-note.tsx";
import { Loading } from "../../parts/loading.tsx";
import { ScreenHeader } from "../../parts/screen-header.tsx";
import { WebhookStatus } from "../../parts/status.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useAction } from "../../state/use-action.ts";
import { useResource } from "../../state/use-resource.ts";
import { hrefTo } from "../../state/use-route.ts";
import { useTitle } from "../../state/use-title.ts";
import { listFields } from "./list-fields.ts";

/** All events, what they contain, and which webhooks get them. */
export function EventCatalogue() {
  useTitle("Events");
  const { api, eventTypes } = useConsole();
  const webhooks = useResource("every webhook", (signal) =>
    api.list<ConsoleWebhook>("console/api/webhooks", { query: { limit: "100" }, signal }),
  );
  return (
    <>
      <ScreenHeader title="Events" />
      <p class="quiet">
        What happens on your sites, and what a webhook gets. Open an event to see its fields.
      </p>
      <FailureNote failure={webhooks.failure} onRetry={webhooks.reload} />
      {eventTypes.length === 0 ? <Loading /> : null}
      <ul class="catalogue">
        {eventTypes.map((type) => (
          <li key={type.event} class="panel">
            <EventEntry
              type={type}
              webhooks={webhooks.data?.rows.filter(({ event }) => event === type.event) ?? []}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface EventEntryProps {
  readonly type: EventType;
  /** The webhooks that get the event. */
  readonly webhooks: readonly ConsoleWebhook[];
}

function EventEntry({ type, webhooks }: EventEntryProps) {
  const { event, name, description, sample } = type;
  const body = JSON.stringify(sample, null, 2);
  return (
    <>
      <div class="chart-head">
        <h2>
          {name} <code class="quiet">{event}</code>
        </h2>
        <div class="actions">
          <a class="button" href={hrefTo(["deliveries"], { event })}>
            Deliveries
          </a>
          <a class="button" href={hrefTo(["webhooks"], { create: "webhook", event })}>
            Create webhook
          </a>
        </div>
      </div>
      <p>{description}</p>
      {webhooks.length === 0 ? (
        <p class="quiet">No webhook gets it.</p>
      ) : (
        <ul class="lines">
          {webhooks.map((webhook) => (
            <li key={webhook.id}>
              <WebhookStatus webhook={webhook} />
              <a href={hrefTo(["webhooks", webhook.id])}>
                <Endpoint url={webhook.target_url} name={webhook.name} />
              </a>
              <SendExample webhookId={webhook.id} disabled={webhook.status === "paused"} />
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>Fields and sample</summary>
        <div class="halves">
          <dl class="headers">
            {listFields(sample.data).map(({ path, kind }) => (
              <div key={path}>
                <dt>
                  <code>{path}</code>
                </dt>
                <dd>{kind}</dd>
              </div>
            ))}
          </dl>
          <div>
            <BodyText name={`Sample of ${event}`}>{body}</BodyText>
            <div class="actions">
              <CopyButton text={body}>Copy sample</CopyButton>
            </div>
          </div>
        </div>
        <p class="quiet">Send it to a listener on your machine:</p>
        <CommandLine text={`npx @hookwright/cli trigger ${event}`} />
      </details>
    </>
  );
}

/** Sends the sample of an event to one webhook, marked as a test, and says what it answered. */
function SendExample({ webhookId, disabled }: { readonly webhookId: string; readonly disabled: boolean }) {
  const { api, toast } = useConsole();
  const action = useAction();
  const send = async (): Promise<void> => {
    const { status } = await api.post<Attempt>(`console/api/webhooks/${encodeURIComponent(webhookId)}/test`);
    toast(status === null ? "The endpoint did not answer." : `The endpoint answered ${status}.`);
  };
  return (
    <>
      <Button changes disabled={disabled} busy={action.busy} onClick={() => void action.run(send)}>
        Send example
      </Button>
      <FailureNote failure={action.failure} />
    </>
  );
}
