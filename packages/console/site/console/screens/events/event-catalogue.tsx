import type { Attempt, ConsoleWebhook, DescribedEventType, EventField } from "@hookwright/domain";
import { toPath } from "../../api/console-api.ts";
import { BodyText } from "../../parts/bodies.tsx";
import { Button, CopyButton } from "../../parts/buttons.tsx";
import { WebhookLink, WebhookStatus } from "../../parts/cells.tsx";
import { TriggerCommand } from "../../parts/listen-commands.tsx";
import { FailureNote, Pending, ScreenHeader } from "../../parts/page.tsx";
import { titleOf } from "../../parts/tell-apart.ts";
import { mayTest } from "../../parts/test-button.tsx";
import { toInline } from "../../parts/text.tsx";
import { getsEvent } from "../../parts/webhook-events.ts";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
import { useAction, useRows } from "../../state/use-api.ts";

/** All events, what they contain, and which webhooks get them. */
export function EventCatalogue() {
  const eventTypes = useRows<DescribedEventType>(toPath("event-types"));
  const webhooks = useRows<ConsoleWebhook>(toPath("webhooks"), { limit: "100" });
  // The entries name the webhooks, and become longer with them.
  const isKnown = webhooks.data !== undefined || webhooks.failure !== undefined;
  return (
    <>
      <ScreenHeader title="Events" />
      <p class="quiet">
        What happens on your sites, and what a webhook gets. Open an event to see its fields.
      </p>
      <FailureNote failure={webhooks.failure} onRetry={webhooks.reload} />
      <Pending of={isKnown ? eventTypes : { ...eventTypes, data: undefined }} rem={Array(7).fill(9)} />
      {isKnown && eventTypes.data?.length === 0 ? (
        <div class="empty">
          <p>There are no events yet.</p>
        </div>
      ) : null}
      <ul class="catalogue">
        {(isKnown ? eventTypes.data : undefined)?.map((type) => (
          <li key={type.event} class="panel">
            <EventEntry
              type={type}
              webhooks={webhooks.data?.filter((webhook) => getsEvent(webhook, type.event)) ?? []}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface EventEntryProps {
  readonly type: DescribedEventType;
  /** The webhooks that get the event. */
  readonly webhooks: readonly ConsoleWebhook[];
}

function EventEntry({ type, webhooks }: EventEntryProps) {
  const { event, name, description, sample, fields } = type;
  const body = JSON.stringify(sample, null, 2);
  return (
    <>
      <div class="chart-head">
        <h2>
          {name} <code class="quiet">{event}</code>
        </h2>
        <div class="actions">
          <a class="button" aria-label={`Deliveries of ${event}`} href={hrefTo(["deliveries"], { event })}>
            Deliveries
          </a>
          <a
            class="button"
            aria-label={`Create webhook for ${event}`}
            href={hrefTo(["webhooks"], { create: "webhook", event })}
          >
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
              <WebhookLink webhook={webhook} />
              <SendExample webhook={webhook} event={event} disabled={!mayTest(webhook)} />
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>Fields and sample</summary>
        <div class="halves">
          <dl class="headers">
            {fields.map((field) => (
              <FieldEntry key={field.path} field={field} />
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
        <TriggerCommand event={event} />
      </details>
    </>
  );
}

function FieldEntry({ field }: { readonly field: EventField }) {
  const { path, type, required, description, values, example } = field;
  const shown = values.map((value) => JSON.stringify(value));
  const facts = [
    required ? type : `${type}, optional`,
    ...(shown.length > 0 ? [`one of ${shown.join(", ")}`] : []),
    ...(shown.length === 0 && example !== null ? [`for example ${JSON.stringify(example)}`] : []),
  ];
  return (
    <div>
      <dt>
        <code>{path}</code>
      </dt>
      <dd>
        {description === null ? null : <p>{toInline(description)}</p>}
        <span class="quiet">{facts.join(", ")}</span>
      </dd>
    </div>
  );
}

/** Sends the sample of an event to one webhook, marked as a test, and says what it answered. */
function SendExample({
  webhook,
  event,
  disabled,
}: {
  readonly webhook: ConsoleWebhook;
  readonly event: string;
  readonly disabled: boolean;
}) {
  const { api, toast } = useConsole();
  const action = useAction();
  const send = async (): Promise<void> => {
    const { status } = await api.post<Attempt>(toPath("webhooks", webhook.id, "test"), { event });
    toast(status === null ? "The endpoint did not answer." : `The endpoint answered ${status}.`);
  };
  return (
    <>
      <Button
        changes
        label={`Send example of ${event} to ${titleOf(webhook)}`}
        disabled={disabled}
        busy={action.busy}
        onClick={() => void action.run(send)}
      >
        Send example
      </Button>
      <FailureNote failure={action.failure} />
    </>
  );
}
