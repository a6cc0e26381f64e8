import type { Attempt, ConsoleWebhook, Delivery, TestInput } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { ApiFailure, toPath } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { FormDialog } from "../../parts/dialogs.tsx";
import { Choice, Field, Segments } from "../../parts/fields.tsx";
import { Pending } from "../../parts/page.tsx";
import { useEventsOf } from "../../parts/test-button.tsx";
import { splitUrl } from "../../parts/tell-apart.ts";
import { formatTime, useTimeZone } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useRows } from "../../state/use-api.ts";

export interface TestDialogProps {
  readonly webhook: ConsoleWebhook;
  readonly onTest: (input: TestInput) => Promise<Attempt>;
  /** Called when the dialog has closed. */
  readonly onTested: (attempt: Attempt) => void;
  readonly onClose: () => void;
}

/** Asks what a test sends: the sample of an event, which can be edited, or what a delivery has sent. */
export function TestDialog({ webhook, onTest, onTested, onClose }: TestDialogProps) {
  const { eventTypes } = useConsole();
  const events = useEventsOf(webhook);
  const [event = events[0] ?? "", setEvent] = useState<string>();
  const [source, setSource] = useState<"sample" | "delivery">("sample");
  const [written, setWritten] = useState<string>();
  const [chosen, setChosen] = useState<string>();
  const sent = useRows<Delivery>(source === "delivery" ? toPath("deliveries") : undefined, {
    event,
    kind: "event",
    project_id: webhook.project_id ?? "",
    attempts_min: "1",
    limit: "20",
  });
  const deliveryId = chosen ?? sent.data?.[0]?.id;
  const type = eventTypes.find((each) => each.event === event);
  const sample = JSON.stringify(type?.sample.data ?? {}, null, 2);
  const isEdited = written !== undefined && written !== sample;
  const submit = async (): Promise<void> => {
    const attempt = await onTest(
      source === "delivery"
        ? { delivery_id: deliveryId }
        : { event, data: isEdited ? parseObject(written) : undefined },
    );
    onClose();
    onTested(attempt);
  };
  return (
    <FormDialog
      title="Send a test"
      labels={{ event: "Event of the test", delivery_id: "Delivery" }}
      values={{ event, delivery_id: deliveryId }}
      submit="Send test"
      disabled={source === "delivery" && deliveryId === undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      {(problemAt) => (
        <>
          <Segments
            label="What the test sends"
            value={source}
            choices={{ sample: "Sample", delivery: "Past delivery" }}
            onChoose={setSource}
          />
          <Choice
            label="Event of the test"
            value={event}
            all={null}
            problem={problemAt("event")}
            choices={events.map((each) => [each, each])}
            onChoose={(other) => {
              setEvent(other);
              setWritten(undefined);
              setChosen(undefined);
            }}
          />
          {source === "sample" ? (
            <>
              <Field label="Data" hint="You can edit it. The test gets an id of its own.">
                {(control) => (
                  <textarea
                    {...control}
                    class="sample"
                    rows={12}
                    spellcheck={false}
                    value={written ?? sample}
                    onInput={({ currentTarget }) => setWritten(currentTarget.value)}
                  />
                )}
              </Field>
              {isEdited ? (
                <div class="actions">
                  <Button onClick={() => setWritten(undefined)}>Back to the sample</Button>
                </div>
              ) : null}
            </>
          ) : sent.data === undefined ? (
            <Pending of={sent} />
          ) : (
            <SentChoice
              deliveries={sent.data}
              webhook={webhook}
              value={deliveryId}
              problem={problemAt("delivery_id")}
              onChoose={setChosen}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

interface SentChoiceProps {
  readonly deliveries: readonly Delivery[];
  readonly webhook: ConsoleWebhook;
  readonly value: string | undefined;
  readonly problem: string | undefined;
  readonly onChoose: (id: string) => void;
}

/** The newest deliveries of an event, also those of other webhooks. */
function SentChoice({ deliveries, webhook, ...field }: SentChoiceProps) {
  const timeZone = useTimeZone();
  if (deliveries.length === 0) return <p class="quiet">No delivery of this event has sent anything yet.</p>;
  const describe = ({ record_id, webhook_id, target_url, created_at, last_status }: Delivery): string =>
    [
      record_id,
      formatTime(created_at, timeZone),
      last_status ?? "no response",
      ...(webhook_id === webhook.id ? [] : [splitUrl(target_url).host]),
    ].join(" · ");
  return (
    <Choice
      label="Delivery"
      all={null}
      choices={deliveries.map((delivery) => [delivery.id, describe(delivery)])}
      hint="Its last body is sent again, byte for byte, and marked as a test."
      {...field}
    />
  );
}

/** @throws ApiFailure */
function parseObject(text: string): Record<string, unknown> {
  let reason = "";
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    reason = `: ${String(error)}`;
  }
  throw new ApiFailure("validation_failed", `The data must be a JSON object${reason}`);
}
