import { useState } from "preact/hooks";
import { BodyText } from "../../parts/bodies.tsx";
import { Check } from "../../parts/fields.tsx";
import { Loading, remFor } from "../../parts/page.tsx";
import { useConsole } from "../../state/console-context.ts";
import { webhookLabels } from "./webhook-fields.tsx";

/** The choice of every event that exists or will exist. */
const every = "*";

export interface EventsFieldProps {
  /** Names, or only `*`. */
  readonly chosen: readonly string[];
  readonly problem: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses events, and shows a sample of the one that was chosen last. */
export function EventsField({ chosen, problem, onChange }: EventsFieldProps) {
  const { eventTypes, hasNoEvents = false } = useConsole();
  /** What is chosen again if the user does not want every event any more. */
  const [before, setBefore] = useState<readonly string[]>([]);
  const isEvery = chosen.includes(every);
  const sample = eventTypes.find(({ event }) => event === chosen.at(-1));
  const isLoading = eventTypes.length === 0 && !hasNoEvents;
  // The host may have removed an event that the webhook still names.
  const removed = isLoading
    ? []
    : chosen.filter((name) => name !== every && !eventTypes.some(({ event }) => event === name));
  const choose = (event: string, checked: boolean): void =>
    onChange(checked ? [...chosen, event] : chosen.filter((each) => each !== event));
  const chooseEvery = (checked: boolean): void => {
    if (checked) setBefore(chosen);
    onChange(checked ? [every] : before);
  };
  return (
    <fieldset tabIndex={-1}>
      <legend>{webhookLabels.events}</legend>
      <Check checked={isEvery} onChange={chooseEvery}>
        All events, also those that are added later
      </Check>
      <div class="choices">
        {/* About the height of the events of the specification, with the sample. */}
        {isLoading ? <Loading rem={remFor(15, 8.5)} /> : null}
        {hasNoEvents ? <p class="quiet">There are no events yet.</p> : null}
        {eventTypes.map(({ event, name, description }) => (
          <Check
            key={event}
            title={description}
            checked={isEvery || chosen.includes(event)}
            disabled={isEvery}
            onChange={(checked) => choose(event, checked)}
          >
            {name} <code class="quiet">{event}</code>
          </Check>
        ))}
        {removed.map((event) => (
          <Check key={event} checked onChange={(checked) => choose(event, checked)}>
            <code>{event}</code> <span class="quiet">(no longer exists)</span>
          </Check>
        ))}
      </div>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {sample === undefined ? null : (
        <details>
          <summary>Sample of {sample.event}</summary>
          <BodyText name={`Sample of ${sample.event}`}>{JSON.stringify(sample.sample, null, 2)}</BodyText>
        </details>
      )}
    </fieldset>
  );
}
